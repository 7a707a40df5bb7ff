#pragma once
// A list of candidates beside the line one types into: icon, text, value, and one line on each. Never takes focus; what is typed
// into steers it. A child of the window, so that it may be larger than the panel. GUI thread; destroyed with the window or
// its owner.

#include <QFrame>
#include <QString>

#include <vector>

class QLabel;
class QListView;

namespace sbx::ui {

class CandidateModel;
class Theme;

struct Candidate {
    QString icon;
    QString text;
    QString value; // a second column, set as code; may be empty
    QString doc;
};

class CandidatePopup : public QFrame {
    Q_OBJECT

public:
    static constexpr int MaxRows = 9;
    enum class Doc {
        Column, // behind the value
        Below   // of the current row, under the list; the value is then set as text
    };

    // Objects are named NAME.completion, NAME.candidates and NAME.completionDoc.
    CandidatePopup(const Theme& theme, const QString& name, Doc doc, QWidget* parent);

    // What of `typed` is found in a text, or else in its explanation, is set strong.
    void setCandidates(std::vector<Candidate> candidates, const QString& typed = {});
    // Beside `line` (a rectangle of the anchor): below it, or above, `preferAbove` or where there is more room.
    void popUp(QWidget& anchor, const QRect& line, bool preferAbove);
    [[nodiscard]] int count() const;
    // Row chosen with the keys, or -1.
    [[nodiscard]] int current() const;
    void setCurrent(int row);
    // By so many rows; ends are stops.
    void step(int rows);
    // To the next (1) or previous (-1) row, round the ends; the first step chooses the first (last) row.
    void cycle(int step);
    [[nodiscard]] QString textAt(int row) const;

signals:
    void chosen(int row); // with the mouse

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void describe();

    const Theme& m_theme;
    Doc m_docPlace;
    QListView* m_list;
    QLabel* m_doc;
    CandidateModel* m_model;
};

} // namespace sbx::ui
