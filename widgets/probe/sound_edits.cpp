#include "widgets/probe/sound_edits.h"

#include <QCoreApplication>

#include "engine/definition/text_edit.h"
#include "widgets/common/document.h"
#include "widgets/common/session_feed.h"

#include <algorithm>
#include <cmath>

namespace sbx::ui {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("SoundEdits", text); }

std::string metresText(const Vec3& v) {
    const auto rounded = [](float value) {
        const float out = std::round(value * 1000.0F) / 1000.0F;
        return formatFloat(out == 0.0F ? 0.0F : out);
    };
    return "[" + rounded(v.x) + ", " + rounded(v.y) + ", " + rounded(v.z) + "]";
}

int soundsOf(const EntityType& type) {
    return static_cast<int>(
        std::count_if(type.layout().begin(), type.layout().end(),
                      [](const EntityType::Slot& slot) { return slot.type->name == "Sound"; }));
}

} // namespace

bool SoundEdits::inScene(const std::string& entity) const {
    const EntityRow* row = m_feed.frame().entities->find(entity);
    return row != nullptr && row->fromScene;
}

QString SoundEdits::moveLock(const ProbeSound& sound) const {
    if (sound.key.entity.empty() || m_feed.mode() != Mode::Edit || inScene(sound.key.entity))
        return {};
    return tr("Not an instance of the scene file: nothing to write its place to.");
}

QString SoundEdits::settingLock(const ProbeSound& sound) const {
    if (sound.key.entity.empty())
        return tr("The probe's own source falls as any sound does by default.");
    if (m_feed.mode() != Mode::Edit)
        return {};
    const EntityRow* row = m_feed.frame().entities->find(sound.key.entity);
    if (row == nullptr || !row->fromScene)
        return tr("Not an instance of the scene file: nothing to write to.");
    if (row->entityType && soundsOf(*row->entityType) > 1)
        return tr("This entity has several sounds, which a scene cannot tell apart: change the definition.");
    return {};
}

Result<void> SoundEdits::move(const ProbeSound& sound, const Vec3& position, bool committed) {
    const Vec3 place = position - sound.pose.rotation * sound.offset;
    if (m_feed.mode() != Mode::Edit) {
        m_feed.post([id = sound.id, place](Session& session) {
            World& world = session.world();
            const Entity living = world.find(id);
            if (!living)
                return;
            Pose pose = living.pose();
            pose.position = place;
            if (!world.send(id, SetPose{pose.position, pose.rotation}).consumed)
                world.setPose(id, pose, true);
        });
        return {};
    }
    if (const QString lock = moveLock(sound); !lock.isEmpty())
        return Error{lock.toStdString(), {}, {}};
    const Vec3 local =
        glm::inverse(sound.parent.rotation) * (place - sound.parent.position) / sound.parent.scale;
    const std::string file = m_document.file(FileRole::Scene);
    if (file.empty())
        return Error{"no scene is open", {}, {}};
    const Result<definition::TextEdits> edits =
        definition::setInstanceKey(m_document.text(file), sound.key.entity, "position", metresText(local));
    if (!edits)
        return edits.error();
    const QString entity = QString::fromStdString(sound.key.entity);
    return edit(file, *edits, tr("Move %1").arg(entity), QStringLiteral("probe.move.") + entity, committed);
}

Result<void> SoundEdits::set(const ProbeSound& sound, const std::string& field, double value,
                             bool committed) {
    const auto number = static_cast<float>(value);
    if (m_feed.mode() != Mode::Edit) {
        m_feed.post([id = sound.id, component = sound.component, field, number](Session& session) {
            if (const Result<void> set =
                    session.world().setField(id, component, field, Value(static_cast<double>(number)));
                !set)
                session.log().error("audio", set.error().message);
        });
        return {};
    }
    if (const QString lock = settingLock(sound); !lock.isEmpty())
        return Error{lock.toStdString(), {}, {}};
    const std::string file = m_document.file(FileRole::Scene);
    if (file.empty())
        return Error{"no scene is open", {}, {}};
    const Result<definition::TextEdits> edits = definition::setSceneValue(
        m_document.text(file), sound.key.entity, "Sound", field, formatFloat(number));
    if (!edits)
        return edits.error();
    const QString entity = QString::fromStdString(sound.key.entity);
    const QString name = QString::fromStdString(field);
    return edit(file, *edits, tr("Set %1 of %2").arg(name, entity),
                QStringLiteral("probe.%1.%2").arg(name, entity), committed);
}

Result<void> SoundEdits::edit(const std::string& file, const definition::TextEdits& edits,
                              const QString& label, const QString& mergeKey, bool committed) {
    if (!committed)
        m_drag.begin();
    const Result<void> done = m_document.edit({file, edits, label, mergeKey});
    if (committed)
        m_drag.end();
    return done;
}

} // namespace sbx::ui
