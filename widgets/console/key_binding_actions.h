#pragma once
// The console's key bindings as actions: each bound key is a shortcut of the viewport, shown wherever shortcuts are listed.
//
// Data flow: polls Console::bindingRevision() (bindings change where lines execute) and keeps one action "bind.KEY" for each; reports
// the console which keys mean something else, so that `bind` can refuse them. GUI thread; parent owns it, registry and
// console outlive it.

#include <QObject>
#include <QStringList>

#include "engine/core/console.h"

#include <functional>

namespace sbx::ui {

class ActionRegistry;

class KeyBindingActions : public QObject {
    Q_OBJECT

public:
    // The line is to run with the reach it was bound with.
    using Execute = std::function<void(const KeyBinding& binding)>;

    // `contexts`: of the panel whose focus makes the keys live; the first is the actions' own.
    KeyBindingActions(ActionRegistry& registry, Console& console, const QStringList& contexts, Execute execute,
                      QObject* parent = nullptr);

    // Looks at once, rather than at the next poll.
    void sync();

signals:
    // A key bound before (in the user's settings) means something else by now: it stays data.
    void refused(const QString& keys, const QString& takenBy);

private:
    void tellTakenKeys();

    ActionRegistry& m_registry;
    Console& m_console;
    QStringList m_contexts;
    Execute m_execute;
    QStringList m_ids;
    std::uint64_t m_revision = 0;
    bool m_takenStale = true;
};

} // namespace sbx::ui
