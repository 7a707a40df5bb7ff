#include "app/common/hrtf_file.h"

namespace sbx::app {

std::shared_ptr<const audio::HrtfSet> defaultHrtf(double sampleRate, Log& log) {
    std::error_code fault;
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", fault).parent_path();
    const char* const set = "mit_kemar_normal_pinna.sofa";
    std::string why = "no set of responses is installed";
    for (const std::filesystem::path& file :
         {program / "../share/signalbox/hrtf" / set, program / "../../../resources/hrtf" / set,
          std::filesystem::path("/usr/share/libmysofa/default.sofa")}) {
        if (!std::filesystem::is_regular_file(file, fault))
            continue;
        if (auto loaded = audio::HrtfSet::load(file, sampleRate))
            return *loaded;
        else
            why = loaded.error().toString();
    }
    log.warning("audio", why + "; the rigid sphere is heard instead");
    return audio::HrtfSet::sphere(sampleRate);
}

} // namespace sbx::app
