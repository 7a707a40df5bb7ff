#include "widgets/console/cvar_command.h"

#include <QCoreApplication>

#include <algorithm>
#include <utility>

namespace sbx::ui {

CVarCommand::CVarCommand(std::vector<CVarStep> steps, Restore restore)
    : m_steps(std::move(steps)), m_restore(std::move(restore)) {
    const bool one = std::all_of(m_steps.begin(), m_steps.end(),
                                 [&](const CVarStep& step) { return step.name == m_steps.front().name; });
    setText(one ? QCoreApplication::translate("CVarCommand", "set %1")
                      .arg(QString::fromStdString(m_steps.front().name))
                : QCoreApplication::translate("CVarCommand", "set CVars"));
}

void CVarCommand::redo() {
    if (!std::exchange(m_made, false))
        m_restore(m_steps, false);
}

} // namespace sbx::ui
