#include "widgets/graph/link_figures.h"

#include <QCoreApplication>

#include <algorithm>

namespace sbx::ui {

void LinkMeter::add(const NetworkView* view) {
    if (view == nullptr) {
        m_samples.clear();
        return;
    }
    // Other clients, or time that begins anew: another session.
    if (!m_samples.empty()
        && (view->seconds < m_samples.back().seconds || view->peers.size() != m_samples.back().peers.size()))
        m_samples.clear();
    if (!m_samples.empty() && view->seconds == m_samples.back().seconds)
        m_samples.pop_back();
    m_samples.push_back(*view);
    while (m_samples.size() > 2 && m_samples[1].seconds <= view->seconds - Window)
        m_samples.pop_front();
}

namespace {

struct LinkFiguresWords {
    Q_DECLARE_TR_FUNCTIONS(LinkFigures)
};

} // namespace

std::vector<LinkFigures> LinkMeter::figures() const {
    std::vector<LinkFigures> out;
    if (m_samples.empty())
        return out;
    const NetworkView& first = m_samples.front();
    const NetworkView& last = m_samples.back();
    const double seconds = last.seconds - first.seconds;
    for (std::size_t i = 0; i < last.peers.size(); ++i) {
        const NetworkPeerView& now = last.peers[i];
        const NetworkPeerView& then = first.peers[i];
        LinkFigures figures;
        figures.name = now.name;
        figures.link = now.observes ? LinkFiguresWords::tr("observer").toStdString() : now.link;
        figures.connected = now.connected;
        figures.roundTripMs = now.roundTripMs;
        figures.jitterMs = now.jitterMs;
        figures.bytesQueued = now.bytesQueued;
        const auto since = [](std::uint64_t a, std::uint64_t b) { return b > a ? static_cast<double>(b - a) : 0.0; };
        if (const double packets = since(then.packetsSent, now.packetsSent); packets > 0.0)
            figures.loss = std::min(1.0, since(then.packetsLost, now.packetsLost) / packets);
        if (seconds > 0.0) {
            figures.bytesDown = since(then.bytesDown, now.bytesDown) / seconds;
            figures.bytesUp = since(then.bytesUp, now.bytesUp) / seconds;
            figures.resends = since(then.messagesResent, now.messagesResent) / seconds;
        }
        out.push_back(std::move(figures));
    }
    return out;
}

namespace {

QString kibibytes(double bytes) { return QString::number(bytes / 1024.0, 'f', 1).rightJustified(6); }

} // namespace

std::vector<QStringList> laneNotes(const std::vector<LinkFigures>& figures) {
    std::vector<QStringList> out;
    if (figures.empty())
        return out;
    double down = 0.0;
    double up = 0.0;
    double resends = 0.0;
    for (const LinkFigures& each : figures) {
        down += each.bytesDown;
        up += each.bytesUp;
        resends += each.resends;
    }
    out.push_back({LinkFiguresWords::tr("out %1 KiB/s").arg(kibibytes(down)), LinkFiguresWords::tr("in  %1 KiB/s").arg(kibibytes(up)),
                   LinkFiguresWords::tr("resends %1 /s").arg(resends, 5, 'f', 1)});
    for (const LinkFigures& each : figures) {
        QStringList lines;
        if (!each.connected)
            lines += LinkFiguresWords::tr("not connected");
        lines += LinkFiguresWords::tr("rtt %1 ± %2 ms").arg(each.roundTripMs, 6, 'f', 1).arg(each.jitterMs, 0, 'f', 1);
        lines += LinkFiguresWords::tr("loss%1 %").arg(each.loss * 100.0, 6, 'f', 1);
        if (!each.link.empty()) // before what a low lane has no room for: it explains the two above
            lines += QString::fromStdString(each.link);
        lines += LinkFiguresWords::tr("in  %1 KiB/s").arg(kibibytes(each.bytesDown));
        lines += LinkFiguresWords::tr("out %1 KiB/s").arg(kibibytes(each.bytesUp));
        lines += LinkFiguresWords::tr("queue%1 KiB").arg(kibibytes(static_cast<double>(each.bytesQueued)));
        out.push_back(lines);
    }
    return out;
}

} // namespace sbx::ui
