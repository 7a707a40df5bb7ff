#pragma once
// What the tests of sending share: all that is recorded and noted, and who hears it.

#include "tests/entity/stage.h"

#include <memory>
#include <string>
#include <vector>

namespace sbx::test {

// Has everything recorded.
struct Loud {
    std::shared_ptr<RecordReader> reader;
    explicit Loud(Stage& s) {
        s.recorder.setEnabled(true);
        reader = s.recorder.addReader();
    }
    std::vector<std::shared_ptr<const RecordSegment>> take(Stage& s) {
        s.recorder.seal();
        std::vector<std::shared_ptr<const RecordSegment>> out;
        reader->poll(out);
        return out;
    }
};

inline int countNotes(Stage& s, Loud& loud, RecordNote note) {
    int found = 0;
    for (const auto& segment : loud.take(s))
        for (std::size_t i = 0; i < segment->size(); ++i)
            found += (*segment)[i].note() == note ? 1 : 0;
    return found;
}

// Two of a kind in one entity, told apart by their settings.
struct Bell : Component {
    struct Settings {
        int tone = 0;
        static void describe(FieldList<Settings>& f) { f.add("tone", &Settings::tone, "Which."); }
    };
    Settings settings;
    Bell(const ComponentContext& c, const Settings& s) : Component(c), settings(s) {}
    static void describe(ComponentBuilder<Bell>& b) { b.repeatable().handle<&Bell::onHit>(); }
    bool onHit(Hit& m, const Envelope& e) {
        world().service<Notes>().lines.push_back(
            "bell" + std::to_string(settings.tone) + " " + std::to_string(m.amount) + " "
            + deliveryName(e.delivery) + " " + std::to_string(e.part) + " " + world().nameOf(e.receiver));
        return false;
    }
};

// A plain send takes these where their Mode says.
template <Delivery Where> struct Routed {
    static constexpr char Name[] = {
        't', 'e', 's', 't', '.', 'R', 'o', 'u', 't', 'e', 'd', '0' + static_cast<char>(Where), '\0'};
    static constexpr Delivery Mode = Where;
    int amount = 0;
    static void describe(FieldList<Routed>& f) { f.add("amount", &Routed::amount, "How much."); }
};
using ToAll = Routed<Delivery::Broadcast>;
using ToListeners = Routed<Delivery::Listener>;
static_assert(isMode(Delivery::Immediate) && isMode(Delivery::Children) && isMode(Delivery::Ancestors)
              && isMode(Delivery::Broadcast) && isMode(Delivery::Listener));
static_assert(!isMode(Delivery::Component) && !isMode(Delivery::Network) && !isMode(Delivery::Queued));

struct Counter : Component {
    struct Settings {
        static void describe(FieldList<Settings>&) {}
    };
    Settings settings;
    int heard = 0;
    int phases = 0;
    Counter(const ComponentContext& c, const Settings& s) : Component(c), settings(s) {}
    static void describe(ComponentBuilder<Counter>& b) {
        b.handle<&Counter::onAll>().handle<&Counter::onListeners>();
        b.handle<&Counter::on<PreUpdate>>().handle<&Counter::on<FixedUpdate>>();
        b.handle<&Counter::on<Update>>().handle<&Counter::on<PostUpdate>>();
    }
    bool onAll(const ToAll& m) { return heard += m.amount, false; }
    bool onListeners(const ToListeners& m) { return heard += 1000 * m.amount, false; }
    template <typename M> bool on(const M&) { return ++phases, false; }
};

struct Outside {
    std::vector<int> heard;
    void onHit(const Hit& m) { heard.push_back(m.amount); }
    void onRouted(const ToListeners& m) { heard.push_back(m.amount); }
};

// What stands in the notes of a kind: route, amount, how many, how many were demanded.
inline Lines notesOf(Stage& s, Loud& loud, RecordNote note) {
    Lines out;
    for (const auto& segment : loud.take(s))
        for (std::size_t i = 0; i < segment->size(); ++i)
            if (const RecordView record = (*segment)[i]; record.note() == note)
                out.push_back(std::string(deliveryName(record.delivery())) + " Hit"
                              + std::to_string(static_cast<const Hit*>(record.payload())->amount));
    return out;
}

} // namespace sbx::test
