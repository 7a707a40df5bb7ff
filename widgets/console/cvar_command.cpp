#include "widgets/console/cvar_command.h"

#include <QCoreApplication>

#include "widgets/common/undo_order.h"
#include "widgets/console/console_backend.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

namespace sbx::ui {

CVarCommand::CVarCommand(std::vector<CVarStep> steps, Restore restore)
    : m_steps(std::make_shared<std::vector<CVarStep>>(std::move(steps))), m_restore(std::move(restore)) {
    const auto every = [this](auto is) { return std::all_of(m_steps->begin(), m_steps->end(), is); };
    const bool one = every([&](const CVarStep& step) { return step.name == m_steps->front().name; });
    const bool reset = every([](const CVarStep& step) {
        return std::none_of(step.after.begin(), step.after.end(),
                            [](const CVarLayer& layer) { return layer.value.has_value(); });
    });
    const QString what = one ? QString::fromStdString(m_steps->front().name)
                             : QCoreApplication::translate("CVarCommand", "CVars");
    setText((reset ? QCoreApplication::translate("CVarCommand", "reset %1")
                   : QCoreApplication::translate("CVarCommand", "set %1"))
                .arg(what));
}

void CVarCommand::connectSteps(ConsoleBackend& backend, UndoOrder& order, const Restore& restore) {
    const auto tickets = std::make_shared<std::map<std::uint64_t, UndoOrder::Ticket>>();
    QObject::connect(&backend, &ConsoleBackend::submitted, &backend,
                     [tickets, &order](std::uint64_t line) { (*tickets)[line] = order.expect(); });
    QObject::connect(&backend, &ConsoleBackend::settled, &backend,
                     [tickets, &order, restore](std::uint64_t line, const std::vector<CVarStep>& steps) {
                         auto step = steps.empty() ? nullptr : std::make_unique<CVarCommand>(steps, restore);
                         if (const auto ticket = tickets->extract(line))
                             order.answer(ticket.mapped(), std::move(step));
                     });
}

void CVarCommand::redo() {
    if (!std::exchange(m_made, false))
        m_restore(m_steps, false);
}

} // namespace sbx::ui
