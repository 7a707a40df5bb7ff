// Which line of the list is what, against a list of all lines made anew each time, over random openings, closings, filters, messages that
// come and go, and collapsing.

#include <QtTest>

#include "engine/core/random.h"
#include "tests/trace/trace_fixture.h"
#include "widgets/trace/trace_lines.h"
#include "widgets/trace/trace_model.h"

#include <algorithm>
#include <set>
#include <tuple>

using namespace sbx;
using namespace sbx::trace_test;
using namespace sbx::ui;

namespace {

// Every line, one after the other.
class AllLines {
public:
    explicit AllLines(const TraceModel& model) : m_model(model) {}

    // What is opened, by sequence; of a group any of its messages.
    std::set<std::uint64_t> records;
    std::set<std::uint64_t> groups;

    using Key = std::tuple<MessageTypeId, EntityId, EntityId, std::string, std::uint8_t>;
    [[nodiscard]] Key key(int row) const {
        const RecordView record = m_model.record(row);
        return {record.type(), record.sender(), record.receiver(), m_model.context().outcomeText(record).toStdString(), record.world()};
    }
    // Rows [first, end) that are shown as one.
    [[nodiscard]] std::vector<std::pair<int, int>> allGroups() const {
        std::vector<std::pair<int, int>> out;
        for (int row = 0; row < m_model.rowCount(); ++row) {
            if (m_model.isCollapsing() && row > 0 && key(row) == key(row - 1))
                out.back().second = row + 1;
            else
                out.push_back({row, row + 1});
        }
        return out;
    }
    [[nodiscard]] bool isOpenGroup(int first, int end) const {
        for (int row = first; row < end; ++row)
            if (groups.contains(m_model.record(row).sequence()))
                return true;
        return false;
    }
    [[nodiscard]] std::vector<TraceLine> lines() const {
        std::vector<TraceLine> out;
        const auto addRow = [&](int row) {
            out.push_back({row, TraceLine::Record});
            const RecordView record = m_model.record(row);
            if (records.contains(record.sequence()))
                for (int i = 0; i < static_cast<int>(record.visits().size()); ++i)
                    out.push_back({row, i});
        };
        for (const auto& [first, end] : allGroups()) {
            if (end - first == 1) {
                addRow(first);
                continue;
            }
            out.push_back({first, TraceLine::Group});
            if (isOpenGroup(first, end))
                for (int row = first; row < end; ++row)
                    addRow(row);
        }
        return out;
    }

private:
    const TraceModel& m_model;
};

std::string said(const TraceLine& line) { return std::to_string(line.row) + "/" + std::to_string(line.part); }

} // namespace

