#pragma once
// The viewport: the live session, and everything done in it with mouse and keys. Puts together the picture (ViewportView), the hands
// (ViewportInput), the tool (GizmoControl), the edits (EntityEditor) and what lies over the picture: strip, statistics, hints.
//
// Data flow: snapshots in; out go edits of the document while stopped, posted commands while a world runs, and the shared selection
// always. GUI thread; session, selection, document, actions and theme outlive it.

#include "engine/definition/scene.h"
#include "widgets/viewport/entity_links.h"
#include "widgets/viewport/gizmo_control.h"
#include "widgets/viewport/viewport_view.h"

#include <QElapsedTimer>
#include <QPoint>
#include <QRect>
#include <QString>
#include <QTimer>
#include <QVariantMap>
#include <QWidget>

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

class QMenu;
class QProgressBar;

namespace sbx::ui {

class ActionRegistry;
class BandShape;
class Chip;
class DebugLegend;
class Document;
class EmptyState;
class EntitySigns;
class HandleControl;
class LinkLabels;
class LinkLines;
class MessageLines;
class PaneLabel;
class PaneSplitter;
class SceneMarks;
class Selection;
class Theme;
class ViewportInput;
class ViewportStrip;

// MIME type of an entity type that is dragged: its name in UTF-8.
inline constexpr const char* EntityTypeMime = "application/x-signalbox-entity-type";

class ViewportPanel : public QWidget {
    Q_OBJECT

public:
    // Registers the actions `view.*`, `tool.*` and, of `edit.*`, cut, copy, paste, duplicate and delete. Those have the context
    // "entities": other panels that show the selection attach to it.
    ViewportPanel(Session& session, Selection& selection, Document& document, ActionRegistry& actions, Theme& theme,
                  QWidget* parent = nullptr);
    ~ViewportPanel() override;

    // On what lies under that place of the panel, and selected. False: it could not be (said by problem()).
    bool createAt(const QString& type, const QPoint& place);
    bool createAtCentre(const QString& type);
    // The type of the last entity that was made here, by whatever means; empty: none yet.
    [[nodiscard]] QString lastCreated() const { return m_lastCreated; }
    // Where the pointer is over the picture, else its middle: in this widget's frame.
    [[nodiscard]] QPoint pointerPlace() const;
    // The same of a mesh or sound file of the project.
    bool createAssetAtCentre(const QString& asset);
    // What is known of such a file before it is dropped: how large it is about its origin, and why it cannot be used (empty: it can).
    struct AssetFacts {
        std::optional<render::Bounds> bounds;
        QString fault;
    };
    void setAssetFacts(std::function<AssetFacts(const QString& asset)> facts) { m_assetFacts = std::move(facts); }
    void frameSelection();
    void homeView();
    // One view, or four: perspective, top, front and right.
    void setFourViews(bool on);
    // Of four views, the one under the mouse fills the picture.
    void setMaximised(bool on);

    // Tool, snapping, speed of flight: the same in every project.
    [[nodiscard]] QVariantMap saveState() const;
    void restoreState(const QVariantMap& state);
    // Where the camera stands and looks; empty as long as the open project has not been looked at.
    [[nodiscard]] QVariantMap saveCamera() const;
    // The same of all panes; restoreCamera() takes it, and what saveCamera() gives.
    [[nodiscard]] QVariantMap saveCameras() const;
    // The open project is looked at from there; from its home view if `state` is empty or not complete.
    // Goes there within a moment, as to an axis view; a state that is none changes nothing.
    void moveCamera(const QVariantMap& state);
    void restoreCamera(const QVariantMap& state);

    // While a project of that name loads, the panel shows that instead of drawing; empty: none does.
    void setLoading(const QString& name);
    // What it does now, and how far it is, in percent; shown until setLoading({}).
    void setLoadingStep(int percent, const QString& text);
    // What must not be covered, in this widget's frame: the handles of the gizmo, as far as they are in sight; empty: there are none.
    [[nodiscard]] QRect gizmoArea() const;
    // The bar of tools, in this widget's frame; empty while it is hidden.
    [[nodiscard]] QRect stripArea() const;
    // What lies along the picture's upper edge: the bar of tools and the label of the view.
    [[nodiscard]] QRect upperArea() const;
    // What others have put over the picture, in this widget's frame: statistics, read-outs and hints keep clear of it.
    void setCovered(std::function<std::vector<QRect>()> covered) { m_covered = std::move(covered); }
    // What the scene's instances override, for what is drawn of them; none given: their types alone count. May return null.
    void setScene(std::function<const definition::Scene*()> scene);
    // What is covered has moved.
    void arrangePlates();

    // What is hidden is not drawn; what is locked is neither picked nor moved. They outlive the panel.
    void setSceneMarks(const SceneMarks& marks);

    // Draws over each picture, for the whole life of the panel.
    void addDrawing(std::function<void(render::View&)> drawing) { m_drawings.push_back(std::move(drawing)); }

