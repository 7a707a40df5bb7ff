#pragma once
// The plugins of a session. loadContent() passes it the project as read; it loads what is new or was rebuilt,
// and returns the catalog of components that then exist.
//
// A faulty library is a located warning in the project file, and the rest is in force; a faulty new build
// leaves the one before in force. A library is copied before it is loaded, so that a rebuild does not write
// into what runs.
// Thread: any; one caller at a time is served, the others wait.

#include "engine/definition/project.h"
#include "engine/plugin/plugin_library.h"
#include "engine/plugin/plugin_scratch.h"
#include "engine/simulation/catalog.h"
#include "engine/simulation/content.h"

#include <atomic>
#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>

namespace sbx {

class Log;

class PluginHost {
public:
    // Both outlive the host.
    PluginHost(const ComponentRegistry& builtins, Log& log);
    ~PluginHost();
    PluginHost(const PluginHost&) = delete;
    PluginHost& operator=(const PluginHost&) = delete;

    // Called in load(), on its thread, before any file of a plugin is opened. Returns an empty text if the project's plugins may be
    // loaded; else the reason, worded to follow "the plugin X": none is loaded then, and the reason is reported for each of them.
    // Without a policy all may be loaded.
    using Policy = std::function<std::string(const definition::Project&)>;
    void setPolicy(Policy policy);
    // This plugin is not loaded until forget() is called for it, or for all: the last run crashed in it. `owner`: as in
    // HandlerOrigin::plugin.
    void leaveOut(std::string owner);
    // How long a library may take to load when it is tried; five seconds by default.
    void setLongestTry(std::chrono::milliseconds limit);
    // Brings in the project's plugins; faults go to the sink, in the project file.
    [[nodiscard]] std::shared_ptr<const Catalog> load(const definition::Project& project, Diagnostics& sink);
    // The engine's own components, without plugins.
    [[nodiscard]] std::shared_ptr<const Catalog> builtins() const { return m_builtinCatalog; }
    // The latest that was made; never waits.
    [[nodiscard]] const Catalog& latest() const { return *m_latest.load(std::memory_order_acquire); }
    // Loads again at the next load() even if the file did not change; empty: all.
    void forget(std::string_view path = {});

private:
    struct Signature { // identifies a build
        std::filesystem::file_time_type written;
        std::uintmax_t size = 0;
        std::uint64_t node = 0;
        friend bool operator==(const Signature&, const Signature&) = default;
    };
    struct Plugin {
        std::string owner;               // the file, absolute, without its ending
        std::unique_ptr<Signature> seen; // of the last try; null: try
        std::string fault;               // of the last try
        std::string beside;              // the components of other plugins then
        int build = 0;
        std::vector<const ComponentType*> components; // in force
    };

    void bringIn(Plugin& plugin, const std::string& path, const std::filesystem::path& file,
                 const std::vector<const Plugin*>& others);
    [[nodiscard]] Result<void> tryLoad(Plugin& plugin, const std::filesystem::path& file,
                                       const std::vector<const Plugin*>& others);
    [[nodiscard]] Result<std::filesystem::path> copyOf(const std::filesystem::path& file,
                                                       const Signature& signature);
    [[nodiscard]] ComponentTypeId idOf(const std::string& component);
    [[nodiscard]] static Result<Signature> signatureOf(const std::filesystem::path& file);
    [[nodiscard]] std::shared_ptr<const Catalog> make(std::vector<const ComponentType*> components,
                                                      std::vector<PluginState> plugins) const;

    const ComponentRegistry& m_builtins;
    Log& m_log;
    std::shared_ptr<const Catalog> m_builtinCatalog;

    std::atomic<const Catalog*> m_latest{nullptr};

    std::mutex m_mutex; // of all below
    Policy m_policy;
    std::set<std::string, std::less<>> m_leftOut; // owners
    std::chrono::milliseconds m_longestTry{5000};
    std::map<std::string, Plugin, std::less<>> m_plugins; // by owner
    std::deque<ComponentType> m_types;                    // of every build, at stable addresses
    std::map<std::string, ComponentTypeId> m_ids; // through all builds: records name a component by its id
    std::vector<std::unique_ptr<PluginLibrary>> m_libraries;
    std::vector<std::shared_ptr<const Catalog>> m_catalogs;
    PluginScratch m_scratch; // where the copies lie
    int m_copies = 0;
};

// The library that a project means by `path`: as written, with the platform's ending, or with "lib" before too.
[[nodiscard]] std::filesystem::path pluginFile(const definition::Project& project, const std::string& path);

// Whether a user means this plugin by `name`: as project.toml has it, or the name of its file, with or without its ending.
[[nodiscard]] bool isPluginNamed(const PluginState& plugin, const std::string& name);

// loadContent() with the plugins that the project names: they are loaded first, and its texts are checked against the catalog that
// then exists.
[[nodiscard]] std::shared_ptr<const Content> loadContent(const std::filesystem::path& project, const std::string& scene,
                                                         PluginHost& plugins, Diagnostics& sink, const TextSource& source = {});

} // namespace sbx
