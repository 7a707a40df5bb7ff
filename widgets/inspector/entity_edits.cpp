#include "widgets/inspector/entity_edits.h"

#include <QCoreApplication>

#include "engine/definition/batch_edit.h"
#include "widgets/common/document.h"
#include "widgets/common/session_feed.h"

#include <algorithm>

namespace sbx::ui {

namespace {
QString tr(const char* text) { return QCoreApplication::translate("EntityEdits", text); }

QString subject(const std::vector<std::string>& entities) {
    return entities.size() == 1 ? QString::fromStdString(entities.front())
                                : tr("%1 entities").arg(entities.size());
}

std::string vectorToml(const Vec3& v) {
    return "[" + formatFloat(v.x) + ", " + formatFloat(v.y) + ", " + formatFloat(v.z) + "]";
}
} // namespace

const char* placeKeyName(PlaceKey key) {
    static constexpr const char* Names[] = {"position", "rotation", "scale"};
    return Names[static_cast<int>(key)];
}

bool EntityEdits::playing() const { return m_feed.mode() != Mode::Edit; }

bool EntityEdits::inScene(const std::string& entity) const {
    const EntityRow* row = m_feed.frame().entities->find(entity);
    return row != nullptr && row->fromScene;
}

QString EntityEdits::settingLock(const std::string& entity, const std::string& component) const {
    if (playing())
        return {};
    if (!inScene(entity))
        return tr("Not an instance of the scene file: nothing to write to.");
    // The first of several is no better off: a scene has one [entity.Mesh], which could mean any of them.
    const EntityType& type = *m_feed.frame().entities->find(entity)->entityType;
    const auto same =
        std::count_if(type.layout().begin(), type.layout().end(),
                      [&](const EntityType::Slot& slot) { return slot.type->name == component; });
    if (component.find('#') != std::string::npos || same > 1)
        return tr("There are several components of this kind, which a scene cannot tell apart; change the "
                  "definition.");
    return {};
}

QString EntityEdits::stateLock() const {
    return playing() ? QString() : tr("Live values can be changed while the world runs.");
}

QString EntityEdits::placeLock(const std::string& entity) const {
    return playing() || inScene(entity) ? QString() : tr("Not an instance of the scene file.");
}

Result<void> EntityEdits::editScene(const QString& label, const QString& mergeKey, bool committed,
                                    const SceneEdit& edit) {
    const std::string file = m_document.file(FileRole::Scene);
    if (file.empty())
        return Error{"no scene is open", {}, {}};
    Result<definition::TextEdits> edits = edit(m_document.text(file));
    if (!edits)
        return edits.error();
    if (!committed)
        m_drag.begin();
    const Result<void> done = m_document.edit({file, std::move(*edits), label, mergeKey});
    if (committed)
        m_drag.end();
    return done;
}

Result<void> EntityEdits::setField(const std::vector<std::string>& entities, const std::string& component,
                                   const FieldInfo& field, const Value& value, bool committed) {
    if (playing()) {
        m_feed.post([entities, component, name = field.name, value](Session& session) {
            for (const std::string& entity : entities)
                if (const Entity living = session.world().find(entity)) {
                    const Result<void> set = session.world().setField(living.id(), component, name, value);
                    if (!set)
                        session.log().error("inspector", set.error().message);
                }
        });
        return {};
    }
    const std::string toml = field.formatToml(value);
    const QString label = tr("Set %1 of %2").arg(QString::fromStdString(field.name), subject(entities));
    return editScene(label,
                     QStringLiteral("inspector.%1.%2")
                         .arg(QString::fromStdString(component + "." + field.name), subject(entities)),
                     committed, [&](std::string_view scene) {
                         return definition::setSceneValues(scene, entities, component, field.name, toml);
                     });
}

Result<void> EntityEdits::revertField(const std::vector<std::string>& entities, const std::string& component,
                                      const FieldInfo& field) {
    if (playing())
        return Error{"an override can be reverted when the world is stopped", {}, {}};
    return editScene(tr("Revert %1 of %2").arg(QString::fromStdString(field.name), subject(entities)), {}, true,
                     [&](std::string_view scene) {
                         return definition::removeSceneValues(scene, entities, component, field.name);
                     });
}

Result<void> EntityEdits::setPlace(const std::string& entity, PlaceKey key, const Vec3& value,
                                   bool committed) {
    if (playing()) {
        m_feed.post([entity, key, value](Session& session) {
            World& world = session.world();
            const Entity living = world.find(entity);
            if (!living || key == PlaceKey::Scale)
                return;
            Pose local = living.local();
            if (key == PlaceKey::Position)
                local.position = value;
            else
                local.rotation = fromEulerDegrees(value);
            const Entity parent = world.find(living.parent());
            const Pose pose = parent ? compose(parent.pose(), local) : local;
            const EntityId id = living.id();
            if (!world.send(id, SetPose{pose.position, pose.rotation}).consumed)
                world.setPose(id, pose, true);
        });
        return {};
    }
    const QString label =
        tr("Set %1 of %2").arg(QString::fromLatin1(placeKeyName(key)), QString::fromStdString(entity));
    return editScene(label,
                     QStringLiteral("inspector.%1.%2")
                         .arg(QString::fromLatin1(placeKeyName(key)), QString::fromStdString(entity)),
                     committed, [&](std::string_view scene) {
                         return definition::setInstanceKey(scene, entity, placeKeyName(key), vectorToml(value));
                     });
}

Result<void> EntityEdits::rename(const std::string& entity, const std::string& name) {
    if (playing())
        return Error{"an instance can be renamed when the world is stopped", {}, {}};
    const definition::Schema& schema = m_feed.session().schema();
    return editScene(tr("Rename %1 to %2").arg(QString::fromStdString(entity), QString::fromStdString(name)), {}, true,
                     [&](std::string_view scene) { return definition::renameInstance(scene, entity, name, &schema); });
}

} // namespace sbx::ui
