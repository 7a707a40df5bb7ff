#pragma once
// Rules of play: Health, Shield, Touch, Kick, Points, Counter, Lifetime.

#include "engine/components/messages.h"
#include "engine/entity/component_type.h"

#include <unordered_map>
#include <vector>

namespace sbx {

// Loses health by Damage, as far as shields let it through.
class Health : public Component {
public:
    enum class Death { Destroy, Respawn, Stay };
    struct Settings {
        float maximum = 100.0F;
        Death death = Death::Destroy;
        static void describe(FieldList<Settings>& f);
    };
    struct State {
        float current = 0.0F;
        static void describe(FieldList<State>& f);
    };
    Settings settings;
    State state;
    Health(const ComponentContext& context, const Settings& s);
    static void describe(ComponentBuilder<Health>& b);
    void settingsChanged(const Settings& before);

private:
    bool onDamage(Damage& m);
    bool onHeal(Heal& m);
};

// Takes Damage before Health sees it, as long as it lasts.
class Shield : public Component {
public:
    struct Settings {
        float capacity = 20.0F;
        float recharge = 0.0F;
        static void describe(FieldList<Settings>& f);
    };
    struct State {
        float left = 0.0F;
        static void describe(FieldList<State>& f);
    };
    Settings settings;
    State state;
    Shield(const ComponentContext& context, const Settings& s);
    static void describe(ComponentBuilder<Shield>& b);
    void settingsChanged(const Settings& before);

private:
    bool onDamage(Damage& m);
    bool onUpdate(Update& m);
};

// Deals damage to whatever touches the body or stands in the trigger, at once and again while it lasts.
class Touch : public Component {
public:
    struct Settings {
        float damage = 5.0F;
        float interval = 0.5F;
        static void describe(FieldList<Settings>& f);
    };
    Settings settings;
    Touch(const ComponentContext& context, const Settings& s) : Component(context), settings(s) {}
    static void describe(ComponentBuilder<Touch>& b);

private:
    struct Victim {
        EntityId entity;
        std::uint64_t next = 0; // tick of the next damage
    };
    void begin(EntityId other);
    void end(EntityId other);
    void hit(Victim& victim);
    bool onContactBegan(ContactBegan& m);
    bool onContactEnded(ContactEnded& m);
    bool onEntered(Entered& m);
    bool onLeft(Left& m);
    bool onUpdate(Update& m);
    // In order of arrival; null: it has left, and the next update removes the entry.
    std::vector<Victim> m_victims;
    std::unordered_map<EntityId, std::size_t> m_victimAt; // of those that have not left
};

// Throws back what touches it: a bumper, a jump pad.
class Kick : public Component {
public:
    struct Settings {
        float impulse = 5.0F;
        Vec3 direction{0.0F};
        static void describe(FieldList<Settings>& f);
    };
    Settings settings;
    Kick(const ComponentContext& context, const Settings& s) : Component(context), settings(s) {}
    static void describe(ComponentBuilder<Kick>& b);

private:
    void kick(EntityId other, const Vec3& away);
    bool onContactBegan(ContactBegan& m);
    bool onEntered(Entered& m);
};

// Gives points to a counter when touched, entered or destroyed.
class Points : public Component {
public:
    enum class When { Touched, Entered, Died };
    struct Settings {
        int points = 1;
        When when = When::Touched;
        std::string counter;
        static void describe(FieldList<Settings>& f);
    };
    Settings settings;
    Points(const ComponentContext& context, const Settings& s) : Component(context), settings(s) {}
    static void describe(ComponentBuilder<Points>& b);

private:
    void give();
    bool onContactBegan(ContactBegan& m);
    bool onEntered(Entered& m);
    bool onDied(Died& m);
};

// Adds up Score messages and sends a message when a limit is reached.
class Counter : public Component {
public:
    struct Settings {
        int limit = 0;
        std::string target;
        std::string message = "Activate";
        static void describe(FieldList<Settings>& f);
    };
    struct State {
        int total = 0;
        static void describe(FieldList<State>& f);
    };
    Settings settings;
    State state;
    Counter(const ComponentContext& context, const Settings& s) : Component(context), settings(s) {}
    static void describe(ComponentBuilder<Counter>& b);

private:
    bool onScore(Score& m);
};

// Destroys the entity after a while.
class Lifetime : public Component {
public:
    struct Settings {
        float seconds = 10.0F;
        static void describe(FieldList<Settings>& f);
    };
    Settings settings;
    Lifetime(const ComponentContext& context, const Settings& s) : Component(context), settings(s) {}
    static void describe(ComponentBuilder<Lifetime>& b);

private:
    bool onStart(Start& m);
    bool onExpire(Expire& m);
};

// Sends a message without fields to an entity by name; an empty name means `self`. Logs an error if either is unknown.
void sendByName(World& world, EntityId self, const std::string& target, const std::string& message,
                SendSite site = SendSite::here());

} // namespace sbx
