#include "app/remote/widget_input.h"

#include <QAbstractItemView>
#include <QAbstractScrollArea>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QKeyEvent>
#include <QKeySequence>
#include <QMenu>
#include <QMenuBar>
#include <QMouseEvent>
#include <QPointer>
#include <QStringList>
#include <QTabBar>
#include <QTreeView>

#include "widgets/common/addressed_parts.h"

// Exported by QtGui for Qt Test: offers a key to shortcuts first.
Q_GUI_EXPORT bool qt_sendShortcutOverrideEvent(QObject* o, ulong timestamp, int k, Qt::KeyboardModifiers mods,
                                               const QString& text, bool autorep, ushort count);
// A friend of QCoreApplication that Qt declares and leaves to its libraries to define, each for itself: the event counts as one of the
// window system, so that focus follows clicks.
bool qt_sendSpontaneousEvent(QObject* receiver, QEvent* event) {
    return QCoreApplication::sendSpontaneousEvent(receiver, event);
}

namespace sbx::remote {

namespace {

constexpr int DragSteps = 8;
constexpr int MaxListedRows = 12;

QString plain(QString text) { return text.remove(QLatin1Char('&')).section(QLatin1Char('\t'), 0, 0); }

Error noRow(const QString& row, const QStringList& rows) {
    return makeError("no row has the text \"" + row.toStdString() + "\"; there "
                     + (rows.isEmpty()
                            ? "is none"
                            : "are " + rows.mid(0, MaxListedRows).join(QStringLiteral(", ")).toStdString())
                     + (rows.size() > MaxListedRows ? ", …" : ""));
}

template <typename Menu> Result<ClickPlace> placeInMenu(Menu& menu, const QString& row) {
    QStringList texts;
    for (QAction* action : menu.actions()) {
        if (!action->isVisible() || action->isSeparator())
            continue;
        if (plain(action->text()) == row) {
            if (!action->isEnabled())
                return makeError("the entry \"" + row.toStdString() + "\" is disabled");
            return ClickPlace{&menu, menu.actionGeometry(action).center()};
        }
        texts.append(plain(action->text()));
    }
    return noRow(row, texts);
}

// The first index with the text, in any column, depth first.
QModelIndex indexWith(const QAbstractItemModel& model, const QModelIndex& parent, const QString& text,
                      QStringList& seen) {
    for (int row = 0; row < model.rowCount(parent); ++row) {
        const QModelIndex first = model.index(row, 0, parent);
        if (seen.size() <= MaxListedRows)
            seen.append(first.data().toString());
        for (int column = 0; column < model.columnCount(parent); ++column)
            if (const QModelIndex at = model.index(row, column, parent); at.data().toString() == text)
                return at;
        if (const QModelIndex inner = indexWith(model, first, text, seen); inner.isValid())
            return inner;
    }
    return {};
}

Result<ClickPlace> placeInView(QAbstractItemView& view, const QString& row) {
    QStringList seen;
    const QModelIndex found =
        view.model() == nullptr ? QModelIndex() : indexWith(*view.model(), view.rootIndex(), row, seen);
    if (!found.isValid())
        return noRow(row, seen);
    if (auto* tree = qobject_cast<QTreeView*>(&view))
        for (QModelIndex outer = found.parent(); outer.isValid(); outer = outer.parent())
            tree->expand(outer);
    view.scrollTo(found);
    return ClickPlace{view.viewport(), view.visualRect(found).intersected(view.viewport()->rect()).center()};
}

void sendMouse(QWidget& widget, QEvent::Type type, const QPoint& at, Qt::MouseButton button,
               Qt::MouseButtons buttons, Qt::KeyboardModifiers modifiers) {
    QMouseEvent event(type, at, widget.mapToGlobal(at), button, buttons, modifiers);
    qt_sendSpontaneousEvent(&widget, &event);
}

QWidget& inputOf(QWidget& widget) {
    if (auto* area = qobject_cast<QAbstractScrollArea*>(&widget))
        return *area->viewport();
    return widget;
}

void sendKey(const QPointer<QWidget>& widget, int key, Qt::KeyboardModifiers modifiers, const QString& text) {
    if (!widget || qt_sendShortcutOverrideEvent(widget, 0, key, modifiers, text, false, 1))
        return; // a shortcut answered
    for (const QEvent::Type type : {QEvent::KeyPress, QEvent::KeyRelease}) {
        QKeyEvent event(type, key, modifiers, text);
        if (widget)
            qt_sendSpontaneousEvent(widget, &event);
    }
}

void takeFocus(QWidget& widget) {
    widget.window()->activateWindow();
    if (!widget.hasFocus() && widget.focusPolicy() != Qt::NoFocus)
        widget.setFocus(Qt::OtherFocusReason);
}

} // namespace

Result<ClickPlace> placeOf(QWidget& widget, const Click& click) {
    if (click.row) {
        if (auto* menu = qobject_cast<QMenu*>(&widget))
            return placeInMenu(*menu, *click.row);
        if (auto* bar = qobject_cast<QMenuBar*>(&widget))
            return placeInMenu(*bar, *click.row);
        if (auto* view = qobject_cast<QAbstractItemView*>(&widget))
            return placeInView(*view, *click.row);
        if (auto* combo = qobject_cast<QComboBox*>(&widget)) {
            if (combo->findText(*click.row) < 0) {
                QStringList texts;
                for (int i = 0; i < combo->count(); ++i)
                    texts.append(combo->itemText(i));
                return noRow(*click.row, texts);
            }
            combo->showPopup();
            return placeInView(*combo->view(), *click.row);
        }
        if (auto* tabs = qobject_cast<QTabBar*>(&widget)) {
            QStringList texts;
            for (int i = 0; i < tabs->count(); ++i) {
                if (plain(tabs->tabText(i)) == *click.row)
                    return ClickPlace{&widget, tabs->tabRect(i).center()};
                texts.append(plain(tabs->tabText(i)));
            }
            return noRow(*click.row, texts);
        }
        return makeError("\"" + widget.objectName().toStdString()
                         + "\" has no rows; expected a list, tree, table, menu, tab bar or combo box");
    }
    if (click.part) {
        const auto* parts = dynamic_cast<const ui::AddressedParts*>(&widget);
        if (parts == nullptr)
            return makeError("\"" + widget.objectName().toStdString() + "\" has no parts; expected the picture of the world, viewport.view");
        const Result<QPoint> at = parts->placeOfPart(*click.part);
        return at ? Result<ClickPlace>(ClickPlace{&widget, *at}) : Result<ClickPlace>(at.error());
    }
    QWidget& input = inputOf(widget);
    const QPoint at = click.at.value_or(input.rect().center());
    if (!input.rect().contains(at))
        return makeError("the place (" + std::to_string(at.x()) + ", " + std::to_string(at.y())
                         + ") is outside of the widget; expected logical pixels, x from 0 to " + std::to_string(input.width() - 1)
                         + " and y from 0 to " + std::to_string(input.height() - 1));
    return ClickPlace{&input, at};
}

void deliverClick(const ClickPlace& place, const Click& click) {
    const QPointer<QWidget> widget(place.widget);
    const auto send = [&](QEvent::Type type, Qt::MouseButton button, Qt::MouseButtons buttons) {
        if (widget)
            sendMouse(*widget, type, place.at, button, buttons, click.modifiers);
    };
    send(QEvent::MouseMove, Qt::NoButton, Qt::NoButton);
    send(QEvent::MouseButtonPress, click.button, click.button);
    // The window system's request comes beside the press.
    if (click.button == Qt::RightButton && widget) {
        QContextMenuEvent event(QContextMenuEvent::Mouse, place.at, widget->mapToGlobal(place.at),
                                click.modifiers);
        qt_sendSpontaneousEvent(widget, &event);
    }
    send(QEvent::MouseButtonRelease, click.button, Qt::NoButton);
    if (click.isDouble) {
        send(QEvent::MouseButtonDblClick, click.button, click.button);
        send(QEvent::MouseButtonRelease, click.button, Qt::NoButton);
    }
}

void deliverDrag(QWidget& target, const QPoint& from, const QPoint& to) {
    const QPointer<QWidget> widget(&inputOf(target));
    sendMouse(*widget, QEvent::MouseMove, from, Qt::NoButton, Qt::NoButton, Qt::NoModifier);
    sendMouse(*widget, QEvent::MouseButtonPress, from, Qt::LeftButton, Qt::LeftButton, Qt::NoModifier);
    for (int i = 1; i <= DragSteps && widget; ++i)
        sendMouse(*widget, QEvent::MouseMove, from + (to - from) * i / DragSteps, Qt::NoButton,
                  Qt::LeftButton, Qt::NoModifier);
    if (widget)
        sendMouse(*widget, QEvent::MouseButtonRelease, to, Qt::LeftButton, Qt::NoButton, Qt::NoModifier);
}

void deliverText(QWidget& widget, const QString& text) {
    takeFocus(widget);
    const QPointer<QWidget> target(&widget);
    for (const char32_t c : text.toStdU32String()) {
        const QString typed = QString::fromUcs4(&c, 1);
        const int key = c < 128 ? QChar(static_cast<ushort>(c)).toUpper().unicode() : 0;
        const bool shifted = typed.size() == 1 && typed[0].isUpper();
        sendKey(target, key, shifted ? Qt::ShiftModifier : Qt::NoModifier, typed);
    }
}

Result<int> keyOf(const QString& keys) {
    const QKeySequence sequence = QKeySequence::fromString(keys, QKeySequence::PortableText);
    if (sequence.count() != 1 || sequence[0].key() == Qt::Key_unknown)
        return makeError("\"" + keys.toStdString()
                         + "\" is no key; expected one such as Return, F5 or Ctrl+Shift+Z");
    return sequence[0].toCombined();
}

void deliverKey(QWidget& widget, int keyWithModifiers) {
    takeFocus(widget);
    const QKeyCombination keys = QKeyCombination::fromCombined(keyWithModifiers);
    QString text;
    if (const int key = keys.key();
        key >= Qt::Key_Space && key <= Qt::Key_AsciiTilde
        && !(keys.keyboardModifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier))) {
        text = QString(QChar(static_cast<ushort>(key)));
        if (!(keys.keyboardModifiers() & Qt::ShiftModifier))
            text = text.toLower();
    } else if (key == Qt::Key_Return || key == Qt::Key_Enter) {
        text = QStringLiteral("\r");
    }
    sendKey(&widget, keys.key(), keys.keyboardModifiers(), text);
}

} // namespace sbx::remote
