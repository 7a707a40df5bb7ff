// What can be done with a row, and the panel's actions.

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QLineEdit>
#include <QMenu>
#include <QToolButton>

#include "widgets/common/action_registry.h"
#include "widgets/common/filter_bar.h"
#include "widgets/trace/trace_panel.h"
#include "widgets/trace/trace_view.h"

namespace sbx::ui {

void TracePanel::addActions(ActionRegistry& registry) {
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
    add(
        "trace.pause", tr("Pause the trace"), "pause", tr("Stops the list; the capture goes on."),
        [this](bool on) { setPaused(on); }, [this] { return m_model->isPaused(); });
    add("trace.newest", tr("Go to the newest message"), "arrow-down",
        tr("Follows the end of the trace again."), [this](bool) { showNewest(); });
    add("trace.clear", tr("Clear the trace"), "clear", tr("Forgets all messages captured so far."),
        [this](bool) { clear(); });
    add("trace.clearFilter", tr("Clear the trace's filter"), "filter", tr("Shows every message again."),
        [this](bool) { m_clearFilter->trigger(); });
    add("trace.breakOnFilter", tr("Breakpoint at what the trace shows"), "pause",
        tr("Sets a breakpoint on the trace's filter: play pauses after a tick with a message that matches."), [this](bool) {
            const QString filter = m_goodFilter.trimmed();
            if (filter.isEmpty())
                m_bar->lineEdit().setFocus();
            else
                emit breakRequested(filter);
        });
    add(
        "trace.details", tr("Show message details"), "info",
        tr("What the selected message carries and who handled it."),
        [this](bool on) { m_detailsButton->setChecked(on); },
        [this] { return m_detailsButton->isChecked(); });
    add(
        "trace.timeline", tr("Show the trace's timeline"), "clock", tr("Messages per tick above the list."),
        [this](bool on) { m_timelineButton->setChecked(on); },
        [this] { return m_timelineButton->isChecked(); });
}

void TracePanel::showNewest() {
    m_sought = 0;
    setPaused(false);
    m_view->setFollowing(true);
}

void TracePanel::narrow(const QString& condition) {
    const QString now = m_bar->text().trimmed();
    if (now.isEmpty() || !m_bar->problem().isEmpty())
        setFilterText(condition);
    else if (now.contains(QLatin1String(" or "), Qt::CaseInsensitive) || now.contains(QLatin1String("||")))
        setFilterText(QStringLiteral("(%1) and %2").arg(now, condition));
    else
        setFilterText(QStringLiteral("%1 and %2").arg(now, condition));
}

void TracePanel::follow(std::uint64_t sequence) {
    std::vector<std::uint64_t> all = m_model->chainOf(sequence);
    const auto effects = m_model->effectsOf(sequence, 200);
    all.insert(all.end(), effects.begin(), effects.end());
    QStringList numbers;
    for (const std::uint64_t s : all)
        numbers.append(QString::number(s));
    setFilterText(QStringLiteral("sequence in (%1)").arg(numbers.join(QLatin1String(", "))));
}

QMenu* TracePanel::menuFor(int row) {
    const RecordView record = m_model->record(row);
    const std::uint64_t sequence = record.sequence();
    const std::uint64_t cause = record.cause();
    const std::string type = m_context.type(record).name;
    const std::string sender(m_context.sender(record));
    const std::string receiver(m_context.receiver(record));
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("trace.menu"));
    const auto add = [this, menu](const char* name, const QString& text, auto run) {
        QAction* action = menu->addAction(text);
        action->setObjectName(QStringLiteral("trace.menu.") + QLatin1String(name));
        connect(action, &QAction::triggered, this, run);
        return action;
    };
    const auto shown = [](const std::string& text) {
        return QString::fromStdString(text).replace(QLatin1Char('&'), QLatin1String("&&"));
    };
    const auto condition = [](const char* field, const char* op, const std::string& value) {
        return QStringLiteral("%1 %2 %3")
            .arg(QLatin1String(field), QLatin1String(op), QString::fromStdString(filterLiteral(value)));
    };
    const auto filterBy = [&](const char* name, const QString& text, const char* field, const char* op,
                              const std::string& value) {
        const QString words = condition(field, op, value);
        add(name, text, [this, words] { narrow(words); });
    };
    filterBy("onlyType", tr("Only %1").arg(shown(type)), "type", "==", type);
    if (!sender.empty())
        filterBy("onlySender", tr("Only from %1").arg(shown(sender)), "sender", "==", sender);
    if (!receiver.empty())
        filterBy("onlyReceiver", tr("Only to %1").arg(shown(receiver)), "receiver", "==", receiver);
    menu->addSeparator();
    const auto followEntity = [&](const char* name, const std::string& entity) {
        const QString words = condition("entity", "==", entity);
        add(name, tr("Follow %1").arg(shown(entity)), [this, words] { setFilterText(words); });
    };
    if (!receiver.empty())
        followEntity("followReceiver", receiver);
    if (!sender.empty() && sender != receiver)
        followEntity("followSender", sender);
    add("followChain", tr("Follow the chain of #%1").arg(sequence), [this, sequence] { follow(sequence); });
    menu->addSeparator();
    filterBy("excludeType", tr("Exclude %1").arg(shown(type)), "type", "!=", type);
    if (!sender.empty())
        filterBy("excludeSender", tr("Exclude from %1").arg(shown(sender)), "sender", "!=", sender);
    if (!receiver.empty())
        filterBy("excludeReceiver", tr("Exclude to %1").arg(shown(receiver)), "receiver", "!=", receiver);
    menu->addSeparator();
    const auto breakOn = [&](const char* name, const QString& text, const QString& words) {
        add(name, text, [this, words] { emit breakRequested(words); });
    };
    const QString typeIs = condition("type", "==", type);
    breakOn("breakType", tr("Breakpoint at %1").arg(shown(type)), typeIs);
    if (!receiver.empty())
        breakOn("breakReceiver", tr("Breakpoint at %1 to %2").arg(shown(type), shown(receiver)),
                typeIs + QStringLiteral(" and ") + condition("receiver", "==", receiver));
    menu->addSeparator();
    QAction* toCause =
        add("cause", cause == 0 ? tr("Go to the cause") : tr("Go to the cause, #%1").arg(cause),
            [this, cause] { goTo(cause); });
    toCause->setEnabled(m_model->store().rowOf(cause).has_value());
    menu->addSeparator();
    add("copyText", tr("Copy as text"), [this] { copyRows(false); })->setShortcut(QKeySequence::Copy);
    add("copyJson", tr("Copy as JSON"), [this] { copyRows(true); });
    return menu;
}

void TracePanel::copyRows(bool json) {
    // More than this is a job for the trace file.
    constexpr int MaxRows = 10000;
    QStringList lines;
    for (const QItemSelectionRange& range : m_view->selectionModel()->selection()) {
        for (int row = range.top(); row <= range.bottom() && lines.size() < MaxRows; ++row) {
            const RecordView record = m_model->record(row);
            lines.append(json ? QString::fromStdString(m_context.source().json(record))
                              : m_context.line(record));
        }
    }
    if (!lines.isEmpty())
        QApplication::clipboard()->setText(lines.join(QLatin1Char('\n')) + QLatin1Char('\n'));
}

} // namespace sbx::ui
