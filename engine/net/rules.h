#pragma once
// The rules that close the holes of the published algorithm, by the numbers PROTOCOL.md explains. In the shipping library every
// rule is a constant and costs nothing. Compiled with SBX_NET_RULES_CAN_BE_TAKEN_OUT, this room lets a test take one rule out at a
// time, and see that a scenario fails without it: a test that passes without its rule shows nothing.

#include <array>
#include <cstddef>
#include <cstdint>

namespace sbx::net {

enum class Rule : std::uint8_t {
    AcknowledgedBeforeExecuted, // H1
    LatePacketsCount,           // H2
    LossTimerNeedsNoLaterAck,   // H3
    BackOffOverSilence,         // H3
    RedundantCopies,            // H3b
    WindowBoundsAssignment,     // H4, S1
    FloorBoundsAssignment,      // H4, S2
    StalePacketsAreDiscarded,   // H4
    NothingIsRemovedByAge,      // H5
    BelowTheFloorIsSatisfied,   // H6
    DependenciesPointBack,      // H7
    WorkIsBudgeted,             // H8
    DataBeforeExecution,        // H10
    DuplicatesAddNoEdges,       // H11
    HeadsAreRebuilt,            // H12
    OldHandlesAreExecuted,      // H13
    HandlesKnowTheirEpoch,      // H14
    AcksAreEarly,               // H15
    BogusAcksClose,             // H16
    NumbersAreSkipped,          // H16
    AckedMeansStored,           // H17
    DependenciesAreCapped,      // H18
    MemoryIsCapped,             // H19
    OversizeIsRefused,          // H20
    ResendsLeaveRoom,           // H20
    AfterIsHonoured,            // H21
    RunsAndChainsAreShort,      // H23
    EpochIsAuthenticated,       // H25
    TimeIsClamped,              // H26
    WindowMovesAfterTag,        // H27
    UnknownFramesAreRefused,    // H28
    Count
};

#ifdef SBX_NET_RULES_CAN_BE_TAKEN_OUT
// Tests only, one thread.
inline std::array<bool, static_cast<std::size_t>(Rule::Count)> RulesTakenOut{};
inline bool enforced(Rule rule) { return !RulesTakenOut[static_cast<std::size_t>(rule)]; }
#else
constexpr bool enforced(Rule) { return true; }
#endif

} // namespace sbx::net
