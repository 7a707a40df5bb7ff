#pragma once
// The line one types into: Return submits, Up and Down walk the history, Tab completes.
//
// Keys: typing shows candidates without choosing one, so that Return sends what stands there. Tab puts in what all candidates
// share; when there is no more to put in, Tab and Shift+Tab choose among them, then Up and Down too; Return or Tab on the only
// one takes it. Esc closes the list, then empties the line. In an empty line Tab moves focus on; Ctrl+Space lists everything.
// Ctrl+R searches the history: what is typed filters it, Ctrl+R and Up and Down walk, Return puts the line in, Esc gives back
// what stood there.
// Window thread; parent owns it.

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

signals:
    void submitted(const QString& line);
    void historyChanged();
    // The console's key in a line in which nothing is typed: back to where one came from.
    void left();

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
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
    void paste();
    [[nodiscard]] bool choosing() const;
    void startSearch();
    void showFound();
    void endSearch(const QString& line);

    ConsoleBackend& m_backend;
    ConsoleHistory m_history;
    QPointer<CandidatePopup> m_popupGuard;
    CandidatePopup* m_popup;
    Completion m_completion;
    QAction* m_prompt;
    const Theme& m_theme;
    bool m_searching = false;
    QString m_beforeSearch;
};

} // namespace sbx::ui
