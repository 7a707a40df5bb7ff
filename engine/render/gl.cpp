#include "engine/render/gl.h"

#include <glm/gtc/type_ptr.hpp>

#include <algorithm>
#include <array>

namespace sbx::render::gl {

GLuint BufferTraits::create() {
    GLuint id = 0;
    glGenBuffers(1, &id);
    return id;
}
void BufferTraits::destroy(GLuint id) { glDeleteBuffers(1, &id); }
GLuint TextureTraits::create() {
    GLuint id = 0;
    glGenTextures(1, &id);
    return id;
}
void TextureTraits::destroy(GLuint id) { glDeleteTextures(1, &id); }
GLuint RenderbufferTraits::create() {
    GLuint id = 0;
    glGenRenderbuffers(1, &id);
    return id;
}
void RenderbufferTraits::destroy(GLuint id) { glDeleteRenderbuffers(1, &id); }
GLuint FramebufferTraits::create() {
    GLuint id = 0;
    glGenFramebuffers(1, &id);
    return id;
}
void FramebufferTraits::destroy(GLuint id) { glDeleteFramebuffers(1, &id); }
GLuint VertexArrayTraits::create() {
    GLuint id = 0;
    glGenVertexArrays(1, &id);
    return id;
}
void VertexArrayTraits::destroy(GLuint id) { glDeleteVertexArrays(1, &id); }
GLuint SamplerTraits::create() {
    GLuint id = 0;
    glGenSamplers(1, &id);
    return id;
}
void SamplerTraits::destroy(GLuint id) { glDeleteSamplers(1, &id); }
GLuint ProgramTraits::create() { return glCreateProgram(); }
void ProgramTraits::destroy(GLuint id) { glDeleteProgram(id); }

namespace {

std::string firstLines(std::string log) {
    log.resize(std::min<std::size_t>(log.size(), 400));
    std::replace(log.begin(), log.end(), '\n', ' ');
    return log;
}

// 0 and `log` filled on failure.
GLuint compile(GLenum stage, std::string_view source, std::string& log) {
    const GLuint shader = glCreateShader(stage);
    const char* text = source.data();
    const auto length = static_cast<GLint>(source.size());
    glShaderSource(shader, 1, &text, &length);
    glCompileShader(shader);
    GLint ok = GL_FALSE;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
    if (ok == GL_TRUE) {
        return shader;
    }
    GLint size = 0;
    glGetShaderiv(shader, GL_INFO_LOG_LENGTH, &size);
    log.resize(static_cast<std::size_t>(std::max(size, 1)));
    glGetShaderInfoLog(shader, size, nullptr, log.data());
    glDeleteShader(shader);
    return 0;
}

} // namespace

Result<void> Program::build(std::string_view name, std::string_view vertex, std::string_view fragment) {
    std::string log;
    const auto fail = [&](const char* stage) {
        return Error{"the " + std::string(name) + " " + stage
                         + " was refused by the driver: " + firstLines(log),
                     {},
                     {}};
    };
    const GLuint vertexShader = compile(GL_VERTEX_SHADER, vertex, log);
    if (vertexShader == 0) {
        return fail("vertex shader");
    }
    const GLuint fragmentShader = compile(GL_FRAGMENT_SHADER, fragment, log);
    if (fragmentShader == 0) {
        glDeleteShader(vertexShader);
        return fail("fragment shader");
    }
    ProgramName program = ProgramName::make();
    glAttachShader(program.id(), vertexShader);
    glAttachShader(program.id(), fragmentShader);
    glLinkProgram(program.id());
    // They live on inside the program.
    glDeleteShader(vertexShader);
    glDeleteShader(fragmentShader);
    GLint ok = GL_FALSE;
    glGetProgramiv(program.id(), GL_LINK_STATUS, &ok);
    if (ok != GL_TRUE) {
        GLint size = 0;
        glGetProgramiv(program.id(), GL_INFO_LOG_LENGTH, &size);
        log.resize(static_cast<std::size_t>(std::max(size, 1)));
        glGetProgramInfoLog(program.id(), size, nullptr, log.data());
        return fail("program");
    }
    const GLuint block = glGetUniformBlockIndex(program.id(), "Frame");
    if (block != GL_INVALID_INDEX) {
        glUniformBlockBinding(program.id(), block, 0);
    }
    m_name = std::move(program);
    return {};
}

void Program::set(const char* uniform, int value) const {
    glUniform1i(glGetUniformLocation(m_name.id(), uniform), value);
}
void Program::set(const char* uniform, float value) const {
    glUniform1f(glGetUniformLocation(m_name.id(), uniform), value);
}
void Program::set(const char* uniform, const Vec2& value) const {
    glUniform2fv(glGetUniformLocation(m_name.id(), uniform), 1, glm::value_ptr(value));
}
void Program::set(const char* uniform, const Vec3& value) const {
    glUniform3fv(glGetUniformLocation(m_name.id(), uniform), 1, glm::value_ptr(value));
}

void Program::set(const char* uniform, const Vec4& value) const {
    glUniform4fv(glGetUniformLocation(m_name.id(), uniform), 1, glm::value_ptr(value));
}
void Program::set(const char* uniform, const Mat4& value) const {
    glUniformMatrix4fv(glGetUniformLocation(m_name.id(), uniform), 1, GL_FALSE, glm::value_ptr(value));
}
void Program::set(const char* uniform, const float* values, int count) const {
    glUniform1fv(glGetUniformLocation(m_name.id(), uniform), count, values);
}

Texture makeTexture(GLenum internalFormat, int width, int height, GLenum format, GLenum type, GLint filter) {
    Texture texture = Texture::make();
    glBindTexture(GL_TEXTURE_2D, texture.id());
    glTexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(internalFormat), width, height, 0, format, type,
                 nullptr);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, filter);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    glBindTexture(GL_TEXTURE_2D, 0);
    return texture;
}

Renderbuffer makeRenderbuffer(GLenum internalFormat, int width, int height, int samples) {
    Renderbuffer buffer = Renderbuffer::make();
    glBindRenderbuffer(GL_RENDERBUFFER, buffer.id());
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, internalFormat, width, height);
    glBindRenderbuffer(GL_RENDERBUFFER, 0);
    return buffer;
}

const void* offset(std::size_t bytes) { return reinterpret_cast<const void*>(bytes); }

} // namespace sbx::render::gl
