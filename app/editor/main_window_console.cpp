// Joins the console and breakpoints to the window: actions as commands, links, the selection, a pause at a message.

#include <QDir>
#include <QDockWidget>

#include "app/editor/editor.h"
#include "app/editor/handler_stop_window.h"
#include "app/editor/main_window.h"
#include "app/editor/status_strip.h"
#include "engine/session/breakpoints.h"
#include "widgets/common/field_sources.h"
#include "widgets/common/foreign_text.h"
#include "widgets/console/console_backend.h"
#include "widgets/console/console_panel.h"
#include "widgets/console/cvar_table.h"
#include "widgets/console/key_binding_actions.h"
#include "widgets/console/watch_list.h"
#include "widgets/inspector/inspector_panel.h"
#include "widgets/trace/trace_panel.h"
#include "widgets/viewport/viewport_panel.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace sbx::editor {

namespace {
const QString StormContext = QStringLiteral("storm ");
const QString BreakContext = QStringLiteral("break");
} // namespace

void MainWindow::registerActionCommands() {
    // Every action is a console command of the same name; it runs on the GUI thread.
    CommandRegistry& commands = m_editor.feed().session().console().commands();
    const CVarRegistry& cvars = m_editor.feed().session().console().cvars();
    for (const QString& id : m_editor.actions().ids()) {
        const std::string name = id.toStdString();
        if (!CommandRegistry::isValidName(name) || commands.find(name) || cvars.contains(name))
            continue;
        const ui::Action* action = m_editor.actions().describe(id);
        QString doc = action->doc.isEmpty() ? action->text : action->doc;
        std::vector<CommandParameter> parameters;
        if (action->checkable)
            parameters.push_back({.name = "state",
                                  .doc = "On or off; left out: the other one.",
                                  .choices = {"on", "off"},
                                  .optional = true});
        commands.add(name, doc.remove(QLatin1Char('&')).toStdString(), std::move(parameters),
                     [this, id](CommandContext& context, const CommandArguments& arguments) -> Result<void> {
                         // These write over the project's files, or decide what may run.
                         if (context.reach() == WriteReach::ProjectOutput && id.startsWith(QLatin1String("file.")))
                             return Error{"lines that come with a project cannot do this; expected you to do it", {}, {}};
                         const QString argument =
                             arguments.empty() ? QString() : QString::fromStdString(arguments[0]);
                         QMetaObject::invokeMethod(this, [this, id, argument] {
                             if (const Result<void> done = m_editor.actions().trigger(id, argument); !done)
                                 m_editor.log().error("console", done.error().message);
                         });
                         return {};
                     });
    }
}

void MainWindow::connectConsole(Session& session) {
    // What `select` finds is the window's selection, and the window's is `$sel`.
    connect(&m_editor.selection(), &ui::Selection::entitiesChanged, this, [this] {
        m_editor.feed().post([names = m_editor.selection().sharedEntities()](Session& s) { s.setSelected(*names); });
    });
    session.handlers().selection = [this](const std::vector<std::string>& names) {
        QMetaObject::invokeMethod(
            this, [this, names] { m_editor.selection().setEntities(names, QStringLiteral("console")); });
    };
    auto* keys = new ui::KeyBindingActions(
        m_editor.actions(), session.console(), {QStringLiteral("viewport"), QStringLiteral("entities")},
        [this](const KeyBinding& binding) { m_editor.execute(binding.line, {}, binding.reach); }, this);
    connect(keys, &ui::KeyBindingActions::refused, this, [this](const QString& key, const QString& by) {
        report(tr("The key %1 runs no console line: %2 has it.").arg(key, by));
    });
    keys->sync();
}

void MainWindow::connectBreakpoints(Session& session) {
    session.handlers().breakHit = [this](const BreakHit& hit) {
        QMetaObject::invokeMethod(this, [this, hit] {
            m_break = hit;
            showBreakWhenSeen();
        });
    };
    connectStops(session);
    connectFieldHistory();
    connectWhyNot();
    connectSoundStarts();
    connect(&m_editor.feed(), &ui::SessionFeed::frameChanged, this, &MainWindow::showBreakWhenSeen);
    connect(&m_editor.feed(), &ui::SessionFeed::modeChanged, this, [this](Mode mode) {
        if (mode != Mode::Pause)
            m_editor.notices().dismissContext(BreakContext);
    });
    connect(&m_trace->model(), &ui::TraceModel::stormBegan, this, &MainWindow::tellStorm);
    // Sequences begin again with a run: the trace has another message of that number then.
    connect(&m_trace->model(), &ui::TraceModel::newRun, this,
            [this] { m_editor.notices().dismissContexts(StormContext); });
    connect(m_trace, &ui::TracePanel::said, m_status, &StatusStrip::say);
    connect(m_trace, &ui::TracePanel::problem, this, &MainWindow::report);
    connect(m_trace, &ui::TracePanel::breakRequested, this, [this](const QString& filter) {
        setBreakpoint("break " + filter.toStdString(),
                      tr("Play pauses at a message that matches: %1").arg(ui::shownLine(filter)));
    });
}

