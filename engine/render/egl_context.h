#pragma once
// An OpenGL 3.3 core context without a window or a display server: for screenshots and tests. Needs only EGL,
// hardware or software. Bound to the thread that makes it current; destroyed on the same thread.

#include "engine/core/result.h"

#include <memory>
#include <string>

namespace sbx::render {

class EglContext {
public:
    // Tries the surfaceless platform, then the default display. Current on return.
    [[nodiscard]] static Result<std::unique_ptr<EglContext>> create();
    ~EglContext();
    EglContext(const EglContext&) = delete;
    EglContext& operator=(const EglContext&) = delete;

    [[nodiscard]] Result<void> makeCurrent();
    void doneCurrent();
    // The driver's own words, for a log: "llvmpipe (LLVM 15.0.6, 256 bits), 4.5 (Core Profile) Mesa 22.3.6".
    [[nodiscard]] std::string description() const;

private:
    struct Handles; // EGL types stay out of this header
    explicit EglContext(std::unique_ptr<Handles> handles);

    std::unique_ptr<Handles> m_handles;
};

} // namespace sbx::render
