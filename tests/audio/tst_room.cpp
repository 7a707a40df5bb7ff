// The room, measured from what is rendered: when its reflections come, how long it rings, how loud, and where it is not heard.

#include "audio_fixture.h"
#include "engine/audio/detail/room.h"

using namespace sbx::audio;
using namespace sbx::audio::test;

namespace {

constexpr double Rate = 48000.0;

std::unique_ptr<Renderer> roomRenderer() {
    static const std::shared_ptr<const HrtfSet> set = HrtfSet::sphere(Rate);
    RendererSettings settings;
    settings.maximumSources = settings.voiceBudget = 4;
    settings.roomReach = 60.0;
    return makeRenderer(settings, set);
}

Room box() {
    Room room;
    room.present = true;
    room.size = {8.0, 3.5, 6.0};
    return room;
}

// What the room adds to a sound from `place`, heard at the origin.
Stereo wet(const Room& room, const glm::dvec3& place, const Signal& signal, const std::shared_ptr<const SoundData>& data,
           std::size_t frames, Mode mode = Mode::Hrtf, float gain = 1.0F) {
    std::array<Stereo, 2> both;
    for (const bool with : {false, true}) {
        const auto renderer = roomRenderer();
        renderer->setMode(mode);
        if (with && !renderer->setRoom(room)) {
            qFatal("room refused");
        }
        render(*renderer, 8192); // until the room is there
        SourceSettings settings;
        settings.airAbsorption = settings.nearField = false;
        settings.gain = gain;
        const SourceId id = renderer->add(settings, still(place));
        render(*renderer, 8192);
        renderer->play(id, signal, data);
        both[with ? 1 : 0] = render(*renderer, frames);
    }
    for (std::size_t n = 0; n < frames; ++n) {
        both[1].left[n] -= both[0].left[n];
        both[1].right[n] -= both[0].right[n];
    }
    return both[1];
}

// Seconds until 60 dB down between two frequencies: backward-integrated energy (M. R. Schroeder, "New method of measuring
// reverberation time", 1965) of short spectra, its slope from -5 to -35 dB.
double reverberation(const std::vector<double>& response, double lowest, double highest) {
    constexpr std::size_t Size = 1024;
    constexpr std::size_t Hop = 256;
    std::vector<double> energy;
    for (std::size_t start = 0; start + Size <= response.size(); start += Hop) {
        std::vector<double> windowed(Size);
        for (std::size_t i = 0; i < Size; ++i) {
            windowed[i] = response[start + i] * (0.5 - 0.5 * std::cos(2.0 * pi * static_cast<double>(i) / Size));
        }
        const std::vector<Complex> bins = spectrumOf(windowed, Size);
        double sum = 0.0;
        for (std::size_t k = 0; k < bins.size(); ++k) {
            const double f = static_cast<double>(k) * Rate / Size;
            sum += f >= lowest && f <= highest ? std::norm(bins[k]) : 0.0;
        }
        energy.push_back(sum);
    }
    for (std::size_t i = energy.size() - 1; i-- > 0;) {
        energy[i] += energy[i + 1];
    }
    double n = 0.0;
    double sumT = 0.0;
    double sumL = 0.0;
    double sumTT = 0.0;
    double sumTL = 0.0;
    for (std::size_t i = 0; i < energy.size(); ++i) {
        const double level = 10.0 * std::log10(energy[i] / energy[0]);
        if (level < -5.0 && level > -35.0) {
            const double t = static_cast<double>(i * Hop) / Rate;
            n += 1.0;
            sumT += t;
            sumL += level;
            sumTT += t * t;
            sumTL += t * level;
        }
    }
    return -60.0 * (n * sumTT - sumT * sumT) / (n * sumTL - sumT * sumL);
}

} // namespace

