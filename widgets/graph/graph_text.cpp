#include "widgets/graph/graph_text.h"

#include <QCoreApplication>

#include "widgets/common/foreign_text.h"
#include "widgets/common/theme.h"
#include "widgets/graph/graph_glyphs.h"

namespace sbx::ui {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("GraphText", text); }

QString seconds(net::Time time) {
    return QString::number(static_cast<double>(time) / static_cast<double>(net::Second), 'f', 3) + QStringLiteral(" s");
}

// Lost once and not yet again: "lost"; then "lost, resent ×2".
QString fate(int losses, int resends) {
    if (losses == 0 && resends == 0)
        return tr("on its way");
    QString out = losses > 0 ? tr("lost") : QString();
    if (resends > 0)
        out += (out.isEmpty() ? QString() : QStringLiteral(", ")) + tr("resent ×%1").arg(resends);
    return out;
}

QString reasonText(net::CloseReason reason) {
    switch (reason) {
    case net::CloseReason::Closed:
        return tr("one end asked for it");
    case net::CloseReason::Timeout:
        return tr("nothing was heard for too long");
    case net::CloseReason::Protocol:
        return tr("the other end broke the protocol");
    case net::CloseReason::FlowControl:
        return tr("more was sent than granted");
    case net::CloseReason::DependencyStalled:
        return tr("a message waited too long");
    case net::CloseReason::Undeliverable:
        return tr("a message was not acknowledged");
    case net::CloseReason::Rate:
        return tr("too many packets or messages");
    case net::CloseReason::HandshakeTimeout:
        return tr("there was no answer");
    case net::CloseReason::NotAuthenticated:
        return tr("no authority vouched for the client");
    case net::CloseReason::DeniedFull:
        return tr("the server is full");
    case net::CloseReason::DeniedVersion:
        return tr("another version");
    case net::CloseReason::DeniedTable:
        return tr("another project or scene, other definitions or components");
    case net::CloseReason::DeniedBanned:
        return tr("refused for a while, for what it did before");
    case net::CloseReason::Backlog:
        return tr("it refused the message");
    case net::CloseReason::DeniedPassword:
        return tr("another password, or none");
    case net::CloseReason::ServerKeyChanged:
        return tr("the server has another key than it had");
    case net::CloseReason::None:
        break;
    }
    return tr("no reason was given");
}

QString stepText(const GraphHandshakeStep& step) {
    using Kind = GraphHandshakeStep::Kind;
    const bool clients = step.kind == Kind::Request || step.kind == Kind::Response;
    const QString way = clients == step.atClient ? tr("sent") : tr("received");
    switch (step.kind) {
    case Kind::Request:
        return tr("request %1").arg(way);
    case Kind::Challenge:
        return tr("challenge %1").arg(way);
    case Kind::Response:
        return tr("response %1").arg(way);
    case Kind::Denial:
        return tr("denial %1: %2").arg(way, reasonText(step.reason));
    case Kind::Connected:
        return tr("connected");
    case Kind::Closed:
        break;
    }
    return tr("closed: %1").arg(reasonText(step.reason));
}

} // namespace

QString durationText(net::Time duration) {
    const double ms = static_cast<double>(duration) / static_cast<double>(net::Millisecond);
    if (ms >= 1000.0)
        return QStringLiteral("%1 s").arg(ms / 1000.0, 0, 'f', 2);
    return QStringLiteral("%1 ms").arg(ms, 0, 'f', ms < 10.0 ? 1 : 0);
}

QString messageText(const GraphModel& model, const GraphNode& node) {
    QString out = QString::fromStdString(model.typeName(node));
    if (!node.entity.empty())
        out += (out.isEmpty() ? QString() : QStringLiteral(" ")) + QString::fromStdString(node.entity);
    return out;
}

QString rootText(const GraphCause& cause) {
    if (cause.atSender)
        return cause.over ? tr("room on the link") : tr("room on the link, still");
    return cause.root() == 0 ? QString()
                             : QStringLiteral("#%1 (%2)").arg(cause.root()).arg(fate(cause.losses, cause.resends));
}

