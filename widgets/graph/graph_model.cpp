#include "widgets/graph/graph_model.h"

#include <algorithm>

namespace sbx::ui {

// ---------------------------------------------------------------------------------------------------- a node

GraphState GraphNode::senderAt(net::Time at) const {
    if (known <= at)
        return GraphState::Executed;
    if (acknowledged <= at)
        return GraphState::Acknowledged;
    GraphState state = GraphState::Queued;
    net::Time newest = 0;
    for (const Transmission& each : sent) {
        if (each.sent <= at && each.sent >= newest) {
            newest = each.sent;
            state = each.again ? GraphState::Resent : GraphState::Sent;
        }
        if (each.lost <= at && each.lost >= newest) {
            newest = each.lost;
            state = GraphState::Lost;
        }
    }
    return state;
}

GraphState GraphNode::receiverAt(net::Time at) const {
    return executed <= at ? GraphState::Executed : arrived <= at ? GraphState::Waiting : GraphState::Unseen;
}

int GraphNode::lossesAt(net::Time at) const {
    return static_cast<int>(std::count_if(sent.begin(), sent.end(), [&](const Transmission& t) { return t.lost <= at; }));
}

int GraphNode::resendsAt(net::Time at) const {
    return static_cast<int>(
        std::count_if(sent.begin(), sent.end(), [&](const Transmission& t) { return t.again && t.sent <= at; }));
}

net::Time GraphNode::end(net::Time now) const {
    if (known != net::Never)
        return executed == net::Never ? known : std::max(known, executed);
    return now;
}

// ---------------------------------------------------------------------------------------------------- what comes

void GraphModel::clear() {
    ++m_version;
    m_flows.clear();
    m_rows.clear();
    m_peers.clear();
    m_waits.clear();
    m_handshakes.clear();
    m_now = 0;
    m_count = 0;
    m_missed = 0;
}

void GraphModel::apply(GraphNews news) {
    ++m_version;
    if (news.run != m_run) {
        clear();
        m_run = news.run;
    }
    if (!news.peers.empty())
        m_peers = std::move(news.peers);
    m_missed = news.missed;
    // Both ends tell their steps in order; put together they are in order of time, the sender's first.
    std::stable_sort(news.steps.begin(), news.steps.end(), [](const GraphStep& a, const GraphStep& b) {
        return a.time != b.time ? a.time < b.time : a.kind < b.kind;
    });
    for (const GraphStep& step : news.steps) {
        m_now = std::max(m_now, step.time);
        take(step);
    }
    for (const GraphHandshakeStep& step : news.handshakes) {
        m_now = std::max(m_now, step.time);
        m_handshakes.take(step);
    }
    m_now = std::max(m_now, news.now);
    watchWaits();
    forget();
}

// New ones stand in order of time: visit() searches by it.
GraphNode& GraphModel::node(const GraphKey& key, net::Time time) {
    Flow& flow = m_flows[{key.to, key.from}];
    if (flow.nodes.empty())
        flow.first = flow.open = key.sequence;
    while (key.sequence - flow.first >= flow.nodes.size()) {
        flow.nodes.emplace_back();
        flow.nodes.back().queued = time;
    }
    GraphNode& out = flow.nodes[key.sequence - flow.first];
    if (!out.present()) {
        out.sequence = key.sequence;
        ++m_count;
    }
    return out;
}

const GraphNode* GraphModel::nodeOf(const Flow& flow, std::uint64_t sequence) const {
    if (sequence < flow.first || sequence - flow.first >= flow.nodes.size())
        return nullptr;
    const GraphNode& out = flow.nodes[sequence - flow.first];
    return out.present() ? &out : nullptr;
}

void GraphModel::take(const GraphStep& step) {
    if (!step.key)
        return;
    // What was let go long ago, or began before anybody looked, does not come back as a part of itself.
    const auto known = m_flows.find({step.key.to, step.key.from});
    const bool held = known != m_flows.end() && nodeOf(known->second, step.key.sequence) != nullptr;
    const bool late = known != m_flows.end() && step.key.sequence < known->second.first;
    if ((step.kind == GraphStep::Kind::Queued) == held || late)
        return;
    if (m_keepFrom && !held && known != m_flows.end() && known->second.nodes.size() >= MaxNodes)
        return; // what is looked at stays
    GraphNode& to = node(step.key, step.time);
    Flow& flow = m_flows[{step.key.to, step.key.from}];
    switch (step.kind) {
    case GraphStep::Kind::Queued: {
        to.needs = step.needs;
        to.entity = step.entity;
        to.trace = step.trace;
        const auto [type, isNew] = m_typeIds.try_emplace(step.type, static_cast<std::uint16_t>(m_types.size()));
        if (isNew)
            m_types.push_back(step.type);
        to.type = type->second;
        to.row = freeRow(step.key, step.time);
        flow.unsent.insert(to.sequence);
        break;
    }
    case GraphStep::Kind::Sent:
    case GraphStep::Kind::Resent:
        to.sent.push_back({step.time, net::Never, step.packet, step.kind == GraphStep::Kind::Resent});
        sentFirst(step.key, to, flow);
        break;
    case GraphStep::Kind::Lost: {
        const auto lost = std::find_if(to.sent.rbegin(), to.sent.rend(), [&](const GraphNode::Transmission& t) {
            return t.lost == net::Never && (t.packet == step.packet || step.packet == 0);
        });
        if (lost != to.sent.rend())
            lost->lost = step.time;
        break;
    }
    case GraphStep::Kind::Acknowledged:
        to.acknowledged = std::min(to.acknowledged, step.time);
        sentFirst(step.key, to, flow);
        break;
    case GraphStep::Kind::KnownExecuted:
        to.known = std::min(to.known, step.time);
        sentFirst(step.key, to, flow);
        flow.longest = std::max(flow.longest, to.end(m_now) - to.queued);
        break;
    case GraphStep::Kind::Arrived:
        if (to.arrived == net::Never) {
            to.arrived = step.time;
            to.arrivedIn = step.packet;
            if (to.executed == net::Never)
                flow.waiting.push_back(to.sequence);
            sentFirst(step.key, to, flow);
        }
        break;
    case GraphStep::Kind::Executed:
        to.executed = std::min(to.executed, step.time);
        to.arrived = std::min(to.arrived, to.executed);
        std::erase(flow.waiting, to.sequence);
        if (to.executed - to.arrived > LongWait)
            list(step.key, to, false);
        sentFirst(step.key, to, flow);
        flow.longest = std::max(flow.longest, to.end(to.executed) - to.queued);
        break;
    case GraphStep::Kind::Dispatched:
        to.trace = step.trace;
        break;
    }
}

// The lowest row whose last message is long enough over.
std::uint16_t GraphModel::freeRow(const GraphKey& key, net::Time queued) {
    std::vector<Row>& rows = m_rows[key.to];
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const GraphNode* last = find(rows[i].last);
        const bool over = last == nullptr || last->done() || last->executed != net::Never;
        if (!over)
            continue;
        if (last != nullptr)
            rows[i].until = std::max(last->done() ? last->known : 0, last->executed == net::Never ? 0 : last->executed);
        if (rows[i].until + RowGap <= queued) {
            rows[i].last = key;
            return static_cast<std::uint16_t>(i);
        }
    }
    rows.push_back({key, 0});
    return static_cast<std::uint16_t>(std::min<std::size_t>(rows.size() - 1, UINT16_MAX));
}

