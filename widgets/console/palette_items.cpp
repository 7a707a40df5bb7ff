#include "widgets/console/palette_items.h"

#include "engine/core/command.h"
#include "engine/core/cvar.h"

namespace sbx::ui {

std::vector<PaletteItem> commandItems(const CommandRegistry& commands,
                                      const std::function<bool(const QString&)>& leftOut, const ConsoleLines& lines) {
    std::vector<PaletteItem> items;
    for (const auto& command : commands.list()) {
        const QString name = QString::fromStdString(command->name);
        if (leftOut && leftOut(name))
            continue;
        const bool demands = !command->parameters.empty() && !command->parameters.front().optional;
        PaletteItem item;
        item.text = name;
        item.detail = QString::fromStdString(command->doc);
        item.icon = QStringLiteral("console");
        item.run = [name, demands, lines] { demands ? lines.type(name + QLatin1Char(' ')) : lines.run(name); };
        items.push_back(std::move(item));
    }
    return items;
}

std::vector<PaletteItem> cvarItems(const CVarRegistry& cvars, const ConsoleLines& lines) {
    std::vector<PaletteItem> items;
    for (const CVarInfo& cvar : cvars.list()) {
        const QString name = QString::fromStdString(cvar.field.name);
        PaletteItem item;
        item.text = name;
        item.detail = QString::fromStdString(cvar.field.doc);
        item.icon = QStringLiteral("settings");
        item.trailing = QString::fromStdString(cvar.shown());
        item.run = [name, lines] { lines.type(name + QLatin1Char(' ')); };
        items.push_back(std::move(item));
    }
    return items;
}

} // namespace sbx::ui
