#include <QFile>
#include <QTemporaryDir>

#include "audio_fixture.h"
#include "engine/audio/detail/sofa_content.h"
#include "engine/audio/detail/sphere_response.h"

#include <mysofa.h>

#include <cstring>
#include <numeric>
#include <random>

using namespace sbx::audio;
using namespace sbx::audio::test;

// The loaded set as heard: responses rendered by the whole chain, against the file and the literature.
class TestHrtf : public QObject {
    Q_OBJECT

private slots:
    void itdOfSphereIsWoodworths();
    void itdFollowsTheMeasurement();
    void ildPerBand_data();
    void ildPerBand();
    void spectrumAtMeasuredDirections();
    void spectrumLeftOut();
    void diffuseFieldIsFlat();
    void leftAndRightMirror();
    void rateOf44100();
    void badFilesNameTheFault();
    void eachFieldIsNamed();
};

namespace {

const HrtfResponses& raw() {
    static const HrtfResponses responses = [] {
        auto read = readSofa(kemarFile());
        if (!read) {
            qFatal("%s", read.error().toString().c_str());
        }
        return std::move(*read);
    }();
    return responses;
}

// Excess delay of left over right, seconds, measured from two responses.
double itdOf(const std::vector<double>& left, const std::vector<double>& right, double rate) {
    return excessItd(left, right, rate);
}

// ITD by cross-correlation below 1.5 kHz.
double lowItd(const std::vector<double>& left, const std::vector<double>& right, double rate) {
    constexpr std::size_t Size = 4096;
    const std::vector<Complex> l = spectrumOf(left, Size);
    const std::vector<Complex> r = spectrumOf(right, Size);
    const auto top = static_cast<std::size_t>(1500.0 * Size / rate);
    const auto bottom = static_cast<std::size_t>(200.0 * Size / rate);
    double best = -1e300;
    double place = 0.0;
    const auto look = [&](double lag) {
        double sum = 0.0;
        for (std::size_t k = bottom; k <= top; ++k) {
            const double angle = 2.0 * pi * static_cast<double>(k) * lag / Size;
            const Complex cross = l[k] * std::conj(r[k]);
            sum += cross.real() * std::cos(angle) - cross.imag() * std::sin(angle);
        }
        if (sum > best) {
            best = sum;
            place = lag;
        }
    };
    for (double lag = -60.0; lag <= 60.0; lag += 0.5) {
        look(lag);
    }
    for (double lag = place - 0.5, end = place + 0.5; lag <= end; lag += 0.05) {
        look(lag);
    }
    return place / rate;
}

// Levels in sixth octaves from 200 Hz to 16 kHz, dB.
std::vector<double> sixths(const std::vector<double>& response, double rate) {
    std::vector<double> levels;
    for (double f = 200.0; f < 16000.0; f *= std::exp2(1.0 / 6.0)) {
        levels.push_back(bandDb(response, rate, f, f * std::exp2(1.0 / 6.0)));
    }
    return levels;
}

// The measurement with the set's own equalisation put on: what the rendered spectrum is to be.
std::vector<double> equalised(const std::vector<double>& response, double rate = 44100.0, double sign = 1.0) {
    constexpr std::size_t Size = 4096;
    std::vector<Complex> bins = spectrumOf(ResponseResampler(response.size(), rate, 48000.0)(response), Size);
    for (std::size_t k = 0; k < bins.size(); ++k) {
        bins[k] *= std::pow(10.0, sign * kemar()->equalisationDb(static_cast<double>(k) * 48000.0 / Size) / 20.0);
    }
    return signalOf(bins);
}

} // namespace

void TestHrtf::itdOfSphereIsWoodworths() {
    for (const double azimuth : {5.0, 30.0, 45.0, 60.0, 90.0, 135.0, -50.0}) {
        const Stereo response = responseFrom(towards(azimuth, 0.0, 2.0), Mode::Sphere);
        const double lateral = std::asin(std::sin(azimuth * pi / 180.0));
        const double expected = std::copysign(woodworthItd(0.0875, std::abs(lateral), C), lateral);
        const double got = itdOf(response.left, response.right, 48000.0);
        QVERIFY2(std::abs(got - expected) <= 2e-6,
                 qPrintable(QStringLiteral("%1: %2 us off").arg(azimuth).arg((got - expected) * 1e6)));
    }
}

