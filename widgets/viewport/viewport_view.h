#pragma once
// The picture: draws the session's latest snapshots with OpenGL, and paces itself. It draws all the time while the world
// plays or the camera moves, else when something changed. What people do with it is ViewportInput's; what is drawn over the
// scene comes from the decorator.
//
// One pane or four (pane_layout.h) with a camera each show the same scene by the same renderer. The active pane is the one under the
// mouse: rig(), camera(), gizmoView(), toPixels() and rayAt() are its own. With several, each pane's picture is kept, and drawn again
// only when its camera or what is shown has changed.
//
// GUI thread. Owns the renderer, the camera and the shown scene; session and theme outlive it. Where there is no OpenGL it says so
// once (failed()) and draws nothing.

#include "widgets/viewport/camera_rig.h"
#include "widgets/viewport/frame_pace.h"
#include "widgets/viewport/gizmo.h"
#include "widgets/viewport/gl_target.h"
#include "widgets/viewport/pane_layout.h"
#include "widgets/viewport/shown_scene.h"
#include "engine/render/render_cvars.h"
#include "widgets/common/addressed_parts.h"

#include <QElapsedTimer>
#include <QImage>
#include <QTimer>
#include <QWidget>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

class QOpenGLFramebufferObject;

namespace sbx::ui {

class Theme;

class ViewportView : public QWidget, public AddressedParts {
    Q_OBJECT

public:
    ViewportView(Session& session, const Theme& theme, QWidget* parent = nullptr);
    ~ViewportView() override;

    [[nodiscard]] CameraRig& rig() { return rig(m_layout.active()); }
    [[nodiscard]] CameraRig& rig(int pane) { return m_panes[static_cast<std::size_t>(pane)].rig; }
    [[nodiscard]] const CameraRig& rig(int pane) const { return m_panes[static_cast<std::size_t>(pane)].rig; }
    [[nodiscard]] const PaneLayout& layout() const { return m_layout; }
    void setFour(bool on);
    void setMaximised(bool on);
    void setSplit(const QPointF& shares);
    void setActivePane(int pane);
    // Makes the pane at that place the active one; in the gap the active one stays.
    void activateAt(const QPointF& place) { setActivePane(m_layout.at(place, size())); }
    // In the view, in logical pixels; empty while it is not shown.
    [[nodiscard]] QRect paneArea(int pane) const { return m_layout.area(pane, size()); }
    [[nodiscard]] QRect activeArea() const { return paneArea(m_layout.active()); }
    // A pane of four beside the main one keeps to its axis: drags do not turn it.
    [[nodiscard]] bool keepsAxis() const;
    [[nodiscard]] ShownScene& shown() { return m_shown; }
    [[nodiscard]] const render::RenderCVars& cvars() const { return m_cvars; }
    // What is being looked through: the editor's camera, or the scene's in the player's view.
    [[nodiscard]] render::CameraView camera() const { return camera(m_layout.active()); }
    // Only the main pane shows what the player sees.
    [[nodiscard]] render::CameraView camera(int pane) const;
    // The one that listens.
    [[nodiscard]] render::CameraView mainCamera() const { return camera(PaneLayout::Main); }
    [[nodiscard]] GizmoView gizmoView() const { return gizmoView(m_layout.active()); }
    [[nodiscard]] GizmoView gizmoView(int pane) const;
    // From a place in the widget to pixels of the active pane's picture, and back.
    [[nodiscard]] Vec2 toPixels(const QPointF& place) const;
    [[nodiscard]] QPointF fromPixels(Vec2 pixel) const;
    [[nodiscard]] render::Ray rayAt(const QPointF& place) const;
    // Metres along such a ray to what the editor's camera has in focus.
    [[nodiscard]] float focusAlong() const;

    // Parts of the picture for scripts and tests: "entity:NAME" is the place where a click picks that entity (viewport_parts.cpp).
    [[nodiscard]] QStringList partNames(int limit) const override;
    [[nodiscard]] Result<QPoint> placeOfPart(const QString& part) const override;
    // What a click picks, where that is more than what is drawn of the scene: signs of what has no shape.
    void setEntityAt(std::function<std::string(const QPointF&)> entityAt) { m_entityAt = std::move(entityAt); }

    // Looks through the scene's camera for as long as it has one.
    void setPlayerCamera(bool on);
    [[nodiscard]] bool playerCamera() const { return m_playerCamera; }

    // The lines along the edge that say playing or focused; on unless a window has nothing but the picture.
    void setEdgeShown(bool shown) { m_edgeShown = shown; }

    // Pictures do not wait for all their shaders to be compiled, which takes a second or more where the driver knows none of them yet:
    // for some frames surfaces have the shaders of other materials. For a window that a person waits for; off at first.
    void setEarlyPictures(bool on) { m_early = on; }

    // Adds outline, lines and overlay to the picture of a pane.
    using Decorator = std::function<void(render::View&, int pane)>;
    void setDecorator(Decorator decorator) { m_decorator = std::move(decorator); }

