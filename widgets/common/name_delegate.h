#pragma once
// A delegate for rows whose names can be typed over. A name that cannot be taken keeps its line open, with the reason and the nearest name
// that can (name_guard.h), also when the focus leaves; Esc, or going to another row, gives it up. GUI thread; parent owns it.

#include <QPointer>
#include <QStyledItemDelegate>

#include "widgets/common/name_guard.h"

namespace sbx::ui {

class NameDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    // The reason against a name for that row; none: it can be taken.
    using Check = std::function<std::optional<NameRefusal>(const QModelIndex& row, const QString& name)>;

    explicit NameDelegate(const Theme& theme, QObject* parent = nullptr);

    // Without one every name is taken.
    void setCheck(Check check) { m_check = std::move(check); }
    // Closes a line whose name was refused. What was typed is gone.
    void giveUp();

    QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

protected:
    // For a subclass that makes its own line.
    void guard(QLineEdit& line, const QModelIndex& index) const;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    const Theme& m_theme;
    Check m_check;
    mutable QPointer<QLineEdit> m_line; // that is open
};

} // namespace sbx::ui
