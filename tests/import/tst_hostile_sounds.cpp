// Sounds as the project of a stranger may name them: each did harm before sounds were decoded in a process of their own.

#include <QtTest>

#include "engine/audio/sound_library.h"
#include "tests/import/hostile_folder.h"

#include <sndfile.h>

#include <cmath>

using namespace sbx;
using namespace sbx::audio;
using sbx::test::HostileFolder;

namespace {

// A tone, written by libsndfile in any of its formats.
void writeSound(const QString& path, int format, int rate = 48'000, sf_count_t frames = 4800,
                bool silent = false) {
    SF_INFO info{};
    info.samplerate = rate;
    info.channels = 1;
    info.format = format;
    SNDFILE* file = sf_open(path.toLocal8Bit().constData(), SFM_WRITE, &info);
    if (file == nullptr)
        qFatal("%s", sf_strerror(nullptr));
    std::vector<float> piece(4800);
    for (std::size_t n = 0; n < piece.size() && !silent; ++n)
        piece[n] = static_cast<float>(0.5 * std::sin(0.06 * static_cast<double>(n)));
    for (sf_count_t done = 0; done < frames; done += 4800)
        if (sf_writef_float(file, piece.data(), std::min<sf_count_t>(4800, frames - done)) <= 0)
            qFatal("%s", sf_strerror(file));
    sf_close(file);
}

} // namespace

class TestHostileSounds : public QObject {
    Q_OBJECT

    HostileFolder m_folder;

