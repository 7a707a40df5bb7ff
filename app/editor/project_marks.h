#pragma once
// What is hidden and locked in each scene, so that a project that is opened again looks as it was left. Kept in the settings, never in the
// project; newest first, a bounded number of them.

#include <QString>
#include <QVariantMap>

#include "widgets/common/user_settings.h"

namespace sbx::editor {

class ProjectMarks {
public:
    static constexpr int Most = 50;

    explicit ProjectMarks(ui::UserSettings& settings) : m_settings(settings) {}
    // `sceneFile`: the absolute path of the scene. Empty: nothing is hidden or locked there.
    [[nodiscard]] QVariantMap find(const QString& sceneFile) const;
    // Empty marks are forgotten.
    void keep(const QString& sceneFile, const QVariantMap& marks);

private:
    ui::UserSettings& m_settings;
};

} // namespace sbx::editor
