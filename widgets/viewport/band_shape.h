#pragma once
// The rubber band over the picture: filled while it takes what it contains, dashed while it takes what it touches. Takes no mouse. Window
// thread; parent owns it.

#include <QWidget>

#include "engine/render/band.h"

namespace sbx::ui {

class Theme;

class BandShape : public QWidget {
    Q_OBJECT

public:
    BandShape(const Theme& theme, QWidget* parent);

    // In the parent's frame; a null rectangle hides it.
    void show(const QRect& band, render::BandRule rule);
    [[nodiscard]] render::BandRule rule() const { return m_rule; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Theme& m_theme;
    render::BandRule m_rule = render::BandRule::Contains;
};

} // namespace sbx::ui
