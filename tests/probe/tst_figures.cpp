// numpy reads the WAV that the panel recorded, and says what the panel says: with the ears as they are, and with one of them turned down.

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QProcess>
#include <QRegularExpression>

#include "engine/audio/ear_spectrum.h"
#include "tests/folders.h"
#include "tests/probe/probe_fixture.h"

using namespace sbx;
using namespace sbx::probe_test;

namespace {

// The system's own, which its numpy belongs to.
const QString Python = QStringLiteral("/usr/bin/python3");

std::shared_ptr<const audio::HrtfSet> kemar() {
    auto set = audio::HrtfSet::load(sbx::test::sourcePath("resources/hrtf/mit_kemar_normal_pinna.sofa"), Rate);
    if (!set)
        qFatal("%s", set.error().toString().c_str());
    return *set;
}

} // namespace

class TestFigures : public QObject {
    Q_OBJECT

    static QJsonObject analyse(const QString& file, const char* seconds) {
        QProcess numpy;
        numpy.start(Python, {sbx::test::qSourcePath("tests/probe/analyse.py"), file, QLatin1String(seconds)});
        if (!numpy.waitForFinished(60000) || numpy.exitCode() != 0) {
            qWarning("%s", numpy.readAllStandardError().constData());
            return {};
        }
        return QJsonDocument::fromJson(numpy.readAllStandardOutput()).object();
    }
    static double at(const QJsonObject& read, const char* name, int index) {
        return read[QLatin1String(name)].toArray().at(index).toDouble();
    }

private slots:
    void initTestCase() {
        QProcess numpy;
        numpy.start(Python, {QStringLiteral("-c"), QStringLiteral("import numpy")});
        if (!numpy.waitForFinished(60000) || numpy.exitCode() != 0)
            QSKIP("python3 with numpy is not installed");
    }

    void whatTellsTheEarsApart_data() {
        QTest::addColumn<double>("azimuth");
        QTest::addColumn<double>("right");
        QTest::addColumn<bool>("measured");
        QTest::newRow("left") << -70.0 << 1.0 << false;
        QTest::newRow("ahead") << 0.0 << 1.0 << false;
        QTest::newRow("right") << 50.0 << 1.0 << false;
        QTest::newRow("right, that ear 6 dB down") << 50.0 << 0.5011872 << false;
        QTest::newRow("a measured head, right") << 50.0 << 1.0 << true;
        QTest::newRow("a measured head, left behind") << -130.0 << 1.0 << true;
    }
    void whatTellsTheEarsApart() {
        QFETCH(double, azimuth);
        QFETCH(double, right);
        QFETCH(bool, measured);
        Fixture f(Scene, true, 128, measured ? kemar() : nullptr);
        f.place(azimuth, 0.0, 2.0);
        audio::EarMix ears;
        ears.gain = {1.0F, static_cast<float>(right)};
        f.panel->probe().setEars(ears);
        f.settle();
        const QString file = f.path("ears.wav");
        f.panel->record(file);
        f.run(1.5);
        const ui::FiguresView::Figures figures = f.figures();
        const auto* spectrum = f.child<ui::SpectrumView>("probe.spectrum");
        f.panel->stopRecording();
        const QString told = f.child<QLabel>("probe.said")->text();
        const QJsonObject read = analyse(file, "0.34");
        QVERIFY(!read.isEmpty());
        QVERIFY(figures.itd && figures.ild);
        const QByteArray shown = QJsonDocument(read).toJson(QJsonDocument::Compact) + "; the panel says "
                                 + QByteArray::number(*figures.itd) + ", " + QByteArray::number(*figures.ild) + ", " + told.toUtf8();
        QVERIFY2(std::abs(read[QStringLiteral("itd")].toDouble() - *figures.itd) < 20e-6, shown.constData());
        for (std::size_t band = 0; band < 5; ++band)
            QVERIFY2(figures.bands[band] && std::abs(at(read, "ild", static_cast<int>(band)) - *figures.bands[band]) < 1.0,
                     shown.constData());
        QVERIFY2(std::abs(at(read, "ild", 5) - *figures.ild) < 0.7, shown.constData());
        // The spectrum, band by band and ear by ear: the mean of what is drawn.
        static constexpr std::array<double, 6> Edges = audio::BinauralReading::Edges;
        for (std::size_t ear = 0; ear < 2; ++ear)
            for (std::size_t band = 0; band < 5; ++band) {
                double sum = 0.0;
                int points = 0;
                for (std::size_t point = 0; point < audio::EarSpectrum::Points; ++point)
                    if (const double hertz = audio::EarSpectrum::frequencyOf(point); hertz >= Edges[band] && hertz < Edges[band + 1]) {
                        sum += static_cast<double>(spectrum->curve(ear)[point]);
                        ++points;
                    }
                const double expected = read[QStringLiteral("spectrum")].toArray().at(static_cast<int>(ear)).toArray().at(static_cast<int>(band)).toDouble();
                QVERIFY2(std::abs(sum / points - expected) < 1.0,
                         qPrintable(QStringLiteral("ear %1, band %2: %3, numpy %4 dB").arg(ear).arg(band).arg(sum / points).arg(expected)));
            }
        // Loudness and peak of the whole recording.
        static const QRegularExpression Numbers(QStringLiteral("(\\S+) LUFS, peak (\\S+) dB"));
        const QRegularExpressionMatch match = Numbers.match(told);
        QVERIFY2(match.hasMatch(), shown.constData());
        const auto number = [&](int index) { return match.captured(index).replace(QChar(0x2212), QLatin1Char('-')).toDouble(); };
        QVERIFY2(std::abs(number(1) - read[QStringLiteral("lufs")].toDouble()) < 0.2, shown.constData());
        QVERIFY2(std::abs(number(2) - read[QStringLiteral("peak")].toDouble()) < 0.11, shown.constData());
    }

