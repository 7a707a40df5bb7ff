#pragma once
// Takes the mouse from the desktop: hidden, kept inside, its movement without end. Gives it back where it was taken: a cursor that comes
// back elsewhere is looked for. GUI thread; a value owned by the object that watches the view's events.

#include "engine/core/math.h"
#include "widgets/viewport/relative_pointer.h"

#include <QPoint>

class QWidget;

namespace sbx::ui {

class MouseCapture {
public:
    explicit MouseCapture(QWidget& view) : m_view(view) {}

    [[nodiscard]] bool active() const { return m_active; }
    // From a drag: the cursor is at `global`, and comes back to `home`.
    void begin(const QPoint& global, const QPoint& home);
    // Without a drag: from wherever the cursor is.
    void beginAtCentre();
    void end();
    // Degrees turned right and up since the last event; the cursor is now at `global`.
    [[nodiscard]] Vec2 turned(const QPoint& global);

private:
    static constexpr float DegreesAPixel = 0.15F;

    QWidget& m_view;
    RelativePointer m_pointer;
    QPoint m_home;
    bool m_active = false;
};

} // namespace sbx::ui
