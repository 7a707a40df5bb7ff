#pragma once
// The Courtyard served to clients in the same program, and what they hear.

#include "engine/commands/console_commands.h"
#include "engine/components/messages.h"
#include "engine/components/network_system.h"
#include "engine/components/rules.h"
#include "engine/session/local_clients.h"
#include "engine/session/session.h"
#include "tests/folders.h"

#include <QtTest>

#include <algorithm>

namespace sbx::test {

struct Heard {
    std::string type;
    std::string receiver;
    std::uint64_t tick = 0;
};

// The Courtyard served to clients in the same program.
class Game {
public:
    explicit Game(std::size_t clients, const char* link, std::uint64_t seed = 1) : server(log, addConsoleCommands) {
        Diagnostics faults;
        const auto content = loadContent(sbx::test::sourcePath("resources/projects/courtyard"), {},
                                         server.catalog().schema, faults);
        if (content == nullptr || faults.hasErrors())
            qFatal("the Courtyard is faulty");
        server.open(content);
        server.play();
        server.addClients({.count = clients, .link = *net::parseLink(link), .seed = seed, .traced = true});
        players = server.clients();
        for (std::size_t i = 0; i < clients; ++i)
            m_readers.push_back(players->simulation(i).recorder().addReader());
    }
    void run(int ticks) {
        for (int i = 0; i < ticks; ++i)
            server.tick();
    }
    World& client(std::size_t i) { return players->simulation(i).world(); }
    // What a client's world was told over the network, in order.
    std::vector<Heard> heard(std::size_t i) {
        Recorder& recorder = players->simulation(i).recorder();
        recorder.seal();
        std::vector<Heard> all;
        std::vector<std::shared_ptr<const RecordSegment>> segments;
        m_readers[i]->poll(segments);
        for (const auto& segment : segments)
            for (std::size_t r = 0; r < segment->size(); ++r) {
                const RecordView record = (*segment)[r];
                if (record.envelope().delivery == Delivery::Network)
                    all.push_back({messageType(record.envelope().type).name,
                                   recorder.names().name(record.receiverName()), record.envelope().tick});
            }
        return all;
    }
    static std::vector<std::string> names(const World& world) {
        std::vector<std::string> out;
        world.forEach([&](const Entity& entity) { out.push_back(entity.type().name() + " " + entity.name()); });
        std::sort(out.begin(), out.end());
        return out;
    }
    Log log;
    Session server;
    LocalClients* players = nullptr; // of the server's session

private:
    std::vector<std::shared_ptr<RecordReader>> m_readers;
};

inline std::ptrdiff_t count(const std::vector<Heard>& heard, const std::string& type) {
    return std::count_if(heard.begin(), heard.end(), [&](const Heard& h) { return h.type == type; });
}

} // namespace sbx::test

