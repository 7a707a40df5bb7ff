#include "widgets/viewport/debug_overlay.h"

#include <QPainter>

#include "widgets/common/color_picker.h"
#include "widgets/common/theme.h"
#include "widgets/viewport/chip.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

namespace sbx::ui {

namespace {

constexpr float Farthest = 2000.0F; // metres: an edge longer than this says nothing
constexpr float ContactArrow = 0.35F;
constexpr int Swatch = 10;

using physics::BodyState;
constexpr std::array States = {BodyState::Awake, BodyState::Asleep, BodyState::Kinematic, BodyState::Static, BodyState::Trigger};

QColor colorOf(BodyState state, const Theme& theme) {
    switch (state) {
    case BodyState::Awake:
        return theme.hue(Hue::BluishGreen);
    case BodyState::Asleep:
        return theme.hue(Hue::Blue);
    case BodyState::Kinematic:
        return theme.hue(Hue::SkyBlue);
    case BodyState::Static:
        return theme.color(Token::Muted);
    case BodyState::Trigger:
        return theme.hue(Hue::Yellow);
    }
    return {};
}

QString nameOf(BodyState state) {
    switch (state) {
    case BodyState::Awake:
        return DebugLegend::tr("awake");
    case BodyState::Asleep:
        return DebugLegend::tr("asleep");
    case BodyState::Kinematic:
        return DebugLegend::tr("moved by messages");
    case BodyState::Static:
        return DebugLegend::tr("static");
    case BodyState::Trigger:
        return DebugLegend::tr("trigger");
    }
    return {};
}

// Depths of one shade. Deep trees have several.
constexpr int Shades = 8;

int shadesOf(int deepest) {
    return std::min(deepest + 1, Shades);
}

int shadeOf(int depth, int deepest) {
    return depth * shadesOf(deepest) / (deepest + 1);
}

// A scale of its own, apart from the colours that say what a body is: the root deep, the boxes of bodies pale.
QColor shadeColor(int shade, int shades, const Theme& theme) {
    const QColor hue = theme.hue(Hue::ReddishPurple);
    const float along = shades < 2 ? 0.0F : static_cast<float>(shade) / static_cast<float>(shades - 1);
    return QColor::fromHslF(hue.hslHueF(), 0.85F - 0.1F * along, 0.38F + 0.47F * along);
}

int deepestOf(const PhysicsView& physics) {
    int deepest = 0;
    for (const physics::DebugBox& box : physics.tree)
        deepest = std::max(deepest, box.depth);
    return deepest;
}

QColor contactColor(const Theme& theme) {
    return theme.hue(Hue::Vermillion);
}

} // namespace

void drawPhysics(render::DebugDraw& draw, const PhysicsView& physics, const Theme& theme) {
    const int deepest = deepestOf(physics);
    for (const physics::DebugBox& box : physics.tree) {
        const Vec3 size = box.high - box.low;
        if (std::max({size.x, size.y, size.z}) < Farthest)
            draw.addBox({0.5F * (box.low + box.high), Quat(1.0F, 0.0F, 0.0F, 0.0F), Vec3(1.0F)}, size,
                        overlayColor(shadeColor(shadeOf(box.depth, deepest), shadesOf(deepest), theme), box.body ? 0.6F : 0.9F), render::LineDepth::Faint);
    }
    for (const physics::DebugLine& line : physics.shapes)
        if (glm::distance(line.from, line.to) < Farthest)
            draw.addLine(line.from, line.to, overlayColor(colorOf(line.state, theme)), render::LineDepth::Faint);
    const Vec4 color = overlayColor(contactColor(theme));
    for (const physics::Contact& contact : physics.contacts) {
        draw.addCross(contact.point, 0.12F, color, render::LineDepth::OnTop);
        if (!contact.trigger)
            draw.addLine(contact.point, contact.point + contact.normal * ContactArrow, color, render::LineDepth::OnTop);
    }
}

DebugLegend::DebugLegend(const Theme& theme, QWidget* parent) : QWidget(parent), m_theme(theme) {
    setObjectName(QStringLiteral("viewport.legend"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    hide();
    connect(&theme, &Theme::changed, this, [this] {
        m_rows.clear(); // colours are the theme's: said anew with the next frame
        update();
    });
}

bool DebugLegend::explain(const PhysicsView* physics, int room, std::vector<Row> more) {
    std::vector<Row> rows;
    if (physics != nullptr && !physics->shapes.empty()) {
        rows.push_back({{}, tr("Bodies")});
        for (const BodyState state : States)
            rows.push_back({colorOf(state, m_theme), nameOf(state)});
    }
    if (physics != nullptr && !physics->contacts.empty()) {
        if (rows.empty())
            rows.push_back({{}, tr("Bodies")});
        rows.push_back({contactColor(m_theme), tr("contact, normal")});
    }
    if (physics != nullptr && !physics->tree.empty()) {
        const int deepest = deepestOf(*physics);
        // In ours, all of them; in Bullet's at any depth.
        const bool bodiesDeepest =
            std::all_of(physics->tree.begin(), physics->tree.end(), [deepest](const auto& box) { return !box.body || box.depth == deepest; });
        rows.push_back({{}, tr("Tree")});
        for (int first = 0; first <= deepest;) {
            const int shade = shadeOf(first, deepest);
            int last = first;
            while (last < deepest && shadeOf(last + 1, deepest) == shade)
                ++last;
            QString text = last == 0 ? tr("root") : first == last ? tr("depth %1").arg(first) : tr("depths %1 to %2").arg(first).arg(last);
            if (last == deepest && bodiesDeepest)
                text += tr(": bodies");
            rows.push_back({shadeColor(shade, shadesOf(deepest), m_theme), text});
            first = last + 1;
        }
    }
    rows.insert(rows.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
    if (rows == m_rows && room == m_room && isHidden() == rows.empty())
        return false;
    m_rows = std::move(rows);
    m_room = room;
    setFont(m_theme.font(FontRole::Ui));
    layOut();
    QStringList spoken;
    for (const Row& row : m_rows)
        spoken << row.text;
    setAccessibleName(tr("Legend: %1").arg(spoken.join(QStringLiteral(", "))));
    setVisible(!m_rows.empty());
    update();
    return true;
}

// Heading by heading: below each other, or side by side where that would hide too much of the picture.
void DebugLegend::layOut() {
    const int tall = static_cast<int>(m_rows.size()) * measure::RowHeight + 2 * measure::RelatedGap;
    const bool beside = 5 * tall > 2 * m_room;
    m_places.clear();
    int left = measure::PanelPadding;
    int y = measure::RelatedGap;
    int width = 0;
    int height = 0;
    for (const Row& row : m_rows) {
        if (beside && !row.color.isValid() && !m_places.empty()) {
            left += width + measure::GroupGap;
            y = measure::RelatedGap;
            width = 0;
        }
        m_places.push_back({left, y});
        width = std::max(width, fontMetrics().horizontalAdvance(row.text) + (row.color.isValid() ? Swatch + measure::PanelPadding : 0));
        y += measure::RowHeight;
        height = std::max(height, y);
    }
    resize(left + width + measure::PanelPadding, height + measure::RelatedGap);
}

void DebugLegend::paintEvent(QPaintEvent*) {
    paintPlate(*this, m_theme);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const Row& row = m_rows[i];
        QRect line(m_places[i], QSize(width() - m_places[i].x(), measure::RowHeight));
        if (row.color.isValid()) {
            // With an edge: some are nearly as light as the plate, others nearly as dark.
            painter.setPen(QPen(m_theme.color(Token::Muted), 1.0));
            painter.setBrush(row.color);
            painter.drawRoundedRect(QRectF(line.left() + 0.5, line.top() + (measure::RowHeight - Swatch) / 2.0 + 0.5, Swatch - 1.0, Swatch - 1.0),
                                    2.0, 2.0);
            line.setLeft(line.left() + Swatch + measure::PanelPadding);
        }
        painter.setPen(m_theme.color(row.color.isValid() ? Token::Text : Token::Muted));
        painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, row.text);
    }
}

} // namespace sbx::ui

#include "moc_debug_overlay.cpp"
