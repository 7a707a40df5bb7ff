#pragma once
// Two ways to have an OpenGL picture in a widget. On hardware: a QOpenGLWidget, which the window composes with everything else by OpenGL. On a
// software renderer: a framebuffer without a window, read back and painted like any image; composing a whole window there costs as much as
// the scene, and every change of every other panel would pay for it too.
//
// GUI thread; owned by the view. The owner of a target draws in onDraw, where its context is current.

#include <QImage>
#include <QString>

#include <functional>
#include <memory>

class QOpenGLContext;
class QOpenGLFunctions;
class QPaintEvent;
class QSurfaceFormat;
class QWidget;

namespace sbx::ui {

class GlTarget {
public:
    struct Callbacks {
        std::function<void(unsigned framebuffer)> draw; // context current
        std::function<void()> shown;                    // the last frame has reached the screen
        std::function<void()> lost;                     // the context goes: let go of everything in it
    };

    virtual ~GlTarget() = default;

    [[nodiscard]] virtual QOpenGLContext* context() const = 0;
    virtual bool makeCurrent() = 0;
    virtual void doneCurrent() = 0;
    // Draws a frame soon.
    virtual void request() = 0;
    virtual void resize() = 0;
    // The view was asked to paint itself.
    virtual void paint(const QPaintEvent& event) = 0;
    // The last frame; draws one if there is none.
    [[nodiscard]] virtual QImage picture() = 0;
};

struct GlTargetChoice {
    std::unique_ptr<GlTarget> target; // null: no OpenGL
    QString driver;                   // GL_RENDERER
    int major = 0;                    // version that the driver offers
    int minor = 0;
    bool software = false;
};
// What a program makes its default before the first window.
[[nodiscard]] QSurfaceFormat wantedFormat();
// Looks at the driver and takes the way that suits it.
[[nodiscard]] GlTargetChoice makeGlTarget(QWidget& view, GlTarget::Callbacks callbacks);

} // namespace sbx::ui
