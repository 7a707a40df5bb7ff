#include "engine/audio/sound_library.h"

#include "engine/audio/streamed_sound.h"
#include "engine/audio/test_signals.h"

namespace sbx::audio {

void SoundLibrary::setRoot(std::filesystem::path folder) {
    m_root = std::move(folder);
    m_infos.clear();
    m_data.clear();
}

Result<SoundFileInfo> SoundLibrary::info(const std::string& name) {
    const auto known = m_infos.find(name);
    return known != m_infos.end() ? known->second : m_infos.emplace(name, inspectSound(m_root / name)).first->second;
}

Result<std::shared_ptr<const SoundData>> SoundLibrary::data(const std::string& name, double sampleRate, bool stream) {
    if (name.starts_with(SignalPrefix)) {
        const auto signal = testSignalOf(std::string_view(name).substr(SignalPrefix.size()));
        if (!signal) {
            return Error{"expected pink noise, sweep, clicks or speech", name, {}};
        }
        std::shared_ptr<const SoundData>& made = m_signals[{*signal, sampleRate}];
        if (made == nullptr) {
            made = makeTestSignal(*signal, sampleRate);
        }
        return made;
    }
    const Result<SoundFileInfo> about = stream ? info(name) : SoundFileInfo{};
    const bool streamed = stream && about && about->seconds > StreamedFrom;
    const std::tuple key(name, sampleRate, streamed);
    const auto known = m_data.find(key);
    if (known != m_data.end()) {
        return known->second;
    }
    const auto keep = [&](const auto& loaded) -> Result<std::shared_ptr<const SoundData>> {
        if (!loaded) {
            return m_data.emplace(key, loaded.error()).first->second;
        }
        return m_data.emplace(key, std::shared_ptr<const SoundData>(*loaded)).first->second;
    };
    return streamed ? keep(StreamedSound::open(m_root / name, sampleRate)) : keep(loadSound(m_root / name, sampleRate));
}

} // namespace sbx::audio
