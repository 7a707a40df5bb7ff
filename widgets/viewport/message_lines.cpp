#include "widgets/viewport/message_lines.h"

#include <QCoreApplication>

#include "engine/render/renderer.h"
#include "widgets/common/color_picker.h"
#include "widgets/common/foreign_text.h"
#include "widgets/common/scene_marks.h"
#include "widgets/common/selection.h"
#include "widgets/common/theme.h"
#include "widgets/viewport/shown_scene.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <utility>

namespace sbx::ui {

namespace {

constexpr float PassingWidth = 1.8F;
constexpr float ChosenWidth = 3.0F;
constexpr float RingRadius = 12.0F; // logical pixels, of a message that passes now
constexpr float RingGrowth = 10.0F; // by so much until it has faded
constexpr float ChosenRing = 16.0F;

// At the receiver's box; of two that touch, whose boxes leave no line between them, at its middle.
Vec3 messageTip(const GizmoView& geometry, const Vec3& from, const LinkLines::Place& to) {
    constexpr float Short = 30.0F; // logical pixels
    constexpr float Far = 150.0F;  // the middle of a floor is not where the message went
    const Vec3 tip = tipOf(geometry, from, to);
    const auto pixel = [&](const Vec3& point) {
        return render::projectToPixel(geometry.camera, geometry.width, geometry.height, point);
    };
    const auto begin = pixel(from);
    const auto end = pixel(tip);
    const auto middle = pixel(to.centre);
    if (!begin || !end || !middle)
        return tip;
    const auto length = [&](const auto& at) {
        return glm::length(Vec2(at->x - begin->x, at->y - begin->y)) / geometry.pixelRatio;
    };
    return length(end) < Short && length(middle) < Far ? to.centre : tip;
}

QString fateName(MessageFate fate) {
    switch (fate) {
    case MessageFate::Passed:
        return QCoreApplication::translate("MessageLines", "passed on");
    case MessageFate::Consumed:
        return QCoreApplication::translate("MessageLines", "consumed");
    case MessageFate::Unheeded:
        return QCoreApplication::translate("MessageLines", "no handler");
    case MessageFate::Unhandled:
        return QCoreApplication::translate("MessageLines", "nobody acted");
    }
    return {};
}

} // namespace

MessageLines::MessageLines(const LinkLines& places, const ShownScene& shown, const Selection& selection,
                           const Theme& theme)
    : m_places(places), m_shown(shown), m_selection(selection), m_theme(theme) {}

QColor MessageLines::colorOf(MessageFate fate, const Theme& theme) {
    switch (fate) {
    case MessageFate::Passed:
        return QColor(228, 232, 240); // the trace's is quiet beside text; in the picture it would not be seen
    case MessageFate::Consumed:
        return theme.hue(Hue::Orange);
    case MessageFate::Unheeded:
        return theme.hue(Hue::SkyBlue);
    case MessageFate::Unhandled:
        return theme.hue(Hue::Vermillion);
    }
    return {};
}

void MessageLines::setShown(bool on) {
    if (std::exchange(m_isShown, on) == on)
        return;
    m_trails.clear();
    m_passing = {};
    if (m_shownChanged)
        m_shownChanged(on);
}

void MessageLines::add(const std::vector<PassingMessage>& messages) {
    if (m_isShown)
        m_trails.add(messages);
}

std::optional<LinkLines::Place> MessageLines::placeOf(const std::string& entity) const {
    if (entity.empty() || (m_marks != nullptr && m_marks->isHidden(entity)))
        return std::nullopt;
    return m_places.placeOf(entity);
}

void MessageLines::drawPassing(render::View& view, const GizmoView& geometry) {
    m_passing = {};
    const FrameSnapshot* snapshot = m_shown.snapshot();
    if (!m_isShown || snapshot == nullptr || !snapshot->entities || snapshot->mode == Mode::Edit)
        return;
    m_passing = m_trails.at(m_shown.shownTick(), snapshot->tickRate, snapshot->mode == Mode::Pause);
    std::unordered_map<std::string, std::optional<LinkLines::Place>> places;
    const auto find = [&](const std::string& entity) -> const std::optional<LinkLines::Place>& {
        const auto [known, isNew] = places.try_emplace(entity);
        if (isNew)
            known->second = placeOf(entity);
        return known->second;
    };
    // The newest last: it lies over the others.
    for (auto line = m_passing.lines.rbegin(); line != m_passing.lines.rend(); ++line) {
        const LinkStyle style{overlayColor(colorOf(line->fate, m_theme), 0.9F * line->strength), PassingWidth,
                              false, true};
        const auto& from = find(line->sender);
        const auto& to = find(line->receiver);
        const float radius = RingRadius + RingGrowth * (1.0F - line->strength);
        if (from && to && line->sender != line->receiver)
            addLink(view.debug, geometry, from->centre, messageTip(geometry, from->centre, *to), style);
        else if (from && to)
            addLoop(view.debug, geometry, to->centre, style);
        else if (to)
            addRing(view.debug, geometry, to->centre, radius, style);
        else if (from && line->receiver.empty())
            addRing(view.debug, geometry, from->centre, radius, {style.color, style.width, true, false});
    }
}

void MessageLines::drawChosen(render::View& view, const GizmoView& geometry, int pane) {
    auto& captions = m_captions[static_cast<std::size_t>(pane)];
    captions.clear();
    if (!m_chosen || m_shown.snapshot() == nullptr || !m_shown.snapshot()->entities
        || (!m_selection.contains(m_chosen->sender) && !m_selection.contains(m_chosen->receiver)))
        return;
    const Vec4 color = overlayColor(colorOf(m_chosen->fate, m_theme));
    outlineEnds(view, color);
    const LinkStyle style{color, ChosenWidth, false, true};
    const auto from = placeOf(m_chosen->sender);
    const auto to = placeOf(m_chosen->receiver);
    const QString text = QStringLiteral("%1 #%2").arg(shownLine(m_chosen->type)).arg(m_chosen->sequence);
    const auto captionAbove = [&](const Vec3& point, float pixels) {
        if (const auto pixel =
                render::projectToPixel(geometry.camera, geometry.width, geometry.height, point))
            captions.push_back({Vec2(pixel->x, pixel->y - pixels * geometry.pixelRatio), 1e6F, text, false});
    };
    if (from && to && m_chosen->sender != m_chosen->receiver) {
        const Vec3 tip = messageTip(geometry, from->centre, *to);
        addLink(view.debug, geometry, from->centre, tip, style);
        if (const auto line = lineInPicture(geometry, from->centre, tip))
            captions.push_back(
                {(line->from + line->to) * 0.5F, glm::length(line->to - line->from), text, false});
    } else if (from && to) {
        captionAbove(addLoop(view.debug, geometry, to->centre, style), 12.0F);
    } else if (to) {
        addRing(view.debug, geometry, to->centre, ChosenRing, style);
        captionAbove(to->centre, ChosenRing + 14.0F);
    } else if (from) {
        addRing(view.debug, geometry, from->centre, ChosenRing, {color, ChosenWidth, true, false});
        captionAbove(from->centre, ChosenRing + 14.0F);
    }
}

// The end that is not selected gets the line's colour. With several entities selected that colour is the primary one's.
void MessageLines::outlineEnds(render::View& view, const Vec4& color) const {
    if (m_selection.entities().size() > 1)
        return;
    std::vector<std::string> others;
    for (const std::string& end : {m_chosen->sender, m_chosen->receiver})
        if (!end.empty() && !m_selection.contains(end) && (m_marks == nullptr || !m_marks->isHidden(end)))
            others.push_back(end);
    if (others.empty())
        return;
    view.outlineGroups.resize(view.selected.size(), 0);
    for (const std::uint64_t member : m_shown.familiesOf(others))
        if (std::find(view.selected.begin(), view.selected.end(), member) == view.selected.end()) {
            view.selected.push_back(member);
            view.outlineGroups.push_back(1);
        }
    view.primary = color;
    view.primaryGroup = 1;
}

std::vector<DebugLegend::Row> MessageLines::legend() const {
    std::vector<DebugLegend::Row> rows;
    const FrameSnapshot* snapshot = m_shown.snapshot();
    if (!m_isShown || snapshot == nullptr || snapshot->mode == Mode::Edit)
        return rows;
    rows.push_back({{},
                    m_passing.all > m_passing.lines.size()
                        ? QCoreApplication::translate("MessageLines", "Messages: %1 newest of %2")
                              .arg(m_passing.lines.size())
                              .arg(m_passing.all)
                        : QCoreApplication::translate("MessageLines", "Messages")});
    for (int i = 0; i < MessageFates; ++i)
        rows.push_back(
            {colorOf(static_cast<MessageFate>(i), m_theme), fateName(static_cast<MessageFate>(i))});
    return rows;
}

} // namespace sbx::ui