class TestRoom : public QObject {
    Q_OBJECT

private slots:
    void ringsAsLong_data();
    void ringsAsLong();
    void reflectionsComeWhenTheyMust();
    void eachImageByItself_data();
    void eachImageByItself();
    void rightFromTheFirstSample();
    void jumpsDoNotClick();
    void reverberantLevelIsThatOfADiffuseField();
    void outsideThereIsNone();
    void comesAndGoesWithoutAClick();
    void afterwardsItIsSilent();
    void movesWithoutSplatter();
    void whatIsTurnedAwayIsHeardByTheWalls_data();
    void whatIsTurnedAwayIsHeardByTheWalls();
    void refusesWhatIsNoRoom();
};

void TestRoom::ringsAsLong_data() {
    QTest::addColumn<double>("low");
    QTest::addColumn<double>("middle");
    QTest::addColumn<double>("high");
    QTest::newRow("0.3 s") << 0.3 << 0.3 << 0.3;
    QTest::newRow("1 s") << 1.0 << 1.0 << 1.0;
    QTest::newRow("3 s") << 3.0 << 3.0 << 3.0;
    QTest::newRow("a hall") << 2.0 << 1.5 << 0.8;
}

void TestRoom::ringsAsLong() {
    QFETCH(double, low);
    QFETCH(double, middle);
    QFETCH(double, high);
    Room room = box();
    room.rt60 = {low, middle, high};
    const auto frames = static_cast<std::size_t>(1.1 * std::max({low, middle, high}) * Rate);
    const Stereo response = wet(room, {1.5, 0.2, -1.0}, sound(), impulse(0, 64), frames);
    const std::array<std::array<double, 2>, 3> bands = {{{120.0, 250.0}, {1000.0, 2000.0}, {6500.0, 9500.0}}};
    for (std::size_t band = 0; band < 3; ++band) {
        for (int ear = 0; ear < 2; ++ear) {
            const double got = reverberation(response.ear(ear), bands[band][0], bands[band][1]);
            const double wanted = room.rt60[band];
            qInfo("%g to %g Hz: %.3f s of %.3f s", bands[band][0], bands[band][1], got, wanted);
            QVERIFY2(std::abs(got / wanted - 1.0) <= 0.10, qPrintable(QStringLiteral("%1 s").arg(got)));
        }
    }
    // What both ears get is not the same.
    const std::vector<double>& l = response.left;
    const std::vector<double>& r = response.right;
    double product = 0.0;
    for (std::size_t n = 4800; n < frames; ++n) {
        product += l[n] * r[n];
    }
    QVERIFY(std::abs(product)
            < 0.3 * rmsOf(part(l, 4800, frames - 4800)) * rmsOf(part(r, 4800, frames - 4800)) * static_cast<double>(frames - 4800));
}

// The images of Allen and Berkley, each where its way says.
void TestRoom::reflectionsComeWhenTheyMust() {
    Room room = box();
    room.centre = {0.5, 0.25, -0.5};
    room.late = 0.0F;
    const glm::dvec3 place(1.5, 0.2, -1.0);
    const Stereo response = wet(room, place, sound(), impulse(), 4800, Mode::Mono);
    const std::array<glm::dvec3, 6> images = {{{2.0 * 4.5 - 1.5, 0.2, -1.0}, {-2.0 * 3.5 - 1.5, 0.2, -1.0}, {1.5, 2.0 * 2.0 - 0.2, -1.0},
                                               {1.5, -2.0 * 1.5 - 0.2, -1.0}, {1.5, 0.2, 2.0 * 2.5 + 1.0}, {1.5, 0.2, -2.0 * 3.5 + 1.0}}};
    for (const glm::dvec3& image : images) {
        const double distance = glm::length(image);
        const auto at = static_cast<std::size_t>(std::lround(distance / C * Rate)) + static_cast<std::size_t>(Renderer::latencyFrames());
        std::size_t peak = at - 8;
        for (std::size_t n = at - 8; n <= at + 8; ++n) {
            peak = std::abs(response.left[n]) > std::abs(response.left[peak]) ? n : peak;
        }
        QVERIFY2(peak + 1 >= at && peak <= at + 1, qPrintable(QStringLiteral("%1 not %2").arg(peak).arg(at)));
    }
    QVERIFY(peakOf(part(response.left, 0, 400)) < 1e-6); // nothing before the first
}

