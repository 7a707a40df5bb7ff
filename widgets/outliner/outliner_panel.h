#pragma once
// The tree of living entities with its filter line, joined to the shared selection. Window thread.

#include <QWidget>

class QTreeView;

namespace sbx::ui {

class EmptySwitch;
class EntityTreeModel;
class FilterBar;
class FilterCompleter;
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

signals:
    // Double click or Enter: show it in the viewport.
    void entityActivated(const QString& name);
    void contextMenuRequested(const QPoint& global);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void applyFilter(const QString& text);
    void refresh();
    void showSelection(bool scroll);
    void takeSelection();

    const Theme& m_theme;
    SessionFeed& m_feed;
    Selection& m_selection;
    EntityTreeModel* m_model;
    QTreeView* m_view;
    FilterBar* m_bar;
    FilterCompleter* m_completer;
    QString m_goodFilter;
    EmptySwitch* m_switch;
    bool m_following = false; // the view is being told, not telling
};

} // namespace sbx::ui
