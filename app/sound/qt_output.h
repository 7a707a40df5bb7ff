#pragma once
// A sound device by Qt Multimedia, in push mode on a thread of its own, so that neither a busy window nor a slow simulation makes a
// gap. Qt's pull mode asks in pieces of 20 ms from the thread of the sink and, with a small buffer, not at all; so a timer of
// 5 ms writes as much as the device has room for.
//
// Thread: made and called on the thread of Qt's event loop (the main thread); `fill` is called on the output's own.

#include <QThread>

#include "engine/audio/audio_output.h"

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
    QThread m_thread;
    std::unique_ptr<OutputWorker> m_worker;
};

} // namespace sbx::app
