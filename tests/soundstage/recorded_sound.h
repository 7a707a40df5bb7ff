#pragma once
// A session whose sound is written to a file, and what is read off that file: for tests of what is heard.

#include <QFile>
#include <QtEndian>
#include <QtTest>

#include "engine/commands/console_commands.h"
#include "engine/session/session.h"
#include "engine/soundstage/sound_recorder.h"
#include "tests/folders.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <memory>
#include <numbers>
#include <span>
#include <string>
#include <vector>

namespace sbx::sound_test {

constexpr double Rate = SoundRecorder::SampleRate;
constexpr double SpeedOfSound = 340.29;

struct Stereo {
    std::vector<float> samples; // interleaved
    [[nodiscard]] double at(std::size_t frame, int ear) const {
        return static_cast<double>(samples[frame * 2 + static_cast<std::size_t>(ear)]);
    }
    [[nodiscard]] std::size_t frames() const { return samples.size() / 2; }
    [[nodiscard]] double rms(std::size_t from, std::size_t to, int ear) const {
        double sum = 0.0;
        for (std::size_t n = from; n < to; ++n)
            sum += at(n, ear) * at(n, ear);
        return std::sqrt(sum / static_cast<double>(to - from));
    }
    // First frame above a share of the ear's peak.
    [[nodiscard]] std::size_t onset(int ear) const {
        double peak = 0.0;
        for (std::size_t n = 0; n < frames(); ++n)
            peak = std::max(peak, std::abs(at(n, ear)));
        std::size_t n = 0;
        while (n < frames() && std::abs(at(n, ear)) < 0.2 * peak)
            ++n;
        return n;
    }
    // Frequency of a tone near `guess`, by the turn of its phase.
    [[nodiscard]] double frequency(std::size_t from, std::size_t count, double guess) const {
        const auto phase = [&](std::size_t start) {
            std::complex<double> sum;
            for (std::size_t i = 0; i < count; ++i) {
                const double window =
                    0.5 - 0.5 * std::cos(2.0 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(count));
                sum += at(start + i, 0) * window
                       * std::polar(1.0, -2.0 * std::numbers::pi * guess * static_cast<double>(start + i) / Rate);
            }
            return sum;
        };
        return guess + std::arg(phase(from + 64) * std::conj(phase(from))) * Rate / (2.0 * std::numbers::pi * 64.0);
    }
};

// How long something was heard in interleaved stereo, and how often a second the left wave went up meanwhile.
struct LengthAndPitch {
    double seconds = 0.0;
    double hertz = 0.0;
};
inline LengthAndPitch lengthAndPitch(std::span<const float> stereo) {
    std::size_t first = stereo.size();
    std::size_t last = 0;
    double rises = 0.0;
    for (std::size_t n = 0; n < stereo.size(); n += 2) {
        if (std::abs(stereo[n]) < 1e-3F)
            continue;
        first = std::min(first, n);
        last = n;
    }
    for (std::size_t n = first; n + 2 <= last; n += 2)
        rises += stereo[n] < 0.0F && stereo[n + 2] >= 0.0F ? 1.0 : 0.0;
    const double seconds = last > first ? static_cast<double>(last - first) / 2.0 / Rate : 0.0;
    return {seconds, seconds > 0.0 ? rises / seconds : 0.0};
}

// The bytes of a WAV file's samples; behind them its cue points stand.
inline QByteArray samplesOf(const QByteArray& wav) {
    const auto at = wav.indexOf("data");
    return wav.mid(at + 8, qFromLittleEndian<quint32>(wav.constData() + at + 4));
}

// Ends the recording and reads it.
inline Stereo heard(SoundRecorder& recorder, const QString& path) {
    if (!recorder.close().ok())
        qFatal("not written");
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        qFatal("no recording");
    const QByteArray data = file.readAll();
    const QByteArray samples = samplesOf(data);
    Stereo out;
    out.samples.resize(static_cast<std::size_t>(samples.size()) / sizeof(float));
    std::memcpy(out.samples.data(), samples.constData(), out.samples.size() * sizeof(float));
    return out;
}

struct Stage {
    Log log;
    Session session{log, addConsoleCommands};
    std::unique_ptr<SoundRecorder> recorder;
    ~Stage() { session.sound().setStage(nullptr); }
    void run(int ticks) {
        for (int i = 0; i < ticks; ++i) {
            session.tick();
            if (recorder)
                QVERIFY(recorder->ticked().ok());
        }
    }
    bool say(const char* line) { return session.execute(line).ok; }
};

// A sample project, playing and recorded into `file`.
inline std::unique_ptr<Stage> playSample(const std::string& name, const QString& file) {
    auto made = std::make_unique<Stage>();
    Diagnostics faults;
    const auto content = loadContent(sbx::test::sourcePath("resources/projects/" + name), "", made->session.catalog().schema, faults);
    if (!content || !faults.items.empty())
        qFatal("the sample has faults");
    made->session.open(content);
    auto recorder = SoundRecorder::create(file.toStdString(), audio::HrtfSet::sphere(Rate), 512);
    if (!recorder)
        qFatal("%s", recorder.error().toString().c_str());
    made->recorder = std::move(*recorder);
    made->session.sound().setStage(&made->recorder->stage());
    made->session.play();
    return made;
}

} // namespace sbx::sound_test
