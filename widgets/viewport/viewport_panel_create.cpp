// Entities that are made here: from the palette, by dragging a type or an asset into the picture.

#include "widgets/viewport/viewport_panel.h"

#include <QCursor>
#include <QDragEnterEvent>
#include <QMimeData>

#include "widgets/common/action_registry.h"
#include "widgets/common/asset_drag.h"
#include "widgets/viewport/placement.h"

#include <optional>

namespace sbx::ui {

namespace {

std::string typeOf(const QMimeData* data) {
    const QString format = QLatin1String(EntityTypeMime);
    return data != nullptr && data->hasFormat(format) ? data->data(format).toStdString() : std::string();
}

} // namespace

Vec3 ViewportPanel::placeFor(const std::optional<render::Bounds>& bounds, const QPointF& at, bool invertSnap) {
    const ShownScene& shown = m_view->shown();
    // Beside everything in an orthographic picture: at the depth that is in focus.
    const float focus = m_view->focusAlong();
    const bool flat = m_view->camera().orthographic();
    const Surface surface = flat ? surfaceUnder(shown.scene(), shown.index(), m_view->rayAt(at), focus + 200.0F, focus)
                                 : surfaceUnder(shown.scene(), shown.index(), m_view->rayAt(at));
    const Vec3 place = restOn(surface, bounds, m_gizmo->snap().inverted(invertSnap));
    return bounds ? raisedAboveGround(shown.scene(), shown.index(), place, *bounds) : place;
}

bool ViewportPanel::create(const std::string& type, const Vec3& position) {
    const Result<std::string> made = m_editor.create(type, position);
    if (!made) {
        emit problem(QString::fromStdString(made.error().message));
        return false;
    }
    m_lastCreated = QString::fromStdString(type);
    m_actions.refresh();
    m_view->wake();
    return true;
}

QPoint ViewportPanel::pointerPlace() const {
    const QPoint at = mapFromGlobal(QCursor::pos());
    return rect().contains(at) && isVisible() ? at : m_view->mapTo(this, m_view->activeArea().center());
}

bool ViewportPanel::createAsset(const QString& asset, const QPointF& at, bool invertSnap) {
    const AssetFacts facts = m_assetFacts ? m_assetFacts(asset) : AssetFacts();
    if (!facts.fault.isEmpty()) {
        emit problem(facts.fault);
        return false;
    }
    const Result<std::string> made = m_editor.createOf(asset.toStdString(), placeFor(facts.bounds, at, invertSnap));
    if (!made) {
        emit problem(QString::fromStdString(made.error().message));
        return false;
    }
    m_view->wake();
    return true;
}

bool ViewportPanel::createAt(const QString& type, const QPoint& place) {
    m_view->activateAt(m_view->mapFrom(this, place));
    const std::string name = type.toStdString();
    return create(name, placeFor(m_editor.placingBounds(name), m_view->mapFrom(this, place), false));
}

bool ViewportPanel::createAtCentre(const QString& type) {
    return createAt(type, m_view->mapTo(this, m_view->activeArea().center()));
}

bool ViewportPanel::createAssetAtCentre(const QString& asset) {
    return createAsset(asset, m_view->activeArea().center(), false);
}

void ViewportPanel::dragEnterEvent(QDragEnterEvent* event) {
    const std::string type = typeOf(event->mimeData());
    const QString asset = assetOf(event->mimeData());
    if ((type.empty() && asset.isEmpty()) || !m_view->isVisible())
        return;
    m_ghost = Ghost{type, asset.toStdString(), Vec3(0.0F), {}};
    if (asset.isEmpty())
        m_ghost->bounds = m_editor.placingBounds(type);
    else if (m_assetFacts)
        m_ghost->bounds = m_assetFacts(asset).bounds;
    event->acceptProposedAction();
}

void ViewportPanel::dragMoveEvent(QDragMoveEvent* event) {
    if (!m_ghost)
        return;
    m_view->activateAt(m_view->mapFrom(this, event->position().toPoint()));
    m_ghost->position = placeFor(m_ghost->bounds, m_view->mapFrom(this, event->position().toPoint()),
                                 event->modifiers().testFlag(Qt::ControlModifier));
    event->setDropAction(Qt::CopyAction);
    event->accept();
    m_view->wake();
}

void ViewportPanel::dragLeaveEvent(QDragLeaveEvent*) {
    m_ghost.reset();
    m_view->wake();
}

void ViewportPanel::dropEvent(QDropEvent* event) {
    const std::string type = typeOf(event->mimeData());
    const QString asset = assetOf(event->mimeData());
    m_ghost.reset();
    if ((type.empty() && asset.isEmpty()) || !m_view->isVisible())
        return;
    const bool invert = event->modifiers().testFlag(Qt::ControlModifier);
    const QPointF place = m_view->mapFrom(this, event->position().toPoint());
    m_view->activateAt(place);
    if (!asset.isEmpty() ? createAsset(asset, place, invert) : create(type, placeFor(m_editor.placingBounds(type), place, invert))) {
        event->setDropAction(Qt::CopyAction);
        event->accept();
    }
    m_view->setFocus(Qt::OtherFocusReason);
}

void ViewportPanel::report(const Result<void>& result) {
    if (!result)
        emit problem(QString::fromStdString(result.error().message));
}

} // namespace sbx::ui
