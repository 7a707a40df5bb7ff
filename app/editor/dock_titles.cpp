#include "app/editor/dock_titles.h"

#include <QContextMenuEvent>
#include <QDockWidget>
#include <QMainWindow>
#include <QMenu>
#include <QTabBar>

#include <algorithm>

namespace sbx::editor {

namespace {

// In place of a title bar; takes no room.
class NoTitle : public QWidget {
public:
    using QWidget::QWidget;
    [[nodiscard]] QSize sizeHint() const override { return {0, 0}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {0, 0}; }
};

const QString NoTitleName = QStringLiteral(".noTitle"); // behind the name of the dock

} // namespace

DockTitles::DockTitles(QMainWindow& window) : QObject(&window), m_window(window) {
    // Once for all that an arrangement changes.
    m_timer.setSingleShot(true);
    m_timer.setInterval(0);
    connect(&m_timer, &QTimer::timeout, this, &DockTitles::refresh);
    const auto later = [this] { m_timer.start(); };
    for (QDockWidget* dock : window.findChildren<QDockWidget*>(QString(), Qt::FindDirectChildrenOnly)) {
        connect(dock, &QDockWidget::topLevelChanged, this, later);
        connect(dock, &QDockWidget::dockLocationChanged, this, later);
        connect(dock, &QDockWidget::visibilityChanged, this, later);
    }
    window.installEventFilter(this);
    for (QTabBar* bar : window.findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly))
        bar->installEventFilter(this);
    m_timer.start();
}

void DockTitles::refresh() {
    for (QDockWidget* dock : m_window.findChildren<QDockWidget*>(QString(), Qt::FindDirectChildrenOnly)) {
        const QList<QDockWidget*> others = m_window.tabifiedDockWidgets(dock);
        const bool tabbed = !dock->isFloating() && std::any_of(others.begin(), others.end(), [](const QDockWidget* other) {
            return !other->isHidden() && !other->isFloating();
        });
        QWidget* const own = dock->titleBarWidget();
        if (tabbed == (own != nullptr))
            continue;
        if (tabbed) {
            auto* none = new NoTitle(dock);
            none->setObjectName(dock->objectName() + NoTitleName);
            dock->setTitleBarWidget(none);
        } else {
            dock->setTitleBarWidget(nullptr);
            own->deleteLater();
        }
    }
}

QDockWidget* DockTitles::dockAt(const QTabBar& bar, const QPoint& at) const {
    const int tab = bar.tabAt(at);
    if (tab < 0)
        return nullptr;
    for (QDockWidget* dock : m_window.findChildren<QDockWidget*>(QString(), Qt::FindDirectChildrenOnly))
        if (dock->windowTitle() == bar.tabText(tab) && !dock->isFloating() && !dock->isHidden())
            return dock;
    return nullptr;
}

void DockTitles::showMenu(QTabBar& bar, const QPoint& at) {
    QDockWidget* dock = dockAt(bar, at);
    if (dock == nullptr)
        return;
    auto* menu = new QMenu(&bar);
    menu->setObjectName(QStringLiteral("dock.tabs.menu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(tr("&Float"), dock, [dock] { dock->setFloating(true); })->setObjectName(QStringLiteral("dock.tabs.menu.float"));
    menu->addAction(tr("&Close"), dock, &QWidget::close)->setObjectName(QStringLiteral("dock.tabs.menu.close"));
    menu->popup(bar.mapToGlobal(at));
}

bool DockTitles::eventFilter(QObject* watched, QEvent* event) {
    if (watched == &m_window) {
        // Qt makes the bars when panels come to lie behind one another.
        if (event->type() == QEvent::ChildPolished) {
            if (auto* bar = qobject_cast<QTabBar*>(static_cast<QChildEvent*>(event)->child()); bar != nullptr)
                bar->installEventFilter(this);
        } else if (event->type() == QEvent::LayoutRequest) {
            m_timer.start();
        }
        return false;
    }
    auto* bar = qobject_cast<QTabBar*>(watched);
    if (bar == nullptr)
        return false;
    if (event->type() == QEvent::ContextMenu) {
        showMenu(*bar, static_cast<QContextMenuEvent*>(event)->pos());
        return true;
    }
    if (event->type() == QEvent::MouseButtonDblClick)
        if (QDockWidget* dock = dockAt(*bar, static_cast<QMouseEvent*>(event)->position().toPoint()); dock != nullptr) {
            dock->setFloating(true);
            return true;
        }
    return false;
}

} // namespace sbx::editor

#include "moc_dock_titles.cpp"
