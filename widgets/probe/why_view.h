#pragma once
// "Why can't I hear this?": what must be so for the chosen sound to be heard, in order, the first that fails in front, each with what
// mends it. GUI thread; parent owns it.

#include <QWidget>

#include "widgets/probe/voice_text.h"

#include <array>

class QLabel;
class QToolButton;

namespace sbx::ui {

class Theme;

class WhyView : public QWidget {
    Q_OBJECT

public:
    explicit WhyView(const Theme& theme, QWidget* parent = nullptr);
    // Null: nothing chosen.
    void setSound(const ProbeView& view, const ProbeSound* sound);
    [[nodiscard]] const std::vector<HearingStep>& steps() const { return m_steps; }

signals:
    void fixRequested(sbx::ui::HearingStep::What what);

private:
    struct Line {
        QLabel* mark = nullptr;
        QLabel* name = nullptr;
        QLabel* text = nullptr;
        QToolButton* fix = nullptr;
    };
    const Theme& m_theme;
    QLabel* m_title;
    std::array<Line, 7> m_lines;
    std::vector<HearingStep> m_steps;
};

} // namespace sbx::ui
