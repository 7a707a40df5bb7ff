#include "audio_fixture.h"
#include "engine/audio/detail/propagation.h"
#include "engine/audio/detail/sphere_response.h"

using namespace sbx;
using namespace sbx::audio;
using namespace sbx::audio::test;

// Level and spectrum by distance, direction and what lies between, measured from rendered responses.
class TestPropagation : public QObject {
    Q_OBJECT

private slots:
    void inverseDistance();
    void otherDistanceModels();
    void cones();
    void conesAsHeard();
    void airAbsorption_data();
    void airAbsorption();
    void nearFieldIld_data();
    void nearFieldIld();
    void nearEarGain();
    void nearGainIsBounded_data();
    void nearGainIsBounded();
    void whatStandsStillHearsTheAirChange();
    void whatStandsStillHearsItsSettingsChange_data();
    void whatStandsStillHearsItsSettingsChange();
    void occlusionMuffles();
    void modesAreEquallyLoud();
};

void TestPropagation::inverseDistance() {
    SourceSettings settings = bare();
    settings.distanceModel = DistanceModel::Inverse;
    double before = 0.0;
    for (const double distance : {1.0, 2.0, 4.0, 8.0, 16.0}) {
        const Stereo response = responseFrom({0.0, 0.0, -distance}, Mode::Mono, settings);
        const double level = responseDb(response.left, 48000.0, 1000.0);
        if (distance > 1.0) {
            QVERIFY2(std::abs(level - before + 6.02) <= 0.05, qPrintable(QString::number(level - before)));
        } else {
            QVERIFY(std::abs(level) < 0.05);
        }
        before = level;
    }
}

void TestPropagation::otherDistanceModels() {
    const auto level = [](DistanceModel model, double distance) {
        SourceSettings settings = bare();
        settings.distanceModel = model;
        settings.maximumDistance = 21.0F;
        settings.rolloff = model == DistanceModel::Exponential ? 2.0F : 1.0F;
        return std::pow(
            10.0, responseDb(responseFrom({0.0, 0.0, -distance}, Mode::Mono, settings).left, 48000.0, 1000.0)
                      / 20.0);
    };
    QVERIFY(std::abs(level(DistanceModel::Linear, 11.0) - 0.5) < 0.005);
    QVERIFY(std::abs(level(DistanceModel::InverseClamped, 40.0) - 1.0 / 21.0) < 0.0005);
    QVERIFY(std::abs(level(DistanceModel::Exponential, 4.0) - 1.0 / 16.0) < 0.0005);
    QVERIFY(std::abs(level(DistanceModel::None, 30.0) - 1.0) < 0.005);
    QVERIFY(level(DistanceModel::Linear, 30.0) < 1e-6);
}

void TestPropagation::cones() {
    SourceSettings settings = bare();
    settings.coneInner = 60.0F;
    settings.coneOuter = 180.0F;
    settings.coneOuterGain = 0.1F;
    const Vec3 axis(0.0F, 0.0F, -1.0F);
    const auto at = [&](float degrees) {
        const float a = degrees * std::numbers::pi_v<float> / 180.0F;
        return coneGain(settings, axis, 5.0F * Vec3(std::sin(a), 0.0F, -std::cos(a)));
    };
    QCOMPARE(at(0.0F), 1.0F);
    QCOMPARE(at(29.0F), 1.0F);
    QVERIFY(std::abs(at(60.0F) - 0.55F) < 0.001F);
    QVERIFY(std::abs(at(91.0F) - 0.1F) < 1e-6F);
    settings = bare();
    settings.directivity = 0.5F;
    QVERIFY(std::abs(at(90.0F) - 0.5F) < 1e-6F);
    QVERIFY(at(180.0F) < 1e-6F);
    // As heard: a source ahead whose axis (-Z) points away from the listener.
    settings.directivity = 0.25F;
    const Stereo response = responseFrom({0.0, 0.0, -3.0}, Mode::Mono, settings);
    QVERIFY(std::abs(responseDb(response.left, 48000.0, 1000.0) - decibel(0.5)) < 0.05);
}

