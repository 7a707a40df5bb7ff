#include "widgets/viewport/play_controls.h"

#include "engine/session/session.h"

#include <QKeyEvent>

namespace sbx::ui {

bool PlayControls::takes(const QKeyEvent& event) {
    const Qt::KeyboardModifiers held = event.modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier);
    return held == Qt::NoModifier && !playKeyName(event.key()).empty();
}

bool PlayControls::press(const QKeyEvent& event) {
    if (!takes(event))
        return false;
    if (!event.isAutoRepeat())
        key(playKeyName(event.key()), true);
    return true;
}

bool PlayControls::release(const QKeyEvent& event) {
    const std::string name = playKeyName(event.key());
    if (!m_keys.isDown(name))
        return false;
    if (!event.isAutoRepeat())
        key(name, false);
    return true;
}

void PlayControls::key(const std::string& name, bool down) {
    if (!m_keys.set(name, down))
        return;
    m_session.post([name, down](Session& session) { session.setKey(name, down); });
    sendInput(Vec2(0.0F));
}

void PlayControls::sendInput(Vec2 look) {
    InputState input;
    input.move = m_keys.move();
    input.look = look;
    input.jump = m_keys.isDown("space");
    input.run = m_keys.isDown("shift");
    m_session.post([input](Session& session) { session.setInput(input); });
}

void PlayControls::send() {
    if (m_look == Vec2(0.0F))
        return;
    sendInput(m_look);
    m_look = Vec2(0.0F);
}

void PlayControls::releaseAll() {
    m_look = Vec2(0.0F);
    const std::vector<std::string> held = m_keys.releaseAll();
    if (held.empty())
        return;
    m_session.post([held](Session& session) {
        for (const std::string& name : held)
            session.setKey(name, false);
        session.setInput({});
    });
}

void PlayControls::forget() {
    m_look = Vec2(0.0F);
    m_keys.releaseAll();
}

} // namespace sbx::ui
