#pragma once
// The line that finds a text in the rows of the trace: comes with Ctrl+F, goes with Esc, counts what is found and goes from one place to
// the next. Filters nothing. GUI thread; the panel owns it.

#include <QWidget>

#include <cstdint>
#include <functional>

class QLabel;
class QLineEdit;

namespace sbx::ui {

class Theme;
class TraceSearch;

class TraceSearchBar : public QWidget {
    Q_OBJECT

public:
    // `here`: the sequence of the row that is looked at.
    TraceSearchBar(const Theme& theme, TraceSearch& search, std::function<std::uint64_t()> here, QWidget* parent = nullptr);

    // Shows itself and takes the focus.
    void start();
    // Back to the list.
    void stop();
    // To the next or previous place. One that is closed shows itself with the text before, and leaves the focus where it is.
    void find(bool forward);
    [[nodiscard]] QLineEdit& lineEdit() { return *m_edit; }
    // "3 of 12", "12, 40 % searched", "none"; and whether the search went on from the other end.
    [[nodiscard]] QString countText() const;
    [[nodiscard]] QString noticeText() const;

signals:
    // The row to go to.
    void found(quint64 sequence);
    void closed();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void begin();
    void refresh();

    TraceSearch& m_search;
    std::function<std::uint64_t()> m_here;
    QLineEdit* m_edit;
    QLabel* m_notice;
    QLabel* m_count;
    bool m_forward = true; // direction of the last request
    bool m_moved = false;  // the text has been gone to: the next place is another one
};

} // namespace sbx::ui
