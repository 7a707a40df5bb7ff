#include "app/editor/scene_memory.h"

namespace sbx::editor {

namespace {
const QString SceneKey = QStringLiteral("scene");
}

QVariantMap SceneMemory::find(const QString& sceneFile) const {
    for (const QVariant& each : m_settings.value(m_key).toList())
        if (QVariantMap what = each.toMap(); what.take(SceneKey).toString() == sceneFile)
            return what;
    return {};
}

void SceneMemory::keep(const QString& sceneFile, const QVariantMap& what) {
    if (sceneFile.isEmpty())
        return;
    QVariantList all = m_settings.value(m_key).toList();
    all.removeIf([&](const QVariant& each) { return each.toMap().value(SceneKey).toString() == sceneFile; });
    if (!what.isEmpty()) {
        QVariantMap entry = what;
        entry.insert(SceneKey, sceneFile);
        all.prepend(entry);
    }
    if (all.isEmpty())
        m_settings.remove(m_key);
    else
        m_settings.setValue(m_key, all.mid(0, Most));
}

} // namespace sbx::editor
