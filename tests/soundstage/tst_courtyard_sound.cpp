// Courtyard as people hear it: the bats, the phantom, the door, a crate that is knocked and a ball that rolls.

#include <QTemporaryDir>

#include "tests/soundstage/recorded_sound.h"

using namespace sbx;
using namespace sbx::sound_test;

class TestCourtyardSound : public QObject {
    Q_OBJECT

    QTemporaryDir m_dir;

private slots:
    // Each sound of Courtyard alone: there when its cause is, and not a sample of it otherwise.
    void eachSoundIsHeardWhenItMust() {
        struct Stretch {
            std::string what;
            std::size_t from; // frames
            std::size_t to;
            bool sounds;
        };
        const QString file = m_dir.filePath(QStringLiteral("out.wav"));
        auto s = playSample("courtyard", file);
        std::vector<Stretch> stretches;
        std::size_t ticks = 0;
        std::string before;
        const auto run = [&](int count) {
            s->run(count);
            ticks += static_cast<std::size_t>(count);
        };
        const auto listenTo = [&](const char* who) {
            s->recorder->stage().setAlone({before, 0}, false);
            s->recorder->stage().setAlone({who, 0}, true);
            before = who;
            run(20); // the others fade
        };
        const auto stretch = [&](const char* what, int count, bool sounds) {
            const std::size_t from = ticks * 800;
            run(count);
            stretches.push_back({before + what, from, ticks * 800, sounds});
        };
        run(60); // until all has settled
        for (const char* endless : {"phantom", "bat_1", "bat_3"}) {
            listenTo(endless);
            stretch(" sounds", 60, true);
            QVERIFY(s->say((std::string("send StopSound ") + endless).c_str()));
            run(20);
            stretch(" is stopped", 30, false);
        }
        listenTo("door");
        stretch(" rests", 30, false);
        for (const char* turn : {"Activate", "Deactivate"}) {
            QVERIFY(s->say((std::string("send ") + turn + " door").c_str()));
            stretch(" turns", 60, true);
            run(60);
            stretch(" has turned", 30, false);
        }
        listenTo("crate_1");
        stretch(" stands", 30, false);
        QVERIFY(s->say("send Push crate_1 impulse=[0,60,0]"));
        stretch(" falls", 120, true);
        run(60);
        stretch(" stands again", 30, false);
        listenTo("ball_1");
        stretch(" lies", 30, false);
        QVERIFY(s->say("send Push ball_1 impulse=[16,0,0]"));
        stretch(" rolls", 60, true);
        run(60);
        const Stereo out = heard(*s->recorder, file);
        for (const Stretch& each : stretches) {
            // What is said at a tick is heard from two ticks before on, and is on its way for less than a tenth of a second.
            const std::size_t from = each.from + (each.sounds ? 0 : 7200);
            const std::size_t to = each.to - 3 * 800;
            const double level = out.rms(from, to, 0) + out.rms(from, to, 1);
            QVERIFY2(each.sounds ? level > 1e-3 : level == 0.0,
                     qPrintable(QStringLiteral("%1: %2").arg(QString::fromStdString(each.what)).arg(level)));
        }
    }
};

QTEST_GUILESS_MAIN(TestCourtyardSound)
#include "tst_courtyard_sound.moc"
