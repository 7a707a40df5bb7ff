#include "app/editor/message_sending.h"

#include <QApplication>

#include "app/editor/editor.h"
#include "engine/commands/nobody_acted.h"
#include "engine/entity/entity_type.h"
#include "widgets/common/field_sources.h"
#include "widgets/trace/message_composer.h"
#include "widgets/trace/trace_panel.h"

#include <map>
#include <utility>

namespace sbx::editor {

namespace {

// As Entity::component() takes them: the second Mesh is Mesh#2.
QStringList componentNames(const EntityRow& row) {
    QStringList out;
    std::map<std::string, int> seen;
    if (row.entityType == nullptr)
        return out;
    for (const EntityType::Slot& slot : row.entityType->layout()) {
        const int number = ++seen[slot.type->name];
        const QString name = QString::fromStdString(slot.type->name);
        out.append(number == 1 ? name : QStringLiteral("%1#%2").arg(name).arg(number));
    }
    return out;
}

ui::MessageComposer::Answer answerOf(const ConsoleReply& reply) {
    ui::MessageComposer::Answer answer{reply.ok, {}};
    QStringList lines;
    for (const std::string& line : reply.lines) {
        constexpr std::string_view Mark = "error: ";
        lines.append(QString::fromStdString(line.starts_with(Mark) ? line.substr(Mark.size()) : line));
    }
    answer.text = lines.join(QLatin1Char('\n'));
    answer.nobodyActed = reply.ok
                         && answer.text.contains(
                             QLatin1String(NobodyActed.data(), static_cast<qsizetype>(NobodyActed.size())));
    return answer;
}

} // namespace

MessageSending::MessageSending(Editor& editor, ui::TracePanel& trace, QWidget& window) : QObject(&window), m_editor(editor), m_window(window) {
    ui::Action action;
    action.id = QStringLiteral("trace.send");
    action.text = tr("Send &message…");
    action.menu = tr("Tools");
    action.icon = QStringLiteral("sent");
    action.doc = tr("Compose a message by hand, to the selected entity or to any other");
    action.run = [this](bool) { composer().compose(QString::fromStdString(m_editor.selection().primary())); };
    action.enabled = [this] { return m_editor.document().isOpen(); };
    m_editor.actions().add(std::move(action));
    connect(&trace, &ui::TracePanel::composeRequested, this, [this](const ui::ComposedMessage& message) { composer().compose(message); });
}

ui::MessageComposer& MessageSending::composer() {
    if (m_composer != nullptr)
        return *m_composer;
    ui::SessionFeed& feed = m_editor.feed();
    ui::FieldSources sources = ui::fieldSources(m_editor.document(), m_editor.project(), feed);
    sources.pickEntity = [this](const std::function<void(const QString&)>& taken) {
        m_editor.selection().requestPick([this, taken](const std::string& entity) {
            taken(QString::fromStdString(entity));
            m_composer->activateWindow();
        });
    };
    // The same way as a line that is typed into the console.
    const auto send = [this](const std::string& line, std::function<void(const ui::MessageComposer::Answer&)> done) {
        m_editor.execute(line, [done = std::move(done)](const ConsoleReply& reply) {
            QMetaObject::invokeMethod(qApp, [done, answer = answerOf(reply)] { done(answer); });
        });
    };
    const auto components = [&feed](const QString& entity) {
        const EntityRow* row = feed.frame().entities->find(entity.toStdString());
        return row == nullptr ? QStringList() : componentNames(*row);
    };
    m_composer = new ui::MessageComposer(m_editor.theme(), std::move(sources), send, components, &m_window);
    connect(&feed, &ui::SessionFeed::modeChanged, this, &MessageSending::showHint);
    connect(m_composer, &QDialog::finished, &m_editor.selection(), &ui::Selection::cancelPick);
    connect(&m_editor.document(), &ui::Document::opened, m_composer, [this] { m_composer->setAssetFolder(m_editor.document().folder()); });
    showHint(feed.mode());
    return *m_composer;
}

void MessageSending::showHint(Mode mode) {
    m_composer->setWorldHint(mode == Mode::Edit    ? tr("The world is stopped. A message is handled at once, in the world as it stands. Play begins from the scene, without what it "
                                                        "changed or left waiting.")
                             : mode == Mode::Pause ? tr("The world is paused. A message is handled at once; one that is to come later waits until Play goes on.")
                                                   : QString());
}

} // namespace sbx::editor
