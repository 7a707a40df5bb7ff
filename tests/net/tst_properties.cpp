#include <QtTest>

#include "tests/net/scripts.h"

#include <iterator>

using namespace sbx;
using namespace sbx::net;

namespace {

// The trivial models that P9 compares with: when each message is handed over, given when each arrived first, for a channel that keeps
// no order, and for channels that message n goes through as n modulo their number.
std::map<std::uint32_t, Time> unordered(const std::map<std::uint32_t, Time>& arrived) { return arrived; }
std::map<std::uint32_t, Time> ordered(const std::map<std::uint32_t, Time>& arrived, std::uint32_t channels) {
    std::map<std::uint32_t, Time> handed;
    std::map<std::uint32_t, Time> newest; // of each channel
    for (const auto& [index, time] : arrived) {
        Time& last = newest[index % channels];
        handed[index] = last = std::max(last, time);
    }
    return handed;
}

} // namespace

class TestProperties : public QObject {
    Q_OBJECT
private slots:
    // The same cases on every run; RC_PARAMS="seed=… max_success=…" looks further.
    void initTestCase() {
        if (qEnvironmentVariableIsEmpty("RC_PARAMS"))
            qputenv("RC_PARAMS", "seed=7");
    }
    // P1 to P4, P6 to P8 and P13, with windows from 2 to 1024 and numbers hardly longer than those need, so that they go around; both
    // ends closed and made anew now and then.
    void anyGraphOverAnyPath() {
        QVERIFY(rc::check("every message once, after its needs; the sender believes no more than is so", [] {
            const Script script = *shapedScripts();
            RC_CLASSIFY(script.steps.size() > 4 * script.window, "numbers went around");
            RC_CLASSIFY(std::ranges::any_of(script.steps, &Step::restart), "made anew");
            Run(script).all();
        }));
    }
    // P9: a chain is an ordered channel, k chains are k channels, and messages without needs are a channel that keeps no order: to the
    // moment at which each hands a message over.
    void chainsAreOrderedChannels() {
        QVERIFY(rc::check("each chain is a channel", [] {
            Script script = *scripts();
            const int chains = *rc::gen::inRange(0, 5);
            // Blocked messages would shift the chains against one another: a window that never fills.
            script.window = 1024;
            for (Step& step : script.steps) {
                step.back.assign(chains > 0 ? 1 : 0, chains);
            }
            Run run(script);
            run.all();
            std::map<std::uint32_t, Time> handed;
            std::map<std::uint32_t, std::uint32_t> last; // of each chain
            for (std::size_t i = 0; i < run.order().size(); ++i) {
                const std::uint32_t index = run.order()[i];
                handed[index] = run.times()[i];
                if (chains > 0) {
                    const auto [before, first] =
                        last.emplace(index % static_cast<std::uint32_t>(chains), index);
                    RC_ASSERT(first || before->second < index);
                    before->second = index;
                }
            }
            RC_ASSERT(handed
                      == (chains > 0 ? ordered(run.arrived(), static_cast<std::uint32_t>(chains))
                                     : unordered(run.arrived())));
            RC_ASSERT(chains > 0 || run.waited() == 0U);
        }));
    }
    // P10 and P14: the same script is the same run, also when the clock shows another time.
    void theSameScriptIsTheSameRun() {
        QVERIFY(rc::check("order and times are a function of the script", [] {
            const Script script = *scripts();
            const Time shift = *rc::gen::inRange<Time>(0, 1'000'000) * Second;
            Run first(script);
            Run second(script, shift);
            first.all();
            second.all();
            RC_ASSERT(first.order() == second.order());
            RC_ASSERT(first.times() == second.times());
        }));
    }
    // P11: needs that others imply may be left out: what ran after all of them still does.
    void impliedNeedsAreRedundant() {
        QVERIFY(rc::check("an order that the fewer needs allow is one that all of them allow", [] {
            Script full = *scripts();
            full.window = 1024; // none is blocked: the index of a message is its step's
            for (Step& step : full.steps) {
                step.restart = false;
            }
            // Every message's needs, and theirs: named, and not.
            std::vector<std::set<int>> all(full.steps.size());
            Script fewer = full;
            for (std::size_t i = 0; i < full.steps.size(); ++i) {
                std::set<int> direct;
                std::set<int> implied;
                for (const int back : full.steps[i].back) {
                    if (static_cast<std::size_t>(back) <= i) {
                        const int need = static_cast<int>(i) - back;
                        direct.insert(need);
                        implied.insert(all[static_cast<std::size_t>(need)].begin(),
                                       all[static_cast<std::size_t>(need)].end());
                    }
                }
                fewer.steps[i].back.clear();
                for (const int need : direct) {
                    if (!implied.contains(need)) {
                        fewer.steps[i].back.push_back(static_cast<int>(i) - need);
                    }
                }
                all[i] = implied;
                all[i].insert(direct.begin(), direct.end());
            }
            Run run(fewer);
            run.all();
            std::set<int> executed;
            for (const std::uint32_t index : run.order()) {
                RC_ASSERT(std::ranges::includes(executed, all[index]));
                executed.insert(static_cast<int>(index));
            }
            RC_ASSERT(executed.size() == full.steps.size());
        }));
    }
    // P15: whatever happens to the datagrams, an application whose handlers commute where nothing is named ends in the same state. Here a
    // message adds its number to those it needs.
    void anyPathLeadsToTheSameState() {
        QVERIFY(rc::check("the same messages, the same state", [] {
            Script script = *scripts();
            script.window = 1024;
            for (Step& step : script.steps) {
                step.restart = false;
            }
            const auto stateAfter = [&](const Script& one) {
                Run run(one);
                run.all();
                std::vector<std::uint64_t> state(one.steps.size(), 0);
                for (const std::uint32_t index : run.order()) {
                    state[index] += index + 1;
                    for (const int back : one.steps[index].back) {
                        if (static_cast<std::uint32_t>(back) <= index) {
                            state[index] += 31 * state[index - static_cast<std::uint32_t>(back)];
                        }
                    }
                }
                return state;
            };
            const std::vector<std::uint64_t> rough = stateAfter(script);
            script.up.clear();
            script.down.clear();
            RC_ASSERT(stateAfter(script) == rough);
        }));
    }
    // P5
    void numbersDecodeToWhatWasMeant() {
        QVERIFY(rc::check("the one number within half a span", [] {
            const unsigned bits = *rc::gen::inRange(2U, 33U);
            const auto reference = *rc::gen::arbitrary<std::uint64_t>();
            const std::uint64_t half = std::uint64_t{1} << (bits - 1U);
            const std::uint64_t offset = *rc::gen::arbitrary<std::uint64_t>() % (2 * half);
            const std::uint64_t full = reference - half + offset;
            RC_ASSERT(fromWire(toWire(full, bits), bits, reference) == full);
        }));
    }
    // P12: any bytes are taken or refused, and what is taken is written back the same.
    void anyBytesAreTakenOrRefused() {
        QVERIFY(rc::check("parsing is total", [] {
            const auto bytes = *rc::gen::resize(
                300, rc::gen::container<std::vector<std::uint8_t>>(rc::gen::arbitrary<std::uint8_t>()));
            Payload payload;
            const bool taken = parsePayload(bytes, 15, payload);
            Channel channel(pairSettings().b);
            Payload scratch;
            const auto received = channel.receive(0, 1, bytes, scratch);
            if (!taken) {
                RC_ASSERT(received.outcome == Channel::Outcome::Violation);
            }
            if (received.outcome == Channel::Outcome::Violation) {
                RC_ASSERT(channel.receiveGraph().floor() == 1U);
                RC_ASSERT(channel.deliveriesWaiting() == 0U);
                RC_ASSERT(channel.check(1) == ReceivedPackets::Verdict::Fresh);
            }
        }));
    }
};

QTEST_GUILESS_MAIN(TestProperties)
#include "tst_properties.moc"
