#include "app/common/portable.h"

#include <cstdlib>

namespace sbx::app {

namespace fs = std::filesystem;

Result<void> usePortableFolders(bool asked) {
    std::error_code failed;
    const fs::path program = fs::read_symlink("/proc/self/exe", failed);
    if (failed)
        return asked ? Error{"--portable: the program's own folder is not known: " + failed.message(), {}, {}} : Result<void>();
    const fs::path folder = program.parent_path().parent_path() / "user";
    if (!asked && !fs::is_directory(folder, failed))
        return {};
    for (const auto& [variable, name] :
         {std::pair("XDG_CONFIG_HOME", "config"), std::pair("XDG_STATE_HOME", "state"), std::pair("XDG_CACHE_HOME", "cache"),
          std::pair("XDG_DATA_HOME", "data")}) {
        const fs::path part = folder / name;
        fs::create_directories(part, failed);
        if (failed)
            return Error{"--portable: " + part.string() + ": " + failed.message()
                             + "; expected a program in a folder of your own, as the archives unpack to",
                         {},
                         {}};
        ::setenv(variable, part.c_str(), 1);
    }
    return {};
}

std::vector<std::string> resetSettings(const UserFolders& folders) {
    std::vector<std::string> out;
    for (const char* name : {"settings.ini", "user.cfg", "autoexec.cfg"}) {
        const fs::path file = folders.config / name;
        std::error_code failed;
        if (!fs::exists(fs::symlink_status(file, failed)))
            continue;
        const fs::path aside = setAside(file, ".before-reset");
        out.push_back(aside.empty() ? file.string() + ": cannot be moved, and stays as it is" : file.string() + ": is now " + aside.string());
    }
    return out;
}

} // namespace sbx::app
