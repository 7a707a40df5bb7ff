#include "app/remote/widget_tree.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QAction>
#include <QComboBox>
#include <QGroupBox>
#include <QHeaderView>
#include <QJsonArray>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QTabBar>
#include <QTextEdit>
#include <QTreeView>

#include "widgets/common/addressed_parts.h"

namespace sbx::remote {

namespace {

constexpr int MaxRows = 500;
constexpr int MaxText = 64 * 1024; // characters of one text

QJsonArray rectJson(const QRect& rect) { return {rect.x(), rect.y(), rect.width(), rect.height()}; }

QString cut(const QString& text) { return text.left(MaxText); }

void addActions(QJsonObject& json, const QWidget& menu) {
    QJsonArray rows;
    for (const QAction* action : menu.actions()) {
        if (!action->isVisible() || action->isSeparator())
            continue;
        QJsonObject row{{QStringLiteral("text"), action->text().remove(QLatin1Char('&'))},
                        {QStringLiteral("enabled"), action->isEnabled()}};
        if (action->isCheckable())
            row.insert(QStringLiteral("checked"), action->isChecked());
        rows.append(row);
    }
    json.insert(QStringLiteral("rows"), rows);
}

void addRows(QJsonObject& json, const QAbstractItemView& view) {
    const QAbstractItemModel* model = view.model();
    if (model == nullptr)
        return;
    QJsonArray rows;
    // Row by row as painted: what lies under a point, one row height further each time.
    QModelIndex last;
    const QRect area = view.viewport()->rect();
    for (int y = 0; y < area.height() && rows.size() < MaxRows;) {
        QModelIndex at;
        for (int x = 1; x < area.width() && !at.isValid(); x += 24)
            at = view.indexAt({x, y});
        const QRect rect = view.visualRect(at);
        if (at.isValid() && at.siblingAtColumn(0) != last.siblingAtColumn(0)) {
            last = at;
            QJsonArray texts;
            for (int column = 0; column < model->columnCount(at.parent()); ++column)
                texts.append(cut(at.siblingAtColumn(column).data().toString()));
            int level = 0;
            for (QModelIndex outer = at.parent(); outer.isValid() && outer != view.rootIndex();
                 outer = outer.parent())
                ++level;
            const QModelIndex first = at.siblingAtColumn(0);
            rows.append(
                QJsonObject{{QStringLiteral("texts"), texts},
                            {QStringLiteral("level"), level},
                            {QStringLiteral("selected"),
                             view.selectionModel() != nullptr && view.selectionModel()->isSelected(at)},
                            {QStringLiteral("current"), view.currentIndex().siblingAtColumn(0) == first}});
        }
        y = at.isValid() && rect.bottom() >= y ? rect.bottom() + 1 : y + 4;
    }
    json.insert(QStringLiteral("rows"), rows);
    json.insert(QStringLiteral("rowCount"), model->rowCount(view.rootIndex()));
}

void addValue(QJsonObject& json, const QWidget& widget) {
    const auto text = [&json](const QString& value) { json.insert(QStringLiteral("text"), cut(value)); };
    const auto value = [&json](const QJsonValue& what) { json.insert(QStringLiteral("value"), what); };
    if (const auto* button = qobject_cast<const QAbstractButton*>(&widget)) {
        text(button->text());
        if (button->isCheckable())
            json.insert(QStringLiteral("checked"), button->isChecked());
    } else if (const auto* label = qobject_cast<const QLabel*>(&widget)) {
        text(label->text());
    } else if (const auto* line = qobject_cast<const QLineEdit*>(&widget)) {
        // What is hidden on the screen is hidden here.
        value(line->echoMode() == QLineEdit::Normal ? line->text() : line->displayText());
    } else if (const auto* spin = qobject_cast<const QAbstractSpinBox*>(&widget)) {
        value(spin->text());
    } else if (const auto* combo = qobject_cast<const QComboBox*>(&widget)) {
        value(combo->currentText());
        QJsonArray choices;
        for (int i = 0; i < combo->count() && i < MaxRows; ++i)
            choices.append(combo->itemText(i));
        json.insert(QStringLiteral("choices"), choices);
    } else if (const auto* slider = qobject_cast<const QAbstractSlider*>(&widget)) {
        value(slider->value());
    } else if (const auto* progress = qobject_cast<const QProgressBar*>(&widget)) {
        value(progress->value());
    } else if (const auto* plain = qobject_cast<const QPlainTextEdit*>(&widget)) {
        value(cut(plain->toPlainText()));
    } else if (const auto* edit = qobject_cast<const QTextEdit*>(&widget)) {
        value(cut(edit->toPlainText()));
    } else if (const auto* group = qobject_cast<const QGroupBox*>(&widget)) {
        text(group->title());
    } else if (const auto* tabs = qobject_cast<const QTabBar*>(&widget)) {
        QJsonArray rows;
        for (int i = 0; i < tabs->count(); ++i)
            rows.append(QJsonObject{{QStringLiteral("text"), tabs->tabText(i)},
                                    {QStringLiteral("current"), i == tabs->currentIndex()}});
        json.insert(QStringLiteral("rows"), rows);
    } else if (qobject_cast<const QMenu*>(&widget) != nullptr
               || qobject_cast<const QMenuBar*>(&widget) != nullptr) {
        addActions(json, widget);
    } else if (const auto* view = qobject_cast<const QAbstractItemView*>(&widget);
               view != nullptr && qobject_cast<const QHeaderView*>(view) == nullptr) {
        addRows(json, *view);
    }
    if (const auto* parts = dynamic_cast<const ui::AddressedParts*>(&widget))
        json.insert(QStringLiteral("parts"), QJsonArray::fromStringList(parts->partNames(MaxRows)));
    if (widget.isWindow() && !widget.windowTitle().isEmpty())
        json.insert(QStringLiteral("title"), widget.windowTitle());
}

} // namespace

QJsonObject widgetJson(const QWidget& widget) {
    QJsonObject json{
        {QStringLiteral("name"), widget.objectName()},
        {QStringLiteral("class"), QString::fromLatin1(widget.metaObject()->className())},
        {QStringLiteral("enabled"), widget.isEnabled()},
        {QStringLiteral("geometry"), rectJson({widget.mapTo(widget.window(), QPoint(0, 0)), widget.size()})},
        {QStringLiteral("screen"), rectJson({widget.mapToGlobal(QPoint(0, 0)), widget.size()})}};
    if (!widget.accessibleName().isEmpty())
        json.insert(QStringLiteral("accessibleName"), widget.accessibleName());
    if (widget.hasFocus())
        json.insert(QStringLiteral("focus"), true);
    addValue(json, widget);
    return json;
}

QJsonObject widgetTreeJson(const QWidget& widget) {
    QJsonObject json = widgetJson(widget);
    QJsonArray children;
    for (const QObject* child : widget.children())
        if (const auto* inner = qobject_cast<const QWidget*>(child);
            inner != nullptr && inner->isVisible() && !inner->isWindow())
            children.append(widgetTreeJson(*inner));
    if (!children.isEmpty())
        json.insert(QStringLiteral("children"), children);
    return json;
}

} // namespace sbx::remote
