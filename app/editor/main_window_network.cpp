// The window's part in a session with clients: playing as host, whose world is shown, how links are, and the graph's ties to the
// other panels.

#include <QAction>
#include <QDockWidget>
#include <QFileInfo>
#include <QMenu>

#include "app/editor/editor.h"
#include "app/editor/join_dialog.h"
#include "app/editor/main_window.h"
#include "app/editor/network_badge.h"
#include "app/editor/serve_dialog.h"
#include "app/editor/status_strip.h"
#include "engine/net/link_settings.h"
#include "engine/session/local_clients.h"
#include "engine/session/server_identity.h"
#include "widgets/common/foreign_text.h"
#include "widgets/graph/graph_panel.h"
#include "widgets/trace/trace_model.h"
#include "widgets/trace/trace_panel.h"
#include "widgets/viewport/viewport_panel.h"

#include <algorithm>

namespace sbx::editor {

namespace {

struct LinkChoice {
    const char* name;
    const char* link; // as net.link takes it: the name of a preset means here what it means there
};
constexpr LinkChoice Links[] = {
    {QT_TR_NOOP("Perfect"), "none"}, {QT_TR_NOOP("Broadband"), "broadband"},
    {QT_TR_NOOP("Wi-Fi"), "wifi"},   {QT_TR_NOOP("4G"), "4g"},
    {QT_TR_NOOP("Bad"), "bad"},      {QT_TR_NOOP("20 % loss"), "latency=25ms loss=20%"},
};

// The link as a NetworkPeerView has it.
std::string settingsOf(const LinkChoice& choice) {
    const Result<net::LinkProfile> link = net::parseLink(choice.link);
    return link ? net::toText(*link) : std::string();
}
QString explained(const LinkChoice& choice) {
    const std::string settings = settingsOf(choice);
    return settings.empty() ? MainWindow::tr("Datagrams arrive at once and as they were sent")
                            : QString::fromStdString(settings);
}

constexpr int MaxShown = 8; // clients with an entry of their own in menus

} // namespace

void MainWindow::playAsHost(int clients) {
    m_editor.feed().post([clients](Session& session) {
        if (const Result<void> begun = session.playAsHost(static_cast<std::size_t>(clients)); !begun)
            session.log().error("network", begun.error().message);
    });
}

void MainWindow::playForOthers() {
    const std::filesystem::path keyFile = std::filesystem::path(m_editor.configFolder().toStdString()) / "server_key";
    auto* dialog = new ServeDialog(loadServerKey(keyFile), QFileInfo(m_editor.document().folder()).fileName(), m_editor.theme(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ServeDialog::chosen, this, [this](const ServerSetup& setup) {
        m_editor.feed().post([setup](Session& session) {
            if (const Result<void> begun = session.playAsServer(setup); !begun)
                session.log().error("network", begun.error().message);
        });
    });
    dialog->open();
}

void MainWindow::joinServer() {
    std::filesystem::path known;
    if (!m_editor.options().safeMode)
        known = std::filesystem::path(m_editor.configFolder().toStdString()) / "known_servers";
    auto* dialog = new JoinDialog(known, m_editor.settings(), m_editor.theme(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &JoinDialog::chosen, this, [this](const ClientSetup& setup) {
        m_editor.feed().post([setup](Session& session) {
            if (const Result<void> begun = session.playAsClient(setup); !begun && session.handlers().leftServer)
                session.handlers().leftServer(begun.error().toString());
        });
    });
    dialog->open();
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
    actions.add({.id = QStringLiteral("play.serve"),
                 .text = tr("Play for &other computers…"),
                 .menu = tr("Play#1"),
                 .doc = tr("Run the scene as a server that players on other computers join over the network"),
                 .run = [this](bool) { playForOthers(); },
                 .enabled = open});
    actions.add({.id = QStringLiteral("play.join"),
                 .text = tr("&Join a server…"),
                 .menu = tr("Play#1"),
                 .doc = tr("Play in the world of a server on this or another computer, which has the same project"),
                 .run = [this](bool) { joinServer(); },
                 .enabled = open});
    ui::SessionFeed& feed = m_editor.feed();
    // Of clients in this program; the worlds of others are theirs.
    const auto local = [&feed]() -> const NetworkView* {
        const auto& network = feed.frame().network;
        return network != nullptr && network->isLocal() ? network.get() : nullptr;
    };
    for (int i = 0; i <= MaxShown; ++i)
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
                         [local, i] {
                             const NetworkView* network = local();
                             return network != nullptr && static_cast<std::size_t>(i) <= network->peers.size();
                         },
                     .checked =
                         [local, i] {
                             const NetworkView* network = local();
                             return network != nullptr && network->viewAs == static_cast<std::size_t>(i);
                         }});
    for (const LinkChoice& choice : Links) {
        const QString name = tr(choice.name);
        QString id = QStringLiteral("play.link") + QLatin1String(choice.name);
        id.remove(QLatin1Char(' ')).remove(QLatin1Char('-')).replace(QLatin1Char('%'), QStringLiteral("Percent"));
        actions.add({.id = id,
                     .text = name,
                     .menu = tr("Play/Link of all clients#1"),
                     .doc = explained(choice),
                     .run = [this, link = std::string(choice.link)](
                                bool) { m_editor.execute("net.link all " + link); },
                     .checkable = true,
                     .enabled = [local] { return local() != nullptr; },
                     .checked =
                         [local, settings = settingsOf(choice)] {
                             const NetworkView* network = local();
                             return network != nullptr
                                    && std::all_of(
                                        network->peers.begin(), network->peers.end(),
                                        [&](const NetworkPeerView& peer) { return peer.link == settings; });
                         }});
    }
}

void MainWindow::showLinkMenu(int client, const QPoint& at) {
    QMenu menu(this);
    menu.setObjectName(QStringLiteral("menu.link"));
    const auto& network = m_editor.feed().frame().network;
    if (network == nullptr || !network->isLocal() || static_cast<std::size_t>(client) > network->peers.size())
        return;
    if (QAction* view = m_editor.actions().find(QStringLiteral("play.view%1").arg(client)))
        menu.addAction(client == 0 ? tr("View as server") : tr("View as client %1").arg(client), view, &QAction::trigger);
    if (client > 0) {
        menu.addSection(tr("Link of client %1").arg(client));
        const std::string& now = network->peers[static_cast<std::size_t>(client) - 1].link;
        for (const LinkChoice& choice : Links) {
            QAction* action =
                menu.addAction(tr(choice.name), this, [this, client, link = std::string(choice.link)] {
                    m_editor.execute("net.link " + std::to_string(client) + " " + link);
                });
            action->setToolTip(ui::tipText(explained(choice)));
            action->setCheckable(true);
            action->setChecked(now == settingsOf(choice));
        }
        menu.setToolTipsVisible(true);
    }
    menu.exec(at);
}

void MainWindow::connectNetwork(Session& session) {
    m_graph->setPlayAction(m_editor.actions().find(QStringLiteral("play.host2")));
    session.handlers().leftServer = [this](const std::string& why) {
        QMetaObject::invokeMethod(this, [this, why] {
            ui::Notice notice;
            notice.severity = Severity::Error;
            notice.context = QStringLiteral("join");
            notice.text = QString::fromStdString(why);
            notice.actionText = tr("Join…");
            notice.action = [this] { joinServer(); };
            m_editor.notices().post(notice);
        });
    };
    const auto goThere = [this] {
        dock(QStringLiteral("dock.graph"))->show();
        dock(QStringLiteral("dock.graph"))->raise();
        m_graph->setFocus();
    };
    connect(&m_status->network(), &QAbstractButton::clicked, this, goThere);
    connect(&m_editor.feed(), &ui::SessionFeed::frameChanged, this, [this, titled = std::size_t{0}]() mutable {
        const auto& network = m_editor.feed().frame().network;
        m_graph->setNetwork(network.get());
        if (const std::size_t world = network == nullptr ? 0 : network->viewAs + 1; world != titled) {
            titled = world;
            updateTitle();
        }
        // Clients record no messages.
        m_trace->setShownWorld(network != nullptr && network->viewAs > 0 ? tr("client %1").arg(network->viewAs) : QString());
    });
    connect(m_graph, &ui::GraphPanel::entityActivated, m_viewport, &ui::ViewportPanel::frameSelection);
    connect(m_graph, &ui::GraphPanel::laneMenuRequested, this, &MainWindow::showLinkMenu);
    connect(m_trace, &ui::TracePanel::brushChanged, this, [this] {
        const auto& brush = m_trace->brushed();
        m_graph->setSpan(brush ? std::optional(ui::GraphPanel::Span{brush->first, brush->end, brush->firstTick, brush->lastTick})
                               : std::nullopt);
    });
    connect(m_graph, &ui::GraphPanel::spanDismissed, m_trace, &ui::TracePanel::clearBrush);
    ui::TraceModel& trace = m_trace->model();
    m_graph->setTrace(
        {[&trace] { trace.fetch(); }, [&trace] { return trace.store().run(); },
         [&trace](std::uint64_t sequence) { return trace.store().rowOf(sequence).has_value(); }});
}

} // namespace sbx::editor
