#include "audio_fixture.h"

#include <limits>
#include <optional>

using namespace sbx;
using namespace sbx::audio;
using namespace sbx::audio::test;

// The renderer as a whole: what it promises about blocks, silence, voices, commands and bad input.
class TestRenderer : public QObject {
    Q_OBJECT

private slots:
    void sameBitsForAnyChunk();
    void sameBitsTwice();
    void widthsAgree();
    void latency();
    void silenceIsExact();
    void silenceIsNotFiltered();
    void hostileInput();
    void limiterHoldsTheCeiling();
    void nothingClicks_data();
    void nothingClicks();
    void stopAndPitch();
    void virtualVoicesComeBackInPhase();
    void priorityAndReasons();
    void whatIsTooQuietInAllSaysWhy();
    void finishedSoundsFreeTheirVoice();
    void slotsAreReused();
    void refusesWhatItCannotDo();
};

namespace {

// A scene with everything in motion; its commands carry the frames they apply at.
std::unique_ptr<Renderer> scene(bool wide = true) {
    RendererSettings settings;
    settings.voiceBudget = 6;
    settings.maximumSources = 16;
    settings.allowWide = wide;
    auto renderer = makeRenderer(settings);
    for (int i = 0; i < 9; ++i) {
        SourceSettings source;
        source.gain = 0.2F;
        const SourceId id = renderer->add(source, still(towards(40.0 * i, 5.0 * i, 1.0 + 0.3 * i)));
        if (i % 3 == 0) {
            renderer->play(id, tone(300.0 + 100.0 * i));
        } else if (i % 3 == 1) {
            Signal noise;
            noise.kind = SignalKind::Noise;
            noise.seed = static_cast<std::uint64_t>(i);
            renderer->play(id, noise, nullptr, 700 * i);
        } else {
            std::vector<float> frames(5000);
            for (std::size_t n = 0; n < frames.size(); ++n) {
                frames[n] = 0.3F * std::sin(0.05F * static_cast<float>(n));
            }
            Signal loop = sound(true);
            loop.pitch = 0.7 + 0.1 * i;
            renderer->play(id, loop, std::make_shared<ResidentSound>(std::move(frames)), 300 * i);
        }
        for (int k = 1; k < 20; ++k) {
            ControlPoint point = still(towards(40.0 * i + 6.0 * k, 5.0 * i, 1.0 + 0.3 * i + 0.05 * k));
            point.at = 800 * k;
            renderer->move(id, point, 800 * (k - 1));
        }
    }
    Room room;
    room.present = true;
    room.order = 2;
    renderer->setRoom(room, 3000);
    room.present = false;
    renderer->setRoom(room, 8000);
    renderer->setMode(Mode::Pan, 9000);
    renderer->setMode(Mode::Hrtf, 11000);
    ControlPoint turn;
    turn.at = 12000;
    turn.orientation = Quat(0.9F, 0.0F, std::sqrt(1.0F - 0.81F), 0.0F);
    renderer->moveListener(turn, 6000);
    return renderer;
}

std::optional<SilentReason> reasonOf(Renderer& renderer, SourceId id) {
    const Snapshot& snapshot = renderer.snapshot();
    for (std::uint32_t i = 0; i < snapshot.sourceCount; ++i) {
        if (snapshot.sources[i].id == id) {
            return snapshot.sources[i].reason;
        }
    }
    return std::nullopt;
}

void compareBits(const Stereo& a, const Stereo& b) {
    QVERIFY(a.left == b.left);
    QVERIFY(a.right == b.right);
}

} // namespace

void TestRenderer::sameBitsForAnyChunk() {
    const Stereo reference = render(*scene(), 16384, 128);
    QVERIFY(peakOf(reference.left) > 0.05);
    for (const std::size_t chunk : {1U, 37U, 441U, 1024U, 4096U}) {
        compareBits(render(*scene(), 16384, chunk), reference);
    }
}

void TestRenderer::sameBitsTwice() {
    compareBits(render(*scene(), 16384, 480), render(*scene(), 16384, 480));
}

void TestRenderer::widthsAgree() {
    // The two builds of the inner loops round differently, and no more than that.
    const Stereo wide = render(*scene(true), 16384);
    const Stereo narrow = render(*scene(false), 16384);
    for (std::size_t n = 0; n < wide.left.size(); ++n) {
        QVERIFY(std::abs(wide.left[n] - narrow.left[n]) < 2e-5);
    }
}

