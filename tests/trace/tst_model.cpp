#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QtTest>

#include "tests/trace/trace_fixture.h"
#include "widgets/trace/trace_model.h"

#include <functional>

using namespace sbx;
using namespace sbx::trace_test;
using sbx::ui::TraceContext;
using sbx::ui::TraceModel;

using sbx::ui::TraceStore;

Q_DECLARE_METATYPE(std::function<bool(const sbx::RecordView&)>)

namespace {
using Test = std::function<bool(const RecordView&)>;

std::vector<std::uint64_t> sequences(const TraceModel& model) {
    std::vector<std::uint64_t> out;
    for (int row = 0; row < model.rowCount(); ++row)
        out.push_back(model.record(row).envelope().sequence);
    return out;
}
const Damage& damage(const RecordView& r) { return *static_cast<const Damage*>(r.payload()); }
bool is(const RecordView& r, MessageTypeId type) { return r.envelope().type == type; }

// One message of a plugin, as two of its builds lay it out.
struct Knock {
    static constexpr const char* Name = "trace.Knock";
    static constexpr const char* Doc = "Somebody knocks.";
    float strength = 0.0F;
    static void describe(FieldList<Knock>& f) { f.add("strength", &Knock::strength, "How strong."); }
};
struct LaterKnock {
    static constexpr const char* Name = "trace.Knock";
    static constexpr const char* Doc = "Somebody knocks.";
    std::int32_t times = 0;
    float strength = 0.0F;
    static void describe(FieldList<LaterKnock>& f) {
        f.add("times", &LaterKnock::times, "How often.");
        f.add("strength", &LaterKnock::strength, "How strong.");
    }
};
template <typename M> void load() {
    MessageTypeImport import("plugin", {});
    messageIdOf<M>();
    import.keep();
}
} // namespace

class TestModel : public QObject {
    Q_OBJECT
private slots:
    // Who only looks on does not handle; a notice asks for nobody.
    void outcomesAreHonest() {
        Yard yard;
        TraceContext context(yard.source);
        TraceModel model(context);
        const Yard::Visit watched{Yard::Watch, -1000, HandlerResult::Passed};
        const Yard::Visit taken{Yard::Health, 0, HandlerResult::Passed};
        yard.send(Damage{1.0F, Kind::Blunt, {}}, 32, 3, 0, {watched});
        yard.send(Damage{1.0F, Kind::Blunt, {}}, 32, 3, 0, {watched, taken});
        yard.send(Damage{1.0F, Kind::Blunt, {}}, 32, 3, 0, {});
        yard.send(Rang{}, 32, 3, 0, {});
        yard.send(Rang{}, 32, 3, 0, {watched});
        yard.send(Rang{}, 32, 3, 0, {taken});
        yard.send(Rang{}, 32, 3, 0, {watched, {Yard::Shield, 0, HandlerResult::Consumed}});
        yard.recorder.seal();
        model.catchUp();
        using O = RecordOutcome;
        const O wanted[] = {O::Unhandled, O::Passed, O::Unhandled, O::Unheeded, O::Unheeded, O::Passed, O::Consumed};
        QCOMPARE(model.rowCount(), 7);
        for (int row = 0; row < 7; ++row)
            QCOMPARE(TraceContext::outcome(model.record(row)), wanted[row]);
        QCOMPARE(context.whoCouldHandle(model.record(0)), QStringLiteral("No component acts on Damage."));
        yard.source.setHandlers([](MessageTypeId type) {
            return type == messageIdOf<Damage>() ? std::vector<std::string>{"Health", "Shield"} : std::vector<std::string>{"Bell"};
        });
        QCOMPARE(context.whoCouldHandle(model.record(0)), QStringLiteral("Health and Shield act on Damage; crate_4 has neither, or it is switched off."));
        QCOMPARE(context.whoCouldHandle(model.record(3)), QStringLiteral("Bell acts on Rang; crate_4 does not have it, or it is switched off."));
        // What the receiver's type has is known: it says which of them.
        std::optional<std::vector<std::string>> own = std::vector<std::string>{"Mesh", "Body"};
        yard.source.setComponents([&own](std::string_view, EntityId) { return own; });
        QCOMPARE(context.whoCouldHandle(model.record(0)),
                 QStringLiteral("Health and Shield act on Damage; crate_4 has neither."));
        QCOMPARE(context.whoCouldHandle(model.record(3)),
                 QStringLiteral("Bell acts on Rang; crate_4 does not have it."));
        own = std::vector<std::string>{"Mesh", "Shield"};
        QCOMPARE(context.whoCouldHandle(model.record(0)),
                 QStringLiteral(
                     "Health and Shield act on Damage; Shield of crate_4 was switched off, or came later."));
        own = std::nullopt; // it is gone
        QVERIFY(context.whoCouldHandle(model.record(0))
                    .endsWith(QStringLiteral("crate_4 has neither, or it is switched off.")));
        Result<Filter> quiet = Filter::compile("outcome == unheeded", context.schema());
        QVERIFY(quiet.ok());
        model.setFilter(std::move(*quiet));
        model.catchUp();
        QCOMPARE(model.rowCount(), 2);
    }

