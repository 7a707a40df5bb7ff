// The bytes of a message and the fields they belong to, against what the network's own reader makes of them; what is lit by pointer and
// click, both ways; which fields changed since the last message of the kind.
#include <QTextTable>
#include <QtTest>

#include "engine/components/network_wire.h"
#include "tests/trace/model_bench.h"
#include "widgets/common/theme.h"
#include "widgets/trace/message_bytes.h"
#include "widgets/trace/trace_details.h"

#include <algorithm>
#include <memory>

using namespace sbx;
using namespace sbx::ui;
using namespace sbx::trace_test;

namespace {

std::uint32_t indexOf(EntityId id) { return id ? id.index() : 0U; }

struct Details {
    ModelBench bench;
    std::unique_ptr<TraceDetails> view;

    explicit Details(const Theme& theme) : view(std::make_unique<TraceDetails>(theme, bench.model)) {
        view->resize(420, 700);
        view->setVisible(true); // show() is of a record
    }
    std::uint64_t send(const Damage& damage, int sender = 32, int receiver = 3) {
        return bench.yard.send(damage, sender, receiver, 0, {{Yard::Health, 0, HandlerResult::Passed}});
    }
    void take() {
        bench.yard.recorder.seal();
        bench.model.catchUp();
    }
    // The middle of what stands there in the document.
    QPoint middleOf(std::pair<int, int> place) const {
        QTextCursor from(view->document());
        from.setPosition(place.first);
        QTextCursor to(view->document());
        to.setPosition(place.second);
        return (view->cursorRect(from).center() + view->cursorRect(to).center()) / 2;
    }
    void hover(const QPoint& at) {
        QMouseEvent move(QEvent::MouseMove, QPointF(at), QPointF(view->viewport()->mapToGlobal(at)),
                         Qt::NoButton, Qt::NoButton, Qt::NoModifier);
        QApplication::sendEvent(view->viewport(), &move);
    }
};

} // namespace

class TestBytes : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<Theme> m_theme;

