#pragma once
// Icons for entities without a shape (lamps, sounds, triggers, cameras, spawners): which one an entity has, in which colour, and the sheet
// that the renderer draws them from. GUI thread; the theme outlives it.

#include "engine/definition/definitions.h"
#include "engine/render/overlay.h"

#include <memory>
#include <string>
#include <unordered_map>

namespace sbx::ui {

class Theme;

class EntitySigns {
public:
    explicit EntitySigns(const Theme& theme);

    // `icon`: what the entity's type names, or empty: what its components suggest. The type's colour, or one that goes with the kind.
    [[nodiscard]] render::Sign signOf(const std::string& icon, const definition::EntityTypeDefinition* type);
    // With every icon that signOf() has given so far.
    [[nodiscard]] const std::shared_ptr<const render::IconSheet>& sheet() const { return m_sheet; }

private:
    [[nodiscard]] Vec4 areaOf(const std::string& icon);
    void draw();

    const Theme& m_theme;
    std::unordered_map<std::string, int> m_cells; // of the sheet
    std::shared_ptr<const render::IconSheet> m_sheet;
};

// The kind of what a type is without a shape: the name of an icon ("light", "sound", ...). "entity": none in particular.
[[nodiscard]] std::string kindOf(const definition::EntityTypeDefinition& type);

} // namespace sbx::ui