void TestRoom::eachImageByItself_data() {
    QTest::addColumn<int>("order");
    QTest::newRow("one wall") << 1;
    QTest::newRow("two walls") << 2;
}

// Every reflection against its own image: source mirrored at the walls by hand, its way's delay and level, and the walls' colour
// once for each wall. What is rendered less what is expected is small beside each of them, where it comes.
void TestRoom::eachImageByItself() {
    QFETCH(int, order);
    Room room = box();
    room.size = {23.0, 9.0, 16.0};
    room.centre = {2.1, 0.9, -1.7};
    room.rt60 = {1.4, 1.1, 0.7};
    room.order = order;
    room.late = 0.0F;
    const glm::dvec3 place(4.3, -0.8, -3.9);
    constexpr std::size_t Size = 16384;
    const Stereo response = wet(room, place, sound(), impulse(), Size, Mode::Mono);
    // All mirrors of a place at planes x = low and x = high with up to two reflections.
    struct Image {
        glm::dvec3 at;
        int walls;
    };
    std::vector<Image> images;
    const auto mirrored = [&](glm::dvec3 at, int axis, bool high) {
        const double wall = room.centre[axis] + (high ? 0.5 : -0.5) * room.size[axis];
        at[axis] = 2.0 * wall - at[axis];
        return at;
    };
    for (int first = 0; first < 6; ++first) {
        const glm::dvec3 once = mirrored(place, first / 2, first % 2 == 1);
        images.push_back({once, 1});
        for (int second = 0; second < 6 && order == 2; ++second) {
            // The same corner is reached in two orders, the same wall twice is none.
            if (second == first || (second / 2 != first / 2 && second < first)) {
                continue;
            }
            images.push_back({mirrored(once, second / 2, second % 2 == 1), 2});
        }
    }
    QCOMPARE(images.size(), order == 1 ? std::size_t{6} : std::size_t{24});
    const double volume = room.size.x * room.size.y * room.size.z;
    const double surface = 2.0 * (room.size.x * room.size.y + room.size.y * room.size.z + room.size.z * room.size.x);
    std::array<double, 3> amplitude{}; // of one wall, per band, by Eyring
    for (std::size_t band = 0; band < 3; ++band) {
        amplitude[band] = std::sqrt(std::exp(-24.0 * std::log(10.0) / C * volume / (surface * room.rt60[band])));
    }
    const ThreeBands bands(Rate);
    const std::array<double, 3> gains = bands.gainsFor(amplitude);
    for (std::size_t band = 0; band < 3; ++band) {
        QVERIFY(std::abs(decibel(std::abs(bands.at(ThreeBands::Middle[band], gains)) / amplitude[band])) < 0.1);
    }
    const std::vector<Complex> got = spectrumOf(response.left, Size);
    std::vector<std::vector<Complex>> spectra(images.size(), std::vector<Complex>(got.size()));
    std::vector<Complex> difference(got.size());
    for (std::size_t k = 0; k < got.size(); ++k) {
        const double f = static_cast<double>(k) * Rate / Size;
        // Beyond 12 kHz the reader of reflections is no longer exact.
        const double share = f < 12000.0 ? 1.0 : f < 14000.0 ? 0.5 + 0.5 * std::cos(pi * (f - 12000.0) / 2000.0) : 0.0;
        difference[k] = got[k] / ImpulseHeight * share;
        for (std::size_t i = 0; i < images.size(); ++i) {
            const double way = glm::length(images[i].at);
            const double late = way / C + Renderer::latencyFrames() / Rate;
            spectra[i][k] = std::pow(bands.at(f, gains), images[i].walls) * std::polar(share / way, -2.0 * pi * f * late);
            difference[k] -= spectra[i][k];
        }
    }
    const std::vector<double> error = signalOf(difference);
    for (std::size_t i = 0; i < images.size(); ++i) {
        const std::vector<double> one = signalOf(spectra[i]);
        const auto at = static_cast<std::size_t>(std::lround(glm::length(images[i].at) / C * Rate)) + 96 - 24;
        const double off = decibel(rmsOf(part(error, at, 64)) / rmsOf(part(one, at, 64)));
        QVERIFY2(off < -30.0,
                 qPrintable(QStringLiteral("image %1, %2 m: %3 dB").arg(i).arg(glm::length(images[i].at)).arg(off)));
    }
}

