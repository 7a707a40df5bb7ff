// Why a sound is not heard: each reason is brought about, told in the voice list and the checklist, and mended by the step's button.

#include <QMenu>
#include <QSignalSpy>
#include <QTableView>

#include "engine/soundstage/sound_host.h"
#include "tests/probe/probe_fixture.h"
#include "widgets/probe/voice_model.h"
#include "widgets/probe/why_view.h"

using namespace sbx;
using namespace sbx::probe_test;

namespace {

using What = ui::HearingStep::What;

QByteArray sceneWith(const QByteArray& entities) {
    return QByteArray("[scene]\nname = \"S\"\n[[entity]]\ntype = \"Head\"\nname = \"head\"\n") + entities;
}
QByteArray one(const char* type, const char* name, const char* place) {
    return QByteArray("[[entity]]\ntype = \"") + type + "\"\nname = \"" + name + "\"\nposition = " + place + "\n";
}

// A device that is or is not there, as it is told.
struct Device final : SoundHost {
    Devices state;
    void wake() override {}
    [[nodiscard]] Devices devices() const override { return state; }
    Result<void> record(const std::filesystem::path&, double) override { return {}; }
};

struct Whys : Fixture {
    using Fixture::Fixture;
    [[nodiscard]] const std::vector<ui::HearingStep>& steps() const { return child<ui::WhyView>("probe.why")->steps(); }
    [[nodiscard]] bool passes(What what) const { return steps()[static_cast<std::size_t>(what)].passed; }
    void fix(What what) {
        emit child<ui::WhyView>("probe.why")->fixRequested(what);
        run(0.6);
    }
    // Of the first failing step; nothing: all are passed, but for the device, which the test is.
    [[nodiscard]] std::optional<What> first() const {
        for (const ui::HearingStep& step : steps())
            if (step.reached && !step.passed && step.what != What::Device)
                return step.what;
        return std::nullopt;
    }
    [[nodiscard]] QString listed(const char* entity) const {
        const QAbstractItemModel* model = child<QTableView>("probe.voices")->model();
        for (int row = 0; row < model->rowCount(); ++row)
            if (model->index(row, ui::VoiceModel::Entity).data().toString() == QLatin1String(entity))
                return model->index(row, ui::VoiceModel::State).data().toString();
        return {};
    }
    void start(const char* entity) {
        session.play();
        run(0.3);
        panel->setCurrent({entity, 0});
        run(0.4);
    }
};

} // namespace

class TestWhy : public QObject {
    Q_OBJECT
private slots:
    // Only levels end in silence: a delay of less than -150 us is a number like any other.
    void figuresAreNoLevels() {
        QCOMPARE(ui::numberText(-213.4, 0), QString(QChar(0x2212)) + QStringLiteral("213"));
        QCOMPARE(ui::numberText(-0.04, 1), QStringLiteral("0.0"));
        QCOMPARE(ui::decibelText(-213.4, 0), QString(QChar(0x2212)) + QChar(0x221E));
    }
    void notPlayed() {
        Whys f(sceneWith(one("Click", "it", "[0.0, 0.0, -1.0]")));
        f.start("it");
        QCOMPARE(f.listed("it"), QStringLiteral("Waits for PlaySound"));
        QCOMPARE(f.first(), std::optional(What::Played));
        emit f.child<ui::WhyView>("probe.why")->fixRequested(What::Played);
        f.run(0.2);
        QVERIFY(f.passes(What::Played));
        QCOMPARE(f.first(), std::optional<What>());
    }

    void voiceLimit() {
        Whys f(sceneWith(one("Lamp", "near", "[0.0, 0.0, -1.0]") + one("Lamp", "far", "[0.0, 0.0, -6.0]")), true, 1);
        f.start("far");
        QCOMPARE(f.listed("near"), QStringLiteral("Heard"));
        QCOMPARE(f.listed("far"), QStringLiteral("Virtual: others are louder"));
        QCOMPARE(f.first(), std::optional(What::VoiceLimit));
        f.fix(What::VoiceLimit); // it goes before the other now
        QCOMPARE(f.listed("far"), QStringLiteral("Heard"));
        QCOMPARE(f.first(), std::optional<What>());
    }

    void distance() {
        Whys f(sceneWith(one("Hum", "beyond", "[0.0, 0.0, -60.0]") + one("Whisper", "quiet", "[0.0, 0.0, -20.0]")));
        f.start("beyond");
        QCOMPARE(f.listed("beyond"), QStringLiteral("Silent: beyond 40 m"));
        QCOMPARE(f.first(), std::optional(What::Distance));
        f.fix(What::Distance);
        QCOMPARE(f.first(), std::optional<What>());
        // It is computed, and still nobody hears it.
        f.panel->setCurrent({"quiet", 0});
        f.run(0.3);
        QVERIFY2(f.listed("quiet").startsWith(QStringLiteral("Too quiet: ")) && f.listed("quiet").endsWith(QStringLiteral("far away")),
                 qPrintable(f.listed("quiet")));
        QCOMPARE(f.first(), std::optional(What::Distance));
        f.fix(What::Distance);
        QCOMPARE(f.first(), std::optional<What>());
    }

