#pragma once
// Ticks over the list's scroll bar where rows are marked or have a comment. Lets the mouse through. GUI thread; a child of the bar; the
// model must outlive it.

#include <QWidget>

class QScrollBar;

namespace sbx::ui {

class Theme;
class TraceModel;

class TraceMarkStrip : public QWidget {
    Q_OBJECT

public:
    TraceMarkStrip(const Theme& theme, const TraceModel& model, QScrollBar& bar);

    // Where the tick of a row is; the row is one of the model's.
    [[nodiscard]] int yOf(int row) const;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    [[nodiscard]] QRect groove() const;

    const Theme& m_theme;
    const TraceModel& m_model;
    QScrollBar& m_bar;
};

} // namespace sbx::ui
