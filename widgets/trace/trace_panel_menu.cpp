// What can be done with a row, and the panel's actions.

#include <QAction>
#include <QDir>
#include <QFileInfo>
#include <QLineEdit>
#include <QMenu>
#include <QProgressDialog>
#include <QToolButton>

#include "engine/core/component_name.h"
#include "widgets/common/action_registry.h"
#include "widgets/common/file_dialog.h"
#include "widgets/common/filter_bar.h"
#include "widgets/common/foreign_text.h"
#include "widgets/trace/trace_export.h"
#include "widgets/trace/trace_panel.h"
#include "widgets/trace/trace_statistics_window.h"
#include "widgets/trace/trace_view.h"

#include <algorithm>

namespace sbx::ui {

void TracePanel::addActions(ActionRegistry& registry) {
    m_actions = &registry;
    const auto add = [&registry](const char* id, const QString& text, const char* icon, const QString& doc,
                                 std::function<void(bool)> run, std::function<bool()> checked = {}) {
        Action action;
        action.id = QString::fromLatin1(id);
        action.text = text;
        action.icon = QString::fromLatin1(icon);
        action.doc = doc;
        action.run = std::move(run);
        action.checkable = static_cast<bool>(checked);
        action.checked = std::move(checked);
        registry.add(std::move(action));
    };
    if (!m_isFile)
        add(
            "trace.pause", tr("Pause the trace"), "pause", tr("Stops the list; the capture goes on."),
            [this](bool on) { setPaused(on); }, [this] { return m_model->isPaused(); });
    add("trace.newest", tr("Go to the newest message"), "arrow-down",
        tr("Follows the end of the trace again."), [this](bool) { showNewest(); });
    if (!m_isFile)
        add("trace.clear", tr("Clear the trace"), "clear", tr("Forgets all messages captured so far."),
            [this](bool) { clear(); });
    add("trace.clearFilter", tr("Clear the trace's filter"), "filter", tr("Shows every message again."),
        [this](bool) { m_clearFilter->trigger(); });
    if (!m_isFile)
        add("trace.breakOnFilter", tr("Breakpoint at what the trace shows"), "pause",
            tr("Sets a breakpoint on the trace's filter: play pauses after a tick with a message that "
               "matches."),
            [this](bool) {
                const QString filter = m_goodFilter.trimmed();
                if (filter.isEmpty())
                    m_bar->lineEdit().setFocus();
                else
                    emit breakRequested(filter);
            });
    add("trace.statistics", tr("Statistics of the trace"), "statistics", tr("Counts what the list shows by type, sender, receiver and handler."),
        [this](bool) { showStatistics(); });
    add("trace.export", tr("Export the trace…"), "save", tr("Writes what the list shows to a file, as JSON lines or CSV."),
        [this](bool) { exportRows(); });
    add(
        "trace.details", tr("Show message details"), "info",
        tr("What the selected message carries and who handled it."),
        [this](bool on) { m_detailsButton->setChecked(on); },
        [this] { return m_detailsButton->isChecked(); });
    add(
        "trace.timeline", tr("Show the trace's timeline"), "clock", tr("Messages per tick above the list."),
        [this](bool on) { m_timelineButton->setChecked(on); },
        [this] { return m_timelineButton->isChecked(); });
    if (!m_isFile)
        addFileActions(registry);
    addNoteActions(registry);
    addIgnoreActions(registry);
    addGoActions(registry);
    addLineActions(registry);
    registry.attach(*this, objectName());
}

void TracePanel::showNewest() {
    m_sought = 0;
    setPaused(false);
    m_view->setFollowing(true);
}

void TracePanel::narrow(const QString& condition) { setFilterText(narrowed(condition)); }

void TracePanel::prepare(const QString& condition) {
    m_bar->prepare(narrowed(condition));
    m_bar->lineEdit().setFocus(Qt::OtherFocusReason);
    m_bar->lineEdit().end(false);
}

QString TracePanel::narrowed(const QString& condition) const {
    const QString now = m_bar->text().trimmed();
    if (now.isEmpty() || !m_bar->problem().isEmpty())
        return condition;
    if (now.contains(QLatin1String(" or "), Qt::CaseInsensitive) || now.contains(QLatin1String("||")))
        return QStringLiteral("(%1) and %2").arg(now, condition);
    return QStringLiteral("%1 and %2").arg(now, condition);
}

// From the first cause down to what the last effect caused. Comes back when what it needs has been read from the disk, unless that does
// not end: a chain may be longer than what stays in memory.
void TracePanel::follow(std::uint64_t sequence) {
    constexpr std::size_t Most = 500;
    constexpr int MostReads = 200;
    m_followReads = m_followed == sequence ? m_followReads + 1 : 0;
    m_followed = sequence;
    bool complete = true;
    std::vector<std::uint64_t> all = m_model->chainOf(sequence, &complete);
    // Of a long chain of causes the root and the nearest ones.
    const bool longChain = all.size() > Most / 2;
    if (longChain)
        all.erase(all.begin() + 1, all.end() - Most / 2 + 1);
    TraceModel::Effects effects;
    if (complete)
        effects = m_model->allEffectsOf(sequence, Most - all.size(), &complete);
    if (!complete && m_followReads < MostReads)
        return;
    all.insert(all.end(), effects.sequences.begin(), effects.sequences.end());
    m_followed = 0;
    if (!complete)
        emit said(tr("The chain reaches further into what lies on the disk; the list shows what was read of it."));
    else if (longChain || effects.ended == TraceModel::EffectsEnd::Limit)
        emit said(
            tr("The chain has more messages; the list shows %1 of them: the first, and those around #%2.")
                .arg(all.size())
                .arg(sequence));
    else if (effects.ended == TraceModel::EffectsEnd::Window)
        emit said(tr("The list shows what #%1 caused among the %L2 messages after it; later ones were not "
                     "looked at.")
                      .arg(sequence)
                      .arg(TraceModel::AllEffectsWindow));
    QStringList numbers;
    for (const std::uint64_t s : all)
        numbers.append(QString::number(s));
    setFilterText(QStringLiteral("sequence in (%1)").arg(numbers.join(QLatin1String(", "))));
}

// Short enough for a small screen: at the top what is wanted most often of the cell, the rest in menus of its own.
QMenu* TracePanel::menuFor(int row, int column, int handler) {
    const RecordView record = m_model->record(row);
    const std::uint64_t cause = record.cause();
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("trace.menu"));
    const auto below = [menu](const char* name, const QString& title) {
        QMenu* items = menu->addMenu(title);
        items->setObjectName(QStringLiteral("trace.menu.") + QLatin1String(name));
        return items;
    };
    if (handler >= 0)
        addHandlerMenu(*menu, record, handler);
    QMenu* filters = below("filter", tr("Filter"));
    addFilterMenu(*filters, row, column, handler);
    if (handler < 0)
        raiseCellItems(*menu, *filters, column);
    addFollowMenu(*below("follow", tr("Follow")), record);
    menu->addSeparator();
    QAction* toCause =
        menu->addAction(cause == 0 ? tr("Go to the cause") : tr("Go to the cause, #%1").arg(cause), this,
                        [this, cause] { goTo(cause); });
    toCause->setObjectName(QStringLiteral("trace.menu.cause"));
    toCause->setEnabled(m_model->store().rowOf(cause).has_value());
    addGoMenu(*below("go", tr("Go to")), record);
    menu->addSeparator();
    if (!m_isFile)
        addBreakMenu(*below("break", tr("Break")), record);
    addSendMenu(*menu, record);
    menu->addSeparator();
    addNoteMenu(*menu, record);
    addIgnoreMenu(*menu, row);
    menu->addSeparator();
    addLineMenu(*menu, row);
    addCopyMenu(*menu);
    return menu;
}

