#include "widgets/viewport/gl_target.h"

#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QOpenGLFramebufferObject>
#include <QOpenGLFunctions>
#include <QOpenGLWidget>
#include <QPainter>
#include <QPaintEvent>
#include <QPointer>
#include <QSurfaceFormat>

namespace sbx::ui {

namespace {

// ---------------------------------------------------------------------------------------------------- hardware

class GlSurface : public QOpenGLWidget {
public:
    GlSurface(QWidget& view, GlTarget::Callbacks callbacks) : QOpenGLWidget(&view), m_callbacks(std::move(callbacks)) {
        setFormat(wantedFormat());
        setAttribute(Qt::WA_TransparentForMouseEvents);
        setFocusPolicy(Qt::NoFocus);
        setGeometry(view.rect());
        connect(this, &QOpenGLWidget::frameSwapped, this, [this] {
            if (std::exchange(m_drawn, false))
                m_callbacks.shown();
        });
    }

protected:
    void initializeGL() override {
        // A dock that floats or lands gets another context: everything is made anew in it.
        connect(
            context(), &QOpenGLContext::aboutToBeDestroyed, this,
            [this] {
                makeCurrent();
                m_callbacks.lost();
                doneCurrent();
            },
            Qt::DirectConnection);
    }
    void paintGL() override {
        m_callbacks.draw(defaultFramebufferObject());
        m_drawn = true;
    }

private:
    GlTarget::Callbacks m_callbacks;
    bool m_drawn = false;
};

class SurfaceTarget : public GlTarget {
public:
    SurfaceTarget(QWidget& view, Callbacks callbacks) : m_view(view), m_surface(new GlSurface(view, std::move(callbacks))) {}
    ~SurfaceTarget() override { delete m_surface; }

    [[nodiscard]] QOpenGLContext* context() const override { return m_surface ? m_surface->context() : nullptr; }
    bool makeCurrent() override {
        if (!m_surface || m_surface->context() == nullptr)
            return false;
        m_surface->makeCurrent();
        return true;
    }
    void doneCurrent() override { m_surface->doneCurrent(); }
    void request() override { m_surface->update(); }
    void resize() override { m_surface->setGeometry(m_view.rect()); }
    void paint(const QPaintEvent&) override {}
    [[nodiscard]] QImage picture() override { return m_surface->grabFramebuffer(); }

private:
    QWidget& m_view;
    QPointer<GlSurface> m_surface; // the view's child: it may go first
};

// ---------------------------------------------------------------------------------------------------- software

class ImageTarget : public GlTarget {
public:
    ImageTarget(QWidget& view, Callbacks callbacks, std::unique_ptr<QOffscreenSurface> surface,
                std::unique_ptr<QOpenGLContext> context)
        : m_view(view), m_callbacks(std::move(callbacks)), m_surface(std::move(surface)), m_context(std::move(context)) {
        view.setAttribute(Qt::WA_OpaquePaintEvent);
    }
    ~ImageTarget() override {
        if (makeCurrent()) {
            m_callbacks.lost();
            m_buffer.reset();
            m_context->doneCurrent();
        }
    }

    [[nodiscard]] QOpenGLContext* context() const override { return m_context.get(); }
    bool makeCurrent() override { return m_context->makeCurrent(m_surface.get()); }
    void doneCurrent() override { m_context->doneCurrent(); }
    void request() override {
        m_wanted = true;
        m_view.update();
    }
    void resize() override { m_wanted = true; }

    // A widget over the view that changes repaints its part of the picture from the last frame: no new frame is drawn.
    void paint(const QPaintEvent& event) override {
        const bool fresh = m_wanted || m_image.isNull();
        if (fresh)
            draw();
        QPainter painter(&m_view);
        painter.setCompositionMode(QPainter::CompositionMode_Source);
        const qreal ratio = m_image.devicePixelRatio();
        const QRectF target = event.rect();
        painter.drawImage(target, m_image, QRectF(target.topLeft() * ratio, target.size() * ratio));
        if (fresh)
            // After the window's own flush, which follows the painting.
            QMetaObject::invokeMethod(&m_view, [this] { m_callbacks.shown(); }, Qt::QueuedConnection);
    }
    [[nodiscard]] QImage picture() override {
        if (m_wanted || m_image.isNull())
            draw();
        return m_image;
    }

private:
    void draw() {
        const qreal ratio = m_view.devicePixelRatioF();
        const QSize pixels(qMax(1, qRound(m_view.width() * ratio)), qMax(1, qRound(m_view.height() * ratio)));
        if (m_image.size() != pixels)
            m_image = QImage(pixels, QImage::Format_RGB32);
        m_image.setDevicePixelRatio(ratio);
        m_wanted = false;
        if (!makeCurrent()) {
            m_image.fill(Qt::black);
            return;
        }
        if (!m_buffer || m_buffer->size() != pixels)
            m_buffer = std::make_unique<QOpenGLFramebufferObject>(pixels, QOpenGLFramebufferObject::CombinedDepthStencil);
        m_callbacks.draw(m_buffer->handle());
        QOpenGLFunctions* gl = m_context->functions();
        gl->glBindFramebuffer(GL_FRAMEBUFFER, m_buffer->handle());
        gl->glPixelStorei(GL_PACK_ALIGNMENT, 4);
        constexpr GLenum Bgra = 0x80E1; // as QImage has it in memory
        gl->glReadPixels(0, 0, pixels.width(), pixels.height(), Bgra, GL_UNSIGNED_BYTE, m_image.bits());
        m_image.mirror();
        m_context->doneCurrent();
    }

    QWidget& m_view;
    Callbacks m_callbacks;
    std::unique_ptr<QOffscreenSurface> m_surface;
    std::unique_ptr<QOpenGLContext> m_context;
    std::unique_ptr<QOpenGLFramebufferObject> m_buffer;
    QImage m_image;
    bool m_wanted = true;
};

bool isSoftware(const QString& driver) {
    for (const char* name : {"llvmpipe", "softpipe", "swrast", "software"})
        if (driver.contains(QLatin1String(name), Qt::CaseInsensitive))
            return true;
    return false;
}

} // namespace

QSurfaceFormat wantedFormat() {
    QSurfaceFormat format;
    format.setRenderableType(QSurfaceFormat::OpenGL);
    format.setVersion(3, 3);
    format.setProfile(QSurfaceFormat::CoreProfile);
    format.setDepthBufferSize(24);
    format.setSwapInterval(1);
    return format;
}

GlTargetChoice makeGlTarget(QWidget& view, GlTarget::Callbacks callbacks) {
    GlTargetChoice choice;
    auto context = std::make_unique<QOpenGLContext>();
    context->setFormat(wantedFormat());
    auto surface = std::make_unique<QOffscreenSurface>();
    surface->setFormat(wantedFormat());
    surface->create();
    if (!context->create() || !surface->isValid() || !context->makeCurrent(surface.get()))
        return choice;
    const GLubyte* name = context->functions()->glGetString(GL_RENDERER);
    choice.driver = QString::fromLatin1(name != nullptr ? reinterpret_cast<const char*>(name) : "unknown");
    choice.major = context->format().majorVersion();
    choice.minor = context->format().minorVersion();
    choice.software = isSoftware(choice.driver);
    context->doneCurrent();
    if (choice.major * 10 + choice.minor < 33)
        return choice;
    if (choice.software)
        choice.target = std::make_unique<ImageTarget>(view, std::move(callbacks), std::move(surface), std::move(context));
    else
        choice.target = std::make_unique<SurfaceTarget>(view, std::move(callbacks));
    return choice;
}

} // namespace sbx::ui
