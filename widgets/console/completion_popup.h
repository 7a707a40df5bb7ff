#pragma once
// The list of candidates above (or below) the input line: text, value, doc. Never takes focus; the input line steers it.
// A child of the window, so that it may be larger than the panel. Window thread; destroyed with the window or its owner.

#include <QFrame>

#include "engine/core/console.h"

#include <vector>

class QListView;

namespace sbx::ui {

class CompletionModel;
class Theme;

class CompletionPopup : public QFrame {
    Q_OBJECT

public:
    static constexpr int MostRows = 9;

    CompletionPopup(const Theme& theme, QWidget* parent);

    void setCandidates(const std::vector<CompletionCandidate>& candidates);
    // Beside the left end of `anchor`, on the side with more room.
    void popUp(QWidget& anchor);
    [[nodiscard]] int count() const;
    // Row chosen with the keys, or -1.
    [[nodiscard]] int current() const;
    void setCurrent(int row);
    // To the next (1) or previous (-1) row, round the ends; the first step chooses the first (last) row.
    void move(int step);
    using QFrame::move;
    [[nodiscard]] QString textAt(int row) const;

signals:
    void chosen(int row); // with the mouse

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Theme& m_theme;
    QListView* m_list;
    CompletionModel* m_model;
};

} // namespace sbx::ui