namespace {

QString condition(const char* field, const char* op, std::string_view value) {
    return QStringLiteral("%1 %2 %3")
        .arg(QLatin1String(field), QLatin1String(op), QString::fromStdString(filterLiteral(value)));
}

} // namespace

void TracePanel::addFilterMenu(QMenu& menu, int row, int column, int handler) {
    const RecordView record = m_model->record(row);
    const std::string type = m_context.type(record).name;
    const std::string sender(m_context.sender(record));
    const std::string receiver(m_context.receiver(record));
    const auto add = [&](const char* name, const QString& text, const char* field, const char* op,
                         const std::string& value) {
        if (value.empty())
            return;
        QAction* action = menu.addAction(text.arg(menuText(QString::fromStdString(value))), this,
                                         [this, words = condition(field, op, value)] { narrow(words); });
        action->setObjectName(QStringLiteral("trace.menu.") + QLatin1String(name));
    };
    if (handler < 0) {
        addCellMenu(menu, row, column);
        addHandlerMenu(menu, record, handler);
    }
    add("onlyType", tr("Only %1"), "type", "==", type);
    add("onlySender", tr("Only from %1"), "sender", "==", sender);
    add("onlyReceiver", tr("Only to %1"), "receiver", "==", receiver);
    addFieldMenu(menu, record);
    menu.addSeparator();
    add("excludeType", tr("Exclude %1"), "type", "!=", type);
    add("excludeSender", tr("Exclude from %1"), "sender", "!=", sender);
    add("excludeReceiver", tr("Exclude to %1"), "receiver", "!=", receiver);
}

