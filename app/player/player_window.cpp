#include "app/player/player_window.h"

#include "app/player/playback.h"
#include "app/player/world_keys.h"
#include "engine/components/messages.h"
#include "widgets/common/theme.h"
#include "widgets/viewport/chip.h"
#include "widgets/viewport/viewport_view.h"

#include <QKeyEvent>
#include <QMouseEvent>

#include <algorithm>
#include <utility>

namespace sbx::player {

namespace {

// Whether anybody in the world is steered by Input: then the mouse looks.
bool listensToInput(const FrameSnapshot& snapshot) {
    return snapshot.entities
           && std::any_of(snapshot.entities->rows.begin(), snapshot.entities->rows.end(), [](const EntityRow& row) {
                  return row.entityType && row.entityType->handles(messageIdOf<Input>(), Side::Server);
              });
}

// "Left: Flipper", …; of many the first.
QString keysText(Session& session) {
    constexpr std::size_t Most = 8;
    if (session.simulation().content() == nullptr)
        return {};
    QStringList keys;
    for (const WorldKey& key : worldKeys(*session.simulation().content(), session.catalog().schema)) {
        if (keys.size() == Most) {
            keys.append(QStringLiteral("…"));
            break;
        }
        QString name = QString::fromStdString(key.key);
        name[0] = name[0].toUpper();
        QStringList types;
        for (const std::string& type : key.types)
            types.append(QString::fromStdString(type));
        keys.append(QStringLiteral("%1: %2").arg(name, types.join(QStringLiteral(", "))));
    }
    return keys.join(QStringLiteral("  ·  "));
}

} // namespace

PlayerWindow::PlayerWindow(Session& session, const ui::Theme& theme, QWidget* parent)
    : QWidget(parent), m_view(new ui::ViewportView(session, theme, this)),
      m_hint(new ui::Chip(theme, QStringLiteral("player.hint"), this)),
      m_connection(new ui::Chip(theme, QStringLiteral("player.connection"), this)), m_controls(session), m_mouse(*m_view) {
    setObjectName(QStringLiteral("player"));
    setMinimumSize(64, 64);
    setFocusProxy(m_view);
    m_view->setEdgeShown(false);
    m_view->setPlayerCamera(true);
    m_view->installEventFilter(this);
    m_view->setFocus();
    if (const FrameSnapshot* snapshot = m_view->shown().snapshot(); snapshot != nullptr && snapshot->scene) {
        const render::CameraView from = overview(*snapshot->scene);
        m_view->rig().lookAt(from.pose.position, from.pose.position + from.pose.rotation * Vec3(0.0F, 0.0F, -20.0F));
    }
    m_keys = keysText(session); // before the session has a thread of its own
    connect(m_view, &ui::ViewportView::snapshotChanged, this, &PlayerWindow::worldChanged);
    // From when the picture is there: a slow machine takes seconds for the first one.
    connect(m_view, &ui::ViewportView::frameShown, this, [this] {
        if (m_started && !std::exchange(m_keysSaid, true))
            sayKeys();
    });
    connect(m_view, &ui::ViewportView::frameStarts, this, [this] { m_controls.send(); });
    // Not from within the view's own painting.
    connect(m_view, &ui::ViewportView::failed, this, &PlayerWindow::failed, Qt::QueuedConnection);
}

PlayerWindow::~PlayerWindow() {
    m_mouse.end();
    m_view->removeEventFilter(this); // its events may still come while it goes
    disconnect(m_view, nullptr, this, nullptr);
}

QString PlayerWindow::failure() const {
    return m_view->failure();
}

QImage PlayerWindow::picture() {
    return m_view->picture();
}

void PlayerWindow::setEarlyPictures(bool on) { m_view->setEarlyPictures(on); }

void PlayerWindow::setFullScreen(bool on) {
    if (on)
        showFullScreen();
    else
        showNormal();
}

void PlayerWindow::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_view->setGeometry(rect());
    placeHint();
    placeConnection();
}

void PlayerWindow::sayKeys() {
    QStringList lines;
    if (m_looks)
        lines.append(tr("WASD: walk  ·  mouse: look  ·  Space: jump  ·  Shift: run"));
    if (!m_keys.isEmpty())
        lines.append(m_keys);
    lines.append(m_looks ? tr("Esc: give the mouse back  ·  F11: whole screen  ·  F1: show the keys")
                         : tr("Esc twice: quit  ·  F11: whole screen  ·  F1: show the keys"));
    say(lines.join(QLatin1Char('\n')), KeysMs);
}

