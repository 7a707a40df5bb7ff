#pragma once
// What a window looks at closely in a simulation: the values of a few entities, and of many what they have in common.
//
// Purpose: fills the parts of a snapshot that show the inspected entities. Of two or more entities it keeps what it compared last, and
// compares again when values may have changed: at once after an edit, every few publications while the world runs (256 entities
// for each publication), so that the cost does not grow with the number of entities.
// Thread: the one that ticks the simulation.

#include "engine/core/ids.h"
#include "engine/simulation/snapshot.h"

#include <memory>
#include <string>
#include <vector>

namespace sbx {

class Simulation;
class World;

class WindowInspection {
public:
    // Entities by name: of up to MaxInspected the values of each, of more those of the primary one (empty: the last of them).
    static constexpr std::size_t MaxInspected = 16;
    void inspect(std::vector<std::string> names, std::string primary);
    // Around the commands that were posted: unless each of them noted that it moved places only, values may have changed.
    void beginCommands() { m_placeCommands = 0; }
    void notePlacesOnly() { ++m_placeCommands; }
    void endCommands(std::size_t count) { m_stale = m_stale || count > m_placeCommands; }
    // Fills `inspected` and `together`.
    void fill(FrameSnapshot& frame, Simulation& from);

private:
    [[nodiscard]] std::shared_ptr<const InspectedTogether> compareAll(const World& world, std::uint64_t run, bool playing);

    std::vector<std::string> m_names;
    std::string m_primary;
    std::vector<EntityId> m_ids; // of the names, in m_comparedIn
    std::shared_ptr<const InspectedTogether> m_together; // null: nothing was compared yet
    bool m_stale = false;      // values may have changed
    std::size_t m_placeCommands = 0; // of the last commands: those that changed nothing but places
    std::size_t m_age = 0;     // publications since the last comparison
    struct State { // while it is the same, so are the entities and their names
        const World* world = nullptr;
        std::uint64_t run = 0;
        std::uint64_t structure = 0;
        friend bool operator==(const State&, const State&) = default;
    };
    State m_comparedIn;
};

} // namespace sbx