void TestRenderer::latency() {
    auto renderer = makeRenderer();
    SourceSettings settings = bare();
    settings.spatial = false;
    const SourceId id = renderer->add(settings, still({0.0, 0.0, 0.0}));
    renderer->play(id, sound(), impulse());
    const Stereo out = render(*renderer, 1024);
    std::size_t peak = 0;
    for (std::size_t i = 0; i < out.left.size(); ++i) {
        peak = std::abs(out.left[i]) > std::abs(out.left[peak]) ? i : peak;
    }
    // A block at most waits before it is rendered: together within 4.7 ms.
    QCOMPARE(peak, static_cast<std::size_t>(Renderer::latencyFrames()));
    QVERIFY((Renderer::latencyFrames() + 128) / 48.0 <= 4.7);
}

void TestRenderer::silenceIsExact() {
    auto renderer = makeRenderer();
    const SourceId id = renderer->add(SourceSettings{}, still({1.0, 0.0, -1.0}));
    renderer->play(id, tone(500.0));
    QVERIFY(peakOf(render(*renderer, 9600).left) > 0.1);
    SourceSettings muted;
    muted.mute = true;
    renderer->set(id, muted);
    render(*renderer, 9600);
    const Stereo out = render(*renderer, 9600);
    QVERIFY(peakOf(out.left) == 0.0 && peakOf(out.right) == 0.0);
    QCOMPARE(renderer->snapshot().sources[0].reason, SilentReason::Muted);
    const SourceId quiet = renderer->add(SourceSettings{}, still({1.0, 0.0, 0.0}));
    renderer->play(quiet, sound(true), std::make_shared<ResidentSound>(std::vector<float>(1000)));
    const Stereo zeros = render(*renderer, 9600);
    QVERIFY(peakOf(zeros.left) == 0.0 && peakOf(zeros.right) == 0.0);
}

// What is silent is not worked out: muted, or nothing but zeros.
void TestRenderer::silenceIsNotFiltered() {
    constexpr std::size_t Frames = 9600;
    constexpr std::uint64_t Voices = 64;
    // How many blocks went through a filter, and how loud it was.
    const auto filtered = [](float level, bool mute) {
        RendererSettings rendererSettings;
        rendererSettings.maximumSources = rendererSettings.voiceBudget = Voices;
        auto renderer = makeRenderer(rendererSettings);
        SourceSettings settings = bare();
        settings.gain = 0.01F;
        std::vector<SourceId> ids;
        for (std::uint64_t i = 0; i < Voices; ++i) {
            ids.push_back(renderer->add(settings, still(towards(static_cast<double>(i) * 20.0, 0.0, 2.0))));
            renderer->play(ids.back(), sound(true), std::make_shared<ResidentSound>(std::vector<float>(3001, level)));
        }
        render(*renderer, Frames);
        settings.mute = mute;
        for (const SourceId id : ids) {
            renderer->set(id, settings);
        }
        render(*renderer, Frames);
        const Snapshot before = renderer->snapshot();
        const double peak = peakOf(render(*renderer, 4 * Frames).left);
        const Snapshot& after = renderer->snapshot();
        const auto blocks = static_cast<std::uint64_t>(after.frame - before.frame) / OutputBlock::Frames;
        return std::tuple(after.filteredBlocks - before.filteredBlocks, blocks, peak);
    };
    const auto [sounding, blocks, heard] = filtered(0.3F, false);
    QVERIFY(blocks > 200);
    QCOMPARE(sounding, Voices * blocks);
    QVERIFY(heard > 0.0);
    for (const auto& [level, mute] : {std::pair(0.3F, true), std::pair(0.0F, false)}) {
        const auto [silent, same, nothing] = filtered(level, mute);
        QCOMPARE(silent, std::uint64_t{0});
        QCOMPARE(same, blocks);
        QCOMPARE(nothing, 0.0);
    }
}

