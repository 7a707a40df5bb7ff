#include "widgets/viewport/debug_overlay.h"

#include "widgets/common/theme.h"
#include "widgets/viewport/chip.h"

#include <QPainter>

#include <glm/geometric.hpp>

#include <algorithm>
#include <array>
#include <cmath>

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

QColor depthColor(int depth, const Theme& theme) {
    return theme.hue(static_cast<Hue>(depth % static_cast<int>(Hue::Count)));
}

QColor contactColor(const Theme& theme) {
    return theme.hue(Hue::Vermillion);
}

Vec4 display(const QColor& color, float alpha = 1.0F) {
    return {static_cast<float>(color.redF()), static_cast<float>(color.greenF()), static_cast<float>(color.blueF()), alpha};
}

} // namespace

void drawPhysics(render::DebugDraw& draw, const PhysicsView& physics, const Theme& theme) {
    for (const physics::DebugBox& box : physics.tree) {
        const Vec3 size = box.high - box.low;
        if (std::max({size.x, size.y, size.z}) < Farthest)
            draw.addBox({0.5F * (box.low + box.high), Quat(1.0F, 0.0F, 0.0F, 0.0F), Vec3(1.0F)}, size,
                        display(depthColor(box.depth, theme), box.body ? 0.55F : 0.9F), render::LineDepth::Faint);
    }
    for (const physics::DebugLine& line : physics.shapes)
        if (glm::distance(line.from, line.to) < Farthest)
            draw.addLine(line.from, line.to, display(colorOf(line.state, theme)), render::LineDepth::Faint);
    const Vec4 color = display(contactColor(theme));
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

bool DebugLegend::explain(const PhysicsView* physics) {
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
        int deepest = 0;
        int bodies = -1;
        for (const physics::DebugBox& box : physics->tree) {
            deepest = std::max(deepest, box.depth);
            if (box.body)
                bodies = std::max(bodies, box.depth);
        }
        rows.push_back({{}, tr("Tree")});
        constexpr int Shown = static_cast<int>(Hue::Count);
        for (int depth = 0; depth <= std::min(deepest, Shown - 1); ++depth) {
            QString text = depth == 0 ? tr("root") : tr("depth %1").arg(depth);
            if (deepest >= Shown + depth)
                text += tr(", %1 …").arg(depth + Shown);
            if (depth == bodies)
                text += tr(": bodies");
            rows.push_back({depthColor(depth, m_theme), text});
        }
    }
    if (rows == m_rows && isHidden() == rows.empty())
        return false;
    m_rows = std::move(rows);
    setFont(m_theme.font(FontRole::Ui));
    int width = 0;
    QStringList spoken;
    for (const Row& row : m_rows) {
        width = std::max(width, fontMetrics().horizontalAdvance(row.text) + (row.color.isValid() ? Swatch + measure::PanelPadding : 0));
        spoken << row.text;
    }
    resize(width + 2 * measure::PanelPadding, static_cast<int>(m_rows.size()) * measure::RowHeight + 2 * measure::RelatedGap);
    setAccessibleName(tr("Legend: %1").arg(spoken.join(QStringLiteral(", "))));
    setVisible(!m_rows.empty());
    update();
    return true;
}

void DebugLegend::paintEvent(QPaintEvent*) {
    paintPlate(*this, m_theme);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    int y = measure::RelatedGap;
    for (const Row& row : m_rows) {
        int x = measure::PanelPadding;
        if (row.color.isValid()) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(row.color);
            painter.drawRoundedRect(QRectF(x, y + (measure::RowHeight - Swatch) / 2.0, Swatch, Swatch), 2.0, 2.0);
            x += Swatch + measure::PanelPadding;
        }
        painter.setPen(m_theme.color(row.color.isValid() ? Token::Text : Token::Muted));
        painter.drawText(QRect(x, y, width() - x, measure::RowHeight), Qt::AlignLeft | Qt::AlignVCenter, row.text);
        y += measure::RowHeight;
    }
}

} // namespace sbx::ui
