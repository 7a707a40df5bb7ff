#include "engine/session/limit_cvars.h"

#include "engine/net/host.h"

namespace sbx {

namespace {
constexpr NetworkLimits Usual;
constexpr int Most = static_cast<int>(Usual.backlogMessages);
constexpr int MaxKiB = static_cast<int>(Usual.backlogBytes / 1024);
} // namespace

LimitCVars::LimitCVars(CVarRegistry& registry)
    : m_players(registry.add<int>("net.limit.players", static_cast<int>(Usual.players),
                                  "Players that may be on a server at a time; who only observes is not counted. Those that are on it stay.",
                                  {.minimum = 1, .maximum = static_cast<double>(net::HostSettings{}.maxConnections)})),
      m_chat(registry.add<double>(
        "net.limit.chat", Usual.chatPerSecond,
        "Lines of chat a client may send in a second; one that sends more is disconnected.",
        {.unit = "1/s", .minimum = 0, .maximum = 1000})),
      m_playerInfo(registry.add<double>("net.limit.playerInfo", Usual.playerInfoPerSecond,
                                        "How often a client may say who it is.",
                                        {.unit = "1/s", .minimum = 0, .maximum = 1000})),
      m_input(registry.add<double>("net.limit.input", Usual.inputsPerTick,
                                   "Inputs a client may send in a tick of the server.",
                                   {.unit = "1/tick", .minimum = 1, .maximum = 1000})),
      m_other(registry.add<double>("net.limit.other", Usual.otherPerSecond,
                                   "All else a client may send in a second, refused or not.",
                                   {.unit = "1/s", .minimum = 0, .maximum = 100'000})),
      m_burst(registry.add<double>(
          "net.limit.burst", Usual.burstSeconds,
          "For how long these rates may be saved up: what waits while the path is dead comes at once.",
          {.unit = "s", .minimum = 1, .maximum = 600})),
      m_taken(registry.add<int>("net.limit.taken", static_cast<int>(Usual.takenPerTick),
                                "Messages of one client that a tick handles; more wait for the next.",
                                {.unit = "1/tick", .minimum = 1, .maximum = 16'384})),
      m_backlogMessages(
          registry.add<int>("net.limit.backlog", Most,
                            "Messages that may wait for one peer; one for which more wait is disconnected.",
                            {.minimum = 16, .maximum = Most})),
      m_backlogBytes(registry.add<int>("net.limit.backlogBytes", MaxKiB,
                                       "What these may hold, with all that is kept beside them.",
                                       {.unit = "KiB", .minimum = 16, .maximum = MaxKiB})),
      m_states(registry.add<int>("net.limit.states", static_cast<int>(Usual.stateBytesPerSecond / 1024.0),
                                 "What a server sends to one client in a second of the states of entities; "
                                 "what is near its player and "
                                 "what has waited long goes first.",
                                 {.unit = "KiB/s", .minimum = 1, .maximum = 16'384})),
      m_stateRate(registry.add<double>("net.stateRate", Usual.statesPerSecond,
                                       "How often a server sends the states of what has changed; never more than once a tick.",
                                       {.unit = "1/s", .minimum = 1, .maximum = 240})),
      m_ban(registry.add<double>("net.limit.ban", Usual.banSeconds,
                                 "For how long a client that went too far is refused, and its whole address "
                                 "if that is frequent; 0: not at all.",
                                 {.unit = "s", .minimum = 0, .maximum = 86'400})) {}

NetworkLimits LimitCVars::limits() const {
    NetworkLimits limits;
    limits.players = static_cast<std::uint32_t>(m_players.get());
    limits.chatPerSecond = m_chat.get();
    limits.playerInfoPerSecond = m_playerInfo.get();
    limits.inputsPerTick = m_input.get();
    limits.otherPerSecond = m_other.get();
    limits.burstSeconds = m_burst.get();
    limits.takenPerTick = static_cast<std::uint32_t>(m_taken.get());
    limits.backlogMessages = static_cast<std::size_t>(m_backlogMessages.get());
    limits.backlogBytes = static_cast<std::size_t>(m_backlogBytes.get()) * 1024U;
    limits.stateBytesPerSecond = m_states.get() * 1024.0;
    limits.statesPerSecond = m_stateRate.get();
    limits.banSeconds = m_ban.get();
    return limits;
}

} // namespace sbx
