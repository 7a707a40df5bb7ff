#pragma once
// Records as a yard makes them: phantoms touch crates, shields consume, bats circle, somebody asks for
// positions. Seeded, so that two runs are equal.

#include "engine/message/recorder.h"
#include "widgets/trace/recorder_trace_source.h"

#include <string>
#include <vector>

namespace sbx::trace_test {

enum class Kind : std::uint8_t { Blunt, Fire, Ice };

struct Damage {
    static constexpr const char* Name = "Damage";
    static constexpr const char* Doc = "Asks the receiver to lose health.";
    float amount = 0.0F;
    Kind kind = Kind::Blunt;
    EntityId source;
    static void describe(FieldList<Damage>& f) {
        f.add("amount", &Damage::amount, "How much health to take.").unit("hp").atLeast(0);
        f.add("kind", &Damage::kind, "What it is done with.").choices({"blunt", "fire", "ice"});
        f.add("source", &Damage::source, "Who began it.");
    }
};
struct Contact {
    static constexpr const char* Name = "Contact";
    static constexpr const char* Doc = "Two bodies touch.";
    Vec3 point{0.0F};
    float impulse = 0.0F;
    static void describe(FieldList<Contact>& f) {
        f.add("point", &Contact::point, "Where, in world space.").unit("m");
        f.add("impulse", &Contact::impulse, "Size of the impulse that parts them.").unit("N·s");
    }
};
struct Say {
    static constexpr const char* Name = "Say";
    static constexpr const char* Doc = "A line for the log.";
    Text words;
    bool loud = false;
    std::int32_t amount = 0;
    static void describe(FieldList<Say>& f) {
        f.add("words", &Say::words, "What is said.");
        f.add("loud", &Say::loud, "Heard everywhere.");
        f.add("amount", &Say::amount, "How often.");
    }
};
struct Died {
    static constexpr const char* Name = "Died";
    static constexpr const char* Doc = "Health came to nothing.";
    static void describe(FieldList<Died>&) {}
};
struct Rang {
    static constexpr const char* Name = "Rang";
    static constexpr const char* Doc = "Tells that a bell rang.";
    static constexpr bool Notice = true;
    static void describe(FieldList<Rang>&) {}
};
struct Update {
    static constexpr const char* Name = "Update";
    static constexpr const char* Doc = "One step of the simulation.";
    static constexpr bool Recorded = false;
    float step = 0.0F;
    static void describe(FieldList<Update>& f) { f.add("step", &Update::step, "Length.").unit("s"); }
};
struct PositionQuery {
    static constexpr const char* Name = "PositionQuery";
    static constexpr const char* Doc = "Asks for the position; whoever owns it answers.";
    static constexpr bool Recorded = false;
    static void describe(FieldList<PositionQuery>&) {}
};

class Yard {
public:
    Yard() {
        for (const char* name : {"Shield", "Health", "Touch", "Body", "Log"})
            recorder.setComponentName(static_cast<ComponentTypeId>(m_components++), name);
        recorder.setComponentName(Watch, "Watch", true); // an observer
        recorder.addWorld("local");
        recorder.setEnabled(true);
        messageIdOf<Damage>();
        messageIdOf<Contact>();
        messageIdOf<Say>();
        messageIdOf<Died>();
        messageIdOf<Update>();
        messageIdOf<PositionQuery>();
        messageIdOf<Rang>();
        for (std::uint32_t i = 0; i < 40; ++i)
            m_names.push_back(recorder.names().intern((i < 24   ? "crate_"
                                                       : i < 32 ? "bat_"
                                                                : "phantom_")
                                                      + std::to_string(i % 24 + 1)));
    }

    static EntityId entity(std::uint32_t index) { return {index + 1, 1}; }
    std::string entityName(std::uint32_t index) const { return recorder.names().name(m_names[index]); }

    struct Visit {
        ComponentTypeId component;
        std::int32_t priority;
        HandlerResult result;
    };
    static constexpr ComponentTypeId Shield = 0, Health = 1, Touch = 2, Body = 3, Log = 4, Watch = 5;

