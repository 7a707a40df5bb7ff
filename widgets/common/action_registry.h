#pragma once
// One registry of everything a person can do. Menus, the command palette, shortcuts and console commands are
// four faces of it.
//
// A panel or the main window adds its actions once; buildMenus() fills the menu bar, attach() makes the
// shortcuts of a panel live while focus is inside it, trigger() is what a console command calls. The registry
// owns the QActions. GUI thread.

#include <QHash>
#include <QKeySequence>
#include <QList>
#include <QObject>
#include <QString>
#include <QStringList>

#include "engine/core/result.h"

#include <functional>
#include <memory>
#include <vector>

class QAction;
class QMenu;
class QMenuBar;
class QWidget;

namespace sbx::ui {

class Theme;
class UserSettings;

struct Action {
    QString id = {};   // "play.start": lower-case parts joined by points; also the console command
    QString text = {}; // "Play", with & for the mnemonic and "…" if it asks for more; sentence case
    // "Edit" or "View/Layout"; empty: in no menu. "Edit#2" puts it in the second group; separators part
    // groups.
    QString menu = {};
    QString icon = {};                  // of Theme::icon; may be empty
    QList<QKeySequence> shortcuts = {}; // defaults; the first is shown
    // Empty: the whole window; else the panel (its objectName) that must have focus.
    QString context = {};
    QString doc = {}; // one line: tool tip and status tip
    std::function<void(bool checked)> run = {};
    bool checkable = false;
    std::function<bool()> enabled = {}; // none: always
    std::function<bool()> checked = {}; // for checkable ones whose state lives elsewhere
};

struct ShortcutConflict {
    QKeySequence keys;
    QStringList ids; // two or more actions that would answer in the same place
};

class ActionRegistry : public QObject {
    Q_OBJECT

public:
    explicit ActionRegistry(const Theme& theme, QObject* parent = nullptr);
    ~ActionRegistry() override;

    // An id is added once; a second time is a programmer error.
    QAction* add(Action action);
    void remove(const QString& id);

    [[nodiscard]] QAction* find(const QString& id) const;
    [[nodiscard]] const Action* describe(const QString& id) const;
    // In the order they were added.
    [[nodiscard]] QStringList ids() const { return m_order; }

    // For the console: the error for an unknown id lists the nearest names, the one for a disabled action its reason. `argument`
    // "on"/"off"/"" (toggle) for checkable ones.
    Result<void> trigger(const QString& id, const QString& argument = {});

    // Asks every predicate again. Called before a menu or the palette shows; call it when the state behind
    // them changes.
    void refresh();

    // Fills the bar: top menus in the order given, others behind; nested by "/", groups by "#n".
    void buildMenus(QMenuBar& bar, const QStringList& topOrder);
    // Makes window-wide shortcuts live in `window`, or those of `context` inside `panel`.
    void attach(QWidget& window);
    void attach(QWidget& panel, const QString& context);

    // Shortcuts as they are now; rebinding keeps the default for reset.
    void setShortcuts(const QString& id, const QList<QKeySequence>& shortcuts);
    void resetShortcuts(const QString& id);
    [[nodiscard]] QList<QKeySequence> shortcuts(const QString& id) const;
    // Same keys, or one the beginning of the other, in one context or in a panel and the window.
    [[nodiscard]] std::vector<ShortcutConflict> conflicts() const;
    // Ids that `keys` would collide with if `id` had them.
    [[nodiscard]] QStringList conflictsWith(const QString& id, const QKeySequence& keys) const;
    void saveShortcuts(UserSettings& settings) const; // only those that differ from the default
    void loadShortcuts(const UserSettings& settings);

signals:
    void added(const QString& id);
    void triggered(const QString& id);
    void shortcutsChanged(const QString& id);

private:
    struct Entry {
        Action action;
        std::unique_ptr<QAction> qAction;
    };
    struct Attachment;
    QMenu* menuFor(QMenuBar& bar, const QString& path);
    void refresh(Entry& entry);
    void updateToolTip(Entry& entry);

    const Theme& m_theme;
    QHash<QString, std::shared_ptr<Entry>> m_entries;
    QStringList m_order;
    std::vector<Attachment> m_attachments;
};

} // namespace sbx::ui
