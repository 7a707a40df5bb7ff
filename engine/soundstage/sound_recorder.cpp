#include "engine/soundstage/sound_recorder.h"

#include <algorithm>
#include <cmath>

namespace sbx {

Result<std::unique_ptr<SoundRecorder>> SoundRecorder::create(const std::filesystem::path& file,
                                                             std::shared_ptr<const audio::HrtfSet> set,
                                                             std::size_t hostBlock) {
    auto made = create(std::move(set), hostBlock);
    if (!made)
        return made;
    auto writer = audio::WavWriter::create(file, SampleRate);
    if (!writer)
        return writer.error();
    (*made)->m_takes.push_back({std::move(*writer), 0, std::numeric_limits<audio::Frame>::max(), {}, file});
    return made;
}

Result<std::unique_ptr<SoundRecorder>> SoundRecorder::create(std::shared_ptr<const audio::HrtfSet> set, std::size_t hostBlock) {
    audio::RendererSettings settings;
    settings.sampleRate = SampleRate;
    auto renderer = audio::Renderer::create(settings, std::move(set));
    if (!renderer)
        return renderer.error();
    return std::unique_ptr<SoundRecorder>(new SoundRecorder(std::move(*renderer), std::max<std::size_t>(hostBlock, 1)));
}

SoundRecorder::SoundRecorder(std::unique_ptr<audio::Renderer> renderer, std::size_t hostBlock)
    : m_renderer(std::move(renderer)), m_stage(*m_renderer, SoundStage::Clock::Ticks), m_block(hostBlock * 2) {
    m_stage.listenToOnsets(this, [this](const SoundOnset& onset) { mark(onset); });
}

void SoundRecorder::mark(const SoundOnset& onset) {
    for (Take& take : m_takes)
        if (onset.at >= take.from && onset.at < take.end)
            take.marks.push_back({onset.at - take.from, onset.text()});
}

Result<void> SoundRecorder::Take::close() {
    const Result<void> closed = writer->close();
    writer.reset();
    return closed ? audio::addMarks(file, std::move(marks), written) : closed;
}

Result<void> SoundRecorder::record(const std::filesystem::path& file, double seconds, Done done) {
    auto writer = audio::WavWriter::create(file, SampleRate);
    if (!writer)
        return writer.error();
    const audio::Frame from = m_stage.newest();
    m_takes.push_back({std::move(*writer), from, from + static_cast<audio::Frame>(std::llround(seconds * SampleRate)), std::move(done),
                       file});
    return {};
}

Result<void> SoundRecorder::write(std::span<const float> out, audio::Frame frame) {
    const auto count = static_cast<audio::Frame>(out.size() / 2);
    Result<void> result;
    for (Take& take : m_takes) {
        const audio::Frame first = std::clamp<audio::Frame>(take.from - frame, 0, count);
        const audio::Frame last = std::clamp<audio::Frame>(take.end - frame, first, count);
        Result<void> written = take.writer->write(out.subspan(static_cast<std::size_t>(first) * 2, static_cast<std::size_t>(last - first) * 2));
        take.written += last - first;
        if (written && frame + count < take.end)
            continue;
        if (written)
            written = take.close();
        take.writer.reset();
        if (take.done)
            take.done(written);
        else if (!written)
            result = written;
    }
    std::erase_if(m_takes, [](const Take& take) { return take.writer == nullptr; });
    return result;
}

Result<void> SoundRecorder::renderTo(audio::Frame frame, bool whole) {
    // What comes out of the renderer is latencyFrames() late.
    const audio::Frame late = audio::Renderer::latencyFrames();
    const auto block = static_cast<audio::Frame>(m_block.size() / 2);
    const audio::Frame end = whole ? frame + late : frame;
    while (m_rendered + (whole ? 1 : block) <= end) {
        const audio::Frame count = std::min(block, end - m_rendered);
        const std::span<float> out(m_block.data(), static_cast<std::size_t>(count) * 2);
        m_renderer->render(out);
        const auto skip = static_cast<std::size_t>(std::clamp<audio::Frame>(late - m_rendered, 0, count));
        const audio::Frame heard = std::max<audio::Frame>(m_rendered - late, 0);
        m_rendered += count;
        if (const Result<void> written = write(out.subspan(skip * 2), heard); !written)
            return written;
    }
    return {};
}

Result<void> SoundRecorder::ticked() { return renderTo(m_stage.ready(), false); }

Result<void> SoundRecorder::close() {
    m_stage.finish();
    Result<void> result = renderTo(m_stage.ready(), true);
    for (Take& take : m_takes) {
        const Result<void> closed = take.close();
        if (take.done)
            take.done(closed);
        else if (result && !closed)
            result = closed;
    }
    m_takes.clear();
    return result;
}

} // namespace sbx
