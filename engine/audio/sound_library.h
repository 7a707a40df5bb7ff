#pragma once
// The sound files of a project by name: lengths at once, samples when somebody renders. Each file is read once for each rate.
//
// Thread: the session's. Ownership: the library keeps what it has read; renderers share it.

#include "engine/audio/sound_file.h"

#include <map>
#include <string>

namespace sbx::audio {

class SoundLibrary {
public:
    // Names are relative to `folder`. Forgets what was read.
    void setRoot(std::filesystem::path folder);
    [[nodiscard]] Result<SoundFileInfo> info(const std::string& name);
    [[nodiscard]] Result<std::shared_ptr<const SoundData>> data(const std::string& name, double sampleRate);

private:
    std::filesystem::path m_root;
    std::map<std::string, Result<SoundFileInfo>> m_infos;
    std::map<std::pair<std::string, double>, Result<std::shared_ptr<const SoundData>>> m_data;
};

} // namespace sbx::audio
