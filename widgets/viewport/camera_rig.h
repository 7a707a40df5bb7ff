#pragma once
// The editor's own camera: fly, orbit, pan, dolly and frame, in perspective or orthographic. Pure mathematics on a pose; no widget, no
// clock: the view that draws hands in seconds and pixels. GUI thread, a value owned by the view.
//
// Both projections share eye, direction and focus distance. An orthographic picture is as high as the perspective one is at the focus
// distance: to switch between them leaves what is in focus where it is, and zooming is a change of that distance.

#include "engine/render/camera.h"
#include "engine/render/mesh.h"

#include <optional>

namespace sbx::ui {

// Named after the side from which the scene is seen.
enum class AxisView { Front, Back, Right, Left, Top, Bottom };
// Radians, as the rig has them.
struct ViewAngles {
    float yaw = 0.0F;
    float pitch = 0.0F;
};
[[nodiscard]] ViewAngles anglesOf(AxisView axis);

class CameraRig {
public:
    CameraRig();

    [[nodiscard]] render::CameraView view() const;
    [[nodiscard]] const Vec3& eye() const { return m_eye; }
    [[nodiscard]] float yaw() const { return m_yaw; }     // radians; 0 looks along -Z, positive turns left
    [[nodiscard]] float pitch() const { return m_pitch; } // radians; positive looks up
    // How far away the point is that panning and orbiting refer to when nothing is under the cursor.
    [[nodiscard]] float focusDistance() const { return m_focus; }
    [[nodiscard]] Vec3 focusPoint() const;
    void setFocusDistance(float metres);
    [[nodiscard]] bool orthographic() const { return m_orthographic; }
    // By hand: stays until it is switched again.
    void setOrthographic(bool on);
    // Orthographic only for as long as it looks along an axis: turning away goes back to perspective.
    [[nodiscard]] bool orthographicByAxis() const { return m_orthographic && m_byAxis; }
    // Along which axis it looks, or is about to after a move; nothing: along none.
    [[nodiscard]] std::optional<AxisView> axisView() const;
    // Metres from the lower to the upper edge of the picture, at the focus distance.
    [[nodiscard]] float heightAtFocus() const;

    // At once, without motion. The projection stays.
    void set(const Vec3& eye, float yaw, float pitch, float focusDistance);
    void lookAt(const Vec3& eye, const Vec3& target);

    // Degrees to the right and up: about the eye, in an orthographic picture about the point in focus.
    void turn(float right, float up);
    // `direction`: right, up, forward, each in [-1, 1]. Speed builds up and dies away within a tenth of a second; call with a
    // zero direction until it returns false. In an orthographic picture up is the picture's, and forward makes things larger.
    bool fly(const Vec3& direction, float factor, float seconds);
    void stopFlying() { m_velocity = Vec3(0.0F); }
    [[nodiscard]] float speed() const { return m_speed; } // m/s
    void setSpeed(float metresPerSecond);
    void changeSpeed(float notches);

    // Turns about a point, which stays where it is in the picture. Degrees, as turn().
    void orbit(const Vec3& pivot, float right, float up);
    // What lies `depth` metres ahead follows the cursor; in an orthographic picture everything does.
    void pan(Vec2 pixels, float depth, int height);
    // Towards a point (positive) or away from it; the point stays where it is in the picture. In an orthographic picture: larger, smaller.
    void dolly(const Vec3& target, float notches);

    // Moves, within MoveSeconds, to where the box fills the picture; keeps the direction of view.
    void frame(const render::Bounds& bounds, float aspect);
    // The same, looking along that direction.
    void frameFrom(const render::Bounds& bounds, float aspect, float yaw, float pitch, bool atOnce);
    // To that side of the box, with the picture filled by it; orthographic (until it is turned away) if `flat`.
    void showAxis(AxisView axis, const render::Bounds& bounds, float aspect, bool flat, bool atOnce);
    // Moves to the nearest place from which the whole box is seen in that direction, with a little room around it.
    void fit(const render::Bounds& bounds, float aspect, float yaw, float pitch);
    // Moves there within MoveSeconds.
    void moveTo(const Vec3& eye, float yaw, float pitch, float focusDistance);
    // Everything that is kept of a camera between runs.
    struct Place {
        Vec3 eye{0.0F};
        float yaw = 0.0F;
        float pitch = 0.0F;
        float focus = 10.0F;
        bool orthographic = false;
        bool byAxis = false;
    };
    [[nodiscard]] Place place() const;
    void set(const Place& place);
    void moveTo(const Place& place);
    // Goes on with a move. False: nothing moves.
    bool advance(float seconds);

    static constexpr float MoveSeconds = 0.15F;
    static constexpr float MinimumSpeed = 0.25F;
    static constexpr float MaximumSpeed = 200.0F;
    static constexpr float MaximumPitch = 1.553F; // 89 degrees; only views along an axis look straight down or up

private:
    [[nodiscard]] Quat rotation() const;
    void turnAway();
    void zoom(const Vec3& target, float factor);
    void fitFlat(const render::Bounds& bounds, float aspect, float yaw, float pitch, float used);

    Vec3 m_eye{0.0F};
    float m_yaw = 0.0F;
    float m_pitch = 0.0F;
    float m_focus = 10.0F;
    float m_fovY = 0.9F;
    bool m_orthographic = false;
    bool m_byAxis = false;
    float m_speed = 6.0F;
    Vec3 m_velocity{0.0F};

    struct Move {
        Vec3 fromEye{0.0F};
        Vec3 toEye{0.0F};
        float fromYaw = 0.0F;
        float toYaw = 0.0F;
        float fromPitch = 0.0F;
        float toPitch = 0.0F;
        float fromFocus = 0.0F;
        float toFocus = 0.0F;
        float time = MoveSeconds; // as long as the move: done
    };
    Move m_move;
};

} // namespace sbx::ui
