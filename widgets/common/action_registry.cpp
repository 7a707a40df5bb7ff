#include "widgets/common/action_registry.h"

#include <QAction>
#include <QMenu>
#include <QMenuBar>
#include <QPointer>
#include <QWidget>

#include "engine/core/nearest.h"
#include "widgets/common/foreign_text.h"
#include "widgets/common/theme.h"
#include "widgets/common/user_settings.h"

#include <algorithm>
#include <map>

namespace sbx::ui {

struct ActionRegistry::Attachment {
    QPointer<QWidget> widget;
    QString context;
};

namespace {

const QString ShortcutGroup = QStringLiteral("shortcuts"); // of the settings

struct MenuPath {
    QStringList parts;
    int group = 0;
};

MenuPath parsePath(const QString& menu) {
    MenuPath path;
    QString text = menu;
    if (const auto hash = text.lastIndexOf(QLatin1Char('#')); hash >= 0) {
        path.group = text.mid(hash + 1).toInt();
        text.truncate(hash);
    }
    path.parts = text.split(QLatin1Char('/'), Qt::SkipEmptyParts);
    return path;
}

bool sameOrBeginning(const QKeySequence& a, const QKeySequence& b) {
    return !a.isEmpty() && !b.isEmpty()
           && (a.matches(b) != QKeySequence::NoMatch || b.matches(a) != QKeySequence::NoMatch);
}

bool contextsMeet(const QString& a, const QString& b) { return a.isEmpty() || b.isEmpty() || a == b; }

} // namespace

ActionRegistry::ActionRegistry(const Theme& theme, QObject* parent) : QObject(parent), m_theme(theme) {}

ActionRegistry::~ActionRegistry() = default;

QAction* ActionRegistry::add(Action action) {
    SBX_EXPECT(!action.id.isEmpty() && !m_entries.contains(action.id), "an action id is added once");
    auto entry = std::make_shared<Entry>();
    entry->action = std::move(action);
    entry->qAction = std::make_unique<QAction>();
    const Action& a = entry->action;
    QAction* q = entry->qAction.get();
    q->setObjectName(a.id);
    q->setText(a.text);
    if (!a.icon.isEmpty())
        q->setIcon(m_theme.icon(a.icon));
    q->setCheckable(a.checkable);
    q->setShortcuts(a.shortcuts);
    q->setShortcutContext(a.context.isEmpty() ? Qt::WindowShortcut : Qt::WidgetWithChildrenShortcut);
    updateToolTip(*entry);
    connect(q, &QAction::triggered, this,
            [this, id = a.id, weak = std::weak_ptr<Entry>(entry)](bool checked) {
                const std::shared_ptr<Entry> alive = weak.lock();
                if (!alive)
                    return;
                if (alive->action.run)
                    alive->action.run(checked);
                refresh();
                emit triggered(id);
            });
    m_entries.insert(a.id, entry);
    m_order.append(a.id);
    refresh(*entry);
    for (const Attachment& place : m_attachments)
        if (place.widget && place.context == a.context)
            place.widget->addAction(q);
    emit added(a.id);
    return q;
}

void ActionRegistry::remove(const QString& id) {
    m_entries.remove(id);
    m_order.removeAll(id);
}

QAction* ActionRegistry::find(const QString& id) const {
    const auto it = m_entries.find(id);
    return it == m_entries.end() ? nullptr : (*it)->qAction.get();
}

const Action* ActionRegistry::describe(const QString& id) const {
    const auto it = m_entries.find(id);
    return it == m_entries.end() ? nullptr : &(*it)->action;
}

Result<void> ActionRegistry::trigger(const QString& id, const QString& argument) {
    const auto it = m_entries.find(id);
    if (it == m_entries.end()) {
        std::vector<std::string> names;
        for (const QString& name : m_order)
            names.push_back(name.toStdString());
        std::string message = "no action '" + id.toStdString() + "'";
        if (const std::string near = nearestName(id.toStdString(), names); !near.empty())
            message += "; did you mean " + near + "?";
        return Error{message, {}, {}};
    }
    const std::shared_ptr<Entry> entry = *it;
    refresh(*entry);
    QAction* q = entry->qAction.get();
    if (!q->isEnabled())
        return Error{"action '" + id.toStdString() + "' cannot be used now", {}, {}};
    if (!argument.isEmpty()) {
        const bool on = argument == QLatin1String("on") || argument == QLatin1String("1")
                        || argument == QLatin1String("true");
        const bool off = argument == QLatin1String("off") || argument == QLatin1String("0")
                         || argument == QLatin1String("false");
        if (!q->isCheckable() || (!on && !off))
            return Error{"action '" + id.toStdString()
                             + (q->isCheckable() ? "' takes on or off" : "' takes no argument"),
                         {},
                         {}};
        if (q->isChecked() == on)
            return {};
    }
    q->trigger();
    return {};
}

void ActionRegistry::refresh(Entry& entry) {
    if (entry.action.enabled)
        entry.qAction->setEnabled(entry.action.enabled());
    if (entry.action.checkable && entry.action.checked)
        entry.qAction->setChecked(entry.action.checked());
}

void ActionRegistry::refresh() {
    for (const QString& id : QStringList(m_order))
        if (const auto entry = m_entries.value(id))
            refresh(*entry);
}

void ActionRegistry::updateToolTip(Entry& entry) {
    const Action& a = entry.action;
    QString plain = a.text;
    plain.remove(QLatin1Char('&')).remove(QStringLiteral("…"));
    const QKeySequence keys = entry.qAction->shortcut();
    if (!keys.isEmpty())
        plain += QStringLiteral(" (%1)").arg(keys.toString(QKeySequence::NativeText));
    entry.qAction->setToolTip(tipText(a.doc.isEmpty() ? plain : plain + QLatin1Char('\n') + a.doc));
    entry.qAction->setStatusTip(shownText(a.doc));
    entry.qAction->setWhatsThis(tipText(a.doc));
}

QMenu* ActionRegistry::menuFor(QMenuBar& bar, const QString& path) {
    QWidget* parent = &bar;
    QMenu* menu = nullptr;
    QString name = QStringLiteral("menu");
    for (const QString& part : path.split(QLatin1Char('/'), Qt::SkipEmptyParts)) {
        name += QLatin1Char('.') + QString(part).remove(QLatin1Char('&')).toLower();
        auto* child = parent->findChild<QMenu*>(name, Qt::FindDirectChildrenOnly);
        if (child == nullptr) {
            child = new QMenu(part, parent);
            child->setObjectName(name);
            child->setToolTipsVisible(true);
            connect(child, &QMenu::aboutToShow, this, qOverload<>(&ActionRegistry::refresh));
            if (menu != nullptr)
                menu->addMenu(child);
            else
                bar.addMenu(child);
        }
        menu = child;
        parent = child;
    }
    return menu;
}

void ActionRegistry::buildMenus(QMenuBar& bar, const QStringList& topOrder) {
    for (const QString& top : topOrder)
        menuFor(bar, top);
    // A submenu counts as an item of its parent's group: the group number of its first action.
    std::map<QString, std::map<int, QStringList>> menus;
    QStringList menuOrder;
    for (const QString& id : m_order) {
        const MenuPath path = parsePath(describe(id)->menu);
        if (path.parts.isEmpty())
            continue;
        const QString key = path.parts.join(QLatin1Char('/'));
        if (!menuOrder.contains(key))
            menuOrder.append(key);
        menus[key][path.group].append(id);
    }
    // Parents before children, so that submenus land behind the items that come first.
    for (const QString& key : menuOrder) {
        QMenu* menu = menuFor(bar, key);
        bool first = menu->isEmpty();
        for (const auto& [group, ids] : menus[key]) {
            if (!first)
                menu->addSeparator();
            first = false;
            for (const QString& id : ids)
                menu->addAction(find(id));
        }
    }
    refresh();
}

void ActionRegistry::attach(QWidget& window) { attach(window, {}); }

void ActionRegistry::attach(QWidget& panel, const QString& context) {
    for (const QString& id : m_order)
        if (describe(id)->context == context)
            panel.addAction(find(id));
    m_attachments.push_back({&panel, context});
}

void ActionRegistry::setShortcuts(const QString& id, const QList<QKeySequence>& shortcuts) {
    const auto entry = m_entries.value(id);
    if (!entry || entry->qAction->shortcuts() == shortcuts)
        return;
    entry->qAction->setShortcuts(shortcuts);
    updateToolTip(*entry);
    emit shortcutsChanged(id);
}

void ActionRegistry::resetShortcuts(const QString& id) {
    if (const Action* action = describe(id))
        setShortcuts(id, action->shortcuts);
}

QList<QKeySequence> ActionRegistry::shortcuts(const QString& id) const {
    const QAction* action = find(id);
    return action != nullptr ? action->shortcuts() : QList<QKeySequence>();
}

std::vector<ShortcutConflict> ActionRegistry::conflicts() const {
    std::vector<ShortcutConflict> found;
    for (const QString& id : m_order) {
        for (const QKeySequence& keys : shortcuts(id)) {
            QStringList ids = conflictsWith(id, keys);
            ids.prepend(id);
            std::sort(ids.begin(), ids.end());
            const bool known = std::any_of(found.begin(), found.end(),
                                           [&](const ShortcutConflict& c) { return c.ids == ids; });
            if (ids.size() > 1 && !known)
                found.push_back({keys, ids});
        }
    }
    return found;
}

QStringList ActionRegistry::conflictsWith(const QString& id, const QKeySequence& keys) const {
    QStringList ids;
    const Action* own = describe(id);
    const QString context = own != nullptr ? own->context : QString();
    for (const QString& other : m_order) {
        if (other == id || !contextsMeet(context, describe(other)->context))
            continue;
        const QList<QKeySequence> theirs = shortcuts(other);
        if (std::any_of(theirs.begin(), theirs.end(),
                        [&](const QKeySequence& k) { return sameOrBeginning(k, keys); }))
            ids.append(other);
    }
    return ids;
}

void ActionRegistry::saveShortcuts(UserSettings& settings) const {
    QStringList gone = settings.keysIn(ShortcutGroup);
    for (const QString& id : m_order)
        if (shortcuts(id) != describe(id)->shortcuts) {
            const QString key = ShortcutGroup + QLatin1Char('/') + id;
            settings.setValue(key, QKeySequence::listToString(shortcuts(id), QKeySequence::PortableText));
            gone.removeAll(key);
        }
    for (const QString& key : gone)
        settings.remove(key);
}

void ActionRegistry::loadShortcuts(const UserSettings& settings) {
    for (const QString& id : QStringList(m_order))
        if (const QString key = ShortcutGroup + QLatin1Char('/') + id; settings.contains(key))
            setShortcuts(
                id, QKeySequence::listFromString(settings.value(key).toString(), QKeySequence::PortableText));
}

} // namespace sbx::ui

#include "moc_action_registry.cpp"
