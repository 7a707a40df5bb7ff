#include "widgets/common/name_delegate.h"

#include <QEvent>
#include <QLineEdit>
#include <QPersistentModelIndex>

#include <utility>

namespace sbx::ui {

NameDelegate::NameDelegate(const Theme& theme, QObject* parent) : QStyledItemDelegate(parent), m_theme(theme) {}

void NameDelegate::giveUp() {
    if (NameGuard* guard = NameGuard::of(m_line); guard != nullptr && guard->isRefused())
        emit closeEditor(m_line, QAbstractItemDelegate::RevertModelCache);
}

QWidget* NameDelegate::createEditor(QWidget* parent, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    QWidget* editor = QStyledItemDelegate::createEditor(parent, option, index);
    if (auto* line = qobject_cast<QLineEdit*>(editor))
        guard(*line, index);
    return editor;
}

void NameDelegate::guard(QLineEdit& line, const QModelIndex& index) const {
    m_line = &line;
    auto* guard = new NameGuard(m_theme, line, [this, row = QPersistentModelIndex(index)](const QString& name) {
        return m_check && row.isValid() ? m_check(row, name) : std::nullopt;
    });
    auto* self = const_cast<NameDelegate*>(this); // Qt has createEditor() const
    connect(guard, &NameGuard::offeredTaken, this, [self, &line] {
        emit self->commitData(&line);
        emit self->closeEditor(&line, QAbstractItemDelegate::NoHint);
    });
}

bool NameDelegate::eventFilter(QObject* watched, QEvent* event) {
    if (NameGuard* guard = NameGuard::of(watched); guard != nullptr && guard->holds(*event))
        return event->type() != QEvent::FocusOut; // the line itself shows that it has lost the focus
    return QStyledItemDelegate::eventFilter(watched, event);
}

} // namespace sbx::ui

#include "moc_name_delegate.cpp"
