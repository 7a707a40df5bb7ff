// Opening rows and collapsing repeats, in the menu of a row and as actions.

#include <QAction>
#include <QMenu>

#include "widgets/common/action_registry.h"
#include "widgets/trace/trace_panel.h"
#include "widgets/trace/trace_view.h"

namespace sbx::ui {

void TracePanel::addLineMenu(QMenu& menu, int row) {
    QMenu* rows = menu.addMenu(tr("Rows"));
    rows->setObjectName(QStringLiteral("trace.menu.rows"));
    const auto add = [rows](const char* name, const QString& text) {
        QAction* action = rows->addAction(text);
        action->setObjectName(QStringLiteral("trace.menu.") + QLatin1String(name));
        return action;
    };
    const TraceLine current = m_view->currentLine();
    const TraceLine opens = current.row == row && current.part == TraceLine::Group ? current : m_view->lines().shown(row);
    const bool open = m_view->lines().isOpen(opens);
    QAction* toggle = add("open", open ? tr("Close the row") : tr("Open the row"));
    toggle->setEnabled(m_view->lines().canOpen(opens));
    // Rows come and go while the menu is open.
    connect(toggle, &QAction::triggered, this,
            [this, part = opens.part, open, sequence = m_model->sequence(opens.row)] {
                if (const int now = m_model->rowOfSequence(sequence); now >= 0)
                    m_view->setOpen({now, part}, !open);
            });
    QAction* close = add("closeAll", tr("Close all rows"));
    close->setEnabled(m_view->lines().anyOpen());
    connect(close, &QAction::triggered, this, [this] { m_view->closeAll(); });
    QAction* collapse = add("collapse", tr("Collapse repeats"));
    collapse->setCheckable(true);
    collapse->setChecked(m_model->isCollapsing());
    connect(collapse, &QAction::toggled, this, [this](bool on) { m_model->setCollapsing(on); });
    rows->addSeparator();
    if (m_pictureAction != nullptr)
        rows->addAction(m_pictureAction);
    connect(add("export", tr("Export all rows…")), &QAction::triggered, this, [this] { exportRows(); });
    connect(add("statistics", tr("Statistics…")), &QAction::triggered, this, [this] { showStatistics(); });
}

void TracePanel::addLineActions(ActionRegistry& registry) {
    const auto make = [](const char* id, const QString& text, const QString& doc, std::function<void(bool)> run) {
        Action action;
        action.id = QString::fromLatin1(id);
        action.text = text;
        action.icon = QStringLiteral("trace");
        action.doc = doc;
        action.run = std::move(run);
        return action;
    };
    registry.add(make("trace.openRow", tr("Open or close the message in the trace"), tr("Shows the selected message's handlers under its row, or hides them."),
                     [this](bool) { m_view->toggleCurrent(); }));
    registry.add(make("trace.closeAll", tr("Close all rows of the trace"), tr("Hides the handlers under every row."), [this](bool) { m_view->closeAll(); }));
    Action collapse = make("trace.collapse", tr("Collapse repeats in the trace"),
                          tr("Shows messages in a row that have type, sender, receiver and outcome in common as one row with their number."),
                          [this](bool on) { m_model->setCollapsing(on); });
    collapse.checkable = true;
    collapse.checked = [this] { return m_model->isCollapsing(); };
    registry.add(std::move(collapse));
    addLaneActions(registry);
}

} // namespace sbx::ui
