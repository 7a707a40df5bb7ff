#include "engine/plugin/plugin_host.h"

#include "engine/core/log.h"
#include "engine/simulation/entity_filter.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace sbx {

std::filesystem::path pluginFile(const definition::Project& project, const std::string& path) {
    const std::filesystem::path file = project.path(path);
    std::error_code ignored;
    for (const std::filesystem::path& candidate :
         {file, std::filesystem::path(file.string() + ".so"),
          file.parent_path() / ("lib" + file.filename().string() + ".so")})
        if (std::filesystem::is_regular_file(candidate, ignored))
            return candidate;
    return file;
}

PluginHost::PluginHost(const ComponentRegistry& builtins, Log& log) : m_builtins(builtins), m_log(log) {
    std::vector<const ComponentType*> components;
    for (const ComponentType& type : builtins.types()) {
        m_ids.emplace(type.name, type.id);
        components.push_back(&type);
    }
    m_builtinCatalog = make(std::move(components), {});
    m_catalogs.push_back(m_builtinCatalog);
    m_latest = m_builtinCatalog.get();
}

PluginHost::~PluginHost() = default;

void PluginHost::setPolicy(Policy policy) {
    const std::scoped_lock lock(m_mutex);
    m_policy = std::move(policy);
}

void PluginHost::leaveOut(std::string owner) {
    const std::scoped_lock lock(m_mutex);
    m_leftOut.insert(std::move(owner));
}

void PluginHost::setLongestTry(std::chrono::milliseconds limit) {
    const std::scoped_lock lock(m_mutex);
    m_longestTry = limit;
}

void PluginHost::forget(std::string_view path) {
    const std::scoped_lock lock(m_mutex);
    std::erase_if(m_leftOut, [&](const std::string& owner) {
        return path.empty() || std::filesystem::path(owner).filename() == std::filesystem::path(path).stem();
    });
    for (auto& [file, plugin] : m_plugins)
        if (path.empty() || std::filesystem::path(file).filename() == std::filesystem::path(path).filename()
            || std::filesystem::path(file).stem() == std::filesystem::path(path).stem())
            plugin.seen.reset();
}

std::shared_ptr<const Catalog> PluginHost::make(std::vector<const ComponentType*> components,
                                                std::vector<PluginState> plugins) const {
    auto catalog = std::make_shared<Catalog>();
    std::vector<std::string> refused;
    for (const PluginState& plugin : plugins)
        if (plugin.components.empty())
            refused.push_back(plugin.path);
    catalog->schema = makeSchema(components);
    catalog->schema.setRefusedPlugins(std::move(refused));
    catalog->entityFields = std::make_shared<const EntityFilterSchema>(components);
    catalog->components = std::move(components);
    catalog->plugins = std::move(plugins);
    return catalog;
}

