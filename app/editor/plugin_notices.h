#pragma once
// Notices about the project's plugins: new builds, and refusals with a link to the line at fault.
//
// Data flow: ProjectModel has read the project -> the session's catalog, compared with the last one ->
// NoticeList. GUI thread.

#include <QObject>

#include "engine/simulation/catalog.h"

#include <functional>
#include <vector>

namespace sbx::ui {
class NoticeList;
class ProjectModel;
} // namespace sbx::ui

namespace sbx::editor {

class PluginNotices : public QObject {
    Q_OBJECT

public:
    // `show` goes to a place in a file of the project, `trust` to the question whether its plugins may run; empty: it is not asked.
    PluginNotices(ui::ProjectModel& project, const std::function<const Catalog&()>& catalog,
                  ui::NoticeList& notices,
                  std::function<void(const QString& file, int line, int column)> show, std::function<void()> trust,
                  QObject* parent);

private:
    void compare();
    void tellHeldBack(const std::vector<PluginState>& plugins);

    ui::ProjectModel& m_project;
    std::function<const Catalog&()> m_catalog;
    ui::NoticeList& m_notices;
    std::function<void(const QString&, int, int)> m_show;
    std::function<void()> m_trust;
    std::vector<PluginState> m_shown;
};

} // namespace sbx::editor
