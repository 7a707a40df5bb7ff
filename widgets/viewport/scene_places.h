#pragma once
// Where the instances of a scene's text stand: what a gizmo drags and a text edit writes. Read from the text itself, not from the
// running world, so that both agree at every moment of a drag; a text that does not parse gives the instances that do.
// Pure; any thread. A query about n entities costs O(n).

#include "engine/core/math.h"
#include "engine/definition/place_index.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sbx::ui {

struct ScenePlace {
    std::string name;
    std::string type;
    std::string parent; // empty: none
    Pose local;         // in the parent's frame
    Pose world;
};

class ScenePlaces {
public:
    ScenePlaces() = default;
    [[nodiscard]] static ScenePlaces read(std::string_view sceneText);
    // Of instances of one name the first counts.
    [[nodiscard]] static ScenePlaces of(const definition::PlaceIndex& index);
    // Takes over what has moved after revision `since` in the index that this was made of.
    void follow(const definition::PlaceIndex& index, std::uint64_t since);

    // In file order.
    [[nodiscard]] const std::vector<ScenePlace>& all() const { return m_places; }
    [[nodiscard]] const ScenePlace* find(std::string_view name) const;
    // In the world; without a parent (or with one that is not there) the identity.
    [[nodiscard]] Pose parentPose(const ScenePlace& place) const;
    // Whether `name` hangs, however deep, from one of `others` (itself not counted).
    [[nodiscard]] bool hangsFrom(std::string_view name, const std::vector<std::string>& others) const;
    // Those of `names` that are in the scene and hang from no other of them, in their order.
    [[nodiscard]] std::vector<std::string> topmost(const std::vector<std::string>& names) const;

private:
    static constexpr std::size_t None = static_cast<std::size_t>(-1);
    void findParents();
    void placeInWorld();

    std::vector<ScenePlace> m_places;
    std::vector<std::size_t> m_instances; // in the index, beside m_places
    std::vector<std::size_t> m_parents;   // in m_places; None: none, or one that hangs from its own child
    std::vector<std::size_t> m_order;     // parents before children
    std::unordered_map<std::string, std::size_t> m_byName;
};

} // namespace sbx::ui
