#pragma once
// A sound device by Qt Multimedia, in push mode on a thread of its own, so that neither a busy window nor a slow simulation makes a
// gap. Qt's pull mode asks in pieces of 20 ms from the thread of the sink and, with a small buffer, not at all; so a timer of
// 5 ms writes as much as the device has room for.
//
// Thread: made and called on the thread of Qt's event loop (the main thread), devices() and status() on any; `fill` is called on the
// output's own. A sound server may be slow to answer, and Qt 6.4 may hang there when it goes at a bad moment: after two seconds,
// or half of one when the output is made, that is said and the sound goes on by the clock, on another thread, until the first moves
// again.

#include <QThread>
#include <QTimer>

#include "engine/audio/audio_output.h"

#include <atomic>
#include <memory>

namespace sbx::app {

class OutputWorker;

class QtOutput final : public audio::AudioOutput {
public:
    // `changed` is called on the output's own thread whenever state, device or message is another. Waits half a second at most.
    explicit QtOutput(std::function<void(const audio::OutputStatus&)> changed = {});
    ~QtOutput() override;

    [[nodiscard]] std::vector<audio::OutputDevice> devices() const override;
    Result<void> open(const audio::OutputRequest& request, double rendererRate, Fill fill) override;
    void close() override;
    [[nodiscard]] audio::OutputStatus status() const override;

private:
    bool call(OutputWorker& worker, const std::function<void()>& what, int patienceMs);
    void post(OutputWorker& worker);
    void watch();
    void goByTheClock(const char* why);
    void goByTheDevice();

    std::function<void(const audio::OutputStatus&)> m_changed;
    OutputWorker* m_device =
        nullptr; // on the thread of all outputs, which ends it; null if that one hung before
    OutputWorker* m_clock = nullptr;              // plays nowhere, on
    std::unique_ptr<QThread> m_ownThread;         // this one; made when the first does not answer, and kept
    std::atomic<OutputWorker*> m_worker{nullptr}; // that of the two which counts
    std::atomic<bool> m_unanswered = false;       // it is the clock's
    audio::OutputRequest m_request;
    double m_rendererRate = 0.0;
    Fill m_fill;
    QTimer m_watch;
    std::uint64_t m_turns = 0; // of the device's worker, as seen last
    int m_still = 0;           // how often in a row it was seen where it was
};

// Ends the program with this status, when all that it has made is gone; call it last in main(). Qt 6.4 leaves the sound server in a
// destructor at the process's end, beside its own thread and without its lock, which may crash: with an output made, no such
// destructors are called.
[[noreturn]] void leaveProgram(int status);

} // namespace sbx::app
