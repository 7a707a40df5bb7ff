// The graph's model: states as of any time, what waits for what, rows that stay, half a minute and the waits beyond it.

#include <QtTest>

#include "engine/core/random.h"
#include "tests/graph/graph_steps.h"
#include "widgets/graph/graph_model.h"
#include "widgets/graph/graph_text.h"

#include <set>

using namespace sbx;
using namespace sbx::ui;
using Kind = GraphStep::Kind;

namespace {

constexpr net::Time Ms = net::Millisecond;
GraphKey key(std::uint64_t sequence, std::uint16_t to = 1, std::uint16_t from = 0) { return {from, to, sequence}; }

std::vector<std::uint64_t> inSight(const GraphModel& model, std::uint16_t lane, net::Time from, net::Time to) {
    std::vector<std::uint64_t> out;
    model.visit(lane, from, to, [&](const GraphKey& k, const GraphNode&) { out.push_back(k.sequence); });
    return out;
}

} // namespace

class TestModel : public QObject {
    Q_OBJECT

private slots:
    void statesAsOfAnyTime() {
        GraphModel model;
        Story story = lostTwice();
        andArrives(story);
        model.apply(story.tell());
        const GraphNode& one = *model.find(key(1));
        const std::pair<int, GraphState> sender[] = {{0, GraphState::Sent},   {109, GraphState::Sent}, {110, GraphState::Resent},
                                                   {209, GraphState::Resent}, {215, GraphState::Resent}, {299, GraphState::Resent},
                                                   {300, GraphState::Executed}};
        for (const auto& [ms, state] : sender)
            QCOMPARE(one.senderAt(ms * Ms), state);
        QCOMPARE(one.receiverAt(259 * Ms), GraphState::Unseen);
        QCOMPARE(one.receiverAt(260 * Ms), GraphState::Executed);
        QCOMPARE(one.lossesAt(200 * Ms), 1);
        QCOMPARE(one.lossesAt(300 * Ms), 2);
        QCOMPARE(one.resendsAt(109 * Ms), 0);
        QCOMPARE(one.resendsAt(300 * Ms), 2);
        const GraphNode& two = *model.find(key(2));
        QCOMPARE(two.receiverAt(59 * Ms), GraphState::Unseen);
        QCOMPARE(two.receiverAt(60 * Ms), GraphState::Waiting);
        QCOMPARE(two.receiverAt(260 * Ms), GraphState::Executed);
        QCOMPARE(two.senderAt(150 * Ms), GraphState::Acknowledged);
        QCOMPARE(model.typeName(two), std::string("Damage"));
    }

    void aLossIsSeenUntilItIsSentAgain() {
        GraphModel model;
        Story story;
        story.at(0).queue(1).send(1, 1).at(50).step(Kind::Lost, 1, 1).at(80).step(Kind::Resent, 1, 2);
        model.apply(story.tell());
        QCOMPARE(model.find(key(1))->senderAt(49 * Ms), GraphState::Sent);
        QCOMPARE(model.find(key(1))->senderAt(79 * Ms), GraphState::Lost);
        QCOMPARE(model.find(key(1))->senderAt(80 * Ms), GraphState::Resent);
    }

    void theChainLeadsToTheRoot() {
        GraphModel model;
        Story story = lostTwice();
        model.apply(story.tell());
        const GraphCause running = model.cause(key(3), 200 * Ms);
        QVERIFY(running.waits && !running.over);
        QCOMPARE(running.chain, (std::vector<std::uint64_t>{3, 2, 1}));
        QCOMPARE(running.losses, 1);
        QCOMPARE(running.resends, 1);
        QCOMPARE(causeText(model, key(3), running), QStringLiteral("waiting for #1 (lost, resent ×1) through #2 138 ms"));
        QCOMPARE(causeText(model, key(2), model.cause(key(2), 100 * Ms)), QStringLiteral("waiting for #1 (on its way) 40 ms"));
        QVERIFY(!model.cause(key(4), 200 * Ms).waits);
        QVERIFY(!model.cause(key(1), 200 * Ms).waits);
        QVERIFY(!model.cause(key(99), 200 * Ms).waits);
        QCOMPARE(model.waitingNow(), std::size_t(2));

        model.apply(andArrives(story).tell());
        const GraphCause over = model.cause(key(3), model.now());
        QVERIFY(over.waits && over.over);
        QCOMPARE(over.chain, (std::vector<std::uint64_t>{3, 2, 1}));
        QCOMPARE(causeText(model, key(3), over), QStringLiteral("waited 198 ms for #1 (lost, resent ×2) through #2"));
        // As it was, it can still be asked for.
        QCOMPARE(model.cause(key(3), 200 * Ms).losses, 1);
        QVERIFY(!model.cause(key(3), 200 * Ms).over);
        QCOMPARE(model.waitingNow(), std::size_t(0));
        QCOMPARE(model.waitingAt(200 * Ms), std::size_t(2));
        QCOMPARE(model.waitingAt(61 * Ms), std::size_t(1)); // the third comes a millisecond later
        QCOMPARE(model.waitingAt(59 * Ms), std::size_t(0));
    }