// What begins in a room is reflected as loud as what has long been there.
void TestRoom::rightFromTheFirstSample() {
    Room room = box();
    room.size = {3.0, 2.5, 3.0}; // the first come within 5 ms
    const glm::dvec3 place(0.4, 0.2, -0.5);
    const Stereo atOnce = wet(room, place, sound(), impulse(0, 64), 4800);
    const Stereo later = wet(room, place, sound(), impulse(12800, 12864), 12800 + 4800);
    QVERIFY(peakOf(part(atOnce.left, 0, 1000)) > 0.0);
    for (int ear = 0; ear < 2; ++ear) {
        double square = 0.0;
        for (std::size_t n = 0; n < 4800; ++n) {
            square += std::pow(atOnce.ear(ear)[n] - later.ear(ear)[n + 12800], 2.0);
        }
        const double off = 10.0 * std::log10(square / 4800.0) - decibel(rmsOf(part(later.ear(ear), 12800, 4800)));
        qInfo("difference %.1f dB", off);
        QVERIFY2(off < -60.0, qPrintable(QString::number(off)));
    }
}

// Source or listener is suddenly elsewhere in the room, or the room is no longer asked for: reflections do not break off.
void TestRoom::jumpsDoNotClick() {
    SourceSettings soft = bare();
    soft.gain = 0.02F;
    // Largest second difference about the event, over that of the louder of what was before and what is afterwards.
    const auto click = [&](const std::function<void(Renderer&, SourceId)>& event) {
        const auto renderer = roomRenderer();
        Room room = box();
        room.late = 0.0F;
        room.order = 2;
        renderer->setRoom(room);
        const SourceId id = renderer->add(soft, still({1.5, 0.2, -1.0}));
        renderer->play(id, tone(500.0));
        render(*renderer, 36000);
        const Stereo before = render(*renderer, 12000);
        event(*renderer, id);
        const Stereo after = render(*renderer, 12000);
        const Stereo then = render(*renderer, 12000);
        const auto largest = [](const Stereo& heard) {
            return std::max(largestSecondDifference(heard.left), largestSecondDifference(heard.right));
        };
        return largest(after) / std::max(largest(before), largest(then));
    };
    ControlPoint elsewhere = still({-1.5, 0.4, 1.0});
    elsewhere.teleport = true;
    SourceSettings placeless = soft;
    placeless.spatial = false;
    const std::array<double, 4> clicks = {
        click([&](Renderer& renderer, SourceId id) { renderer.move(id, elsewhere); }),
        click([&](Renderer& renderer, SourceId) { renderer.moveListener(elsewhere); }),
        click([&](Renderer& renderer, SourceId) { renderer.setMode(Mode::Plain); }),
        click([&](Renderer& renderer, SourceId id) { renderer.set(id, placeless); }),
    };
    qInfo("second difference: source jumps %.2f, listener %.2f, plain %.2f, no place %.2f", clicks[0], clicks[1], clicks[2],
          clicks[3]);
    for (const double ratio : clicks) {
        QVERIFY2(ratio < 3.0, qPrintable(QString::number(ratio))); // as for any jump
    }
}

void TestRoom::reverberantLevelIsThatOfADiffuseField() {
    for (const double seconds : {0.4, 1.2}) {
        Room room = box();
        room.order = 0;
        room.rt60 = {seconds, seconds, seconds};
        Signal noise;
        noise.kind = SignalKind::Noise;
        constexpr double Gain = 1.0 / 32.0; // the limiter has nothing to do
        const Stereo response = wet(room, {1.5, 0.2, -1.0}, noise, {}, 144000, Mode::Hrtf, static_cast<float>(Gain));
        const double surface = 2.0 * (8.0 * 3.5 + 3.5 * 6.0 + 6.0 * 8.0);
        const double absorbed = 1.0 - std::exp(-24.0 * std::log(10.0) / C * (8.0 * 3.5 * 6.0) / (surface * seconds));
        const double expected = std::sqrt(16.0 * pi * (1.0 - absorbed) / (surface * absorbed)) * std::sqrt(1.0 / 3.0) * Gain;
        for (int ear = 0; ear < 2; ++ear) {
            const double got = rmsOf(part(response.ear(ear), 72000, 72000));
            qInfo("%g s: %.2f dB off the diffuse field", seconds, decibel(got / expected));
            QVERIFY(std::abs(decibel(got / expected)) < 1.5);
        }
    }
}

