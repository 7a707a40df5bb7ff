#pragma once
// The selected message above the console's line: what `$msg` in a line means now. One line, cut at the right; a click goes to the message.
// GUI thread; parent owns it.

#include <QAbstractButton>
#include <QString>

namespace sbx::ui {

class Theme;

class MessageNote : public QAbstractButton {
    Q_OBJECT

public:
    MessageNote(const Theme& theme, QWidget* parent);

    // "#812 Damage phantom_1 → crate_3, amount 5.0"; empty hides it.
    void say(const QString& message);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {0, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    const Theme& m_theme;
};

} // namespace sbx::ui
