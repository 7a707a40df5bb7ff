#include "audio_fixture.h"

#include <AL/al.h>
#include <AL/alc.h>
#include <AL/alext.h>

using namespace sbx::audio;
using namespace sbx::audio::test;

// What a moving source adds to a pure tone, in the whole chain, beside OpenAL Soft's loopback device with HRTF in the same run.
class TestArtefacts : public QObject {
    Q_OBJECT

private slots:
    void orbit_data();
    void orbit();
};

namespace {

constexpr std::size_t Frames = 5 * 48000;
constexpr std::size_t Skip = 24000;

glm::dvec3 orbitAt(double t) {
    return towards(180.0 * t, 0.0, 1.5); // half a turn a second
}

std::vector<double> ours(double frequency) {
    auto renderer = makeRenderer();
    SourceSettings settings;
    settings.gain = 0.3F;
    const SourceId id = renderer->add(settings, still(orbitAt(0.0)));
    renderer->play(id, tone(frequency));
    Mover mover(*renderer, id, orbitAt);
    return render(*renderer, Frames, 512, std::ref(mover)).left;
}

// Empty when there is no OpenAL Soft with a loopback device and HRTF.
std::vector<double> openAl(double frequency) {
    const auto loopback = reinterpret_cast<LPALCLOOPBACKOPENDEVICESOFT>(
        alcGetProcAddress(nullptr, "alcLoopbackOpenDeviceSOFT"));
    const auto renderSamples =
        reinterpret_cast<LPALCRENDERSAMPLESSOFT>(alcGetProcAddress(nullptr, "alcRenderSamplesSOFT"));
    ALCdevice* device = loopback != nullptr ? loopback(nullptr) : nullptr;
    if (device == nullptr || renderSamples == nullptr) {
        return {};
    }
    const std::array<ALCint, 9> wanted = {ALC_FORMAT_CHANNELS_SOFT,
                                          ALC_STEREO_SOFT,
                                          ALC_FORMAT_TYPE_SOFT,
                                          ALC_FLOAT_SOFT,
                                          ALC_FREQUENCY,
                                          48000,
                                          ALC_HRTF_SOFT,
                                          ALC_TRUE,
                                          0};
    ALCcontext* context = alcCreateContext(device, wanted.data());
    alcMakeContextCurrent(context);
    ALCint hrtf = ALC_FALSE;
    alcGetIntegerv(device, ALC_HRTF_SOFT, 1, &hrtf);
    std::vector<double> left;
    if (hrtf == ALC_TRUE) {
        std::vector<float> samples(48000);
        for (std::size_t i = 0; i < samples.size(); ++i) {
            samples[i] =
                static_cast<float>(0.3 * std::sin(2.0 * pi * frequency * static_cast<double>(i) / 48000.0));
        }
        ALuint buffer = 0;
        ALuint source = 0;
        alGenBuffers(1, &buffer);
        alBufferData(buffer, AL_FORMAT_MONO_FLOAT32, samples.data(),
                     static_cast<ALsizei>(samples.size() * sizeof(float)), 48000);
        alGenSources(1, &source);
        alSourcei(source, AL_BUFFER, static_cast<ALint>(buffer));
        alSourcei(source, AL_LOOPING, AL_TRUE);
        std::array<float, 512> block{};
        for (std::size_t done = 0; done < Frames; done += 256) {
            const glm::vec3 p(orbitAt(static_cast<double>(done) / 48000.0));
            const glm::vec3 v((orbitAt(static_cast<double>(done) / 48000.0 + 1e-3)
                               - orbitAt(static_cast<double>(done) / 48000.0 - 1e-3))
                              / 2e-3);
            alSource3f(source, AL_POSITION, p.x, p.y, p.z);
            alSource3f(source, AL_VELOCITY, v.x, v.y, v.z);
            if (done == 0) {
                alSourcePlay(source);
            }
            renderSamples(device, block.data(), 256);
            for (std::size_t n = 0; n < 256; ++n) {
                left.push_back(static_cast<double>(block[n * 2]));
            }
        }
        alDeleteSources(1, &source);
        alDeleteBuffers(1, &buffer);
    }
    alcMakeContextCurrent(nullptr);
    alcDestroyContext(context);
    alcCloseDevice(device);
    return left;
}

} // namespace

void TestArtefacts::orbit_data() {
    QTest::addColumn<double>("frequency");
    QTest::addColumn<double>("medianAllowed");
    QTest::addColumn<double>("worstAllowed");
    QTest::newRow("1 kHz") << 1000.0 << -85.0 << -75.0;
    QTest::newRow("6 kHz") << 6000.0 << -80.0 << -55.0;
}

void TestArtefacts::orbit() {
    QFETCH(double, frequency);
    QFETCH(double, medianAllowed);
    QFETCH(double, worstAllowed);
    const std::vector<double> out = ours(frequency);
    const std::vector<double> mine = splatter({out.begin() + Skip, out.end()}, 48000.0);
    qInfo("splatter of the whole chain: median %.1f, worst %.1f dB", median(mine), worst(mine));
    QVERIFY2(median(mine) <= medianAllowed, qPrintable(QString::number(median(mine))));
    QVERIFY2(worst(mine) <= worstAllowed, qPrintable(QString::number(worst(mine))));
    const std::vector<double> peer = openAl(frequency);
    if (peer.empty()) {
        QSKIP("no OpenAL Soft with loopback device and HRTF here to compare with");
    }
    const std::vector<double> theirs = splatter({peer.begin() + Skip, peer.end()}, 48000.0);
    qInfo("OpenAL Soft: median %.1f, worst %.1f dB", median(theirs), worst(theirs));
    QVERIFY(median(mine) <= median(theirs) - 30.0);
    QVERIFY(worst(mine) <= worst(theirs) - 30.0);
}

QTEST_GUILESS_MAIN(TestArtefacts)
#include "tst_artefacts.moc"
