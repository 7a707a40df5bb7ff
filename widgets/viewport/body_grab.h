#pragma once
// Grabs a body of the running world with the mouse, swings it, and throws it. GUI thread; ViewportInput owns it.

#include "engine/core/math.h"
#include "engine/render/camera.h"

#include <optional>
#include <string>

namespace sbx {
class Session;
} // namespace sbx

namespace sbx::ui {

class ShownScene;

class BodyGrab {
public:
    BodyGrab(Session& session, ShownScene& shown) : m_session(session), m_shown(shown) {}

    // What lies under the ray, if its type has a body that moves by forces and its world is the main one. `forward`: of the camera, unit length.
    bool begin(const render::Ray& ray, const Vec3& forward);
    // The held point follows the ray, as far away as it was.
    void moveTo(const render::Ray& ray);
    // By notches of the wheel. Returns the strength, in m/s².
    float strengthen(float notches);
    // Lets it fly.
    void end();
    [[nodiscard]] bool holds() const { return m_entity != 0; }
    [[nodiscard]] std::string name() const;
    // From the held point of what is drawn to where it is drawn.
    struct Line {
        Vec3 from{0.0F};
        Vec3 to{0.0F};
    };
    [[nodiscard]] std::optional<Line> line() const;

private:
    void send() const;

    Session& m_session;
    ShownScene& m_shown;
    std::uint64_t m_entity = 0; // bits; 0: none
    Vec3 m_point{0.0F};         // in the entity's frame, without its scale
    Vec3 m_place{0.0F};
    Vec3 m_forward{0.0F, 0.0F, -1.0F};
    float m_strength = 60.0F; // m/s²
};

} // namespace sbx::ui