void PlayerWindow::setNetwork(const QString& title, const QString& notice) {
    if (m_name.isEmpty())
        m_name = windowTitle();
    setWindowTitle(title.isEmpty() ? m_name : tr("%1 – %2").arg(m_name, title));
    if (!notice.isEmpty() && std::exchange(m_notice, notice) != notice)
        say(notice, NoticeMs);
}

void PlayerWindow::setConnection(const QString& waiting, const QString& ended) {
    const QString text =
        ended.isEmpty() ? waiting : tr("No connection: the game stands still.\n%1\nEsc twice: quit").arg(ended);
    if (std::exchange(m_connectionText, text) == text)
        return;
    if (!ended.isEmpty())
        letGo();
    m_connection->say(text);
    placeConnection();
}

void PlayerWindow::say(const QString& text, int milliseconds) {
    m_hint->say(text, milliseconds);
    placeHint();
}

// At most as wide as the window; longer lines are wrapped.
void PlayerWindow::placeHint() {
    m_hint->fitInto(width() - 4 * ui::measure::PanelPadding);
    m_hint->move((width() - m_hint->width()) / 2, height() - m_hint->height() - 5 * ui::measure::PanelPadding);
}

void PlayerWindow::placeConnection() {
    if (m_connectionText.isEmpty())
        return;
    m_connection->fitInto(width() - 4 * ui::measure::PanelPadding);
    m_connection->move((width() - m_connection->width()) / 2, (height() - m_connection->height()) / 2);
}

void PlayerWindow::worldChanged() {
    const FrameSnapshot* snapshot = m_view->shown().snapshot();
    if (snapshot == nullptr || snapshot->mode == Mode::Edit)
        return;
    m_looks = snapshot->scene && snapshot->scene->camera && listensToInput(*snapshot);
    if (!m_looks)
        m_mouse.end();
    takeMouseAtFirst();
    m_started = true;
}

void PlayerWindow::takeMouse() {
    if (!m_looks || m_mouse.active())
        return;
    m_mouse.beginAtCentre();
}

// As soon as there is a window with the focus and a world that listens; later a click takes it.
void PlayerWindow::takeMouseAtFirst() {
    if (m_mouseTaken || !m_looks || !m_view->hasFocus() || !isActiveWindow())
        return;
    m_mouseTaken = true;
    takeMouse();
}

void PlayerWindow::letGo() {
    m_mouse.end();
    m_controls.releaseAll();
}

void PlayerWindow::escape() {
    if (m_leaving) {
        close();
        return;
    }
    const bool had = m_mouse.active();
    letGo();
    m_leaving = true;
    say(had ? tr("The mouse is free: click to take it again  ·  Esc again quits") : tr("Esc again quits"), HintMs);
}

bool PlayerWindow::keyPress(const QKeyEvent& event) {
    if (event.isAutoRepeat())
        return true;
    if (event.key() == Qt::Key_Escape) {
        escape();
        return true;
    }
    m_leaving = false;
    if (event.key() == Qt::Key_F11)
        setFullScreen(!isFullScreen());
    else if (event.key() == Qt::Key_F1)
        sayKeys();
    else if (event.matches(QKeySequence::Quit) || event.matches(QKeySequence::Close))
        close();
    else
        m_controls.press(event);
    return true; // Tab too: there is nowhere else to go
}

bool PlayerWindow::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
    case QEvent::KeyPress:
        return keyPress(*static_cast<QKeyEvent*>(event));
    case QEvent::KeyRelease:
        m_controls.release(*static_cast<QKeyEvent*>(event));
        return true;
    case QEvent::MouseButtonPress:
    case QEvent::MouseButtonDblClick:
        m_leaving = false;
        takeMouse();
        return true;
    case QEvent::MouseMove:
        if (m_mouse.active())
            m_controls.look(m_mouse.turned(static_cast<QMouseEvent*>(event)->globalPosition().toPoint()));
        return true;
    case QEvent::FocusIn:
        takeMouseAtFirst();
        return false;
    case QEvent::FocusOut:
    case QEvent::Hide:
        letGo();
        return false;
    default:
        return QWidget::eventFilter(watched, event);
    }
}

} // namespace sbx::player

#include "moc_player_window.cpp"
