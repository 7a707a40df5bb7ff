#include "widgets/viewport/pane_splitter.h"

#include <QMouseEvent>
#include <QPainter>

#include "widgets/common/theme.h"

namespace sbx::ui {

PaneSplitter::PaneSplitter(const Theme& theme, const QString& name, Qt::Orientations moves, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_moves(moves) {
    setObjectName(name);
    const bool both = moves == (Qt::Horizontal | Qt::Vertical);
    setAccessibleName(both                       ? tr("Divider of all four views")
                      : moves == Qt::Horizontal ? tr("Divider between left and right")
                                                : tr("Divider between above and below"));
    setToolTip(tr("Drag to share out the room, double-click to share it equally"));
    setCursor(both ? Qt::SizeAllCursor : moves == Qt::Horizontal ? Qt::SplitHCursor : Qt::SplitVCursor);
    setAttribute(Qt::WA_OpaquePaintEvent);
    hide();
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

void PaneSplitter::mousePressEvent(QMouseEvent* event) { event->accept(); }

void PaneSplitter::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons().testFlag(Qt::LeftButton))
        emit dragged(mapToParent(event->position().toPoint()), m_moves);
}

void PaneSplitter::mouseDoubleClickEvent(QMouseEvent*) { emit centred(m_moves); }

void PaneSplitter::enterEvent(QEnterEvent*) { update(); }

void PaneSplitter::leaveEvent(QEvent*) { update(); }

void PaneSplitter::paintEvent(QPaintEvent*) {
    QPainter(this).fillRect(rect(), m_theme.color(underMouse() ? Token::Muted : Token::Ground));
}

} // namespace sbx::ui

#include "moc_pane_splitter.cpp"
