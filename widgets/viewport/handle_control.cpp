#include "widgets/viewport/handle_control.h"

#include "engine/definition/batch_edit.h"
#include "engine/render/renderer.h"
#include "engine/session/session.h"
#include "widgets/common/color_picker.h"
#include "widgets/common/document.h"
#include "widgets/common/scene_marks.h"
#include "widgets/common/selection.h"
#include "widgets/common/theme.h"
#include "widgets/common/type_text.h"
#include "widgets/viewport/entity_editor.h"
#include "widgets/viewport/scene_edits.h"
#include "widgets/viewport/viewport_view.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace sbx::ui {

namespace {

constexpr qint64 SettleMs = 1000; // at most, until scene or world have what was dragged
constexpr float ShapeAlpha = 0.9F;
constexpr float QuietShapeAlpha = 0.4F; // of components whose handles are not under the cursor

bool sameValues(const HandleSubject& a, const HandleSubject& b) {
    if (a.components.size() != b.components.size())
        return false;
    for (std::size_t i = 0; i < a.components.size(); ++i)
        if (a.components[i].name != b.components[i].name || a.components[i].values != b.components[i].values)
            return false;
    return true;
}

} // namespace

HandleControl::HandleControl(Session& session, Document& document, const EntityEditor& editor, ViewportView& view, const Selection& selection,
                             const Theme& theme, QObject* parent)
    : QObject(parent), m_session(session), m_document(document), m_editor(editor), m_view(view), m_selection(selection), m_theme(theme) {
    m_lastWrite.start();
}

HandleControl::~HandleControl() = default;

void HandleControl::setShown(bool on) {
    if (!on)
        cancel();
    m_isShown = on;
    for (std::vector<ComponentHandle>& shown : m_shown)
        shown.clear();
    m_view.wake();
}

// ---------------------------------------------------------------------------------------------------- what there is

std::optional<HandleSubject> HandleControl::sceneSubject(const std::string& entity) const {
    const definition::Scene* scene = m_scene ? m_scene() : nullptr;
    const definition::InstanceDefinition* instance = scene != nullptr ? scene->find(entity) : nullptr;
    const definition::EntityTypeDefinition* type = instance != nullptr ? m_editor.definitions().find(instance->type) : nullptr;
    const ScenePlace* place = m_editor.places().find(entity);
    if (type == nullptr || place == nullptr)
        return std::nullopt;
    HandleSubject out;
    out.pose = m_view.shown().previewing() ? m_view.shown().poseOf(entity).value_or(place->world) : place->world;
    std::unordered_map<std::string, int> counts;
    for (const definition::ComponentDefinition& component : type->components)
        ++counts[component.name];
    for (const definition::ComponentDefinition& component : type->components) {
        const definition::ComponentSchema* schema = m_session.catalog().schema.find(component.name);
        if (counts[component.name] > 1 || schema == nullptr || schema->settings == nullptr)
            continue;
        const auto own = std::find_if(instance->overrides.begin(), instance->overrides.end(),
                                      [&](const definition::ComponentDefinition& each) { return each.name == component.name; });
        HandleSubject::Component& added = out.components.emplace_back();
        added.name = component.name;
        added.settings = schema->settings;
        for (const FieldInfo& field : *schema->settings) {
            const definition::Setting* setting = own != instance->overrides.end() ? own->find(field.name) : nullptr;
            if (setting == nullptr)
                setting = component.find(field.name);
            added.values.push_back(setting != nullptr ? setting->value : field.defaultValue);
        }
    }
    return out;
}

std::optional<HandleSubject> HandleControl::livingSubject(const std::string& entity) const {
    const FrameSnapshot* snapshot = m_view.shown().snapshot();
    if (snapshot == nullptr)
        return std::nullopt;
    for (const Inspection& living : snapshot->inspected) {
        if (living.name != entity)
            continue;
        HandleSubject out;
        out.pose = living.pose;
        for (const InspectedComponent& component : living.components) {
            if (component.type == nullptr || component.type->settings == nullptr || component.settings.size() != component.type->settings->fields().size())
                continue;
            HandleSubject::Component& added = out.components.emplace_back();
            added.name = component.name;
            added.settings = component.type->settings;
            for (const InspectedField& field : component.settings)
                added.values.push_back(field.value);
            if (component.name == "Hinge")
                for (const InspectedField& field : component.state)
                    if (field.info != nullptr && field.info->name == "angle")
                        if (const auto* angle = std::get_if<double>(&field.value))
                            out.turnedDegrees = static_cast<float>(*angle);
        }
        return out;
    }
    return std::nullopt;
}