// The same as heard: a source that turns away from the listener.
void TestPropagation::conesAsHeard() {
    SourceSettings settings = bare();
    settings.coneInner = 60.0F;
    settings.coneOuter = 180.0F;
    settings.coneOuterGain = 0.1F;
    const auto level = [&](double degrees) {
        auto renderer = makeRenderer();
        renderer->setMode(Mode::Mono);
        ControlPoint point = still({0.0, 0.0, -3.0});
        const double half = (180.0 - degrees) * pi / 360.0; // at 0 its -Z looks at the listener
        point.orientation = Quat(static_cast<float>(std::cos(half)), 0.0F, static_cast<float>(std::sin(half)), 0.0F);
        const SourceId id = renderer->add(settings, point);
        renderer->play(id, sound(), impulse());
        return responseDb(render(*renderer, 2048).left, 48000.0, 1000.0) - decibel(ImpulseHeight);
    };
    QVERIFY(std::abs(level(0.0)) < 0.05);
    QVERIFY(std::abs(level(29.0)) < 0.05);
    QVERIFY(std::abs(level(60.0) - decibel(0.55)) < 0.05);
    QVERIFY(std::abs(level(-60.0) - decibel(0.55)) < 0.05);
    QVERIFY(std::abs(level(91.0) - decibel(0.1)) < 0.05);
    QVERIFY(std::abs(level(180.0) - decibel(0.1)) < 0.05);
}

void TestPropagation::airAbsorption_data() {
    QTest::addColumn<double>("temperature");
    QTest::addColumn<double>("humidity");
    QTest::addColumn<QList<double>>("perKilometre"); // 1, 4, 8, 16 kHz
    QTest::newRow("20 C, 50 %") << 20.0 << 50.0 << QList<double>{4.66, 29.7, 105.0, 365.0};
    QTest::newRow("10 C, 70 %") << 10.0 << 70.0 << QList<double>{3.66, 33.1, 118.0, 370.0};
}

void TestPropagation::airAbsorption() {
    QFETCH(double, temperature);
    QFETCH(double, humidity);
    QFETCH(QList<double>, perKilometre);
    constexpr std::array<double, 4> Frequencies = {1000.0, 4000.0, 8000.0, 16000.0};
    const Air air{temperature, humidity, 101.325};
    RendererSettings rendererSettings;
    rendererSettings.maximumSources = 1;
    auto renderer = makeRenderer(rendererSettings);
    renderer->setMode(Mode::Mono);
    QVERIFY(renderer->setAir(air));
    SourceSettings settings = bare();
    settings.airAbsorption = true;
    const SourceId id = renderer->add(settings, still({0.0, 0.0, -100.0}));
    renderer->play(id, sound(), impulse());
    const Stereo out = render(*renderer, 17000);
    for (int i = 0; i < 4; ++i) {
        QVERIFY(
            std::abs(airAttenuation(air, Frequencies[static_cast<std::size_t>(i)]) * 1000.0 / perKilometre[i]
                     - 1.0)
            < 0.03);
        const double loss = -(responseDb(out.left, 48000.0, Frequencies[static_cast<std::size_t>(i)])
                              - decibel(ImpulseHeight));
        const double expected = perKilometre[i] * 0.1;
        QVERIFY2(std::abs(loss / expected - 1.0) <= 0.1,
                 qPrintable(QStringLiteral("%1 Hz: %2 dB, expected %3")
                                .arg(Frequencies[static_cast<std::size_t>(i)])
                                .arg(loss)
                                .arg(expected)));
    }
}

void TestPropagation::nearFieldIld_data() {
    QTest::addColumn<double>("distance");
    QTest::addColumn<double>("at500");
    QTest::addColumn<double>("at3000");
    QTest::newRow("0.15 m") << 0.15 << 17.2 << 19.4;
    QTest::newRow("0.25 m") << 0.25 << 10.2 << 12.6;
    QTest::newRow("0.5 m") << 0.5 << 5.9 << 8.3;
    QTest::newRow("1 m") << 1.0 << 3.8 << 6.2;
}

void TestPropagation::nearFieldIld() {
    QFETCH(double, distance);
    QFETCH(double, at500);
    QFETCH(double, at3000);
    SourceSettings settings = bare();
    settings.nearField = true;
    const Stereo response = responseFrom({distance, 0.0, 0.0}, Mode::Sphere, settings);
    const auto ild = [&](double f) {
        return responseDb(response.right, 48000.0, f) - responseDb(response.left, 48000.0, f);
    };
    QVERIFY2(std::abs(ild(500.0) - at500) <= 1.5, qPrintable(QString::number(ild(500.0))));
    QVERIFY2(std::abs(ild(3000.0) - at3000) <= 1.5, qPrintable(QString::number(ild(3000.0))));
}

