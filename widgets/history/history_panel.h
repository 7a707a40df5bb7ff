#pragma once
// The history panel: the steps of undo as a list; a click or Enter goes to one. GUI thread; parent owns it.

#include <QWidget>

#include <functional>

class QListView;

namespace sbx::ui {

class Document;
class EmptySwitch;
class HistoryModel;
class Theme;

class HistoryPanel : public QWidget {
    Q_OBJECT

public:
    // `step` takes one step, redo or undo, or says why it is not taken; called as often as it takes to get where the user wants to go.
    HistoryPanel(const Theme& theme, Document& document, std::function<void(bool redo)> step, QWidget* parent = nullptr);

    [[nodiscard]] HistoryModel& model() { return *m_model; }
    [[nodiscard]] QListView& view() { return *m_view; }

private:
    void go(const QModelIndex& index);
    void followCurrent();

    std::function<void(bool redo)> m_step;
    HistoryModel* m_model;
    QListView* m_view;
    EmptySwitch* m_switch;
    bool m_isGoing = false;
};

} // namespace sbx::ui