class TestLines : public QObject {
    Q_OBJECT

private:
    static void compare(const TraceModel& model, const TraceLines& lines, const AllLines& all) {
        const std::vector<TraceLine> wanted = all.lines();
        QCOMPARE(lines.count(), static_cast<int>(wanted.size()));
        const auto groups = all.allGroups();
        QCOMPARE(model.groupCount(), static_cast<int>(groups.size()));
        std::vector<int> own(static_cast<std::size_t>(model.rowCount()), -1);  // line of the record, or of its closed group
        std::vector<int> top(static_cast<std::size_t>(model.rowCount()), -1);
        for (int i = 0; i < static_cast<int>(wanted.size()); ++i) {
            const TraceLine& line = wanted[static_cast<std::size_t>(i)];
            QVERIFY2(lines.at(i) == line, (said(lines.at(i)) + " for " + said(line) + " at " + std::to_string(i)).c_str());
            QCOMPARE(lines.lineOf(line), i);
            if (line.part == TraceLine::Record)
                own[static_cast<std::size_t>(line.row)] = i;
            if (line.part < 0 && top[static_cast<std::size_t>(line.row)] < 0)
                top[static_cast<std::size_t>(line.row)] = i;
            const bool canOpen = line.part == TraceLine::Group || (line.part == TraceLine::Record && !model.record(line.row).visits().empty());
            QCOMPARE(lines.canOpen(line), canOpen);
            const bool under = i + 1 < static_cast<int>(wanted.size())
                               && (line.part == TraceLine::Group ? wanted[static_cast<std::size_t>(i) + 1] == TraceLine{line.row, TraceLine::Record}
                                                                 : wanted[static_cast<std::size_t>(i) + 1] == TraceLine{line.row, 0});
            QCOMPARE(lines.isOpen(line), canOpen && under);
        }
        for (int g = 0; g < static_cast<int>(groups.size()); ++g) {
            const auto [first, end] = groups[static_cast<std::size_t>(g)];
            QCOMPARE(model.groupStart(g), first);
            QCOMPARE(model.groupSize(g), end - first);
            const bool closed = end - first > 1 && !all.isOpenGroup(first, end);
            for (int row = first; row < end; ++row) {
                QCOMPARE(model.groupOf(row), g);
                const auto at = static_cast<std::size_t>(row);
                const int line = closed ? top[static_cast<std::size_t>(first)] : own[at];
                QCOMPARE(lines.lineOf(row), line);
                QCOMPARE(lines.topOf(row), row == first ? top[at] : line);
                QVERIFY(lines.shown(row) == (closed ? TraceLine{first, TraceLine::Group} : TraceLine{row, TraceLine::Record}));
                QCOMPARE(lines.depthOf(row), end - first > 1 && !closed ? 1 : 0);
            }
        }
        QCOMPARE(lines.topOf(model.rowCount()), lines.count());
    }

private slots:
    void agreeWithAListOfAll() {
        Yard yard;
        TraceContext context(yard.source);
        TraceModel model(context, TraceStore(600));
        TraceLines lines(model);
        AllLines all(model);
        connect(&model, &QAbstractItemModel::modelReset, &model, [&lines] { lines.refresh(); });
        connect(&model, &QAbstractItemModel::rowsInserted, &model, [&lines] { lines.refresh(); });
        connect(&model, &QAbstractItemModel::rowsRemoved, &model,
                [&](const QModelIndex&, int first, int last) { lines.forgetFirst(last - first + 1); });
        Random random(5);
        const auto send = [&](int messages) {
            ++yard.tick;
            for (int i = 0; i < messages; ++i) {
                // Few kinds, so that many follow their like.
                const std::vector<Yard::Visit> visits =
                    random.below(3) == 0 ? std::vector<Yard::Visit>{{Yard::Shield, -5, HandlerResult::Consumed}, {Yard::Health, 0, HandlerResult::NotReached}}
                    : random.below(2) == 0 ? std::vector<Yard::Visit>{{Yard::Touch, -9, HandlerResult::Passed}, {Yard::Body, 0, HandlerResult::Passed}, {Yard::Log, 9, HandlerResult::Passed}}
                                           : std::vector<Yard::Visit>{};
                for (std::uint32_t repeats = random.below(4) == 0 ? 1 + random.below(9) : 1; repeats > 0; --repeats) {
                    if (random.below(2) == 0)
                        yard.send(Damage{static_cast<float>(random.below(3)), Kind::Fire, {}}, 32, static_cast<int>(random.below(2)), 0, visits);
                    else
                        yard.send(Died{}, 3, 3, 0, visits);
                }
            }
            yard.recorder.seal();
            model.catchUp();
        };
        const char* const filters[] = {"", "type == Damage", "type == Died", "fields.amount >= 1", "sequence > 300 and sequence < 420", "type == nothing"};
        send(150);
        int opened = 0;
        for (int round = 0; round < 600; ++round) {
            const std::uint32_t what = random.below(20);
            if (what < 13 && lines.count() > 0) {
                const TraceLine line = lines.at(static_cast<int>(random.below(static_cast<std::uint32_t>(lines.count()))));
                const bool open = !lines.isOpen(line);
                const bool can = lines.canOpen(line);
                const int group = model.groupOf(line.row);
                if (can && line.part == TraceLine::Record) {
                    const std::uint64_t sequence = model.record(line.row).sequence();
                    open ? void(all.records.insert(sequence)) : void(all.records.erase(sequence));
                } else if (can) {
                    // Also what was opened between them under another filter.
                    const std::uint64_t first = model.record(model.groupStart(group)).sequence();
                    const std::uint64_t last = model.record(model.groupStart(group + 1) - 1).sequence();
                    std::erase_if(all.groups, [&](std::uint64_t sequence) { return !open && sequence >= first && sequence <= last; });
                    if (open)
                        all.groups.insert(model.record(line.row).sequence());
                }
                lines.setOpen(line, open);
                opened += can && open ? 1 : 0;
            } else if (what < 16) {
                // A group that loses its first messages stays open.
                std::vector<std::vector<std::uint64_t>> open;
                for (const auto& [first, end] : all.allGroups())
                    if (all.isOpenGroup(first, end)) {
                        open.emplace_back();
                        for (int row = first; row < end; ++row)
                            open.back().push_back(model.record(row).sequence());
                    }
                send(1 + static_cast<int>(random.below(12)));
                for (const std::vector<std::uint64_t>& group : open)
                    if (model.rowCount() > 0 && group.front() < model.record(0).sequence()
                        && std::find(group.begin(), group.end(), model.record(0).sequence()) != group.end())
                        all.groups.insert(model.record(0).sequence());
            } else if (what < 18) {
                auto filter = Filter::compile(filters[random.below(static_cast<std::uint32_t>(std::size(filters)))], context.schema());
                QVERIFY(filter);
                model.setFilter(std::move(*filter));
                model.catchUp();
            } else if (what == 18) {
                model.setCollapsing(!model.isCollapsing());
                model.catchUp();
            } else if (random.below(6) == 0) {
                lines.closeAll();
                all.records.clear();
                all.groups.clear();
            }
            compare(model, lines, all);
            if (QTest::currentTestFailed()) {
                qInfo("round %d, step %d", round, static_cast<int>(what));
                return;
            }
        }
        QVERIFY(opened > 150);
        QVERIFY(model.store().dropped() > 0);
    }

