#pragma once
// Where a change of an entity's value goes: stopped into the scene file as an override, playing into the world alone.
// No widgets; window thread.

#include <QString>

#include "engine/core/fields.h"
#include "engine/definition/text_edit.h"
#include "engine/session/snapshot.h"
#include "widgets/common/drag_hold.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace sbx::ui {

class Document;
class SessionFeed;

enum class PlaceKey { Position, Rotation, Scale };
[[nodiscard]] const char* placeKeyName(PlaceKey key);

class EntityEdits {
public:
    EntityEdits(Document& document, SessionFeed& feed)
        : m_document(document), m_drag(document), m_feed(feed) {}

    // Nothing if the entity's settings can be edited now; else why not. `component` as in Inspection ("Mesh#2").
    [[nodiscard]] QString settingLock(const std::string& entity, const std::string& component) const;
    // State lives only while the world runs.
    [[nodiscard]] QString stateLock() const;
    [[nodiscard]] QString placeLock(const std::string& entity) const;

    // A drag sends values with committed = false and ends with true: one undo step.
    Result<void> setField(const std::vector<std::string>& entities, const std::string& component,
                          const FieldInfo& field, const Value& value, bool committed);
    Result<void> revertField(const std::vector<std::string>& entities, const std::string& component,
                             const FieldInfo& field);
    // Degrees for rotation; in the parent's frame.
    Result<void> setPlace(const std::string& entity, PlaceKey key, const Vec3& value, bool committed);
    Result<void> rename(const std::string& entity, const std::string& name);

private:
    [[nodiscard]] bool playing() const;
    [[nodiscard]] bool inScene(const std::string& entity) const;
    using SceneEdit = std::function<Result<definition::TextEdits>(std::string_view scene)>;
    // One undo step.
    Result<void> editScene(const QString& label, const QString& mergeKey, bool committed, const SceneEdit& edit);

    Document& m_document;
    DragHold m_drag;
    SessionFeed& m_feed;
};

} // namespace sbx::ui
