#include "app/remote/widget_search.h"

#include <QApplication>
#include <QStringList>

#include "engine/core/nearest.h"

#include <algorithm>

namespace sbx::remote {

namespace {

constexpr int MaxListed = 8;

QWidgetList allWidgets() { return QApplication::allWidgets(); }

bool hasPath(const QWidget& widget, const QStringList& path) {
    if (widget.objectName() != path.last())
        return false;
    qsizetype left = path.size() - 1;
    for (const QObject* outer = widget.parent(); left > 0 && outer != nullptr; outer = outer->parent())
        if (outer->objectName() == path[left - 1])
            --left;
    return left == 0;
}

std::vector<QWidget*> having(const QString& name, bool visible) {
    const QStringList path = name.split(QLatin1Char('/'));
    std::vector<QWidget*> found;
    for (QWidget* widget : allWidgets())
        if (hasPath(*widget, path) && (!visible || widget->isVisible()))
            found.push_back(widget);
    return found;
}

Error unknown(const QString& name) {
    std::vector<std::string> names;
    for (const QWidget* widget : allWidgets())
        if (widget->isVisible() && !widget->objectName().isEmpty())
            names.push_back(widget->objectName().toStdString());
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    std::string text = "no widget is called \"" + name.toStdString() + "\"";
    const std::vector<std::string> near =
        nearestNames(name.section(QLatin1Char('/'), -1).toStdString(), names, 3);
    for (std::size_t i = 0; i < near.size(); ++i)
        text += (i == 0 ? "; did you mean " : i + 1 == near.size() ? " or " : ", ") + near[i];
    return makeError(text + (near.empty() ? "; ui.dump lists all" : "?"));
}

} // namespace

QString widgetPath(const QWidget& widget) {
    QStringList names;
    for (const QObject* at = &widget; at != nullptr; at = at->parent())
        if (!at->objectName().isEmpty() && !at->objectName().startsWith(QLatin1String("qt_")))
            names.prepend(at->objectName());
    return names.join(QLatin1Char('/'));
}

std::vector<QWidget*> findWidgets(const QString& name) { return having(name, true); }

Result<QWidget*> findWidget(const QString& name) {
    std::vector<QWidget*> found = having(name, true);
    if (found.size() == 1)
        return found.front();
    if (found.empty())
        return having(name, false).empty()
                   ? unknown(name)
                   : makeError("the widget \"" + name.toStdString() + "\" is not visible now");
    std::string text =
        std::to_string(found.size()) + " widgets are called \"" + name.toStdString() + "\"; expected one of ";
    for (std::size_t i = 0; i < found.size() && i < MaxListed; ++i)
        text += (i == 0 ? "" : ", ") + widgetPath(*found[i]).toStdString();
    return makeError(text + (found.size() > MaxListed ? ", …" : ""));
}

Result<QWidget*> findForInput(const QString& name) {
    Result<QWidget*> found = findWidget(name);
    if (!found)
        return found;
    const QWidget* widget = *found;
    const auto isIn = [widget](const QWidget* outer) {
        return outer == widget || outer->isAncestorOf(widget);
    };
    if (const QWidget* popup = QApplication::activePopupWidget();
        popup != nullptr && popup->focusProxy() != widget && !isIn(popup)
        && popup->window() != widget->window())
        return makeError("a menu or list is open over \"" + name.toStdString() + "\": \""
                         + widgetPath(*popup).toStdString()
                         + "\"; expected an entry of it, or `key` with Escape");
    if (const QWidget* modal = QApplication::activeModalWidget();
        modal != nullptr && !isIn(modal) && widget->window()->windowType() != Qt::Popup)
        return makeError("the dialog \"" + widgetPath(*modal).toStdString() + "\" ("
                         + modal->windowTitle().toStdString() + ") is open; expected a widget in it");
    if (!widget->isEnabled())
        return makeError("the widget \"" + name.toStdString() + "\" is disabled");
    return found;
}

} // namespace sbx::remote
