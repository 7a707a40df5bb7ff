#include "app/editor/message_follower.h"

#include <QAction>

#include "app/editor/editor.h"
#include "engine/core/console_message.h"
#include "engine/core/nearest.h"
#include "engine/session/session.h"
#include "widgets/console/console_panel.h"
#include "widgets/definition/definition_panel.h"
#include "widgets/probe/probe_panel.h"
#include "widgets/trace/passing_messages.h"
#include "widgets/trace/trace_panel.h"
#include "widgets/viewport/message_lines.h"
#include "widgets/viewport/viewport_panel.h"

#include <algorithm>

namespace sbx::editor {

namespace {

QString lineOf(const ui::ChosenMessage& message) {
    const auto end = [](const std::string& name) {
        return name.empty() ? QStringLiteral("—") : QString::fromStdString(name);
    };
    QString text = QStringLiteral("#%1 %2 %3 → %4")
                       .arg(QString::number(message.sequence), QString::fromStdString(message.type),
                            end(message.sender), end(message.receiver));
    if (!message.fields.empty())
        text += QStringLiteral("   ") + QString::fromStdString(message.fields);
    return text;
}

} // namespace

MessageFollower::MessageFollower(Editor& editor, Session& session, const Panels& panels, QObject* parent)
    : QObject(parent),
      m_editor(editor),
      m_session(session),
      m_panels(panels),
      m_passing(new ui::PassingMessages(panels.trace.model(), this)) {
    addCommand(session);
    connect(&editor.selection(), &ui::Selection::traceChanged, this,
            [this](std::uint64_t sequence) { follow(sequence); });
    connect(&panels.trace.model(), &ui::TraceModel::countsChanged, this, &MessageFollower::lookAgain);
    connect(&panels.trace.model(), &ui::TraceModel::loaded, this, &MessageFollower::lookAgain);
    connectPassing();
}

MessageFollower::~MessageFollower() {
    m_panels.viewport.messages().setShownChanged({});
    m_session.console().commands().remove(MessageCommand);
}

void MessageFollower::follow(std::uint64_t sequence) {
    const auto message = sequence != 0 ? ui::chosenMessage(m_panels.trace.model(), sequence) : std::nullopt;
    m_wanted = message ? 0 : sequence;
    show(message);
}

// For a message that was selected before it had arrived, or while it lay on the disk.
void MessageFollower::lookAgain() {
    if (m_wanted == 0)
        return;
    const ui::TraceModel& model = m_panels.trace.model();
    if (const auto message = ui::chosenMessage(model, m_wanted)) {
        m_wanted = 0;
        show(message);
    } else if (const auto row = model.store().rowOf(m_wanted); !row && model.learnedEnd() > model.store().first()
                                                               && m_wanted <= model.store().sequenceOf(model.learnedEnd() - 1)) {
        m_wanted = 0; // it is not held any more
    }
}

void MessageFollower::show(const std::optional<ui::ChosenMessage>& message) {
    {
        Words words = message ? wordsOf(*message) : Words();
        const std::lock_guard lock(m_shared->mutex);
        m_shared->words = std::move(words);
    }
    m_panels.viewport.messages().choose(message);
    m_panels.viewport.view().wake();
    m_panels.console.setMessage(message ? message->sequence : 0, message ? lineOf(*message) : QString());
    m_panels.probe.followMessage(message ? message->sequence : 0);
    const auto& entities = m_editor.feed().frame().entities;
    if (const EntityRow* receiver = message && entities ? entities->find(message->receiver) : nullptr)
        m_panels.definition.followMessage(QString::fromStdString(receiver->type),
                                          QString::fromStdString(message->handler));
}

void MessageFollower::connectPassing() {
    ui::MessageLines& lines = m_panels.viewport.messages();
    m_panels.trace.setPictureAction(m_editor.actions().find(QStringLiteral("view.messages")));
    connect(m_passing, &ui::PassingMessages::passed, this,
            [this, &lines](const std::vector<ui::PassingMessage>& messages) {
                // Clients record no messages: those of the server did not pass in a client's world.
                const auto& network = m_editor.feed().frame().network;
                if (network != nullptr && network->viewAs > 0)
                    return;
                lines.add(messages);
                m_panels.viewport.view().wake(); // a world that stands still draws no frames
            });
    connect(m_passing, &ui::PassingMessages::restarted, this, [this, &lines] {
        lines.forget();
        m_panels.viewport.view().wake();
    });
    lines.setShownChanged([this](bool on) { m_passing->setOn(on); });
    m_passing->setOn(lines.isShown());
}

MessageFollower::Words MessageFollower::wordsOf(const ui::ChosenMessage& message) const {
    const ui::TraceModel& model = m_panels.trace.model();
    const RecordView record = model.store().at(*model.store().rowOf(message.sequence));
    const ui::TraceContext& context = model.context();
    Words words{{"sequence", std::to_string(message.sequence)},
                {"type", message.type},
                {"sender", message.sender},
                {"receiver", message.receiver},
                {"tick", std::to_string(message.tick)},
                {"cause", std::to_string(record.cause())},
                {"world", std::string(context.world(record))},
                {"delivery", std::string(ui::TraceContext::delivery(record))},
                {"outcome", outcomeName(ui::TraceContext::outcome(record))},
                {"handler", message.handler}};
    for (const FieldInfo& field : *context.type(record).fields)
        words.emplace_back("fields." + field.name, context.fieldValue(record, field, true).toStdString());
    return words;
}

void MessageFollower::addCommand(Session& session) {
    CommandParameter word;
    word.name = "word";
    word.doc = "What of it: sender, receiver, type, tick, cause, world, delivery, outcome, handler, or "
               "fields.NAME; left out: its number.";
    word.choices = {"sequence", "type",  "sender",   "receiver", "tick",
                    "cause",    "world", "delivery", "outcome",  "handler"};
    word.optional = true;
    const auto names = [shared = m_shared] {
        const std::lock_guard lock(shared->mutex);
        std::vector<std::string> out;
        for (const auto& [name, value] : shared->words)
            out.push_back(name);
        return out;
    };
    session.console().commands().add(
        std::string(MessageCommand),
        "Shows the message that is selected in the window. In any line $msg stands for its number, "
        "$msg.receiver for its receiver, and so on.",
        {word},
        [shared = m_shared, names](CommandContext& context,
                                   const CommandArguments& arguments) -> Result<void> {
            Words words;
            {
                const std::lock_guard lock(shared->mutex);
                words = shared->words;
            }
            if (words.empty())
                return Error{"no message is selected; expected one, in the trace or the graph", {}, {}};
            if (arguments.empty()) {
                context.print(words.front().second);
                for (const auto& [name, value] : words) // the number is printed
                    if (name != words.front().first)
                        context.note(name + "  " + (value.empty() ? "none" : value));
                return {};
            }
            const auto found = std::find_if(words.begin(), words.end(),
                                            [&](const auto& each) { return each.first == arguments[0]; });
            if (found == words.end()) {
                const std::string near = nearestName(arguments[0], names());
                return Error{"the selected message has no " + arguments[0]
                                 + (near.empty() ? std::string() : "; did you mean " + near + "?"),
                             {},
                             {}};
            }
            if (found->second.empty())
                return Error{"the selected message has no " + arguments[0]
                                 + ": it came from outside, or went to none",
                             {},
                             {}};
            context.print(found->second);
            return {};
        });
}

} // namespace sbx::editor
