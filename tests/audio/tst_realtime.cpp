#include "audio_fixture.h"
#include "engine/audio/detail/spsc_ring.h"
#include "engine/audio/detail/triple_buffer.h"
#include "engine/audio/sound_file.h"
#include "engine/audio/streamed_sound.h"

#include <dlfcn.h>
#include <pthread.h>

#include <atomic>
#include <bit>
#include <thread>

// The audio thread's promise: while a thread is marked, it may neither allocate, free nor lock.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define SBX_WATCHED 1
static thread_local bool t_watched = false;
static std::atomic<int> g_offences{0};
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* block, std::size_t size);
void __libc_free(void* block);
void* malloc(std::size_t size) {
    g_offences += t_watched ? 1 : 0;
    return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
    g_offences += t_watched ? 1 : 0;
    return __libc_calloc(count, size);
}
void* realloc(void* block, std::size_t size) {
    g_offences += t_watched ? 1 : 0;
    return __libc_realloc(block, size);
}
void free(void* block) {
    g_offences += t_watched && block != nullptr ? 1 : 0;
    __libc_free(block);
}
ssize_t read(int file, void* into, std::size_t size) {
    g_offences += t_watched ? 1 : 0;
    using Read = ssize_t (*)(int, void*, std::size_t);
    static const Read real = reinterpret_cast<Read>(dlsym(RTLD_NEXT, "read"));
    return real(file, into, size);
}
int pthread_mutex_lock(pthread_mutex_t* mutex) {
    using Lock = int (*)(pthread_mutex_t*);
    static const Lock real = reinterpret_cast<Lock>(dlsym(RTLD_NEXT, "pthread_mutex_lock"));
    g_offences += t_watched ? 1 : 0;
    return real(mutex);
}
}
#endif

using namespace sbx::audio;
using namespace sbx::audio::test;

class TestRealtime : public QObject {
    Q_OBJECT

private slots:
    void ringKeepsOrder();
    void tripleBufferIsNeverTorn();
    void renderNeitherAllocatesNorLocks();
    void twoThreads();
    void denormalsAreFlushed();
    void dyingAwayLeavesNoDenormals();
    void comingsAndGoingsNeitherAllocateNorLock();
    void everythingAtOnceNeitherAllocatesNorLocks();
};

void TestRealtime::ringKeepsOrder() {
    SpscRing<std::uint64_t> ring(64);
    std::thread writer([&] {
        for (std::uint64_t i = 0; i < 20000;) {
            if (ring.push(i)) {
                ++i;
            } else {
                std::this_thread::yield();
            }
        }
    });
    std::uint64_t expected = 0;
    bool ordered = true;
    while (expected < 20000) {
        if (const std::uint64_t* value = ring.front()) {
            ordered = ordered && *value == expected;
            ring.pop();
            ++expected;
        } else {
            std::this_thread::yield();
        }
    }
    writer.join();
    QVERIFY(ordered);
}

void TestRealtime::tripleBufferIsNeverTorn() {
    struct Pair {
        std::array<std::uint64_t, 32> values{};
    };
    TripleBuffer<Pair> buffer{Pair{}};
    std::atomic<bool> done{false};
    std::thread writer([&] {
        for (std::uint64_t i = 1; i <= 20000; ++i) {
            buffer.writing().values.fill(i);
            buffer.publish();
        }
        done = true;
    });
    bool whole = true;
    bool rising = true;
    std::uint64_t last = 0;
    while (!done) {
        const Pair& pair = buffer.newest();
        rising = rising && pair.values[0] >= last;
        last = pair.values[0];
        for (const std::uint64_t value : pair.values) {
            whole = whole && value == last;
        }
    }
    writer.join();
    QVERIFY(whole);
    QVERIFY(rising);
    QCOMPARE(buffer.newest().values[7], std::uint64_t{20000});
}

