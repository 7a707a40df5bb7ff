#pragma once
// The projects opened last, kept in the user's settings, newest first. A project that is missing stays listed (shown disabled):
// it may be on a disk that is not there today.

#include <QSettings>
#include <QStringList>

namespace sbx::editor {

class RecentProjects {
public:
    static constexpr int Most = 10;
    explicit RecentProjects(QSettings& settings) : m_settings(settings) {}
    [[nodiscard]] QStringList list() const;
    void add(const QString& projectFile);
    void clear();

private:
    QSettings& m_settings;
};

} // namespace sbx::editor
