#include "app/editor/recent_projects.h"

namespace sbx::editor {

namespace {
const QString Key = QStringLiteral("recentProjects");
}

QStringList RecentProjects::list() const { return m_settings.value(Key).toStringList().mid(0, Most); }

void RecentProjects::add(const QString& projectFile) {
    QStringList projects = list();
    projects.removeAll(projectFile);
    projects.prepend(projectFile);
    m_settings.setValue(Key, projects.mid(0, Most));
}

void RecentProjects::clear() { m_settings.remove(Key); }

} // namespace sbx::editor