    [[nodiscard]] ViewportView& view() { return *m_view; }
    // Messages in the picture; whoever changes them wakes the view.
    [[nodiscard]] MessageLines& messages() { return *m_messages; }
    [[nodiscard]] GizmoControl& gizmo() { return *m_gizmo; }
    [[nodiscard]] HandleControl& handles() { return *m_handles; }
    [[nodiscard]] ViewportInput& input() { return *m_input; }
    [[nodiscard]] EntityEditor& editor() { return m_editor; }
    // New copies still shine.
    [[nodiscard]] bool flashing() const { return !m_flashing.empty(); }
    // Actions of the window for the menu of a right click, behind those of the selection.
    void setMenuExtension(std::function<void(QMenu& menu)> extend) { m_extendMenu = std::move(extend); }
    // What the primary entity refers to, and what refers to it, as a submenu.
    void fillLinkMenu(QMenu& menu);
    // The menus of a right click and of Alt+click; owned by the caller.
    [[nodiscard]] QMenu* menuFor(const QPoint& place);
    [[nodiscard]] QMenu* drillMenu(const QPoint& place);

signals:
    void framesPerSecondChanged(double fps);
    // Something could not be done: what, and what would be right.
    void problem(const QString& text);
    // Something was done, and there is something to know about it.
    void note(const QString& text);
    // Something was done, as expected: for the status line.
    void done(const QString& text);
    // The picture was made simpler, and why: for a notice.
    void qualityLowered(const QString& text);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragMoveEvent(QDragMoveEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;

private:
    struct Ghost { // what a drag from the browser would create
        std::string type;  // one of the two
        std::string asset; // a mesh or sound file of the project
        Vec3 position{0.0F};
        std::optional<render::Bounds> bounds;
    };

    void connectParts();
    void addActions(ActionRegistry& actions);
    void addToolActions(ActionRegistry& actions);
    void addViewActions(ActionRegistry& actions);
    void addEditActions(ActionRegistry& actions);
    // viewport_links.cpp
    void addLinkActions(ActionRegistry& actions);
    void followLink(LinkWalk::Way way);
    // Selects it, and brings it into the picture if it is not there.
    void goTo(const std::string& entity);
    [[nodiscard]] bool isInSight(const std::string& entity) const;
    void sayHint(const QString& text);
    [[nodiscard]] std::vector<QRect> handleAreas() const; // in this widget's frame
    void arrangeLinkLabels(std::vector<QRect> occupied); // in this widget's frame
    // To the clipboard. False: it could not be, which has been said.
    bool copySelection();
    void paste();
    void snapshotChanged();
    void decorate(render::View& view, int pane);
    void drawTool(render::View& view, int pane);
    void outlineSelection(render::View& view);
    // Says how many copies there are now, and lets them shine for a moment: they may lie exactly on their originals.
    void showCopies(const QString& text);
    void advanceFlash();
    void duplicate();
    void repeatDuplicate();
    void drawMarks(render::View& view);
    void drawMarkers(render::View& view);
    // The space in which a trigger notices something, as this instance has it.
    void drawVolume(render::View& view, const std::string& name, const definition::EntityTypeDefinition& type, const Pose& pose,
                    const Vec4& color);
    // Of an entity that is not drawn.
    [[nodiscard]] std::optional<Pose> markPose(const std::string& name) const;
    void updateStats();
    void updateLegend();
    // Says whose world is shown while it is not the server's.
    void updateWhose();
    void updatePage();
    void showFirst();
    [[nodiscard]] float pictureAspect() const { return pictureAspect(m_view->layout().active()); }
    [[nodiscard]] float pictureAspect(int pane) const; // width to height
    void look(AxisView axis);
    void setOrthographic(bool on);
    void updateLabels();
    void updateSplitters();
    void frameAxisPanes();
    [[nodiscard]] QMenu* projectionMenu(QWidget& parent) const;
    [[nodiscard]] Vec3 placeFor(const std::optional<render::Bounds>& bounds, const QPointF& place, bool invertSnap);
    bool createAsset(const QString& asset, const QPointF& place, bool invertSnap);
    bool create(const std::string& type, const Vec3& position);
    void report(const Result<void>& result);

    static constexpr int StatsMs = 250;
    static constexpr int FlashMs = 500;

    Session& m_session;
    Selection& m_selection;
    Document& m_document;
    ActionRegistry& m_actions;
    const Theme& m_theme;
    EntityEditor m_editor;
    std::unique_ptr<EntitySigns> m_signs;
    ViewportView* m_view;
    std::unique_ptr<LinkLines> m_links;
    std::unique_ptr<MessageLines> m_messages;
    LinkWalk m_walk;
    LinkLabels* m_linkLabels;
    GizmoControl* m_gizmo;
    HandleControl* m_handles;
    ViewportInput* m_input;
    ViewportStrip* m_strip = nullptr;
    std::array<PaneLabel*, PaneLayout::Count> m_labels{};
    std::array<PaneSplitter*, 3> m_splitters{}; // left and right, above and below, all four
    bool m_panesFramed = false; // the views along axes show something of the open project
    bool m_flatAxes = true; // views along an axis are orthographic
    Chip* m_stats;
    DebugLegend* m_legend;
    Chip* m_whose;
    Chip* m_hint;
    Chip* m_readout;
    Chip* m_measure;
    BandShape* m_band;
    Chip* m_bandCount;
    EmptyState* m_empty;
    EmptyState* m_loading;
    QProgressBar* m_loadingBar; // on the page of m_loading
    EmptyState* m_failed;
    QTimer m_statsTimer;
    QTimer m_flashTimer; // frames of the flash
    QElapsedTimer m_flashClock; // since the copies are in the world; not valid: they are not yet
    std::vector<std::string> m_flashing;
    std::optional<Ghost> m_ghost;
    QString m_lastCreated;
    std::function<AssetFacts(const QString&)> m_assetFacts;
    std::vector<std::function<void(render::View&)>> m_drawings;
    std::function<std::vector<QRect>()> m_covered;
    std::function<void(QMenu&)> m_extendMenu;
    const SceneMarks* m_marks = nullptr; // may be null
    std::function<const definition::Scene*()> m_scene;
    std::optional<Mode> m_mode;
    bool m_framed = false; // the project has been looked at
    bool m_isLoading = false;
    std::array<QRect, PaneLayout::Count> m_gizmoAreas; // in the view, as each pane was drawn last
    std::shared_ptr<const EntityList> m_entities;
};

} // namespace sbx::ui
