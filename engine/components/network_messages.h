#pragma once
// Messages between the players of a network session; ordinary messages to the entity of a player.

#include "engine/message/message_type.h"

#include "engine/core/fixed_text.h"

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
    static constexpr const char* Doc = "The game begins: executed only after the PlayerInfo of every player.";
    int players = 0;
    static void describe(FieldList<GameStart>& f) {
        f.add("players", &GameStart::players, "How many there are.").range(0, 1000);
    }
};

} // namespace sbx