    // Of a group that is opened the first messages go: what is left is still open.
    void aGroupThatLosesItsFirstStaysOpen() {
        Yard yard;
        TraceContext context(yard.source);
        TraceModel model(context, TraceStore(20));
        TraceLines lines(model);
        connect(&model, &QAbstractItemModel::modelReset, &model, [&lines] { lines.refresh(); });
        connect(&model, &QAbstractItemModel::rowsInserted, &model, [&lines] { lines.refresh(); });
        connect(&model, &QAbstractItemModel::rowsRemoved, &model,
                [&](const QModelIndex&, int first, int last) { lines.forgetFirst(last - first + 1); });
        model.setCollapsing(true);
        const auto send = [&](int times) {
            for (int i = 0; i < times; ++i)
                yard.send(Died{}, 3, 3, 0, {});
            yard.recorder.seal();
            model.catchUp();
        };
        send(5);
        send(5);
        QCOMPARE(lines.count(), 1);
        lines.setOpen(lines.at(0), true);
        QCOMPARE(lines.count(), 11);
        send(8);
        QCOMPARE(lines.count(), 19);
        send(5); // the first five go
        QCOMPARE(model.rowCount(), 18);
        QCOMPARE(lines.count(), 19);
        QVERIFY(lines.at(0) == (TraceLine{0, TraceLine::Group}));
        lines.setOpen(lines.at(0), false);
        QCOMPARE(lines.count(), 1);
    }

    void saysWhatEachHandlerDid() {
        Yard yard;
        TraceContext context(yard.source);
        TraceModel model(context);
        yard.recorder.setTiming(true);
        yard.send(Damage{}, 32, 3, 0,
                  {{Yard::Watch, -20, HandlerResult::Passed}, {Yard::Touch, -9, HandlerResult::Passed}, {Yard::Shield, -5, HandlerResult::Consumed},
                   {Yard::Health, 0, HandlerResult::NotReached}});
        yard.recorder.seal();
        model.catchUp();
        QStringList texts;
        for (int i = 0; i < 4; ++i) {
            const HandlerText text = handlerText(context, model.record(0), i);
            texts.append(text.component + QLatin1Char(' ') + text.priority + QLatin1Char(' ') + text.result);
        }
        QCOMPARE(texts, (QStringList{QStringLiteral("Watch -20 looked on"), QStringLiteral("Touch -9 passed on"), QStringLiteral("Shield -5 consumed here"),
                                     QStringLiteral("Health 0 not reached")}));
        QCOMPARE(TraceModel::decidingPriority(model.record(0)), std::optional(-5));
    }
};

QTEST_GUILESS_MAIN(TestLines)
#include "tst_lines.moc"