    template <typename M> std::uint64_t send(const M& message, int sender, int receiver, std::uint64_t cause,
                                             const std::vector<Visit>& visits,
                                             Delivery delivery = Delivery::Immediate, bool delayed = false) {
        Envelope e;
        e.sequence = ++sequence;
        e.cause = cause;
        e.tick = tick;
        e.type = messageIdOf<M>();
        e.world = world;
        e.delivery = delivery;
        e.delayed = delayed;
        e.site = site;
        e.injected = injected;
        e.queuedAt = delayed && tick > 12 ? tick - 12 : 0;
        if (sender >= 0)
            e.sender = entity(static_cast<std::uint32_t>(sender));
        if (receiver >= 0)
            e.receiver = entity(static_cast<std::uint32_t>(receiver));
        std::vector<ShapeHandler> handlers;
        std::size_t reached = 0;
        bool consumed = false;
        for (const Visit& v : visits) {
            handlers.push_back({v.component, v.priority});
            reached += v.result != HandlerResult::NotReached ? 1U : 0U;
            consumed = consumed || v.result == HandlerResult::Consumed;
        }
        const auto ticket = recorder.begin(e, sender < 0 ? 0 : m_names[static_cast<std::size_t>(sender)],
                                           receiver < 0 ? 0 : m_names[static_cast<std::size_t>(receiver)],
                                           internShape(handlers), &message, sizeof message);
        recorder.finish(ticket, reached, consumed);
        return e.sequence;
    }

    // Another world, whose messages are counted from the beginning.
    void beginRun() {
        recorder.beginRun();
        sequence = tick = 0;
    }
    // About `count` messages, then seals.
    void runTick(int count) {
        ++tick;
        for (int i = 0; i < count;) {
            const int crate = static_cast<int>(roll(24));
            const int phantom = 32 + static_cast<int>(roll(8));
            switch (roll(6)) {
            case 0: {
                const auto contact =
                    send(Contact{Vec3(static_cast<float>(roll(1000)) / 97.0F, 0.5F, -3.25F),
                                 static_cast<float>(roll(900)) / 31.0F},
                         phantom, crate, 0,
                         {{Touch, -10, HandlerResult::Passed}, {Body, 0, HandlerResult::Passed}});
                const bool shielded = roll(2) == 0;
                const auto damage =
                    send(Damage{5.0F, Kind::Fire, entity(static_cast<std::uint32_t>(phantom))}, phantom,
                         crate, contact,
                         {{Shield, -5, shielded ? HandlerResult::Consumed : HandlerResult::Passed},
                          {Health, 0, shielded ? HandlerResult::NotReached : HandlerResult::Passed},
                          {Log, 100, shielded ? HandlerResult::NotReached : HandlerResult::Passed}});
                if (!shielded && roll(4) == 0)
                    send(Died{}, crate, crate, damage, {});
                i += 2;
                break;
            }
            case 1:
                send(Say{"the door swings", roll(2) == 0, static_cast<std::int32_t>(roll(9))}, -1, crate, 0,
                     {{Log, 100, HandlerResult::Passed}}, Delivery::Broadcast);
                ++i;
                break;
            case 2:
                send(Damage{static_cast<float>(roll(40)) / 3.0F, Kind::Blunt, {}}, crate,
                     static_cast<int>(24 + roll(8)), 0, {}, Delivery::Immediate, true);
                ++i;
                break;
            default:
                send(Contact{Vec3(1.0F, static_cast<float>(roll(77)) / 7.0F, 2.0F),
                             static_cast<float>(roll(300)) / 13.0F},
                     crate, static_cast<int>(roll(24)), 0, {{Body, 0, HandlerResult::Passed}});
                ++i;
            }
        }
        recorder.seal();
    }

    std::uint32_t roll(std::uint32_t n) {
        m_seed = m_seed * 6364136223846793005ULL + 1442695040888963407ULL;
        return static_cast<std::uint32_t>((m_seed >> 33U) % n);
    }

    Recorder recorder;
    NameId site = 0; // of what is sent next
    bool injected = false;
    std::uint64_t sequence = 0;
    std::uint64_t tick = 0;
    std::uint8_t world = 0;
    double ticksPerSecond = 60.0;
    std::vector<std::pair<MessageTypeId, bool>> maskRequests;

    ui::RecorderTraceSource source{
        recorder, recorder.addReader(std::size_t(2) << 30U),
        [this](MessageTypeId type, bool on) { maskRequests.emplace_back(type, on); }, [this] { return ticksPerSecond; }};

private:
    std::vector<NameId> m_names;
    int m_components = 0;
    std::uint64_t m_seed = 11;
};

} // namespace sbx::trace_test
