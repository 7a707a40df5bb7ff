// The components of the test's plugins. What each of them does wrong is chosen by a definition (see
// CMakeLists.txt).

#include "engine/components/messages.h"
#include "engine/core/log.h"
#include "engine/entity/event_hub.h"
#include "engine/plugin/plugin.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>

namespace parts {

struct Ping {
    static constexpr const char* Name = "Ping";
    static constexpr const char* Doc = "A counter has counted.";
#if PARTS_BUILD >= 2
    int step = 0; // moves what follows
#endif
    float value = 0.0F;
    static void describe(sbx::FieldList<Ping>& f) {
#if PARTS_BUILD >= 2
        f.add("step", &Ping::step, "By how much.");
#endif
        f.add("value", &Ping::value, "Where it stands.");
    }
};

struct Fail {
    static constexpr const char* Name = "Fail";
    static constexpr const char* Doc = "Asks the counter to throw.";
    static void describe(sbx::FieldList<Fail>&) {}
};

// Counts ticks; the second build counts in steps, and its fields lie elsewhere.
class Ticker : public sbx::Component {
public:
    struct Settings {
#if PARTS_BUILD >= 2
        int step = 10;
        std::string label = "counter";
#endif
        int start = 100;
        int every = 5;
        static void describe(sbx::FieldList<Settings>& f) {
#if PARTS_BUILD >= 2
            f.add("step", &Settings::step, "Added each time.").range(1, 1000);
            f.add("label", &Settings::label, "For people.");
#endif
            f.add("start", &Settings::start, "Counts from here.").range(0, 1000000);
            f.add("every", &Settings::every, "Tells how far it is after this many ticks.")
                .unit("ticks")
                .range(1, 1000);
        }
    };
    struct State {
#if PARTS_BUILD >= 2
        std::string last = "new";
        double total = 0.0;
#endif
        int ticks = 0;
        int count = 0;
        static void describe(sbx::FieldList<State>& f) {
#if PARTS_BUILD >= 2
            f.add("last", &State::last, "What came last.");
            f.add("total", &State::total, "Of all steps.");
#endif
            f.add("ticks", &State::ticks, "Ticks lived.").readOnly();
            f.add("count", &State::count, "Where it stands.");
        }
    };
    Settings settings;
    State state;
    // Two numbers that it cannot bear: as it is made, and as it is set.
    static constexpr int Unmakeable = 666;
    static constexpr int Unbearable = 667;
    // From here it tells everybody, by an event that is there three ticks later.
    static constexpr int Telling = 668;
    // From here it does not get far: it ends the program, uses memory that is not there, or does not return while the file exists that
    // PARTS_HANG_FILE names.
    static constexpr int Aborting = 669;
    static constexpr int Faulting = 670;
    static constexpr int Hanging = 671;
    static constexpr int Before = 20; // ticks
    Ticker(const sbx::ComponentContext& context, const Settings& s) : Component(context), settings(s) {
        if (s.start == Unmakeable)
            throw std::runtime_error("nobody counts from there");
        state.count = s.start;
    }
    void settingsChanged() {
        if (settings.start == Unbearable)
            throw std::runtime_error("not to there");
    }
    static void describe(sbx::ComponentBuilder<Ticker>& b) {
        b.doc("Counts ticks.")
            .category("Parts")
            .handle<&Ticker::onUpdate>()
            .handle<&Ticker::onFail>()
            .sends<Ping>();
#if PARTS_THROW
        throw std::runtime_error("no counters today");
#endif
    }

private:
    void goWrong() const {
        if (settings.start == Aborting)
            std::abort();
        if (settings.start == Faulting)
            *reinterpret_cast<volatile int*>(8) = 1;
        const char* const file = std::getenv("PARTS_HANG_FILE");
        while (file != nullptr && ::access(file, F_OK) == 0)
            ::usleep(1000);
    }
    void tell() {
        sbx::EventHub events(world());
        const auto declared = events.declare("Counted", {
#if PARTS_BUILD >= 2
            {"step", sbx::FieldType::Int, "By how much."},
#endif
            {"value", sbx::FieldType::Int, "Where it stands."},
        });
        if (!declared)
            world().log().error("parts", declared.error().message);
        static_cast<void>(events.raiseLater(3, 0, "Counted",
                                            {
#if PARTS_BUILD >= 2
                                                {"step", settings.step},
#endif
                                                {"value", state.count},
                                            },
                                            entity()));
    }
    bool onUpdate(sbx::Update&) {
        ++state.ticks;
#if PARTS_BUILD >= 2
        state.count += settings.step;
        state.total += settings.step;
        if (state.ticks % settings.every == 0)
            world().send(entity(), Ping{settings.step, static_cast<float>(state.count)}, entity());
#else
        ++state.count;
        if (state.ticks % settings.every == 0)
            world().send(entity(), Ping{static_cast<float>(state.count)}, entity());
#endif
        if (state.ticks == Before && settings.start >= Aborting && settings.start <= Hanging)
            goWrong();
        if (settings.start == Telling && state.ticks % settings.every == 0)
            tell();
        return false;
    }
    bool onFail(Fail&) { throw std::runtime_error("asked to"); }
};

class Receiver : public sbx::Component {
public:
    struct Settings {
        static void describe(sbx::FieldList<Settings>&) {}
    };
    struct State {
        float heard = 0.0F;
        static void describe(sbx::FieldList<State>& f) { f.add("heard", &State::heard, "The latest value."); }
    };
    Settings settings;
    State state;
    Receiver(const sbx::ComponentContext& context, const Settings& s) : Component(context), settings(s) {}
    static void describe(sbx::ComponentBuilder<Receiver>& b) {
        b.doc("Remembers what a counter tells.").category("Parts").handle<&Receiver::onPing>();
    }

private:
    bool onPing(Ping& m) {
        state.heard = m.value;
        return false;
    }
};

#if PARTS_BASE
// A component of the engine by its name.
class Body : public Receiver {
public:
    using Receiver::Receiver;
    static void describe(sbx::ComponentBuilder<Body>& b) { b.doc("Not the engine's."); }
};
#endif
#if PARTS_DERIVED
// A kind of Receiver: an entity may have one of the two.
class LoudReceiver : public Receiver {
public:
    using Receiver::Receiver;
    static void describe(sbx::ComponentBuilder<LoudReceiver>& b) { b.doc("A receiver.").base<Receiver>(); }
};
#endif
#if PARTS_SMALL
class little : public Receiver {
public:
    using Receiver::Receiver;
    static void describe(sbx::ComponentBuilder<little>& b) { b.doc("Badly named."); }
};
#endif
#if PARTS_DAMAGE
// The engine's message by its name, of another size.
struct Damage {
    static constexpr const char* Name = "Damage";
    static constexpr const char* Doc = "Not the engine's.";
    double amount = 0.0;
    int kind = 0;
    static void describe(sbx::FieldList<Damage>& f) { f.add("amount", &Damage::amount, "How much."); }
};
class Taker : public Receiver {
public:
    using Receiver::Receiver;
    static void describe(sbx::ComponentBuilder<Taker>& b) { b.handle<&Taker::onDamage>(); }

private:
    bool onDamage(Damage&) { return true; }
};
#endif

} // namespace parts

