#include "widgets/viewport/link_lines.h"

#include "engine/render/renderer.h"
#include "engine/session/session.h"
#include "widgets/common/color_picker.h"
#include "widgets/common/document.h"
#include "widgets/common/scene_marks.h"
#include "widgets/common/selection.h"
#include "widgets/common/theme.h"
#include "widgets/viewport/entity_editor.h"
#include "widgets/viewport/shown_scene.h"

#include <QCoreApplication>

#include <glm/geometric.hpp>

#include <algorithm>
#include <utility>

namespace sbx::ui {

namespace {

constexpr float LinkWidth = 2.0F;
constexpr float QuietWidth = 1.2F;
constexpr float QuietAlpha = 0.75F;

QString captionOf(const EntityLink& link) {
    const QString field = QString::fromStdString(link.field);
    if (!link.broken)
        return field;
    return QCoreApplication::translate("LinkLines", "%1: there is no %2").arg(field, QString::fromStdString(link.to));
}

} // namespace

LinkLines::LinkLines(const Session& session, const Document& document, const EntityEditor& editor, const ShownScene& shown,
                     const Selection& selection, const Theme& theme)
    : m_session(session), m_document(document), m_editor(editor), m_shown(shown), m_selection(selection), m_theme(theme) {}

const EntityLinks& LinkLines::links() const {
    const FrameSnapshot* snapshot = m_shown.snapshot();
    Origin origin{m_scene ? m_scene() : nullptr, snapshot != nullptr ? snapshot->entities : nullptr, m_document.structureRevision(),
                  !m_editor.editsFile()};
    if (m_origin == origin)
        return m_links;
    std::vector<EntityLink> found;
    LinkReader reader(m_session.catalog().schema, m_editor.definitions());
    const auto instance = [&origin](const std::string& name) { return origin.scene != nullptr ? origin.scene->find(name) : nullptr; };
    if (!origin.running && origin.scene != nullptr) {
        for (const definition::InstanceDefinition& each : origin.scene->instances())
            reader.read(each.name, each.type, &each, found);
    } else if (origin.entities) {
        for (const EntityRow& row : origin.entities->rows)
            reader.read(row.name, row.type, row.fromScene ? instance(row.name) : nullptr, found);
    }
    // An entity that was just written is there before the world has it.
    m_links = EntityLinks(std::move(found), [&](const std::string& name) {
        return (origin.entities && origin.entities->find(name) != nullptr) || (!origin.running && instance(name) != nullptr);
    });
    m_origin = std::move(origin);
    return m_links;
}

std::vector<EntityLink> LinkLines::from(const std::string& entity) const {
    const FrameSnapshot* snapshot = m_shown.snapshot();
    if (!m_editor.editsFile() && snapshot != nullptr && snapshot->entities)
        for (const Inspection& living : snapshot->inspected)
            if (living.name == entity)
                return linksOf(living, *snapshot->entities);
    return links().from(entity);
}

std::vector<EntityLink> LinkLines::to(const std::string& entity) const {
    return links().to(entity);
}

std::optional<LinkLines::Place> LinkLines::placeOf(const std::string& entity) const {
    // What is not drawn has no box, whatever stands for it elsewhere.
    const std::vector<std::uint64_t> family = m_shown.familyOf(entity);
    if (std::any_of(family.begin(), family.end(), [this](std::uint64_t id) { return m_shown.drawsAny(m_shown.nameOf(id)); }))
        if (const auto box = m_shown.boundsOf(entity))
            return Place{box->centre(), box};
    if (const ScenePlace* place = m_editor.editsFile() ? m_editor.places().find(entity) : nullptr)
        return Place{(m_shown.previewing() ? m_shown.poseOf(entity).value_or(place->world) : place->world).position, std::nullopt};
    if (const auto pose = m_shown.poseOf(entity))
        return Place{pose->position, std::nullopt};
    // What is not drawn and not inspected is nowhere in a snapshot; in a running world it is likely to be where the scene put it.
    if (const ScenePlace* place = m_editor.places().find(entity))
        return Place{place->world.position, std::nullopt};
    return std::nullopt;
}

bool LinkLines::isHidden(const std::string& entity) const {
    return m_marks != nullptr && m_marks->isHidden(entity);
}

void LinkLines::draw(render::View& view, const GizmoView& geometry, int pane) {
    m_pane = static_cast<std::size_t>(pane);
    m_captions[m_pane].clear();
    if (m_shown.snapshot() == nullptr || !m_shown.snapshot()->entities)
        return;
    if (m_showsAll)
        drawAll(view, geometry);
    if (!m_isShown)
        return;
    for (const std::string& entity : m_selection.entities())
        drawParents(view, geometry, entity);
    for (const std::string& entity : m_selection.entities())
        drawSelected(view, geometry, entity);
}

void LinkLines::drawAll(render::View& view, const GizmoView& geometry) {
    const LinkStyle style{overlayColor(m_theme.hue(Hue::ReddishPurple), QuietAlpha), QuietWidth, false, true};
    const LinkStyle broken{overlayColor(m_theme.color(Token::Warning), QuietAlpha), QuietWidth, false, false};
    for (const EntityLink& link : links().all())
        if (link.from != link.to && (!m_isShown || (!m_selection.contains(link.from) && !m_selection.contains(link.to))))
            drawLink(view, geometry, link, link.broken ? broken : style, false);
}

void LinkLines::drawParents(render::View& view, const GizmoView& geometry, const std::string& entity) {
    const EntityList& entities = *m_shown.snapshot()->entities;
    const EntityRow* row = entities.find(entity);
    const auto place = row != nullptr && !isHidden(entity) ? placeOf(entity) : std::nullopt;
    if (!place)
        return;
    const LinkStyle style{Vec4(0.92F, 0.93F, 0.95F, 0.45F), QuietWidth, false, false};
    const auto join = [&](const std::string& other) {
        const auto end = isHidden(other) ? std::nullopt : placeOf(other);
        if (end)
            addLink(view.debug, geometry, place->centre, end->centre, style);
    };
    if (!row->parent.empty())
        join(row->parent);
    for (const std::uint64_t id : m_shown.familyOf(entity))
        if (const EntityRow* child = entities.find(EntityId::fromBits(id)); child != nullptr && child->parent == entity)
            join(child->name);
}

void LinkLines::drawSelected(render::View& view, const GizmoView& geometry, const std::string& entity) {
    const Vec4 color = overlayColor(m_theme.hue(Hue::ReddishPurple));
    const LinkStyle out{color, LinkWidth, false, true};
    const LinkStyle in{color, LinkWidth, true, true};
    const LinkStyle broken{overlayColor(m_theme.color(Token::Warning)), LinkWidth, false, false};
    int stubs = 0;
    for (const EntityLink& link : from(entity)) {
        if (!link.broken) {
            drawLink(view, geometry, link, out, true);
        } else if (const auto place = isHidden(entity) ? std::nullopt : placeOf(entity)) {
            const Vec3 end = addStub(view.debug, geometry, place->centre, stubs++, broken);
            if (const auto pixel = render::projectToPixel(geometry.camera, geometry.width, geometry.height, end))
                m_captions[m_pane].push_back({Vec2(pixel->x, pixel->y - 16.0F * geometry.pixelRatio), 1e6F, captionOf(link), true});
        }
    }
    for (const EntityLink& link : to(entity))
        if (!m_selection.contains(link.from)) // drawn from there
            drawLink(view, geometry, link, in, true);
}

void LinkLines::drawLink(render::View& view, const GizmoView& geometry, const EntityLink& link, const LinkStyle& style, bool captioned) {
    const auto from = isHidden(link.from) ? std::nullopt : placeOf(link.from);
    if (!from)
        return;
    if (link.broken) {
        addStub(view.debug, geometry, from->centre, 0, style);
        return;
    }
    if (link.from == link.to) {
        const Vec3 top = addLoop(view.debug, geometry, from->centre, style);
        if (const auto pixel = captioned ? render::projectToPixel(geometry.camera, geometry.width, geometry.height, top) : std::nullopt)
            m_captions[m_pane].push_back({Vec2(pixel->x, pixel->y - 12.0F * geometry.pixelRatio), 1e6F, captionOf(link), false});
        return;
    }
    const auto to = isHidden(link.to) ? std::nullopt : placeOf(link.to);
    if (!to)
        return;
    const Vec3 tip = tipOf(geometry, from->centre, *to);
    addLink(view.debug, geometry, from->centre, tip, style);
    if (!captioned)
        return;
    if (const auto line = lineInPicture(geometry, from->centre, tip))
        m_captions[m_pane].push_back({(line->from + line->to) * 0.5F, glm::length(line->to - line->from), captionOf(link), false});
}

Vec3 tipOf(const GizmoView& geometry, const Vec3& from, const LinkLines::Place& to) {
    if (to.box)
        return entryInto(*to.box, from, to.centre).value_or(to.centre);
    // Short of the icon.
    const Vec3 way = to.centre - from;
    const float away = geometry.metresAt(to.centre) * 14.0F * geometry.pixelRatio;
    const float length = glm::length(way);
    return length > 2.0F * away ? to.centre - way * (away / length) : to.centre;
}

} // namespace sbx::ui
