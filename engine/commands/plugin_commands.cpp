// What the console can do with plugins.

#include "engine/commands/command_values.h"
#include "engine/commands/console_commands.h"
#include "engine/core/value.h"
#include "engine/session/session.h"
#include "engine/simulation/reference.h"

namespace sbx {

void addPluginCommands(Session& session) {
    CommandRegistry& commands = session.console().commands();
    commands.add("plugin.list", "Lists the project's plugins: their components, or why one is refused.", {},
                 [&session](CommandContext& context, const CommandArguments&) -> Result<void> {
                     const Catalog& catalog = session.catalog();
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
        [&session](CommandContext& context, const CommandArguments& arguments) -> Result<void> {
            const Catalog& catalog = session.catalog();
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
    session.console().setTopics([&session](std::string_view name) { return explainPart(session.catalog(), name); });
    commands.add("plugin.reload", "Loads plugins again: all, or the one that is named.",
                 {{.name = "plugin", .doc = "As in project.toml, or its file's name.", .optional = true}},
                 [&session](CommandContext& context, const CommandArguments& arguments) -> Result<void> {
                     const std::string name = arguments.empty() ? std::string() : arguments.front();
                     const Result<void> done = session.reloadPlugins(name);
                     if (!done)
                         return done.error();
                     if (!session.handlers().reload)
                         for (const PluginState& plugin : session.catalog().plugins)
                             if (name.empty() || isPluginNamed(plugin, name))
                                 context.print(plugin.path + ": build " + std::to_string(plugin.build));
                     return {};
                 });
}

} // namespace sbx