void TestRenderer::hostileInput() {
    auto renderer = makeRenderer();
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double inf = std::numeric_limits<double>::infinity();
    std::vector<SourceId> ids;
    for (const glm::dvec3 position :
         {glm::dvec3(0.0), glm::dvec3(0.0875, 0.0, 0.0), glm::dvec3(nan, 0.0, 0.0),
          glm::dvec3(inf, 1.0, -inf), glm::dvec3(1e9, 0.0, 0.0), glm::dvec3(0.0, -1e-12, 0.0),
          glm::dvec3(0.0, 3.0, 0.0), glm::dvec3(0.0, -3.0, 0.0)}) {
        SourceSettings settings;
        settings.referenceDistance = 0.0F;
        settings.gain = 1.0F;
        ids.push_back(renderer->add(settings, still(position)));
        renderer->play(ids.back(), tone(700.0));
    }
    SourceSettings bad;
    bad.gain = std::numeric_limits<float>::quiet_NaN();
    bad.rolloff = -3.0F;
    bad.transmissionHz = std::numeric_limits<float>::infinity();
    bad.occlusion = 7.0F;
    renderer->set(ids[7], bad);
    renderer->setPitch(ids[0], nan);
    for (int i = 0; i < 200; ++i) {
        ControlPoint point = still(towards(i * 77.0, i * 13.0, i % 5 == 0 ? 1e6 : 0.01 * i));
        point.velocity = {1e9 * (i % 3), nan * (i % 2), 0.0};
        point.at = i % 7 * 1000 - 3000;
        renderer->move(ids[static_cast<std::size_t>(i) % ids.size()], point);
        if (i % 11 == 0) {
            point.orientation = Quat(0.0F, 0.0F, 0.0F, 0.0F);
            renderer->moveListener(point);
        }
        const Stereo out = render(*renderer, 300);
        for (const std::vector<double>* ear : {&out.left, &out.right}) {
            for (const double value : *ear) {
                QVERIFY(std::isfinite(value));
                QVERIFY(std::abs(value) <= 0.892);
            }
        }
    }
    for (int i = 0; i < 1000; ++i) {
        const SourceId id = renderer->add(SourceSettings{}, still({0.01 * i, 0.0, -1.0}));
        QVERIFY(bool(id));
        renderer->play(id, tone(200.0 + i));
        renderer->remove(id);
        if (i % 20 == 0) {
            QVERIFY(std::isfinite(peakOf(render(*renderer, 256).left)));
        }
    }
    QVERIFY(renderer->snapshot().badSamples == 0);
}

void TestRenderer::limiterHoldsTheCeiling() {
    auto renderer = makeRenderer();
    for (int i = 0; i < 12; ++i) {
        SourceSettings settings = bare();
        settings.gain = 3.0F;
        const SourceId id = renderer->add(settings, still(towards(30.0 * i, 0.0, 2.0)));
        renderer->play(id, tone(200.0 + 310.0 * i), nullptr, 4000);
    }
    const Stereo out = render(*renderer, 48000);
    QVERIFY(peakOf(out.left) <= 0.8914);
    QVERIFY(peakOf(out.right) <= 0.8914);
    QVERIFY(peakOf(out.left) > 0.7);
    QVERIFY(renderer->snapshot().limiterGain < 0.5F);
}

void TestRenderer::nothingClicks_data() {
    QTest::addColumn<int>("event");
    QTest::newRow("set changes") << 0;
    QTest::newRow("source leaves") << 1;
    QTest::newRow("mute") << 2;
    QTest::newRow("stop") << 3;
    QTest::newRow("occlusion") << 4;
    QTest::newRow("gain") << 5;
    QTest::newRow("quality") << 6;
    QTest::newRow("mode") << 7;
    QTest::newRow("volume") << 8;
    QTest::newRow("another source comes and goes") << 9;
    QTest::newRow("unmute") << 10;
    QTest::newRow("room") << 11;
    QTest::newRow("listener") << 12;
}

