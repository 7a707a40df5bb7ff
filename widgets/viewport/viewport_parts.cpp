// The entities of the picture as parts that scripts and tests click: "entity:door".

#include <QRectF>

#include "engine/core/nearest.h"
#include "widgets/viewport/viewport_view.h"

#include <algorithm>
#include <vector>

namespace sbx::ui {

namespace {

const QString EntityPrefix = QStringLiteral("entity:");
constexpr int GridSteps = 24; // places along each side of the rectangle that an entity fills in the picture

// Places of the rectangle from its middle outwards: an entity is likelier to be seen there.
std::vector<QPoint> gridOf(const QRectF& area) {
    std::vector<QPoint> places;
    for (int row = 0; row <= GridSteps; ++row)
        for (int column = 0; column <= GridSteps; ++column)
            places.push_back(QPointF(area.x() + area.width() * column / GridSteps,
                                     area.y() + area.height() * row / GridSteps)
                                 .toPoint());
    const QPoint middle = area.center().toPoint();
    std::stable_sort(places.begin(), places.end(), [&](const QPoint& a, const QPoint& b) {
        return (a - middle).manhattanLength() < (b - middle).manhattanLength();
    });
    return places;
}

} // namespace

std::string ViewportView::entityAt(const QPointF& place) const {
    if (m_entityAt)
        return m_entityAt(place);
    const auto hit = m_shown.pick(rayAt(place));
    return hit ? m_shown.nameOf(hit->entity) : std::string();
}

std::optional<QPointF> ViewportView::placeOf(const Vec3& point) const {
    const GizmoView view = gizmoView();
    const auto pixel = render::projectToPixel(view.camera, view.width, view.height, point);
    if (!pixel)
        return std::nullopt;
    return fromPixels(Vec2(*pixel));
}

bool ViewportView::isCovered(const QPoint& place) const {
    const QWidget* top = window()->childAt(mapTo(window(), place));
    return top != nullptr && top != this && !isAncestorOf(top);
}

// The part of the view that an entity's box fills; the whole of it if the box reaches behind the camera.
QRectF ViewportView::areaOf(const render::Bounds& bounds) const {
    QRectF area;
    for (unsigned corner = 0; corner < 8; ++corner) {
        const auto place = placeOf({(corner & 1U) != 0 ? bounds.maximum.x : bounds.minimum.x,
                                    (corner & 2U) != 0 ? bounds.maximum.y : bounds.minimum.y,
                                    (corner & 4U) != 0 ? bounds.maximum.z : bounds.minimum.z});
        if (!place)
            return activeArea();
        const QRectF around(*place - QPointF(0.5, 0.5), QSizeF(1.0, 1.0));
        area = area.isNull() ? around : area.united(around);
    }
    return area.intersected(activeArea());
}

std::vector<QPoint> ViewportView::placesOf(const std::string& entity) const {
    std::vector<QPoint> places;
    if (const auto pose = m_shown.poseOf(entity))
        if (const auto place = placeOf(pose->position))
            places.push_back(place->toPoint());
    if (const auto bounds = m_shown.boundsOf(entity))
        if (const QRectF area = areaOf(*bounds); !area.isEmpty())
            for (const QPoint& place : gridOf(area))
                places.push_back(place);
    std::erase_if(places, [this](const QPoint& place) { return !activeArea().contains(place); });
    return places;
}

QStringList ViewportView::partNames(int limit) const {
    QStringList names;
    const FrameSnapshot* snapshot = m_shown.snapshot();
    if (snapshot == nullptr || !snapshot->entities)
        return names;
    for (const EntityRow& row : snapshot->entities->rows) {
        if (names.size() >= limit)
            break;
        const auto pose = m_shown.poseOf(row.name);
        const auto place = pose ? placeOf(pose->position) : std::nullopt;
        if (place && activeArea().contains(place->toPoint()))
            names.append(EntityPrefix + QString::fromStdString(row.name));
    }
    return names;
}

Result<QPoint> ViewportView::placeOfPart(const QString& part) const {
    if (!part.startsWith(EntityPrefix))
        return makeError("the picture has no part \"" + part.toStdString() + "\"; expected entity:NAME");
    const std::string name = part.mid(EntityPrefix.size()).toStdString();
    if (m_shown.idOf(name) == 0) {
        std::vector<std::string> names;
        if (const FrameSnapshot* snapshot = m_shown.snapshot(); snapshot != nullptr && snapshot->entities)
            for (const EntityRow& row : snapshot->entities->rows)
                names.push_back(row.name);
        const std::string near = nearestName(name, names);
        return makeError("the world has no entity \"" + name + "\""
                         + (near.empty() ? std::string() : "; did you mean " + near + "?"));
    }
    const std::vector<QPoint> places = placesOf(name);
    if (places.empty())
        return makeError("the entity \"" + name + "\" is outside the picture");
    std::string front;
    for (const QPoint& place : places) {
        if (isCovered(place))
            continue;
        std::string found = entityAt(place);
        if (found == name)
            return place;
        if (front.empty())
            front = std::move(found);
    }
    return makeError("the entity \"" + name + "\" cannot be clicked: it is hidden"
                     + (front.empty() ? std::string() : " behind \"" + front + "\""));
}

} // namespace sbx::ui
