#pragma once
// What is remembered of each scene between runs: where its camera stood, its bookmarks, what is hidden and locked. Kept in the settings,
// never in the project; newest first, a bounded number of scenes. GUI thread; the settings outlive it.

#include <QString>
#include <QVariantMap>

#include "widgets/common/user_settings.h"

namespace sbx::editor {

class SceneMemory {
public:
    static constexpr int Most = 50; // scenes

    // `key`: of the settings, one for each kind of thing that is remembered.
    SceneMemory(ui::UserSettings& settings, QString key) : m_settings(settings), m_key(std::move(key)) {}
    [[nodiscard]] static SceneMemory cameras(ui::UserSettings& settings) { return {settings, QStringLiteral("cameras")}; }
    [[nodiscard]] static SceneMemory bookmarks(ui::UserSettings& settings) { return {settings, QStringLiteral("bookmarks")}; }
    [[nodiscard]] static SceneMemory marks(ui::UserSettings& settings) { return {settings, QStringLiteral("sceneMarks")}; }

    // `sceneFile`: the absolute path of the scene. Empty: nothing is remembered.
    [[nodiscard]] QVariantMap find(const QString& sceneFile) const;
    // Nothing to remember: the scene is forgotten. Without a file: no effect.
    void keep(const QString& sceneFile, const QVariantMap& what);

private:
    ui::UserSettings& m_settings;
    QString m_key;
};

} // namespace sbx::editor
