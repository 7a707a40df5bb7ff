// A session's plugins, loaded again.

#include "engine/core/nearest.h"
#include "engine/session/session.h"

#include <algorithm>

namespace sbx {

Result<void> Session::reloadPlugins(const std::string& name) {
    if (!m_main.content())
        return Error{"no project is open", {}, {}};
    const std::vector<PluginState>& known = m_plugins.latest().plugins;
    if (!name.empty()
        && std::none_of(known.begin(), known.end(), [&](const PluginState& p) { return isPluginNamed(p, name); })) {
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
    if (m_handlers.reload) {
        m_handlers.reload();
        return {};
    }
    Diagnostics faults;
    const definition::Project& project = m_main.content()->project;
    const auto read = loadContent(project.file, project.scene, m_plugins, faults);
    faults.sort();
    for (const Diagnostic& fault : faults.items)
        m_log.write(fault.severity == Severity::Error ? LogSeverity::Error : LogSeverity::Warning, "plugin",
                    fault.toString());
    for (const PluginState& plugin : m_plugins.latest().plugins)
        if (!plugin.fault.empty() && (name.empty() || isPluginNamed(plugin, name)))
            return Error{plugin.path + " is refused: it " + plugin.fault, {}, {}};
    if (!read || faults.hasErrors())
        return Error{"the project's files have faults: what was in force stays", {}, {}};
    applyContent(read);
    return {};
}

} // namespace sbx