    void refused(const char* name, const char* why) {
        SoundLibrary library;
        library.setRoot(m_folder.root());
        const auto info = library.info(name);
        QVERIFY2(!info.ok(), "the sound was opened");
        QVERIFY2(info.error().message.find(why) != std::string::npos, info.error().message.c_str());
        const auto data = library.data(name, 48'000.0);
        QVERIFY2(!data.ok(), "the sound was read");
        QVERIFY2(data.error().message.find(why) != std::string::npos, data.error().message.c_str());
        QVERIFY(!library.data(name, 48'000.0, true).ok());
    }
    void read(const char* name) {
        SoundLibrary library;
        library.setRoot(m_folder.root());
        const auto data = library.data(name, 48'000.0);
        QVERIFY2(data.ok(), data.ok() ? "" : data.error().message.c_str());
        QCOMPARE((*data)->length(), std::int64_t{4800});
    }

private slots:
    void initTestCase() {
        writeSound(m_folder.outside(QStringLiteral("secret.wav")), SF_FORMAT_WAV | SF_FORMAT_PCM_16);
        writeSound(m_folder.inside(QStringLiteral("good.wav")), SF_FORMAT_WAV | SF_FORMAT_PCM_16);
    }

    void filesOfTheProjectAreRead() {
        read("good.wav");
        read(m_folder.inside(QStringLiteral("good.wav")).toLocal8Bit().constData());
        HostileFolder::link(QStringLiteral("good.wav"), m_folder.inside(QStringLiteral("link.wav")));
        read("link.wav");
        for (const int format : {SF_FORMAT_FLAC | SF_FORMAT_PCM_16, SF_FORMAT_WAV | SF_FORMAT_FLOAT,
                                 SF_FORMAT_WAV | SF_FORMAT_DOUBLE, SF_FORMAT_WAV | SF_FORMAT_PCM_U8,
                                 SF_FORMAT_WAV | SF_FORMAT_ULAW, SF_FORMAT_WAVEX | SF_FORMAT_PCM_24,
                                 SF_FORMAT_OGG | SF_FORMAT_VORBIS}) {
            writeSound(m_folder.inside(QStringLiteral("any")), format);
            read("any");
        }
    }

    void aSoundOutsideOfTheProject() {
        refused("../secret.wav", "lies outside of the project's folder; expected a path inside it");
        refused(m_folder.outside(QStringLiteral("secret.wav")).toLocal8Bit().constData(),
                "outside of the project's folder");
        HostileFolder::link(m_folder.outside(QStringLiteral("secret.wav")),
                            m_folder.inside(QStringLiteral("innocent.wav")));
        refused("innocent.wav", "outside of the project's folder");
        HostileFolder::link(m_folder.outside(QStringLiteral(".")), m_folder.inside(QStringLiteral("up")));
        refused("up/secret.wav", "outside of the project's folder");
    }

    // Opening this one waited for ever.
    void aFifo() {
        HostileFolder::pipe(m_folder.inside(QStringLiteral("pipe.wav")));
        refused("pipe.wav", "is a FIFO; expected a regular file");
    }
    void aDevice() {
        refused("/dev/zero", "outside of the project's folder");
        HostileFolder::link(QStringLiteral("/dev/zero"), m_folder.inside(QStringLiteral("zero.wav")));
        refused("zero.wav", "outside of the project's folder");
        QVERIFY(QDir(m_folder.inside({})).mkdir(QStringLiteral("folder.wav")));
        refused("folder.wav", "is a folder; expected a file");
    }

    void formatsThatAreNotPromised_data() {
        QTest::addColumn<int>("format");
        QTest::newRow("AIFF") << (SF_FORMAT_AIFF | SF_FORMAT_PCM_16);
        QTest::newRow("AU") << (SF_FORMAT_AU | SF_FORMAT_PCM_16);
        QTest::newRow("CAF") << (SF_FORMAT_CAF | SF_FORMAT_PCM_16);
        QTest::newRow("W64") << (SF_FORMAT_W64 | SF_FORMAT_PCM_16);
        QTest::newRow("RF64") << (SF_FORMAT_RF64 | SF_FORMAT_PCM_16);
        QTest::newRow("MAT5") << (SF_FORMAT_MAT5 | SF_FORMAT_PCM_16);
        QTest::newRow("VOC") << (SF_FORMAT_VOC | SF_FORMAT_PCM_16);
        QTest::newRow("WAV with ADPCM") << (SF_FORMAT_WAV | SF_FORMAT_MS_ADPCM);
        QTest::newRow("WAV with GSM") << (SF_FORMAT_WAV | SF_FORMAT_GSM610);
    }
    void formatsThatAreNotPromised() {
        QFETCH(int, format);
        writeSound(m_folder.inside(QStringLiteral("other.wav")), format,
                   (format & SF_FORMAT_SUBMASK) == SF_FORMAT_GSM610 ? 8000 : 48'000);
        refused("other.wav", "expected a WAV (PCM, floats, A-law, u-law), FLAC or Ogg (Vorbis, Opus) file");
    }

    void manyChannels() {
        QFile good(m_folder.inside(QStringLiteral("good.wav")));
        QVERIFY(good.open(QIODevice::ReadOnly));
        QByteArray bytes = good.readAll();
        for (const int channels : {0, 65, 1024, 65535}) {
            bytes[22] = static_cast<char>(channels & 0xFF);
            bytes[23] = static_cast<char>(channels >> 8);
            HostileFolder::write(m_folder.inside(QStringLiteral("wide.wav")), bytes);
            refused("wide.wav", "expected");
        }
    }
    void manyFrames() {
        writeSound(m_folder.inside(QStringLiteral("a.flac")), SF_FORMAT_FLAC | SF_FORMAT_PCM_16);
        QFile good(m_folder.inside(QStringLiteral("a.flac")));
        QVERIFY(good.open(QIODevice::ReadOnly));
        QByteArray bytes = good.readAll();
        for (int i = 22; i < 26; ++i) // of the 36 bits of the length, the lower 32
            bytes[i] = '\xFF';
        HostileFolder::write(m_folder.inside(QStringLiteral("long.flac")), bytes);
        refused("long.flac", "has 4294967295 frames; expected at most 400000000");
    }
    // Some hundred kilobytes that were 1.2 GB at the renderer's rate.
    void silenceThatSwells() {
        writeSound(m_folder.inside(QStringLiteral("swells.flac")), SF_FORMAT_FLAC | SF_FORMAT_PCM_16, 1000,
                   6'000'000, true);
        SoundLibrary library;
        library.setRoot(m_folder.root());
        QVERIFY(QFileInfo(m_folder.inside(QStringLiteral("swells.flac"))).size() < 500'000);
        const auto data = library.data("swells.flac", 48'000.0);
        QVERIFY2(!data.ok(), "the sound was read");
        QVERIFY2(data.error().message.find("would take more than 1 GiB of memory") != std::string::npos,
                 data.error().message.c_str());
    }
    void manyLongSounds() {
        writeSound(m_folder.inside(QStringLiteral("long.wav")), SF_FORMAT_WAV | SF_FORMAT_PCM_U8, 1000,
                   21'000);
        SoundLibrary library;
        library.setRoot(m_folder.root());
        std::string name = "long.wav";
        int opened = 0;
        for (int i = 0; i < 70; ++i, name.insert(0, "./")) // a name of its own for each
            opened += library.data(name, 48'000.0, true).ok() ? 1 : 0;
        QCOMPARE(opened, static_cast<int>(SoundLibrary::MaximumStreams));
    }
};

QTEST_GUILESS_MAIN(TestHostileSounds)
#include "tst_hostile_sounds.moc"
