#pragma once
// The answer of `send` to a message that no component acted on. Only NobodyActed is for other rooms. On the thread that ticks the world.

#include "engine/entity/entity.h"

#include <string>
#include <string_view>

namespace sbx {

struct Catalog;
struct MessageType;

// The answer contains it if the message is no notice and no handler got it: by these words a window tells such an answer from others.
inline constexpr std::string_view NobodyActed = "nobody acted";

// "nobody acted. Health and Shield act on Damage; bare_crate has neither." `receiver`: the only entity that it was sent to; none: there were
// several. `component`: the only component of it; null: all of them.
[[nodiscard]] std::string nobodyActed(const Catalog& catalog, const MessageType& type, const Entity& receiver,
                                      const Entity::ComponentRef& component);

} // namespace sbx
