#include <QFile>
#include <QTemporaryDir>

#include "audio_fixture.h"
#include "engine/audio/sound_file.h"
#include "engine/audio/sound_marks.h"
#include "engine/audio/streamed_sound.h"
#include "tests/failing_disk.h"

#include <sndfile.h>

#include <cerrno>

using namespace sbx;
using namespace sbx::audio;
using namespace sbx::audio::test;
using sbx::test::failingDisk;
using sbx::test::Step;

namespace {

// Some pieces long, and told apart anywhere.
std::vector<float> samplesOf(std::size_t frames) {
    std::vector<float> stereo(frames * 2);
    unsigned state = 7;
    for (float& value : stereo) {
        state = state * 1664525U + 1013904223U;
        value = static_cast<float>(static_cast<int>(state >> 8U) - 8388608) / 16777216.0F;
    }
    return stereo;
}
std::filesystem::path longFile(const QTemporaryDir& folder, double rate, std::size_t frames) {
    const std::filesystem::path path = folder.filePath(QStringLiteral("long.wav")).toStdString();
    if (!writeWav(path, samplesOf(frames), rate)) {
        qFatal("cannot write");
    }
    return path;
}

QByteArray bytesOf(const std::filesystem::path& path) {
    QFile file(QString::fromStdString(path.string()));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

// As libsndfile reads it, interleaved.
std::vector<float> framesOf(const std::filesystem::path& path) {
    SF_INFO info{};
    SNDFILE* file = sf_open(path.c_str(), SFM_READ, &info);
    if (file == nullptr) {
        qFatal("not a sound file");
    }
    std::vector<float> out(static_cast<std::size_t>(info.frames) * 2);
    const sf_count_t got = sf_readf_float(file, out.data(), info.frames);
    sf_close(file);
    out.resize(static_cast<std::size_t>(got) * 2);
    return out;
}
std::size_t framesIn(const std::filesystem::path& path) { return framesOf(path).size() / 2; }

// Asks until all of it is there, as a player that is not in a hurry.
std::vector<float> patiently(const StreamedSound& sound, std::int64_t from, int count, bool loop) {
    std::vector<float> out(static_cast<std::size_t>(count));
    const auto isThere = [&] {
        const std::uint64_t before = sound.missed();
        sound.read(from, count, loop, out.data());
        return sound.missed() == before;
    };
    if (!QTest::qWaitFor(isThere, 30'000)) {
        qFatal("never read");
    }
    return out;
}

} // namespace

class TestSoundFile : public QObject {
    Q_OBJECT

private slots:
    void cleanup() { failingDisk().repair(); }
    void whatIsWrittenIsReadBack();
    void otherFormatsAreRead_data();
    void otherFormatsAreRead();
    void otherRatesAreResampled();
    void loopsAndEnds();
    void badFilesAreErrors();
    void theBytesAreThoseOfTheLibrary();
    void aFailingDiskLeavesWholeFrames_data();
    void aFailingDiskLeavesWholeFrames();
    void cuePointsThatDoNotFitLeaveTheSound();
    void whatAKilledProgramHasWrittenIsThere();
    void aStreamIsTheSound_data();
    void aStreamIsTheSound();
    void aStreamHoldsLittle();
};

void TestSoundFile::whatIsWrittenIsReadBack() {
    const QTemporaryDir folder;
    const std::filesystem::path path = folder.filePath(QStringLiteral("out.wav")).toStdString();
    std::vector<float> stereo;
    for (int n = 0; n < 5000; ++n) {
        stereo.push_back(static_cast<float>(std::sin(0.01 * n)));
        stereo.push_back(static_cast<float>(0.5 * std::sin(0.01 * n)));
    }
    QVERIFY(writeWav(path, stereo, 48000.0).ok());
    const auto info = inspectSound(path);
    QVERIFY(info.ok());
    QCOMPARE(info->channels, 2);
    QCOMPARE(info->sampleRate, 48000.0);
    const auto read = loadSound(path, 48000.0);
    QVERIFY(read.ok());
    QCOMPARE((*read)->length(), std::int64_t{5000});
    for (std::size_t n = 0; n < 5000; ++n) {
        QCOMPARE((*read)->frames()[n], (stereo[2 * n] + stereo[2 * n + 1]) / 2.0F);
    }
    QVERIFY(!writeWav("/nowhere/at/all.wav", stereo, 48000.0).ok());
}

void TestSoundFile::otherFormatsAreRead_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("format");
    QTest::addColumn<double>("allowed"); // largest difference
    QTest::newRow("FLAC, 16 bit") << "a.flac" << (SF_FORMAT_FLAC | SF_FORMAT_PCM_16) << 1.0 / 32768.0;
    QTest::newRow("FLAC, 24 bit") << "a.flac" << (SF_FORMAT_FLAC | SF_FORMAT_PCM_24) << 1.0 / 8388608.0;
    QTest::newRow("OGG Vorbis") << "a.ogg" << (SF_FORMAT_OGG | SF_FORMAT_VORBIS) << 0.03;
    QTest::newRow("WAV, 16 bit") << "a.wav" << (SF_FORMAT_WAV | SF_FORMAT_PCM_16) << 1.0 / 32768.0;
    QTest::newRow("WAV, 24 bit") << "a.wav" << (SF_FORMAT_WAV | SF_FORMAT_PCM_24) << 1.0 / 8388608.0;
}

// Written by libsndfile itself; read whole and as a stream.
void TestSoundFile::otherFormatsAreRead() {
    QFETCH(QString, name);
    QFETCH(int, format);
    QFETCH(double, allowed);
    constexpr std::size_t Frames = 40000;
    const QTemporaryDir folder;
    const QByteArray path = folder.filePath(name).toLocal8Bit();
    std::vector<float> stereo(Frames * 2);
    for (std::size_t n = 0; n < Frames; ++n) {
        const auto t = static_cast<double>(n) / 48000.0;
        stereo[n * 2] = static_cast<float>(0.4 * std::sin(2.0 * pi * 440.0 * t) + 0.2 * std::sin(2.0 * pi * 1500.0 * t));
        stereo[n * 2 + 1] = static_cast<float>(0.3 * std::sin(2.0 * pi * 700.0 * t));
    }
    SF_INFO wanted{};
    wanted.samplerate = 48000;
    wanted.channels = 2;
    wanted.format = format;
    SNDFILE* file = sf_open(path.constData(), SFM_WRITE, &wanted);
    QVERIFY(file != nullptr);
    QCOMPARE(sf_writef_float(file, stereo.data(), Frames), static_cast<sf_count_t>(Frames));
    sf_close(file);

    const auto info = inspectSound(path.constData());
    QVERIFY(info.ok());
    QCOMPARE(info->channels, 2);
    QCOMPARE(info->sampleRate, 48000.0);
    QVERIFY(std::abs(info->seconds - static_cast<double>(Frames) / 48000.0) < 1e-9);
    const auto whole = loadSound(path.constData(), 48000.0);
    const auto stream = StreamedSound::open(path.constData(), 48000.0);
    QVERIFY(whole.ok() && stream.ok());
    QCOMPARE((*whole)->length(), static_cast<std::int64_t>(Frames));
    QCOMPARE((*stream)->length(), static_cast<std::int64_t>(Frames));
    double most = 0.0;
    for (std::size_t n = 0; n < Frames; ++n) {
        const double expected = 0.5 * (static_cast<double>(stereo[n * 2]) + static_cast<double>(stereo[n * 2 + 1]));
        most = std::max(most, std::abs(static_cast<double>((*whole)->frames()[n]) - expected));
    }
    qInfo("largest difference %.3g", most);
    QVERIFY2(most <= allowed, qPrintable(QString::number(most)));
    std::vector<float> expected(1000);
    for (const std::int64_t from : {std::int64_t{0}, std::int64_t{33000}, std::int64_t{16000}}) {
        (*whole)->read(from, 1000, false, expected.data());
        QCOMPARE(patiently(**stream, from, 1000, false), expected);
    }
}

void TestSoundFile::otherRatesAreResampled() {
    for (const double from : {44100.0, 96000.0, 22050.0}) {
        std::vector<float> tone(static_cast<std::size_t>(from));
        for (std::size_t n = 0; n < tone.size(); ++n) {
            tone[n] = static_cast<float>(std::sin(2.0 * pi * 1000.0 * static_cast<double>(n) / from));
        }
        const std::vector<float> got = resampled(tone, from, 48000.0);
        QVERIFY(std::abs(static_cast<double>(got.size()) - 48000.0) < 2.0);
        double most = 0.0;
        for (std::size_t n = 200; n < 47000; ++n) {
            most = std::max(most, std::abs(static_cast<double>(got[n])
                                           - std::sin(2.0 * pi * 1000.0 * static_cast<double>(n) / 48000.0)));
        }
        QVERIFY2(most < 1e-3, qPrintable(QStringLiteral("%1 Hz: %2").arg(from).arg(most)));
    }
    // What the new rate cannot hold is gone, not folded back.
    std::vector<float> high(96000);
    for (std::size_t n = 0; n < high.size(); ++n) {
        high[n] = static_cast<float>(std::sin(2.0 * pi * 40000.0 * static_cast<double>(n) / 96000.0));
    }
    const std::vector<float> got = resampled(high, 96000.0, 48000.0);
    for (std::size_t n = 200; n < 47000; ++n) {
        QVERIFY(std::abs(got[n]) < 1e-3F);
    }
}

void TestSoundFile::loopsAndEnds() {
    const ResidentSound sound({1.0F, 2.0F, 3.0F});
    std::array<float, 8> out{};
    sound.read(-2, 8, false, out.data());
    QCOMPARE(out, (std::array<float, 8>{0, 0, 1, 2, 3, 0, 0, 0}));
    sound.read(2, 8, true, out.data());
    QCOMPARE(out, (std::array<float, 8>{3, 1, 2, 3, 1, 2, 3, 1}));
    const ResidentSound empty({});
    empty.read(0, 8, true, out.data());
    QCOMPARE(out, (std::array<float, 8>{}));
}

void TestSoundFile::badFilesAreErrors() {
    QVERIFY(!loadSound("/nowhere/at/all.wav", 48000.0).ok());
    const QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("text.ogg")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("no sound at all");
    file.close();
    const auto read = loadSound(file.fileName().toStdString(), 48000.0);
    QVERIFY(!read.ok());
    QVERIFY(read.error().message.find("expected a WAV") != std::string::npos);
}

// Written by libsndfile alone: the header is renewed every second and the bytes are the same.
void TestSoundFile::theBytesAreThoseOfTheLibrary() {
    const QTemporaryDir folder;
    for (const std::size_t frames : {std::size_t{0}, std::size_t{1}, std::size_t{48000}, std::size_t{130001}}) {
        const std::filesystem::path ours = longFile(folder, 48000.0, frames);
        const std::vector<float> stereo = samplesOf(frames);
        const std::string theirs = folder.filePath(QStringLiteral("theirs.wav")).toStdString();
        SF_INFO info{};
        info.channels = 2;
        info.samplerate = 48000;
        info.format = SF_FORMAT_WAV | SF_FORMAT_FLOAT;
        SNDFILE* file = sf_open(theirs.c_str(), SFM_WRITE, &info);
        QVERIFY(file != nullptr);
        sf_command(file, SFC_SET_ADD_PEAK_CHUNK, nullptr, SF_FALSE);
        QCOMPARE(sf_writef_float(file, stereo.data(), static_cast<sf_count_t>(frames)), static_cast<sf_count_t>(frames));
        sf_close(file);
        QVERIFY(bytesOf(ours) == bytesOf(theirs));
    }
}

void TestSoundFile::aFailingDiskLeavesWholeFrames_data() {
    QTest::addColumn<int>("step");
    QTest::addColumn<bool>("forGood");
    QTest::newRow("one write") << static_cast<int>(Step::Write) << false;
    QTest::newRow("all writes") << static_cast<int>(Step::Write) << true;
    QTest::newRow("half a write") << static_cast<int>(Step::HalfWrite) << false;
    QTest::newRow("close") << static_cast<int>(Step::Close) << false;
}
void TestSoundFile::aFailingDiskLeavesWholeFrames() {
    QFETCH(int, step);
    QFETCH(bool, forGood);
    constexpr std::size_t Frames = 100'000;
    constexpr std::size_t Piece = 801; // no multiple of what the library writes at a time
    const std::vector<float> stereo = samplesOf(Frames);
    const QTemporaryDir folder;
    const std::filesystem::path path = folder.filePath(QStringLiteral("take.wav")).toStdString();
    const qsizetype header = bytesOf(longFile(folder, 48000.0, 0)).size();
    int failures = 0;
    bool reached = true;
    for (int after = 0; reached; after = after * 2 + 1) {
        failingDisk().plan(static_cast<Step>(step), after, ENOSPC, forGood);
        const auto writer = WavWriter::create(path, 48000.0);
        Result<void> result;
        if (!writer) {
            result = writer.error();
        }
        std::size_t told = 0; // frames whose write succeeded
        for (std::size_t at = 0; result && at < Frames; at += Piece) {
            const std::size_t count = std::min(Piece, Frames - at);
            result = (*writer)->write(std::span<const float>(stereo).subspan(at * 2, count * 2));
            told += result ? count : 0;
        }
        if (writer && !result) {
            QVERIFY(!(*writer)->write(std::span<const float>(stereo).first(2)).ok()); // failed for good
        }
        if (result) {
            result = (*writer)->close();
        }
        reached = failingDisk().hasFailed();
        failingDisk().repair();
        QCOMPARE(result.ok(), !reached);
        if (result) {
            break;
        }
        ++failures;
        QCOMPARE(result.error().file, path.string());
        QVERIFY2(result.error().message.find("the disk is full") != std::string::npos, result.error().message.c_str());
        if (!writer) {
            continue; // no header yet
        }
        if (forGood && step == static_cast<int>(Step::Write)) {
            // Not even the header can be renewed. It counts at most what is there.
            QVERIFY(framesIn(path) <= told + Piece);
            continue;
        }
        const std::vector<float> there = framesOf(path);
        QVERIFY(there.size() % 2 == 0);
        QVERIFY2(there.size() >= told * 2, qPrintable(QString::number(there.size() / 2)));
        QVERIFY(std::equal(there.begin(), there.end(), stereo.begin()));
        QCOMPARE((bytesOf(path).size() - header) % 8, qsizetype(0)); // nothing of a frame behind them
    }
    QVERIFY(failures > 0);
}

void TestSoundFile::cuePointsThatDoNotFitLeaveTheSound() {
    const QTemporaryDir folder;
    const std::filesystem::path path = longFile(folder, 48000.0, 1000);
    const QByteArray before = bytesOf(path);
    for (const Step step : {Step::Write, Step::HalfWrite}) {
        for (int after = 0; after < (step == Step::Write ? 2 : 1); ++after) {
            failingDisk().plan(step, after, ENOSPC);
            const Result<void> added = addMarks(path, {{10, "bell rings"}}, 1000);
            QVERIFY(failingDisk().hasFailed());
            failingDisk().repair();
            QVERIFY(!added.ok());
            QVERIFY2(added.error().message.find("the disk is full") != std::string::npos, added.error().message.c_str());
            QVERIFY(bytesOf(path) == before);
        }
    }
    QVERIFY(addMarks(path, {{10, "bell rings"}}, 1000).ok());
    const auto marks = marksOf(path);
    QVERIFY(marks.ok() && marks->size() == 1 && (*marks)[0].at == 10);
}

// Nothing is closed, as after SIGKILL: the header counts all whole seconds.
void TestSoundFile::whatAKilledProgramHasWrittenIsThere() {
    const QTemporaryDir folder;
    const std::filesystem::path path = folder.filePath(QStringLiteral("take.wav")).toStdString();
    const std::vector<float> stereo = samplesOf(100'000);
    const auto writer = WavWriter::create(path, 48000.0);
    QVERIFY(writer.ok());
    for (std::size_t at = 0; at < 100'000; at += 1000) {
        QVERIFY((*writer)->write(std::span<const float>(stereo).subspan(at * 2, 2000)).ok());
    }
    const std::vector<float> there = framesOf(path);
    QVERIFY2(there.size() >= 96'000U * 2, qPrintable(QString::number(there.size() / 2)));
    QVERIFY(std::equal(there.begin(), there.end(), stereo.begin()));
}

void TestSoundFile::aStreamIsTheSound_data() {
    QTest::addColumn<double>("rate");
    QTest::newRow("of the same rate") << 48000.0;
    QTest::newRow("of another rate") << 44100.0;
}

// Sample for sample, forwards, backwards, across its pieces, over the end and around.
void TestSoundFile::aStreamIsTheSound() {
    QFETCH(double, rate);
    const QTemporaryDir folder;
    const std::filesystem::path path = longFile(folder, rate, 420000);
    const auto whole = loadSound(path, 48000.0);
    const auto stream = StreamedSound::open(path, 48000.0);
    QVERIFY(whole.ok() && stream.ok());
    const std::int64_t length = (*whole)->length();
    QCOMPARE((*stream)->length(), length);
    QVERIFY(length > static_cast<std::int64_t>(StreamedSound::Slots) * StreamedSound::PieceFrames); // something has to go
    std::vector<float> expected(1000);
    for (const bool loop : {false, true}) {
        for (const std::int64_t from :
             {std::int64_t{-500}, std::int64_t{0}, std::int64_t{16000}, std::int64_t{32600}, std::int64_t{200000}, length - 500,
              std::int64_t{131000}, std::int64_t{90000}, length + 250000, std::int64_t{0}}) {
            (*whole)->read(from, 1000, loop, expected.data());
            QCOMPARE(patiently(**stream, from, 1000, loop), expected);
        }
    }
    // The beginning is always there.
    const std::uint64_t missed = (*stream)->missed();
    (*stream)->read(20000, 1000, false, expected.data());
    QCOMPARE((*stream)->missed(), missed);
}

// Many plays at once at places of their own: each gets its own stretch.
void TestSoundFile::aStreamHoldsLittle() {
    const QTemporaryDir folder;
    const std::filesystem::path path = longFile(folder, 48000.0, 420000);
    const auto whole = loadSound(path, 48000.0);
    const auto stream = StreamedSound::open(path, 48000.0);
    QVERIFY(whole.ok() && stream.ok());
    std::vector<float> expected(128);
    for (int round = 0; round < 20; ++round) {
        for (std::int64_t play = 0; play < 4; ++play) {
            const std::int64_t from = play * 100000 + round * 128;
            (*whole)->read(from, 128, true, expected.data());
            QCOMPARE(patiently(**stream, from, 128, true), expected);
        }
    }
    QVERIFY(!StreamedSound::open(folder.filePath(QStringLiteral("missing.wav")).toStdString(), 48000.0).ok());
}

QTEST_GUILESS_MAIN(TestSoundFile)
#include "tst_sound_file.moc"
