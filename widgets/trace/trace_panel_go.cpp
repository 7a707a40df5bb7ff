// Where one goes from a message: to the definition of what handled it, and to others of the same conversation.

#include <QMenu>

#include "widgets/common/action_registry.h"
#include "widgets/common/foreign_text.h"
#include "widgets/trace/passing_messages.h"
#include "widgets/trace/trace_conversation.h"
#include "widgets/trace/trace_panel.h"
#include "widgets/trace/trace_types.h"

#include <utility>

namespace sbx::ui {

void TracePanel::addGoActions(ActionRegistry& registry) {
    const auto add = [this, &registry](const char* id, const QString& text, const char* icon,
                                       const QList<QKeySequence>& keys, const QString& doc,
                                       std::function<void(std::uint64_t)> run) {
        Action action;
        action.id = QLatin1String(id);
        action.text = text;
        action.icon = QLatin1String(icon);
        action.shortcuts = keys;
        action.context = objectName();
        action.doc = doc;
        action.run = [this, run = std::move(run)](bool) {
            if (const std::uint64_t sequence = chosenOne(); sequence != 0)
                run(sequence);
        };
        registry.add(std::move(action));
    };
    if (!m_isFile)
        add("trace.definition", tr("Show the definition of the message's handler"), "definition",
            {QKeySequence(Qt::CTRL | Qt::Key_Return), QKeySequence(Qt::CTRL | Qt::Key_Enter)},
            tr("Shows where the component is declared that consumed the selected message, else the first "
               "that acted on it."),
            [this](std::uint64_t sequence) { showDefinition(sequence); });
    add("trace.nextInConversation", tr("Next message of the conversation"), "arrow-down",
        {QKeySequence(Qt::CTRL | Qt::Key_Period)},
        tr("Goes to the next row of the trace between the same two entities, in either direction."),
        [this](std::uint64_t sequence) { m_conversation->find(sequence, true); });
    add("trace.previousInConversation", tr("Previous message of the conversation"), "arrow-up",
        {QKeySequence(Qt::CTRL | Qt::Key_Comma)},
        tr("Goes to the row of the trace before, between the same two entities, in either direction."),
        [this](std::uint64_t sequence) { m_conversation->find(sequence, false); });
    Action back;
    back.id = QStringLiteral("trace.putFilterBack");
    back.text = tr("Put the trace's filter back");
    back.icon = QStringLiteral("filter");
    back.context = objectName();
    back.doc = tr("Brings back what hid messages of the trace before it was taken away to show one of them.");
    back.run = [this](bool) {
        if (m_aside)
            putFilterBack();
        else
            emit problem(tr("No filter of the trace was taken away to show a message."));
    };
    registry.add(std::move(back));
}

void TracePanel::takeFilterAway(std::uint64_t sequence) {
    FilterAside aside{m_goodFilter, m_typesModel->hidden(), m_model->isMarkedOnly(), sequence};
    showEverything(); // which forgets what was put aside before
    m_aside = std::move(aside);
    refresh();
}

void TracePanel::putFilterBack() {
    const std::optional<FilterAside> aside = std::exchange(m_aside, std::nullopt);
    if (!aside)
        return;
    m_typesModel->hide(aside->hidden);
    m_model->setMarkedOnly(aside->markedOnly);
    setFilterText(aside->filter);
    refresh();
}

void TracePanel::connectConversation() {
    connect(m_conversation, &TraceConversation::found, this, [this](quint64 sequence) { goTo(sequence); });
    connect(m_conversation, &TraceConversation::ended, this, [this](bool forward) {
        emit said(forward ? tr("The list has no later message of this conversation.")
                          : tr("The list has no earlier message of this conversation."));
    });
}

void TracePanel::addGoMenu(QMenu& menu, const RecordView& record) {
    const auto add = [this, &menu](const char* name, const QString& text, Qt::Key key, auto run) {
        QAction* action = menu.addAction(text, this, run);
        action->setObjectName(QStringLiteral("trace.menu.") + QLatin1String(name));
        action->setShortcut(QKeySequence(Qt::CTRL | key));
    };
    const std::uint64_t sequence = record.sequence();
    add("next", tr("Next of the conversation"), Qt::Key_Period,
        [this, sequence] { m_conversation->find(sequence, true); });
    add("previous", tr("Previous of the conversation"), Qt::Key_Comma,
        [this, sequence] { m_conversation->find(sequence, false); });
    if (!m_isFile && !m_context.receiver(record).empty())
        add("definition", tr("Show the definition"), Qt::Key_Return,
            [this, sequence] { showDefinition(sequence); });
}

void TracePanel::showDefinition(std::uint64_t sequence) {
    const auto row = m_model->store().rowOf(sequence);
    if (!row)
        return;
    const RecordView record = m_model->store().at(*row);
    const QString receiver = toQString(m_context.receiver(record));
    const std::optional<ChosenMessage> message = chosenMessage(*m_model, sequence);
    if (receiver.isEmpty())
        emit problem(tr("Message #%1 went to no entity: there is no definition to show.").arg(sequence));
    else if (const auto gone = m_context.receiverGoneBy(record))
        emit problem(tr("%1 is gone by tick %2: there is no entity whose definition could be shown.")
                         .arg(shownLine(receiver))
                         .arg(*gone));
    else
        emit definitionRequested(receiver, message ? QString::fromStdString(message->handler) : QString());
}

} // namespace sbx::ui