void GraphModel::list(const GraphKey& key, GraphNode& node, bool atSender) {
    const auto tell = [&](GraphWait& wait) {
        wait.cause = atSender ? senderCause(key, m_now) : cause(key, m_now);
        wait.story.clear();
        for (const std::uint64_t sequence : wait.cause.chain)
            if (const GraphNode* each = find({key.from, key.to, sequence}))
                wait.story.push_back(*each);
    };
    bool& listed = atSender ? node.listedAtSender : node.listed;
    if (listed) { // found while it waited: now it is over
        for (GraphWait& wait : m_waits)
            if (wait.key == key && wait.cause.atSender == atSender)
                tell(wait);
        return;
    }
    listed = true;
    m_waits.push_back({key, typeName(node), node.entity, {}, {}});
    tell(m_waits.back());
    if (m_waits.size() > MaxWaits)
        m_waits.pop_front();
}

void GraphModel::sentFirst(const GraphKey& key, GraphNode& node, Flow& flow) {
    if (flow.unsent.erase(node.sequence) == 0)
        return;
    // Where nothing was said of its sending, it is only known that it has left by now.
    if (node.listedAtSender || (!node.sent.empty() && node.firstSent() - node.queued > LongWait))
        list(key, node, true);
}

void GraphModel::watchWaits() {
    for (auto& [ends, flow] : m_flows) {
        for (const std::uint64_t sequence : flow.waiting)
            if (GraphNode& waiting = flow.nodes[sequence - flow.first]; !waiting.listed && m_now - waiting.arrived > LongWait)
                list({ends.second, ends.first, sequence}, waiting, false);
        for (const std::uint64_t sequence : flow.unsent) { // in order of time
            GraphNode& waiting = flow.nodes[sequence - flow.first];
            if (m_now - waiting.queued <= LongWait)
                break;
            if (!waiting.listedAtSender)
                list({ends.second, ends.first, sequence}, waiting, true);
        }
    }
}

