// The component of bench_load: it sends as many messages a tick as its settings say, to the receivers of its scene in turn.

#include "engine/entity/lifecycle_messages.h"
#include "engine/plugin/plugin.h"

#include <cstdint>
#include <string>
#include <vector>

namespace load {

enum class Kind : std::uint8_t { Blunt, Fire, Ice };

struct Blip {
    static constexpr const char* Name = "Blip";
    static constexpr const char* Doc = "One of many.";
    float amount = 0.0F;
    std::int32_t number = 0;
    static void describe(sbx::FieldList<Blip>& f) {
        f.add("amount", &Blip::amount, "How much.").unit("hp");
        f.add("number", &Blip::number, "Which one of its tick.");
    }
};
// One in eight.
struct Blow {
    static constexpr const char* Name = "Blow";
    static constexpr const char* Doc = "One of fewer.";
    sbx::Vec3 point{0.0F};
    Kind kind = Kind::Blunt;
    static void describe(sbx::FieldList<Blow>& f) {
        f.add("point", &Blow::point, "Where.").unit("m");
        f.add("kind", &Blow::kind, "What it is done with.").choices({"blunt", "fire", "ice"});
    }
};

class BlipReceiver : public sbx::Component {
public:
    struct Settings {
        static void describe(sbx::FieldList<Settings>&) {}
    };
    struct State {
        float sum = 0.0F;
        static void describe(sbx::FieldList<State>& f) { f.add("sum", &State::sum, "Of all amounts."); }
    };
    Settings settings;
    State state;
    BlipReceiver(const sbx::ComponentContext& context, const Settings& s) : Component(context), settings(s) {}
    static void describe(sbx::ComponentBuilder<BlipReceiver>& b) {
        b.handle<&BlipReceiver::onBlip>().handle<&BlipReceiver::onBlow>();
    }

private:
    bool onBlip(Blip& m) {
        state.sum += m.amount;
        return false;
    }
    bool onBlow(Blow& m) {
        state.sum += m.point.x;
        return m.kind == Kind::Ice;
    }
};

class BlipSender : public sbx::Component {
public:
    struct Settings {
        int perTick = 0;
        int receivers = 0;
        static void describe(sbx::FieldList<Settings>& f) {
            f.add("perTick", &Settings::perTick, "Messages a tick.").range(0, 1'000'000);
            f.add("receivers", &Settings::receivers, "Entities named sink_1, sink_2 and so on.")
                .range(0, 10'000);
        }
    };
    Settings settings;
    BlipSender(const sbx::ComponentContext& context, const Settings& s) : Component(context), settings(s) {}
    static void describe(sbx::ComponentBuilder<BlipSender>& b) {
        b.handle<&BlipSender::onUpdate>().sends<Blip>().sends<Blow>();
    }

private:
    bool onUpdate(sbx::Update&) {
        if (m_receivers.empty())
            for (int i = 1; i <= settings.receivers; ++i)
                m_receivers.push_back(world().find("sink_" + std::to_string(i)).id());
        for (int i = 0; i < settings.perTick && !m_receivers.empty(); ++i) {
            const sbx::EntityId receiver = m_receivers[static_cast<std::size_t>(i) % m_receivers.size()];
            m_random = m_random * 6364136223846793005ULL + 1442695040888963407ULL;
            const auto number = static_cast<std::uint32_t>(m_random >> 40U);
            const float amount = static_cast<float>(number % 2000) / 100.0F;
            if (number % 8 == 0)
                world().send(receiver,
                             Blow{sbx::Vec3(amount, 0.5F, -amount), static_cast<Kind>(number / 8 % 3)},
                             entity());
            else
                world().send(receiver, Blip{amount, i}, entity());
        }
        return false;
    }

    std::vector<sbx::EntityId> m_receivers;
    std::uint64_t m_random = 1;
};

} // namespace load

SIGNALBOX_PLUGIN(load::BlipReceiver, load::BlipSender)
