#pragma once
// The tree of living entities with its filter line, joined to the shared selection. GUI thread.
//
// A filter is compiled here, for its faults, and evaluated by the session, which sees the entities: it is in force a frame or two
// after it was typed, and follows what changes from then on.

#include <QWidget>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

class QTreeView;

namespace sbx {
struct Catalog;
struct EntityList;
struct EntityMatches;
} // namespace sbx

namespace sbx::ui {

class EmptyState;
class EmptySwitch;
class EntityTreeModel;
class FilterBar;
class FilterCompleter;
class NameDelegate;
struct NameRefusal;
class MarkColumns;
class SceneMarks;
class Selection;
class SessionFeed;
class Theme;

class OutlinerPanel : public QWidget {
    Q_OBJECT

public:
    OutlinerPanel(const Theme& theme, SessionFeed& feed, Selection& selection, QWidget* parent = nullptr);

    [[nodiscard]] EntityTreeModel& model() { return *m_model; }
    [[nodiscard]] QTreeView& view() { return *m_view; }
    [[nodiscard]] FilterBar& filterBar() { return *m_bar; }
    void setFilterText(const QString& text);
    // While a project of that name loads, the panel says so instead of calling the world empty; empty: none does.
    void setLoading(const QString& name);
    // Opens the name of that entity for typing; the answer is renameRequested(). False: it is not shown here, or not in the scene file.
    bool beginRename(const std::string& name);
    // Shown and changed in the columns of the eye and the padlock. They outlive the panel.
    void setSceneMarks(SceneMarks& marks);
    // Opens the branch of that entity as soon as something hangs from it.
    void openBranch(const std::string& name) { m_opening = name; }
    // Asked before renameRequested(): the reason against a name for that entity, which stays in its line then. None: it can be taken.
    void setNameCheck(std::function<std::optional<NameRefusal>(const std::string& entity, const QString& name)> check);
    // The names of what matches the filter in force; none: no filter is.
    [[nodiscard]] std::optional<std::vector<std::string>> matchingNames() const;

signals:
    // Double click or Enter: show it in the viewport.
    void entityActivated(const QString& name);
    void contextMenuRequested(const QPoint& global);
    void renameRequested(const std::string& from, const std::string& to);
    // Entities were dragged onto another one; an empty `parent`: away from all others.
    void parentRequested(const std::vector<std::string>& names, const std::string& parent);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void applyFilter(const QString& text);
    void compileFilter(const QString& text);
    void followFrame();
    void showSelection(bool scroll);
    void takeSelection();

    const Theme& m_theme;
    SessionFeed& m_feed;
    Selection& m_selection;
    EntityTreeModel* m_model;
    QTreeView* m_view;
    NameDelegate* m_names;
    FilterBar* m_bar;
    FilterCompleter* m_completer;
    QString m_goodFilter;
    std::shared_ptr<const Catalog> m_catalog; // that the filter was compiled with
    std::shared_ptr<const EntityList> m_shown;
    std::shared_ptr<const EntityMatches>
        m_matches; // to m_goodFilter, or the filter before until they come; null: none is in force
    EmptyState* m_empty;
    EmptySwitch* m_switch;
    EmptySwitch* m_noMatch;
    std::string m_opening; // see openBranch()
    bool m_loading = false;
    bool m_following = false; // the view follows the selection: its own signals are ignored
};

} // namespace sbx::ui