void TestRealtime::renderNeitherAllocatesNorLocks() {
#ifdef SBX_WATCHED
    auto renderer = makeRenderer();
    const auto sphere = HrtfSet::sphere(48000.0);
    std::vector<float> buffer(1024);
    std::vector<SourceId> ids;
    g_offences = 0;
    const auto rendered = [&] {
        t_watched = true;
        renderer->render(buffer);
        t_watched = false;
    };
    for (int i = 0; i < 200; ++i) {
        if (i % 2 == 0) {
            ids.push_back(renderer->add(SourceSettings{}, still(towards(i * 17.0, 0.0, 0.1 + i * 0.05))));
            if (i % 4 == 0) {
                renderer->play(ids.back(), sound(true),
                               std::make_shared<ResidentSound>(std::vector<float>(3000, 0.01F)));
                renderer->setPitch(ids.back(), 1.2);
            } else {
                renderer->play(ids.back(), tone(300.0 + i));
            }
        }
        renderer->move(ids[static_cast<std::size_t>(i) % ids.size()], still(towards(i * 31.0, 20.0, 2.0)));
        if (i % 5 == 0) {
            renderer->remove(ids[static_cast<std::size_t>(i) / 3]);
        }
        if (i == 60) {
            renderer->setHrtf(sphere);
        }
        renderer->setMode(static_cast<Mode>(i / 10 % 5));
        renderer->setQuality(static_cast<Quality>(i / 7 % 4));
        rendered();
    }
    QCOMPARE(g_offences.load(), 0);
    // The watch itself works.
    t_watched = true;
    std::free(std::malloc(10));
    t_watched = false;
    QVERIFY(g_offences.load() >= 1);
#else
    QSKIP("sanitizers have their own allocator");
#endif
}

void TestRealtime::twoThreads() {
    auto renderer = makeRenderer();
    std::atomic<bool> done{false};
    std::atomic<bool> finite{true};
    std::atomic<std::uint32_t> rendered{0}; // how often
    std::thread audio([&] {
        std::vector<float> buffer(512);
        while (!done) {
            renderer->render(buffer);
            ++rendered;
            rendered.notify_one();
            for (const float value : buffer) {
                if (!std::isfinite(value)) {
                    finite = false;
                }
            }
        }
    });
    std::vector<SourceId> ids;
    std::uint64_t heard = 0;
    for (int i = 0; i < 400; ++i) {
        if (ids.size() < 8) {
            const SourceId id = renderer->add(SourceSettings{}, still(towards(i * 20.0, 0.0, 2.0)));
            if (id) {
                renderer->play(id, sound(true),
                               std::make_shared<ResidentSound>(std::vector<float>(3000, 0.01F)));
                ids.push_back(id);
            }
        } else {
            renderer->remove(ids.front());
            ids.erase(ids.begin());
        }
        for (const SourceId id : ids) {
            renderer->move(id, still(towards(i * 13.0, 0.0, 2.0)));
        }
        heard += renderer->snapshot().realVoices;
        if (i == 100) {
            renderer->setHrtf(HrtfSet::sphere(48000.0));
        }
        const std::uint32_t before = rendered;
        rendered.wait(before); // the audio thread takes the commands while more are given
    }
    done = true;
    audio.join();
    renderer->collect();
    QVERIFY(finite);
    QVERIFY(heard > 0);
}

namespace {

// Whether denormal numbers are taken for zero on this thread, so that no arithmetic goes the slow way.
bool flushesDenormals() {
    const volatile float denormal = 1e-39F;
    const volatile float one = 1.0F;
    const volatile float product = denormal * one;
    return std::bit_cast<std::uint32_t>(float{product}) == 0U;
}

// Is read by the audio thread while it renders, and sees what it does with denormals then.
class Witness final : public SoundData {
public:
    explicit Witness(std::vector<float> frames) : m_sound(std::move(frames)) {}
    [[nodiscard]] std::int64_t length() const noexcept override { return m_sound.length(); }
    void read(std::int64_t from, int count, bool loop, float* out) const noexcept override {
        ++reads;
        flushed += flushesDenormals() ? 1 : 0;
        m_sound.read(from, count, loop, out);
    }
    mutable int reads = 0;
    mutable int flushed = 0;

private:
    ResidentSound m_sound;
};

} // namespace

