#pragma once
// Messages between the players of a network session; ordinary messages to the entity of a player.

#include "engine/message/message_type.h"

#include "engine/core/fixed_text.h"
#include "engine/core/math.h"

namespace sbx {

struct Chat {
    static constexpr const char* Name = "Chat";
    static constexpr const char* Doc = "A player says something; everybody hears it.";
    FixedText<160> text;
    static void describe(FieldList<Chat>& f) { f.add("text", &Chat::text, "What is said."); }
};
struct PlayerInfo {
    static constexpr const char* Name = "PlayerInfo";
    static constexpr const char* Doc = "Who plays this entity; a player tells the server, the server everybody.";
    FixedText<48> name;
    static void describe(FieldList<PlayerInfo>& f) { f.add("name", &PlayerInfo::name, "The player's name."); }
};
struct GameStart {
    static constexpr const char* Name = "GameStart";
    static constexpr bool Notice = true;
    static constexpr const char* Doc = "The game begins: executed only after the PlayerInfo of every player.";
    int players = 0;
    static void describe(FieldList<GameStart>& f) {
        f.add("players", &GameStart::players, "How many there are.").range(0, 1000);
    }
};
struct SetOwner {
    static constexpr const char* Name = "SetOwner";
    static constexpr const char* Doc = "On the server: the client of that player moves the entity from now on.";
    EntityId owner;
    static void describe(FieldList<SetOwner>& f) {
        f.add("owner", &SetOwner::owner, "Entity of the player; none: the server moves it.");
    }
};
struct GetOwner {
    static constexpr const char* Name = "GetOwner";
    static constexpr const char* Doc = "Asks whose client moves the entity; NetworkTransform answers.";
    static constexpr bool Query = true;
    EntityId owner;
    bool mayChange = false;
    static void describe(FieldList<GetOwner>& f) {
        f.add("owner", &GetOwner::owner, "Entity of that player; none: the server moves it.");
        f.add("mayChange", &GetOwner::mayChange, "Its authority is owner.");
    }
};
struct SetDriven {
    static constexpr const char* Name = "SetDriven";
    static constexpr const char* Doc = "Whether the body follows where it is moved to, whatever its motion is, instead of simulating.";
    static constexpr bool Recorded = false;
    bool driven = false;
    static void describe(FieldList<SetDriven>& f) {
        f.add("driven", &SetDriven::driven, "It follows: another end of the network session moves the entity.");
    }
};
// An owner sends it for each thing that it moves; `perSecond` allows for a hundred of them.
struct TransformUpdate {
    static constexpr const char* Name = "TransformUpdate";
    static constexpr const char* Doc = "Where an entity is in its parent's frame, from the client that owns it to the server.";
    static constexpr bool Recorded = false;
    static constexpr ClientRights FromClient{.perSecond = 2000.0, .ownPlayerOnly = false, .ownedOnly = true};
    std::uint32_t tick = 0;
    int placed = 0;
    bool resting = false;
    Vec3 position{0.0F};
    Quat rotation{1.0F, 0.0F, 0.0F, 0.0F};
    Vec3 scale{1.0F};
    static void describe(FieldList<TransformUpdate>& f) {
        f.add("tick", &TransformUpdate::tick, "Of the owner's world.").range(0, 4294967295.0);
        f.add("placed", &TransformUpdate::placed, "How often the server had placed the entity anew, as far as the owner knew.").range(0, 65535);
        f.add("resting", &TransformUpdate::resting, "It does not move any more.");
        f.add("position", &TransformUpdate::position, "In the parent's frame.").unit("m").range(-100000, 100000);
        f.add("rotation", &TransformUpdate::rotation, "In the parent's frame.");
        f.add("scale", &TransformUpdate::scale, "In the parent's frame.").range(0.001, 10000);
    }
};

} // namespace sbx
