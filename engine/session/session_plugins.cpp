// What the console can do with plugins.

#include "engine/core/nearest.h"
#include "engine/session/reference.h"
#include "engine/session/session.h"
#include "engine/session/session_lookup.h"

#include <algorithm>
#include <map>

namespace sbx {

namespace {
bool means(const PluginState& plugin, const std::string& name) {
    const std::filesystem::path path(plugin.path);
    return plugin.path == name || path.filename() == name || path.stem() == name;
}
} // namespace

void Session::registerPluginCommands() {
    CommandRegistry& commands = m_console.commands();
    commands.add("plugin.list", "Lists the project's plugins: their components, or why one is refused.", {},
                 [this](CommandContext& context, const CommandArguments&) -> Result<void> {
                     const Catalog& catalog = m_plugins.latest();
                     if (catalog.plugins.empty())
                         context.print("the project names no plugins");
                     for (const PluginState& plugin : catalog.plugins) {
                         std::string names;
                         for (const std::string& name : plugin.components)
                             names += (names.empty() ? "" : ", ") + name;
                         if (!plugin.components.empty())
                             context.print(plugin.path + "  build " + std::to_string(plugin.build) + ": "
                                           + names);
                         if (!plugin.fault.empty())
                             context.print(plugin.path + "  refused: it " + plugin.fault);
                     }
                     return {};
                 });
    commands.add(
        "docs", "Writes the reference of all components and messages, as Markdown; of one, prints it.",
        {{.name = "file",
          .doc = "A file to write, NAME.md, relative to the project's folder, or what to explain; none: "
                 "printed.",
          .optional = true}},
        [this](CommandContext& context, const CommandArguments& arguments) -> Result<void> {
            const Catalog& catalog = m_plugins.latest();
            const bool file = !arguments.empty() && arguments.front().ends_with(".md");
            if (!arguments.empty() && !file) {
                const std::vector<std::string> lines = explainPart(catalog, arguments.front());
                if (lines.empty())
                    return Error{
                        "there is no component or message " + inQuotes(arguments.front()), {}, {}};
                for (const std::string& line : lines)
                    context.print(line);
                return {};
            }
            std::string page = referencePage(catalog, catalog.components, "Components");
            while (page.ends_with('\n'))
                page.pop_back();
            if (!file) {
                context.print(page);
                return {};
            }
            return writeTextFile(page, arguments.front(), context);
        });
    m_console.setTopics([this](std::string_view name) { return explainPart(m_plugins.latest(), name); });
    commands.add("plugin.reload", "Loads plugins again: all, or the one that is named.",
                 {{.name = "plugin", .doc = "As in project.toml, or its file's name.", .optional = true}},
                 [this](CommandContext& context, const CommandArguments& arguments) -> Result<void> {
                     const std::string name = arguments.empty() ? std::string() : arguments.front();
                     const Result<void> done = reloadPlugins(name);
                     if (!done)
                         return done.error();
                     if (!m_reloader)
                         for (const PluginState& plugin : m_plugins.latest().plugins)
                             if (name.empty() || means(plugin, name))
                                 context.print(plugin.path + ": build " + std::to_string(plugin.build));
                     return {};
                 });
}

Result<void> Session::reloadPlugins(const std::string& name) {
    if (!content())
        return Error{"no project is open", {}, {}};
    const std::vector<PluginState>& known = m_plugins.latest().plugins;
    if (!name.empty()
        && std::none_of(known.begin(), known.end(), [&](const PluginState& p) { return means(p, name); })) {
        std::vector<std::string> names;
        for (const PluginState& plugin : known)
            names.push_back(plugin.path);
        const std::string near = nearestName(name, names);
        return Error{"the project names no plugin " + inQuotes(name)
                         + (near.empty() ? "" : "; did you mean " + near + "?"),
                     {},
                     {}};
    }
    m_plugins.forget(name);
    if (m_reloader) {
        m_reloader();
        return {};
    }
    Diagnostics faults;
    const definition::Project& project = content()->project;
    const auto read = loadContent(project.file, project.scene, m_plugins, faults);
    faults.sort();
    for (const Diagnostic& fault : faults.items)
        m_log.write(fault.severity == Severity::Error ? LogSeverity::Error : LogSeverity::Warning, "plugin",
                    fault.toString());
    for (const PluginState& plugin : m_plugins.latest().plugins)
        if (!plugin.fault.empty() && (name.empty() || means(plugin, name)))
            return Error{plugin.path + " is refused: it " + plugin.fault, {}, {}};
    if (!read || faults.hasErrors())
        return Error{"the project's files have faults: what was in force stays", {}, {}};
    applyContent(read);
    return {};
}

} // namespace sbx