    // What came by the network and waited for what it depends on is late; what waited in the queue, as its sender wanted, is not.
    void whatWaitedIsLate() {
        Yard yard;
        TraceContext context(yard.source);
        TraceModel model(context);
        yard.tick = 40;
        const Yard::Visit taken{Yard::Health, 0, HandlerResult::Passed};
        yard.send(Damage{1.0F, Kind::Blunt, {}}, -1, 3, 0, {taken}, Delivery::Network);
        yard.send(Damage{1.0F, Kind::Blunt, {}}, -1, 3, 0, {taken}, Delivery::Network, true);
        yard.send(Damage{1.0F, Kind::Blunt, {}}, 32, 3, 0, {taken}, Delivery::Immediate, true);
        yard.send(Damage{1.0F, Kind::Blunt, {}}, -1, 3, 0, {}, Delivery::Network, true);
        yard.recorder.seal();
        model.catchUp();
        const std::uint64_t late[] = {0, 12, 0, 12};
        const char* const lines[] = {"passed", "passed, 12 ticks late", "passed",
                                     "no handler, 12 ticks late"};
        for (int row = 0; row < 4; ++row) {
            QCOMPARE(model.record(row).late(), late[row]);
            QCOMPARE(model.index(row, TraceModel::Outcome).data().toString(),
                     QString::fromLatin1(lines[row]));
        }
        Result<Filter> filter = Filter::compile("late > 0.1s and outcome == passed", context.schema());
        QVERIFY2(filter.ok(), filter.ok() ? "" : filter.error().message.c_str());
        model.setFilter(std::move(*filter));
        model.catchUp();
        QCOMPARE(model.rowCount(), 1);
        QCOMPARE(model.record(0).sequence(), std::uint64_t{2});
    }

