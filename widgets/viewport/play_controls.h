#pragma once
// What hands do to the running world: keys as messages, and the state of the controls (move, look, jump, run) made from keys and mouse.
// Posts to the session. GUI thread; a value owned by the object that watches the window's events; the session outlives it.

#include "widgets/viewport/play_keys.h"

class QKeyEvent;

namespace sbx {
class Session;
}

namespace sbx::ui {

class PlayControls {
public:
    explicit PlayControls(Session& session) : m_session(session) {}

    // Whether the world may hear of the key: no shortcut.
    [[nodiscard]] static bool takes(const QKeyEvent& event);
    // False: not a key of the world.
    bool press(const QKeyEvent& event);
    bool release(const QKeyEvent& event);
    // Lets go of everything that is held, in the world too.
    void releaseAll();
    // The same when the world they were held in is gone.
    void forget();
    // Degrees right and up; sent with the next frame.
    void look(Vec2 degrees) { m_look += degrees; }
    // Before a frame.
    void send();

private:
    void key(const std::string& name, bool down);
    void sendInput(Vec2 look);

    Session& m_session;
    PlayKeys m_keys;
    Vec2 m_look{0.0F};
};

} // namespace sbx::ui