std::optional<HandleSubject> HandleControl::subject() const {
    const std::string& entity = m_selection.primary();
    if (!m_isShown || entity.empty() || m_view.playerCamera() || (m_marks != nullptr && (m_marks->isLocked(entity) || m_marks->isHidden(entity))))
        return std::nullopt;
    std::optional<HandleSubject> out = m_editor.editsFile() ? sceneSubject(entity) : livingSubject(entity);
    if (out && m_soundsElsewhere && m_soundsElsewhere())
        std::erase_if(out->components, [](const HandleSubject::Component& each) { return each.name.starts_with("Sound"); });
    return out;
}

const std::vector<ComponentHandle>& HandleControl::handles() const { return m_shown[static_cast<std::size_t>(m_view.layout().active())]; }

void HandleControl::draw(render::View& view, const GizmoView& geometry, int pane) {
    std::vector<ComponentHandle>& shown = m_shown[static_cast<std::size_t>(pane)];
    shown.clear();
    std::optional<HandleSubject> now;
    if (m_drag) {
        now = m_drag->after(m_result);
    } else {
        now = subject();
        // What was undone or edited since does not settle any more.
        if (m_settling
            && (!now || m_settlingEntity != m_selection.primary() || m_settlingRevision != m_document.revision() || sameValues(*now, *m_settling)
                || m_sinceRelease.elapsed() > SettleMs))
            m_settling.reset();
        if (m_settling) {
            now = m_settling;
            m_view.wake();
        }
    }
    if (now)
        shown = m_drag ? handlesOf(*now, geometry) : withRoom(handlesOf(*now, geometry), geometry);
    // What is in hand is alone in the picture.
    if (m_drag) {
        const std::string& component = m_drag->handle().component;
        std::erase_if(now->components, [&](const HandleSubject::Component& each) { return each.name != component; });
        std::erase_if(shown, [&](const ComponentHandle& each) { return each.component != component; });
    }
    if (m_hovered && pane == m_view.layout().active() && std::none_of(shown.begin(), shown.end(), [this](const ComponentHandle& each) { return each.isSameAs(*m_hovered); })) {
        m_hovered.reset();
        // The size of a widget is not to change while the picture is being painted.
        QMetaObject::invokeMethod(this, &HandleControl::changed, Qt::QueuedConnection);
    }
    if (shown.empty())
        return;
    const QColor tint = m_theme.hue(Hue::Orange);
    const ComponentHandle* hot = m_drag ? &m_drag->handle() : m_hovered ? &*m_hovered : nullptr;
    for (const HandleSubject::Component& each : now->components) {
        const bool strong = hot != nullptr && hot->component == each.name;
        drawHandleShapes(view.debug, HandleSubject{now->pose, now->turnedDegrees, {each}}, geometry,
                         overlayColor(tint, strong ? ShapeAlpha : QuietShapeAlpha));
    }
    drawHandles(view.overlay, shown, geometry, hot, overlayColor(tint), overlayColor(m_theme.hue(Hue::Yellow)));
}

// ---------------------------------------------------------------------------------------------------- the mouse

bool HandleControl::hover(Vec2 cursor) {
    const ComponentHandle* found = m_drag ? nullptr : handleAt(handles(), m_view.gizmoView(), cursor);
    const bool same = found != nullptr ? m_hovered && m_hovered->isSameAs(*found) : !m_hovered;
    m_hovered = found != nullptr ? std::optional(*found) : std::nullopt;
    if (!same) {
        m_view.wake();
        emit changed();
    }
    return found != nullptr;
}

void HandleControl::leave() {
    if (!std::exchange(m_hovered, std::nullopt))
        return;
    m_view.wake();
    emit changed();
}

