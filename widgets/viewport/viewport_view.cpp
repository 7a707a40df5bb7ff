#include "widgets/viewport/viewport_view.h"

#include "engine/session/session.h"
#include "widgets/common/color_picker.h"
#include "widgets/common/theme.h"

#include <QOpenGLContext>
#include <QOpenGLFunctions>
#include <QScreen>

#include <algorithm>
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
                                                 [this] { m_renderer.reset(); }});
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

render::CameraView ViewportView::camera() const {
    if (m_playerCamera && m_shown.scene().camera)
        return *m_shown.scene().camera;
    return m_rig.view();
}

GizmoView ViewportView::gizmoView() const {
    const qreal ratio = devicePixelRatioF();
    return {camera(), qRound(width() * ratio), qRound(height() * ratio), static_cast<float>(ratio)};
}

Vec2 ViewportView::toPixels(const QPointF& place) const {
    const qreal ratio = devicePixelRatioF();
    return {static_cast<float>(place.x() * ratio), static_cast<float>(place.y() * ratio)};
}

render::Ray ViewportView::rayAt(const QPointF& place) const {
    return gizmoView().ray(toPixels(place));
}

float ViewportView::focusAlong() const {
    return m_rig.focusDistance() - (m_rig.orthographic() ? m_rig.view().nearPlane : 0.0F);
}

void ViewportView::setPlayerCamera(bool on) {
    m_playerCamera = on;
    wake();
}

void ViewportView::wake() {
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
    return m_renderer ? m_renderer->statistics() : render::Statistics{};
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
    if (m_shown.poll())
        emit snapshotChanged();
    const double seconds = m_wasAnimating ? std::min(sinceLast, 0.1) : 0.0;
    emit frameStarts(seconds);
    const bool moving = m_rig.advance(static_cast<float>(m_wasAnimating ? seconds : 1.0 / 60.0));
    m_shown.advance(std::chrono::steady_clock::now());
    if (!makeRenderer())
        return;
    // What was given up for the sake of motion is given up again when something moves.
    if ((moving || animates()) && m_level != m_governor.level())
        applyLevel(m_governor.level());
    const GizmoView geometry = gizmoView();
    m_view.camera = geometry.camera;
    m_view.width = geometry.width;
    m_view.height = geometry.height;
    m_view.pixelRatio = geometry.pixelRatio;
    m_view.framebuffer = framebuffer;
    m_view.accent = overlayColor(m_theme.color(Token::Accent));
    m_view.background = backgroundOf(m_theme);
    m_view.selected.clear();
    m_view.debug.lines.clear();
    m_view.overlay.clear();
    if (m_decorator)
        m_decorator(m_view);
    render::Settings settings = m_cvars.settings();
    settings.grid = settings.grid && !m_playerCamera;
    m_renderer->render(m_shown.scene(), m_view, settings);
    sayDarkLamps();
    if (m_edgeShown && m_shown.mode() == Mode::Play)
        drawEdge(m_theme.color(Token::Play), EdgeWidth);
    else if (m_edgeShown && hasFocus())
        drawEdge(m_theme.color(Token::Accent), 1.0);
    // The next frame is requested when this one is on the screen: see frameDone().
    m_wasAnimating = animates() || moving;
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

void ViewportView::drawEdge(const QColor& color, double width) {
    QOpenGLFunctions* gl = m_target->context()->functions();
    const int line = std::max(1, qRound(width * devicePixelRatioF()));
    const int w = m_view.width;
    const int h = m_view.height;
    gl->glBindFramebuffer(GL_FRAMEBUFFER, m_view.framebuffer);
    gl->glEnable(GL_SCISSOR_TEST);
    gl->glClearColor(static_cast<float>(color.redF()), static_cast<float>(color.greenF()), static_cast<float>(color.blueF()), 1.0F);
    const int boxes[4][4] = {{0, 0, w, line}, {0, h - line, w, line}, {0, 0, line, h}, {w - line, 0, line, h}};
    for (const auto& box : boxes) {
        gl->glScissor(box[0], box[1], box[2], box[3]);
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
        return;
    }
    m_rest.stop();
    m_meter.frame(std::chrono::steady_clock::now(), drawMs);
    if (const int change = m_governor.frame(drawMs); change != 0) {
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
