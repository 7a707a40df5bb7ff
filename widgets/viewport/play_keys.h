#pragma once
// Keys as the simulation knows them: names for KeyPressed and KeyReleased, and the state of the controls made from what is held.
// GUI thread, a value owned by the view.

#include "engine/core/math.h"

#include <set>
#include <string>
#include <vector>

namespace sbx::ui {

// "a" … "z", "0" … "9", "left", "right", "up", "down", "space", "enter", "shift"; empty for all others.
[[nodiscard]] std::string playKeyName(int qtKey);

class PlayKeys {
public:
    // False: it was so already.
    bool set(const std::string& name, bool down);
    [[nodiscard]] bool isDown(const std::string& name) const { return m_down.contains(name); }
    [[nodiscard]] bool empty() const { return m_down.empty(); }
    // Lets everything go; returns what was held.
    std::vector<std::string> releaseAll();
    // Right and forward from W, A, S, D; at most unit length.
    [[nodiscard]] Vec2 move() const;

private:
    std::set<std::string> m_down;
};

} // namespace sbx::ui