void TestPropagation::nearEarGain() {
    SourceSettings settings = bare();
    settings.nearField = true;
    // So near, the ear hears before the centre of the head would: the impulse waits a little.
    const auto level = [&](double distance) {
        auto renderer = makeRenderer();
        renderer->setMode(Mode::Sphere);
        const SourceId id = renderer->add(settings, still({distance, 0.0, 0.0}));
        renderer->play(id, sound(), impulse(256));
        return responseDb(render(*renderer, 2048).right, 48000.0, 500.0) - decibel(ImpulseHeight);
    };
    QVERIFY2(std::abs(level(0.11) - 18.0) <= 1.5, qPrintable(QString::number(level(0.11))));
    QVERIFY2(std::abs(level(0.25) - 6.5) <= 1.5, qPrintable(QString::number(level(0.25))));
    QVERIFY(level(0.1) <= 20.5);
}

void TestPropagation::nearGainIsBounded_data() {
    QTest::addColumn<int>("head");
    QTest::newRow("a measured head") << 0;
    QTest::newRow("a rigid sphere") << 1;
    QTest::newRow("a head that rings") << 2;
}

namespace {

// A rigid head without shadow whose ears ring sharply at some frequencies, by up to 9 dB.
std::shared_ptr<const HrtfSet> ringingHead() {
    HrtfResponses responses;
    responses.name = "ringing";
    responses.sampleRate = 48000.0;
    std::vector<double> response(256);
    response[0] = 1.0;
    for (const double bin : {18.0, 27.0, 41.0, 54.5, 74.0, 93.0}) {
        for (std::size_t n = 0; n < response.size(); ++n) {
            response[n] += 0.108 * std::pow(0.97, static_cast<double>(n))
                           * std::cos(2.0 * pi * bin * static_cast<double>(n) / 256.0);
        }
    }
    for (double elevation = -80.0; elevation < 90.0; elevation += 20.0) {
        for (double azimuth = 0.0; azimuth < 360.0; azimuth += 20.0) {
            responses.directions.push_back(towards(azimuth, elevation, 1.0));
            responses.distances.push_back(1.4);
            responses.responses.push_back({response, response});
        }
    }
    HrtfOptions options;
    options.equalise = false;
    auto built = HrtfSet::build(responses, 48000.0, options);
    if (!built) {
        qFatal("%s", built.error().toString().c_str());
    }
    return *built;
}

} // namespace

// Wherever a source comes to the head, at whatever frequency, no ear gets more than 20 dB above the free field at the centre.
void TestPropagation::nearGainIsBounded() {
    QFETCH(int, head);
    RendererSettings rendererSettings;
    rendererSettings.maximumSources = rendererSettings.voiceBudget = 2;
    auto renderer = makeRenderer(rendererSettings, head == 2 ? ringingHead() : nullptr);
    renderer->setMode(head == 1 ? Mode::Sphere : Mode::Hrtf);
    SourceSettings settings = bare();
    settings.nearField = true;
    double most = -100.0;
    for (const double distance : {0.1, 0.105, 0.115, 0.13, 0.17, 0.25, 0.4}) {
        for (double elevation = -40.0; elevation <= 60.0; elevation += 25.0) {
            for (double azimuth = 7.0; azimuth < 180.0; azimuth += 13.0) {
                const SourceId id = renderer->add(settings, still(towards(azimuth, elevation, distance)));
                renderer->play(id, sound(), impulse(256)); // so near, the ear hears before the centre of the head would
                const Stereo out = render(*renderer, 1024);
                renderer->remove(id);
                render(*renderer, 512);
                const std::vector<Complex> bins = spectrumOf(out.right, 1024);
                for (std::size_t k = 0; k < bins.size(); ++k) { // four between each two of the table's
                    most = std::max(most, decibel(std::abs(bins[k]) / ImpulseHeight));
                }
            }
        }
    }
    qInfo("at most %.2f dB", most);
    QVERIFY2(most <= 20.0, qPrintable(QString::number(most)));
    QVERIFY2(most > 17.0, qPrintable(QString::number(most))); // it is the bound that is felt
}

namespace {

// A steady tone from one place, its level before and after what `change` does.
double changeOfLevel(double frequency, const glm::dvec3& place, SourceSettings settings,
                     const std::function<void(Renderer&, SourceId, SourceSettings)>& change) {
    auto renderer = makeRenderer();
    settings.gain = 0.1F;
    const SourceId id = renderer->add(settings, still(place));
    renderer->play(id, tone(frequency));
    const Stereo before = render(*renderer, 48000);
    change(*renderer, id, settings);
    const Stereo after = render(*renderer, 48000);
    return decibel(rmsOf(part(after.right, 24000, 24000)) / rmsOf(part(before.right, 24000, 24000)));
}

} // namespace

