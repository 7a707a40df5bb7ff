// What of a row can be gone to: by mouse, by menu.

#include <QContextMenuEvent>
#include <QMenu>
#include <QMouseEvent>

#include "widgets/console/log_model.h"
#include "widgets/console/log_view.h"

namespace sbx::ui {

void LogView::setLinkNames(LinkNames names) {
    m_names = std::move(names);
    hoverChanged();
}

std::vector<LogLink> LogView::linksOf(int row) const {
    return row < 0 || row >= m_model.rowCount() ? std::vector<LogLink>() : findLinks(m_model.at(row).text, m_names);
}

void LogView::hoverChanged() {
    m_links = linksOf(hoveredRow());
    viewport()->update();
}

void LogView::follow(const LogLink& link) { emit linkActivated(link); }

void LogView::mousePressEvent(QMouseEvent* event) {
    m_pressed = event->pos();
    QAbstractItemView::mousePressEvent(event);
}

void LogView::mouseReleaseEvent(QMouseEvent* event) {
    QAbstractItemView::mouseReleaseEvent(event);
    // A drag selects rows and follows nothing.
    if (event->button() != Qt::LeftButton || event->modifiers() != Qt::NoModifier
        || (event->pos() - m_pressed).manhattanLength() > 4)
        return;
    hoverAt(event->pos().y());
    if (const std::optional<LogLink> link = linkAt(event->pos()))
        follow(*link);
}

QMenu* LogView::menuFor(int row) {
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("console.menu"));
    QStringList had;
    for (const LogLink& link : linksOf(row)) {
        QString target = link.target;
        target.replace(QLatin1Char('&'), QLatin1String("&&"));
        const QString text = link.kind == LinkKind::Entity    ? tr("Select %1").arg(target)
                             : link.kind == LinkKind::CVar    ? tr("Show %1 among the CVars").arg(target)
                             : link.kind == LinkKind::Command ? tr("Explain %1").arg(target)
                             : link.kind == LinkKind::Message ? tr("Show message #%1").arg(target)
                                                              : tr("Open %1").arg(target);
        if (had.contains(text))
            continue;
        had.append(text);
        connect(menu->addAction(text), &QAction::triggered, this, [this, link] { follow(link); });
    }
    if (!had.isEmpty())
        menu->addSeparator();
    connect(menu->addAction(tr("Copy")), &QAction::triggered, this, &LogView::copyRequested);
    return menu;
}

void LogView::contextMenuEvent(QContextMenuEvent* event) {
    const bool byKey = event->reason() == QContextMenuEvent::Keyboard;
    const QModelIndex index = byKey ? currentIndex() : indexAt(event->pos());
    if (!index.isValid())
        return;
    const QScopedPointer<QMenu> menu(menuFor(index.row()));
    menu->exec(byKey ? viewport()->mapToGlobal(visualRect(index).bottomLeft()) : event->globalPos());
}

} // namespace sbx::ui
