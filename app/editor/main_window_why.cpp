// Why is this so, and why is it not: joins the windows that answer it to the panels in which it is asked.

#include <QClipboard>
#include <QDesktopServices>
#include <QDockWidget>
#include <QFileInfo>
#include <QGuiApplication>
#include <QUrl>

#include "app/editor/editor.h"
#include "app/editor/field_changes_window.h"
#include "app/editor/main_window.h"
#include "app/editor/sound_starts_window.h"
#include "engine/simulation/catalog.h"
#include "engine/simulation/content.h"
#include "widgets/common/foreign_text.h"
#include "widgets/common/notice.h"
#include "widgets/definition/definition_panel.h"
#include "widgets/inspector/inspector_panel.h"
#include "widgets/probe/probe_panel.h"
#include "widgets/trace/trace_panel.h"
#include "widgets/trace/why_not_window.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <utility>

namespace sbx::editor {

// Who changed a value, asked in the inspector.
void MainWindow::connectFieldHistory() {
    auto* const window = new FieldChangesWindow(m_editor.feed(), m_editor.theme(), m_trace->model(), this);
    connect(m_inspector, &ui::InspectorPanel::whoChanged, window, &FieldChangesWindow::ask);
    // No message changes a setting: there is nothing to list.
    connect(m_inspector, &ui::InspectorPanel::settingExplained, this,
            [this](const QString& answer, const QString& file, int line, int column) {
                ui::Notice notice;
                notice.severity = Severity::Note;
                notice.context = QStringLiteral("setting");
                notice.text = answer;
                if (!file.isEmpty()) {
                    notice.actionText = tr("Show it");
                    notice.action = [this, file, line, column] { showDefinition(file, line, column); };
                }
                m_editor.notices().post(notice);
            });
    connect(window, &FieldChangesWindow::recordPicked, this, &MainWindow::showMessage);
    connect(window, &FieldChangesWindow::recordWanted, m_trace, &ui::TracePanel::recordType);
    connect(window, &FieldChangesWindow::entityPicked, this, [this](const QString& name) {
        m_editor.selection().setEntity(name.toStdString(), QStringLiteral("changes"));
    });
}

// Why a component did not act, asked there too.
void MainWindow::connectWhyNot() {
    auto* const window = new ui::WhyNotWindow(m_editor.theme(), m_trace->model(), this);
    const auto ask = [this, window](const QString& entity, const QString& part) {
        askWhyNot(*window, entity.toStdString(), part.toStdString());
    };
    connect(m_inspector, &ui::InspectorPanel::whyNotAsked, window, ask);
    connect(m_probe, &ui::ProbePanel::whyNotAsked, window, ask);
    connect(m_definition, &ui::DefinitionPanel::whyNotAsked, window, ask);
    connect(window, &ui::WhyNotWindow::codePicked, this, &MainWindow::openCode);
    connect(m_trace, &ui::TracePanel::codePicked, this, &MainWindow::openCode);
    connect(window, &ui::WhyNotWindow::recordPicked, this, &MainWindow::showMessage);
    connect(window, &ui::WhyNotWindow::recordWanted, m_trace, &ui::TracePanel::recordType);
    connect(window, &ui::WhyNotWindow::entityPicked, this, [this](const QString& name) {
        m_editor.selection().setEntity(name.toStdString(), QStringLiteral("why"));
    });
    connect(window, &ui::WhyNotWindow::definitionPicked, this,
            [this](const QString& type, const QString& component) {
                // What a type inherits stands with the type that brought it in.
                const auto& content = m_editor.project().content();
                const definition::EntityTypeDefinition* known =
                    content ? content->definitions->find(type.toStdString()) : nullptr;
                const definition::ComponentDefinition* part =
                    known != nullptr ? known->find(component.toStdString()) : nullptr;
                emit m_inspector->definitionRequested(
                    part != nullptr && !part->owner.empty() ? QString::fromStdString(part->owner) : type,
                    component);
            });
}

// In the program that the system has for such files, if the file is here; where it opens none, or the code was built elsewhere, the
// place is for the person to take.
void MainWindow::openCode(const QString& file, int line) {
    const QString place = QStringLiteral("%1:%2").arg(file).arg(line);
    QGuiApplication::clipboard()->setText(place);
    ui::Notice notice;
    notice.severity = Severity::Note;
    notice.context = QStringLiteral("code");
    if (!QFileInfo(file).isAbsolute() || !QFileInfo::exists(file))
        notice.text =
            tr("%1 is not on this machine. The place is in the clipboard.").arg(ui::shownLine(place));
    else if (!QDesktopServices::openUrl(QUrl::fromLocalFile(file)))
        notice.text =
            tr("No program here opens %1. The place is in the clipboard.").arg(ui::shownLine(place));
    else
        notice.text = tr("Opened %1. The place is in the clipboard.").arg(ui::shownLine(place));
    m_editor.notices().post(notice);
}

// What started a sound, asked in the probe.
void MainWindow::connectSoundStarts() {
    auto* const window =
        new SoundStartsWindow(*m_probe, m_editor.feed(), m_editor.theme(), m_trace->model(), this);
    connect(m_probe, &ui::ProbePanel::whyPlaysAsked, window, &SoundStartsWindow::ask);
    connect(window, &SoundStartsWindow::recordPicked, this, &MainWindow::showMessage);
    connect(window, &SoundStartsWindow::recordWanted, m_trace, &ui::TracePanel::recordType);
    connect(window, &SoundStartsWindow::entityPicked, this, [this](const QString& name) {
        m_editor.selection().setEntity(name.toStdString(), QStringLiteral("why"));
    });
}

void MainWindow::askWhyNot(ui::WhyNotWindow& window, const std::string& entity, const std::string& part) {
    const FrameSnapshot& frame = m_editor.feed().frame();
    ui::WhyNotSubject subject;
    subject.part = part;
    subject.asked.entity = entity;
    subject.asked.component = part.substr(0, part.find('#'));
    if (const std::size_t number = part.find('#'); number != std::string::npos) {
        std::size_t which = 1;
        std::from_chars(part.data() + number + 1, part.data() + part.size(), which);
        subject.asked.which = std::max<std::size_t>(which, 1) - 1;
    }
    if (const EntityRow* row = frame.entities->find(entity))
        subject.type = row->type;
    subject.client = frame.network && !frame.network->server.empty();
    if (frame.network && frame.network->viewAs > 0)
        subject.shownWorld = tr("client %1").arg(frame.network->viewAs);
    const Side side = subject.client ? Side::Client : Side::Server;
    if (const ComponentType* type = frame.catalog->find(subject.asked.component)) {
        for (const HandlerDescription& handler : type->handlers) {
            if ((static_cast<unsigned>(handler.side) & static_cast<unsigned>(side)) != 0)
                subject.asked.handlers.push_back({handler.message, handler.priority});
            else
                subject.otherSide.push_back(handler.message);
        }
    }
    subject.lives = [this, entity] { return m_editor.feed().frame().entities->find(entity) != nullptr; };
    subject.codeOf = [this](const std::string& component) {
        for (const PluginState& plugin : m_editor.feed().frame().catalog->plugins)
            if (std::find(plugin.components.begin(), plugin.components.end(), component)
                != plugin.components.end())
                return tr("the plugin %1").arg(ui::shownLine(plugin.path));
        return tr("Signalbox itself");
    };
    subject.sendersOf = [this](MessageTypeId message) {
        std::vector<std::string> names;
        for (const ComponentType* component : m_editor.feed().frame().catalog->components)
            if (std::find(component->sends.begin(), component->sends.end(), message)
                != component->sends.end())
                names.push_back(component->name);
        std::sort(names.begin(), names.end());
        return names;
    };
    subject.mover = [this, type = subject.type](const std::string& component,
                                                const std::string& other) -> std::function<void()> {
        if (!m_inspector->canMoveBefore(type, component, other))
            return {};
        return [this, type, component, other] { m_inspector->moveBefore(type, component, other); };
    };
    window.ask(std::move(subject));
}

} // namespace sbx::editor
