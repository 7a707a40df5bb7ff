#pragma once
// What `send` says of a message that nobody acted on. Private to this room, but for the words by which a window knows such an answer. On the thread
// that ticks the world.

#include "engine/entity/entity.h"

#include <string>
#include <string_view>

namespace sbx {

struct Catalog;
struct MessageType;

// Stands in the answer to `send` if the message asked for something and no handler got it.
inline constexpr std::string_view NobodyActed = "nobody acted";

// "nobody acted. Health and Shield act on Damage; bare_crate has neither." `receiver`: to whom alone it went; none: to several. `component`: to which of
// its components alone; null: to all of them.
[[nodiscard]] std::string nobodyActed(const Catalog& catalog, const MessageType& type, const Entity& receiver,
                                      const Entity::ComponentRef& component);

} // namespace sbx