    void cone() {
        Whys f(sceneWith(one("Beam", "beam", "[0.0, 0.0, -2.0]"))); // it looks away
        f.start("beam");
        QCOMPARE(f.listed("beam"), QStringLiteral("Silent: outside its cone"));
        QCOMPARE(f.first(), std::optional(What::Cone));
        f.fix(What::Cone);
        QCOMPARE(f.first(), std::optional<What>());
        QCOMPARE(f.listed("beam"), QStringLiteral("Heard"));
    }

    // Turned away in a room: the walls give it back, and nothing is to be mended.
    void coneInARoom() {
        Whys f(sceneWith(one("Beam", "beam", "[0.0, 0.0, -2.0]") + one("Hall", "hall", "[0.0, 0.0, 0.0]")));
        f.start("beam");
        QCOMPARE(f.listed("beam"), QStringLiteral("Heard by reflections only"));
        QCOMPARE(f.first(), std::optional<What>());
        // Silent for another reason, that is what is told and mended.
        QVERIFY(f.session.execute("audio.volume 0").ok);
        f.run(0.5);
        QCOMPARE(f.listed("beam"), QStringLiteral("Silent: the volume is 0"));
        QCOMPARE(f.first(), std::optional(What::Bus));
        f.fix(What::Bus);
        QCOMPARE(f.listed("beam"), QStringLiteral("Heard by reflections only"));
        f.panel->toggleMuted();
        f.run(0.4);
        QCOMPARE(f.listed("beam"), QStringLiteral("Muted"));
        QCOMPARE(f.first(), std::optional(What::Bus));
    }

    void occlusion() {
        Whys f(sceneWith(one("Whisper", "it", "[0.0, 0.0, -3.0]") + one("Wall", "wall", "[0.0, 0.0, -1.5]")));
        f.start("it");
        QVERIFY2(f.listed("it").endsWith(QStringLiteral("behind wall")), qPrintable(f.listed("it")));
        QCOMPARE(f.first(), std::optional(What::Occlusion));
        f.fix(What::Occlusion);
        QCOMPARE(f.listed("it"), QStringLiteral("Heard"));
        QCOMPARE(f.first(), std::optional<What>());
    }

    void busAndMute() {
        Whys f(sceneWith(one("Lamp", "it", "[0.0, 0.0, -2.0]") + one("Lamp", "other", "[0.0, 0.0, -2.0]")));
        f.start("it");
        QCOMPARE(f.first(), std::optional<What>());
        QVERIFY(f.session.execute("audio.volume 0").ok);
        f.run(0.5);
        QCOMPARE(f.listed("it"), QStringLiteral("Silent: the volume is 0"));
        QCOMPARE(f.first(), std::optional(What::Bus));
        const ConsoleReply voices = f.session.execute("audio.voices");
        QVERIFY(voices.ok);
        f.fix(What::Bus);
        QCOMPARE(f.listed("it"), QStringLiteral("Heard"));
        f.panel->toggleMuted();
        f.run(0.4);
        QCOMPARE(f.listed("it"), QStringLiteral("Muted"));
        QCOMPARE(f.first(), std::optional(What::Bus));
        f.fix(What::Bus);
        QCOMPARE(f.listed("it"), QStringLiteral("Heard"));
        f.panel->setCurrent({"other", 0});
        f.panel->toggleSolo();
        f.panel->setCurrent({"it", 0});
        f.run(0.4);
        QCOMPARE(f.listed("it"), QStringLiteral("Muted: another is solo"));
        f.fix(What::Bus);
        QCOMPARE(f.listed("it"), QStringLiteral("Heard"));
    }

    // A sound that is silenced is so at any volume: it is that which is mended, and the volume stays.
    void mutedAtLowVolume() {
        Whys f(sceneWith(one("Lamp", "it", "[0.0, 0.0, -2.0]")));
        QVERIFY(f.session.execute("audio.volume 0.0625").ok);
        f.start("it");
        f.panel->toggleMuted();
        f.run(0.4);
        QCOMPARE(f.first(), std::optional(What::Bus));
        QCOMPARE(f.steps()[static_cast<std::size_t>(What::Bus)].fix, QStringLiteral("Unmute"));
        f.fix(What::Bus);
        QCOMPARE(f.listed("it"), QStringLiteral("Heard"));
        QCOMPARE(f.session.console().cvars().describe("audio.volume")->value, Value(0.0625));
    }

    // A silent stretch of a file is no fault; the console names it as well.
    void silentInItsFile() {
        Whys f(sceneWith(one("Gapped", "it", "[0.0, 0.0, -1.0]")));
        f.start("it");
        bool told = false;
        bool named = false;
        for (int i = 0; i < 60 && !(told && named); ++i) {
            f.run(0.05);
            told = told || f.listed("it") == QStringLiteral("Silent here in its file");
            const ConsoleReply voices = f.session.execute("audio.voices");
            for (const std::string& line : voices.lines)
                named = named || line.find("\"silent\":\"signal\"") != std::string::npos;
        }
        QVERIFY(told);
        QVERIFY(named);
        QCOMPARE(f.first(), std::optional<What>());
    }

