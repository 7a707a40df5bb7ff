#pragma once
// Scenes: the instances a world starts with, each an entity type, a place and overrides of single settings.
// Immutable once loaded.

#include "engine/core/math.h"
#include "engine/core/names.h"
#include "engine/definition/definitions.h"

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sbx::definition {

struct InstanceDefinition {
    std::string name; // unique in the scene
    std::string type;
    Vec3 position{0.0F}; // metres, in the parent's frame
    Vec3 rotation{0.0F}; // degrees, intrinsic Y, then X, then Z
    Vec3 scale{1.0F};
    std::string parent; // empty: none
    std::string file;
    SourceRegion region;                        // its [[entity]] header
    std::vector<ComponentDefinition> overrides; // only components of its type, only the keys set here

    [[nodiscard]] Pose pose() const { return {position, fromEulerDegrees(rotation), scale}; }
};

class Scene {
public:
    // Instances with a fault are left out; so are those of a broken type and the children of what is left out
    // (one warning per cause). The rest loads. Of a scene with a later format than this version knows, nothing does.
    [[nodiscard]] static Scene load(std::string_view text, std::string_view file,
                                    const Definitions& definitions, const Schema& schema, Diagnostics& sink);

    [[nodiscard]] const std::string& name() const { return m_name; }
    // in file order
    [[nodiscard]] const std::vector<InstanceDefinition>& instances() const { return m_instances; }
    [[nodiscard]] const InstanceDefinition* find(std::string_view name) const;

    struct Move {
        std::size_t instance = 0; // in instances()
        Vec3 position{0.0F};      // as in InstanceDefinition
        Vec3 rotation{0.0F};
        Vec3 scale{1.0F};
    };
    // The same scene with some instances elsewhere.
    [[nodiscard]] Scene moved(const std::vector<Move>& moves) const;

    struct Completed;
    // This scene, which was read from `text`, and in addition those instances that were left out since something is wrong with
    // them: each as it was in `before`, at the place that the text gives it now. Its type must be in `definitions`, and its parent in the
    // result.
    [[nodiscard]] Completed completed(std::string_view text, const Scene& before,
                                      const Definitions& definitions) const;

private:
    using Names = std::unordered_map<std::string, std::size_t>;
    std::string m_name;
    std::vector<InstanceDefinition> m_instances;
    std::shared_ptr<const Names> m_byName; // null: no instances
};

struct Scene::Completed {
    Scene scene;
    std::vector<std::string> missing; // instances of the text, by name, that the scene does not have
};

// The type's components with the instance's overrides laid over them.
[[nodiscard]] std::vector<ComponentDefinition> overlaid(const EntityTypeDefinition& type,
                                                        const std::vector<ComponentDefinition>& overrides);

// The name of an instance that gives none; a second one gets "_2", a third "_3", …
using sbx::baseNameOf;

// One name per instance, in file order: given names as they are, missing (empty) ones made from the type so
// that all differ.
struct NameAndType {
    std::string name;
    std::string type;
};
[[nodiscard]] std::vector<std::string> instanceNames(const std::vector<NameAndType>& instances);

} // namespace sbx::definition
