#include "widgets/console/key_binding_actions.h"

#include <QAction>
#include <QTimer>

#include "engine/core/key_name.h"
#include "widgets/common/action_registry.h"

namespace sbx::ui {

namespace {
constexpr int BindingPollMs = 200;
const QString Prefix = QStringLiteral("bind.");
} // namespace

KeyBindingActions::KeyBindingActions(ActionRegistry& registry, Console& console, const QStringList& contexts,
                                     Execute execute, QObject* parent)
    : QObject(parent),
      m_registry(registry),
      m_console(console),
      m_contexts(contexts),
      m_execute(std::move(execute)) {
    const auto stale = [this](const QString& id) { m_takenStale = m_takenStale || !id.startsWith(Prefix); };
    connect(&registry, &ActionRegistry::added, this, stale);
    connect(&registry, &ActionRegistry::shortcutsChanged, this, stale);
    auto* timer = new QTimer(this);
    timer->setInterval(BindingPollMs);
    connect(timer, &QTimer::timeout, this, &KeyBindingActions::sync);
    timer->start();
    sync();
}

void KeyBindingActions::tellTakenKeys() {
    m_takenStale = false;
    std::map<std::string, std::string, std::less<>> taken;
    for (const QString& id : m_registry.ids()) {
        const Action* action = m_registry.describe(id);
        if (id.startsWith(Prefix) || (!action->context.isEmpty() && !m_contexts.contains(action->context)))
            continue;
        for (const QKeySequence& keys : m_registry.shortcuts(id)) {
            // Of a sequence the first key: bound to a line, the rest would never be reached.
            const std::string first = QKeySequence(keys.isEmpty() ? QKeyCombination() : keys[0])
                                          .toString(QKeySequence::PortableText)
                                          .toStdString();
            if (const Result<std::string> name = keyName(first))
                taken[*name] = QString(action->text).remove(QLatin1Char('&')).toStdString() + " ("
                               + id.toStdString() + ")";
        }
    }
    m_console.setTakenKeys(std::move(taken));
}

void KeyBindingActions::sync() {
    if (m_takenStale)
        tellTakenKeys();
    const std::uint64_t revision = m_console.bindingRevision();
    if (revision == m_revision)
        return;
    m_revision = revision;
    for (const QString& id : m_ids)
        m_registry.remove(id);
    m_ids.clear();
    for (const KeyBinding& binding : m_console.bindings()) {
        const QString keys = QString::fromStdString(binding.keys);
        Action action;
        action.id = Prefix + QString(keys).toLower();
        action.text = tr("Run “%1”").arg(QString::fromStdString(m_console.masked(binding.line)));
        action.doc = tr("Bound in the console: bind %1").arg(keys);
        action.icon = QStringLiteral("console");
        action.context = m_contexts.constFirst();
        action.shortcuts = {QKeySequence::fromString(keys, QKeySequence::PortableText)};
        action.run = [this, binding](bool) { m_execute(binding); };
        const QString id = action.id;
        m_registry.add(std::move(action));
        m_ids.append(id);
        if (const QStringList others = m_registry.conflictsWith(id, m_registry.shortcuts(id).constFirst());
            !others.isEmpty()) {
            m_registry.setShortcuts(id, {});
            emit refused(keys, others.constFirst());
        }
    }
}

} // namespace sbx::ui

#include "moc_key_binding_actions.cpp"
