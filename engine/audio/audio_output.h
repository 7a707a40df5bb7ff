#pragma once
// The way to a sound device. The engine declares it, programs implement it (Qt Multimedia in app/); tests and
// offline rendering need none. All members are called on one thread of the program's choice; `fill` is called on the
// device's own.

#include "engine/core/result.h"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace sbx::audio {

struct OutputDevice {
    std::string id;   // stable between runs where the system allows
    std::string name; // for people
    bool isDefault = false;
};

struct OutputRequest {
    std::string device;      // id; empty: the system's choice, followed when it changes
    double sampleRate = 0.0; // Hz; 0: the device's own, 44100 to 192000
    double latencyMs = 40.0; // of the device's buffer; sound servers grant three quarters, and with less than 20 ms run dry
};

enum class OutputState : std::uint8_t {
    Closed,
    Running,
    Lost,     // the device went away; tries again by itself
    Measuring // no device: blocks are rendered by the clock, so that meters and voices go on
};

struct OutputStatus {
    OutputState state = OutputState::Closed;
    std::string device;      // name
    double sampleRate = 0.0; // Hz, of the device
    double askedMs = 0.0;    // of the device's buffer, as requested
    double latencyMs = 0.0;  // what the device gave: the length of its buffer
    std::uint64_t underruns = 0;
    std::string message; // why Lost or Measuring; empty when all is well
};

class AudioOutput {
public:
    // Interleaved stereo; must not block. Renderer::render() at the renderer's rate; the output brings it to
    // the device's.
    using Fill = std::function<void(std::span<float> interleaved)>;

    AudioOutput() = default;
    AudioOutput(const AudioOutput&) = delete;
    AudioOutput& operator=(const AudioOutput&) = delete;
    virtual ~AudioOutput() = default;

    [[nodiscard]] virtual std::vector<OutputDevice> devices() const = 0;
    // Opens or changes the device without stopping the sound's time. Without any device it runs as Measuring
    // and reports it.
    virtual Result<void> open(const OutputRequest& request, double rendererRate, Fill fill) = 0;
    virtual void close() = 0; // returns when `fill` will not be called again
    [[nodiscard]] virtual OutputStatus status() const = 0;
};

} // namespace sbx::audio
