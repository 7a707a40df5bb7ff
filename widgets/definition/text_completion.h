#pragma once
// The list of completions at the caret: what may stand here, what it takes, and one line on what it does.
// Never takes focus; TextAssist steers it. A child of the window, so that it may be larger than the panel.
// Window thread.

#include <QFrame>

#include "engine/definition/completion.h"

#include <vector>

class QLabel;
class QListView;

namespace sbx::ui {

class TextCompletionModel;
class Theme;

class TextCompletion : public QFrame {
    Q_OBJECT

public:
    static constexpr int MostRows = 9;

    TextCompletion(const Theme& theme, QWidget* parent);

    void setCandidates(std::vector<definition::Completion> candidates);
    [[nodiscard]] const std::vector<definition::Completion>& candidates() const;
    // Below `line` (a rectangle of the anchor), or above where there is more room.
    void popUp(QWidget& anchor, const QRect& line);
    [[nodiscard]] int current() const;
    void setCurrent(int row);
    // By so many rows; ends are stops.
    void step(int rows);

signals:
    void chosen(int row); // with the mouse

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void describe();

    const Theme& m_theme;
    QListView* m_list;
    QLabel* m_doc;
    TextCompletionModel* m_model;
};

} // namespace sbx::ui
