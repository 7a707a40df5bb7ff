#pragma once
// Where the instances of a scene stand, and where in its text that is written. Reads a text once and then follows edits of nothing but
// those numbers, which is what a drag of thousands of entities, its undo and its redo are: a number changes, nothing is parsed. Values
// that are missing or faulty count as their defaults. Plain values; the owner sees to it that one thread uses it at a time.

#include "engine/definition/text_edit.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sbx::definition {

struct PlacedInstance {
    std::string name; // given or derived
    std::string type;
    std::string parent; // empty: none
    std::string layer;  // empty: that of its parent, if any
    Vec3 position{0.0F}; // metres, in the parent's frame
    Vec3 rotation{0.0F}; // degrees, as written
    Vec3 scale{1.0F};
    std::uint64_t changed = 0; // the revision given to follow() when it was last moved; 0: never
};

class PlaceIndex {
public:
    explicit PlaceIndex(std::string_view text);

    // In file order.
    [[nodiscard]] const std::vector<PlacedInstance>& instances() const { return m_instances; }
    // The first of that name.
    [[nodiscard]] std::optional<std::size_t> find(std::string_view name) const;

    // Takes over edits of the text it stands for, which is `after` now. False: they touch more than numbers of places, or leave
    // something a reader would refuse; the index is of no use then. `revision` must not be 0.
    [[nodiscard]] bool follow(const TextEdits& edits, std::string_view after, std::uint64_t revision);

    struct Move {
        std::size_t instance = 0;
        std::optional<Vec3> position;
        std::optional<Vec3> rotation; // degrees
        std::optional<Vec3> scale;
    };
    // The edits of `text`, the one it stands for, that write the moves; each instance once, finite numbers. Nothing if a value that is to
    // be written has no place in the text yet, see setInstancePlaces().
    [[nodiscard]] std::optional<TextEdits> edits(std::string_view text, const std::vector<Move>& moves) const;

private:
    enum Key : std::uint8_t { Position, Rotation, Scale, KeyCount };
    struct Slot { // a value in the text
        std::size_t begin = 0;
        std::size_t end = 0;
        std::uint32_t instance = 0;
        Key key = Position;
    };
    [[nodiscard]] static bool read(std::string_view value, Key key, Vec3& out);
    [[nodiscard]] Vec3& valueOf(const Slot& slot);

    std::vector<PlacedInstance> m_instances;
    std::unordered_map<std::string, std::size_t> m_byName;
    std::vector<Slot> m_slots;                               // ascending
    std::vector<std::array<std::uint32_t, KeyCount>> m_ours; // slots of each instance; NoSlot: not written
};

} // namespace sbx::definition
