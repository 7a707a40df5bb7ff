#pragma once
// A badge of the status bar: a short text on a ground of its own, behind an icon if it has one. A click leads
// to what it is about. GUI thread; the theme must outlive it.

#include <QAbstractButton>

namespace sbx::ui {
class Theme;
} // namespace sbx::ui

namespace sbx::editor {

class StatusBadge : public QAbstractButton {
    Q_OBJECT

public:
    explicit StatusBadge(const ui::Theme& theme, QWidget* parent = nullptr);

    // Red: something is bad.
    void setAlarm(bool alarm);
    [[nodiscard]] bool isAlarm() const { return m_alarm; }

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    // Pixels that the icon and the gap behind it take.
    [[nodiscard]] int iconRoom() const;

    const ui::Theme& m_theme;
    bool m_alarm = false;
};

} // namespace sbx::editor
