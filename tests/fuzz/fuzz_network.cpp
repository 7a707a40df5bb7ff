// Whatever an authenticated peer says to the system that joins worlds, to a client as to a server: nothing in the world leaves
// its bounds but with its parent, no field its range, nobody is made that was not told, what breaks the form ends the connection and nothing else
// does. Handshake and transport are the shipping ones. Input: who listens (odd: a server), then messages: type, way, length,
// body.
#include "engine/components/messages.h"
#include "engine/components/network_system.h"
#include "engine/core/log.h"
#include "engine/net/simulated_link.h"
#include "tests/fuzz/fuzz.h"

#include <cmath>

using namespace sbx;

namespace {

const net::Address Own = net::Address::v4(10, 0, 0, 1, 4000);
const net::Address Liar = net::Address::v4(10, 0, 0, 2, 5000);

void mustBeInRange(const FieldTable& fields, const void* object) {
    for (const FieldInfo& field : fields)
        SBX_FUZZ_MUST(field.check(field.read(object)).ok());
}

enum class Mood { Calm, Wild };

// A field of each kind there is.
struct Everything {
    static constexpr const char* Name = "fuzz.Everything";
    bool truth = false;
    int whole = 0;
    float number = 0.0F;
    Vec3 place{0.0F};
    Quat turn{1.0F, 0.0F, 0.0F, 0.0F};
    Mood mood = Mood::Calm;
    EntityId other;
    FixedText<24> text;
    template <typename Owner> static void fields(FieldList<Owner>& f) {
        f.add("truth", &Owner::truth, "A truth.");
        f.add("whole", &Owner::whole, "A count.").range(-5, 1000);
        f.add("number", &Owner::number, "A number.").range(-1e9, 1e9);
        f.add("place", &Owner::place, "A place.").range(-1e5, 1e5);
        f.add("turn", &Owner::turn, "A turn.");
        f.add("mood", &Owner::mood, "A choice.").choices({"calm", "wild"});
        f.add("other", &Owner::other, "An entity.");
        f.add("text", &Owner::text, "A text.");
    }
    static void describe(FieldList<Everything>& f) { fields(f); }
};

struct Hull : Component {
    struct Settings {
        static void describe(FieldList<Settings>&) {}
    };
    struct State : Everything {
        static void describe(FieldList<State>& f) { fields(f); }
    };
    Settings settings;
    State state;
    Hull(const ComponentContext& context, const Settings& s) : Component(context), settings(s) {}
    static void describe(ComponentBuilder<Hull>& b) {
        b.handle<&Hull::on<Everything>>().handle<&Hull::on<Chat>>().handle<&Hull::on<PlayerInfo>>();
        b.handle<&Hull::on<GameStart>>().handle<&Hull::on<Input>>();
    }
    template <typename M> bool on(M& message) {
        mustBeInRange(fieldsOf<M>(), &message);
        return false;
    }
};

struct Bare : Component {
    struct Settings {
        static void describe(FieldList<Settings>&) {}
    };
    Settings settings;
    Bare(const ComponentContext& context, const Settings& s) : Component(context), settings(s) {}
    static void describe(ComponentBuilder<Bare>&) {}
};

class Victim {
public:
    explicit Victim(bool server) : world({.side = server ? Side::Server : Side::Client}, m_recorder, m_log) {
        m_registry.registerComponent<Hull>("Hull");
        m_registry.registerComponent<Bare>("Bare");
        for (const char* const name : {"Player", "Hulk", "Post"}) {
            const ComponentType* const part = m_registry.find(std::string_view(name) == "Post" ? "Bare" : "Hull");
            EntityTypeInfo info;
            info.name = name;
            const std::vector<ComponentSpec> parts{{part, part->makeSettings(nullptr)}};
            m_types.push_back(std::make_shared<const EntityType>(std::move(info), parts));
        }
        world.setTypes(m_types);
        if (server)
            world.spawn({.type = m_types[0], .name = "host"});
        net::HostSettings settings;
        net::HostSettings listening;
        listening.listens = true;
        const auto entropy = [](std::uint64_t seed) {
            return [random = Random(seed)](std::span<std::uint8_t> out) mutable {
                for (std::uint8_t& byte : out)
                    byte = static_cast<std::uint8_t>(random.next() >> 11U);
            };
        };
        m_own = std::make_unique<net::Host>(server ? listening : settings, m_links.open(Own), entropy(1), 0);
        m_liar = std::make_unique<net::Host>(server ? settings : listening, m_links.open(Liar), entropy(2), 0);
        std::vector<const ComponentType*> components;
        for (const ComponentType& type : m_registry.types())
            components.push_back(&type);
        NetworkSystem::Setup setup;
        setup.role = server ? NetworkSystem::Role::Server : NetworkSystem::Role::Client;
        setup.host = m_own.get();
        setup.pump = [this] { m_own->update(m_links.now()); };
        setup.make = [this](const std::string& type, const std::string&) {
            SpawnRequest request;
            request.type = world.findType(type);
            return request;
        };
        setup.table = std::make_shared<const NetworkTable>(components);
        network.attach(std::move(setup));
        if (server)
            m_liar->connect(Own);
        else
            m_own->connect(Liar);
        for (int i = 0; i < 50 && network.peerCount() == 0; ++i)
            tick();
        tick();
        SBX_FUZZ_MUST(network.peerCount() == 1 && peer() != nullptr);
    }
    ~Victim() {
        network.detach();
        world.clear();
    }
    net::Connection* peer() {
        net::Connection* found = nullptr;
        m_liar->forEach([&](net::Connection& one) { found = one.state() == net::Connection::State::Connected ? &one : found; });
        return found;
    }
    void tick() {
        for (int i = 0; i < 4; ++i) {
            m_links.advance(m_links.now() + 4 * net::Millisecond);
            m_liar->update(m_links.now());
            m_own->update(m_links.now());
        }
        net::ReceivedMessage delivery;
        if (net::Connection* const liar = peer())
            while (liar->next(delivery)) {
            }
        delivery = {};
        network.receive();
        world.tick();
        network.publish();
    }

private:
    Log m_log;
    Recorder m_recorder;
    ComponentRegistry m_registry;
    std::vector<std::shared_ptr<const EntityType>> m_types;
    net::SimulatedNetwork m_links{1};
    std::unique_ptr<net::Host> m_own;
    std::unique_ptr<net::Host> m_liar;

public:
    World world;
    NetworkSystem network{world};
};

void mustBeSound(const World& world) {
    world.forEach([&](const Entity& entity) {
        const Pose& pose = entity.pose();
        SBX_FUZZ_MUST(isFinite(pose.position) && isFinite(pose.rotation) && isFinite(pose.scale));
        SBX_FUZZ_MUST(entity.parent()
                      || wire::isValidPlace(pose.position, pose.rotation)); // children are carried along
        SBX_FUZZ_MUST(pose.scale.x > 0.0F && pose.scale.y > 0.0F && pose.scale.z > 0.0F);
        entity.eachComponent([&](const Entity::ComponentRef& ref) {
            if (ref.type->stateOf != nullptr)
                mustBeInRange(*ref.type->state, ref.type->stateOf(ref.component));
        });
    });
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0)
        return 0;
    const bool server = data[0] % 2U == 1;
    Victim victim(server);
    const std::size_t before = victim.world.entityCount();
    std::size_t spawns = 0;
    for (std::size_t at = 1; at + 3 <= size && victim.peer() != nullptr;) {
        const std::uint8_t type = data[at];
        const std::uint8_t way = data[at + 1];
        const std::size_t length = std::min<std::size_t>(data[at + 2], size - at - 3);
        const net::ByteView body(data + at + 3, length);
        at += 3 + length;
        spawns += type == static_cast<std::uint8_t>(wire::Type::Spawn) ? 1U : 0U;
        if (way % 2U == 0)
            static_cast<void>(victim.peer()->send(type, body));
        else
            static_cast<void>(victim.peer()->sendUnreliable(type, body));
        if (way % 4U >= 2)
            continue; // with the next, in one packet
        victim.tick();
        mustBeSound(victim.world);
    }
    victim.tick();
    victim.tick();
    mustBeSound(victim.world);
    SBX_FUZZ_MUST(victim.world.entityCount() <= before + (server ? 0 : spawns));
    if (victim.network.counters().malformed == 0)
        SBX_FUZZ_MUST(victim.network.peerCount() == 1 && victim.peer() != nullptr);
    return 0;
}