// Posted when it is set: others may be set before the notice is answered.
void MainWindow::setBreakpoint(const std::string& line, const QString& said) {
    m_editor.feed().post([this, line, said](Session& session) {
        const auto last = [&session] {
            const std::vector<Breakpoint>& all = session.breakpoints().list();
            return all.empty() ? 0 : all.back().number;
        };
        const int before = last();
        const ConsoleReply reply = session.execute(line);
        const int number = last();
        if (number == before) {
            const QString why = reply.lines.empty() ? QString() : QString::fromStdString(reply.lines.back());
            QMetaObject::invokeMethod(this, [this, why] {
                reportOn(BreakContext, tr("No breakpoint was set: %1").arg(ui::shownText(why)));
            });
            return;
        }
        QMetaObject::invokeMethod(this, [this, said, number] {
            ui::Notice notice;
            notice.text = said;
            notice.context = BreakContext;
            notice.actionText = tr("Take it back");
            notice.action = [this, number] { m_editor.execute("unbreak " + std::to_string(number)); };
            m_editor.notices().post(notice);
        });
    });
}

void MainWindow::tellStorm(quint64 sequence, const QString& what, const QString& chain, const QString& condition) {
    m_editor.log().warning("trace", "a storm of messages: " + what.toStdString() + ", #" + std::to_string(sequence)
                                        + (chain.isEmpty() ? std::string() : "; they come from " + chain.toStdString()));
    ui::Notice notice;
    notice.severity = Severity::Warning;
    notice.context = StormContext + condition;
    notice.text = chain.isEmpty() ? tr("A storm of messages: %1").arg(what) : tr("A storm of messages: %1\n%2").arg(what, chain);
    notice.actionText = tr("Show them");
    notice.action = [this, sequence, condition] {
        m_trace->setFilterText(condition);
        showMessage(sequence);
    };
    m_editor.notices().post(notice);
}

void MainWindow::showMessage(qulonglong sequence) {
    dock(QStringLiteral("dock.trace"))->show();
    dock(QStringLiteral("dock.trace"))->raise();
    m_trace->showArriving(sequence);
}

// A tick that stands before a handler.
void MainWindow::connectStops(Session& session) {
    auto* const window = new HandlerStopWindow(
        session.stops(), m_editor.theme(),
        ui::fieldSources(m_editor.document(), m_editor.project(), m_editor.feed()), this);
    session.stops().setHandler([this, window](std::shared_ptr<const HandlerStop> stop) {
        QMetaObject::invokeMethod(window, [window, stop = std::move(stop), &actions = m_editor.actions()] {
            window->show(stop);
            actions.refresh(); // Play goes on from there
        });
    });
    session.stops().setInteractive(true);
    connect(window, &HandlerStopWindow::entityPicked, this,
            [this](const QString& name) { m_editor.selection().setEntity(name.toStdString(), QStringLiteral("stop")); });
    connect(window, &HandlerStopWindow::recordPicked, this, &MainWindow::showMessage);
    // It waits for the end of the tick, as all lines do.
    connect(window, &HandlerStopWindow::sendAgain, this, [this](const QString& line) {
        m_editor.execute(line.toStdString(), [this](const ConsoleReply& reply) {
            if (!reply.ok && !reply.lines.empty())
                QMetaObject::invokeMethod(this, [this, why = QString::fromStdString(reply.lines.back())] {
                    report(tr("The message was not sent again: %1").arg(ui::shownText(why)));
                });
        });
    });
    connect(window, &HandlerStopWindow::unbreak, this, [this](int number) {
        m_editor.feed().post([number](Session& s) { s.execute("unbreak " + std::to_string(number)); });
    });
    connect(window, &HandlerStopWindow::stopChanged, this, [this](const QString& words) {
        m_status->setStopped(words);
        m_inspector->setStanding(!words.isEmpty());
    });
    connect(&m_editor.actions(), &ui::ActionRegistry::triggered, this, [this, &session](const QString& id) {
        if (id == QLatin1String("play.pause") && session.stops().stopped() != nullptr)
            sayWaits(tr("Pause"));
    });
    connect(m_trace, &ui::TracePanel::stopRequested, this,
            [this](const QString& component, const QString& filter) {
                setBreakpoint(
                    "break.at " + component.toStdString() + ' ' + filter.toStdString(),
                    component == QLatin1String("*")
                        ? tr("The tick stops before the first handler of: %1").arg(ui::shownLine(filter))
                        : tr("The tick stops before %1 handles: %2")
                              .arg(ui::shownLine(component), ui::shownLine(filter)));
            });
}

