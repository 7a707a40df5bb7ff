#pragma once
// The line one types into: Return submits, Up and Down walk the history, Tab completes.
//
// Keys: typing shows candidates without choosing one, so that Return sends what stands there. Tab puts in what all candidates
// share, and a name that is the only one meant with a space behind it; when there is no more to put in, Tab and Shift+Tab choose among them, then Up and Down too; Return or Tab on the only
// one takes it. Esc closes the list, then empties the line. In an empty line Tab moves focus on; Ctrl+Space lists everything.
// Ctrl+R searches the history: what is typed filters it, Ctrl+R and Up and Down walk, Return puts the line in, Esc gives back
// what stood there. However text comes in (keys, menu, the middle button, a drop), several lines become statements of one, in one
// step that Ctrl+Z takes back.
// While lines may run in several places the prompt says where: `client1 >`.
// GUI thread; parent owns it.

#include <QLineEdit>
#include <QPointer>

#include "engine/core/console.h"
#include "widgets/console/console_history.h"

namespace sbx::ui {

class CandidatePopup;
class ConsoleBackend;
class Theme;

class ConsoleInput : public QLineEdit {
    Q_OBJECT

public:
    ConsoleInput(const Theme& theme, ConsoleBackend& backend, QWidget* parent = nullptr);
    ~ConsoleInput() override;

    [[nodiscard]] ConsoleHistory& history() { return m_history; }
    [[nodiscard]] CandidatePopup& popup() { return *m_popup; }

    // Puts the beginning of a line there, with what may follow it.
    void type(const QString& begin);
    // Before the line: where it runs, in that colour (brought to where it can be read); empty: there is no choice.
    void setTarget(const QString& target, const QColor& color = QColor());
    [[nodiscard]] QString target() const { return m_target; }

signals:
    void submitted(const QString& line);
    void historyChanged();
    // The console's key in a line in which nothing is typed: back to where one came from.
    void left();

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void submit();
    void walk(bool older);
    void tab(int step);
    void suggest(bool always);
    // Puts `text` in place of what the last completion replaces.
    void replace(const std::string& text);
    void take(int row);
    void paste(const QString& text);
    void separateSteps();
    void layOutPrompt();
    [[nodiscard]] bool choosing() const;
    void startSearch();
    void showFound();
    void endSearch(const QString& line);

    ConsoleBackend& m_backend;
    ConsoleHistory m_history;
    QPointer<CandidatePopup> m_popupGuard;
    CandidatePopup* m_popup;
    Completion m_completion;
    QString m_target;
    QColor m_targetColor;
    QString m_shownTarget; // cut if it is long
    const Theme& m_theme;
    bool m_searching = false;
    QString m_beforeSearch;
};

} // namespace sbx::ui
