#include "widgets/graph/graph_handshakes.h"

#include <algorithm>

namespace sbx::ui {

using Kind = GraphHandshakeStep::Kind;

int GraphHandshake::asked(net::Time at) const {
    return static_cast<int>(std::count_if(steps.begin(), steps.end(), [&](const GraphHandshakeStep& step) {
        const bool asks = step.kind == Kind::Request || step.kind == Kind::Response;
        return asks && step.time <= at && (step.atClient || !address.empty());
    }));
}

GraphHandshake* GraphHandshakes::lastOf(const GraphHandshakeStep& step) {
    const auto last = std::find_if(m_all.rbegin(), m_all.rend(), [&](const GraphHandshake& one) {
        return one.lane == step.client && one.address == step.address;
    });
    return last == m_all.rend() ? nullptr : &*last;
}

GraphHandshake* GraphHandshakes::begin(const GraphHandshakeStep& step) {
    if (m_all.size() == Most)
        m_all.pop_front();
    GraphHandshake& out = m_all.emplace_back();
    out.id = ++m_lastId;
    out.lane = step.client;
    out.address = step.address;
    out.began = step.time;
    return &out;
}

void GraphHandshakes::take(const GraphHandshakeStep& step) {
    const bool alone = !step.address.empty(); // of two ends only the server's is seen
    const bool timeout = step.reason == net::CloseReason::HandshakeTimeout;
    GraphHandshake* one = lastOf(step);
    const bool open = one != nullptr && one->outcome == GraphHandshake::Outcome::Asking;
    switch (step.kind) {
    case Kind::Connected:
        if (!open)
            return; // it was there before anybody looked
        break;
    case Kind::Closed:
        // A key that led nowhere: the client asks anew, or has been denied. So does one whose response the server has but nothing
        // after it: it is the client that gives up.
        if (step.reason == net::CloseReason::None || (open && (!timeout || !(step.atClient || alone))))
            return;
        // Of one end that both ends tell of there is one entry.
        if (!open
            && (one == nullptr || one->outcome != GraphHandshake::Outcome::Closed
                || one->steps.back().atClient == step.atClient))
            one = begin(step);
        break;
    case Kind::Request:
        if (!open && (one == nullptr || step.atClient || alone))
            one = begin(step);
        break;
    default:
        if (one == nullptr) // its beginning was not seen
            one = begin(step);
        break;
    }
    one->last = step.time;
    if (one->steps.size() < MaxSteps)
        one->steps.push_back(step);
    if (one->outcome != GraphHandshake::Outcome::Asking)
        return;
    const auto end = [&](GraphHandshake::Outcome outcome) {
        one->outcome = outcome;
        one->reason = step.reason;
        one->ended = step.time;
    };
    if (step.kind == Kind::Connected)
        end(GraphHandshake::Outcome::Connected);
    else if (step.kind == Kind::Denial && (step.atClient || alone)) // denied when the denial arrives
        end(GraphHandshake::Outcome::Denied);
    else if (step.kind == Kind::Closed)
        end(open ? GraphHandshake::Outcome::Unanswered : GraphHandshake::Outcome::Closed);
}

void GraphHandshakes::forget(net::Time before) {
    std::erase_if(m_all, [&](const GraphHandshake& one) {
        return one.ended == net::Never ? one.last < before : one.ended < before;
    });
}

const GraphHandshake* GraphHandshakes::find(std::uint64_t id) const {
    const auto found =
        std::find_if(m_all.begin(), m_all.end(), [&](const GraphHandshake& one) { return one.id == id; });
    return found == m_all.end() ? nullptr : &*found;
}

} // namespace sbx::ui
