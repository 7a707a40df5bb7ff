#include "widgets/viewport/viewport_view.h"

#include "engine/session/session.h"
#include "widgets/common/color_picker.h"
#include "widgets/common/theme.h"

#include <QOpenGLContext>
#include <QOpenGLExtraFunctions>
#include <QOpenGLFramebufferObject>
#include <QOpenGLFunctions>
#include <QScreen>

#include <algorithm>
#include <limits>
#include <cmath>
#include <utility>

namespace sbx::ui {

namespace {

// Behind an orthographic picture: dark enough in both themes for the pale lines of grid, icons and gizmo.
Vec4 backgroundOf(const Theme& theme) {
    const QColor color = theme.color(theme.isDark() ? Token::Raised : Token::Muted);
    return {static_cast<float>(color.redF()), static_cast<float>(color.greenF()), static_cast<float>(color.blueF()), 1.0F};
}

} // namespace

ViewportView::ViewportView(Session& session, const Theme& theme, QWidget* parent)
    : QWidget(parent), m_session(session), m_theme(theme), m_cvars(render::registerRenderCVars(session.console().cvars())),
      m_shown(session), m_governor(render::qualityLevels()) {
    setObjectName(QStringLiteral("viewport.view"));
    setAccessibleName(tr("Viewport"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    m_clock.start();
    m_poll.setObjectName(QStringLiteral("viewport.poll"));
    m_poll.setInterval(PollMs);
    connect(&m_poll, &QTimer::timeout, this, &ViewportView::poll);
    m_next.setSingleShot(true);
    m_next.setTimerType(Qt::PreciseTimer);
    connect(&m_next, &QTimer::timeout, this, [this] {
        if (m_target)
            m_target->request();
    });
    m_rest.setSingleShot(true);
    m_rest.setInterval(RestMs);
    connect(&m_rest, &QTimer::timeout, this, [this] {
        if (m_wasAnimating || m_level == bestLevel())
            return;
        applyLevel(bestLevel());
        wake();
    });
    connect(&theme, &Theme::changed, this, &ViewportView::wake);
    makeTarget();
}

ViewportView::~ViewportView() {
    if (m_target && m_target->makeCurrent()) {
        forgetPictures();
        m_renderer.reset();
        m_target->doneCurrent();
    }
    m_target.reset(); // while what it calls back is still there
}

void ViewportView::fail(const QString& text) {
    m_failure = text;
    m_session.log().error("render", text.toStdString());
    emit failed(text);
}

void ViewportView::makeTarget() {
    GlTargetChoice choice = makeGlTarget(*this, {[this](unsigned framebuffer) { draw(framebuffer); }, [this] { frameDone(); },
                                                 [this] {
                                                     forgetPictures();
                                                     m_renderer.reset();
                                                 }});
    m_driver = choice.driver;
    m_software = choice.software;
    m_target = std::move(choice.target);
    if (!m_target) {
        const QString offer = m_driver.isEmpty() ? tr("there is no OpenGL on this display")
                                                 : tr("%1 offers %2.%3").arg(m_driver).arg(choice.major).arg(choice.minor);
        fail(tr("The viewport needs OpenGL 3.3; %1. Install a newer graphics driver, or start with LIBGL_ALWAYS_SOFTWARE=1 to "
                "draw on the processor.")
                 .arg(offer));
        return;
    }
    if (m_software) {
        m_governor.setLevel(bestLevel());
        applyLevel(bestLevel());
    }
}

// In the context.
bool ViewportView::makeRenderer() {
    if (m_renderer || !m_failure.isEmpty())
        return m_renderer != nullptr;
    m_renderer = std::make_unique<render::Renderer>(m_session.meshes());
    if (const Result<void> ready = m_renderer->initialise(); !ready) {
        m_renderer.reset();
        fail(tr("The viewport cannot draw with %1: %2. Install a newer graphics driver, or start with "
                "LIBGL_ALWAYS_SOFTWARE=1 to draw on the processor.")
                 .arg(m_driver, QString::fromStdString(ready.error().message)));
        return false;
    }
    if (m_software && !std::exchange(m_saidLowered, true)) {
        const QString text = tr("Drawing on the processor (%1): no multisampling, smaller shadow map. "
                                "render.msaa and render.shadowSize bring them back.")
                                 .arg(m_driver);
        m_session.log().info("render", text.toStdString());
        emit qualityLowered(text);
    }
    return true;
}

QImage ViewportView::picture() {
    return m_target ? m_target->picture() : QImage();
}

int ViewportView::bestLevel() const {
    return m_software ? render::softwareLevel() : 0;
}

void ViewportView::applyLevel(int level) {
    m_level = level;
    render::applyQuality(m_cvars, level);
}

void ViewportView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_governor.forget();
    if (m_target)
        m_target->resize();
}

void ViewportView::paintEvent(QPaintEvent* event) {
    if (m_target)
        m_target->paint(*event);
}

void ViewportView::forgetPictures() {
    for (Pane& pane : m_panes)
        pane.picture.reset();
}

void ViewportView::setFour(bool on) {
    if (m_layout.isFour() == on)
        return;
    rig().stopFlying();
    m_layout.setFour(on);
    emit panesChanged();
    wake();
}

void ViewportView::setMaximised(bool on) {
    if (m_layout.isMaximised() == on || !m_layout.isFour())
        return;
    m_layout.setMaximised(on);
    emit panesChanged();
    wake();
}

void ViewportView::setSplit(const QPointF& shares) {
    m_layout.setSplit(shares);
    emit panesChanged();
    wakeCamera();
}

void ViewportView::setActivePane(int pane) {
    const int before = m_layout.active();
    m_layout.setActive(pane);
    if (m_layout.active() == before)
        return;
    rig(before).stopFlying();
    emit panesChanged();
    wakeCamera(); // the frame around it
}

bool ViewportView::keepsAxis() const {
    const int active = m_layout.active();
    return active != PaneLayout::Main && rig(active).orthographic() && rig(active).axisView().has_value();
}

render::CameraView ViewportView::camera(int pane) const {
    if (pane == PaneLayout::Main && m_playerCamera && m_shown.scene().camera)
        return *m_shown.scene().camera;
    return rig(pane).view();
}

QRect ViewportView::deviceArea(const QRect& area) const {
    // From edge to edge, so that neighbours neither overlap nor leave a seam.
    const qreal ratio = devicePixelRatioF();
    const auto edge = [ratio](int logical) { return qRound(logical * ratio); };
    const int height = edge(this->height());
    return QRect(QPoint(edge(area.x()), height - edge(area.y() + area.height())),
                 QSize(edge(area.x() + area.width()) - edge(area.x()), edge(area.y() + area.height()) - edge(area.y())));
}

GizmoView ViewportView::gizmoView(int pane) const {
    const QSize pixels = deviceArea(paneArea(pane)).size();
    return {camera(pane), pixels.width(), pixels.height(), static_cast<float>(devicePixelRatioF())};
}

Vec2 ViewportView::toPixels(const QPointF& place) const {
    const QPointF inside = (place - activeArea().topLeft()) * devicePixelRatioF();
    return {static_cast<float>(inside.x()), static_cast<float>(inside.y())};
}

QPointF ViewportView::fromPixels(Vec2 pixel) const {
    return QPointF(static_cast<double>(pixel.x), static_cast<double>(pixel.y)) / devicePixelRatioF() + activeArea().topLeft();
}

render::Ray ViewportView::rayAt(const QPointF& place) const {
    return gizmoView().ray(toPixels(place));
}

float ViewportView::focusAlong() const {
    const CameraRig& active = rig(m_layout.active());
    return active.focusDistance() - (active.orthographic() ? active.view().nearPlane : 0.0F);
}

void ViewportView::setPlayerCamera(bool on) {
    m_playerCamera = on;
    wake();
}

void ViewportView::wake() {
    ++m_revision;
    wakeCamera();
}

void ViewportView::wakeCamera() {
    if (isVisible() && !m_next.isActive() && m_target)
        m_target->request();
}

void ViewportView::setBusy(bool busy) {
    m_busy = busy;
    if (busy)
        wake();
}

bool ViewportView::animates() const {
    return m_busy || m_shown.mode() == Mode::Play || m_shown.previewing();
}

double ViewportView::screenHz() const {
    const int most = m_cvars.maxFps.get();
    const double screenRate = screen() != nullptr ? screen()->refreshRate() : 60.0;
    const double hz = screenRate > 1.0 ? screenRate : 60.0;
    return most > 0 ? std::min(static_cast<double>(most), hz) : hz;
}

double ViewportView::framesPerSecond() const {
    return m_meter.framesPerSecond();
}

render::Statistics ViewportView::statistics() const {
    render::Statistics all;
    for (int i = 0; i < PaneLayout::Count; ++i) {
        if (!m_layout.isShown(i))
            continue;
        const render::Statistics& each = m_panes[static_cast<std::size_t>(i)].statistics;
        all.draws += each.draws;
        all.instances += each.instances;
        all.shadowInstances += each.shadowInstances;
        all.triangles += each.triangles;
        all.lamps = std::max(all.lamps, each.lamps);
        all.darkLamps = std::max(all.darkLamps, each.darkLamps);
        all.cullMs += each.cullMs;
        all.cullNodes += each.cullNodes;
        all.unfinished = all.unfinished || each.unfinished;
    }
    return all;
}

void ViewportView::poll() {
    const bool news = m_shown.poll();
    if (news)
        emit snapshotChanged();
    const std::uint64_t revision = m_session.console().cvars().revision();
    if (news || revision != m_cvarRevision)
        wake();
    m_cvarRevision = revision;
}

void ViewportView::draw(unsigned framebuffer) {
    const qint64 now = m_clock.nsecsElapsed();
    const double sinceLast = m_lastFrameNs < 0 ? 0.0 : static_cast<double>(now - m_lastFrameNs) * 1e-9;
    m_lastFrameNs = now;
    m_paintStartNs = now;
    m_unfinished = false;
    if (m_shown.poll()) {
        ++m_revision;
        emit snapshotChanged();
    }
    if (m_shown.mode() == Mode::Play || m_shown.previewing())
        ++m_revision;
    const double seconds = m_wasAnimating ? std::min(sinceLast, 0.1) : 0.0;
    emit frameStarts(seconds);
    bool moving = false;
    for (Pane& pane : m_panes)
        moving = pane.rig.advance(static_cast<float>(m_wasAnimating ? seconds : 1.0 / 60.0)) || moving;
    m_shown.advance(std::chrono::steady_clock::now());
    if (!makeRenderer())
        return;
    // What was given up for the sake of motion is given up again when something moves.
    if ((moving || animates()) && m_level != m_governor.level())
        applyLevel(m_governor.level());
    if (m_layout.showsSeveral()) {
        drawPanes(framebuffer);
    } else {
        forgetPictures();
        drawPane(m_layout.active(), deviceArea(rect()).size(), framebuffer, false);
    }
    const bool playing = m_shown.mode() == Mode::Play;
    if (m_edgeShown && playing)
        drawEdge(rect(), m_theme.color(Token::Play), EdgeWidth);
    else if (m_edgeShown && hasFocus() && !m_layout.showsSeveral())
        drawEdge(rect(), m_theme.color(Token::Accent), 1.0);
    if (m_edgeShown && m_layout.showsSeveral()) {
        const int inset = playing ? qRound(EdgeWidth) : 0; // beside the line of the running world
        drawEdge(activeArea().adjusted(inset, inset, -inset, -inset), m_theme.color(hasFocus() ? Token::Accent : Token::Muted), EdgeWidth);
    }
    m_unfinished = statistics().unfinished;
    m_revision += m_unfinished ? 1 : 0; // each pane is drawn again
    // The next frame is requested when this one is on the screen: see frameDone().
    m_wasAnimating = animates() || moving;
}

void ViewportView::drawPane(int pane, const QSize& pixels, unsigned framebuffer, bool sceneKept) {
    m_view.camera = camera(pane);
    m_view.width = pixels.width();
    m_view.height = pixels.height();
    m_view.pixelRatio = static_cast<float>(devicePixelRatioF());
    m_view.framebuffer = framebuffer;
    m_view.slot = m_layout.showsSeveral() ? pane : 0;
    m_view.sceneKept = sceneKept;
    m_view.compileMs = m_early ? EarlyCompileMs : std::numeric_limits<double>::infinity();
    m_view.accent = overlayColor(m_theme.color(Token::Accent));
    m_view.background = backgroundOf(m_theme);
    m_view.selected.clear();
    m_view.debug.lines.clear();
    m_view.overlay.clear();
    if (m_decorator)
        m_decorator(m_view, pane);
    render::Settings settings = m_cvars.settings();
    settings.grid = settings.grid && !(m_playerCamera && pane == PaneLayout::Main);
    m_renderer->render(m_shown.scene(), m_view, settings);
    ++m_panes[static_cast<std::size_t>(pane)].drawings;
    m_panes[static_cast<std::size_t>(pane)].statistics = m_renderer->statistics();
    sayDarkLamps();
}

void ViewportView::drawPanes(unsigned framebuffer) {
    bool sceneKept = false;
    for (int i = 0; i < PaneLayout::Count; ++i) {
        Pane& pane = m_panes[static_cast<std::size_t>(i)];
        const QSize pixels = deviceArea(paneArea(i)).size();
        if (!pane.picture || pane.picture->size() != pixels) {
            pane.picture = std::make_unique<QOpenGLFramebufferObject>(pixels);
            pane.revision = 0;
        }
        if (pane.revision == m_revision && pane.camera == camera(i))
            continue;
        drawPane(i, pixels, pane.picture->handle(), sceneKept);
        pane.camera = m_view.camera;
        pane.revision = m_revision;
        sceneKept = true;
    }
    QOpenGLExtraFunctions* gl = m_target->context()->extraFunctions();
    gl->glBindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffer);
    const QColor gap = m_theme.color(Token::Ground);
    gl->glClearColor(static_cast<float>(gap.redF()), static_cast<float>(gap.greenF()), static_cast<float>(gap.blueF()), 1.0F);
    gl->glClear(GL_COLOR_BUFFER_BIT);
    for (int i = 0; i < PaneLayout::Count; ++i) {
        const QRect to = deviceArea(paneArea(i));
        gl->glBindFramebuffer(GL_READ_FRAMEBUFFER, m_panes[static_cast<std::size_t>(i)].picture->handle());
        gl->glBlitFramebuffer(0, 0, to.width(), to.height(), to.x(), to.y(), to.x() + to.width(), to.y() + to.height(), GL_COLOR_BUFFER_BIT,
                              GL_NEAREST);
    }
    gl->glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    m_view.framebuffer = framebuffer;
}

// Once a run and project, not with every turn of the camera: the statistics show the rest.
void ViewportView::sayDarkLamps() {
    const render::Statistics drawn = m_renderer->statistics();
    if (drawn.darkLamps == 0 || m_shown.snapshot() == nullptr || m_lampsReported == m_shown.snapshot()->run)
        return;
    m_lampsReported = m_shown.snapshot()->run;
    m_session.log().info("render", tr("%1 lamps reach the picture, the %2 nearest shine.")
                                       .arg(drawn.lamps + drawn.darkLamps)
                                       .arg(drawn.lamps)
                                       .toStdString());
}

void ViewportView::drawEdge(const QRect& area, const QColor& color, double width) {
    QOpenGLFunctions* gl = m_target->context()->functions();
    const int line = std::max(1, qRound(width * devicePixelRatioF()));
    const QRect at = deviceArea(area);
    const int w = at.width();
    const int h = at.height();
    gl->glBindFramebuffer(GL_FRAMEBUFFER, m_view.framebuffer);
    gl->glEnable(GL_SCISSOR_TEST);
    gl->glClearColor(static_cast<float>(color.redF()), static_cast<float>(color.greenF()), static_cast<float>(color.blueF()), 1.0F);
    const int boxes[4][4] = {{0, 0, w, line}, {0, h - line, w, line}, {0, 0, line, h}, {w - line, 0, line, h}};
    for (const auto& box : boxes) {
        gl->glScissor(at.x() + box[0], at.y() + box[1], box[2], box[3]);
        gl->glClear(GL_COLOR_BUFFER_BIT);
    }
    gl->glDisable(GL_SCISSOR_TEST);
}

void ViewportView::frameDone() {
    if (m_paintStartNs < 0)
        return;
    emit frameShown();
    const qint64 now = m_clock.nsecsElapsed();
    const double drawMs = static_cast<double>(now - m_paintStartNs) * 1e-6;
    m_paintStartNs = -1;
    if (!m_wasAnimating) {
        if (m_level != bestLevel() && !m_rest.isActive())
            m_rest.start();
        m_governor.forget();
        m_meter.clear();
        if (m_lastStatsNs != 0) {
            m_lastStatsNs = 0;
            emit framesPerSecondChanged(0.0); // drawn on demand from here on
        }
        if (m_unfinished)
            m_next.start(UnfinishedRestMs);
        return;
    }
    m_rest.stop();
    m_meter.frame(std::chrono::steady_clock::now(), drawMs);
    if (m_unfinished) {
        m_governor.forget(); // shaders were compiled
    } else if (const int change = m_governor.frame(drawMs); change != 0) {
        applyLevel(m_governor.level());
        const QString step = QString::fromStdString(render::qualityText(m_governor.level()));
        const QString text = change > 0 ? tr("Frames take %1 ms: %2.").arg(m_meter.frameMs(), 0, 'f', 0).arg(step)
                                        : tr("Frames take %1 ms: the picture is better again.").arg(m_meter.frameMs(), 0, 'f', 0);
        m_session.log().info("render", text.toStdString());
        if (change > 0 && !std::exchange(m_saidLowered, true))
            emit qualityLowered(text);
    }
    if (now - m_lastStatsNs > 500'000'000) {
        m_lastStatsNs = now;
        emit framesPerSecondChanged(framesPerSecond());
    }
    // Whatever a frame costs, the rest of the window gets its turn.
    const double rest = std::max(1000.0 / screenHz() - drawMs, m_software ? std::max(2.0, 0.1 * drawMs) : 0.0);
    m_next.start(static_cast<int>(std::floor(rest)));
}

void ViewportView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    m_poll.start();
    m_wasAnimating = false;
    wake();
}

void ViewportView::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    wake();
}

void ViewportView::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    wake();
}

void ViewportView::hideEvent(QHideEvent* event) {
    m_poll.stop();
    m_next.stop();
    m_rest.stop();
    m_paintStartNs = -1;
    QWidget::hideEvent(event);
}

} // namespace sbx::ui

#include "moc_viewport_view.cpp"
