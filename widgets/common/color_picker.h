#pragma once
// Picks a linear RGBA colour: a square of saturation and value, a bar of hue, one of opacity, numbers, and an
// intensity for colours brighter than white. Shown as people see it (sRGB); given and taken linear. Window
// thread.

#include <QColor>
#include <QFrame>

#include "engine/core/math.h"

class QLineEdit;

namespace sbx::ui {

class NumberField;
class Theme;

// Linear RGBA to what a screen shows, parts above one cut off.
[[nodiscard]] QColor toScreen(const Vec4& linear);
[[nodiscard]] Vec4 fromScreen(const QColor& color);
// The parts as they are, 0 to 1, not made linear: what lines and overlays take (engine/render/overlay.h).
[[nodiscard]] Vec4 overlayColor(const QColor& color, float alpha = 1.0F);

class ColorPicker : public QFrame {
    Q_OBJECT

public:
    // `bright`: may exceed 1 (lights, glow).
    ColorPicker(const Theme& theme, bool bright, QWidget* parent = nullptr);

    void setColor(const Vec4& linear);
    [[nodiscard]] Vec4 color() const;

signals:
    // committed = false while dragging.
    void picked(const sbx::Vec4& linear, bool committed);
    void closed();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    enum class Part { None, Square, Hue, Alpha };
    void drag(const QPoint& at);
    void tell(bool committed);
    void showNumbers();

    const Theme& m_theme;
    Part m_part = Part::None;
    float m_hue = 0.0F; // all 0..1, of the sRGB colour
    float m_saturation = 0.0F;
    float m_brightness = 1.0F;
    float m_alpha = 1.0F;
    double m_intensity = 1.0;
    QLineEdit* m_hex;
    NumberField* m_intensityField = nullptr;
};

} // namespace sbx::ui