std::shared_ptr<const Catalog> PluginHost::load(const definition::Project& project, Diagnostics& sink) {
    const std::scoped_lock lock(m_mutex);
    std::vector<PluginState> states;
    std::vector<const Plugin*> inForce;
    std::vector<const ComponentType*> components = m_builtinCatalog->components;
    const auto tell = [&](const definition::PluginReference& reference, std::string what,
                          std::string expected) {
        sink.add({Severity::Warning,
                  project.file.string(),
                  reference.region,
                  std::move(what),
                  std::move(expected),
                  {}});
    };
    const std::string heldBack = m_policy && !project.plugins.empty() ? m_policy(project) : std::string();
    const auto tellFault = [&](const definition::PluginReference& reference, const std::string& fault, const char* remark) {
        std::string what = "the plugin " + reference.path + " " + fault;
        std::string expected;
        if (const std::size_t at = what.find("; expected "); at != std::string::npos) {
            expected = what.substr(at + std::strlen("; expected "));
            what.erase(at);
        }
        tell(reference, what + remark, std::move(expected));
    };
    for (const definition::PluginReference& reference : project.plugins) {
        const std::string& path = reference.path;
        const std::filesystem::path file = pluginFile(project, path);
        // Known by where it is wanted, whether it is there or not.
        std::error_code failed;
        std::filesystem::path wanted = std::filesystem::absolute(project.path(path));
        if (wanted.extension() == ".so")
            wanted.replace_extension();
        const std::filesystem::path canonical = std::filesystem::weakly_canonical(wanted, failed);
        const std::string owner = (failed ? wanted : canonical).string();
        PluginState state{path, file.string(), {}, 0, {}, !heldBack.empty()};
        if (state.heldBack || m_leftOut.contains(owner)) {
            state.fault = state.heldBack ? heldBack : "is left out since the last run crashed in it";
            tellFault(reference, state.fault, "");
            states.push_back(std::move(state));
            continue;
        }
        Plugin& plugin = m_plugins[owner];
        if (std::find(inForce.begin(), inForce.end(), &plugin) != inForce.end()) {
            tell(reference, "the plugin " + path + " is named twice", "each plugin once");
            continue;
        }
        plugin.owner = owner;
        const std::string before = plugin.fault;
        bringIn(plugin, path, file, inForce);
        if (!plugin.fault.empty() && plugin.fault != before)
            m_log.warning(
                "plugin",
                path + " is refused: it " + plugin.fault
                    + (!plugin.components.empty() ? "; the build loaded before stays in force" : ""));
        state.build = plugin.build;
        state.fault = plugin.fault;
        if (!plugin.fault.empty())
            tellFault(reference, plugin.fault,
                      plugin.components.empty() ? "" : " (the build loaded before stays in force)");
        for (const ComponentType* type : plugin.components) {
            state.components.push_back(type->name);
            components.push_back(type);
        }
        inForce.push_back(&plugin);
        states.push_back(std::move(state));
    }
    const Catalog& last = *m_catalogs.back();
    if (last.components != components || last.plugins != states)
        m_catalogs.push_back(make(std::move(components), std::move(states)));
    m_latest.store(m_catalogs.back().get(), std::memory_order_release);
    return m_catalogs.back();
}

void PluginHost::bringIn(Plugin& plugin, const std::string& path, const std::filesystem::path& file,
                         const std::vector<const Plugin*>& others) {
    // Not the file alone: another plugin of the project may have taken, or given back, a name.
    const auto clash = [&](const ComponentType* type) {
        return std::any_of(others.begin(), others.end(), [&](const Plugin* other) {
            return std::any_of(other->components.begin(), other->components.end(),
                               [&](const ComponentType* theirs) { return theirs->name == type->name; });
        });
    };
    const Result<Signature> signature = signatureOf(file);
    if (!signature) {
        plugin.seen.reset();
        plugin.fault = signature.error().message;
        return;
    }
    const bool clashes = std::any_of(plugin.components.begin(), plugin.components.end(), clash);
    std::string beside;
    for (const Plugin* other : others)
        for (const ComponentType* type : other->components)
            beside += type->name + " ";
    const bool sameReason = plugin.fault.empty() || plugin.beside == beside;
    if (plugin.seen && *plugin.seen == *signature && !clashes && sameReason)
        return;
    plugin.seen = std::make_unique<Signature>(*signature);
    plugin.beside = std::move(beside);
    if (clashes)
        plugin.components.clear();
    const Result<void> loaded = tryLoad(plugin, file, others);
    plugin.fault = loaded ? std::string() : loaded.error().message;
    if (loaded) {
        std::string names;
        for (const ComponentType* type : plugin.components)
            names += (names.empty() ? "" : ", ") + type->name;
        m_log.info("plugin",
                   path
                       + (plugin.build > 1 ? " is loaded again, build " + std::to_string(plugin.build) + ": "
                                           : " is loaded: ")
                       + names);
    }
}

Result<PluginHost::Signature> PluginHost::signatureOf(const std::filesystem::path& file) {
    struct stat info {};
    if (::stat(file.c_str(), &info) != 0)
        return Error{std::string(errno == ENOENT || errno == ENOTDIR ? "is not there" : std::strerror(errno))
                         + "; expected the shared library " + file.string(),
                     {},
                     {}};
    if (!S_ISREG(info.st_mode))
        return Error{"is a folder or a device; expected a shared library", {}, {}};
    std::error_code failed;
    Signature out;
    out.written = std::filesystem::last_write_time(file, failed);
    out.size = static_cast<std::uintmax_t>(info.st_size);
    out.node = info.st_ino;
    return out;
}

