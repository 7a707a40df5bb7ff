#pragma once
// Where the camera stood in each scene when it was last left, so that a project that is opened again is seen from there. Kept in the
// settings, never in the project; newest first, a bounded number of them.

#include <QString>
#include <QVariantMap>

#include "widgets/common/user_settings.h"

namespace sbx::editor {

class ProjectCameras {
public:
    static constexpr int Most = 50;

    explicit ProjectCameras(ui::UserSettings& settings) : m_settings(settings) {}
    // `sceneFile`: the absolute path of the scene. Empty: none is known.
    [[nodiscard]] QVariantMap find(const QString& sceneFile) const;
    // An empty camera changes nothing.
    void keep(const QString& sceneFile, const QVariantMap& camera);

private:
    ui::UserSettings& m_settings;
};

} // namespace sbx::editor
