#pragma once
// The scene as it is drawn now: between two snapshots, with what is being dragged already at its new place and what is under the
// cursor drawn lighter. Everything that looks into the picture (picking, framing, placing) asks here, so that it sees what the
// person sees. GUI thread; owned by the view. The session outlives it. A question about n entities costs n, and the first of a
// frame what the scene has.

#include "engine/render/picking.h"
#include "engine/session/session.h"
#include "widgets/viewport/frame_timeline.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace sbx::ui {

class ShownScene {
public:
    using Time = FrameTimeline::Time;

    explicit ShownScene(Session& session);

    // Takes the session's latest snapshot. True: it is a new one.
    bool poll();
    // Blends for this moment. Call once a frame.
    void advance(Time now);

    [[nodiscard]] const render::Scene& scene() const { return m_scene; }
    [[nodiscard]] const FrameSnapshot* snapshot() const { return m_timeline.latest().get(); }
    [[nodiscard]] Mode mode() const;
    [[nodiscard]] double shownTick() const { return m_tick; }
    [[nodiscard]] const render::MeshLibrary& meshes() const { return m_meshes; }
    // Of the scene as it is now; brought up to date by the first call in a frame.
    [[nodiscard]] const render::SceneIndex& index() const;

    [[nodiscard]] std::uint64_t idOf(const std::string& name) const; // 0: not there
    [[nodiscard]] std::string nameOf(std::uint64_t id) const;        // empty: not there
    // It and what hangs from it; empty: not there.
    [[nodiscard]] std::vector<std::uint64_t> familyOf(const std::string& name) const { return familiesOf({name}); }
    // All of them, each once. `groups`, beside the result: the place in `names` of the entity each belongs to.
    [[nodiscard]] std::vector<std::uint64_t> familiesOf(const std::vector<std::string>& names,
                                                        std::vector<std::uint32_t>* groups = nullptr) const;
    // Whether it has an instance in the picture.
    [[nodiscard]] bool drawsAny(const std::string& name) const;
    // Of its own instances and those of what hangs from it.
    [[nodiscard]] std::optional<render::Bounds> boundsOf(const std::string& name) const;
    [[nodiscard]] std::optional<render::Bounds> boundsOf(const std::vector<std::string>& names) const;
    // Of everything that belongs to entities, but not of grounds and skies that reach as far as one sees.
    [[nodiscard]] std::optional<render::Bounds> sceneBounds() const;
    // Of what stands on the floors: without all that is far larger than the rest.
    [[nodiscard]] std::optional<render::Bounds> coreBounds() const;
    // The pose that the snapshot has for an inspected entity, else that of its first instance.
    [[nodiscard]] std::optional<Pose> poseOf(const std::string& name) const;

    [[nodiscard]] std::optional<render::PickHit> pick(const render::Ray& ray) const;
    // What the last pick took, the index included where it was out of date.
    struct PickCost {
        double milliseconds = 0.0; // of the processor
        std::uint32_t nodes = 0;   // of the tree that were looked at
    };
    [[nodiscard]] const PickCost& pickCost() const { return m_pickCost; }
    // Entities along a ray, nearest first, each once.
    [[nodiscard]] std::vector<std::string> allUnder(const render::Ray& ray) const;

    void setHovered(std::uint64_t entity) { m_hovered = entity; }
    [[nodiscard]] std::uint64_t hovered() const { return m_hovered; }

    // Entities that are not drawn, and so cannot be picked either; their lamps still light. Asked for each list of entities once, and again
    // after hiddenChanged(). None given: all are drawn.
    void setHiddenBy(std::function<std::unordered_set<std::uint64_t>(const EntityList&)> hiddenIn) { m_hiddenIn = std::move(hiddenIn); }
    void hiddenChanged() { m_hiddenOf.reset(); }

    // These shine by so much (linear radiance) until it is set again; those that are not there yet do when they are.
    void setFlash(std::vector<std::string> names, float strength);

    // --- Ahead of the simulation: an entity (and what hangs from it) is drawn at `now` until the snapshots agree.
    struct Preview {
        std::string name;
        Pose start; // in the world, when the drag began
        Pose now;
    };
    // `copies`: names by that of their original. What is drawn of an original says how its copy will look, before the copy is there.
    void beginPreview(const std::vector<Preview>& entities, const std::unordered_map<std::string, std::string>& copies = {});
    void movePreview(const std::vector<Preview>& entities);
    // The last poses hold until the simulation has them, at most for a second.
    void endPreview(Time now);
    void cancelPreview();
    [[nodiscard]] bool previewing() const { return !m_previews.empty(); }

private:
    struct Part {
        std::string name; // of the entity the instance belongs to
        std::uint32_t part = 0;
        std::size_t preview = 0;
        Pose local; // in the frame of the previewed entity
    };
    void applyPreview();
    void removeHidden();
    // Of what is at most so many metres across from corner to corner, or twelve times the usual size.
    [[nodiscard]] std::optional<render::Bounds> boundsUpTo(float metres) const;
    // Where the instances and lamps of an entity lie in the scene; found on demand, kept for a frame.
    struct Drawn {
        std::vector<std::uint32_t> instances;
        std::vector<std::uint32_t> lights;
    };
    [[nodiscard]] const Drawn* drawnOf(std::uint64_t entity) const; // null: nothing
    // Rows of the entity list by the row of their parent; kept as long as the list.
    [[nodiscard]] const std::vector<std::vector<std::size_t>>& children() const;

    Session& m_session;
    render::MeshLibrary& m_meshes;
    FrameTimeline m_timeline;
    render::Scene m_scene;
    mutable render::SceneIndex m_index;
    mutable bool m_indexed = false;
    mutable std::unordered_map<std::uint64_t, Drawn> m_drawn;
    mutable bool m_drawnKnown = false;
    mutable std::shared_ptr<const EntityList> m_childrenOf;
    mutable std::vector<std::vector<std::size_t>> m_children;
    mutable PickCost m_pickCost;
    double m_tick = 0.0;
    std::uint64_t m_hovered = 0;
    std::function<std::unordered_set<std::uint64_t>(const EntityList&)> m_hiddenIn;
    std::shared_ptr<const EntityList> m_hiddenOf; // null: not known
    std::unordered_set<std::uint64_t> m_hidden;
    std::vector<std::string> m_flashing;
    float m_flash = 0.0F;
    std::vector<Preview> m_previews;
    std::unordered_map<std::string, std::size_t> m_previewOf; // in m_previews, by name
    std::vector<Part> m_parts;
    std::optional<Time> m_previewEnds;
};

} // namespace sbx::ui
