#pragma once
// A project on disk that names one plugin, and what prepare.sh built to take that plugin's place.

#include "tests/folders.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace sbx::plugin_test {

namespace fs = std::filesystem;

inline const fs::path Made = sbx::test::buildPath("plugins/parts/build/made");

inline constexpr const char* ProjectText = R"([project]
name = "Test"
scene = "main.scene.toml"
definitions = ["entities.toml"]
plugins = ["plugins/parts"]
)";
inline constexpr const char* Types = R"([Metronome]
doc = "Counts."
[Metronome.Ticker]
start = 7
[Metronome.Receiver]

[Crate]
[Crate.Body]
)";
inline constexpr const char* SceneText = R"([scene]
name = "Main"
[[entity]]
type = "Metronome"
name = "one"
[[entity]]
type = "Metronome"
name = "two"
[entity.Ticker]
start = 50
every = 3
[[entity]]
type = "Crate"
name = "crate"
position = [0.0, 5.0, 0.0]
)";

inline std::string bytesOf(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
}

inline void write(const fs::path& file, const std::string& bytes) {
    fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << bytes;
}

class ProjectFiles {
public:
    // `plugin` as in made/; empty: it was never built.
    ProjectFiles(fs::path folder, const std::string& plugin) : m_folder(std::move(folder)) {
        write(file("project.toml"), ProjectText);
        write(file("entities.toml"), Types);
        write(file("main.scene.toml"), SceneText);
        if (!plugin.empty())
            put(plugin);
    }
    [[nodiscard]] fs::path file(const std::string& name) const { return m_folder / name; }
    // A build's output takes the place of the one before.
    void put(const std::string& made, const std::string& as = "parts.so") const {
        putBytes(bytesOf(Made / (made + ".so")), as);
    }
    void putBytes(const std::string& bytes, const std::string& as = "parts.so") const {
        fs::remove(file("plugins/" + as)); // another inode: two builds within one tick of the clock differ
        write(file("plugins/" + as), bytes);
    }

private:
    fs::path m_folder;
};

} // namespace sbx::plugin_test
