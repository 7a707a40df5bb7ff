#pragma once
// The filter line at the top of a panel: text, clear button, "12 of 430", and a lit badge while rows are
// hidden, because a forgotten filter looks like a bug. The panel interprets the text and reports the counts
// and what is wrong with it. Esc clears it, or leaves the line: see leaveOnEsc(). GUI thread; parent owns it.

#include <QPointer>
#include <QWidget>

class QHBoxLayout;
class QLabel;
class QLineEdit;
class QTimer;

namespace sbx::ui {

class Theme;

class FilterBar : public QWidget {
    Q_OBJECT

public:
    // `name` is the objectName's and the accessible name's stem: "trace" gives "trace.filter".
    FilterBar(const Theme& theme, const QString& name, const QString& placeholder, QWidget* parent = nullptr);

    [[nodiscard]] QString text() const;
    void setText(const QString& text);
    // Puts the text into the line without applying it, and says so below: Return applies it, typing goes on from it, Esc brings back what is
    // in force.
    void prepare(const QString& text);
    [[nodiscard]] bool isPrepared() const { return m_prepared; }
    // Rows shown and rows there are; `hidden` for filters that are not in the text (a muted type, a time
    // range).
    void setCounts(qint64 shown, qint64 total, bool hiddenByOthers = false);
    // Underlines the text and says why below it; empty: all well.
    void setProblem(const QString& message);
    [[nodiscard]] QString problem() const;
    // What a valid filter may mean instead, in a line below: "There is no message type Dmage; did you mean Damage?" A click on `nearest` puts
    // `mended` into the line and applies it. Without `nearest` the statement stands alone; an empty one takes the line away.
    void setAdvice(const QString& statement, const QString& nearest = {}, const QString& mended = {});
    // Ctrl+F anywhere inside `panel` comes here.
    void focusOnFind(QWidget& panel);
    // Esc clears only what was typed since the line got the focus or Return was pressed; else the filter stays, and the focus goes back to
    // where it was before the line.
    void leaveOnEsc() { m_leaves = true; }
    // A button of the panel's own, behind the count.
    void addTrailing(QWidget* widget);
    [[nodiscard]] QLineEdit& lineEdit() { return *m_edit; }

signals:
    // Typed text settles for 120 ms; Return, Esc and clear tell at once.
    void filterChanged(const QString& text);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void tell();
    void updateBadge();
    void setPrepared(bool prepared);
    // False: it cannot be given to where it was before.
    bool giveFocusBack();

    const Theme& m_theme;
    QLineEdit* m_edit;
    QLabel* m_count;
    QLabel* m_problem;
    QLabel* m_advice;
    QLabel* m_hint;
    QHBoxLayout* m_row;
    QTimer* m_settle;
    QString m_told;
    QString m_mended;           // what a click on the advice puts into the line
    QString m_applied;          // what Esc leaves alone
    QPointer<QWidget> m_before; // had the focus before the line
    bool m_prepared = false;
    bool m_hiding = false;
    bool m_leaves = false;
};

} // namespace sbx::ui