Result<std::filesystem::path> PluginHost::copyOf(const std::filesystem::path& file,
                                                 const Signature& signature) {
    std::error_code failed;
    if (const Result<void> made = m_scratch.create(); !made)
        return Error{"cannot be copied: " + made.error().message, {}, {}};
    const std::filesystem::path copy =
        m_scratch.path() / (file.stem().string() + "-" + std::to_string(++m_copies) + file.extension().string());
    std::filesystem::copy_file(file, copy, failed);
    if (failed)
        return Error{"cannot be copied: " + failed.message(), {}, {}};
    const Result<Signature> after = signatureOf(file);
    if (!after || !(*after == signature))
        return Error{"is being written", {}, {}};
    return copy;
}

Result<void> PluginHost::tryLoad(Plugin& plugin, const std::filesystem::path& file,
                                 const std::vector<const Plugin*>& others) {
    const Result<std::filesystem::path> copy = copyOf(file, *plugin.seen);
    if (!copy) {
        plugin.seen.reset(); // once more, next time
        return copy.error();
    }
    const auto refused = [&](const Error& error) {
        std::error_code ignored;
        std::filesystem::remove(*copy, ignored);
        return error;
    };
    if (const Result<void> sound = PluginLibrary::examine(*copy); !sound)
        return refused(sound.error());
    if (const Result<void> tried = PluginLibrary::tryApart(*copy, pluginChecker(), m_longestTry); !tried)
        return refused(tried.error());
    const auto taken = [&](std::string_view name) -> std::string {
        if (m_builtins.find(name) != nullptr)
            return "the engine";
        for (const Plugin* other : others)
            for (const ComponentType* type : other->components)
                if (type->name == name)
                    return other->owner;
        return {};
    };
    std::vector<std::string> owners;
    for (const Plugin* other : others)
        owners.push_back(other->owner);
    Result<std::unique_ptr<PluginLibrary>> library =
        PluginLibrary::load(*copy, plugin.owner, std::move(owners), taken);
    if (!library)
        return refused(library.error());
    plugin.components.clear();
    for (const ComponentType& type : (*library)->components().types()) {
        ComponentType& kept = m_types.emplace_back(type);
        kept.id = idOf(kept.name);
        kept.nameOrigins(plugin.owner);
        // The library's registry knows its own components only: bases of the engine's bring their own bases.
        for (std::size_t i = 1; i < kept.classes.size(); ++i)
            for (const ComponentType& base : m_builtins.types())
                if (const ComponentClass own = kept.classes[i]; *base.classes.front().type == *own.type)
                    for (std::size_t k = 1; k < base.classes.size(); ++k)
                        if (kept.as(*base.classes[k].type) == nullptr)
                            kept.classes.push_back(
                                {base.classes[k].type, own.offset + base.classes[k].offset});
        plugin.components.push_back(&kept);
    }
    m_libraries.push_back(std::move(*library));
    ++plugin.build;
    return {};
}

ComponentTypeId PluginHost::idOf(const std::string& component) {
    const auto [it, added] = m_ids.emplace(component, static_cast<ComponentTypeId>(m_ids.size()));
    return it->second;
}

bool isPluginNamed(const PluginState& plugin, const std::string& name) {
    const std::filesystem::path path(plugin.path);
    return plugin.path == name || path.filename() == name || path.stem() == name;
}

std::shared_ptr<const Content> loadContent(const std::filesystem::path& project, const std::string& scene, PluginHost& plugins,
                                           Diagnostics& sink, const TextSource& source) {
    const SchemaSource ofPlugins = [&](Content& content) -> const definition::Schema& {
        content.catalog = plugins.load(content.project, sink);
        return content.catalog->schema;
    };
    return loadContent(project, scene, ofPlugins, sink, source);
}

} // namespace sbx
