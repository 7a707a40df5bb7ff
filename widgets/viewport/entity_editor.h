#pragma once
// What the viewport does to entities: create, place, duplicate, delete. Stopped, each is an edit of the scene's text through the
// document, one undo step; while a world runs (playing or paused), each changes that world alone and Stop takes it back.
//
// GUI thread; world changes are posted to the session, and names that the world gives come back through takeMade().
// Session, document and selection outlive it.

#include <QString>

#include "engine/definition/definitions.h"
#include "engine/definition/scene_clip.h"
#include "engine/render/mesh.h"
#include "engine/simulation/snapshot.h"
#include "widgets/viewport/gizmo.h"
#include "widgets/viewport/scene_places.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sbx {
class Session;
}

namespace sbx::ui {

class Document;
class Selection;

class EntityEditor {
public:
    EntityEditor(Session& session, Document& document, Selection& selection);
    ~EntityEditor();

    // Of the snapshot that is shown.
    void setMode(Mode mode) { m_mode = mode; }
    [[nodiscard]] bool editsFile() const { return m_mode == Mode::Edit; }
    // There is a scene to edit or a world to change.
    [[nodiscard]] bool canEdit() const;

    // As the texts are now; read again only after an edit.
    [[nodiscard]] const ScenePlaces& places() const;
    [[nodiscard]] const definition::Definitions& definitions() const;
    // About the origin of an entity of that type; nothing if unknown.
    [[nodiscard]] std::optional<render::Bounds> boundsOfType(const std::string& type) const;
    // By which a new one is placed: those, or what a lamp or a sound keeps clear; see clearance().
    [[nodiscard]] std::optional<render::Bounds> placingBounds(const std::string& type) const;

    // The layer that new entities are written into; empty: none.
    void setLayerForNew(std::function<std::string()> layer) { m_layerForNew = std::move(layer); }
    // Returns the new entity's name and selects it; while a world runs the name comes later.
    Result<std::string> create(const std::string& type, const Vec3& position);
    // The same of a mesh or a sound file of the project: an entity of the type Mesh or Sound with that file.
    Result<std::string> createOf(const std::string& asset, const Vec3& position);
    // In place: each copy lies exactly on its original.
    Result<void> duplicate(const std::vector<std::string>& names);
    // Duplicates once more, and does to the new copies what was done to the copies of the last duplication since: how they were moved,
    // turned and scaled, by whatever means. One step. Returns whether there was something to do again: names that are not exactly the last
    // copies, or whose originals are gone, are duplicated in place. While a world runs that is an error.
    Result<bool> repeat(const std::vector<std::string>& names);
    Result<void> remove(const std::vector<std::string>& names);
    // As the text of a scene, with all that hangs from them; those that a running world has made have none.
    [[nodiscard]] Result<std::string> copy(const std::vector<std::string>& names) const;
    // Puts such a text in at the end of the scene and selects what it brought. While a world runs that is an error.
    Result<definition::PastedInstances> paste(const std::string& text);
    // Takes them out after they were copied: as remove(), under another name, and not while a world runs.
    Result<void> cut(const std::vector<std::string>& names);

    // --- Drags of several entities at once
    struct Target {
        std::string name;
        Pose start; // in the world
        Pose parent;
        Pose local; // in the parent's frame
    };
    // Which entities a drag may move; none given: all.
    void setMovable(std::function<bool(const std::string&)> movable) { m_movable = std::move(movable); }
    [[nodiscard]] std::vector<std::string> movable(const std::vector<std::string>& names) const;
    // Those of `names` that may be moved and move by themselves. Empty while a world runs: there the simulation keeps them.
    std::vector<Target> beginDrag(const std::vector<std::string>& selected);
    // Copies the names with all that hangs from them, selects the copies and drags those: copies and moves are one step, which cancelDrag()
    // takes back whole. While a world runs the targets are empty here too.
    struct CopyDrag {
        std::vector<Target> targets;
        std::unordered_map<std::string, std::string> copies; // names of all that was copied, by the original's
    };
    Result<void> beginCopyDrag(const std::vector<std::string>& names, CopyDrag& begun);
    [[nodiscard]] static Pose poseAfter(const Target& target, const GizmoDelta& delta,
                                        const GizmoFrame& frame);
    Result<void> drag(const GizmoDelta& delta, const GizmoFrame& frame, Tool tool);
    void endDrag();
    // Everything as it was before the drag.
    void cancelDrag();

    // Names of entities that a running world has made since the last call: to be selected.
    std::vector<std::string> takeMade();

private:
    struct WorldDrag;
    struct Made;
    void forgetDrag();
    // Those of the scene, with all that hangs from them; the names themselves come first.
    [[nodiscard]] std::vector<std::string> familyOf(const std::vector<std::string>& names) const;
    // Writes copies of these into the scene, selects those of `names` and remembers them for repeat(). Copies by the original's name.
    Result<std::unordered_map<std::string, std::string>> writeCopies(const std::vector<std::string>& names, const QString& label,
                                                                     const QString& mergeKey);
    // With settings of a component of the type, as texts.
    using Settings = std::vector<std::pair<std::string, std::string>>;
    // Writes the new entity of that name, which `edits` of the scene's text bring, in its layer, and selects it.
    Result<std::string> writeNew(const std::string& name, definition::TextEdits edits);
    void createInWorld(const std::string& type, const Vec3& position, const std::string& component = {}, const Settings& settings = {});
    Result<void> removeFromScene(const std::vector<std::string>& names, const QString& label);
    [[nodiscard]] std::string sceneFile() const;
    // Those of the names that the scene file declares.
    [[nodiscard]] std::vector<std::string> inScene(const std::vector<std::string>& names) const;

    Session& m_session;
    Document& m_document;
    Selection& m_selection;
    Mode m_mode = Mode::Edit;
    std::function<bool(const std::string&)> m_movable;
    std::function<std::string()> m_layerForNew;

    mutable std::optional<std::uint64_t> m_placesRevision;
    mutable ScenePlaces m_places;
    mutable std::optional<std::uint64_t> m_definitionsRevision;
    mutable definition::Definitions m_definitions;

    std::vector<Target> m_targets;
    std::vector<Pose> m_written; // local poses as the text has them, beside m_targets
    // Of the last duplication: those that hang from no other of them, and their copies.
    std::vector<std::pair<std::string, std::string>> m_lastCopies;
    std::vector<std::string> m_beforeCopies; // what was selected before a drag of copies; empty: the drag is of no copies
    QString m_mergeKey;
    int m_dragCount = 0;
    std::shared_ptr<WorldDrag> m_worldDrag;
    std::shared_ptr<Made> m_made;
};

} // namespace sbx::ui
