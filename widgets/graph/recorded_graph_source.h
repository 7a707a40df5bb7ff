#pragma once
// A GraphSource over a reader of the session's network recorder: what both ends of each connection reported, put under one key. Of the
// traces of all worlds it knows the server's, which is the one a window shows. GUI thread.

#include "engine/net/net_recorder.h"
#include "widgets/graph/graph_source.h"

#include <map>
#include <memory>
#include <optional>

namespace sbx::ui {

class RecordedGraphSource : public GraphSource {
public:
    explicit RecordedGraphSource(std::shared_ptr<net::NetRecordReader> reader)
        : m_reader(std::move(reader)) {}

    bool poll(GraphNews& out) override;

private:
    struct Connection {
        int server = -1; // peers; -1: that end has not reported it yet
        int client = -1;
        std::string address;                             // the client's
        std::string other;                               // address of the other end, as the end that reported it last gives it
        bool proven = false;                             // the server has received something from it that was sealed with the right key
        std::vector<std::pair<bool, GraphStep>> waiting; // until it has: to the client?
        [[nodiscard]] bool known() const { return server >= 0 && client >= 0; }
    };
    void take(const net::NetRecordView& record, GraphNews& out);
    void takeMessage(const net::NetRecordView& record, GraphNews& out);
    void takePacket(const net::NetRecordView& record, GraphNews& out);
    void takeClosed(const net::NetRecordView& record, GraphNews& out);
    void takeHandshake(const net::NetRecordView& record, GraphHandshakeStep::Kind kind, GraphNews& out);
    void add(const net::NetRecordView& record, bool toClient, GraphStep step, GraphNews& out);
    void flush(Connection& connection, GraphNews& out);
    // The peer at that address, to which peer `peer` is connected, if it is in another program, where its records are; -1: it is in this one.
    [[nodiscard]] int strangerAt(std::size_t peer, const std::string& address);
    [[nodiscard]] bool isStranger(int peer) const { return peer >= 0 && m_elsewhere[static_cast<std::size_t>(peer)]; }

    std::shared_ptr<net::NetRecordReader> m_reader;
    std::vector<std::string> m_names{std::string()};
    std::vector<std::string> m_peers;
    std::vector<std::string> m_addresses; // of peers, as others see them; empty: not known
    std::vector<bool> m_here;
    std::vector<bool> m_elsewhere; // in another program
    std::map<std::string, int> m_strangers; // peers in other programs, by address
    std::map<std::uint32_t, Connection> m_connections;
    std::map<std::pair<int, std::uint32_t>, bool> m_clientEnd; // of a peer's end of a connection
    std::uint64_t m_run = 0;
    net::Time m_now = 0;
};

} // namespace sbx::ui