void TestPropagation::whatStandsStillHearsTheAirChange() {
    SourceSettings settings = bare();
    settings.airAbsorption = true;
    const Air cold{-10.0, 20.0, 101.325};
    const double got = changeOfLevel(8000.0, {20.0, 0.0, -30.0}, settings, [&](Renderer& renderer, SourceId, SourceSettings) {
        QVERIFY(renderer.setAir(cold));
    });
    const double expected = (airAttenuation(Air{}, 8000.0) - airAttenuation(cold, 8000.0)) * std::hypot(20.0, 30.0);
    QVERIFY(std::abs(expected) > 1.0);
    QVERIFY2(std::abs(got - expected) < 0.1 * std::abs(expected),
             qPrintable(QStringLiteral("%1 of %2 dB").arg(got).arg(expected)));
}

void TestPropagation::whatStandsStillHearsItsSettingsChange_data() {
    QTest::addColumn<int>("what");
    QTest::newRow("air") << 0;
    QTest::newRow("near field") << 1;
    QTest::newRow("place") << 2;
}

void TestPropagation::whatStandsStillHearsItsSettingsChange() {
    QFETCH(int, what);
    const glm::dvec3 place = what == 0 ? glm::dvec3(30.0, 0.0, 0.0) : glm::dvec3(0.2, 0.0, 0.0);
    const auto turned = [&](SourceSettings settings) {
        (what == 0 ? settings.airAbsorption : what == 1 ? settings.nearField : settings.spatial) ^= true;
        return settings;
    };
    const double frequency = what == 0 ? 8000.0 : 300.0;
    const auto turn = [&](Renderer& renderer, SourceId id, const SourceSettings& settings) {
        QVERIFY(renderer.set(id, turned(settings)));
    };
    const double got = changeOfLevel(frequency, place, bare(), turn);
    // Against sources that have always been so.
    const auto level = [&](SourceSettings settings) {
        auto renderer = makeRenderer();
        settings.gain = 0.1F;
        renderer->play(renderer->add(settings, still(place)), tone(frequency));
        return decibel(rmsOf(part(render(*renderer, 48000).right, 24000, 24000)));
    };
    const double expected = level(turned(bare())) - level(bare());
    QVERIFY(std::abs(expected) > 0.3);
    QVERIFY2(std::abs(got - expected) < 0.05, qPrintable(QStringLiteral("%1 of %2 dB").arg(got).arg(expected)));
}

void TestPropagation::occlusionMuffles() {
    SourceSettings settings = bare();
    settings.occlusion = 1.0F;
    settings.transmissionGain = 0.25F;
    settings.transmissionHz = 1000.0F;
    RendererSettings rendererSettings;
    rendererSettings.maximumSources = 1;
    auto renderer = makeRenderer(rendererSettings);
    renderer->setMode(Mode::Mono);
    const SourceId id = renderer->add(settings, still({0.0, 0.0, -2.0}));
    std::vector<float> clicks(48000);
    clicks[24000] = static_cast<float>(ImpulseHeight); // after the filter has closed
    renderer->play(id, sound(), std::make_shared<ResidentSound>(std::move(clicks)));
    const Stereo out = render(*renderer, 48000);
    const auto level = [&](double f) {
        return responseDb(out.left, 48000.0, f) - decibel(ImpulseHeight * 0.25);
    };
    QVERIFY2(std::abs(level(50.0)) < 0.1, qPrintable(QString::number(level(50.0))));
    QVERIFY2(std::abs(level(1000.0) + 3.0) < 0.5, qPrintable(QString::number(level(1000.0))));
    QVERIFY2(level(8000.0) < -14.0, qPrintable(QString::number(level(8000.0))));
}

void TestPropagation::modesAreEquallyLoud() {
    // Power of both ears together, over directions of the horizontal plane.
    const auto loudness = [](Mode mode) {
        double power = 0.0;
        for (int i = 0; i < 12; ++i) {
            const Stereo response = responseFrom(towards(i * 30.0, 0.0, 1.4), mode);
            power += std::pow(10.0, bandDb(response.left, 48000.0, 300.0, 8000.0) / 10.0)
                     + std::pow(10.0, bandDb(response.right, 48000.0, 300.0, 8000.0) / 10.0);
        }
        return 10.0 * std::log10(power / 12.0);
    };
    const double hrtf = loudness(Mode::Hrtf);
    for (const Mode mode : {Mode::Pan, Mode::Mono, Mode::Plain}) {
        QVERIFY2(std::abs(loudness(mode) - hrtf) < 2.0, qPrintable(QString::number(loudness(mode) - hrtf)));
    }
}

QTEST_GUILESS_MAIN(TestPropagation)
#include "tst_propagation.moc"
