// The window's part in a session with clients: playing as host, whose world is shown, how links are, and the graph's ties to the
// other panels.

#include <QAction>
#include <QDockWidget>
#include <QMenu>

#include "app/editor/editor.h"
#include "app/editor/main_window.h"
#include "app/editor/network_badge.h"
#include "app/editor/status_strip.h"
#include "engine/session/local_clients.h"
#include "widgets/common/foreign_text.h"
#include "widgets/graph/graph_panel.h"
#include "widgets/trace/trace_model.h"
#include "widgets/trace/trace_panel.h"
#include "widgets/viewport/viewport_panel.h"

namespace sbx::editor {

namespace {

struct LinkPreset {
    const char* name;
    const char* link; // as net.link takes it
};
// One way; rates and bursts as people meet them.
constexpr LinkPreset Presets[] = {
    {QT_TR_NOOP("Perfect"), "latency=0ms"},
    {QT_TR_NOOP("Broadband"), "latency=12ms jitter=3ms loss=0.1%"},
    {QT_TR_NOOP("Wi-Fi"), "latency=8ms jitter=15ms loss=1% burst=3 reorder=1%"},
    {QT_TR_NOOP("4G"), "latency=40ms jitter=20ms loss=1.5% burst=4"},
    {QT_TR_NOOP("Bad"), "latency=120ms jitter=60ms loss=10% burst=3 duplicate=1% reorder=2%"},
    {QT_TR_NOOP("20 % loss"), "latency=25ms loss=20%"},
};
constexpr int MostShown = 8; // clients with an entry of their own in menus

} // namespace

void MainWindow::playAsHost(int clients) {
    m_editor.feed().post([clients](Session& session) {
        if (const Result<void> begun = session.playAsHost(static_cast<std::size_t>(clients)); !begun)
            session.log().error("network", begun.error().message);
    });
}

void MainWindow::createNetworkActions() {
    ui::ActionRegistry& actions = m_editor.actions();
    const auto open = [this] { return m_editor.project().isOpen(); };
    actions.add({.id = QStringLiteral("play.host2"),
                 .text = tr("Play as &host + 2 clients"),
                 .menu = tr("Play#1"),
                 .icon = QStringLiteral("network"),
                 .shortcuts = {QKeySequence(Qt::SHIFT | Qt::Key_F5)},
                 .doc = tr("Run the scene as a server, with two clients in this program over simulated links"),
                 .run = [this](bool) { playAsHost(2); },
                 .enabled = open});
    for (const int clients : {1, 3, 4, 8})
        actions.add({.id = QStringLiteral("play.host%1").arg(clients),
                     .text = clients == 1 ? tr("1 client") : tr("%1 clients").arg(clients),
                     .menu = tr("Play/Play as host with#1"),
                     .doc = tr("Run the scene as a server, with clients in this program over simulated links"),
                     .run = [this, clients](bool) { playAsHost(clients); },
                     .enabled = open});
    ui::SessionFeed& feed = m_editor.feed();
    for (int i = 0; i <= MostShown; ++i)
        actions.add({.id = QStringLiteral("play.view%1").arg(i),
                     .text = i == 0 ? tr("Server") : tr("Client %1").arg(i),
                     .menu = tr("Play/View as#1"),
                     .doc = i == 0 ? tr("Show the server's own world") : tr("Show that client's world, and play it"),
                     .run =
                         [&feed, i](bool) {
                             feed.post([i](Session& session) { static_cast<void>(session.viewAs(static_cast<std::size_t>(i))); });
                         },
                     .checkable = true,
                     .enabled =
                         [&feed, i] {
                             const auto& network = feed.frame().network;
                             return network != nullptr && static_cast<std::size_t>(i) <= network->peers.size();
                         },
                     .checked =
                         [&feed, i] {
                             const auto& network = feed.frame().network;
                             return network != nullptr && network->viewAs == static_cast<std::size_t>(i);
                         }});
    for (const LinkPreset& preset : Presets) {
        const QString name = tr(preset.name);
        QString id = QStringLiteral("play.link") + QLatin1String(preset.name);
        id.remove(QLatin1Char(' ')).remove(QLatin1Char('-')).replace(QLatin1Char('%'), QStringLiteral("Percent"));
        actions.add({.id = id,
                     .text = name,
                     .menu = tr("Play/Link of all clients#1"),
                     .doc = QLatin1String(preset.link),
                     .run = [this, link = std::string(preset.link)](bool) { m_editor.execute("net.link all " + link); },
                     .enabled = [&feed] { return feed.frame().network != nullptr; }});
    }
}

void MainWindow::showLinkMenu(int client, const QPoint& at) {
    QMenu menu(this);
    menu.setObjectName(QStringLiteral("menu.link"));
    const auto& network = m_editor.feed().frame().network;
    if (network == nullptr || static_cast<std::size_t>(client) > network->peers.size())
        return;
    if (QAction* view = m_editor.actions().find(QStringLiteral("play.view%1").arg(client)))
        menu.addAction(client == 0 ? tr("View as server") : tr("View as client %1").arg(client), view, &QAction::trigger);
    if (client > 0) {
        menu.addSection(tr("Link of client %1").arg(client));
        for (const LinkPreset& preset : Presets) {
            const QString link = QLatin1String(preset.link);
            QAction* action = menu.addAction(tr(preset.name), this, [this, client, link] {
                m_editor.execute("net.link " + std::to_string(client) + " " + link.toStdString());
            });
            action->setToolTip(ui::tipText(link));
        }
        menu.setToolTipsVisible(true);
    }
    menu.exec(at);
}

void MainWindow::connectNetwork() {
    m_graph->setPlayAction(m_editor.actions().find(QStringLiteral("play.host2")));
    const auto goThere = [this] {
        dock(QStringLiteral("dock.graph"))->show();
        dock(QStringLiteral("dock.graph"))->raise();
        m_graph->setFocus();
    };
    connect(&m_status->network(), &QAbstractButton::clicked, this, goThere);
    connect(&m_editor.feed(), &ui::SessionFeed::frameChanged, this, [this] {
        const auto& network = m_editor.feed().frame().network;
        m_graph->setNetwork(network.get());
    });
    connect(m_graph, &ui::GraphPanel::entityActivated, m_viewport, &ui::ViewportPanel::frameSelection);
    connect(m_graph, &ui::GraphPanel::laneMenuRequested, this, &MainWindow::showLinkMenu);
    ui::TraceModel& trace = m_trace->model();
    m_graph->setTrace(
        {[&trace] { trace.fetch(); }, [&trace] { return trace.store().run(); },
         [&trace](std::uint64_t sequence) { return trace.store().rowOf(sequence).has_value(); }});
}

} // namespace sbx::editor