// What its waits know of a message that goes.
void GraphModel::keepStory(const GraphKey& key, const GraphNode& node) {
    for (GraphWait& wait : m_waits)
        if (wait.key.from == key.from && wait.key.to == key.to)
            for (GraphNode& known : wait.story)
                if (known.sequence == key.sequence)
                    known = node;
}

void GraphModel::forget() {
    net::Time before = m_now - Kept;
    if (m_keepFrom)
        before = std::min(before, *m_keepFrom);
    m_handshakes.forget(before);
    for (auto& [ends, flow] : m_flows) {
        const auto goes = [&](const GraphNode& node) {
            return !node.present() || node.end(m_now) < before
                   || (!m_keepFrom && flow.nodes.size() > MaxNodes);
        };
        while (!flow.nodes.empty() && goes(flow.nodes.front())) {
            if (const GraphNode& front = flow.nodes.front(); front.present()) {
                --m_count;
                if (!m_waits.empty())
                    keepStory({ends.second, ends.first, flow.first}, front);
            }
            std::erase(flow.waiting, flow.first);
            flow.unsent.erase(flow.first);
            flow.nodes.pop_front();
            ++flow.first;
        }
        flow.open = std::max(flow.open, flow.first);
        while (flow.open - flow.first < flow.nodes.size()) {
            const GraphNode& next = flow.nodes[flow.open - flow.first];
            if (next.present() && !next.done())
                break;
            ++flow.open;
        }
    }
}

// ---------------------------------------------------------------------------------------------------- what there is

net::Time GraphModel::oldest() const {
    net::Time out = m_now;
    for (const auto& [ends, flow] : m_flows)
        if (!flow.nodes.empty())
            out = std::min(out, flow.nodes.front().queued);
    return out;
}

std::vector<GraphKey> GraphModel::ofRecord(std::uint64_t trace) const {
    std::vector<GraphKey> out;
    for (const auto& [ends, flow] : m_flows)
        for (const GraphNode& node : flow.nodes)
            if (trace != 0 && node.present() && node.trace == trace)
                out.push_back({ends.second, ends.first, node.sequence});
    return out;
}

std::size_t GraphModel::waitingNow() const {
    std::size_t count = 0;
    for (const auto& [ends, flow] : m_flows)
        count += flow.waiting.size();
    return count;
}

std::size_t GraphModel::waitingAt(net::Time at) const {
    std::ptrdiff_t count = 0;
    for (const auto& [ends, flow] : m_flows)
        count += std::count_if(flow.nodes.begin(), flow.nodes.end(), [at](const GraphNode& node) {
            return node.present() && node.receiverAt(at) == GraphState::Waiting;
        });
    return static_cast<std::size_t>(count);
}

const GraphNode* GraphModel::find(const GraphKey& key) const {
    const auto flow = m_flows.find({key.to, key.from});
    return flow == m_flows.end() ? nullptr : nodeOf(flow->second, key.sequence);
}

const GraphNode* GraphModel::known(const GraphKey& key) const {
    if (const GraphNode* held = find(key))
        return held;
    for (const GraphWait& wait : m_waits)
        if (wait.key.from == key.from && wait.key.to == key.to)
            for (const GraphNode& known : wait.story)
                if (known.sequence == key.sequence)
                    return &known;
    return nullptr;
}

void GraphModel::visit(std::uint16_t lane, net::Time from, net::Time to,
                       const std::function<void(const GraphKey&, const GraphNode&)>& see) const {
    for (auto flow = m_flows.lower_bound({lane, 0}); flow != m_flows.end() && flow->first.first == lane; ++flow) {
        const std::deque<GraphNode>& nodes = flow->second.nodes;
        // Whatever began longer ago than any has ever taken ended before `from`, but for those that are not over.
        net::Time since = from - flow->second.longest;
        if (const std::uint64_t open = flow->second.open - flow->second.first; open < nodes.size())
            since = std::min(since, nodes[open].queued);
        auto node = std::lower_bound(nodes.begin(), nodes.end(), since,
                                     [](const GraphNode& n, net::Time time) { return n.queued < time; });
        for (; node != nodes.end() && node->queued <= to; ++node) {
            if (node->present() && node->end(m_now) >= from)
                see({flow->first.second, lane, node->sequence}, *node);
        }
    }
}