// What the cell says, and what it does not, stand above the menu of filters instead of in it.
void TracePanel::raiseCellItems(QMenu& menu, QMenu& filters, int column) {
    const auto raise = [&](const char* name) {
        auto* action = filters.findChild<QAction*>(QStringLiteral("trace.menu.") + QLatin1String(name),
                                                   Qt::FindDirectChildrenOnly);
        if (action == nullptr)
            return false;
        filters.removeAction(action);
        menu.insertAction(filters.menuAction(), action);
        return true;
    };
    bool raised = raise("cell.only");
    raised = raise("cell.not") || raised;
    if (!raised && column == TraceModel::Sender) {
        raised = raise("onlySender");
        raised = raise("excludeSender") || raised;
    } else if (!raised && column == TraceModel::Receiver) {
        raised = raise("onlyReceiver");
        raised = raise("excludeReceiver") || raised;
    }
    if (!raised) {
        raise("onlyType");
        raise("excludeType");
    }
}

void TracePanel::addFollowMenu(QMenu& menu, const RecordView& record) {
    const std::uint64_t sequence = record.sequence();
    const std::string sender(m_context.sender(record));
    const std::string receiver(m_context.receiver(record));
    const auto shown = [](const std::string& name) { return menuText(QString::fromStdString(name)); };
    const auto add = [&](const char* name, const QString& text, auto run) {
        menu.addAction(text, this, run)->setObjectName(QStringLiteral("trace.menu.") + QLatin1String(name));
    };
    const auto followEntity = [&](const char* name, const std::string& entity) {
        add(name, tr("Follow %1").arg(shown(entity)),
            [this, words = condition("entity", "==", entity)] { setFilterText(words); });
    };
    if (!receiver.empty())
        followEntity("followReceiver", receiver);
    if (!sender.empty() && sender != receiver)
        followEntity("followSender", sender);
    if (!sender.empty() && !receiver.empty() && sender != receiver) {
        const QString words =
            QStringLiteral("(%1 and %2) or (%3 and %4)")
                .arg(condition("sender", "==", sender), condition("receiver", "==", receiver),
                     condition("sender", "==", receiver), condition("receiver", "==", sender));
        add("followPair", tr("Follow %1 and %2").arg(shown(sender), shown(receiver)),
            [this, words] { setFilterText(words); });
    }
    add("followChain", tr("Follow the chain of #%1").arg(sequence), [this, sequence] { follow(sequence); });
}

