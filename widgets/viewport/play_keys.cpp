#include "widgets/viewport/play_keys.h"

#include <Qt>

#include <glm/geometric.hpp>

namespace sbx::ui {

std::string playKeyName(int key) {
    if (key >= Qt::Key_A && key <= Qt::Key_Z)
        return std::string(1, static_cast<char>('a' + (key - Qt::Key_A)));
    if (key >= Qt::Key_0 && key <= Qt::Key_9)
        return std::string(1, static_cast<char>('0' + (key - Qt::Key_0)));
    switch (key) {
    case Qt::Key_Left:
        return "left";
    case Qt::Key_Right:
        return "right";
    case Qt::Key_Up:
        return "up";
    case Qt::Key_Down:
        return "down";
    case Qt::Key_Space:
        return "space";
    case Qt::Key_Return:
    case Qt::Key_Enter:
        return "enter";
    case Qt::Key_Shift:
        return "shift";
    default:
        return {};
    }
}

bool PlayKeys::set(const std::string& name, bool down) {
    if (name.empty())
        return false;
    return down ? m_down.insert(name).second : m_down.erase(name) > 0;
}

std::vector<std::string> PlayKeys::releaseAll() {
    std::vector<std::string> held(m_down.begin(), m_down.end());
    m_down.clear();
    return held;
}

Vec2 PlayKeys::move() const {
    const auto held = [this](const char* name) { return isDown(name) ? 1.0F : 0.0F; };
    const Vec2 direction(held("d") - held("a"), held("w") - held("s"));
    const float length = glm::length(direction);
    return length > 1.0F ? direction / length : direction;
}

} // namespace sbx::ui
