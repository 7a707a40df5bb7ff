#pragma once
// A story of messages told step by step, for tests of the graph.

#include "widgets/graph/graph_source.h"

#include <optional>
#include <utility>

namespace sbx::ui {

class Story {
public:
    explicit Story(std::size_t clients = 2, std::uint64_t run = 1) {
        m_news.run = run;
        m_news.peers = {"server"};
        for (std::size_t i = 1; i <= clients; ++i)
            m_news.peers.push_back("client " + std::to_string(i));
    }
    Story& at(int ms) {
        m_now = ms * net::Millisecond;
        return *this;
    }
    Story& to(std::uint16_t peer, std::uint16_t from = 0) {
        m_to = peer;
        m_from = from;
        return *this;
    }
    Story& queue(std::uint64_t sequence, std::vector<std::uint64_t> needs = {}, const char* type = "Spawn",
                 const char* entity = "crate_1", std::uint64_t trace = 0) {
        GraphStep& step = add(GraphStep::Kind::Queued, sequence);
        step.needs = std::move(needs);
        step.type = type;
        step.entity = entity;
        step.trace = trace;
        return *this;
    }
    Story& step(GraphStep::Kind kind, std::uint64_t sequence, std::uint64_t packet = 0) {
        add(kind, sequence).packet = packet;
        return *this;
    }
    Story& send(std::uint64_t sequence, std::uint64_t packet) { return step(GraphStep::Kind::Sent, sequence, packet); }
    // Arrived and executed at once.
    Story& run(std::uint64_t sequence, std::uint64_t packet = 0) {
        return step(GraphStep::Kind::Arrived, sequence, packet).step(GraphStep::Kind::Executed, sequence);
    }
    // Of the client that is sent to; told by its own end or by the server's.
    Story& handshake(GraphHandshakeStep::Kind kind, bool atClient,
                     net::CloseReason reason = net::CloseReason::None) {
        m_news.handshakes.push_back({kind, m_now, atClient, m_to, {}, reason});
        return *this;
    }
    // Of somebody from another program, told by the server.
    Story& stranger(GraphHandshakeStep::Kind kind, const char* address,
                    net::CloseReason reason = net::CloseReason::None) {
        m_news.handshakes.push_back({kind, m_now, false, 0, address, reason});
        return *this;
    }
    // What was told since the last time.
    GraphNews tell() {
        m_news.now = m_now;
        GraphNews out = m_news;
        m_news.steps.clear();
        m_news.handshakes.clear();
        return out;
    }

private:
    GraphStep& add(GraphStep::Kind kind, std::uint64_t sequence) {
        GraphStep step;
        step.kind = kind;
        step.time = m_now;
        step.key = {m_from, m_to, sequence};
        m_news.steps.push_back(std::move(step));
        return m_news.steps.back();
    }
    GraphNews m_news;
    net::Time m_now = 0;
    std::uint16_t m_from = 0;
    std::uint16_t m_to = 1;
};

// Hands over what it was given.
class Told : public GraphSource {
public:
    bool poll(GraphNews& out) override {
        if (!news)
            return false;
        out = std::move(*news);
        news.reset();
        return true;
    }
    std::optional<GraphNews> news;
};

// #1 is lost twice; #2 needs it, #3 needs #2, #4 nothing. At 300 ms all have run.
inline Story lostTwice() {
    using Kind = GraphStep::Kind;
    Story story;
    story.at(0).queue(1).send(1, 1);
    story.at(10).queue(2, {1}, "Damage", "crate_2", 71).send(2, 2);
    story.at(12).queue(3, {2}, "Kill", "crate_2").send(3, 3);
    story.at(14).queue(4, {}, "Chat", "player").send(4, 4);
    story.at(60).step(Kind::Arrived, 2, 2);
    story.at(62).step(Kind::Arrived, 3, 3);
    story.at(64).run(4, 4);
    story.at(110).step(Kind::Lost, 1, 1).step(Kind::Resent, 1, 8).step(Kind::Acknowledged, 2).step(Kind::Acknowledged, 3);
    story.step(Kind::Acknowledged, 4).step(Kind::KnownExecuted, 4);
    story.at(210).step(Kind::Lost, 1, 8).step(Kind::Resent, 1, 15);
    return story;
}
inline Story& andArrives(Story& story) {
    using Kind = GraphStep::Kind;
    story.at(260).run(1, 15).step(Kind::Executed, 2).step(Kind::Executed, 3);
    story.at(300).step(Kind::Acknowledged, 1);
    for (const std::uint64_t sequence : {1U, 2U, 3U})
        story.step(Kind::KnownExecuted, sequence);
    return story;
}

} // namespace sbx::ui
