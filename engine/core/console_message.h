#pragma once
// `$msg` in a console line: what the command `msg` prints, which takes its place before the statement runs. `$msg` stands for the output of `msg`,
// `$msg.receiver` for that of `msg receiver`, `$msg.fields.amount` for that of `msg fields.amount`; what follows stays:
// `$msg.receiver.Health.current` asks for the receiver alone. A program without that command leaves the text as it stands.
//
// A command instead of a provider, because it is there for a person too, with help and completion. Pure functions, any thread.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sbx {

inline constexpr std::string_view MessageWord = "$msg";
inline constexpr std::string_view MessageCommand = "msg";

struct MessagePlace {
    std::size_t begin = 0; // byte offsets in the statement
    std::size_t end = 0;   // exclusive
    std::string word;      // "receiver", "fields.amount"; empty: `$msg` alone

    friend bool operator==(const MessagePlace&, const MessagePlace&) = default;
};

// Where `$msg` stands in a statement, outside quotes, in order.
[[nodiscard]] std::vector<MessagePlace> messagePlaces(std::string_view statement);

} // namespace sbx
