#pragma once
// Ctrl+Shift+P: one box for every command and every named thing. Plain text and ">" search actions and the
// console's commands; "@" entities, and other prefixes their own providers. Fuzzy; shows each action's shortcut and state. Esc or a
// click elsewhere closes it. GUI thread; parent owns it.

#include <QFrame>
#include <QHash>
#include <QString>

#include <functional>
#include <vector>

class QLabel;
class QLineEdit;
class QListView;

namespace sbx::ui {

class ActionRegistry;
class Theme;

struct PaletteItem {
    QString text;
    qsizetype nameAt = 0; // where its own name begins in the text, behind the group it belongs to ("Layout: ")
    QString detail; // muted, behind the text
    QStringList aliases; // not shown: other words that find it, as well as its text
    QString icon;
    QString trailing; // right-aligned: a shortcut
    bool enabled = true;
    bool checked = false;
    std::function<void()> run;
};

using PaletteProvider = std::function<std::vector<PaletteItem>()>;

// How well `query` matches `text` as a subsequence; below 0: not at all. Rewards runs, word starts and early
// hits. `positions` gets the indices of matched characters.
[[nodiscard]] int fuzzyScore(const QString& query, const QString& text,
                             std::vector<int>* positions = nullptr);

// How well an item answers to what was typed; below 0: not at all. Every word of the query has to match, in the text, in an
// alias or, for less, in the detail. Items whose name or text begins with the query come before all others.
[[nodiscard]] int paletteScore(const QString& query, const PaletteItem& item, std::vector<int>* positions = nullptr);

class PaletteModel;

class CommandPalette : public QFrame {
    Q_OBJECT

public:
    CommandPalette(const Theme& theme, ActionRegistry& registry, QWidget& window);

    // `prefix` is one character, `hint` says what it finds ("entity").
    void addProvider(QChar prefix, const QString& hint, PaletteProvider provider);
    // What stands among the actions: commands that are none.
    void setCommands(PaletteProvider commands) { m_commands = std::move(commands); }
    // Opens over the window, with `text` typed already.
    void popUp(const QString& text = {});
    [[nodiscard]] QLineEdit& lineEdit() { return *m_edit; }

signals:
    void closed();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    struct Provider {
        QString hint;
        PaletteProvider items;
    };
    void search();
    void runCurrent();
    [[nodiscard]] std::vector<PaletteItem> actions();

    const Theme& m_theme;
    ActionRegistry& m_registry;
    QWidget& m_window;
    QLineEdit* m_edit;
    QListView* m_list;
    QLabel* m_none; // in the list's place when nothing matches
    PaletteModel* m_model;
    QHash<QChar, Provider> m_providers;
    PaletteProvider m_commands;
    QChar m_loadedFor;
    bool m_loaded = false;
};

} // namespace sbx::ui