void TestRoom::outsideThereIsNone() {
    Room room = box();
    for (const bool listenerOutside : {false, true}) {
        room.centre = listenerOutside ? glm::dvec3(0.0, 0.0, -20.0) : glm::dvec3(0.0);
        const glm::dvec3 place = listenerOutside ? glm::dvec3(0.0, 0.0, -19.0) : glm::dvec3(0.0, 0.0, -9.0);
        const Stereo response = wet(room, place, sound(), impulse(), 24000);
        QCOMPARE(peakOf(response.left), 0.0);
        QCOMPARE(peakOf(response.right), 0.0);
    }
}

void TestRoom::comesAndGoesWithoutAClick() {
    const auto renderer = roomRenderer();
    const SourceId id = renderer->add(bare(), still({1.5, 0.2, -1.0}));
    SourceSettings soft = bare();
    soft.gain = 0.02F;
    renderer->set(id, soft);
    renderer->play(id, tone(500.0));
    const Room room = box();
    renderer->setRoom(room);
    render(*renderer, 48000);
    const auto largest = [&](std::size_t frames) {
        const Stereo heard = render(*renderer, frames);
        return std::max(largestSecondDifference(heard.left), largestSecondDifference(heard.right));
    };
    double usual = largest(24000);
    Room none;
    Room other = room;
    other.rt60 = {1.0, 1.0, 1.0};
    other.size = {5.0, 3.0, 5.0};
    for (const Room& next : {none, room, other}) {
        renderer->setRoom(next);
        const double change = largest(12000);
        render(*renderer, 48000);
        const double then = largest(24000);
        qInfo("second difference %.3g, before %.3g, then %.3g", change, usual, then);
        QVERIFY(change < 1.5 * std::max(usual, then));
        usual = then;
    }
}

void TestRoom::afterwardsItIsSilent() {
    const auto renderer = roomRenderer();
    const SourceId id = renderer->add(bare(), still({1.5, 0.2, -1.0}));
    renderer->setRoom(box());
    render(*renderer, 8192);
    renderer->play(id, sound(), impulse());
    const Stereo ringing = render(*renderer, 24000);
    QVERIFY(peakOf(ringing.left) > 0.0);
    render(*renderer, 240000);
    const Stereo after = render(*renderer, 4800);
    QCOMPARE(peakOf(after.left), 0.0);
    QCOMPARE(peakOf(after.right), 0.0);
}

// A source that goes round while its images follow: the tone's energy stays near the tone.
void TestRoom::movesWithoutSplatter() {
    const auto renderer = roomRenderer();
    Room room = box();
    room.late = 0.0F;
    room.order = 2;
    renderer->setRoom(room);
    SourceSettings soft = bare();
    soft.gain = 0.02F;
    const SourceId id = renderer->add(soft, still({0.0, 0.0, -1.5}));
    Mover mover(*renderer, id, [](double t) { return glm::dvec3(1.5 * std::sin(0.5 * pi * t), 0.0, -1.5 * std::cos(0.5 * pi * t)); });
    renderer->play(id, tone(1000.0));
    const Stereo heard = render(*renderer, 192000, 512, mover);
    const std::vector<double> values =
        splatter(std::vector<double>(heard.left.begin() + 48000, heard.left.end()), Rate);
    qInfo("splatter: median %.1f dB, worst %.1f dB", median(values), worst(values));
    QVERIFY(median(values) < -60.0);
}