void TestRenderer::nothingClicks() {
    QFETCH(int, event);
    auto renderer = makeRenderer();
    SourceSettings settings = bare();
    settings.gain = 0.3F;
    const SourceId id = renderer->add(settings, still(towards(40.0, 0.0, 1.4)));
    renderer->play(id, tone(1000.0));
    const Stereo before = render(*renderer, 24000);
    if (event == 10) {
        settings.mute = true;
        renderer->set(id, settings);
        render(*renderer, 9600);
    }
    switch (event) {
    case 0:
        QVERIFY(renderer->setHrtf(HrtfSet::sphere(48000.0)));
        break;
    case 1:
        QVERIFY(renderer->remove(id));
        break;
    case 2:
        settings.mute = true;
        renderer->set(id, settings);
        break;
    case 3:
        renderer->stop(id);
        break;
    case 4:
        settings.occlusion = 1.0F;
        renderer->set(id, settings);
        break;
    case 5:
        settings.gain = 0.05F;
        renderer->set(id, settings);
        break;
    case 6:
        renderer->setQuality(Quality::Balanced);
        break;
    case 7:
        renderer->setMode(Mode::Pan);
        break;
    case 8:
        renderer->setMasterGain(0.0F);
        break;
    case 9: {
        // It swells by itself: what is asked is whether its coming and going do anything to what is there.
        std::vector<float> swell(6000);
        for (std::size_t n = 0; n < swell.size(); ++n) {
            swell[n] = static_cast<float>(0.05 * (0.5 - 0.5 * std::cos(2.0 * pi * static_cast<double>(n) / 6000.0)));
        }
        const SourceId other = renderer->add(settings, still(towards(-60.0, 0.0, 1.4)));
        renderer->play(other, sound(), std::make_shared<ResidentSound>(std::move(swell)));
        renderer->remove(other, 8000 + 24000);
        break;
    }
    case 10:
        settings.mute = false;
        renderer->set(id, settings);
        break;
    case 11: {
        Room room;
        room.present = true;
        room.early = room.late = 0.1F; // hardly louder by it
        QVERIFY(renderer->setRoom(room));
        break;
    }
    default: {
        ControlPoint there = still({-2.0, 0.0, 0.5});
        there.teleport = true;
        renderer->moveListener(there);
        break;
    }
    }
    const Stereo after = render(*renderer, 12000);
    for (int ear = 0; ear < 2; ++ear) {
        const double steady = largestSecondDifference(part(before.ear(ear), 12000, 12000));
        const std::ptrdiff_t lead = event == 10 ? 0 : 100; // there silence lies between
        std::vector<double> joined(before.ear(ear).end() - lead, before.ear(ear).end());
        joined.insert(joined.end(), after.ear(ear).begin(), after.ear(ear).end());
        // A set may be louder than the one before; otherwise the level does not rise.
        const double louder = std::max(1.0, peakOf(part(after.ear(ear), 9000, 3000))
                                                / peakOf(part(before.ear(ear), 12000, 12000)));
        const double ratio = largestSecondDifference(joined) / (steady * louder);
        QVERIFY2(ratio <= 1.5, qPrintable(QString::number(ratio)));
    }
}

void TestRenderer::stopAndPitch() {
    auto renderer = makeRenderer();
    renderer->setMode(Mode::Mono);
    const SourceId id = renderer->add(bare(), still({0.0, 0.0, -34.029})); // 4800 frames away
    renderer->play(id, tone(1000.0));
    renderer->setPitch(id, 1.5, 24000);
    renderer->stop(id, 48000);
    const Stereo out = render(*renderer, 57600);
    const std::size_t late = 4800 + static_cast<std::size_t>(Renderer::latencyFrames());
    QVERIFY(std::abs(frequencyOf(part(out.left, 12000, 12000), 48000.0, 1000.0) - 1000.0) < 0.05);
    QVERIFY(std::abs(frequencyOf(part(out.left, 24000 + late + 64, 12000), 48000.0, 1500.0) - 1500.0) < 0.05);
    QVERIFY(rmsOf(part(out.left, 24000 + late - 400, 300)) > 0.5); // still the old pitch on its way
    QVERIFY(rmsOf(part(out.left, 48000 + late - 400, 300)) > 0.5);
    QVERIFY(peakOf(part(out.left, 48000 + late + 700, 300)) == 0.0); // two blocks after the fade
    QVERIFY(!renderer->snapshot().sources[0].playing);
}

