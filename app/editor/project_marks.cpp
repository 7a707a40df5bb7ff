#include "app/editor/project_marks.h"

namespace sbx::editor {

namespace {
const QString MarksKey = QStringLiteral("sceneMarks");
const QString MarkedSceneKey = QStringLiteral("scene");
} // namespace

QVariantMap ProjectMarks::find(const QString& sceneFile) const {
    for (const QVariant& each : m_settings.value(MarksKey).toList())
        if (QVariantMap marks = each.toMap(); marks.take(MarkedSceneKey).toString() == sceneFile)
            return marks;
    return {};
}

void ProjectMarks::keep(const QString& sceneFile, const QVariantMap& marks) {
    if (sceneFile.isEmpty())
        return;
    QVariantList all = m_settings.value(MarksKey).toList();
    all.removeIf([&](const QVariant& each) { return each.toMap().value(MarkedSceneKey).toString() == sceneFile; });
    if (!marks.isEmpty()) {
        QVariantMap entry = marks;
        entry.insert(MarkedSceneKey, sceneFile);
        all.prepend(entry);
    }
    if (all.isEmpty())
        m_settings.remove(MarksKey);
    else
        m_settings.setValue(MarksKey, all.mid(0, Most));
}

} // namespace sbx::editor
