#pragma once
// A message on its way from one entity to another, for panels that know no trace. Plain data; any thread.

#include <cstdint>
#include <string>

namespace sbx::ui {

// What became of it, as far as a colour says it.
enum class MessageFate : std::uint8_t {
    Passed,   // every handler passed it on, or it was seen by observers alone
    Consumed, // a handler ended its way
    Unheeded, // a notice without a handler
    Unhandled // nobody acted on it, or it did not get to where it was sent
};
inline constexpr int MessageFates = 4;

struct PassingMessage {
    std::string sender;   // name of the entity; empty: the engine, the console, or a person
    std::string receiver; // empty: it went to listeners, and there was none
    MessageFate fate = MessageFate::Passed;
    std::uint64_t tick = 0;

    friend bool operator==(const PassingMessage&, const PassingMessage&) = default;
};

// One that is selected, with what is said of it beside its line and in the console.
struct ChosenMessage : PassingMessage {
    std::uint64_t sequence = 0;
    std::string type;
    // Component of the receiver that ended its way, else the first that acted on it: "Shield", or "Sound#2" for the second of a kind; empty:
    // none acted.
    std::string handler;
    // Its fields in one line: "amount 5.0 hp".
    std::string fields;
};

} // namespace sbx::ui