QString causeText(const GraphModel&, const GraphKey&, const GraphCause& cause) {
    if (cause.atSender && cause.waits)
        return cause.over ? tr("waited %1 at the sender before it was sent")
                                .arg(durationText(cause.until - cause.since))
                          : tr("waiting at the sender for %1, not sent yet")
                                .arg(durationText(cause.until - cause.since));
    if (!cause.waits || cause.root() == 0)
        return {};
    const QString root = rootText(cause);
    const QString duration = durationText(cause.until - cause.since);
    QString by;
    if (cause.chain.size() > 2)
        by = tr(" through #%1").arg(cause.chain[1]);
    return cause.over ? tr("waited %1 for %2%3").arg(duration, root, by) : tr("waiting for %1%3 %2").arg(root, duration, by);
}

QString peerName(const GraphModel& model, std::uint16_t peer) {
    return peer < model.peers().size() ? shownLine(model.peers()[peer]) : tr("peer %1").arg(peer);
}

QString handshakeText(const GraphHandshake& handshake, net::Time at) {
    using Outcome = GraphHandshake::Outcome;
    switch (handshake.outcomeAt(at)) {
    case Outcome::Connected:
        // A link without delay takes no time of the network's clock.
        return handshake.ended == handshake.began ? tr("connected at once")
                                                  : tr("connected in %1").arg(durationText(handshake.ended - handshake.began));
    case Outcome::Denied:
        return tr("denied: %1").arg(reasonText(handshake.reason));
    case Outcome::Unanswered:
        return tr("no answer in %1").arg(durationText(handshake.ended - handshake.began));
    case Outcome::Closed:
        return tr("closed: %1").arg(reasonText(handshake.reason));
    case Outcome::Asking:
        break;
    }
    const int sent = handshake.asked(at);
    return tr("asking for %1, %2")
        .arg(durationText(std::max<net::Time>(at - handshake.began, 0)),
             sent == 1 ? tr("1 datagram sent") : tr("%1 datagrams sent").arg(sent));
}

QString handshakeDetails(const Theme& theme, const GraphModel& model, const GraphHandshake& handshake,
                         net::Time at) {
    const QString muted = theme.color(Token::Muted).name();
    const bool known = handshake.address.empty();
    const QString client =
        known ? peerName(model, handshake.lane) : QString::fromStdString(handshake.address);
    const GraphState state = stateOf(handshake.outcomeAt(at));
    QString out =
        QStringLiteral(
            "<b>%1</b><br><span style=\"color:%2\">%3 → %4</span><br><span style=\"color:%5\">%6</span>")
            .arg(handshake.outcome == GraphHandshake::Outcome::Closed ? tr("End of the connection")
                                                                      : tr("Handshake"),
                 muted, htmlText(client), htmlText(peerName(model, 0)),
                 theme.readable(stateColor(theme, state)).name(),
                 htmlText(handshakeText(handshake, at)));
    QString rows;
    constexpr std::size_t Most = 64;
    for (std::size_t i = 0; i < std::min(handshake.steps.size(), Most) && handshake.steps[i].time <= at;
         ++i) {
        const GraphHandshakeStep& step = handshake.steps[i];
        rows += QStringLiteral("<tr><td align=\"right\">%1&nbsp;&nbsp;</td><td>%2&nbsp;&nbsp;</td><td "
                               "style=\"color:%3\">%4</td></tr>")
                    .arg(seconds(step.time), htmlText(step.atClient ? client : peerName(model, 0)),
                         muted, htmlText(stepText(step)));
    }
    out += QStringLiteral("<table cellspacing=\"0\">%1</table>").arg(rows);
    if (handshake.steps.size() > Most)
        out += tr("and %1 more").arg(handshake.steps.size() - Most);
    return out;
}

