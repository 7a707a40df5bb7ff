// A take: what is heard is written to a file beside whoever plays it, with a cue point for each mark made meanwhile.

#include <QTemporaryDir>
#include <QtTest>

#include "app/sound/sound_take.h"
#include "engine/audio/sound_data.h"
#include "engine/audio/sound_file.h"

#include <cmath>

using namespace sbx;
using namespace sbx::app;

namespace {

constexpr double Rate = 48000.0;

struct Taken {
    QTemporaryDir folder;
    Log log;
    audio::OutputRing ring{1U << 16U};
    std::filesystem::path file = folder.filePath(QStringLiteral("take.wav")).toStdString();

    std::unique_ptr<SoundTake> begin(double seconds) {
        auto take = SoundTake::begin(file, seconds, Rate, ring, log);
        if (!take)
            qFatal("%s", take.error().toString().c_str());
        return std::move(*take);
    }
    // Frames that are their own number.
    void write(std::size_t frames) {
        std::vector<float> block(frames * 2);
        for (std::size_t n = 0; n < block.size(); ++n)
            block[n] =
                static_cast<float>(static_cast<double>(ring.written()) + static_cast<double>(n / 2)) * 1e-5F;
        ring.write(block);
    }
    [[nodiscard]] std::vector<audio::SoundMark> marks() const {
        const auto read = audio::marksOf(file);
        return read ? *read : std::vector<audio::SoundMark>{{-1, read.error().toString()}};
    }
};

} // namespace

class TestTake : public QObject {
    Q_OBJECT
private slots:
    // It holds the frames from its beginning on, and the marks that lie within; one that comes when it has ended changes nothing.
    void marksOfATakeThatHasEnded() {
        Taken t;
        t.write(1000); // before
        const auto take = t.begin(0.1);
        take->mark(1000 + 2400, "middle");
        take->mark(1000 + 100, "early");
        take->mark(1000 + 4800, "too late");
        take->mark(990, "too early");
        QVERIFY(!take->finished());
        t.write(3000);
        t.write(3000);
        QTRY_VERIFY_WITH_TIMEOUT(take->finished(), 30000);
        const std::vector<audio::SoundMark> wanted = {{100, "early"}, {2400, "middle"}};
        QVERIFY(t.marks() == wanted);
        QFile file(QString::fromStdString(t.file.string()));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray before = file.readAll();
        take->mark(1000 + 200, "afterwards");
        QVERIFY(t.marks() == wanted);
        file.seek(0);
        QCOMPARE(file.readAll(), before);
        const auto sound = audio::loadSound(t.file, Rate);
        QVERIFY(sound.ok());
        QCOMPARE((*sound)->length(), std::int64_t{4800});
        for (std::size_t n = 0; n < 4800; ++n)
            QVERIFY(
                std::abs(static_cast<double>((*sound)->frames()[n]) - 1e-5 * static_cast<double>(1000 + n))
                < 1e-6);
    }
};

QTEST_GUILESS_MAIN(TestTake)
#include "tst_take.moc"