void TestHrtf::itdFollowsTheMeasurement() {
    double excessSquare = 0.0;
    double lowSquare = 0.0;
    double lowWorst = 0.0;
    int count = 0;
    for (std::size_t d = 0; d < raw().directions.size(); ++d) {
        const auto& [left, right] = raw().responses[d];
        const Stereo response = responseFrom(raw().directions[d] * 1.4, Mode::Hrtf);
        const double excess = itdOf(response.left, response.right, 48000.0) - itdOf(left, right, 44100.0);
        // The correlation weighs frequencies by their levels: both without the equalisation.
        const double low = lowItd(equalised(response.left, 48000.0, -1.0), equalised(response.right, 48000.0, -1.0), 48000.0)
                           - lowItd(left, right, 44100.0);
        excessSquare += excess * excess;
        lowSquare += low * low;
        lowWorst = std::max(lowWorst, std::abs(low));
        ++count;
    }
    const double excess = std::sqrt(excessSquare / count) * 1e6;
    const double low = std::sqrt(lowSquare / count) * 1e6;
    qInfo("ITD: excess %.1f us rms; below 1.5 kHz %.1f us rms, at most %.1f", excess, low, lowWorst * 1e6);
    QVERIFY2(excess <= 3.0, qPrintable(QString::number(excess)));
    QVERIFY2(low <= 12.0, qPrintable(QString::number(low)));
    QVERIFY2(lowWorst * 1e6 <= 40.0, qPrintable(QString::number(lowWorst * 1e6)));
    const Stereo side = responseFrom(towards(90.0, 0.0, 1.4), Mode::Hrtf);
    QVERIFY(std::abs(itdOf(side.left, side.right, 48000.0) * 1e6 - 652.0) < 5.0);
    QVERIFY(std::abs(lowItd(equalised(side.left, 48000.0, -1.0), equalised(side.right, 48000.0, -1.0), 48000.0) * 1e6 - 698.0)
            < 40.0);
}

void TestHrtf::ildPerBand_data() {
    QTest::addColumn<double>("azimuth");
    QTest::addColumn<QList<double>>("levels");
    QTest::newRow("30") << 30.0 << QList<double>{2.0, 5.6, 7.8, 11.3, 9.6};
    QTest::newRow("60") << 60.0 << QList<double>{3.2, 8.0, 12.5, 18.4, 18.1};
    QTest::newRow("90") << 90.0 << QList<double>{3.5, 5.9, 8.1, 16.4, 23.3};
    QTest::newRow("120") << 120.0 << QList<double>{3.3, 9.9, 11.4, 17.7, 21.6};
    QTest::newRow("150") << 150.0 << QList<double>{2.2, 6.1, 6.0, 2.5, 8.4};
}

void TestHrtf::ildPerBand() {
    QFETCH(double, azimuth);
    QFETCH(QList<double>, levels);
    constexpr std::array<double, 6> Edges = {180.0, 500.0, 1500.0, 4000.0, 8000.0, 16000.0};
    const Stereo response = responseFrom(towards(azimuth, 0.0, 1.4), Mode::Hrtf);
    const std::vector<double> left = equalised(response.left, 48000.0, -1.0);
    const std::vector<double> right = equalised(response.right, 48000.0, -1.0);
    for (std::size_t band = 0; band < 5; ++band) {
        // Both by mean power of a band. The figures are of the measurement, so the equalisation is taken off again: it weighs the
        // frequencies within a band.
        const double ild = bandDb(right, 48000.0, Edges[band], Edges[band + 1])
                           - bandDb(left, 48000.0, Edges[band], Edges[band + 1]);
        const double allowed = band < 3 ? 1.0 : 2.0;
        QVERIFY2(std::abs(ild - levels[static_cast<int>(band)]) <= allowed,
                 qPrintable(QStringLiteral("band %1: %2 dB, measured %3")
                                .arg(band)
                                .arg(ild)
                                .arg(levels[static_cast<int>(band)])));
    }
}

