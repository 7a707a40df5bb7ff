#pragma once
// A small plate of monospaced text that lies over the picture: statistics, the read-out of a drag, a hint that disappears by itself. Takes no
// mouse and no focus. GUI thread; parent owns it.

#include <QLabel>
#include <QTimer>

namespace sbx::ui {

class Theme;

class Chip : public QLabel {
    Q_OBJECT

public:
    Chip(const Theme& theme, const QString& name, QWidget* parent);

    // Shows the text as large as it needs; empty hides it. After `milliseconds` it goes; 0: it stays.
    void say(const QString& text, int milliseconds = 0);
    // At most that wide, in logical pixels: longer lines are wrapped.
    void fitInto(int width);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Theme& m_theme;
    QTimer m_fade;
};

// The plate alone, for bars over the picture.
void paintPlate(QWidget& widget, const Theme& theme);

} // namespace sbx::ui