void TracePanel::addBreakMenu(QMenu& menu, const RecordView& record) {
    const std::string type = m_context.type(record).name;
    const std::string receiver(m_context.receiver(record));
    const auto shown = [](const std::string& name) { return menuText(QString::fromStdString(name)); };
    const auto add = [&](const char* name, const QString& text, const QString& words) {
        menu.addAction(text, this, [this, words] { emit breakRequested(words); })
            ->setObjectName(QStringLiteral("trace.menu.") + QLatin1String(name));
    };
    const QString typeIs = condition("type", "==", type);
    add("breakType", tr("Breakpoint at %1").arg(shown(type)), typeIs);
    if (!receiver.empty())
        add("breakReceiver", tr("Breakpoint at %1 to %2").arg(shown(type), shown(receiver)),
            typeIs + QStringLiteral(" and ") + condition("receiver", "==", receiver));
    addStops(menu, record);
}

void TracePanel::addHandlerMenu(QMenu& menu, const RecordView& record, int handler) {
    const auto visits = record.visits();
    const auto add = [this](QMenu& to, const char* id, const QString& text, const char* field,
                            std::string_view component) {
        const QString words =
            QStringLiteral("%1 == %2")
                .arg(QLatin1String(field), QString::fromStdString(filterLiteral(component)));
        QAction* action =
            to.addAction(text.arg(menuText(toQString(component))), this, [this, words] { narrow(words); });
        action->setObjectName(
            QStringLiteral("trace.menu.%1.%2").arg(QLatin1String(id), toQString(component)));
    };
    if (handler >= 0 && handler < static_cast<int>(visits.size())) {
        const HandlerVisit visit = visits[static_cast<std::size_t>(handler)];
        const std::string_view component = m_context.name(visit.component);
        if (visit.result == HandlerResult::NotReached)
            add(menu, "notReached", tr("Only messages that did not reach %1"), "notReached", component);
        else if (visit.result == HandlerResult::Consumed)
            add(menu, "consumedBy", tr("Only messages that %1 consumed"), "consumedBy", component);
        else
            add(menu, "reached", tr("Only messages that reached %1"), "handlers.component", component);
        menu.addSeparator();
        return;
    }
    std::vector<std::string_view> missed; // each once
    for (const HandlerVisit visit : visits)
        if (const std::string_view name = m_context.name(visit.component);
            visit.result == HandlerResult::NotReached
            && std::find(missed.begin(), missed.end(), name) == missed.end())
            missed.push_back(name);
    if (missed.size() == 1) {
        add(menu, "notReached", tr("Only messages that did not reach %1"), "notReached", missed.front());
    } else if (!missed.empty()) {
        QMenu* all = menu.addMenu(tr("Only messages that did not reach"));
        all->setObjectName(QStringLiteral("trace.menu.notReached"));
        for (const std::string_view component : missed)
            add(*all, "notReached", QStringLiteral("%1"), "notReached", component);
    }
}

