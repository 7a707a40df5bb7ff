#pragma once
// How a sound's level falls with distance: the curve of its settings, where the listener is on it, and two handles, for the reference
// distance and the maximum. The handles in the viewport are the same values.
//
// GUI thread; parent owns it.

#include <QWidget>

#include "engine/probe/sound_probe.h"

#include <optional>

namespace sbx::ui {

class Theme;

class CurveView : public QWidget {
    Q_OBJECT

public:
    explicit CurveView(const Theme& theme, QWidget* parent = nullptr);

    // Null: nothing chosen. `lock`: why the handles do not move; empty: they do.
    void setSound(const ProbeSound* sound, const audio::SourceState* state, const QString& lock);
    [[nodiscard]] double reference() const { return m_reference; }
    [[nodiscard]] double maximum() const { return m_maximum; }
    [[nodiscard]] bool isDragging() const { return m_drag != Handle::None; }
    // Where a distance stands; for tests.
    [[nodiscard]] double xOf(double metres) const;
    QSize minimumSizeHint() const override { return {200, 80}; }

signals:
    // "reference" or "maximum".
    void changed(const QString& field, double metres, bool committed);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    enum class Handle { None, Reference, Maximum };
    [[nodiscard]] QRectF area() const;
    [[nodiscard]] double metresAt(double x) const;
    [[nodiscard]] double yOf(double decibels) const;
    [[nodiscard]] Handle handleAt(const QPointF& at) const;
    [[nodiscard]] bool usesMaximum() const;
    void set(Handle handle, double metres, bool committed);

    const Theme& m_theme;
    bool m_has = false;
    audio::SourceSettings m_settings;
    std::optional<double> m_distance;
    std::optional<double> m_gain; // as the renderer has it
    QString m_lock;
    double m_reference = 1.0;
    double m_maximum = 340.0;
    double m_start = 0.0;
    Handle m_drag = Handle::None;
    Handle m_hover = Handle::None;
    Handle m_focus = Handle::Reference;
};

} // namespace sbx::ui
