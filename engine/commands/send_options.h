#pragma once
// What `send` and `raise` have in common: when a message goes, how many should get it, how its fields are given, and
// what could be typed for them.
// Private to this room.

#include "engine/core/command.h"
#include "engine/message/message_type.h"

#include <optional>

namespace sbx {

class Session;
class World;

struct SendOptions {
    std::uint64_t ticks = 0; // until it is delivered; 0: at once
    std::optional<int> priority; // among what is due in the same tick; lower first
    unsigned minimum = 0;    // receivers

    // "waits 3 ticks"
    [[nodiscard]] std::string waiting() const;
};

// Reads --ticks=N, --after=SECONDS, --priority=N or --minimum=N. Nothing: it is another option. Simulation thread.
[[nodiscard]] std::optional<Result<void>> readSendOption(const World& world, const std::string& word, SendOptions& options);
// Once all are read: what makes no sense together.
[[nodiscard]] Result<void> checkSendOptions(const SendOptions& options);
// "--ticks=N, --after=SECONDS, --priority=N or --minimum=N"
[[nodiscard]] std::string sendOptionNames();

// The value of `name=value` for that field; an entity may be given by its name. Simulation thread.
[[nodiscard]] Result<Value> readFieldValue(const World& world, const FieldInfo& field, const std::string& word);

// field=value for those that are not given yet, and the options. `first`: the word with which they begin. Any thread.
void completeSend(const MessageType& type, const CommandTyping& typing, std::size_t first,
                  const Session& session, std::vector<CompletionCandidate>& out);

} // namespace sbx