void TestRoom::whatIsTurnedAwayIsHeardByTheWalls_data() {
    QTest::addColumn<bool>("present");
    QTest::addColumn<bool>("plain");
    QTest::addColumn<glm::dvec3>("place");
    QTest::addColumn<bool>("heard");
    QTest::newRow("in the room") << true << false << glm::dvec3(1.5, 0.2, -1.0) << true;
    QTest::newRow("without a room") << false << false << glm::dvec3(1.5, 0.2, -1.0) << false;
    QTest::newRow("plain mode has no walls")
        << true << true << glm::dvec3(1.5, 0.2, -1.0) << true; // nor cones
    QTest::newRow("outside of it") << true << false << glm::dvec3(9.0, 0.2, -1.0) << false;
}

// A source whose cone is closed to the listener: its own way is silent, and what the walls give back is all that one facing the
// listener has from them.
void TestRoom::whatIsTurnedAwayIsHeardByTheWalls() {
    QFETCH(bool, present);
    QFETCH(bool, plain);
    QFETCH(glm::dvec3, place);
    QFETCH(bool, heard);
    const auto play = [&](bool turnedAway, bool walls) {
        const auto renderer = roomRenderer();
        renderer->setMode(plain ? Mode::Plain : Mode::Hrtf);
        if (walls && !renderer->setRoom(box())) {
            qFatal("room refused");
        }
        render(*renderer, 8192);
        SourceSettings settings;
        settings.airAbsorption = settings.nearField = false;
        settings.gain = 0.02F;
        settings.coneInner = turnedAway ? 30.0F : 360.0F;
        settings.coneOuter = turnedAway ? 60.0F : 360.0F;
        ControlPoint point = still(place);
        // Its back to the listener.
        point.orientation =
            glm::angleAxis(static_cast<float>(std::atan2(-place.x, -place.z)), glm::vec3(0.0F, 1.0F, 0.0F));
        const SourceId id = renderer->add(settings, point);
        render(*renderer, 4096);
        Signal noise;
        noise.kind = SignalKind::Noise;
        renderer->play(id, noise);
        const Stereo out = render(*renderer, 48000);
        const SourceState state = renderer->snapshot().sources[0];
        return std::pair(out, state);
    };
    const auto [out, state] = play(true, present);
    QCOMPARE(peakOf(out.left) > 0.0, heard);
    QCOMPARE(peakOf(out.right) > 0.0, heard);
    QCOMPARE(state.reason == SilentReason::Heard, heard);
    QCOMPARE(state.reason == SilentReason::Cone, !heard);
    QCOMPARE(state.isVirtual, !heard);
    if (!heard || plain) {
        return;
    }
    QVERIFY(state.reflected);
    QCOMPARE(state.coneGain, 0.0F);
    const Stereo facing = play(false, true).first;
    const Stereo direct = play(false, false).first;
    double worst = 0.0;
    for (std::size_t n = 0; n < out.left.size(); ++n) {
        worst = std::max({worst, std::abs(out.left[n] - (facing.left[n] - direct.left[n])),
                          std::abs(out.right[n] - (facing.right[n] - direct.right[n]))});
    }
    QVERIFY2(worst < 1e-3 * peakOf(out.left), qPrintable(QString::number(worst / peakOf(out.left))));
}

void TestRoom::refusesWhatIsNoRoom() {
    const auto renderer = roomRenderer();
    const auto refused = [&](auto change) {
        Room room = box();
        change(room);
        return !renderer->setRoom(room);
    };
    QVERIFY(refused([](Room& r) { r.size.y = 0.0; }));
    QVERIFY(refused([](Room& r) { r.size.x = std::nan(""); }));
    QVERIFY(refused([](Room& r) { r.centre.x = INFINITY; }));
    QVERIFY(refused([](Room& r) { r.rt60[1] = 0.0; }));
    QVERIFY(refused([](Room& r) { r.order = 3; }));
    QVERIFY(refused([](Room& r) { r.late = -1.0F; }));
    QVERIFY(!refused([](Room&) {}));
}

QTEST_GUILESS_MAIN(TestRoom)
#include "tst_room.moc"
