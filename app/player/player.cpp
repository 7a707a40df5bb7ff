#include "app/player/player.h"

#include "app/player/trace_writer.h"
#include "engine/definition/text_file.h"
#include "engine/render/egl_context.h"
#include "engine/render/image.h"
#include "engine/render/renderer.h"
#include "engine/session/session.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

namespace sbx::player {

namespace {

constexpr std::uint64_t DefaultTicks = 600;
constexpr std::uint64_t MostScriptTicks = 10'000'000; // a script that never ends is stopped here

int fail(const std::string& message, int status) {
    std::fprintf(stderr, "%s\n", message.c_str());
    return status;
}

// From behind and above the middle of everything, for scenes without a camera.
render::CameraView overview(const render::Scene& scene) {
    Vec3 low(-5.0F, 0.0F, -5.0F);
    Vec3 high(5.0F, 2.0F, 5.0F);
    for (const render::Instance& instance : scene.instances)
        if (glm::length(instance.pose.scale) < 100.0F) {
            low = glm::min(low, instance.pose.position);
            high = glm::max(high, instance.pose.position);
        }
    const Vec3 middle = (low + high) * 0.5F;
    render::CameraView view;
    view.pose.position = middle + Vec3(0.0F, 0.6F, 1.0F) * (glm::length(high - low) * 0.7F);
    view.pose.rotation = fromEulerDegrees({-31.0F, 0.0F, 0.0F});
    return view;
}

Result<void> saveScreenshot(Session& session, const Options& options) {
    session.publish();
    const std::shared_ptr<const render::Scene> scene = session.snapshot()->scene;
    const Result<std::unique_ptr<render::EglContext>> context = render::EglContext::create();
    if (!context)
        return context.error();
    render::Renderer renderer(session.meshes());
    if (const Result<void> ready = renderer.initialise(); !ready)
        return ready.error();
    render::View view;
    view.camera = scene->camera ? *scene->camera : overview(*scene);
    view.width = options.screenshotWidth;
    view.height = options.screenshotHeight;
    const Result<render::Image> image = renderer.renderToImage(*scene, view, render::Settings{});
    if (!image)
        return image.error();
    return render::writePng(*image, options.screenshotFile);
}

} // namespace

int run(const Options& options) {
    LogOptions logOptions;
    logOptions.standardError = LogSeverity::Error;
    Log log(logOptions);
    Session session(log);
    CVarRegistry& cvars = session.console().cvars();
    for (const auto& [name, value] : options.cvars)
        if (const auto set = cvars.set(name, value, CVarSource::CommandLine); !set)
            return fail("error: --" + name + "=" + value + ": " + set.error().message, 2);
    if (options.seed)
        if (const auto set = cvars.setValue("sim.seed", Value(*options.seed), CVarSource::CommandLine); !set)
            return fail("error: --seed: " + set.error().message, 2);

    Diagnostics faults;
    const auto content = loadContent(options.project, options.scene, session.schema(), faults);
    faults.sort();
    for (const Diagnostic& fault : faults.items)
        std::fprintf(stderr, "%s\n", fault.toString().c_str());
    if (!content || faults.hasErrors())
        return 2;

    // Recording costs time: off unless somebody reads it.
    if (options.traceFile.empty())
        static_cast<void>(cvars.setValue("trace.enabled", Value(false), CVarSource::CommandLine));
    session.open(content);

    std::unique_ptr<TraceWriter> trace;
    if (!options.traceFile.empty()) {
        auto opened = TraceWriter::open(options.traceFile, session.recorder());
        if (!opened)
            return fail("error: " + opened.error().message, 2);
        trace = std::move(*opened);
    }
    std::FILE* digest = nullptr;
    if (!options.digestFile.empty()) {
        digest = std::fopen(options.digestFile.c_str(), "wb");
        if (digest == nullptr)
            return fail("error: cannot write " + options.digestFile + ": " + std::strerror(errno), 2);
    }
    session.setReplyHandler([](const ConsoleReply& reply) {
        for (const std::string& line : reply.lines)
            std::printf("%s\n", line.c_str());
    });
    session.play();
    if (!options.execFile.empty()) {
        if (const auto readable = definition::readTextFile(options.execFile); !readable)
            return fail("error: " + readable.error().toString(), 2);
        // The console looks in the project's folder; the command line means the folder it was typed in.
        session.execFile(std::filesystem::absolute(options.execFile).string());
    }
    const auto more = [&](std::uint64_t done) {
        if (options.ticks)
            return done < *options.ticks;
        if (!options.execFile.empty())
            return session.hasDeferred() && done < MostScriptTicks;
        return done < DefaultTicks;
    };
    for (std::uint64_t done = 0; more(done); ++done) {
        session.tick();
        if (trace)
            trace->write(session.world());
        if (digest != nullptr)
            std::fprintf(digest, "%s\n", session.digestLine().c_str());
    }

    int status = session.failedLines() > 0 ? 1 : 0;
    if (session.hasDeferred())
        status = fail("error: " + options.execFile + ": the script had not ended after "
                          + std::to_string(session.world().tickCount()) + " ticks",
                      1);
    if (trace)
        trace->write(session.world()); // what came after the last tick
    if (trace)
        if (const Result<void> closed = trace->close(); !closed)
            status = fail("error: " + closed.error().message, 1);
    if (digest != nullptr) {
        const bool failed = std::ferror(digest) != 0;
        if (std::fclose(digest) != 0 || failed)
            status = fail("error: cannot write " + options.digestFile + ": " + std::strerror(errno), 1);
    }
    if (!options.screenshotFile.empty())
        if (const Result<void> saved = saveScreenshot(session, options); !saved)
            status = fail("error: screenshot: " + saved.error().message, 1);
    return status;
}

} // namespace sbx::player
