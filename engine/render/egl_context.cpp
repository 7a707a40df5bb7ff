#include "engine/render/egl_context.h"

#include <epoxy/egl.h>
#include <epoxy/gl.h>

#include <array>
#include <utility>

namespace sbx::render {

struct EglContext::Handles {
    EGLDisplay display = EGL_NO_DISPLAY;
    EGLContext context = EGL_NO_CONTEXT;
    EGLSurface surface = EGL_NO_SURFACE; // only where a context cannot be current without one

    Handles() = default;
    Handles(const Handles&) = delete;
    Handles& operator=(const Handles&) = delete;
    // The display itself stays initialised: it is shared by the process, and others may be using it.
    ~Handles() {
        if (display == EGL_NO_DISPLAY) {
            return;
        }
        if (context != EGL_NO_CONTEXT && eglGetCurrentContext() == context) {
            eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        }
        if (surface != EGL_NO_SURFACE) {
            eglDestroySurface(display, surface);
        }
        if (context != EGL_NO_CONTEXT) {
            eglDestroyContext(display, context);
        }
    }
};

namespace {

Error eglError(const std::string& what) {
    static constexpr const char* Digits = "0123456789abcdef";
    const auto code = static_cast<unsigned>(eglGetError());
    std::string hex;
    for (int shift = 12; shift >= 0; shift -= 4) {
        hex += Digits[code >> static_cast<unsigned>(shift) & 0xFU];
    }
    return Error{what + " (EGL error 0x" + hex + ")", {}, {}};
}

EGLDisplay openDisplay(bool surfaceless) {
    EGLDisplay display = EGL_NO_DISPLAY;
    if (surfaceless) {
        if (epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless")
            && epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_platform_base")) {
            display = eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, nullptr, nullptr);
        }
    } else {
        display = eglGetDisplay(EGL_DEFAULT_DISPLAY);
    }
    EGLint major = 0;
    EGLint minor = 0;
    if (display != EGL_NO_DISPLAY && !eglInitialize(display, &major, &minor)) {
        return EGL_NO_DISPLAY;
    }
    return display;
}

} // namespace

EglContext::EglContext(std::unique_ptr<Handles> handles) : m_handles(std::move(handles)) {}

EglContext::~EglContext() = default;

Result<std::unique_ptr<EglContext>> EglContext::create() {
    if (!epoxy_has_egl()) {
        return Error{"EGL is not installed; expected libEGL.so.1", {}, {}};
    }
    Error last{"no EGL display could be opened", {}, {}};
    for (const bool surfaceless : {true, false}) {
        auto handles = std::make_unique<Handles>();
        handles->display = openDisplay(surfaceless);
        if (handles->display == EGL_NO_DISPLAY) {
            continue;
        }
        if (!eglBindAPI(EGL_OPENGL_API)) {
            last = eglError("EGL offers no desktop OpenGL");
            continue;
        }
        constexpr std::array<EGLint, 5> ConfigWish = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE,
                                                      EGL_PBUFFER_BIT, EGL_NONE};
        constexpr std::array<EGLint, 3> LooseWish = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
        EGLConfig config = nullptr;
        EGLint count = 0;
        if (!eglChooseConfig(handles->display, ConfigWish.data(), &config, 1, &count) || count == 0) {
            if (!eglChooseConfig(handles->display, LooseWish.data(), &config, 1, &count) || count == 0) {
                last = eglError("EGL has no configuration for desktop OpenGL");
                continue;
            }
        }
        constexpr std::array<EGLint, 7> ContextWish = {EGL_CONTEXT_MAJOR_VERSION,
                                                       3,
                                                       EGL_CONTEXT_MINOR_VERSION,
                                                       3,
                                                       EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                                       EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                                       EGL_NONE};
        handles->context = eglCreateContext(handles->display, config, EGL_NO_CONTEXT, ContextWish.data());
        if (handles->context == EGL_NO_CONTEXT) {
            last = eglError("an OpenGL 3.3 core context could not be created");
            continue;
        }
        if (!epoxy_has_egl_extension(handles->display, "EGL_KHR_surfaceless_context")) {
            constexpr std::array<EGLint, 5> Size = {EGL_WIDTH, 1, EGL_HEIGHT, 1, EGL_NONE};
            handles->surface = eglCreatePbufferSurface(handles->display, config, Size.data());
        }
        std::unique_ptr<EglContext> context(new EglContext(std::move(handles)));
        if (const Result<void> current = context->makeCurrent(); !current) {
            last = current.error();
            continue;
        }
        return context;
    }
    return last;
}

Result<void> EglContext::makeCurrent() {
    eglBindAPI(EGL_OPENGL_API);
    if (!eglMakeCurrent(m_handles->display, m_handles->surface, m_handles->surface, m_handles->context)) {
        return eglError("the OpenGL context could not be made current");
    }
    return {};
}

void EglContext::doneCurrent() {
    eglMakeCurrent(m_handles->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
}

std::string EglContext::description() const {
    const auto text = [](GLenum name) {
        const GLubyte* value = glGetString(name);
        return value ? std::string(reinterpret_cast<const char*>(value)) : std::string("unknown");
    };
    return text(GL_RENDERER) + ", " + text(GL_VERSION);
}

} // namespace sbx::render
