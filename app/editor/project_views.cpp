#include "app/editor/project_views.h"

#include <QAbstractButton>
#include <QDockWidget>
#include <QHeaderView>
#include <QLineEdit>
#include <QMainWindow>
#include <QSplitter>
#include <QTableView>
#include <QTreeView>

#include "app/editor/dock_layout.h"
#include "widgets/common/filter_bar.h"
#include "widgets/graph/graph_view.h"
#include "widgets/trace/trace_panel.h"

namespace sbx::editor {

namespace {

const QString ViewsKey = QStringLiteral("views");
const QString ProjectKey = QStringLiteral("project");
const QString LayoutKey = QStringLiteral("layout");
const QString SizeKey = QStringLiteral("size");          // of the window with that layout
const QString CornerKey = QStringLiteral("rightCorner"); // no part of the layout
const QString FiltersKey = QStringLiteral("filters");
const QString ColumnsKey = QStringLiteral("columns");
const QString SplittersKey = QStringLiteral("splitters");
const QString SwitchesKey = QStringLiteral("switches");
const QString TraceKey = QStringLiteral("trace");
const QString GraphKey = QStringLiteral("graphPerPixel");

// Buttons that say what is listed or shown, and do nothing to the world or the sound.
bool isSwitch(const QString& name) {
    static const QStringList Names{QStringLiteral("console.expression"),
                                   QStringLiteral("console.cvars.changed"), QStringLiteral("graph.showSide"),
                                   QStringLiteral("probe.heardOnly")};
    return Names.contains(name) || name.startsWith(QLatin1String("console.severity."))
           || name.startsWith(QLatin1String("problems."));
}

// The trace keeps its own.
bool isTraces(const QString& name) { return name.startsWith(QLatin1String("trace")); }

// Every part of that kind in a dock, with its name, each once.
template <typename Part, typename Use> void eachPart(const QMainWindow& window, Use&& use) {
    for (QDockWidget* dock : window.findChildren<QDockWidget*>(QString(), Qt::FindDirectChildrenOnly))
        for (Part* part : dock->findChildren<Part*>())
            if (!part->objectName().isEmpty() && !isTraces(part->objectName()))
                use(*part, part->objectName());
}

QHeaderView* headerOf(QAbstractItemView& view) {
    if (auto* tree = qobject_cast<QTreeView*>(&view))
        return tree->isHeaderHidden() ? nullptr : tree->header();
    if (auto* table = qobject_cast<QTableView*>(&view))
        return table->horizontalHeader();
    return nullptr;
}

} // namespace

QVariantMap ProjectViews::find(const QString& projectFile) const {
    for (const QVariant& each : m_settings.value(ViewsKey).toList())
        if (QVariantMap view = each.toMap(); view.take(ProjectKey).toString() == projectFile)
            return view;
    return {};
}

void ProjectViews::keep(const QString& projectFile, const QVariantMap& view) {
    if (projectFile.isEmpty())
        return;
    QVariantList views = m_settings.value(ViewsKey).toList();
    views.removeIf(
        [&](const QVariant& each) { return each.toMap().value(ProjectKey).toString() == projectFile; });
    QVariantMap entry = view;
    entry.insert(ProjectKey, projectFile);
    views.prepend(entry);
    m_settings.setValue(ViewsKey, views.mid(0, Most));
}

QVariantMap viewOf(QMainWindow& window, const ui::TracePanel& trace, int layoutVersion) {
    QVariantMap filters;
    QVariantMap columns;
    QVariantMap splitters;
    QVariantMap switches;
    const auto* graph = window.findChild<ui::GraphView*>();
    eachPart<ui::FilterBar>(window, [&](ui::FilterBar& bar, const QString& name) {
        if (!bar.text().isEmpty())
            filters.insert(name, bar.text());
    });
    eachPart<QAbstractItemView>(window, [&](QAbstractItemView& view, const QString& name) {
        if (const QHeaderView* header = headerOf(view))
            columns.insert(name, header->saveState());
    });
    eachPart<QSplitter>(window, [&](QSplitter& splitter, const QString& name) {
        splitters.insert(name, splitter.saveState());
    });
    eachPart<QAbstractButton>(window, [&](QAbstractButton& button, const QString& name) {
        if (isSwitch(name) && button.isCheckable())
            switches.insert(name, button.isChecked());
    });
    return {{LayoutKey, window.saveState(layoutVersion)},
            {SizeKey, window.size()},
            {CornerKey, static_cast<int>(window.corner(Qt::BottomRightCorner))},
            {FiltersKey, filters},
            {ColumnsKey, columns},
            {SplittersKey, splitters},
            {SwitchesKey, switches},
            {TraceKey, trace.saveState()},
            {GraphKey, graph != nullptr ? graph->axis().perPixel() : 0.0}};
}

void applyView(QMainWindow& window, ui::TracePanel& trace, const QVariantMap& view, int layoutVersion) {
    if (const QByteArray layout = view.value(LayoutKey).toByteArray();
        !layout.isEmpty() && layout != window.saveState(layoutVersion)) {
        window.setCorner(Qt::BottomRightCorner,
                         view.value(CornerKey).toInt() == static_cast<int>(Qt::RightDockWidgetArea)
                             ? Qt::RightDockWidgetArea
                             : Qt::BottomDockWidgetArea);
        restoreLayout(window, layout, layoutVersion, view.value(SizeKey).toSize());
    }
    const QVariantMap filters = view.value(FiltersKey).toMap();
    eachPart<ui::FilterBar>(window, [&](ui::FilterBar& bar, const QString& name) {
        bar.setText(filters.value(name).toString());
    });
    const QVariantMap columns = view.value(ColumnsKey).toMap();
    eachPart<QAbstractItemView>(window, [&](QAbstractItemView& part, const QString& name) {
        if (QHeaderView* header = headerOf(part); header != nullptr && columns.contains(name))
            header->restoreState(columns.value(name).toByteArray());
    });
    const QVariantMap splitters = view.value(SplittersKey).toMap();
    eachPart<QSplitter>(window, [&](QSplitter& splitter, const QString& name) {
        if (splitters.contains(name))
            splitter.restoreState(splitters.value(name).toByteArray());
    });
    const QVariantMap switches = view.value(SwitchesKey).toMap();
    eachPart<QAbstractButton>(window, [&](QAbstractButton& button, const QString& name) {
        if (isSwitch(name) && button.isCheckable() && switches.contains(name)
            && switches.value(name).toBool() != button.isChecked())
            button.click(); // emits what a click of the mouse emits
    });
    if (auto* graph = window.findChild<ui::GraphView*>())
        graph->setPerPixel(view.value(GraphKey).toDouble());
    if (view.contains(TraceKey))
        trace.restoreState(view.value(TraceKey).toMap());
    else
        trace.setFilterText({});
}

} // namespace sbx::editor
