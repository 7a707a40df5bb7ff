#pragma once
// Where a change of an entity's value goes: stopped into the scene file as an override, playing into the world alone.
// No widgets; GUI thread.

#include <QString>

#include "engine/core/fields.h"
#include "engine/definition/text_edit.h"
#include "engine/simulation/snapshot.h"
#include "widgets/common/drag_hold.h"
#include "widgets/common/field_change.h"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sbx::ui {

class Document;
class ProjectModel;
class SessionFeed;

class EntityEdits {
public:
    EntityEdits(Document& document, SessionFeed& feed, ProjectModel& project)
        : m_document(document), m_drag(document), m_feed(feed), m_project(project) {}

    // Nothing if the entity's settings can be edited now; else why not. `component` as in Inspection ("Mesh#2").
    [[nodiscard]] QString settingLock(const std::string& entity, const std::string& component) const;
    // State lives only while the world runs.
    [[nodiscard]] QString stateLock() const;
    [[nodiscard]] QString placeLock(const std::string& entity) const;

    // The change of each of the entities, or of none; in the world, of those that can take it. A drag sends changes with committed = false
    // and ends with true: one undo step. What it adds is always added to the values at its start. Component "" means the place: position
    // in metres, rotation in degrees, scale, in the parent's frame. Costs the number of entities and the length of the scene's text.
    Result<void> change(const std::vector<std::string>& entities, const std::string& component, const FieldInfo& field,
                        const FieldChange& change, bool committed);
    // What is being dragged is gone, and no last change will come.
    void forgetDrag();
    // Playing: what it was before it was changed by hand in this run.
    Result<void> revertField(const std::vector<std::string>& entities, const std::string& component,
                             const FieldInfo& field);
    // Whether a person has changed it in this run, in one of the entities, and the world still runs.
    [[nodiscard]] bool isLive(const std::vector<std::string>& entities, const std::string& component, const FieldInfo& field) const;
    // Everything that the scene overrides of these components of the entities.
    Result<void> revertComponents(const std::vector<std::string>& entities, const std::vector<std::string>& components);
    // Writes into the scene what the entities have in these components and the scene does not say yet, so that a later change of the type
    // does not reach them. Empty texts and references are left out. The reverse of revertComponents().
    Result<void> writeValues(const std::vector<std::string>& entities, const std::vector<std::string>& components);
    // What names the entity follows, in the scene and in the definition files: one undo step.
    Result<void> rename(const std::string& entity, const std::string& name);

private:
    [[nodiscard]] bool playing() const;
    [[nodiscard]] bool inScene(const std::string& entity) const;
    using SceneEdit = std::function<Result<definition::TextEdits>(std::string_view scene)>;
    // One undo step.
    Result<void> editScene(const QString& label, const QString& mergeKey, bool committed, const SceneEdit& edit);
    void changeInWorld(const std::vector<std::string>& entities, const std::string& component, const FieldInfo& field,
                       const FieldChange& change, bool committed);
    Result<definition::TextEdits> editsFor(std::string_view scene, const std::vector<std::string>& entities, const std::string& component,
                                           const FieldInfo& field, const FieldChange& change, bool bounded);
    // What the entities have as the texts are now.
    [[nodiscard]] Result<std::vector<Value>> valuesOf(const std::vector<std::string>& entities, const std::string& component,
                                                      const FieldInfo& field) const;

    Document& m_document;
    DragHold m_drag;
    SessionFeed& m_feed;
    ProjectModel& m_project;
    // Values at the start of a drag that changes each of them by the same amount, as the entities are named; null: no such drag. While the
    // world runs they are read and used on the session's thread.
    std::shared_ptr<std::vector<Value>> m_starts;
};

} // namespace sbx::ui
