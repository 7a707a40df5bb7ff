// What leads out of the panel and into it: messages to send again, trace files, and the menu of both.

#include <QAction>
#include <QMenu>
#include <QToolButton>
#include <QTreeView>

#include "widgets/common/action_registry.h"
#include "widgets/common/empty_state.h"
#include "widgets/common/file_dialog.h"
#include "widgets/trace/composed_message.h"
#include "widgets/trace/trace_file_window.h"
#include "widgets/trace/trace_panel.h"
#include "widgets/trace/trace_types.h"
#include "widgets/trace/trace_view.h"

#include <utility>

namespace sbx::ui {

void TracePanel::addSendMenu(QMenu& menu, const RecordView& record) {
    if (m_isFile)
        return;
    const ComposedMessage message = composedOf(m_context.type(record), record.payload(), std::string(m_context.receiver(record)));
    QAction* action = menu.addAction(tr("Send again…"), this, [this, message] { emit composeRequested(message); });
    action->setObjectName(QStringLiteral("trace.menu.sendAgain"));
}

void TracePanel::addFileActions(ActionRegistry& registry) {
    Action open;
    open.id = QStringLiteral("trace.open");
    open.text = tr("Open trace…");
    open.icon = QStringLiteral("open");
    open.doc = tr("Shows a trace file in a window of its own: one of the player's --trace, or one that was "
                  "exported here, as JSON lines or CSV.");
    open.run = [this](bool) { openTrace(); };
    registry.add(std::move(open));

    QToolButton* more = toolButton(QStringLiteral("more"), QStringLiteral("more"), tr("More"), tr("Open, export and send"));
    more->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(more);
    menu->setObjectName(QStringLiteral("trace.more.items"));
    // Others add theirs later.
    connect(menu, &QMenu::aboutToShow, this, [menu, &registry] {
        menu->clear();
        registry.refresh();
        for (const char* id : {"trace.open", "trace.export", "trace.send"})
            if (QAction* action = registry.find(QLatin1String(id)))
                menu->addAction(action);
    });
    more->setMenu(menu);
}

void TracePanel::openTrace() {
    const QString file = fileToOpen(this, tr("Open a trace"), m_exportFolder,
                                    tr("Traces (*.jsonl *.json *.csv);;All files (*)"));
    if (!file.isEmpty())
        openTraceFile(file);
}

TraceFileWindow* TracePanel::openTraceFile(const QString& file) {
    Result<TraceFile> opened = TraceFile::open(file.toStdString());
    if (!opened) {
        emit problem(tr("%1 cannot be read: %2").arg(file, QString::fromStdString(opened.error().message)));
        return nullptr;
    }
    QWidget* top = window(); // not a dock that floats, which may be closed
    while (top->parentWidget() != nullptr)
        top = top->parentWidget()->window();
    auto* shown = new TraceFileWindow(m_theme, std::move(*opened), file, m_handlers, m_context.source(),
                                      m_model->store().limits(), m_actions, top);
    shown->show();
    return shown;
}

void TracePanel::showFile(const QString& emptyLine) {
    m_isFile = true;
    m_empty->setLine(emptyLine);
    m_view->setFollowing(false); // one reads it from its beginning
    m_pauseButton->hide();
    for (const char* part : {"trace.clear", "trace.types.defaults"})
        if (auto* button = findChild<QWidget*>(QLatin1String(part)))
            button->hide();
    m_types->table().setColumnHidden(TraceTypesModel::Record, true);
}

} // namespace sbx::ui