    // A steady tone: the bars stand where its level is, and the waveform is what was recorded.
    void levelsAndWaveform() {
        Fixture f;
        ProbeSource source;
        source.file = "steady.wav";
        f.panel->setSource(source);
        f.place(60.0, 0.0, 1.0);
        f.run(1.0); // the bars fall slowly from what was before
        const QString file = f.path("tone.wav");
        f.panel->record(file);
        f.run(1.0);
        const auto* meters = f.child<ui::EarMeters>("probe.meters");
        const std::array<double, 2> rms = {meters->rmsDb(0), meters->rmsDb(1)};
        const std::array<double, 2> peak = {meters->peakDb(0), meters->peakDb(1)};
        const std::vector<float> wave = f.child<ui::WaveView>("probe.wave")->samples();
        f.panel->stopRecording();
        const QJsonObject read = analyse(file, "0.5");
        QVERIFY(!read.isEmpty());
        for (int ear = 0; ear < 2; ++ear) {
            const auto side = static_cast<std::size_t>(ear);
            const QByteArray shown = "ear " + QByteArray::number(ear) + ": " + QByteArray::number(rms[side]) + ", numpy "
                                     + QByteArray::number(at(read, "rms", ear)) + " dB; peak " + QByteArray::number(peak[side]) + ", numpy "
                                     + QByteArray::number(at(read, "peaks", ear));
            QVERIFY2(std::abs(rms[side] - at(read, "rms", ear)) < 0.3, shown.constData());
            QVERIFY2(std::abs(peak[side] - at(read, "peaks", ear)) < 0.3, shown.constData());
        }
        QVERIFY(rms[1] > rms[0] + 1.0); // it is at the right
        QVERIFY(!wave.empty());
        QVERIFY(std::search(f.heard.end() - static_cast<std::ptrdiff_t>(wave.size() * 2), f.heard.end(), wave.begin(), wave.end()) != f.heard.end());
        for (int i = 0; i < 2; ++i) // its extremes, by numpy
            QVERIFY(std::abs(static_cast<double>(i == 0 ? *std::min_element(wave.begin(), wave.end()) : *std::max_element(wave.begin(), wave.end()))
                             - at(read, "extremes", i)) < 0.002);
    }
};

QTEST_MAIN(TestFigures)
#include "tst_figures.moc"
