#pragma once
// All sounds around the head: from above, and from the side. Drag in the top view sets azimuth and distance, in the side view elevation
// and distance; the wheel raises and lowers; arrows nudge by a degree, with Shift by ten; Page Up and Page Down move away and near.
//
// GUI thread; parent owns it.

#include <QPointF>
#include <QWidget>

#include "engine/probe/sound_probe.h"

#include <memory>
#include <optional>
#include <vector>

namespace sbx::ui {

class Theme;

class PlaceView : public QWidget {
    Q_OBJECT

public:
    explicit PlaceView(const Theme& theme, QWidget* parent = nullptr);

    void setView(std::shared_ptr<const ProbeView> view);
    void setCurrent(const SoundKey& key);
    // Metres from the head to the edge. Follows the farthest sound until it is zoomed by hand (Ctrl+wheel; a double click on the
    // ground follows again).
    [[nodiscard]] double reach() const { return m_reach; }
    // Where a sound is drawn, in the top view or the side view; for tests.
    [[nodiscard]] QPointF topPoint(const Vec3& position) const;
    [[nodiscard]] QPointF sidePoint(const Vec3& position) const;
    [[nodiscard]] bool isDragging() const { return m_drag != Drag::None; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void chosen(const sbx::SoundKey& key);
    // While it is moved, committed is false.
    void moved(const sbx::SoundKey& key, const sbx::HeadPlace& place, bool committed);
    // The entity it belongs to, by double click.
    void activated(const sbx::SoundKey& key);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    enum class Drag { None, Top, Side };
    struct Spot {
        SoundKey key;
        QPointF top;
        QPointF side;
    };
    [[nodiscard]] QRectF topRect() const;
    [[nodiscard]] QRectF sideRect() const;
    [[nodiscard]] double scale() const; // pixels a metre
    [[nodiscard]] QPointF topOf(const HeadPlace& place) const;
    [[nodiscard]] QPointF sideOf(const HeadPlace& place) const;
    [[nodiscard]] const ProbeSound* current() const;
    [[nodiscard]] const Spot* spotAt(const QPointF& at, Drag& where) const;
    void drawGround(QPainter& painter, const QRectF& rect, bool side) const;
    void drawSounds(QPainter& painter, const QRectF& rect, bool side) const;
    void dragTo(const QPointF& at, bool committed);
    void nudge(double azimuth, double elevation, double factor);
    void followReach();
    [[nodiscard]] QString describe(const ProbeSound& sound) const;

    const Theme& m_theme;
    std::shared_ptr<const ProbeView> m_view;
    SoundKey m_current;
    std::vector<Spot> m_spots;
    double m_reach = 5.0;
    bool m_zoomed = false;
    Drag m_drag = Drag::None;
    bool m_dragged = false; // farther than a click
    QPointF m_press;
    HeadPlace m_start;
    std::optional<HeadPlace> m_draggedPlace; // ahead of the view, so that a drag does not lag
};

// "−30°", one decimal; azimuth as people say it: right is positive.
[[nodiscard]] QString angleText(double radians);

} // namespace sbx::ui
