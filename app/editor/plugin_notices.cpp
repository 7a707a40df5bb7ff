#include "app/editor/plugin_notices.h"

#include "widgets/common/notice.h"
#include "widgets/common/project_model.h"

#include <algorithm>

namespace sbx::editor {

PluginNotices::PluginNotices(ui::ProjectModel& project, const std::function<const Catalog&()>& catalog,
                             ui::NoticeList& notices, std::function<void(const QString&, int, int)> show,
                             std::function<void()> trust, QObject* parent)
    : QObject(parent),
      m_project(project),
      m_catalog(catalog),
      m_notices(notices),
      m_show(std::move(show)),
      m_trust(std::move(trust)) {
    connect(&project, &ui::ProjectModel::problemsChanged, this, &PluginNotices::compare);
    connect(&project, &ui::ProjectModel::contentChanged, this, &PluginNotices::compare);
}

void PluginNotices::compare() {
    const std::vector<PluginState>& now = m_catalog().plugins;
    if (now == m_shown)
        return;
    tellHeldBack(now);
    // Of another project, or no longer named by this one.
    for (const PluginState& plugin : m_shown)
        if (std::none_of(now.begin(), now.end(), [&](const PluginState& p) { return p.path == plugin.path; }))
            m_notices.dismissContext(QStringLiteral("plugin ") + QString::fromStdString(plugin.path));
    for (const PluginState& plugin : now) {
        const auto before = std::find_if(m_shown.begin(), m_shown.end(),
                                         [&](const PluginState& p) { return p.file == plugin.file; });
        const QString path = QString::fromStdString(plugin.path);
        const QString context = QStringLiteral("plugin ") + path;
        if (before != m_shown.end() && *before == plugin)
            continue;
        m_notices.dismissContext(context);
        if (plugin.heldBack && m_trust)
            continue;
        ui::Notice notice;
        notice.context = context;
        if (!plugin.fault.empty()) {
            notice.severity = Severity::Warning;
            notice.text = (plugin.heldBack ? tr("The plugin %1 %2.") : tr("The plugin %1 is refused: it %2."))
                              .arg(path, QString::fromStdString(plugin.fault));
            if (!plugin.components.empty())
                notice.text += tr(" The build loaded before stays in force.");
            notice.actionText = tr("Show");
            for (const Diagnostic& problem : m_project.problems().items)
                if (problem.what.find("the plugin " + plugin.path + " ") == 0)
                    notice.action = [this, problem] {
                        m_show(QString::fromStdString(problem.file), problem.region.line,
                               problem.region.column);
                    };
            if (!notice.action)
                notice.actionText.clear();
        } else if (plugin.build > 1 && (before == m_shown.end() || before->build != plugin.build)) {
            notice.text = tr("The plugin %1 was loaded again.").arg(path);
        } else {
            continue;
        }
        m_notices.post(notice);
    }
    m_shown = now;
}

// One notice for the project: the question is one.
void PluginNotices::tellHeldBack(const std::vector<PluginState>& plugins) {
    const QString context = QStringLiteral("trust");
    m_notices.dismissContext(context);
    QStringList held;
    for (const PluginState& plugin : plugins)
        if (plugin.heldBack)
            held << QString::fromStdString(plugin.path);
    if (held.isEmpty() || !m_trust)
        return;
    ui::Notice notice;
    notice.severity = Severity::Warning;
    notice.context = context;
    notice.text = tr("Restricted: until you trust this project, its plugins are held back: %1.")
                      .arg(held.join(QStringLiteral(", ")));
    notice.actionText = tr("Trust…");
    notice.action = m_trust;
    m_notices.post(notice);
}

} // namespace sbx::editor

#include "moc_plugin_notices.cpp"