QString detailText(const Theme& theme, const GraphModel& model, const GraphKey& key, net::Time at) {
    const GraphNode* node = model.known(key);
    if (node == nullptr)
        return {};
    // What is held no more is known from the list of waits.
    const bool held = model.find(key) != nullptr;
    const auto colored = [&](GraphState state, const QString& text) {
        return QStringLiteral("<span style=\"color:%1\">%2</span>")
            .arg(theme.readable(stateColor(theme, state)).name(), htmlText(text));
    };
    const auto link = [&](std::uint64_t sequence) {
        return QStringLiteral("<a href=\"message:%1\" style=\"text-decoration:none;color:%2\">#%1</a>")
            .arg(sequence)
            .arg(theme.color(Token::Accent).name());
    };
    const QString muted = theme.color(Token::Muted).name();
    QString out = QStringLiteral("<b>#%1 %2</b><br><span style=\"color:%3\">%4 → %5</span>")
                      .arg(QString::number(key.sequence), htmlText(messageText(model, *node)), muted,
                           htmlText(peerName(model, key.from)), htmlText(peerName(model, key.to)));
    if (!held)
        out += QStringLiteral("<br><span style=\"color:%1\">%2</span>")
                   .arg(muted, tr("older than what the graph shows: only what the list keeps of it"));
    GraphCause cause = model.cause(key, at);
    for (const GraphWait& wait : model.waits())
        if (wait.key == key && !wait.cause.atSender)
            cause = model.waitCause(wait, at); // what it waited for may be held no more
    if (const GraphCause sender = model.senderCause(key, at); sender.waits)
        out += QStringLiteral("<br>")
               + colored(sender.over ? GraphState::Sent : GraphState::Waiting, causeText(model, key, sender));
    if (const QString why = causeText(model, key, cause); !why.isEmpty())
        out += QStringLiteral("<br>") + colored(cause.over ? GraphState::Executed : GraphState::Waiting, why);
    QString rows;
    const auto row = [&](GraphState state, net::Time time, const QString& note = {}) {
        if (time > at)
            return;
        rows += QStringLiteral("<tr><td>%1&nbsp;&nbsp;</td><td align=\"right\">%2&nbsp;&nbsp;</td>"
                               "<td style=\"color:%3\">%4</td></tr>")
                    .arg(colored(state, stateName(state)), seconds(time), muted, note);
    };
    row(GraphState::Queued, node->queued);
    for (const GraphNode::Transmission& each : node->sent) {
        row(each.again ? GraphState::Resent : GraphState::Sent, each.sent, tr("packet %1").arg(each.packet));
        row(GraphState::Lost, each.lost, tr("packet %1").arg(each.packet));
    }
    if (node->arrived < node->executed)
        row(GraphState::Waiting, node->arrived, tr("arrived after %1").arg(durationText(node->arrived - node->queued)));
    row(GraphState::Executed, node->executed, tr("after %1").arg(durationText(node->executed - node->queued)));
    row(GraphState::Acknowledged, node->acknowledged, tr("the sender knows it is stored"));
    row(GraphState::Executed, node->known, tr("the sender knows"));
    out += QStringLiteral("<table cellspacing=\"0\">%1</table>").arg(rows);
    const auto list = [&](const QString& title, const std::vector<std::uint64_t>& numbers) {
        if (numbers.empty())
            return;
        constexpr std::size_t Most = 12;
        QStringList links;
        for (std::size_t i = 0; i < std::min(numbers.size(), Most); ++i)
            links += link(numbers[i]);
        if (numbers.size() > Most)
            links += tr("and %1 more").arg(numbers.size() - Most);
        out += QStringLiteral("<br><span style=\"color:%1\">%2</span> %3").arg(muted, title, links.join(QStringLiteral(", ")));
    };
    list(tr("needs"), node->needs);
    list(tr("needed by"), model.dependents(key));
    if (cause.chain.size() > 2)
        list(tr("waited along"), cause.chain);
    return out;
}

} // namespace sbx::ui