// One for each component that handled such a message, or would have.
void TracePanel::addStops(QMenu& menu, const RecordView& record) {
    if (m_isFile || record.visits().empty() || m_context.receiver(record).empty())
        return;
    QMenu* stops = menu.addMenu(tr("Stop before a handler"));
    stops->setObjectName(QStringLiteral("trace.stops"));
    const QString receiver = shownLine(m_context.receiver(record));
    const std::string& type = m_context.type(record).name;
    const QString filter = QString::fromStdString("type == " + filterLiteral(type) + " and receiver == " + filterLiteral(std::string(m_context.receiver(record))));
    const auto add = [&](const QString& component, const QString& words) {
        QAction* action = stops->addAction(words, this, [this, component, filter] { emit stopRequested(component, filter); });
        action->setObjectName(QStringLiteral("trace.stop.") + (component == QLatin1String("*") ? QStringLiteral("first") : component));
    };
    const QString shownType = QString::fromStdString(type);
    add(QStringLiteral("*"), tr("Before the first handler of %1 to %2").arg(shownType, receiver));
    // Several of one kind have numbers in file order; that of their handlers is the same, unless their priorities differ.
    ComponentNumbering numbering;
    for (const HandlerVisit visit : record.visits()) {
        const QString component = QString::fromStdString(numbering.nextName(m_context.name(visit.component)));
        add(component, tr("Before %1 handles %2 to %3").arg(component, shownType, receiver));
    }
}

void TracePanel::showStatistics() {
    if (m_statistics == nullptr) {
        m_statistics = new TraceStatisticsWindow(m_theme, *m_model, this);
        connect(m_statistics, &TraceStatisticsWindow::conditionChosen, this, &TracePanel::narrow);
    }
    m_statistics->show();
    m_statistics->raise();
    m_statistics->activateWindow();
}

void TracePanel::exportRows() {
    if (m_model->rowCount() == 0) {
        emit problem(tr("The trace's list is empty: there is nothing to export."));
        return;
    }
    if (m_model->ignored().rows().hasAll(RowRuns::of(m_model->storeRows(), 0, m_model->storeRows().size()))) {
        emit problem(tr("All messages that the trace's list shows are ignored: there is nothing to export."));
        return;
    }
    const QString file = fileToSave(this, tr("Export what the trace shows"), QDir(m_exportFolder).filePath(QStringLiteral("trace.jsonl")),
                                    tr("JSON lines (*.jsonl);;Comma-separated values (*.csv)"));
    if (!file.isEmpty())
        exportTo(file);
}

void TracePanel::exportTo(const QString& file) {
    auto* writer = new TraceExport(*m_model, file, TraceExport::formatOf(file), this);
    writer->setExtraColumns(extraColumns());
    auto* bar = new QProgressDialog(tr("Writing %1…").arg(QFileInfo(file).fileName()), tr("Cancel"), 0, 100, this);
    bar->setObjectName(QStringLiteral("trace.exporting"));
    bar->setWindowTitle(tr("Export the trace"));
    bar->setWindowModality(Qt::NonModal); // a modal one would handle its own Cancel inside setValue()
    bar->setMinimumDuration(500);
    connect(writer, &TraceExport::progress, bar, &QProgressDialog::setValue);
    const auto end = [writer, bar] {
        writer->deleteLater();
        bar->deleteLater();
    };
    connect(bar, &QProgressDialog::canceled, writer, [this, writer, end, file] {
        writer->cancel();
        end();
        emit said(tr("The export was cancelled; %1 was not written.").arg(file));
    });
    connect(writer, &TraceExport::failed, this, [this, end, file](const QString& reason) {
        end();
        emit problem(tr("%1 cannot be written: %2").arg(file, reason));
    });
    connect(writer, &TraceExport::finished, this,
            [this, end, file, writer](std::size_t written, std::size_t gone) {
                end();
                // The numbers first: the place for it may be narrow.
                const std::size_t ignored = writer->ignored();
                const QString text = ignored == 0
                                         ? tr("%L1 messages written to %2").arg(written).arg(file)
                                         : tr("%L1 messages, without %L2 that are ignored, written to %3")
                                               .arg(written)
                                               .arg(ignored)
                                               .arg(file);
                emit said(gone == 0 ? text : tr("%1; %L2 had been let go meanwhile").arg(text).arg(gone));
            });
    if (const Result<void> started = writer->start(); !started) {
        end();
        emit problem(tr("%1 cannot be written: %2").arg(file, QString::fromStdString(started.error().message)));
    }
}

} // namespace sbx::ui
