#pragma once
// Where the instances of a scene's text stand: what a gizmo drags and a text edit writes. Read from the text itself, not from the
// running world, so that both agree at every moment of a drag; a text that does not parse gives the instances that do.
// Pure; any thread.

#include "engine/core/math.h"

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
    std::vector<ScenePlace> m_places;
    std::unordered_map<std::string, std::size_t> m_byName;
};

} // namespace sbx::ui