void TestRenderer::virtualVoicesComeBackInPhase() {
    const auto run = [](bool crowded) {
        RendererSettings settings;
        settings.voiceBudget = 2;
        settings.maximumSources = 8;
        auto renderer = makeRenderer(settings);
        SourceSettings quiet = bare();
        quiet.gain = 0.02F; // far from the limiter, whose gain would tell the two runs apart
        SourceSettings louder = bare();
        louder.gain = 0.05F;
        const SourceId id = renderer->add(quiet, still({0.0, 0.0, -2.0}));
        Signal pitched = sound(true);
        pitched.pitch = 1.03;
        std::vector<float> frames(9600);
        for (std::size_t n = 0; n < frames.size(); ++n) {
            frames[n] =
                std::sin(2.0F * std::numbers::pi_v<float> * 500.0F * static_cast<float>(n) / 48000.0F);
        }
        renderer->play(id, pitched, std::make_shared<ResidentSound>(std::move(frames)));
        std::vector<SourceId> loud;
        render(*renderer, 9600);
        bool wasVirtual = false;
        if (crowded) {
            for (int i = 0; i < 3; ++i) {
                loud.push_back(renderer->add(louder, still({1.0, 0.0, 0.0})));
                renderer->play(loud.back(), tone(3000.0));
            }
        }
        render(*renderer, 24000);
        for (std::uint32_t i = 0; i < renderer->snapshot().sourceCount; ++i) {
            const SourceState& state = renderer->snapshot().sources[i];
            wasVirtual = wasVirtual || (state.id == id && state.reason == SilentReason::VoiceLimit);
        }
        for (const SourceId other : loud) {
            renderer->remove(other);
        }
        render(*renderer, 14400);
        Stereo out = render(*renderer, 4800);
        out.right = {wasVirtual ? 1.0 : 0.0};
        return out;
    };
    const Stereo alone = run(false);
    const Stereo back = run(true);
    QCOMPARE(alone.right[0], 0.0);
    QCOMPARE(back.right[0], 1.0);
    QVERIFY(peakOf(alone.left) > 0.01);
    for (std::size_t n = 0; n < alone.left.size(); ++n) {
        QVERIFY(std::abs(alone.left[n] - back.left[n]) < 1e-6);
    }
}

void TestRenderer::priorityAndReasons() {
    RendererSettings settings;
    settings.voiceBudget = 1;
    settings.maximumSources = 8;
    auto renderer = makeRenderer(settings);
    SourceSettings important;
    important.priority = 10.0F;
    important.gain = 0.01F;
    const SourceId first = renderer->add(important, still({5.0, 0.0, 0.0}));
    const SourceId loud = renderer->add(SourceSettings{}, still({1.0, 0.0, 0.0}));
    SourceSettings far;
    far.distanceModel = DistanceModel::Linear;
    far.maximumDistance = 10.0F;
    const SourceId beyond = renderer->add(far, still({40.0, 0.0, 0.0}));
    SourceSettings coned;
    coned.coneInner = 30.0F;
    coned.coneOuter = 40.0F;
    const SourceId away = renderer->add(coned, still({0.0, 0.0, -3.0}));
    SourceSettings walled;
    walled.occlusion = 1.0F;
    walled.transmissionGain = 0.0F;
    const SourceId behind = renderer->add(walled, still({0.0, 0.0, -3.0}));
    const SourceId idle = renderer->add(SourceSettings{}, still({0.0, 0.0, -3.0}));
    for (const SourceId id : {first, loud, beyond, away, behind}) {
        renderer->play(id, tone(400.0));
    }
    render(*renderer, 4800);
    const auto reason = [&](SourceId id) { return reasonOf(*renderer, id); };
    QVERIFY(reason(first) == SilentReason::Heard);
    QVERIFY(reason(loud) == SilentReason::VoiceLimit);
    QVERIFY(reason(beyond) == SilentReason::Distance);
    QVERIFY(reason(away) == SilentReason::Cone);
    QVERIFY(reason(behind) == SilentReason::Occlusion);
    QVERIFY(reason(idle) == SilentReason::NotPlaying);
    QCOMPARE(renderer->snapshot().realVoices, 1U);
    const SourceState& heard = renderer->snapshot().sources[0];
    QVERIFY(std::abs(heard.azimuth - std::numbers::pi_v<float> / 2.0F) < 0.01F);
    QVERIFY(std::abs(heard.delay - 5.0F / 340.29F) < 1e-5F);
    QVERIFY(std::abs(heard.itd - 652e-6F) < 15e-6F);
    QVERIFY(std::abs(heard.gain - 0.01F / 5.0F) < 1e-5F);
}