    // The view has the message that started each play, as the trace numbers it; one that is not recorded by its type alone.
    void whatStartedIt() {
        Whys f(sceneWith(one("Click", "it", "[0.0, 0.0, -1.0]") + one("Lamp", "lamp", "[0.0, 0.0, -2.0]")));
        QVERIFY(f.session.execute("trace.enabled true").ok);
        const auto reader = f.session.recorder().addReader();
        f.start("it");
        const auto voiceOf = [&](const char* entity) -> const ProbeVoice* {
            for (const ProbeVoice& voice : f.view().voices)
                if (f.view().sounds[voice.sound].key.entity == entity)
                    return &voice;
            return nullptr;
        };
        QVERIFY(voiceOf("it") == nullptr);
        const ProbeVoice* const lamp = voiceOf("lamp");
        QVERIFY(lamp != nullptr && lamp->play > 0 && !lamp->start.recorded);
        QCOMPARE(messageType(lamp->start.message).name, std::string("Start"));
        QVERIFY(f.session.execute("send PlaySound it").ok);
        f.run(0.2);
        f.session.recorder().seal();
        std::vector<std::shared_ptr<const RecordSegment>> segments;
        reader->poll(segments);
        std::uint64_t asked = 0;
        std::uint64_t tick = 0;
        for (const auto& segment : segments)
            segment->forEach([&](const RecordView& record) {
                if (messageType(record.type()).name == "PlaySound") {
                    asked = record.sequence();
                    tick = record.tick();
                }
            });
        const ProbeVoice* const click = voiceOf("it");
        QVERIFY(click != nullptr && asked != 0);
        QCOMPARE(messageType(click->start.message).name, std::string("PlaySound"));
        QVERIFY(click->start.recorded);
        QCOMPARE(click->start.sequence, asked);
        QCOMPARE(click->begin, tick);
        QVERIFY(click->play > voiceOf("lamp")->play);
        // Tried out in place, it is none of the world's plays.
        f.run(1.0);
        f.panel->playCurrent();
        f.run(0.2);
        QVERIFY(voiceOf("it") != nullptr && voiceOf("it")->tried);
        QCOMPARE(voiceOf("it")->play, 0);
    }

    // The menu of a row asks why it plays, and why not; of the probe's own source there is nothing to ask.
    void askedInTheList() {
        Whys f(sceneWith(one("Click", "it", "[0.0, 0.0, -1.0]")));
        auto* const table = f.child<QTableView>("probe.voices");
        SoundKey plays;
        QObject::connect(f.panel.get(), &ui::ProbePanel::whyPlaysAsked, f.panel.get(),
                         [&plays](const SoundKey& key) { plays = key; });
        QSignalSpy silent(f.panel.get(), &ui::ProbePanel::whyNotAsked);
        emit table->customContextMenuRequested(QPoint(-5, -5)); // beside all rows
        QVERIFY(f.panel->findChild<QMenu*>(QStringLiteral("probe.voiceMenu")) == nullptr);
        emit table->customContextMenuRequested(
            table->visualRect(table->model()->index(0, ui::VoiceModel::Entity)).center());
        auto* const menu = f.child<QMenu>("probe.voiceMenu");
        menu->findChild<QAction*>(QStringLiteral("probe.whyPlays"))->trigger();
        menu->findChild<QAction*>(QStringLiteral("probe.whyNot"))->trigger();
        menu->close();
        QCOMPARE(plays.entity, std::string("it"));
        QCOMPARE(silent.value(0).value(0).toString(), QStringLiteral("it"));
        QCOMPARE(silent.value(0).value(1).toString(), QStringLiteral("Sound"));
    }

    void device() {
        Device device;
        Whys f(sceneWith(one("Lamp", "it", "[0.0, 0.0, -2.0]")));
        f.session.sound().setHost(&device);
        f.start("it");
        QVERIFY(!f.passes(What::Device));
        device.state.open = true;
        device.state.now.state = audio::OutputState::Running;
        device.state.now.device = "phones";
        f.run(1.0);
        QVERIFY(f.passes(What::Device));
        QCOMPARE(f.steps().back().text, QStringLiteral("phones"));
        device.state.now.state = audio::OutputState::Lost;
        device.state.now.message = "phones: unplugged";
        QVERIFY(f.session.sound().device().set(std::string("phones")).ok());
        f.run(1.0);
        QVERIFY(!f.passes(What::Device));
        QCOMPARE(f.steps().back().text, QStringLiteral("phones: unplugged"));
        f.fix(What::Device);
        QVERIFY(f.session.sound().device().get().empty());
        f.session.sound().setHost(nullptr);
    }
};

QTEST_MAIN(TestWhy)
#include "tst_why.moc"
