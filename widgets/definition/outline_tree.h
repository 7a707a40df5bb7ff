#pragma once
// The outline of the shown text beside it, with a filter line: follows the caret, says what is picked, and edits what the text says
// (TreeEdits). Its keys and menu are actions of the registry, live while the tree has the focus. GUI thread.

#include <QTimer>
#include <QWidget>

#include "engine/core/result.h"
#include "widgets/definition/outline_model.h"
#include "widgets/definition/tree_edits.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

class QLabel;
class QLabel;
class QMenu;
class QModelIndex;
class QSortFilterProxyModel;
class QToolButton;
class QTreeView;

namespace sbx::ui {

class ActionRegistry;
class EmptyState;
class EmptySwitch;
class FilterBar;
class OutlineDelegate;
class Theme;
struct FieldSources;

class OutlineTree : public QWidget {
    Q_OBJECT

public:
    // `edits` and `actions` outlive the tree.
    OutlineTree(const Theme& theme, std::function<QString(const std::string&)> typeIcon, TreeEdits& edits,
                std::function<FieldSources()> sources, ActionRegistry& actions, QWidget* parent = nullptr);
    ~OutlineTree() override;

    // `another`: not an edit of the text shown before. Of bytes that are no text there is no outline: a line says why, and where. Of a text
    // with something in it that is no statement, the rows of the text before stay, grey.
    void setText(const std::string& text, bool another);
    void setFaults(const std::vector<OutlineModel::Fault>& faults);
    // The row of the offset becomes current; scrolls only if it is out of sight.
    void follow(std::size_t offset);
    // Makes a row current, its parents open. False: there is none, or the filter hides it.
    bool select(const TreePlace& place);
    [[nodiscard]] TreePlace current() const;
    // What stands at an offset, as far as the rows are those of the text.
    [[nodiscard]] TreePlace placeAt(std::size_t offset) const;
    // Opens the editor of the current row: of a key its value, else its name.
    void editCurrent();

    [[nodiscard]] bool showsDefaults() const;
    void setShowsDefaults(bool shows);
    // Adds a component to the current row's type.
    void addComponent(const QString& component);
    // The components that could be added there. Empty: nothing could be.
    [[nodiscard]] std::vector<ComponentChoice> componentChoices() const;
    // Fills a menu with what can be done with the current row.
    void fillMenu(QMenu& menu);
    void fillAddMenu(QMenu& menu);
    // The title of the fix for the problem at an offset; empty: there is none.
    void setFixSource(std::function<QString(std::size_t)> titleOf) { m_fixTitle = std::move(titleOf); }
    // Asks first where something uses it.
    void deleteCurrent();

    [[nodiscard]] QTreeView& view() { return *m_view; }
    [[nodiscard]] OutlineModel& model() { return *m_model; }
    [[nodiscard]] OutlineDelegate& delegate() { return *m_delegate; }
    [[nodiscard]] FilterBar& filterBar() { return *m_bar; }
    // What keeps the rows from following the text; empty: they are those of the text.
    [[nodiscard]] QString fault() const;
    [[nodiscard]] TreeEdits& edits() { return m_edits; }

signals:
    // A row was picked; `offset` is where its name begins.
    void picked(std::size_t offset);
    // Enter or double click on what has no value: the text wants the focus.
    void activated(std::size_t offset);
    // The rows must be those of the text as it is now, before something is done with them.
    void refreshNeeded();
    // An edit was refused: what, and what would be right.
    void problem(const QString& text);
    // A list of components to choose from is wanted; the choice comes to addComponent().
    void addComponentRequested();
    // The menu is about to open on a component or one of its keys: further entries go there now.
    void menuOfComponent(QMenu& menu, const sbx::ui::TreePlace& place);
    // The problem of that place has a fix, which is wanted.
    void fixRequested(std::size_t offset);

private:
    void buildView();
    void connectView();
    void addActions();
    void applyFilter();
    void updateCounts();
    void showMenu(const QPoint& at);
    [[nodiscard]] static QString rowName(const TreePlace& at);
    void popUpAdd();
    [[nodiscard]] std::size_t offsetOf(const QModelIndex& index) const;
    [[nodiscard]] TreePlace placeOf(const QModelIndex& index) const;
    bool report(const Result<void>& done);
    // After a drop: the row is in sight, open above it, and framed for a moment.
    void showDropped(const TreePlace& what, const TreePlace& parent);
    // Does something to the current row, with rows that are true, and shows why not.
    void act(const std::function<Result<void>(const TreePlace&)>& what);
    void rename(const TreePlace& place);
    void duplicateCurrent();
    void addType(bool extends);
    void addKey(const std::string& component, const std::string& key);
    void copyCurrent(bool cut);
    void pasteAtCurrent();
    void moveCurrent(int step);
    [[nodiscard]] std::optional<QString> questionBeforeDelete(const TreePlace& place) const;

    const Theme& m_theme;
    TreeEdits& m_edits;
    ActionRegistry& m_actions;
    OutlineModel* m_model;
    QSortFilterProxyModel* m_filter;
    QTreeView* m_view;
    OutlineDelegate* m_delegate;
    FilterBar* m_bar;
    QLabel* m_fault; // below the bar: why the rows are those of the text before
    QToolButton* m_add;
    QToolButton* m_defaults;
    QTimer m_refresh; // of what can be done, when the row or the text is another
    EmptyState* m_unreadable;
    EmptySwitch* m_noMatch;
    EmptySwitch* m_switch; // the rows, or why there are none
    std::string m_text;    // that was given last
    std::function<QString(std::size_t)> m_fixTitle;
    bool m_following = false;
};

} // namespace sbx::ui
