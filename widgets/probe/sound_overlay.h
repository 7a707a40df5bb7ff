#pragma once
// Sounds in the picture: where each is and how loud, the chosen one's reference and maximum distance as spheres with handles, its cone,
// what stands between it and the listener, and the first reflections of the room. The handles are the curve's: the same values.
//
// Data flow: the viewport calls draw() in each of its frames; mouse events of the picture pass through here first. GUI thread; owned
// by the window, which outlives neither panel nor picture.

#include <QObject>
#include <QPointer>

#include "engine/probe/sound_probe.h"
#include "engine/render/camera.h"
#include "engine/render/renderer.h"
#include "widgets/probe/sound_legend.h"

#include <functional>
#include <optional>
#include <vector>

class QWidget;

namespace sbx::ui {

class ProbePanel;
class Theme;

class SoundOverlay : public QObject {
    Q_OBJECT

public:
    SoundOverlay(const Theme& theme, ProbePanel& panel, QObject* parent = nullptr);
    ~SoundOverlay() override;

    // Takes the mouse of `picture` where a handle is. `rayAt`: through a place of the widget; `camera`: what it looks through there;
    // `height`: how high, in logical pixels, the part of the widget is in which that camera's picture lies; none: all of it.
    void attach(QWidget& picture, std::function<render::Ray(const QPointF&)> rayAt,
                std::function<render::CameraView()> camera, std::function<int()> height = {});
    void setShown(bool shown);
    [[nodiscard]] bool isShown() const { return m_shown; }
    void draw(render::View& view) const;
    // Where the handles of the chosen sound are, in the world: reference, maximum; nothing without.
    [[nodiscard]] std::optional<Vec3> handle(bool maximum) const;
    // Lies over the picture's lower right corner; null before attach(). Shown while the panel is seen and something is drawn.
    // What else lies over the picture, in coordinates of its panel: the legend keeps clear of it.
    void setTaken(std::function<QRect()> taken) { m_taken = std::move(taken); }
    [[nodiscard]] SoundLegend* legend() const { return m_legend; }
    void updateLegend();
    [[nodiscard]] bool isDragging() const { return m_drag != Handle::None; }

signals:
    // Something is drawn differently.
    void changed();
    // The way to the ear was clicked: what stands in it.
    void obstaclePicked(const QString& entity);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    enum class Handle { None, Reference, Maximum };
    [[nodiscard]] const ProbeSound* sound() const;
    [[nodiscard]] std::vector<float> digest() const;
    [[nodiscard]] Handle handleAt(const QPointF& place) const;
    void dragTo(const QPointF& place, bool committed);
    // The chosen sound's way to the ear is drawn, blocked, and goes through there.
    [[nodiscard]] bool isOnBlockedWay(const QPointF& place) const;
    [[nodiscard]] bool drawsWay(const render::CameraView& camera) const;
    // Pixels from `place` to where a point of the world is drawn; nothing: behind.
    [[nodiscard]] std::optional<double> pixelsTo(const QPointF& place, const Vec3& point) const;
    void drawOne(render::View& view, const ProbeView& state, const ProbeSound& sound, bool chosen) const;
    void drawChosen(render::View& view, const ProbeView& state, const ProbeSound& sound) const;

    const Theme& m_theme;
    ProbePanel& m_panel;
    QPointer<QWidget> m_picture;
    std::function<render::Ray(const QPointF&)> m_rayAt;
    std::function<render::CameraView()> m_camera;
    std::function<int()> m_height; // may be empty
    bool m_shown = true;
    Handle m_drag = Handle::None;
    Handle m_hot = Handle::None;
    bool m_picking = false; // pressed on the blocked way
    QPointer<SoundLegend> m_legend;
    std::function<QRect()> m_taken;
    double m_start = 0.0;
    std::optional<double> m_dragged;
    std::vector<float> m_drawn; // what the last picture was of
};

// The first reflection of each wall: where it meets the wall, for a listener and a sound inside the room.
[[nodiscard]] std::vector<Vec3> firstReflections(const audio::Room& room, const Vec3& ear, const Vec3& sound);

} // namespace sbx::ui
