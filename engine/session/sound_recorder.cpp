#include "engine/session/sound_recorder.h"

#include <algorithm>

namespace sbx {

Result<std::unique_ptr<SoundRecorder>> SoundRecorder::create(const std::filesystem::path& file,
                                                             std::shared_ptr<const audio::HrtfSet> set,
                                                             std::size_t hostBlock) {
    audio::RendererSettings settings;
    settings.sampleRate = SampleRate;
    auto renderer = audio::Renderer::create(settings, std::move(set));
    if (!renderer)
        return renderer.error();
    auto writer = audio::WavWriter::create(file, SampleRate);
    if (!writer)
        return writer.error();
    return std::unique_ptr<SoundRecorder>(
        new SoundRecorder(std::move(*renderer), std::move(*writer), std::max<std::size_t>(hostBlock, 1)));
}

SoundRecorder::SoundRecorder(std::unique_ptr<audio::Renderer> renderer, std::unique_ptr<audio::WavWriter> writer,
                             std::size_t hostBlock)
    : m_renderer(std::move(renderer)),
      m_writer(std::move(writer)),
      m_stage(*m_renderer, SoundStage::Clock::Ticks),
      m_block(hostBlock * 2) {}

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
        m_rendered += count;
        if (const Result<void> written = m_writer->write(out.subspan(skip * 2)); !written)
            return written;
    }
    return {};
}

Result<void> SoundRecorder::ticked() { return renderTo(m_stage.ready(), false); }

Result<void> SoundRecorder::close() {
    m_stage.finish();
    if (const Result<void> rendered = renderTo(m_stage.ready(), true); !rendered)
        return rendered;
    return m_writer->close();
}

} // namespace sbx
