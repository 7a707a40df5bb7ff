#pragma once
// The handles of the primary entity's components, and the life of a drag of one from press to release. While the world stands still a drag
// writes an override of the instance into the scene, as the inspector does, all of it one step of undo; while the world runs it changes
// the living entity, which Stop takes back.
//
// GUI thread; owned by the panel. Session, document, editor, view and selection outlive it. An entity that is locked, hidden or not there has
// no handles; nor has a component of which the entity has several, as long as a scene cannot tell them apart.

#include "engine/definition/scene.h"
#include "widgets/viewport/component_handles.h"
#include "widgets/viewport/pane_layout.h"

#include <QElapsedTimer>
#include <QObject>
#include <QString>

#include <cstdint>
#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sbx {
class Session;
}

namespace sbx::render {
struct View;
}

namespace sbx::ui {

class Document;
class EntityEditor;
class SceneMarks;
class Selection;
class Theme;
class ViewportView;

class HandleControl : public QObject {
    Q_OBJECT

public:
    HandleControl(Session& session, Document& document, const EntityEditor& editor, ViewportView& view, const Selection& selection,
                  const Theme& theme, QObject* parent = nullptr);
    ~HandleControl() override;

    // What the scene's instances override; may return null.
    void setScene(std::function<const definition::Scene*()> scene) { m_scene = std::move(scene); }
    void setMarks(const SceneMarks& marks) { m_marks = &marks; }
    // Whether others draw handles of sounds now.
    void setSoundsElsewhere(std::function<bool()> elsewhere) { m_soundsElsewhere = std::move(elsewhere); }
    [[nodiscard]] bool isShown() const { return m_isShown; }
    void setShown(bool on);

    // Cursors in pixels of the view. True: there is a handle, or a drag of one began.
    bool hover(Vec2 cursor);
    void leave();
    bool press(Vec2 cursor);
    [[nodiscard]] bool dragging() const { return m_drag.has_value(); }
    void dragTo(Vec2 cursor, const SnapSettings& snap, bool oneSided);
    // A character typed while dragging: digits, sign, point; '\b' takes one back.
    void type(QChar character);
    void release();
    // As before the press, and no step.
    void cancel();
    // Before a frame: writes what the drag has done since.
    void advance();

    // In the picture of that pane (PaneLayout).
    void draw(render::View& view, const GizmoView& geometry, int pane);
    void clear(int pane) { m_shown[static_cast<std::size_t>(pane)].clear(); }
    // Of the active pane, as drawn last.
    [[nodiscard]] const std::vector<ComponentHandle>& handles() const;
    // Of the handle under the cursor or in hand: what it is, its value with the unit, and that it is an override. Empty: none.
    [[nodiscard]] QString readout() const;

signals:
    // Another handle is under the cursor or in hand, or its value has changed.
    void changed();
    void problem(const QString& text);

private:
    [[nodiscard]] std::optional<HandleSubject> subject() const;
    [[nodiscard]] std::optional<HandleSubject> sceneSubject(const std::string& entity) const;
    [[nodiscard]] std::optional<HandleSubject> livingSubject(const std::string& entity) const;
    void update();
    void write(bool now);
    [[nodiscard]] Result<void> writeScene(const HandleDrag::Outcome& result);
    void writeWorld(const Value& value, bool last);
    void let();

    static constexpr int WriteEveryMs = 30;

    Session& m_session;
    Document& m_document;
    const EntityEditor& m_editor;
    ViewportView& m_view;
    const Selection& m_selection;
    const Theme& m_theme;
    std::function<const definition::Scene*()> m_scene;
    std::function<bool()> m_soundsElsewhere;
    const SceneMarks* m_marks = nullptr; // may be null
    bool m_isShown = true;
    std::array<std::vector<ComponentHandle>, PaneLayout::Count> m_shown; // in each pane
    std::optional<ComponentHandle> m_hovered;

    std::optional<HandleDrag> m_drag;
    HandleDrag::Outcome m_result;
    std::string m_entity;   // whose handle is dragged
    Pose m_parent;          // of its parent, at the press
    Vec3 m_position{0.0F};  // in the world, at the press
    bool m_inScene = true;  // the drag edits the scene, not the world
    bool m_moves = false;   // the drag has moved the entity itself
    bool m_unwritten = false;
    Vec2 m_cursor{0.0F};
    SnapSettings m_snap;
    bool m_oneSided = false;
    QString m_typed;
    int m_dragCount = 0;
    QString m_mergeKey;
    QElapsedTimer m_lastWrite;
    // What was dragged last holds until the scene or the world has it.
    std::optional<HandleSubject> m_settling;
    std::string m_settlingEntity;
    std::uint64_t m_settlingRevision = 0; // of the document
    QElapsedTimer m_sinceRelease;
};

} // namespace sbx::ui