    // A frame soon, of everything.
    void wake();
    // A frame soon, in which nothing but cameras differs.
    void wakeCamera();
    // Draw all the time, whatever the world does: a camera is being moved.
    void setBusy(bool busy);

    [[nodiscard]] double framesPerSecond() const;
    [[nodiscard]] double frameMs() const { return m_meter.frameMs(); }
    // Of all panes that are shown, each as it was drawn last.
    [[nodiscard]] render::Statistics statistics() const;
    [[nodiscard]] const FrameGovernor& governor() const { return m_governor; }
    // Of the picture as it is drawn now, see render::qualityLevels(): while nothing moves that is the best this machine starts with,
    // whatever was given up to keep up with motion.
    [[nodiscard]] int qualityLevel() const { return m_level; }
    [[nodiscard]] bool isSoftware() const { return m_software; }
    // Why there is no picture; empty: there is one.
    [[nodiscard]] QString failure() const { return m_failure; }
    // The last frame, in device pixels.
    [[nodiscard]] QImage picture();

    // How often a pane's picture was drawn so far.
    [[nodiscard]] std::uint64_t drawings(int pane) const { return m_panes[static_cast<std::size_t>(pane)].drawings; }

signals:
    // Which panes there are and where, or which one is active.
    void panesChanged();
    // A frame has reached the screen.
    void frameShown();
    // Before each frame: the time since the last one, at most a tenth of a second.
    void frameStarts(double seconds);
    void snapshotChanged();
    void framesPerSecondChanged(double fps);
    // What went wrong and what to do, for a label.
    void failed(const QString& text);
    // Worth a notice, once: the picture is simpler than it could be. Later steps are said in the log and the statistics.
    void qualityLowered(const QString& text);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    [[nodiscard]] bool animates() const;
    // viewport_parts.cpp
    [[nodiscard]] std::string entityAt(const QPointF& place) const;
    [[nodiscard]] std::optional<QPointF> placeOf(const Vec3& point) const;
    [[nodiscard]] bool isCovered(const QPoint& place) const;
    [[nodiscard]] QRectF areaOf(const render::Bounds& bounds) const;
    [[nodiscard]] std::vector<QPoint> placesOf(const std::string& entity) const;
    [[nodiscard]] double screenHz() const;
    void poll();
    void makeTarget();
    bool makeRenderer();
    void draw(unsigned framebuffer);
    void frameDone();
    void sayDarkLamps();
    void drawPanes(unsigned framebuffer);
    void drawPane(int pane, const QSize& pixels, unsigned framebuffer, bool sceneKept);
    // Along the inside of a rectangle of the view.
    void drawEdge(const QRect& area, const QColor& color, double width);
    // In device pixels, from the lower left as OpenGL counts.
    [[nodiscard]] QRect deviceArea(const QRect& area) const;
    void forgetPictures();
    void fail(const QString& text);
    void applyLevel(int level);
    [[nodiscard]] int bestLevel() const;

    static constexpr int PollMs = 30;
    static constexpr int RestMs = 250; // without motion, until the picture gets its full quality back
    static constexpr double EarlyCompileMs = 60.0;
    static constexpr int UnfinishedRestMs =
        2;                                   // for the rest of the window, before the picture is drawn again
    static constexpr double EdgeWidth = 2.0; // logical pixels

    Session& m_session;
    const Theme& m_theme;
    render::RenderCVars m_cvars;
    ShownScene m_shown;
    struct Pane {
        CameraRig rig;
        std::unique_ptr<QOpenGLFramebufferObject> picture; // while several are shown
        render::CameraView camera;                         // the picture's
        std::uint64_t revision = 0;                        // of what it shows; 0: of nothing
        std::uint64_t drawings = 0;
        render::Statistics statistics;
    };
    std::array<Pane, PaneLayout::Count> m_panes;
    PaneLayout m_layout;
    std::uint64_t m_revision = 1; // of what all panes show
    Decorator m_decorator;
    std::function<std::string(const QPointF&)> m_entityAt;
    std::unique_ptr<GlTarget> m_target;
    std::unique_ptr<render::Renderer> m_renderer;
    QString m_driver;
    render::View m_view;
    QString m_failure;
    bool m_software = false;
    bool m_saidLowered = false;
    bool m_playerCamera = false;
    bool m_edgeShown = true;
    bool m_busy = false;
    bool m_early = false;
    bool m_unfinished = false; // the last picture was

    QTimer m_poll{this}; // while nothing moves
    QTimer m_next; // the next frame while something does
    QTimer m_rest; // after the last frame of a motion
    int m_level = 0; // in force
    std::uint64_t m_cvarRevision = 0;
    QElapsedTimer m_clock;
    qint64 m_lastFrameNs = -1;
    qint64 m_paintStartNs = -1;
    bool m_wasAnimating = false;
    FrameMeter m_meter;
    FrameGovernor m_governor;
    qint64 m_lastStatsNs = 0;
    std::optional<std::uint64_t> m_lampsReported; // the run
};

} // namespace sbx::ui
