#pragma once
// A sound device by Qt Multimedia, in push mode on a thread of its own, so that neither a busy window nor a slow simulation makes a
// gap. Qt's pull mode asks in pieces of 20 ms from the thread of the sink and, with a small buffer, not at all; so a timer of
// 5 ms writes as much as the device has room for.
//
// Thread: made and called on the thread of Qt's event loop (the main thread), devices() and status() on any; `fill` is called on the
// output's own. Qt 6.4 may hang there when the sound server goes at a bad moment: then that thread is left behind, and the sound goes on
// by the clock.

#include <QThread>
#include <QTimer>

#include "engine/audio/audio_output.h"

#include <atomic>
#include <memory>

namespace sbx::app {

class OutputWorker;

class QtOutput final : public audio::AudioOutput {
public:
    // `changed` is called on the output's own thread whenever state, device or message is another.
    explicit QtOutput(std::function<void(const audio::OutputStatus&)> changed = {});
    ~QtOutput() override;

    [[nodiscard]] std::vector<audio::OutputDevice> devices() const override;
    Result<void> open(const audio::OutputRequest& request, double rendererRate, Fill fill) override;
    void close() override;
    [[nodiscard]] audio::OutputStatus status() const override;

private:
    bool call(const std::function<void()>& what);
    void watch();
    void goOnWithoutDevices();

    std::function<void(const audio::OutputStatus&)> m_changed;
    std::atomic<OutputWorker*> m_worker{
        nullptr};                         // on its thread, which ends it; one that hangs is never ended
    std::unique_ptr<QThread> m_ownThread; // once the one of all outputs hangs
    audio::OutputRequest m_request;
    double m_rendererRate = 0.0;
    Fill m_fill;
    QTimer m_watch;
    std::uint64_t m_turns = 0; // of the worker, as seen last
    int m_still = 0;           // how often in a row it was seen where it was
};

// Ends the program with this status, when all that it has made is gone; call it last in main(). Qt 6.4 leaves the sound server in a
// destructor at the process's end, beside its own thread and without its lock, which may crash: with an output made, no such
// destructors are called.
[[noreturn]] void leaveProgram(int status);

} // namespace sbx::app
