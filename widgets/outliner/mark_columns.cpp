#include "widgets/outliner/mark_columns.h"

#include <QApplication>
#include <QHeaderView>
#include <QMouseEvent>
#include <QPainter>
#include <QStyle>
#include <QStyledItemDelegate>
#include <QTreeView>

#include <algorithm>
#include <utility>

namespace sbx::ui {

namespace {

// The icon alone, in the middle. Below the mouse, what has none shows faintly that it could have one.
class MarkDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override { return {MarkColumns::Width, Icon}; }
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        QStyleOptionViewItem item = option;
        item.state &= ~QStyle::State_HasFocus;
        initStyleOption(&item, index);
        QIcon icon = std::exchange(item.icon, QIcon());
        item.features &= ~QStyleOptionViewItem::HasDecoration;
        const QStyle& style = item.widget != nullptr ? *item.widget->style() : *QApplication::style();
        style.drawControl(QStyle::CE_ItemViewItem, &item, painter, item.widget);
        painter->save();
        if (icon.isNull() && item.state.testFlag(QStyle::State_MouseOver)) {
            icon = index.model()->headerData(index.column(), Qt::Horizontal, Qt::DecorationRole).value<QIcon>();
            painter->setOpacity(0.4);
        }
        icon.paint(painter, QStyle::alignedRect(item.direction, Qt::AlignCenter, QSize(Icon, Icon), item.rect));
        painter->restore();
    }

private:
    static constexpr int Icon = 16; // pixels
};

} // namespace

MarkColumns::MarkColumns(QTreeView& view, SceneMarks& marks, Rows rows, QObject* parent)
    : QObject(parent), m_view(view), m_marks(marks), m_rows(std::move(rows)) {
    auto* delegate = new MarkDelegate(this);
    QHeaderView* header = m_view.header();
    header->setMinimumSectionSize(Width);
    const auto narrow = [this, header] {
        for (const int column : {m_rows.hidden, m_rows.locked}) {
            header->setSectionResizeMode(column, QHeaderView::Fixed);
            header->setSectionHidden(column, false);
            if (header->sectionSize(column) != Width)
                header->resizeSection(column, Width);
        }
    };
    for (const int column : {m_rows.hidden, m_rows.locked})
        m_view.setItemDelegateForColumn(column, delegate);
    narrow();
    // A layout that was remembered may know other columns.
    connect(header, &QHeaderView::sectionResized, this, [this, narrow](int column, int, int size) {
        if (isMarkColumn(column) && size != Width)
            narrow();
    });
    m_view.viewport()->installEventFilter(this);
}

bool MarkColumns::eventFilter(QObject* watched, QEvent* event) {
    if (watched != m_view.viewport())
        return false;
    switch (event->type()) {
    case QEvent::MouseButtonPress:
    case QEvent::MouseButtonDblClick: {
        const auto& mouse = *static_cast<QMouseEvent*>(event);
        const QModelIndex index = m_view.indexAt(mouse.position().toPoint());
        if (mouse.button() != Qt::LeftButton || !index.isValid() || !isMarkColumn(index.column()))
            return false;
        const SceneMark mark = index.column() == m_rows.hidden ? SceneMark::Hidden : SceneMark::Locked;
        const std::string name = m_rows.nameOf(index);
        SceneMarks::Sets sets = m_marks.sets();
        m_drag = Drag{mark, !(sets.*m_rows.names)(mark).contains(name), mouse.position().toPoint().y(), 0, name};
        take(m_drag->lastY);
        return true;
    }
    case QEvent::MouseMove:
        if (!m_drag)
            return false;
        take(static_cast<QMouseEvent*>(event)->position().toPoint().y());
        return true;
    case QEvent::MouseButtonRelease:
        if (!m_drag || static_cast<QMouseEvent*>(event)->button() != Qt::LeftButton)
            return false;
        finish();
        return true;
    case QEvent::Hide:
        if (m_drag)
            finish();
        return false;
    default:
        return false;
    }
}

// Every row between the last place and this one, however fast the mouse was.
void MarkColumns::take(int y) {
    const int from = std::clamp(std::min(m_drag->lastY, y), 0, m_view.viewport()->height() - 1);
    const int to = std::clamp(std::max(m_drag->lastY, y), 0, m_view.viewport()->height() - 1);
    m_drag->lastY = y;
    SceneMarks::Sets next = m_marks.sets();
    MarkedNames& names = (next.*m_rows.names)(m_drag->mark);
    const int x = m_view.columnViewportPosition(m_rows.hidden);
    for (QModelIndex index = m_view.indexAt(QPoint(x, from)); index.isValid() && m_view.visualRect(index).top() <= to;
         index = m_view.indexBelow(index)) {
        const std::string name = m_rows.nameOf(index);
        const bool changes = m_drag->on ? names.insert(name).second : names.erase(name) > 0;
        m_drag->rows += changes ? 1 : 0;
    }
    m_marks.preview(std::move(next));
}

void MarkColumns::finish() {
    const Drag drag = *m_drag;
    m_drag.reset();
    m_marks.become(m_marks.sets(), SceneMarks::stepText(drag.mark, drag.on, m_rows.text(static_cast<std::size_t>(drag.rows), drag.first)));
}

} // namespace sbx::ui

#include "moc_mark_columns.cpp"