private slots:
    void initTestCase() {
        m_theme = std::make_unique<Theme>(ThemeMode::Dark);
        m_theme->apply(*qApp);
    }

    // Each range, read alone by the network's reader, is the field's value; together they are all bytes, without a gap.
    void theReaderFindsEachFieldInItsBytes() {
        ModelBench bench;
        bench.run(300);
        int read = 0;
        for (std::uint64_t row = bench.model.store().first(); row < bench.model.store().end(); ++row) {
            const RecordView record = bench.model.store().at(row);
            const FieldTable& fields = *messageType(record.type()).fields;
            const WireLayout layout = bytesOf(record);
            QVERIFY(layout.whole);
            QCOMPARE(layout.fields.size(), fields.fields().size());
            // As they are sent: all at once.
            wire::Room room{};
            net::ByteWriter whole(room);
            writeWireFields(whole, fields, record.payload(), indexOf);
            QVERIFY(std::equal(layout.bytes.begin(), layout.bytes.end(), whole.written().begin(),
                               whole.written().end()));
            std::size_t at = 0;
            std::size_t number = 0;
            for (const FieldInfo& field : fields) {
                const WireLayout::Range range = layout.fields[number];
                QCOMPARE(range.begin, at);
                at = range.end;
                for (std::size_t byte = range.begin; byte < range.end; ++byte)
                    QCOMPARE(layout.fieldAt(byte), number);
                ++number;
                const FieldTable one(std::vector<FieldInfo>{field});
                net::ByteReader in(net::ByteView(layout.bytes).subspan(range.begin, range.end - range.begin));
                std::vector<Value> values;
                std::uint32_t entity = 0;
                QCOMPARE(readWireFields(
                             in, one, [&](std::uint32_t id) { return entity = id, EntityId(); }, values),
                         WireRead::Good);
                QCOMPARE(in.remaining(), std::size_t(0));
                if (field.type == FieldType::Entity)
                    QCOMPARE(entity, indexOf(std::get<EntityId>(field.read(record.payload()))));
                else
                    QVERIFY(values.front() == field.read(record.payload()));
                ++read;
            }
            QCOMPARE(at, layout.bytes.size());
            QCOMPARE(layout.fieldAt(at), fields.fields().size());
        }
        QVERIFY(read > 1000);
    }

    void whatFindsNoRoomIsLeftOut() {
        // More text than a packet holds.
        constexpr std::size_t Length = 40;
        std::vector<Text> many(wire::MaxBody / Length + 5, Text(std::string(Length, 'x')));
        std::vector<FieldInfo> infos;
        for (std::size_t i = 0; i < many.size(); ++i) {
            infos.push_back(messageType(messageIdOf<Say>()).fields->fields().front());
            infos.back().offset = i * sizeof(Text);
        }
        const WireLayout layout = wireLayout(FieldTable(infos), many.data(), indexOf);
        QVERIFY(!layout.whole);
        QCOMPARE(layout.fields.size(), infos.size());
        QCOMPARE(layout.fields.back().begin, layout.fields.back().end);
        QCOMPARE(layout.bytes.size(),
                 wire::MaxBody / (Length + 1) * (Length + 1)); // whole fields alone, each with its length
    }

    void fieldsAndBytesLightEachOther() {
        Details d(*m_theme);
        const auto sequence = d.send({5.0F, Kind::Fire, Yard::entity(3)});
        d.take();
        d.view->show(sequence);
        QVERIFY(QTest::qWaitForWindowExposed(d.view.get()));
        const ByteLights& lights = d.view->lights();
        QVERIFY(!lights.lit());
        QVERIFY(d.view->extraSelections().isEmpty());
        // amount: four bytes of a float; kind: one; source: a small number.
        const auto row = d.bench.model.store().rowOf(sequence);
        const WireLayout layout = bytesOf(d.bench.model.store().at(*row));
        QCOMPARE(layout.fields[0], (WireLayout::Range{0, 4}));
        for (std::size_t byte = 0; byte < layout.bytes.size(); ++byte)
            QCOMPARE(lights.placesOf(byte).size(), std::size_t(2)); // in hexadecimal and as text
        d.hover(d.middleOf(lights.placesOf(2)[0]));
        QCOMPARE(lights.lit(), std::optional<std::size_t>(0));
        QCOMPARE(d.view->extraSelections().size(), 1 + 4 * 2); // the field's row, and its bytes
        d.hover(d.middleOf(lights.placesOf(layout.fields[1].begin)[1]));
        QCOMPARE(lights.lit(), std::optional<std::size_t>(1));
        QEvent leave(QEvent::Leave);
        QApplication::sendEvent(d.view->viewport(), &leave);
        QVERIFY(!lights.lit());
        // The row of a field.
        QTextTable* table = nullptr;
        int tables = 0;
        for (QTextFrame* frame : d.view->document()->rootFrame()->childFrames())
            if (auto* found = qobject_cast<QTextTable*>(frame); found != nullptr && ++tables == 2)
                table = found;
        QVERIFY(table);
        const QTextTableCell name = table->cellAt(0, 0);
        const QPoint at = d.middleOf({name.firstPosition(), name.lastPosition()});
        d.hover(at);
        QCOMPARE(lights.lit(), std::optional<std::size_t>(0));
        // A click keeps it, another on a byte of it lets it go.
        QTest::mouseClick(d.view->viewport(), Qt::LeftButton, {}, at);
        QCOMPARE(lights.pinned(), std::optional<std::size_t>(0));
        QApplication::sendEvent(d.view->viewport(), &leave);
        QCOMPARE(lights.lit(), std::optional<std::size_t>(0));
        const auto other = d.send({6.0F, Kind::Ice, {}});
        d.take();
        d.view->show(other); // of the same type: the same field
        QCOMPARE(lights.lit(), std::optional<std::size_t>(0));
        QTest::mouseClick(d.view->viewport(), Qt::LeftButton, {}, d.middleOf(lights.placesOf(1)[0]));
        QVERIFY(!lights.pinned());
        d.view->show(0);
        QVERIFY(!lights.lit());
        QVERIFY(d.view->extraSelections().isEmpty());
    }

    void changedSinceTheLastOfTheKind() {
        Details d(*m_theme);
        const auto first = d.send({5.0F, Kind::Fire, {}});
        const auto others = d.send({9.0F, Kind::Ice, {}}, 33); // from another sender
        d.bench.yard.send(Died{}, 32, 3, 0, {});
        const auto second = d.send({5.5F, Kind::Fire, {}});
        const auto third = d.send({5.5F, Kind::Fire, {}});
        d.take();
        TraceModel& model = d.bench.model;
        QVERIFY(!previousOfKind(model, first));
        QVERIFY(!previousOfKind(model, others));
        QVERIFY(!previousOfKind(model, third + 1));
        QCOMPARE(previousOfKind(model, second), std::optional(first));
        QCOMPARE(previousOfKind(model, third), std::optional(second));
        const auto record = [&](std::uint64_t sequence) {
            return model.store().at(*model.store().rowOf(sequence));
        };
        QCOMPARE(changedFields(record(second), record(first)), (std::vector<bool>{true, false, false}));
        QCOMPARE(changedFields(record(third), record(second)), (std::vector<bool>{false, false, false}));
        d.view->show(second);
        QVERIFY(d.view->toPlainText().contains(QString::fromUtf8("● was 5.0")));
        d.view->show(third);
        QVERIFY(!d.view->toPlainText().contains(QString::fromUtf8("●")));
        QVERIFY(d.view->toPlainText().contains(QStringLiteral("#%1").arg(second)));
        d.view->show(first);
        QVERIFY(!d.view->toPlainText().contains(QStringLiteral("last of this type")));
    }

    // Behind the end of a shorter text the longer one's letters still lie.
    void textsAreComparedAsFarAsTheyReach() {
        ModelBench bench;
        Say say;
        say.words = "the door swings";
        const auto first = bench.yard.send(say, 1, 3, 0, {});
        say.words = "the door";
        say.words = "the door swings";
        const auto second = bench.yard.send(say, 1, 3, 0, {});
        bench.yard.recorder.seal();
        bench.model.catchUp();
        const auto record = [&](std::uint64_t sequence) {
            return bench.model.store().at(*bench.model.store().rowOf(sequence));
        };
        QCOMPARE(changedFields(record(second), record(first)), (std::vector<bool>{false, false, false}));
    }
};

QTEST_MAIN(TestBytes)
#include "tst_bytes.moc"