#if PARTS_CRASH
static const int Crash = [] {
    volatile int* nowhere = nullptr;
    return *nowhere = 1;
}();
#endif
#if PARTS_EXIT
static const int Exit = [] {
    ::_exit(0);
    return 0;
}();
#endif
#if PARTS_MARK // code that runs before anybody can refuse it leaves a trace
static const int Mark = [] {
    if (const char* file = std::getenv("SBX_TEST_MARK"))
        if (std::FILE* out = std::fopen(file, "a")) {
            std::fputs("ran\n", out);
            std::fclose(out);
        }
    return 0;
}();
#endif
#if PARTS_HANG
static const int Hang = [] {
    while (true)
        ::pause(); // for a signal
    return 0;
}();
#endif
#if PARTS_MISSING
void nowhereToBeFound();
static const int Missing = (nowhereToBeFound(), 0);
#endif

#if PARTS_BASE
SIGNALBOX_PLUGIN(parts::Body)
#elif PARTS_DERIVED
SIGNALBOX_PLUGIN(parts::Ticker, parts::Receiver, parts::LoudReceiver)
#elif PARTS_SMALL
SIGNALBOX_PLUGIN(parts::little)
#elif PARTS_DAMAGE
SIGNALBOX_PLUGIN(parts::Taker)
#elif PARTS_TWICE
SIGNALBOX_PLUGIN(parts::Ticker, parts::Ticker)
#elif !PARTS_UNMARKED
SIGNALBOX_PLUGIN(parts::Ticker, parts::Receiver)
#endif