// No gain alone is inaudible, together they are: the lowest of them is told, and not that voices are short.
void TestRenderer::whatIsTooQuietInAllSaysWhy() {
    auto renderer = makeRenderer();
    const auto add = [&](float gain, double distance, float outside, float through) {
        SourceSettings settings = bare();
        settings.distanceModel = DistanceModel::Inverse;
        settings.gain = gain;
        settings.coneInner = settings.coneOuter = 90.0F;
        settings.coneOuterGain = outside;
        settings.occlusion = 1.0F;
        settings.transmissionGain = through;
        const SourceId id = renderer->add(settings, still({0.0, 0.0, -distance})); // turned away
        renderer->play(id, tone(400.0));
        return id;
    };
    const SourceId far = add(0.01F, 500.0, 0.3F, 1.0F);
    const SourceId aside = add(0.1F, 20.0, 0.001F, 0.5F);
    const SourceId behind = add(0.1F, 20.0, 0.5F, 0.001F);
    const SourceId low = add(0.001F, 100.0, 0.5F, 0.5F);
    const SourceId audible = add(0.1F, 2.0, 0.1F, 0.1F);
    render(*renderer, 4800);
    const auto reason = [&](SourceId id) { return reasonOf(*renderer, id); };
    QVERIFY(reason(far) == SilentReason::Distance);
    QVERIFY(reason(aside) == SilentReason::Cone);
    QVERIFY(reason(behind) == SilentReason::Occlusion);
    QVERIFY(reason(low) == SilentReason::Muted);
    QVERIFY(reason(audible) == SilentReason::Heard);
    QCOMPARE(renderer->snapshot().realVoices, 1U);
}

void TestRenderer::finishedSoundsFreeTheirVoice() {
    auto renderer = makeRenderer();
    const SourceId id = renderer->add(SourceSettings{}, still({0.0, 0.0, -2.0}));
    const auto click = impulse(0, 1000);
    const std::weak_ptr<const SoundData> watch = click;
    {
        const auto owned = std::make_shared<ResidentSound>(std::vector<float>(1000, 0.1F));
        const std::weak_ptr<const SoundData> life = owned;
        renderer->play(id, sound(), owned);
        render(*renderer, 4800);
        QVERIFY(!renderer->snapshot().sources[0].playing);
        QCOMPARE(renderer->snapshot().realVoices, 0U);
    }
    renderer->play(id, sound(), click);
    render(*renderer, 4800);
    renderer->remove(id);
    render(*renderer, 1280);
    renderer->collect();
    QCOMPARE(renderer->snapshot().sourceCount, 0U);
    QCOMPARE(watch.use_count(), 1L); // ours alone
}

void TestRenderer::slotsAreReused() {
    RendererSettings settings;
    settings.maximumSources = 2;
    auto renderer = makeRenderer(settings);
    const SourceId a = renderer->add(SourceSettings{}, still({0.0, 0.0, -1.0}));
    const SourceId b = renderer->add(SourceSettings{}, still({0.0, 0.0, -1.0}));
    QVERIFY(bool(a) && bool(b));
    QVERIFY(!renderer->add(SourceSettings{}, still({0.0, 0.0, -1.0})));
    QVERIFY(renderer->remove(a));
    render(*renderer, 512);
    const SourceId c = renderer->add(SourceSettings{}, still({0.0, 0.0, -1.0}));
    QVERIFY(bool(c));
    QVERIFY(c != a);
    QVERIFY(!renderer->remove(a));  // stale
    renderer->play(a, tone(300.0)); // comes too late, does nothing
    const Stereo out = render(*renderer, 4800);
    QVERIFY(peakOf(out.left) == 0.0);
}

void TestRenderer::refusesWhatItCannotDo() {
    RendererSettings settings;
    settings.sampleRate = 192000.0;
    QVERIFY(!Renderer::create(settings, kemar()).ok());
    settings.sampleRate = 44100.0;
    QVERIFY(!Renderer::create(settings, kemar(48000.0)).ok());
    settings.sampleRate = 48000.0;
    settings.commandCapacity = 100;
    QVERIFY(!Renderer::create(settings, kemar()).ok());
    auto renderer = makeRenderer();
    QVERIFY(!renderer->setHrtf(kemar(44100.0)));
    QVERIFY(!renderer->setAir({200.0, 50.0, 101.0}));
    QVERIFY(!renderer->move({}, still({0.0, 0.0, 0.0})));
    // A full ring refuses and counts.
    int refused = 0;
    for (int i = 0; i < 9000; ++i) {
        refused += renderer->setMasterGain(1.0F) ? 0 : 1;
    }
    QCOMPARE(refused, 9000 - 8192);
    render(*renderer, 1024);
    QCOMPARE(renderer->snapshot().droppedCommands, std::uint64_t{808});
}

QTEST_GUILESS_MAIN(TestRenderer)
#include "tst_renderer.moc"