std::size_t GraphModel::rows(std::uint16_t lane) const {
    const auto rows = m_rows.find(lane);
    return rows == m_rows.end() ? 0 : rows->second.size();
}

std::vector<std::uint64_t> GraphModel::dependents(const GraphKey& key) const {
    std::vector<std::uint64_t> out;
    const auto flow = m_flows.find({key.to, key.from});
    if (flow == m_flows.end())
        return out;
    for (const GraphNode& node : flow->second.nodes)
        if (node.sequence > key.sequence && std::find(node.needs.begin(), node.needs.end(), key.sequence) != node.needs.end())
            out.push_back(node.sequence);
    return out;
}

GraphKey GraphModel::neighbour(const GraphKey& key, int step) const {
    const auto flow = m_flows.find({key.to, key.from});
    if (flow == m_flows.end() || step == 0)
        return {};
    const Flow& in = flow->second;
    for (std::uint64_t sequence = key.sequence;;) {
        if (step < 0 ? sequence <= in.first : sequence - in.first + 1 >= in.nodes.size())
            return {};
        sequence = step < 0 ? sequence - 1 : sequence + 1;
        if (nodeOf(in, sequence) != nullptr)
            return {key.from, key.to, sequence};
    }
}

GraphKey GraphModel::newest(std::uint16_t lane, net::Time at) const {
    GraphKey out;
    net::Time best = -1;
    for (const auto& [ends, flow] : m_flows) {
        if (ends.first != lane)
            continue;
        for (auto node = flow.nodes.rbegin(); node != flow.nodes.rend(); ++node)
            if (node->present() && node->queued <= at) {
                if (node->queued > best) {
                    best = node->queued;
                    out = {ends.second, lane, node->sequence};
                }
                break;
            }
    }
    return out;
}

// Of all it names, the one that it was executed for: not executed yet as of then, else the last that was. A dependency that has not
// come keeps those waiting that have.
GraphCause GraphModel::cause(const GraphKey& key, net::Time at) const {
    GraphCause out;
    const auto found = m_flows.find({key.to, key.from});
    const GraphNode* node = found == m_flows.end() ? nullptr : nodeOf(found->second, key.sequence);
    if (node == nullptr || node->arrived > at || node->arrived == net::Never)
        return out;
    out.over = node->executed <= at;
    out.since = node->arrived;
    out.until = out.over ? node->executed : at;
    out.waits = out.until > out.since;
    if (!out.waits)
        return out;
    const Flow& flow = found->second;
    out.chain.push_back(node->sequence);
    while (true) {
        const GraphNode* blocker = nullptr;
        for (const std::uint64_t need : node->needs) {
            const GraphNode* candidate = nodeOf(flow, need);
            // Below the oldest that is held everything was executed long ago.
            if (candidate == nullptr || candidate->executed <= std::min(node->arrived, out.until))
                continue;
            if (blocker == nullptr || candidate->executed > blocker->executed
                || (candidate->executed == blocker->executed && candidate->arrived > blocker->arrived))
                blocker = candidate;
        }
        if (blocker == nullptr || blocker->sequence >= node->sequence)
            break;
        out.chain.push_back(blocker->sequence);
        node = blocker;
        // It had come and waited itself: on to what for.
        if (!(node->arrived <= out.until && node->executed > node->arrived))
            break;
    }
    if (out.chain.size() > 1) {
        out.losses = node->lossesAt(out.until);
        out.resends = node->resendsAt(out.until);
    }
    return out;
}

GraphCause GraphModel::senderCause(const GraphKey& key, net::Time at) const {
    GraphCause out;
    const GraphNode* node = known(key);
    if (node == nullptr || node->queued > at)
        return out;
    out.atSender = true;
    out.over = node->firstSent() <= at;
    out.since = node->queued;
    out.until = out.over ? node->firstSent() : at;
    out.waits = out.until - out.since > LongWait;
    out.chain.push_back(node->sequence);
    return out;
}

GraphCause GraphModel::waitCause(const GraphWait& wait, net::Time at) const {
    if (find(wait.key) == nullptr || (wait.cause.over && wait.cause.until <= at))
        return wait.cause;
    return wait.cause.atSender ? senderCause(wait.key, at) : cause(wait.key, at);
}

void GraphModel::dismiss(const GraphKey& key, bool atSender) {
    std::erase_if(m_waits,
                  [&](const GraphWait& wait) { return wait.key == key && wait.cause.atSender == atSender; });
}

void GraphModel::dismissAll() { m_waits.clear(); }

} // namespace sbx::ui