// Sound at the level of denormal numbers: the audio thread computes with none, and leaves its caller's arithmetic as it was.
void TestRealtime::denormalsAreFlushed() {
#ifdef __x86_64__
    QVERIFY(!flushesDenormals());
    auto renderer = makeRenderer();
    const auto sounds = std::make_shared<Witness>(std::vector<float>(3000, 1e-39F));
    for (int i = 0; i < 16; ++i) {
        SourceSettings settings = bare();
        settings.occlusion = 0.5F;
        const SourceId id = renderer->add(settings, still(towards(i * 20.0, 0.0, 2.0)));
        renderer->play(id, sound(true), sounds);
    }
    const Stereo out = render(*renderer, 24000);
    QVERIFY(sounds->reads > 1000);
    QCOMPARE(sounds->flushed, sounds->reads);
    QCOMPARE(std::max(peakOf(out.left), peakOf(out.right)), 0.0);
    QVERIFY(!flushesDenormals());
#else
    QSKIP("denormals are flushed on x86-64 only");
#endif
}

// A minute of a room dying away, through the numbers that are nearly none: neither what is read nor what comes out of voices, room and
// limiter is ever denormal.
void TestRealtime::dyingAwayLeavesNoDenormals() {
#ifdef __x86_64__
    // A sound that falls by 20 dB a second for a minute, far below the smallest of numbers.
    std::vector<float> frames(60 * 48000);
    double level = 0.3;
    for (std::size_t n = 0; n < frames.size(); ++n) {
        frames[n] = static_cast<float>(level * std::sin(0.05 * static_cast<double>(n)));
        level *= std::pow(10.0, -1.0 / 48000.0);
    }
    const auto dying = std::make_shared<Witness>(std::move(frames));
    const auto renderer = makeRenderer();
    Room room;
    room.present = true;
    room.rt60 = {1.0, 1.0, 0.5}; // dies away faster than the sound
    QVERIFY(renderer->setRoom(room));
    SourceSettings settings = bare();
    settings.occlusion = 0.5F;
    const SourceId id = renderer->add(settings, still({1.0, 0.0, -1.0}));
    render(*renderer, 9600);
    renderer->play(id, sound(), dying);
    std::vector<float> buffer(2 * 4800);
    std::array<float, 60> peaks{}; // of each second
    for (float& peak : peaks) {
        for (int tenth = 0; tenth < 10; ++tenth) {
            renderer->render(buffer);
            for (const float value : buffer) {
                QVERIFY(std::fpclassify(value) != FP_SUBNORMAL);
                peak = std::max(peak, std::abs(value));
            }
        }
    }
    QVERIFY(peaks[0] > 1e-2F);
    QVERIFY(std::any_of(peaks.begin(), peaks.end(), [](float peak) { return peak > 0.0F && peak < 1e-36F; })); // nearly none
    QCOMPARE(peaks.back(), 0.0F);
    QVERIFY(dying->reads > 10000);
    QCOMPARE(dying->flushed, dying->reads);
#else
    QSKIP("denormals are flushed on x86-64 only");
#endif
}

