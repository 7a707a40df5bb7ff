#include "app/editor/network_badge.h"

#include "widgets/common/foreign_text.h"
#include "widgets/common/session_feed.h"
#include "widgets/common/theme.h"

#include <algorithm>
#include <variant>

namespace sbx::editor {

namespace {
constexpr int RefreshMs = 250; // figures that change faster cannot be read
} // namespace

NetworkBadge::NetworkBadge(const ui::Theme& theme, ui::SessionFeed& feed, QWidget* parent)
    : StatusBadge(theme, parent), m_feed(feed) {
    setObjectName(QStringLiteral("status.network"));
    setAccessibleName(tr("Network"));
    setFont(theme.font(ui::FontRole::Mono));
    hide();
    m_timer.setInterval(RefreshMs);
    connect(&m_timer, &QTimer::timeout, this, &NetworkBadge::refresh);
    m_timer.start();
}

QStringList NetworkBadge::simulated() const {
    QStringList out;
    for (const CVarInfo& info : m_feed.session().cvars().list()) {
        if (info.field.name.rfind("net.sim.", 0) != 0 || info.isDefault())
            continue;
        QString text = QString::fromStdString(info.field.name.substr(8));
        if (const double* number = std::get_if<double>(&info.value)) {
            text += QLatin1Char(' ')
                    + QString::number(*number, 'g', 6); // 20, not 20.0: a share, not a measurement
            if (!info.field.unit.empty())
                text += QLatin1Char(' ') + QString::fromStdString(info.field.unit);
        }
        out += text;
    }
    return out;
}

void NetworkBadge::refresh() {
    const std::shared_ptr<const NetworkView>& view = m_feed.frame().network;
    m_meter.add(view.get());
    const QStringList sim = simulated();
    bool bad = !sim.isEmpty();
    QString text;
    QStringList tip;
    if (view != nullptr) {
        double roundTrip = 0.0;
        double loss = 0.0;
        for (const ui::LinkFigures& each : m_meter.figures()) {
            roundTrip = std::max(roundTrip, each.roundTripMs);
            loss = std::max(loss, each.loss);
            bad = bad || !each.link.empty();
            tip += tr("%1: %2 ms round trip, %3 % lost%4")
                       .arg(QString::fromStdString(each.name))
                       .arg(each.roundTripMs, 0, 'f', 1)
                       .arg(each.loss * 100.0, 0, 'f', 1)
                       .arg(each.link.empty() ? QString() : tr(", link %1").arg(QString::fromStdString(each.link)));
        }
        const auto stranger = [](const NetworkPeerView& peer) { return peer.connected && !peer.authenticated; };
        for (const NetworkPeerView& peer : view->peers)
            if (peer.connected && view->port == 0 && view->server.empty())
                tip +=
                    (stranger(peer)
                         ? tr("%1: encrypted, but not authenticated: it cannot tell this server from another")
                         : tr("%1: encrypted and authenticated: the server has the key that it expects"))
                        .arg(QString::fromStdString(peer.name));
        if (!view->serverKey.empty())
            tip += tr("Fingerprint of the server's key: %1").arg(QString::fromStdString(view->serverKey));
        if (!view->lastExcess.empty())
            tip += tr("Disconnected: %1").arg(QString::fromStdString(view->lastExcess));
        const bool strangers = std::any_of(view->peers.begin(), view->peers.end(), stranger);
        const bool anyConnected = std::any_of(view->peers.begin(), view->peers.end(),
                                         [](const NetworkPeerView& peer) { return peer.connected; });
        const auto clients = view->peers.size();
        if (view->port != 0) {
            text = tr("port %1  ").arg(view->port);
            tip += tr("Others join on port %1%2").arg(view->port).arg(view->wantsPassword ? tr(", with the password") : QString());
        }
        if (!view->server.empty())
            text += (!anyConnected ? tr("joining %1…") : view->peers.front().observes ? tr("observing %1") : tr("joined %1")).arg(QString::fromStdString(view->server));
        else
            text += clients == 1 ? tr("1 client") : tr("%1 clients").arg(clients);
        if (anyConnected || view->server.empty())
            text += tr("  %1 ms %2 % lost").arg(roundTrip, 5, 'f', 1).arg(loss * 100.0, 4, 'f', 1);
        // A client in another program checks the key there; only its password shows here that it did.
        if (anyConnected && (view->port == 0 || view->wantsPassword)) // view->server: this end is the one that checks
            text += strangers ? tr("  not authenticated") : tr("  authenticated");
        if (view->viewAs > 0)
            text += tr("  seen as client %1").arg(view->viewAs);
    }
    if (!sim.isEmpty()) {
        text += (text.isEmpty() ? QString() : QStringLiteral("  ")) + QStringLiteral("net.sim ") + sim.join(QStringLiteral(", "));
        tip += tr("The simulated network is made bad: net.sim %1").arg(sim.join(QStringLiteral(", ")));
    }
    setVisible(!text.isEmpty());
    setAlarm(bad);
    if (text != this->text()) {
        setText(ui::shownLine(text));
        setAccessibleDescription(tip.join(QStringLiteral("; ")));
        updateGeometry();
    }
    setToolTip(ui::tipText(tip.join(QLatin1Char('\n'))));
}

} // namespace sbx::editor

#include "moc_network_badge.cpp"
