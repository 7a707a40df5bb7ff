#pragma once
// The projects opened last, kept in the user's settings, newest first. A project that is missing stays listed (shown disabled):
// it may be on a disk that is not there today.

#include <QStringList>

#include "widgets/common/user_settings.h"

namespace sbx::editor {

class RecentProjects {
public:
    static constexpr int Most = 10;
    explicit RecentProjects(ui::UserSettings& settings) : m_settings(settings) {}
    [[nodiscard]] QStringList list() const;
    void add(const QString& projectFile);
    void clear();

private:
    ui::UserSettings& m_settings;
};

} // namespace sbx::editor
