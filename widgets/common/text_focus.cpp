#include "widgets/common/text_focus.h"

#include <QApplication>
#include <QMetaMethod>
#include <QWidget>

namespace sbx::ui {

namespace {

// Line edits, text edits and the code view have no base in common but these slots.
QMetaMethod commandOf(const QWidget* widget, TextCommand command) {
    static constexpr const char* Slots[] = {"cut()", "copy()", "paste()", "selectAll()"};
    // Views have selectAll() alone.
    if (widget == nullptr || widget->metaObject()->indexOfSlot("paste()") < 0)
        return {};
    return widget->metaObject()->method(widget->metaObject()->indexOfSlot(Slots[static_cast<int>(command)]));
}

} // namespace

bool textHasFocus() {
    return commandOf(QApplication::focusWidget(), TextCommand::Copy).isValid();
}

bool giveToText(TextCommand command) {
    QWidget* widget = QApplication::focusWidget();
    const QMetaMethod method = commandOf(widget, command);
    return method.isValid() && method.invoke(widget, Qt::DirectConnection);
}

} // namespace sbx::ui
