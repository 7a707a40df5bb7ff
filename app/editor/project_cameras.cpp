#include "app/editor/project_cameras.h"

namespace sbx::editor {

namespace {
const QString CamerasKey = QStringLiteral("cameras");
const QString SceneKey = QStringLiteral("scene");
} // namespace

QVariantMap ProjectCameras::find(const QString& sceneFile) const {
    for (const QVariant& each : m_settings.value(CamerasKey).toList())
        if (QVariantMap camera = each.toMap(); camera.take(SceneKey).toString() == sceneFile)
            return camera;
    return {};
}

void ProjectCameras::keep(const QString& sceneFile, const QVariantMap& camera) {
    if (sceneFile.isEmpty() || camera.isEmpty())
        return;
    QVariantList cameras = m_settings.value(CamerasKey).toList();
    cameras.removeIf([&](const QVariant& each) { return each.toMap().value(SceneKey).toString() == sceneFile; });
    QVariantMap entry = camera;
    entry.insert(SceneKey, sceneFile);
    cameras.prepend(entry);
    m_settings.setValue(CamerasKey, cameras.mid(0, Most));
}

} // namespace sbx::editor
