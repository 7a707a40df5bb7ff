// Which messages are lines in the picture, how strongly, and how many: beside a plain list of all that passed.
#include <QtTest>

#include "widgets/viewport/message_trails.h"

#include <algorithm>
#include <random>

using namespace sbx::ui;

namespace {

constexpr double Rate = 60.0;
constexpr double Fade = MessageTrails::FadeSeconds * Rate; // ticks

PassingMessage message(const std::string& from, const std::string& to, std::uint64_t tick,
                       MessageFate fate = MessageFate::Passed) {
    return {from, to, fate, tick};
}

} // namespace

class TestMessageTrails : public QObject {
    Q_OBJECT
private slots:
    void fadesWithinHalfASecondOfTheWorld() {
        MessageTrails trails;
        trails.add({message("a", "b", 100)});
        QCOMPARE(trails.at(100.0, Rate, false).lines.front().strength, 1.0F);
        QCOMPARE(trails.at(100.0 + Fade / 2, Rate, false).lines.front().strength, 0.5F);
        QCOMPARE(trails.at(100.0 + Fade * 0.9, Rate, false).lines.size(), std::size_t(1));
        QVERIFY(trails.at(100.0 + Fade, Rate, false).lines.empty());
        // Another rate has other ticks in half a second.
        QCOMPARE(trails.at(100.0 + Fade, 2 * Rate, false).lines.front().strength, 0.5F);
        // What the picture has not come to yet passes now.
        QCOMPARE(trails.at(98.5, Rate, false).lines.front().strength, 1.0F);
    }

    void theNewestOfTheSameEndsCounts() {
        MessageTrails trails;
        trails.add(
            {message("a", "b", 100), message("b", "a", 100), message("a", "b", 101, MessageFate::Consumed)});
        trails.add({message("a", "b", 110)});
        const MessageTrails::Shown shown = trails.at(110.0, Rate, false);
        QCOMPARE(shown.lines.size(), std::size_t(3)); // each way, and each fate
        QCOMPARE(shown.lines.front(), (MessageTrails::Line{"a", "b", MessageFate::Passed, 1.0F}));
    }

    void whileTheWorldStandsThoseOfTheTickStay() {
        MessageTrails trails;
        trails.add({message("a", "b", 100), message("", "c", 101), message("d", "d", 101)});
        const MessageTrails::Shown shown = trails.at(101.0, Rate, true);
        QCOMPARE(shown.all, std::size_t(2));
        for (const MessageTrails::Line& line : shown.lines) {
            QCOMPARE(line.strength, 1.0F);
            QVERIFY(line.receiver != "b");
        }
        QVERIFY(trails.at(102.0, Rate, true).lines.empty());
    }

    void asManyAsAreDrawn() {
        MessageTrails trails;
        std::vector<PassingMessage> all;
        for (std::uint64_t i = 0; i < MessageTrails::MaxLines + 50; ++i)
            all.push_back(message("a", "b" + std::to_string(i), 100 + i / 20));
        trails.add(all);
        const MessageTrails::Shown shown = trails.at(static_cast<double>(all.back().tick), Rate, false);
        QCOMPARE(shown.all, all.size());
        QCOMPARE(shown.lines.size(), MessageTrails::MaxLines);
        QCOMPARE(shown.lines.front().receiver, all.back().receiver); // the newest first
    }

    // Ends without number, as fast as they come: what is kept is bounded, and the newest are among it.
    void memoryIsBounded() {
        MessageTrails trails;
        for (std::uint64_t tick = 0; tick < 40; ++tick) {
            std::vector<PassingMessage> all;
            for (std::uint64_t i = 0; i < 1000; ++i)
                all.push_back(message("s" + std::to_string(tick * 1000 + i), "r", tick));
            trails.add(all);
            QVERIFY(trails.kept() <= MessageTrails::MaxKept);
        }
        QCOMPARE(trails.at(39.0, Rate, true).all, std::size_t(1000));
        trails.clear();
        QVERIFY(trails.empty());
    }

    void asAPlainListHasThem() {
        std::mt19937 random(5);
        const auto roll = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
        MessageTrails trails;
        std::vector<PassingMessage> all;
        for (std::uint64_t tick = 0; tick < 300; ++tick) {
            std::vector<PassingMessage> now;
            for (unsigned i = roll(6); i > 0; --i)
                now.push_back(message("e" + std::to_string(roll(5)), "e" + std::to_string(roll(5)), tick,
                                      static_cast<MessageFate>(roll(MessageFates))));
            trails.add(now);
            all.insert(all.end(), now.begin(), now.end());
            const double shownTick = static_cast<double>(tick) - 0.25;
            std::vector<MessageTrails::Line> wanted;
            for (auto each = all.rbegin(); each != all.rend(); ++each) {
                const double age = std::max(shownTick - static_cast<double>(each->tick), 0.0);
                const bool known =
                    std::any_of(wanted.begin(), wanted.end(), [&](const MessageTrails::Line& line) {
                        return line.sender == each->sender && line.receiver == each->receiver
                               && line.fate == each->fate;
                    });
                if (age < Fade && !known)
                    wanted.push_back(
                        {each->sender, each->receiver, each->fate, static_cast<float>(1.0 - age / Fade)});
            }
            const MessageTrails::Shown shown = trails.at(shownTick, Rate, false);
            QCOMPARE(shown.all, wanted.size());
            QVERIFY(shown.lines == wanted);
        }
    }
};

QTEST_GUILESS_MAIN(TestMessageTrails)
#include "tst_message_trails.moc"
