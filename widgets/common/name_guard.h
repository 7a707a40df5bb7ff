#pragma once
// Watches a line in which a name is typed. A name that is wrong or taken is never thrown away: the line stays as it is,
// marked, and a plate below it gives the reason and offers the nearest name that can be taken, with a button and by
// Alt+Enter. Another key in the line takes mark and plate away again.
//
// The owner calls accepts() before it takes the text. A delegate asks holds() about each event of its editor, so that a
// refused name does not close it. GUI thread; the line owns its guard.

#include <QObject>
#include <QString>

#include <functional>
#include <optional>

class QFrame;
class QLabel;
class QLineEdit;
class QPushButton;

namespace sbx::ui {

class Theme;

struct NameRefusal {
    QString reason;
    QString offered; // may be empty
};

class NameGuard : public QObject {
    Q_OBJECT

public:
    // The reason against a name; none: it can be taken. Called with the trimmed text.
    using Check = std::function<std::optional<NameRefusal>(const QString& name)>;

    NameGuard(const Theme& theme, QLineEdit& line, Check check);
    ~NameGuard() override;

    // That of a line; null: it has none.
    [[nodiscard]] static NameGuard* of(QObject* line);

    // False: the text was refused, mark and plate are shown.
    bool accepts();
    [[nodiscard]] bool isRefused() const { return m_refused; }
    [[nodiscard]] const NameRefusal& refusal() const { return m_refusal; }
    // The event would end the edit of a delegate's line whose name cannot be taken: Return, Tab, and the loss of the focus.
    [[nodiscard]] bool holds(const QEvent& event);
    // Takes mark and plate away; the text stays.
    void clear();

signals:
    // The offered name is in the line now, and can be taken.
    void offeredTaken();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void show();
    void placePlate();
    void takeOffered();

    const Theme& m_theme;
    QLineEdit& m_line;
    Check m_check;
    NameRefusal m_refusal;
    bool m_refused = false;
    QFrame* m_plate = nullptr; // of the window; made when it is needed
    QLabel* m_reason = nullptr;
    QPushButton* m_offer = nullptr;
};

} // namespace sbx::ui