// A thousand sources come, sound and go, and after that none is left: then there is silence, and it costs no memory either.
void TestRealtime::comingsAndGoingsNeitherAllocateNorLock() {
#ifdef SBX_WATCHED
    auto renderer = makeRenderer();
    const auto data = std::make_shared<ResidentSound>(std::vector<float>(3000, 0.01F));
    std::vector<float> buffer(512);
    float peak = 0.0F;
    g_offences = 0;
    const auto rendered = [&] {
        t_watched = true;
        renderer->render(buffer);
        t_watched = false;
        peak = 0.0F;
        for (const float value : buffer) {
            QVERIFY(std::isfinite(value) && std::abs(value) <= 0.892F);
            peak = std::max(peak, std::abs(value));
        }
    };
    rendered(); // none at all
    QCOMPARE(peak, 0.0F);
    float loudest = 0.0F;
    for (int i = 0; i < 1000; ++i) {
        const SourceId id = renderer->add(SourceSettings{}, still(towards(i * 7.0, i % 60, 0.3 + 0.01 * i)));
        QVERIFY(bool(id));
        QVERIFY(renderer->play(id, sound(true), data));
        rendered();
        loudest = std::max(loudest, peak);
        QVERIFY(renderer->remove(id));
    }
    QVERIFY(loudest > 0.0F);
    for (int i = 0; i < 40; ++i) {
        rendered();
    }
    QCOMPARE(peak, 0.0F);
    QCOMPARE(renderer->snapshot().sourceCount, 0U);
    QCOMPARE(g_offences.load(), 0);
#else
    QSKIP("sanitizers have their own allocator");
#endif
}

// A file read while it plays: the audio thread neither opens, reads, allocates nor locks; nor in a room, with everything at once.
void TestRealtime::everythingAtOnceNeitherAllocatesNorLocks() {
#ifdef SBX_WATCHED
    const QTemporaryDir folder;
    const std::filesystem::path path = folder.filePath(QStringLiteral("long.wav")).toStdString();
    std::vector<float> stereo(2 * 400000, 0.1F);
    QVERIFY(writeWav(path, stereo, 48000.0).ok());
    auto stream = StreamedSound::open(path, 48000.0);
    QVERIFY(stream.ok());
    auto renderer = makeRenderer();
    renderer->setTap(true);
    std::vector<float> buffer(1024);
    const double nan = std::nan("");
    const std::array<glm::dvec3, 6> places = {glm::dvec3(0.0), {0.0875, 0.0, 0.0}, {nan, 0.0, 0.0}, {1e9, 0.0, 0.0}, {1.0, 0.5, -1.0}, {0.0, 1.0, 2.0}};
    std::vector<SourceId> ids;
    g_offences = 0;
    for (int i = 0; i < 400; ++i) {
        if (ids.size() < 12) {
            SourceSettings settings;
            settings.occlusion = static_cast<float>(i % 3) * 0.5F;
            ids.push_back(renderer->add(settings, still(places[static_cast<std::size_t>(i) % places.size()])));
            Signal signal = sound(i % 2 == 0);
            signal.offset = i % 8;
            signal.pitch = 0.5 + 0.25 * (i % 7);
            renderer->play(ids.back(), signal, *stream);
        }
        if (i % 9 == 8) {
            renderer->remove(ids.front());
            ids.erase(ids.begin());
        }
        if (i % 40 == 0) {
            Room room;
            room.present = i % 80 == 0;
            room.order = i / 40 % 3;
            renderer->setRoom(room);
            renderer->setAir(Air{10.0 + i % 20, 50.0, 101.0});
            EarMix ears;
            ears.swap = i % 80 == 0;
            renderer->setEars(ears);
        }
        renderer->move(ids[static_cast<std::size_t>(i) % ids.size()], still(places[static_cast<std::size_t>(i) * 7 % places.size()]));
        renderer->watch(ids.front());
        t_watched = true;
        renderer->render(buffer);
        t_watched = false;
        for (const float value : buffer) {
            QVERIFY(std::isfinite(value) && std::abs(value) <= 0.892F);
        }
    }
    QCOMPARE(g_offences.load(), 0);
#else
    QSKIP("sanitizers have their own allocator");
#endif
}

QTEST_GUILESS_MAIN(TestRealtime)
#include "tst_realtime.moc"
