#pragma once
// What writes to a device, on the output's own thread: opens it, fills it every 5 ms, notices when it goes or runs dry, and without one
// renders by the clock. QtOutput (qt_output.h) makes it, moves it to its thread and posts to it.

#include <QAudioFormat>
#include <QElapsedTimer>
#include <QObject>

#include "engine/audio/audio_output.h"
#include "engine/audio/rate_converter.h"

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

class QAudioDevice;
class QAudioSink;
class QIODevice;
class QMediaDevices;
class QTimer;

namespace sbx::app {

// Lives on the output's thread; functions for other threads are marked.
class OutputWorker : public QObject {
    Q_OBJECT

public:
    // `whyNot`: without devices it measures only, and this text is the reason that is shown. Null: with devices. `mayAsk`: whether Qt may be asked
    // for devices already; called on its own thread.
    OutputWorker(std::function<void(const audio::OutputStatus&)> changed, const char* whyNot,
                 std::function<bool()> mayAsk);

    // --- Any thread
    // How often it has been round; it stands still when the thread does.
    [[nodiscard]] std::uint64_t turns() const { return m_turns.load(std::memory_order_relaxed); }
    // Callbacks are off from now on, whatever the thread does; or on again.
    void setSilenced(bool silenced);
    [[nodiscard]] audio::OutputStatus status() const;
    // Done on its thread, in order. It passes under a lock of our own: those of Qt no thread sanitizer sees.
    void post(std::function<void()> work);

    // --- Before it is opened
    // What it renders by without a device, and holds a device against: milliseconds; the time since it was opened unless a test says
    // otherwise.
    void setClock(std::function<qint64()> clock) { m_time = std::move(clock); }

    // --- Its own thread
    void open(const audio::OutputRequest& request, double rendererRate, audio::AudioOutput::Fill fill);
    void close();

    // Reports the state again, though it has not changed.
    void tellAgain() { tell(status()); }
    void setWhyNot(const char* whyNot);

protected:
    void customEvent(QEvent* event) override; // something was posted

private:
    // The two calls to the outside, under m_calls.
    void fill(std::span<float> out);
    void tell(const audio::OutputStatus& now);
    [[nodiscard]] QAudioDevice wantedDevice(bool& isTheWanted);
    void connectDevice();
    void dropSink();
    void devicesChanged();
    void turn();

    [[nodiscard]] qint64 elapsedMs() const { return m_time ? m_time() : m_clock.elapsed(); }
    // Under-runs are what the device says of itself, and what its time says: it stands still while the clock goes on.
    void holdAgainstTheClock();
    void countUnderrun();
    void write();
    void measure();
    void reportRunning();
    void reportNothingThere(); // no device, or no server that has one
    void report(audio::OutputState state, const std::string& message);

    std::function<void(const audio::OutputStatus&)> m_changed;
    const char* m_whyNot; // its own thread, once it runs
    std::function<bool()> m_mayAsk;
    std::atomic<std::uint64_t> m_turns{0};
    std::mutex m_calls; // held during a callback
    bool m_silenced = false;
    audio::OutputRequest m_request;
    double m_rendererRate = 48000.0;
    audio::AudioOutput::Fill m_fill;
    QTimer* m_timer = nullptr;
    QMediaDevices* m_devices = nullptr;
    QAudioSink* m_sink = nullptr;
    QIODevice* m_io = nullptr;
    QAudioFormat m_format;
    QByteArray m_deviceId;
    std::unique_ptr<audio::RateConverter> m_converter;
    std::vector<float> m_floats;
    std::vector<qint16> m_shorts;
    QElapsedTimer m_clock;
    std::function<qint64()> m_time;
    qint64 m_lastTry = 0;
    qint64 m_lookedAt = 0;
    qint64 m_startedAt = 0;
    qint64 m_tookAt = 0;
    qint64 m_windowAt = 0;
    qint64 m_written = 0; // frames, since the device was opened
    qint64 m_taken = 0;   // of them by the device
    double m_least = 1e9;
    double m_leastBefore = 1e9;
    bool m_settled = false;
    bool m_flagged = false; // the device reported it itself in this window
    qint64 m_measuredFrom = 0;
    double m_measured = 0.0; // frames rendered by the clock since then
    int m_bufferFrames = 0;
    bool m_underrun = false;
    bool m_isTheWanted = true;
    bool m_takesNothing = false; // what was tried did not go
    std::mutex m_posting;        // held to put work in and take it out
    std::vector<std::function<void()>> m_posted;
    mutable std::mutex m_mutex; // of the status
    audio::OutputStatus m_status;
    std::string m_reportedDevice;
};

} // namespace sbx::app
