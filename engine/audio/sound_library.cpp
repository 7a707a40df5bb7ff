#include "engine/audio/sound_library.h"

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

Result<std::shared_ptr<const SoundData>> SoundLibrary::data(const std::string& name, double sampleRate) {
    const std::pair key(name, sampleRate);
    const auto known = m_data.find(key);
    if (known != m_data.end()) {
        return known->second;
    }
    const Result<std::shared_ptr<const ResidentSound>> loaded = loadSound(m_root / name, sampleRate);
    if (!loaded) {
        return m_data.emplace(key, loaded.error()).first->second;
    }
    return m_data.emplace(key, std::shared_ptr<const SoundData>(*loaded)).first->second;
}

} // namespace sbx::audio
