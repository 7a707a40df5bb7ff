#include "widgets/viewport/entity_signs.h"

#include <QIcon>
#include <QImage>
#include <QPixmap>

#include "widgets/common/theme.h"

#include <algorithm>
#include <cmath>

namespace sbx::ui {

namespace {

constexpr int Cell = 48; // texels; twice what is drawn, and a margin around it
constexpr int Margin = 2;
constexpr int Columns = 8;
constexpr int Rows = 8;

struct Kind {
    const char* component;
    const char* icon;
    Hue hue;
};
constexpr Kind Kinds[] = {{"Light", "light", Hue::Yellow},
                          {"Sound", "sound", Hue::BluishGreen},
                          {"Trigger", "trigger", Hue::Orange},
                          {"Camera", "camera", Hue::SkyBlue},
                          {"Spawner", "spawner", Hue::ReddishPurple},
                          {"Sun", "sun", Hue::Yellow}};

Vec4 shown(const QColor& color) {
    return {static_cast<float>(color.redF()), static_cast<float>(color.greenF()),
            static_cast<float>(color.blueF()), 1.0F};
}

// Definitions have linear colours; signs have display colours, and are never so dark that their plate swallows them.
Vec4 shown(const Vec4& linear) {
    Vec4 out(0.0F, 0.0F, 0.0F, 1.0F);
    float strongest = 0.0F;
    for (int i = 0; i < 3; ++i) {
        const float value = std::clamp(linear[i], 0.0F, 1.0F);
        out[i] = value <= 0.0031308F ? value * 12.92F : 1.055F * std::pow(value, 1.0F / 2.4F) - 0.055F;
        strongest = std::max(strongest, out[i]);
    }
    constexpr float Least = 0.75F;
    if (strongest < Least)
        for (int i = 0; i < 3; ++i)
            out[i] = strongest > 0.0F ? out[i] * Least / strongest : Least;
    return out;
}

} // namespace

std::string kindOf(const definition::EntityTypeDefinition& type) {
    for (const Kind& kind : Kinds)
        if (type.find(kind.component) != nullptr)
            return kind.icon;
    return "entity";
}

EntitySigns::EntitySigns(const Theme& theme) : m_theme(theme) {}

render::Sign EntitySigns::signOf(const std::string& icon, const definition::EntityTypeDefinition* type) {
    render::Sign sign;
    const std::string kind = type != nullptr ? kindOf(*type) : std::string("entity");
    sign.area = areaOf(icon.empty() ? kind : icon);
    sign.color = Vec4(0.92F, 0.93F, 0.95F, 1.0F);
    if (type != nullptr && type->color)
        sign.color = shown(*type->color);
    else
        for (const Kind& each : Kinds)
            if (kind == each.icon)
                sign.color = shown(m_theme.hue(each.hue));
    return sign;
}

Vec4 EntitySigns::areaOf(const std::string& icon) {
    auto cell = m_cells.find(icon);
    if (cell == m_cells.end()) {
        const bool known = Theme::iconNames().contains(QString::fromStdString(icon));
        if (!known || m_cells.size() >= static_cast<std::size_t>(Columns * Rows))
            return icon == "entity" ? Vec4(0.0F) : areaOf("entity");
        cell = m_cells.emplace(icon, static_cast<int>(m_cells.size())).first;
        draw();
    }
    const auto x = static_cast<float>(cell->second % Columns);
    const auto y = static_cast<float>(cell->second / Columns);
    constexpr float Inset = static_cast<float>(Margin) / Cell;
    return {(x + Inset) / Columns, (y + Inset) / Rows, (1.0F - 2.0F * Inset) / Columns,
            (1.0F - 2.0F * Inset) / Rows};
}

void EntitySigns::draw() {
    auto sheet = std::make_shared<render::IconSheet>();
    sheet->width = Columns * Cell;
    sheet->height = Rows * Cell;
    sheet->coverage.assign(static_cast<std::size_t>(sheet->width) * static_cast<std::size_t>(sheet->height),
                           0);
    constexpr int Size = Cell - 2 * Margin;
    for (const auto& [icon, cell] : m_cells) {
        QPixmap pixmap = m_theme.icon(QString::fromStdString(icon)).pixmap(QSize(Size, Size), 1.0);
        const QImage image = pixmap.toImage().scaled(Size, Size).convertToFormat(QImage::Format_ARGB32);
        const int left = cell % Columns * Cell + Margin;
        const int top = cell / Columns * Cell + Margin;
        for (int y = 0; y < Size; ++y)
            for (int x = 0; x < Size; ++x)
                sheet->coverage[static_cast<std::size_t>((top + y) * sheet->width + left + x)] =
                    static_cast<std::uint8_t>(qAlpha(image.pixel(x, y)));
    }
    m_sheet = std::move(sheet);
}

} // namespace sbx::ui
