#pragma once
// The tool in hand: which one, how it snaps, where its gizmo stands for the present selection, and the life of a drag from press
// to release. A drag edits through EntityEditor a few dozen times a second and moves the picture at once through ShownScene.
//
// GUI thread; owned by the panel. View, editor and selection outlive it.

#include "widgets/viewport/entity_editor.h"
#include "widgets/viewport/gizmo.h"
#include "widgets/viewport/shown_scene.h"

#include <QElapsedTimer>
#include <QObject>
#include <QString>

#include <optional>

namespace sbx::ui {

class Selection;
class ViewportView;

class GizmoControl : public QObject {
    Q_OBJECT

public:
    GizmoControl(ViewportView& view, EntityEditor& editor, Selection& selection, QObject* parent = nullptr);
    ~GizmoControl() override;

    [[nodiscard]] Tool tool() const { return m_tool; }
    void setTool(Tool tool);
    [[nodiscard]] bool localAxes() const { return m_local; }
    void setLocalAxes(bool on);
    [[nodiscard]] const SnapSettings& snap() const { return m_snap; }
    void setSnap(const SnapSettings& snap);

    // For the selection as it is; nothing without a tool or anything to hold.
    [[nodiscard]] std::optional<GizmoFrame> frame() const;
    // As large in that view as it is to be there.
    [[nodiscard]] std::optional<GizmoFrame> frame(const GizmoView& view) const;
    [[nodiscard]] GizmoPart hot() const { return m_drag ? m_drag->part() : m_hovered; }
    [[nodiscard]] bool dragging() const { return m_drag.has_value(); }
    // A drag has begun that will make copies with its first move.
    [[nodiscard]] bool willDuplicate() const { return m_duplicates; }
    // The tool whose handles are shown: a selection that is grabbed moves, whatever the tool.
    [[nodiscard]] Tool shownTool() const { return m_drag ? m_drag->tool() : m_tool; }

    // The part under the cursor, in pixels of the view. True: there is one.
    bool hover(Vec2 cursor);
    void leave();
    // True: a drag began. `duplicate`: with the first move, copies are made of the selection and taken along.
    bool press(Vec2 cursor, bool duplicate = false);
    // A drag of the selection itself, by a point of it that was grabbed (metres, in the world): level with the ground, or in the picture's
    // plane where the ground is seen from its side.
    bool grab(Vec2 cursor, const Vec3& point, bool duplicate);
    void dragTo(Vec2 cursor, bool invertSnap);
    void release();
    void cancel();
    // A character typed while dragging: digits, sign, point; '\b' takes one back. False: not for us.
    bool type(QChar character);
    // Before a frame: writes what the drag has done since.
    void advance();

    // For the read-out, while dragging: "X +1.500 m".
    [[nodiscard]] QString readout() const;

signals:
    void toolChanged();
    void dragChanged();
    void problem(const QString& text);
    // A drag has made so many copies.
    void duplicated(int count);

private:
    bool begin(Tool tool, GizmoPart part, const GizmoFrame& at, Vec2 cursor, bool duplicate);
    // What a drag does as soon as it moves something. False: nothing can be dragged.
    bool takeHold(bool duplicate);
    void update();
    void write(bool now);
    [[nodiscard]] std::optional<float> typedNumber() const;

    static constexpr int WriteEveryMs = 30;

    ViewportView& m_view;
    EntityEditor& m_editor;
    Selection& m_selection;
    Tool m_tool = Tool::Select;
    bool m_local = false;
    SnapSettings m_snap;
    GizmoPart m_hovered = GizmoPart::None;

    std::optional<GizmoDrag> m_drag;
    bool m_duplicates = false; // before the first move
    std::vector<EntityEditor::Target> m_targets;
    Vec2 m_cursor{0.0F};
    bool m_invertSnap = false;
    GizmoDelta m_delta;
    QString m_typed;
    bool m_unwritten = false;
    QElapsedTimer m_lastWrite;
};

} // namespace sbx::ui