void MainWindow::sayWaits(const QString& what) {
    m_status->say(tr("Waits until the tick goes on: %1").arg(ui::shownLine(what)));
}

void MainWindow::connectConsoleLinks() {
    ui::LinkNames names;
    names.isEntity = [this](const QString& name) {
        const auto& entities = m_editor.feed().frame().entities;
        return entities && entities->find(name.toStdString()) != nullptr;
    };
    names.preview = [this](const ui::LogLink& link) {
        if (link.kind == ui::LinkKind::Entity) {
            const EntityRow* row = m_editor.feed().frame().entities->find(link.target.toStdString());
            return row == nullptr
                       ? tr("%1 is gone").arg(link.target)
                       : tr("%1: %2\nSelects it").arg(link.target, QString::fromStdString(row->type));
        }
        if (link.kind == ui::LinkKind::Message)
            return tr("Shows message #%1 in the trace").arg(link.target);
        return tr("Opens %1").arg(link.target);
    };
    m_console->setLinkNames(std::move(names));
    connect(m_console, &ui::ConsolePanel::left, this, [this] { m_viewport->setFocus(); });
    connect(m_console, &ui::ConsolePanel::linkActivated, this, [this](const ui::LogLink& link) {
        if (link.kind == ui::LinkKind::Entity) {
            m_editor.selection().setEntity(link.target.toStdString(), QStringLiteral("console"));
        } else if (link.kind == ui::LinkKind::Message) {
            showMessage(link.target.toULongLong());
        } else if (link.kind == ui::LinkKind::Place) {
            const QStringList parts = link.target.split(QLatin1Char(':'));
            const QString file = parts.value(0);
            // As the document calls it: places may carry a folder before them.
            for (const ui::DocumentFile& known : m_editor.document().files())
                if (const QString name = QString::fromStdString(known.file);
                    file == name || file.endsWith(QLatin1Char('/') + name)) {
                    showDefinition(name, parts.value(1).toInt(), std::max(1, parts.value(2).toInt()));
                    return;
                }
            report(tr("%1 is no file of this project.").arg(file));
        }
    });
    if (!m_editor.options().safeMode && m_console->table() != nullptr) {
        m_console->table()->keepStars(QDir(m_editor.configFolder()).filePath(QStringLiteral("console_stars")));
        connect(m_console->table(), &ui::CVarTable::notKept, this, [this](const QString& reason) {
            report(tr("The stars of the CVar table are not kept: %1").arg(reason));
        });
    }
    if (!m_editor.options().safeMode && m_console->watches() != nullptr) {
        m_console->watches()->keepWatches(
            QDir(m_editor.configFolder()).filePath(QStringLiteral("console_watches")));
        connect(m_console->watches(), &ui::WatchList::notKept, this,
                [this](const QString& reason) { report(tr("The watches are not kept: %1").arg(reason)); });
    }
}

void MainWindow::showConsole() {
    dock(QStringLiteral("dock.console"))->show();
    dock(QStringLiteral("dock.console"))->raise();
}

// The session pauses before it publishes. Shown at once, the message would be explained with what is known of the run before.
void MainWindow::showBreakWhenSeen() {
    const FrameSnapshot& frame = m_editor.feed().frame();
    if (!m_break || frame.run < m_break->run || (frame.run == m_break->run && frame.tick < m_break->tick))
        return;
    const BreakHit hit = *std::exchange(m_break, std::nullopt);
    if (frame.run == hit.run)
        showBreak(hit);
}

void MainWindow::showBreak(const BreakHit& hit) {
    dock(QStringLiteral("dock.trace"))->show();
    dock(QStringLiteral("dock.trace"))->raise();
    m_trace->showArriving(hit.sequence);
    ui::Notice notice;
    notice.severity = Severity::Warning;
    notice.context = BreakContext;
    notice.text =
        tr("Paused at tick %1: %2").arg(QString::number(hit.tick), QString::fromStdString(hit.text));
    notice.actionText = tr("Remove breakpoint");
    notice.action = [this, number = hit.breakpoint] {
        m_editor.execute("unbreak " + std::to_string(number));
    };
    m_editor.notices().dismissContext(notice.context);
    m_editor.notices().post(notice);
}

} // namespace sbx::editor
