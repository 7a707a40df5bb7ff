#pragma once
// What the graph says of a message in words. GUI thread.

#include <QString>

#include "widgets/graph/graph_model.h"

namespace sbx::ui {

class Theme;

// "83 ms", "1.24 s"
[[nodiscard]] QString durationText(net::Time duration);
// "Spawn crate_7"
[[nodiscard]] QString messageText(const GraphModel& model, const GraphNode& node);
// "waiting for #412 (lost, resent ×2) 83 ms", "waited 83 ms for #412 (lost, resent ×1)"; empty: it did not wait.
[[nodiscard]] QString causeText(const GraphModel& model, const GraphKey& key, const GraphCause& cause);
// The root alone: "#412 (lost, resent ×2)"
[[nodiscard]] QString rootText(const GraphCause& cause);
[[nodiscard]] QString peerName(const GraphModel& model, std::uint16_t peer);
// "connected in 61 ms", "denied: the server is full", "asking for 1.20 s, 4 datagrams sent"
[[nodiscard]] QString handshakeText(const GraphHandshake& handshake, net::Time at);
// Every step of one, as rich text.
[[nodiscard]] QString handshakeDetails(const Theme& theme, const GraphModel& model,
                                       const GraphHandshake& handshake, net::Time at);
// Everything about one message as rich text; links "message:N" lead to others between the same two.
[[nodiscard]] QString detailText(const Theme& theme, const GraphModel& model, const GraphKey& key, net::Time at);

} // namespace sbx::ui
