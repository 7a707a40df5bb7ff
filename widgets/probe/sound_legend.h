#pragma once
// What the lines about a sound in the picture mean: each with its colour and its mark, those alone that are drawn now.
//
// GUI thread; parent owns it; theme outlives it.

#include <QWidget>

#include <vector>

namespace sbx::ui {

class Theme;

class SoundLegend : public QWidget {
    Q_OBJECT

public:
    // How a line ends, or which shape it is: what distinguishes it from others without its colour.
    enum class Line { Open, Blocked, Reflection, Reference, Maximum, Cone };

    explicit SoundLegend(const Theme& theme, QWidget* parent = nullptr);
    // Hidden for none. True: its size may be another.
    bool explain(const std::vector<Line>& lines);
    [[nodiscard]] const std::vector<Line>& lines() const { return m_lines; }
    [[nodiscard]] static QString nameOf(Line line);
    [[nodiscard]] static QColor colorOf(Line line, const Theme& theme);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Theme& m_theme;
    std::vector<Line> m_lines;
};

} // namespace sbx::ui