bool HandleControl::press(Vec2 cursor) {
    const GizmoView geometry = m_view.gizmoView();
    const ComponentHandle* found = m_drag || !m_isShown ? nullptr : handleAt(handles(), geometry, cursor);
    std::optional<HandleSubject> now = found != nullptr ? (m_settling ? m_settling : subject()) : std::nullopt;
    if (!now || now->find(found->component) == nullptr)
        return false;
    const ComponentHandle handle = *found;
    m_entity = m_selection.primary();
    m_inScene = m_editor.editsFile();
    m_position = now->pose.position;
    m_parent = Pose{};
    if (const ScenePlace* place = m_inScene ? m_editor.places().find(m_entity) : nullptr)
        m_parent = m_editor.places().parentPose(*place);
    m_settling.reset();
    m_moves = false;
    m_unwritten = false;
    m_cursor = cursor;
    m_snap = {};
    m_oneSided = false;
    m_typed.clear();
    m_drag.emplace(std::move(*now), handle, geometry, cursor);
    m_result = {m_drag->start(), Vec3(0.0F)};
    m_mergeKey = QStringLiteral("viewport.handle.%1").arg(++m_dragCount);
    if (m_inScene)
        m_document.beginDrag();
    m_view.setBusy(true);
    emit changed();
    return true;
}

void HandleControl::dragTo(Vec2 cursor, const SnapSettings& snap, bool oneSided) {
    if (!m_drag)
        return;
    m_cursor = cursor;
    m_snap = snap;
    m_oneSided = oneSided && m_inScene; // a running world keeps entities where it wants them
    update();
}

void HandleControl::type(QChar character) {
    if (!m_drag || !m_drag->takesNumber())
        return;
    if (character == QLatin1Char('\b'))
        m_typed.chop(1);
    else if (character.isDigit() || (character == QLatin1Char('-') && m_typed.isEmpty()))
        m_typed += character;
    else if ((character == QLatin1Char('.') || character == QLatin1Char(',')) && !m_typed.contains(QLatin1Char('.')))
        m_typed += QLatin1Char('.');
    else
        return;
    update();
}

void HandleControl::update() {
    bool isNumber = false;
    const double typed = m_typed.toDouble(&isNumber);
    HandleDrag::Outcome next =
        m_drag->update(m_view.gizmoView(), m_cursor, m_snap, m_oneSided, isNumber ? std::optional(typed) : std::nullopt);
    if (next.value != m_result.value || next.shift != m_result.shift)
        m_unwritten = true;
    m_result = std::move(next);
    m_view.wake();
    emit changed();
}

void HandleControl::advance() { write(false); }

void HandleControl::release() {
    if (!m_drag)
        return;
    write(true);
    if (!m_drag)
        return; // it failed
    if (m_inScene)
        m_document.endDrag();
    else
        writeWorld(m_result.value, true);
    m_settling = m_drag->after(m_result);
    m_settlingEntity = m_entity;
    m_settlingRevision = m_document.revision();
    m_sinceRelease.restart();
    let();
}

void HandleControl::cancel() {
    m_settling.reset();
    if (!m_drag)
        return;
    if (m_inScene)
        m_document.cancelDrag();
    else
        writeWorld(m_drag->start(), false);
    let();
}

void HandleControl::let() {
    m_drag.reset();
    m_view.setBusy(false);
    m_view.wake();
    emit changed();
}

// ---------------------------------------------------------------------------------------------------- writing

void HandleControl::write(bool now) {
    if (!m_drag || !m_unwritten || (!now && m_lastWrite.elapsed() < WriteEveryMs))
        return;
    m_unwritten = false;
    m_lastWrite.restart();
    if (!m_inScene) {
        writeWorld(m_result.value, false);
        return;
    }
    if (const Result<void> done = writeScene(m_result); !done) {
        // What is dragged is no longer there, or its text cannot be edited: said once, and let go.
        m_document.endDrag();
        let();
        emit problem(QString::fromStdString(done.error().toString()));
    }
}

