#include "app/editor/dock_layout.h"

#include <QApplication>
#include <QDockWidget>
#include <QEvent>
#include <QLayout>
#include <QMainWindow>
#include <QTimer>

namespace sbx::editor {

namespace {

const QString WaitingName = QStringLiteral("layoutForItsSize");

// Restores the state again with each resize by the window manager, until the user does something: then the arrangement is theirs.
class LayoutForItsSize : public QObject {
public:
    LayoutForItsSize(QMainWindow& window, QByteArray state, int version)
        : QObject(&window), m_window(window), m_state(std::move(state)), m_version(version) {
        setObjectName(WaitingName);
        qApp->installEventFilter(this);
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        const QEvent::Type type = event->type();
        if (type == QEvent::MouseButtonPress || type == QEvent::KeyPress || type == QEvent::Close)
            deleteLater();
        else if (type == QEvent::Resize && watched == &m_window && m_window.isVisible()
                 && m_window.isMaximized())
            QTimer::singleShot(0, this, [this] { m_window.restoreState(m_state, m_version); });
        return false;
    }

private:
    QMainWindow& m_window;
    QByteArray m_state;
    int m_version;
};

// A state names its panels, as QDataStream writes strings.
bool knows(const QByteArray& state, const QString& panel) {
    QByteArray name;
    for (const QChar c : panel) {
        name.append(static_cast<char>(c.row()));
        name.append(static_cast<char>(c.cell()));
    }
    return state.contains(name);
}

// Panels that are new since the state was kept would take room of their own in it.
void placeUnknown(QMainWindow& window, const QByteArray& state) {
    for (QDockWidget* dock : window.findChildren<QDockWidget*>(QString(), Qt::FindDirectChildrenOnly)) {
        auto* const beside =
            window.findChild<QDockWidget*>(dock->property(BesideProperty).toString(), Qt::FindDirectChildrenOnly);
        if (beside == nullptr || beside == dock || knows(state, dock->objectName()))
            continue;
        const bool isShown = beside->isVisibleTo(&window);
        window.removeDockWidget(dock);
        dock->setFloating(false);
        window.tabifyDockWidget(beside, dock);
        dock->setVisible(isShown);
        if (isShown)
            beside->raise();
    }
}

} // namespace

bool restoreLayout(QMainWindow& window, const QByteArray& state, int version, const QSize& size) {
    constexpr Qt::WindowStates Large = Qt::WindowMaximized | Qt::WindowFullScreen;
    const Qt::WindowStates wanted = window.windowState();
    QObject* before = window.findChild<QObject*>(WaitingName, Qt::FindDirectChildrenOnly);
    const bool isHidden = !window.isVisible() && (wanted & Large);
    if (isHidden)
        window.setWindowState(wanted & ~Large);
    // A restored panel keeps its size in the next layout, whatever room there is. So that is one of the former size; a hidden window has its own
    // later.
    const QSize now = window.size();
    const bool grows =
        !size.isEmpty() && !isHidden && before == nullptr && size != now && size.boundedTo(now) == size;
    if (grows && window.isVisible())
        window.layout()->setGeometry(QRect(QPoint(), size));
    const bool isRestored = window.restoreState(state, version);
    if (grows && !window.isVisible())
        window.layout()->setGeometry(QRect(QPoint(), size));
    else if (grows)
        window.layout()->setGeometry(window.rect());
    if (isHidden)
        window.setWindowState(wanted);
    if (isRestored)
        placeUnknown(window, state);
    // Shown, it may still be on the way to its size.
    if (isRestored && (isHidden || before != nullptr)) {
        delete before;
        new LayoutForItsSize(window, state, version);
    }
    return isRestored;
}

} // namespace sbx::editor