    // Every text against a plain C++ test of the raw records.
    void filtersLikeBruteForce_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<std::function<bool(const sbx::RecordView&)>>("expected");
        const auto row = [](const char* text, Test test) {
            QTest::newRow(text) << QString::fromLatin1(text) << test;
        };
        const MessageTypeId damageId = messageIdOf<Damage>();
        const MessageTypeId contactId = messageIdOf<Contact>();
        const MessageTypeId sayId = messageIdOf<Say>();
        row("", [](const RecordView&) { return true; });
        row("type == Damage", [=](const RecordView& r) { return is(r, damageId); });
        row("type != Damage", [=](const RecordView& r) { return !is(r, damageId); });
        row("tick > 1s and tick <= 70",
            [](const RecordView& r) { return r.envelope().tick > 60 && r.envelope().tick <= 70; });
        row("fields.amount > 5", [=](const RecordView& r) {
            return is(r, damageId) ? damage(r).amount > 5.0F
                                   : is(r, sayId) && static_cast<const Say*>(r.payload())->amount > 5;
        });
        row("fields.kind == fire",
            [=](const RecordView& r) { return is(r, damageId) && damage(r).kind == Kind::Fire; });
        row("fields.kind != fire",
            [=](const RecordView& r) { return is(r, damageId) && damage(r).kind != Kind::Fire; });
        row("fields.point.y > 3", [=](const RecordView& r) {
            return is(r, contactId) && static_cast<const Contact*>(r.payload())->point.y > 3.0F;
        });
        row("fields.loud",
            [=](const RecordView& r) { return is(r, sayId) && static_cast<const Say*>(r.payload())->loud; });
        row("door", [=](const RecordView& r) { return is(r, sayId); });
        row("fields.source ~ phantom*",
            [=](const RecordView& r) { return is(r, damageId) && damage(r).source; });
        row("handlers.component == Shield", [](const RecordView& r) {
            return std::any_of(r.visits().begin(), r.visits().end(), [](const HandlerVisit v) {
                return v.priority == -5 && v.result != HandlerResult::NotReached;
            });
        });
        row("notReached == Health", [](const RecordView& r) {
            return r.visits().size() == 3 && r.visits()[1].result == HandlerResult::NotReached;
        });
        row("outcome == consumed",
            [](const RecordView& r) { return TraceContext::outcome(r) == RecordOutcome::Consumed; });
        row("outcome == unhandled", [](const RecordView& r) { return r.visits().empty(); });
        row("consumedBy == Shield",
            [](const RecordView& r) { return TraceContext::outcome(r) == RecordOutcome::Consumed; });
        row("delivery == queued", [](const RecordView& r) { return r.envelope().delayed; });
        row("from == \"\"", [](const RecordView& r) { return r.senderName() == 0; });
        row("cause != 0", [](const RecordView& r) { return r.envelope().cause != 0; });
        row("to ~ crate* and not from ~ crate* or priority < -9", [](const RecordView& r) {
            const auto index = [](EntityId id) { return static_cast<int>(id.index()) - 1; };
            const bool toCrate = r.receiverName() != 0 && index(r.envelope().receiver) < 24;
            const bool fromCrate = r.senderName() != 0 && index(r.envelope().sender) < 24;
            const bool early = !r.visits().empty() && r.visits()[0].priority < -9;
            return (toCrate && !fromCrate) || early;
        });
    }
    void filtersLikeBruteForce() {
        QFETCH(QString, text);
        QFETCH(std::function<bool(const sbx::RecordView&)>, expected);
        Yard yard;
        TraceContext context(yard.source);
        TraceModel model(context);
        const QAbstractItemModelTester tester(&model);
        auto filter = Filter::compile(text.toStdString(), context.schema());
        QVERIFY2(filter.ok(), filter.ok() ? "" : filter.error().message.c_str());
        // Half of the records come before the filter, half after.
        for (int i = 0; i < 60; ++i)
            yard.runTick(12);
        model.catchUp();
        model.setFilter(std::move(*filter));
        model.catchUp();
        for (int i = 0; i < 60; ++i)
            yard.runTick(12);
        model.catchUp();
        std::vector<std::uint64_t> wanted;
        for (std::uint64_t row = model.store().first(); row < model.store().end(); ++row)
            if (expected(model.store().at(row)))
                wanted.push_back(model.store().at(row).envelope().sequence);
        QCOMPARE(sequences(model), wanted);
        QVERIFY(!wanted.empty());
    }

    void appendingNeverResets() {
        Yard yard;
        TraceContext context(yard.source);
        TraceModel model(context);
        const QAbstractItemModelTester tester(&model);
        model.catchUp();
        const QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
        for (int i = 0; i < 40; ++i) {
            yard.runTick(9);
            model.catchUp();
        }
        QCOMPARE(resets.count(), 0);
        QVERIFY(model.rowCount() > 300);
        QCOMPARE(model.rowCount(), static_cast<int>(model.store().size()));
    }

    void dropsFromTheTop() {
        Yard yard;
        TraceContext context(yard.source);
        TraceModel model(context, TraceStore(200));
        const QAbstractItemModelTester tester(&model);
        const QSignalSpy removed(&model, &QAbstractItemModel::rowsRemoved);
        for (int i = 0; i < 80; ++i) {
            yard.runTick(9);
            model.catchUp();
            QCOMPARE(model.rowCount(), static_cast<int>(model.store().size()));
        }
        QVERIFY(removed.count() > 0);
        QVERIFY(model.rowCount() <= 200);
        QCOMPARE(model.record(model.rowCount() - 1).envelope().sequence, yard.sequence);
        QCOMPARE(model.rowOfSequence(1), -1);
    }

    void aNewRunResets() {
        Yard yard;
        TraceContext context(yard.source);
        TraceModel model(context);
        const QAbstractItemModelTester tester(&model);
        yard.runTick(20);
        model.catchUp();
        const QSignalSpy runs(&model, &TraceModel::newRun);
        yard.beginRun();
        yard.runTick(7);
        model.catchUp();
        QCOMPARE(runs.count(), 1);
        QCOMPARE(model.rowCount(), static_cast<int>(yard.sequence));
        QCOMPARE(model.captured(messageIdOf<Damage>()) + model.captured(messageIdOf<Contact>())
                     + model.captured(messageIdOf<Say>()) + model.captured(messageIdOf<Died>()),
                 yard.sequence);
    }

    void pauseHoldsTheRowsAndCaptures() {
        Yard yard;
        TraceContext context(yard.source);
        TraceModel model(context);
        const QAbstractItemModelTester tester(&model);
        yard.runTick(20);
        model.catchUp();
        const int rows = model.rowCount();
        model.setPaused(true);
        yard.runTick(30);
        model.catchUp();
        QCOMPARE(model.rowCount(), rows);
        QCOMPARE(model.arrivedWhilePaused(), yard.sequence - static_cast<std::uint64_t>(rows));
        // A filter set while paused looks only at what was there.
        auto filter = Filter::compile("type ~ *", context.schema());
        QVERIFY(filter.ok());
        model.setFilter(std::move(*filter));
        model.catchUp();
        QCOMPARE(model.rowCount(), rows);
        model.setPaused(false);
        model.catchUp();
        QCOMPARE(model.rowCount(), static_cast<int>(yard.sequence));
        QCOMPARE(model.arrivedWhilePaused(), std::uint64_t(0));
    }

    void pauseSurvivesDropping() {
        Yard yard;
        TraceContext context(yard.source);
        TraceModel model(context, TraceStore(100));
        const QAbstractItemModelTester tester(&model);
        yard.runTick(40);
        model.catchUp();
        model.setPaused(true);
        for (int i = 0; i < 40; ++i)
            yard.runTick(10);
        model.catchUp();
        QCOMPARE(model.rowCount(), 0);
        model.setPaused(false);
        model.catchUp();
        QCOMPARE(model.rowCount(), static_cast<int>(model.store().size()));
    }

    void hiddenTypesAreOnlyHidden() {
        Yard yard;
        TraceContext context(yard.source);
        TraceModel model(context);
        const QAbstractItemModelTester tester(&model);
        for (int i = 0; i < 10; ++i)
            yard.runTick(20);
        model.catchUp();
        const int all = model.rowCount();
        const auto contacts = static_cast<int>(model.captured(messageIdOf<Contact>()));
        QVERIFY(contacts > 0);
        model.setShown(messageIdOf<Contact>(), false);
        model.catchUp();
        QCOMPARE(model.rowCount(), all - contacts);
        QVERIFY(model.hidesTypes());
        model.setShownTypes({});
        model.catchUp();
        QCOMPARE(model.rowCount(), all);
        QVERIFY(!model.hidesTypes());
    }

    void rowsBySequence() {
        Yard yard;
        TraceContext context(yard.source);
        TraceModel model(context);
        for (int i = 0; i < 20; ++i)
            yard.runTick(10);
        auto filter = Filter::compile("type == Damage", context.schema());
        QVERIFY(filter.ok());
        model.setFilter(std::move(*filter));
        model.catchUp();
        for (int row = 0; row < model.rowCount(); ++row) {
            const std::uint64_t sequence = model.record(row).envelope().sequence;
            QCOMPARE(model.rowOfSequence(sequence), row);
            QCOMPARE(model.rowAtOrAfter(sequence), row);
            QCOMPARE(model.rowAtOrAfter(sequence + 1), row + 1);
        }
    }

    void chains() {
        Yard yard;
        TraceContext context(yard.source);
        TraceModel model(context);
        const auto a = yard.send(Died{}, 0, 1, 0, {});
        const auto b = yard.send(Died{}, 1, 2, a, {});
        const auto c = yard.send(Died{}, 2, 3, b, {});
        const auto d = yard.send(Died{}, 2, 4, b, {});
        yard.recorder.seal();
        model.catchUp();
        QCOMPARE(model.chainOf(c), (std::vector<std::uint64_t>{a, b, c}));
        QCOMPARE(model.effectsOf(b, 10).sequences, (std::vector<std::uint64_t>{c, d}));
        QCOMPARE(model.effectsOf(b, 1).sequences, (std::vector<std::uint64_t>{c}));
        QCOMPARE(model.effectsOf(b, 1).ended, TraceModel::EffectsEnd::Limit);
        QCOMPARE(model.effectsOf(b, 2).ended, TraceModel::EffectsEnd::NoneLeft);
        QCOMPARE(model.allEffectsOf(a, 10).sequences, (std::vector<std::uint64_t>{b, c, d}));
        QVERIFY(model.effectsOf(d, 10).sequences.empty());
        QVERIFY(model.chainOf(999).empty());
    }

    void cellsSayWhatTheRecordHolds() {
        Yard yard;
        TraceContext context(yard.source);
        TraceModel model(context);
        yard.tick = 120;
        yard.send(
            Damage{5.0F, Kind::Fire, Yard::entity(32)}, 32, 3, 0,
            {{Yard::Shield, -5, HandlerResult::Consumed}, {Yard::Health, 0, HandlerResult::NotReached}});
        yard.send(Say{"hello", true, 3}, -1, 0, 1, {{Yard::Log, 1, HandlerResult::Passed}},
                  Delivery::Broadcast);
        yard.send(Damage{1.0F / 3.0F, Kind::Ice, {}}, 0, 1, 0, {}, Delivery::Immediate, true);
        yard.recorder.seal();
        model.catchUp();
        const auto cell = [&](int row, TraceModel::Column column) {
            return model.index(row, column).data().toString();
        };
        QCOMPARE(cell(0, TraceModel::Number), QStringLiteral("1"));
        QCOMPARE(cell(0, TraceModel::Tick), QStringLiteral("120"));
        QCOMPARE(cell(0, TraceModel::Type), QStringLiteral("Damage"));
        QCOMPARE(cell(0, TraceModel::Sender), QStringLiteral("phantom_9"));
        QCOMPARE(cell(0, TraceModel::Receiver), QStringLiteral("crate_4"));
        QCOMPARE(cell(0, TraceModel::Fields), QStringLiteral("amount 5.0 hp · kind fire · source phantom_9"));
        QCOMPARE(cell(0, TraceModel::Outcome), QStringLiteral("consumed by Shield"));
        QCOMPARE(cell(1, TraceModel::Sender), QString());
        QCOMPARE(cell(1, TraceModel::Fields), QStringLiteral("words hello · loud true · amount 3"));
        QCOMPARE(cell(1, TraceModel::Outcome), QStringLiteral("passed"));
        QCOMPARE(cell(1, TraceModel::Delivery), QStringLiteral("broadcast"));
        QCOMPARE(cell(2, TraceModel::Fields), QStringLiteral("amount 0.333 hp · kind ice · source none"));
        QCOMPARE(cell(2, TraceModel::Delivery), QStringLiteral("queued"));
        QCOMPARE(cell(2, TraceModel::Outcome), QStringLiteral("nobody acted"));
    }

    void buildsOfAPluginKeepTheirRecords() {
        Yard yard;
        TraceContext context(yard.source);
        TraceModel model(context);
        load<Knock>();
        yard.send(Knock{3.0F}, 0, 1, 0, {});
        load<LaterKnock>();
        yard.send(LaterKnock{2, 7.0F}, 0, 1, 0, {});
        yard.send(Damage{5.0F, Kind::Ice, {}}, 0, 1, 0, {});
        yard.recorder.seal();
        model.catchUp();
        QCOMPARE(model.rowCount(), 3);
        QCOMPARE(context.fieldsLine(model.record(0)), QStringLiteral("strength 3.0"));
        QCOMPARE(context.fieldsLine(model.record(1)), QStringLiteral("times 2 · strength 7.0"));
        QCOMPARE(context.type(model.record(2)).name, std::string("Damage"));
        QCOMPARE(context.types().size(), messageTypeCount());
        auto filter = Filter::compile("type == trace.Knock and fields.strength > 5", context.schema());
        QVERIFY2(filter.ok(), filter.ok() ? "" : filter.error().message.c_str());
        model.setFilter(std::move(*filter));
        model.catchUp();
        QCOMPARE(sequences(model), std::vector<std::uint64_t>{2});
        QCOMPARE(context.knownValues(*context.schema().find("type"), "Knock"),
                 std::vector<std::string>{"trace.Knock"});
    }

    void completionKnowsWhatPassedBy() {
        Yard yard;
        TraceContext context(yard.source);
        TraceModel model(context);
        for (int i = 0; i < 20; ++i)
            yard.runTick(20);
        model.catchUp();
        const auto values = [&](const char* field, const char* typed) {
            return context.knownValues(*context.schema().find(field), typed);
        };
        QVERIFY(values("to", "crate").size() == 24);
        QVERIFY(values("fields.source", "phantom").size() == 8);
        QCOMPARE(values("consumedBy", ""),
                 (std::vector<std::string>{"Body", "Health", "Log", "Shield", "Touch"}));
        QCOMPARE(values("world", ""), std::vector<std::string>{"local"});
        const auto types = values("type", "dam");
        QCOMPARE(types, std::vector<std::string>{"Damage"});
    }
};

QTEST_GUILESS_MAIN(TestModel)
#include "tst_model.moc"
