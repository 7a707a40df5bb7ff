#pragma once
// OpenGL objects that delete themselves, and shader programs with readable errors. Internal to engine/render:
// sources only.

#include "engine/core/math.h"
#include "engine/core/result.h"

#include <epoxy/gl.h>

#include <string>
#include <string_view>
#include <utility>

namespace sbx::render::gl {

// Owns one object name; 0 owns nothing. Traits: GLuint create(); void destroy(GLuint).
template <typename Traits> class Name {
public:
    Name() = default;
    ~Name() { reset(); }
    Name(Name&& other) noexcept : m_id(std::exchange(other.m_id, 0)) {}
    Name& operator=(Name&& other) noexcept {
        if (this != &other) {
            reset();
            m_id = std::exchange(other.m_id, 0);
        }
        return *this;
    }
    Name(const Name&) = delete;
    Name& operator=(const Name&) = delete;

    [[nodiscard]] static Name make() {
        Name name;
        name.m_id = Traits::create();
        return name;
    }
    void reset() {
        if (m_id != 0) {
            Traits::destroy(std::exchange(m_id, 0));
        }
    }
    [[nodiscard]] GLuint id() const { return m_id; }
    [[nodiscard]] explicit operator bool() const { return m_id != 0; }

private:
    GLuint m_id = 0;
};

struct BufferTraits {
    static GLuint create();
    static void destroy(GLuint id);
};
struct TextureTraits {
    static GLuint create();
    static void destroy(GLuint id);
};
struct RenderbufferTraits {
    static GLuint create();
    static void destroy(GLuint id);
};
struct FramebufferTraits {
    static GLuint create();
    static void destroy(GLuint id);
};
struct VertexArrayTraits {
    static GLuint create();
    static void destroy(GLuint id);
};
struct SamplerTraits {
    static GLuint create();
    static void destroy(GLuint id);
};
struct ProgramTraits {
    static GLuint create();
    static void destroy(GLuint id);
};

using Buffer = Name<BufferTraits>;
using Texture = Name<TextureTraits>;
using Renderbuffer = Name<RenderbufferTraits>;
using Framebuffer = Name<FramebufferTraits>;
using VertexArray = Name<VertexArrayTraits>;
using Sampler = Name<SamplerTraits>;
using ProgramName = Name<ProgramTraits>;

class Program {
public:
    // `name` appears in errors. Each source starts with the shared head (shaders.h). The block "Frame", if
    // used, is bound to point 0.
    [[nodiscard]] Result<void> build(std::string_view name, std::string_view vertex,
                                     std::string_view fragment);
    void use() const { glUseProgram(m_name.id()); }
    // Of the program in use; a name the shader does not have is ignored.
    void set(const char* uniform, int value) const;
    void set(const char* uniform, float value) const;
    void set(const char* uniform, const Vec2& value) const;
    void set(const char* uniform, const Vec3& value) const;
    void set(const char* uniform, const Vec4& value) const;
    void set(const char* uniform, const Mat4& value) const;
    void set(const char* uniform, const float* values, int count) const;

private:
    ProgramName m_name;
};

// Clamped to its edges, without mipmaps.
[[nodiscard]] Texture makeTexture(GLenum internalFormat, int width, int height, GLenum format, GLenum type,
                                  GLint filter);
[[nodiscard]] Renderbuffer makeRenderbuffer(GLenum internalFormat, int width, int height, int samples);
// An offset or pointer argument of the old kind.
[[nodiscard]] const void* offset(std::size_t bytes);

} // namespace sbx::render::gl