    void ofManyNeedsTheLastToComeIsTheCause() {
        GraphModel model;
        Story story;
        story.at(0);
        for (std::uint64_t i = 1; i <= 4; ++i)
            story.queue(i).send(i, i);
        story.at(1).queue(5, {1, 2, 3, 4}, "Start").send(5, 5);
        story.at(20).run(1, 1).run(4, 4).step(Kind::Arrived, 5, 5);
        story.at(70).run(3, 9);
        story.at(90).run(2, 10).step(Kind::Executed, 5);
        model.apply(story.tell());
        QCOMPARE(model.cause(key(5), 90 * Ms).root(), std::uint64_t(2));
        QCOMPARE(model.cause(key(5), 30 * Ms).until, 30 * Ms);
        QCOMPARE(model.dependents(key(2)), (std::vector<std::uint64_t>{5}));
    }

    void longWaitsStayUntilDismissed() {
        GraphModel model;
        Story story = lostTwice();
        model.apply(story.tell());
        QCOMPARE(model.waits().size(), std::size_t(2)); // #2 and #3, found while they wait
        QVERIFY(!model.waits().front().cause.over);
        model.apply(andArrives(story).tell());
        QCOMPARE(model.waits().size(), std::size_t(2));
        QVERIFY(model.waits().front().cause.over);
        QCOMPARE(rootText(model.waits().front().cause), QStringLiteral("#1 (lost, resent ×2)"));
        // A minute later their nodes are gone; they are not.
        model.apply(story.at(60'000).queue(5).tell());
        QVERIFY(model.find(key(2)) == nullptr);
        QCOMPARE(model.waits().size(), std::size_t(2));
        QCOMPARE(model.waits().front().entity, std::string("crate_2"));
        model.dismiss(key(2));
        QCOMPARE(model.waits().size(), std::size_t(1));
        QCOMPARE(model.waits().front().key, key(3));
        model.dismissAll();
        QVERIFY(model.waits().empty());
        model.apply(story.at(60'100).tell());
        QVERIFY(model.waits().empty());
    }

    // What it waited for, and how that went, is known after all of them have left the graph.
    void aWaitTellsItsStoryWhenItIsGone() {
        GraphModel model;
        Story story = lostTwice();
        model.apply(andArrives(story).tell());
        model.apply(story.at(60'000).queue(5).tell());
        QVERIFY(model.find(key(2)) == nullptr);
        const GraphNode* told = model.known(key(2));
        QVERIFY(told != nullptr);
        QCOMPARE(told->executed, 260 * Ms);
        QCOMPARE(told->known, 300 * Ms);         // which came after the wait was over
        QVERIFY(model.known(key(1)) != nullptr); // the root
        QCOMPARE(model.known(key(1))->sent.size(), std::size_t(3));
        const GraphCause cause = model.waitCause(model.waits().front(), model.now());
        QCOMPARE(rootText(cause), QStringLiteral("#1 (lost, resent ×2)"));
        QVERIFY(model.known(key(4)) == nullptr); // it did not wait
    }

    void waitsAtTheSenderAreListed() {
        GraphModel model;
        Story story;
        model.apply(story.at(0).queue(1).at(90).queue(2).send(2, 1).at(150).tell());
        QCOMPARE(model.waits().size(), std::size_t(1));
        const GraphWait& wait = model.waits().front();
        QCOMPARE(wait.key, key(1));
        QVERIFY(wait.cause.atSender && !wait.cause.over);
        QCOMPARE(causeText(model, wait.key, model.waitCause(wait, 150 * Ms)),
                 QStringLiteral("waiting at the sender for 150 ms, not sent yet"));
        model.apply(story.at(240).send(1, 2).at(300).tell());
        QCOMPARE(model.waits().size(), std::size_t(1));
        QVERIFY(wait.cause.over);
        QCOMPARE(causeText(model, wait.key, wait.cause),
                 QStringLiteral("waited 240 ms at the sender before it was sent"));
        // It waits again, at its receiver: that is another entry, and each is dismissed by itself.
        model.apply(story.at(310)
                        .queue(3, {1})
                        .send(3, 3)
                        .at(320)
                        .step(Kind::Arrived, 3, 3)
                        .at(500)
                        .run(1, 2)
                        .step(Kind::Executed, 3)
                        .tell());
        model.apply(story.at(501).queue(4, {3}).at(700).tell());
        QCOMPARE(model.waits().size(), std::size_t(3));
        model.dismiss(key(1));
        QCOMPARE(model.waits().size(), std::size_t(3));
        model.dismiss(key(1), true);
        QCOMPARE(model.waits().size(), std::size_t(2));
    }

    // Somebody looks at the past: it stays, however many come, and what does not fit is left out.
    void whatIsLookedAtStaysHoweverManyCome() {
        GraphModel model;
        Story story;
        model.keepFrom(net::Time(0));
        constexpr std::uint64_t Many = GraphModel::MaxNodes + 50;
        for (std::uint64_t i = 1; i <= Many; ++i)
            story.at(static_cast<int>(i / 1000)).queue(i).send(i, i).run(i, i).step(Kind::KnownExecuted, i);
        model.apply(story.tell());
        QVERIFY(model.find(key(1)) != nullptr);
        QVERIFY(model.find(key(Many)) == nullptr);
        model.keepFrom(std::nullopt);
        model.apply(story.at(60'000).queue(Many + 1).tell());
        QVERIFY(model.find(key(1)) == nullptr);
        QVERIFY(model.find(key(Many + 1)) != nullptr);
    }

    void shortWaitsAreNotListed() {
        GraphModel model;
        Story story;
        story.at(0).queue(1).queue(2, {1});
        story.at(50).step(Kind::Arrived, 2).at(150).run(1).step(Kind::Executed, 2); // 100 ms, no more
        model.apply(story.tell());
        QVERIFY(model.waits().empty());
    }

    void rowsStayAndAreUsedAgain() {
        GraphModel model;
        Story story;
        story.at(0);
        for (std::uint64_t i = 1; i <= 20; ++i)
            story.queue(i);
        model.apply(story.tell());
        std::set<int> rows;
        for (std::uint64_t i = 1; i <= 20; ++i)
            rows.insert(model.find(key(i))->row);
        QCOMPARE(rows.size(), std::size_t(20)); // at once: one below the other
        QCOMPARE(model.rows(1), std::size_t(20));
        for (std::uint64_t i = 1; i <= 20; ++i)
            story.at(50).run(i).step(Kind::KnownExecuted, i);
        story.at(60).queue(21); // too close behind
        story.at(400).queue(22);
        model.apply(story.tell());
        QCOMPARE(int(model.find(key(21))->row), 20);
        QCOMPARE(int(model.find(key(22))->row), 0);
        for (std::uint64_t i = 1; i <= 20; ++i)
            QVERIFY(rows.contains(model.find(key(i))->row));
        QCOMPARE(int(model.find(key(1))->row), 0);
    }

    // Whatever comes in whatever batches: nobody's row changes, two in one row never overlap, and visit() sees what a look at every
    // node sees.
    void nothingMovesWhenMoreComes() {
        Random random(7);
        GraphModel model;
        std::map<GraphKey, int> rows;
        Story story;
        std::uint64_t next[3] = {1, 1, 1};
        std::vector<std::pair<int, GraphKey>> due;
        for (int ms = 0; ms < 20'000; ms += 7) {
            story.at(ms);
            for (const auto& [at, k] : due)
                if (at == ms)
                    story.to(k.to, k.from).run(k.sequence).step(Kind::KnownExecuted, k.sequence);
            if (random.next() % 3 == 0) {
                const auto lane = static_cast<std::uint16_t>(random.next() % 3);
                const std::uint16_t from = lane == 0 ? std::uint16_t(1) : std::uint16_t(0);
                story.to(lane, from).queue(next[lane]);
                due.emplace_back(ms + 7 * static_cast<int>(1 + random.next() % 60), GraphKey{from, lane, next[lane]++});
            }
            if (random.next() % 5 != 0)
                continue;
            model.apply(story.tell());
            for (std::uint16_t lane = 0; lane < 3; ++lane) {
                const net::Time from = std::max<net::Time>(0, model.now() - static_cast<net::Time>(random.next() % 5000) * Ms);
                const net::Time to = from + static_cast<net::Time>(random.next() % 900) * Ms;
                std::vector<std::uint64_t> expected;
                const std::uint16_t sender = lane == 0 ? 1 : 0;
                for (std::uint64_t s = 1; s < next[lane]; ++s)
                    if (const GraphNode* node = model.find(key(s, lane, sender))) {
                        const auto [row, isNew] = rows.try_emplace(key(s, lane, sender), node->row);
                        QCOMPARE(int(node->row), row->second);
                        if (node->queued <= to && node->end(model.now()) >= from)
                            expected.push_back(s);
                    }
                QCOMPARE(inSight(model, lane, from, to), expected);
            }
        }
        for (std::uint16_t lane = 0; lane < 3; ++lane) {
            std::map<int, net::Time> until;
            model.visit(lane, 0, model.now(), [&](const GraphKey&, const GraphNode& node) {
                if (const auto before = until.find(node.row); before != until.end())
                    QVERIFY(before->second < node.queued);
                until[node.row] = node.end(model.now());
            });
        }
    }

    void halfAMinuteIsKeptAndLongerForWhoLooks() {
        GraphModel model;
        Story story;
        std::uint64_t sequence = 1;
        const auto second = [&](int at) {
            story.at(at * 1000).queue(sequence).run(sequence).step(Kind::KnownExecuted, sequence);
            ++sequence;
            model.apply(story.tell());
        };
        for (int at = 0; at <= 40; ++at)
            second(at);
        QCOMPARE(model.oldest(), 10 * net::Second);
        model.keepFrom(12 * net::Second);
        for (int at = 41; at <= 60; ++at)
            second(at);
        QCOMPARE(model.oldest(), 12 * net::Second);
        model.keepFrom(std::nullopt);
        second(61);
        QCOMPARE(model.oldest(), 31 * net::Second);
        QVERIFY(model.find(key(1)) == nullptr);
        // One that is not over stays, however old.
        story.at(62'000).queue(sequence);
        const std::uint64_t open = sequence++;
        model.apply(story.tell());
        for (int at = 63; at <= 120; ++at)
            second(at);
        QVERIFY(model.find(key(open)) != nullptr);
        QCOMPARE(inSight(model, 1, 119 * net::Second, 120 * net::Second).front(), open);
    }

    void anotherRunBeginsAnew() {
        GraphModel model;
        Story story = lostTwice();
        model.apply(story.tell());
        QVERIFY(!model.empty());
        Story other(1, 2);
        other.at(5).queue(1);
        model.apply(other.tell());
        QCOMPARE(model.size(), std::size_t(1));
        QCOMPARE(model.peers().size(), std::size_t(2));
        QVERIFY(model.waits().empty());
        QCOMPARE(model.now(), 5 * Ms);
    }

    void stepsOfWhatIsNotKnownChangeNothing() {
        GraphModel model;
        Story story;
        story.at(1).run(5).step(Kind::Lost, 9, 3).step(Kind::Acknowledged, 2).step(Kind::Queued, 0);
        model.apply(story.tell());
        QVERIFY(model.empty());
        // A gap: numbers that nobody told of.
        story.at(2).queue(10).queue(14, {10, 12, 14, 99}).at(3).step(Kind::Arrived, 14).run(10);
        model.apply(story.tell());
        QCOMPARE(model.size(), std::size_t(2));
        QVERIFY(model.find(key(12)) == nullptr);
        QCOMPARE(model.neighbour(key(10), 1), key(14));
        QCOMPARE(model.neighbour(key(14), -1), key(10));
        QVERIFY(!model.neighbour(key(14), 1));
        const GraphCause cause = model.cause(key(14), 10 * Ms); // on 99 and 14 nobody can wait
        QCOMPARE(cause.root(), std::uint64_t(0));
        QCOMPARE(model.newest(1, 2 * Ms), key(14));
        // Twice the same changes nothing.
        story.at(20).queue(14, {1}, "Other");
        model.apply(story.tell());
        QCOMPARE(model.typeName(*model.find(key(14))), std::string("Spawn"));
    }
};

QTEST_GUILESS_MAIN(TestModel)
#include "tst_model.moc"