void TestHrtf::spectrumAtMeasuredDirections() {
    std::vector<double> errors;
    double square = 0.0;
    for (std::size_t d = 0; d < raw().directions.size(); d += 7) {
        const Stereo response = responseFrom(raw().directions[d] * 1.4, Mode::Hrtf);
        for (int ear = 0; ear < 2; ++ear) {
            const std::vector<double> got = sixths(response.ear(ear), 48000.0);
            const std::vector<double> expected =
                sixths(equalised(raw().responses[d][static_cast<std::size_t>(ear)]), 48000.0);
            for (std::size_t i = 0; i < got.size(); ++i) {
                errors.push_back(std::abs(got[i] - expected[i]));
                square += errors.back() * errors.back();
            }
        }
    }
    std::sort(errors.begin(), errors.end());
    const double rms = std::sqrt(square / static_cast<double>(errors.size()));
    const double most = errors[errors.size() * 95 / 100];
    qInfo("spectrum at measured directions: %.2f dB rms, 95%% within %.2f", rms, most);
    QVERIFY2(rms <= 0.5, qPrintable(QString::number(rms)));
    QVERIFY2(most <= 1.0, qPrintable(QString::number(most)));
}

void TestHrtf::spectrumLeftOut() {
    // Directions drawn at random are taken out, in rounds in which no two are neighbours, and rendered from those around them.
    constexpr std::size_t Wanted = 200;
    std::vector<std::size_t> order(raw().directions.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::mt19937 random(7);
    std::shuffle(order.begin(), order.end(), random);
    std::vector<double> perDirection;
    double square = 0.0;
    double itdSquare = 0.0;
    while (perDirection.size() < Wanted) {
        std::vector<std::size_t> left;
        for (const std::size_t d : order) {
            const bool apart = std::none_of(left.begin(), left.end(), [&](std::size_t other) {
                return glm::dot(raw().directions[d], raw().directions[other]) > std::cos(16.0 * pi / 180.0);
            });
            if (apart) {
                left.push_back(d);
            }
        }
        QVERIFY(!left.empty());
        HrtfResponses rest;
        rest.name = raw().name;
        rest.sampleRate = raw().sampleRate;
        for (std::size_t d = 0; d < raw().directions.size(); ++d) {
            if (std::find(left.begin(), left.end(), d) == left.end()) {
                rest.directions.push_back(raw().directions[d]);
                rest.distances.push_back(raw().distances[d]);
                rest.responses.push_back(raw().responses[d]);
            }
        }
        std::erase_if(order, [&](std::size_t d) { return std::find(left.begin(), left.end(), d) != left.end(); });
        auto thinned = HrtfSet::build(rest, 48000.0);
        QVERIFY(thinned.ok());
        for (const std::size_t d : left) {
            const Stereo got = responseFrom(raw().directions[d] * 1.4, Mode::Hrtf, bare(), 48000.0, *thinned);
            const Stereo whole = responseFrom(raw().directions[d] * 1.4, Mode::Hrtf);
            double sum = 0.0;
            int count = 0;
            for (int ear = 0; ear < 2; ++ear) {
                const std::vector<double> a = sixths(got.ear(ear), 48000.0);
                const std::vector<double> b = sixths(whole.ear(ear), 48000.0);
                for (std::size_t k = 0; k < a.size(); ++k) {
                    sum += (a[k] - b[k]) * (a[k] - b[k]);
                    ++count;
                }
            }
            perDirection.push_back(std::sqrt(sum / count));
            square += sum / count;
            const double itd = itdOf(got.left, got.right, 48000.0)
                               - itdOf(raw().responses[d][0], raw().responses[d][1], 44100.0);
            itdSquare += itd * itd;
        }
    }
    std::sort(perDirection.begin(), perDirection.end());
    const double rms = std::sqrt(square / static_cast<double>(perDirection.size()));
    const double itd = std::sqrt(itdSquare / static_cast<double>(perDirection.size())) * 1e6;
    const double most = perDirection[perDirection.size() * 95 / 100];
    qInfo("left out (%zu): %.2f dB rms, 95%% of directions within %.2f; ITD %.1f us rms", perDirection.size(), rms, most, itd);
    QVERIFY2(rms <= 0.7, qPrintable(QString::number(rms)));
    QVERIFY2(most <= 1.5, qPrintable(QString::number(most)));
    QVERIFY2(itd <= 8.0, qPrintable(QString::number(itd)));
}

void TestHrtf::diffuseFieldIsFlat() {
    // Mean power over directions spread evenly over the sphere (a Fibonacci lattice).
    constexpr int Count = 120;
    std::vector<Stereo> responses;
    for (int i = 0; i < Count; ++i) {
        const double y = 1.0 - (2.0 * i + 1.0) / Count;
        const double azimuth = 360.0 * std::fmod(i * 0.6180339887498949, 1.0);
        responses.push_back(responseFrom(towards(azimuth, std::asin(y) * 180.0 / pi, 1.4), Mode::Hrtf));
    }
    for (double f = 31.0; f < 12000.0; f *= std::exp2(1.0 / 3.0)) {
        double power = 0.0;
        for (const Stereo& response : responses) {
            for (int ear = 0; ear < 2; ++ear) {
                // Narrower than a bin of the band's measure, one frequency stands for the band.
                const double level = f < 100.0 ? responseDb(response.ear(ear), 48000.0, f)
                                               : bandDb(response.ear(ear), 48000.0, f * 0.89, f * 1.12);
                power += std::pow(10.0, level / 10.0) / (2.0 * Count);
            }
        }
        const double level = 10.0 * std::log10(power);
        QVERIFY2(std::abs(level) <= (f < 100.0 ? 2.0 : 1.5),
                 qPrintable(QStringLiteral("%1 Hz: %2 dB").arg(f).arg(level)));
    }
}

void TestHrtf::leftAndRightMirror() {
    for (const double azimuth : {20.0, 77.0, 140.0}) {
        const Stereo right = responseFrom(towards(azimuth, 12.0, 1.4), Mode::Hrtf);
        const Stereo left = responseFrom(towards(-azimuth, 12.0, 1.4), Mode::Hrtf);
        QVERIFY(std::abs(itdOf(right.left, right.right, 48000.0) + itdOf(left.left, left.right, 48000.0))
                < 1e-7);
        for (const double f : {300.0, 2000.0, 9000.0}) {
            QVERIFY(std::abs(responseDb(right.right, 48000.0, f) - responseDb(left.left, 48000.0, f)) < 0.3);
        }
    }
}

void TestHrtf::rateOf44100() {
    const Stereo at44 = responseFrom(towards(60.0, 0.0, 1.4), Mode::Hrtf, bare(), 44100.0);
    const Stereo at48 = responseFrom(towards(60.0, 0.0, 1.4), Mode::Hrtf);
    QVERIFY(std::abs(itdOf(at44.left, at44.right, 44100.0) - itdOf(at48.left, at48.right, 48000.0)) < 3e-6);
    for (int ear = 0; ear < 2; ++ear) {
        for (const double f : {250.0, 1000.0, 4000.0, 10000.0}) {
            QVERIFY(std::abs(bandDb(at44.ear(ear), 44100.0, f * 0.9, f * 1.1)
                             - bandDb(at48.ear(ear), 48000.0, f * 0.9, f * 1.1))
                    < 0.5);
        }
    }
}

void TestHrtf::badFilesNameTheFault() {
    QVERIFY(!readSofa("/nowhere/at/all.sofa").ok());
    const QTemporaryDir folder;
    const std::filesystem::path path = folder.filePath(QStringLiteral("broken.sofa")).toStdString();
    const auto write = [&](const QByteArray& bytes) {
        QFile file(QString::fromStdString(path.string()));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(bytes);
    };
    write("this is no SOFA file");
    const auto text = readSofa(path);
    QVERIFY(!text.ok());
    QVERIFY(text.error().message.find("expected") != std::string::npos);
    QVERIFY(text.error().file == path.string());
    QFile whole(QString::fromStdString(kemarFile().string()));
    QVERIFY(whole.open(QIODevice::ReadOnly));
    QByteArray bytes = whole.readAll();
    write(bytes.left(bytes.size() / 3));
    QVERIFY(!readSofa(path).ok());
    // Another convention: refused by its name, not silently replaced.
    const QByteArray name = "SimpleFreeFieldHRIR";
    const auto at = bytes.indexOf(name);
    QVERIFY(at > 0);
    bytes.replace(at, name.size(), "SimpleFreeFieldXXXX");
    write(bytes);
    const auto other = readSofa(path);
    QVERIFY(!other.ok());
    QVERIFY2(other.error().message.find("SOFAConventions is \"SimpleFreeFieldXXXX\"") != std::string::npos, other.error().message.c_str());
    QVERIFY(other.error().file == path.string());
    // Responses that do not surround the head.
    HrtfResponses flat = raw();
    flat.directions.resize(3);
    flat.distances.resize(3);
    flat.responses.resize(3);
    QVERIFY(!HrtfSet::build(flat, 96000.0).ok());
}

// Every field that can be wrong is named, with what is expected there.
void TestHrtf::eachFieldIsNamed() {
    int code = 0;
    const std::unique_ptr<MYSOFA_HRTF, void (*)(MYSOFA_HRTF*)> content(mysofa_load(kemarFile().c_str(), &code), &mysofa_free);
    QVERIFY(content != nullptr);
    MYSOFA_HRTF& hrtf = *content;
    QVERIFY(responsesOf(hrtf, "k.sofa").ok());
    const auto names = [&](const char* field, const char* expected) {
        const auto result = responsesOf(hrtf, "k.sofa");
        const std::string message = result ? "none" : result.error().message;
        const bool good = !result && message.find(field) == 0 && message.find(expected) != std::string::npos
                          && result.error().file == "k.sofa";
        if (!good) {
            qWarning("%s: %s", field, message.c_str());
        }
        return good;
    };
    const auto with = [](auto& place, auto value, const auto& check) {
        const auto before = place;
        place = static_cast<std::remove_reference_t<decltype(place)>>(value);
        const bool good = check();
        place = before;
        return good;
    };
    const auto text = [](MYSOFA_ATTRIBUTE* list, const char* name) -> char*& {
        while (std::strcmp(list->name, name) != 0) {
            list = list->next;
        }
        return list->value;
    };
    std::string other = "Other";
    QVERIFY(with(text(hrtf.attributes, "SOFAConventions"), other.data(), [&] { return names("SOFAConventions", "SimpleFreeFieldHRIR"); }));
    QVERIFY(with(text(hrtf.attributes, "DataType"), other.data(), [&] { return names("DataType", "FIR"); }));
    QVERIFY(with(text(hrtf.SourcePosition.attributes, "Type"), other.data(), [&] { return names("SourcePosition.Type", "spherical"); }));
    QVERIFY(with(hrtf.R, 1U, [&] { return names("R ", "2"); }));
    QVERIFY(with(hrtf.M, 0U, [&] { return names("M ", "1 to"); }));
    QVERIFY(with(hrtf.N, 4U, [&] { return names("N ", "8 to"); }));
    QVERIFY(with(hrtf.DataIR.elements, 12U, [&] { return names("Data.IR", "M x R x N"); }));
    QVERIFY(with(hrtf.DataIR.values[5], std::nanf(""), [&] { return names("Data.IR", "measurement 0"); }));
    QVERIFY(with(hrtf.SourcePosition.elements, 7U, [&] { return names("SourcePosition", "M x 3"); }));
    QVERIFY(with(hrtf.SourcePosition.values[2], 0.0F, [&] { return names("SourcePosition of measurement 0", "0.01 to 1000 m"); }));
    QVERIFY(with(hrtf.SourcePosition.values[5], std::nanf(""), [&] { return names("SourcePosition of measurement 1", "0.01"); }));
    QVERIFY(with(hrtf.DataSamplingRate.values[0], 100.0F, [&] { return names("Data.SamplingRate", "8000"); }));
    QVERIFY(with(hrtf.DataSamplingRate.elements, 0U, [&] { return names("Data.SamplingRate", "8000"); }));
    QVERIFY(with(hrtf.DataDelay.elements, 3U, [&] { return names("Data.Delay", "M x R"); }));
    QVERIFY(hrtf.DataDelay.elements >= 2);
    QVERIFY(with(hrtf.DataDelay.values[1], 3e-4F, [&] { return names("Data.Delay", "expected samples"); }));
    QVERIFY(with(hrtf.DataDelay.values[1], -3.0F, [&] { return names("Data.Delay of measurement", "0 to 4096"); }));
    QVERIFY(responsesOf(hrtf, "k.sofa").ok());
}

QTEST_GUILESS_MAIN(TestHrtf)
#include "tst_hrtf.moc"