Result<void> HandleControl::writeScene(const HandleDrag::Outcome& result) {
    const std::string file = m_document.file(FileRole::Scene);
    if (file.empty())
        return Error{"no scene is open", {}, {}};
    const ComponentHandle& handle = m_drag->handle();
    const std::string& text = m_document.text(file);
    Result<definition::TextEdits> edits =
        definition::setSceneValue(text, m_entity, handle.component, handle.field, m_drag->field().formatToml(result.value));
    const bool moves = m_moves || result.shift != Vec3(0.0F);
    if (edits && moves && handle.middleField.empty() && handle.isFace) {
        const HandleSubject after = m_drag->after(result);
        definition::InstancePlace place;
        place.name = m_entity;
        place.position = roundedMetres(relativeTo(m_parent, after.pose).position);
        edits = thenEdit(text, std::move(edits), [&](const std::string& between) { return definition::setInstancePlaces(between, {place}); });
    } else if (edits && moves && !handle.middleField.empty()) {
        const HandleSubject after = m_drag->after(result);
        const HandleSubject::Component& component = *after.find(handle.component);
        const FieldInfo* field = component.settings->find(handle.middleField);
        const Result<Value> middle = field->check(component.values[static_cast<std::size_t>(field - component.settings->fields().data())]);
        if (!middle)
            return middle.error();
        edits = thenEdit(text, std::move(edits), [&](const std::string& between) {
            return definition::setSceneValue(between, m_entity, handle.component, handle.middleField, field->formatToml(*middle));
        });
    }
    if (!edits)
        return edits.error();
    m_moves = moves;
    return m_document.edit({file, std::move(*edits), tr("Set %1 of %2").arg(QString::fromStdString(handle.field), QString::fromStdString(m_entity)),
                            m_mergeKey});
}

// `last`: it is noted, so that Stop can offer to keep it.
void HandleControl::writeWorld(const Value& value, bool last) {
    m_session.post([entity = m_entity, component = m_drag->handle().component, field = &m_drag->field(), before = m_drag->start(), value,
                    last](Session& session) {
        World& world = session.world();
        const Entity found = world.find(entity);
        if (!found)
            return;
        const EntityId id = found.id();
        if (const Result<void> set = world.setField(id, component, field->name, value); !set) {
            session.log().error("viewport", entity + ": " + set.error().message);
            return;
        }
        if (const Entity changed = last && value != before ? world.find(id) : Entity())
            session.liveEdits().note(changed, component, *field, before, value);
    });
}

// ---------------------------------------------------------------------------------------------------- in words

QString HandleControl::readout() const {
    const ComponentHandle* handle = m_drag ? &m_drag->handle() : m_hovered ? &*m_hovered : nullptr;
    const std::optional<HandleSubject> now = handle == nullptr ? std::nullopt : m_drag ? std::optional(m_drag->after(m_result)) : subject();
    const HandleSubject::Component* component = now ? now->find(handle->component) : nullptr;
    const FieldInfo* field = component != nullptr ? component->settings->find(handle->field) : nullptr;
    if (field == nullptr)
        return {};
    const Value& value = component->values[static_cast<std::size_t>(field - component->settings->fields().data())];
    const QString unit = field->unit == "deg" ? QStringLiteral("°") : field->unit.empty() ? QString() : QLatin1Char(' ') + QString::fromStdString(field->unit);
    const int decimals = field->unit == "deg" ? 1 : 3;
    QString text = QString::fromStdString(handle->field);
    const std::size_t count = elementCount(field->type);
    for (std::size_t i = 0; i < std::max<std::size_t>(count, 1); ++i) {
        if (handle->element >= 0 && static_cast<std::size_t>(handle->element) != i)
            continue;
        if (count > 1)
            text += QLatin1Char(' ') + QString::fromLatin1(elementName(field->type, i)).toUpper();
        text += QStringLiteral(" %1").arg(count > 0 ? elementOf(value, i).value_or(0.0) : std::get<double>(value), 0, 'f', decimals);
    }
    text += unit;
    if (m_drag && !m_typed.isEmpty())
        text += QStringLiteral("  [%1]").arg(m_typed);
    else if (m_drag && m_snap.on)
        text += tr("  snap");
    if (!m_editor.editsFile())
        return text;
    // As the inspector: what is changed is the instance's own, not the type's.
    const definition::Scene* scene = m_scene ? m_scene() : nullptr;
    const definition::InstanceDefinition* instance = scene != nullptr ? scene->find(m_drag ? m_entity : m_selection.primary()) : nullptr;
    if (instance == nullptr)
        return text;
    bool overridden = m_drag && value != m_drag->start();
    for (const definition::ComponentDefinition& own : instance->overrides)
        overridden = overridden || (own.name == handle->component && own.find(handle->field) != nullptr);
    return text + QLatin1Char('\n') + (overridden ? tr("override of %1") : tr("as type %1")).arg(QString::fromStdString(instance->type));
}

} // namespace sbx::ui

#include "moc_handle_control.cpp"
