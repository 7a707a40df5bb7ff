#include "engine/components/rules.h"

#include "engine/core/log.h"
#include "engine/entity/world.h"

#include <algorithm>
#include <cmath>

namespace sbx {

void sendByName(World& world, EntityId self, const std::string& target, const std::string& message,
                SendSite site) {
    EntityId receiver = self;
    if (!target.empty()) {
        const Entity entity = world.find(target);
        if (!entity) {
            world.log().warning("rules", world.nameOf(self) + ": no entity is called " + inQuotes(target));
            return;
        }
        receiver = entity.id();
    }
    const MessageType* type = findMessageType(message);
    if (type == nullptr) {
        world.log().warning("rules", world.nameOf(self) + ": no message type is called " + inQuotes(message));
        return;
    }
    alignas(16) std::byte payload[MaxMessageSize];
    type->construct(payload);
    world.sendRaw(receiver, type->id, payload, type->size, self, Delivery::Immediate, 0, site);
}

namespace {
// What is full stays full, and nothing holds more than it can.
void followMost(float& amount, float mostBefore, float most) {
    amount = amount == mostBefore ? most : std::min(amount, most);
}
} // namespace

// ------------------------------------------------------------------------------------------------ Health

void Health::Settings::describe(FieldList<Settings>& f) {
    f.add("maximum", &Settings::maximum, "Health at the start and at most.").range(0.001, 1e9);
    f.add("death", &Settings::death, "What happens at zero.").choices({"destroy", "respawn", "stay"});
}

void Health::State::describe(FieldList<State>& f) {
    f.add("current", &State::current, "Health left.").range(-1e9, 1e9);
}

void Health::describe(ComponentBuilder<Health>& b) {
    b.doc("Can be damaged and die.").category("Rules").aliases({"hp", "hit points", "life", "damageable"});
    b.handle<&Health::onDamage>(20, Side::Server).handle<&Health::onHeal>(0, Side::Server);
    b.sends<Died>().sends<Respawn>();
}

Health::Health(const ComponentContext& context, const Settings& s) : Component(context), settings(s) {
    state.current = s.maximum;
}

void Health::settingsChanged(const Settings& before) { followMost(state.current, before.maximum, settings.maximum); }

bool Health::onDamage(Damage& m) {
    if (state.current <= 0.0F)
        return true;
    state.current = std::max(0.0F, state.current - m.amount);
    if (state.current > 0.0F)
        return true;
    world().send(entity(), Died{}, entity());
    if (settings.death == Death::Destroy) {
        world().destroy(entity());
    } else if (settings.death == Death::Respawn) {
        state.current = settings.maximum;
        world().send(entity(), Respawn{}, entity());
    }
    return true;
}

bool Health::onHeal(Heal& m) {
    state.current = std::min(settings.maximum, state.current + m.amount);
    return true;
}

// ------------------------------------------------------------------------------------------------ Shield

void Shield::Settings::describe(FieldList<Settings>& f) {
    f.add("capacity", &Settings::capacity, "Damage it takes before it is gone.").range(0, 1e9);
    f.add("recharge", &Settings::recharge, "What comes back in a second.").unit("1/s").range(0, 1e6);
}

void Shield::State::describe(FieldList<State>& f) {
    f.add("left", &State::left, "Damage it can still take.").range(0, 1e9);
}

void Shield::describe(ComponentBuilder<Shield>& b) {
    b.doc("Consumes damage before health sees it, while it lasts.").category("Rules").aliases({"armour", "armor", "protection"});
    b.handle<&Shield::onDamage>(10, Side::Server).handle<&Shield::onUpdate>(0, Side::Server);
}

Shield::Shield(const ComponentContext& context, const Settings& s) : Component(context), settings(s) {
    state.left = s.capacity;
}

void Shield::settingsChanged(const Settings& before) { followMost(state.left, before.capacity, settings.capacity); }

bool Shield::onDamage(Damage& m) {
    const float taken = std::min(state.left, m.amount);
    state.left -= taken;
    m.amount -= taken;
    return m.amount <= 0.0F;
}

bool Shield::onUpdate(Update& m) {
    if (settings.recharge > 0.0F)
        state.left = std::min(settings.capacity, state.left + settings.recharge * m.dt);
    return false;
}

// ------------------------------------------------------------------------------------------------ Touch

void Touch::Settings::describe(FieldList<Settings>& f) {
    f.add("damage", &Settings::damage, "Dealt at once and at every interval.").range(0, 1e9);
    f.add("interval", &Settings::interval, "Between damages while the touch lasts.")
        .unit("s")
        .range(0.01, 3600);
}

void Touch::describe(ComponentBuilder<Touch>& b) {
    b.doc("Hurts what touches it.").category("Rules").aliases({"damage", "hazard", "hurt"});
    b.handle<&Touch::onContactBegan>(0, Side::Server).handle<&Touch::onContactEnded>(0, Side::Server);
    b.handle<&Touch::onEntered>(0, Side::Server).handle<&Touch::onLeft>(0, Side::Server);
    b.handle<&Touch::onUpdate>(0, Side::Server);
    b.sends<Damage>();
}

void Touch::begin(EntityId other) {
    end(other);
    m_victimAt[other] = m_victims.size();
    hit(m_victims.emplace_back(Victim{other, 0}));
}

void Touch::end(EntityId other) {
    const auto found = m_victimAt.find(other);
    if (found == m_victimAt.end())
        return;
    m_victims[found->second].entity = {};
    m_victimAt.erase(found);
}

void Touch::hit(Victim& victim) {
    // The message may end the touch: the victim's entry is finished first.
    victim.next =
        world().tickCount()
        + static_cast<std::uint64_t>(std::max(
            1.0, std::ceil(static_cast<double>(settings.interval) * world().desc().tickRate - 1e-6)));
    world().send(victim.entity, Damage{settings.damage}, entity());
}

bool Touch::onContactBegan(ContactBegan& m) {
    begin(m.other);
    return false;
}

bool Touch::onContactEnded(ContactEnded& m) {
    end(m.other);
    return false;
}

bool Touch::onEntered(Entered& m) {
    begin(m.other);
    return false;
}

bool Touch::onLeft(Left& m) {
    end(m.other);
    return false;
}

bool Touch::onUpdate(Update&) {
    if (std::erase_if(m_victims, [&](const Victim& v) { return !world().alive(v.entity); }) > 0) {
        m_victimAt.clear();
        for (std::size_t i = 0; i < m_victims.size(); ++i)
            m_victimAt[m_victims[i].entity] = i;
    }
    for (std::size_t i = 0; i < m_victims.size(); ++i)
        if (m_victims[i].entity && m_victims[i].next <= world().tickCount())
            hit(m_victims[i]);
    return false;
}

// ------------------------------------------------------------------------------------------------ Kick

void Kick::Settings::describe(FieldList<Settings>& f) {
    f.add("impulse", &Settings::impulse, "How hard.").unit("N*s").range(0, 1e6);
    f.add("direction", &Settings::direction, "In the entity's frame; zero: straight away from it.")
        .range(-1, 1);
}

void Kick::describe(ComponentBuilder<Kick>& b) {
    b.doc("Throws back what touches it: a bumper, a jump pad.").category("Rules").aliases({"bumper", "jump pad", "trampoline"});
    b.handle<&Kick::onContactBegan>(0, Side::Server).handle<&Kick::onEntered>(0, Side::Server);
    b.sends<Push>();
}

void Kick::kick(EntityId other, const Vec3& away) {
    Vec3 direction = away;
    if (settings.direction != Vec3(0.0F))
        direction = world().poseOf(entity()).rotation * settings.direction;
    const float length = glm::length(direction);
    if (length < 1e-6F)
        return;
    world().send(other, Push{direction / length * settings.impulse, Vec3(0.0F)}, entity());
}

bool Kick::onContactBegan(ContactBegan& m) {
    // The normal points out of the other body; away from us is against it.
    kick(m.other, -m.normal);
    return false;
}

bool Kick::onEntered(Entered& m) {
    kick(m.other, world().poseOf(m.other).position - world().poseOf(entity()).position);
    return false;
}

// ------------------------------------------------------------------------------------------------ Points

void Points::Settings::describe(FieldList<Settings>& f) {
    f.add("points", &Settings::points, "How many; may be negative.").range(-1e9, 1e9);
    f.add("when", &Settings::when, "What earns them.").choices({"touched", "entered", "died"});
    f.add("counter", &Settings::counter, "Entity with a Counter.").role(TextRole::EntityName);
}

void Points::describe(ComponentBuilder<Points>& b) {
    b.doc("Gives points to a counter.").category("Rules").aliases({"points"}).repeatable();
    b.handle<&Points::onContactBegan>(0, Side::Server)
        .handle<&Points::onEntered>(0, Side::Server)
        .handle<&Points::onDied>(0, Side::Server);
    b.sends<Score>();
}

void Points::give() {
    if (const Entity counter = world().find(settings.counter))
        world().send(counter.id(), Score{settings.points}, entity());
    else
        world().log().warning("rules",
                              world().nameOf(entity()) + ": no entity is called " + inQuotes(settings.counter));
}

bool Points::onContactBegan(ContactBegan&) {
    if (settings.when == When::Touched)
        give();
    return false;
}

bool Points::onEntered(Entered&) {
    if (settings.when == When::Entered)
        give();
    return false;
}

bool Points::onDied(Died&) {
    if (settings.when == When::Died)
        give();
    return false;
}

// ------------------------------------------------------------------------------------------------ Counter

void Counter::Settings::describe(FieldList<Settings>& f) {
    f.add("limit", &Settings::limit, "When the total reaches it, the message is sent; 0: never.")
        .range(0, 1e9);
    f.add("target", &Settings::target, "Entity that receives the message; empty: this entity.").role(TextRole::EntityName);
    f.add("message", &Settings::message, "What is sent.").role(TextRole::MessageType);
}

void Counter::State::describe(FieldList<State>& f) { f.add("total", &State::total, "Points so far."); }

void Counter::describe(ComponentBuilder<Counter>& b) {
    b.doc("Adds up points and sends a message when there are enough.").category("Rules").aliases({"score", "goal"});
    b.handle<&Counter::onScore>(0, Side::Server);
}

bool Counter::onScore(Score& m) {
    const int before = state.total;
    const std::int64_t sum = std::int64_t(before) + m.points;
    state.total = static_cast<int>(std::clamp<std::int64_t>(sum, -2'000'000'000, 2'000'000'000));
    if (settings.limit > 0 && before < settings.limit && state.total >= settings.limit)
        sendByName(world(), entity(), settings.target, settings.message);
    return true;
}

// ------------------------------------------------------------------------------------------------ Lifetime

void Lifetime::Settings::describe(FieldList<Settings>& f) {
    f.add("seconds", &Settings::seconds, "How long it lives.").unit("s").range(0.01, 1e6);
}

void Lifetime::describe(ComponentBuilder<Lifetime>& b) {
    b.doc("Removes the entity after a while.").category("Rules").aliases({"lifetime", "timer", "self destruct", "time to live"});
    b.handle<&Lifetime::onStart>(0, Side::Server).handle<&Lifetime::onExpire>(0, Side::Server);
    b.sends<Expire>();
}

bool Lifetime::onStart(Start&) {
    world().sendLater(entity(), Expire{}, static_cast<double>(settings.seconds), entity());
    return false;
}

bool Lifetime::onExpire(Expire&) {
    world().destroy(entity());
    return true;
}

} // namespace sbx
