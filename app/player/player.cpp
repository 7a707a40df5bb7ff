#include "app/player/player.h"

#include "app/common/end_request.h"
#include "app/player/playback.h"
#include "engine/render/egl_context.h"
#include "engine/render/image.h"
#include "engine/render/render_cvars.h"
#include "engine/render/renderer.h"

namespace sbx::player {

namespace {

constexpr std::uint64_t DefaultTicks = 600;
constexpr std::uint64_t MaxScriptTicks = 10'000'000; // a script that never ends is stopped here

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
    view.width = options.width;
    view.height = options.height;
    const render::Settings settings = render::registerRenderCVars(session.console().cvars()).settings();
    const Result<render::Image> image = renderer.renderToImage(*scene, view, settings);
    if (!image)
        return image.error();
    return render::writePng(*image, options.screenshotFile);
}

} // namespace

int runHeadless(const Options& options) {
    const app::EndRequest request;
    Playback playback(options);
    if (const int status = playback.open(); status != 0)
        return status;
    Session& session = playback.session();
    playback.start();
    NetworkPlay* const network = playback.network();
    const bool clock = network != nullptr && network->realTime();
    const auto period = static_cast<net::Time>(static_cast<double>(net::Second) / session.tickRate());
    net::Time due = net::steadyNow();
    const auto more = [&](std::uint64_t done) {
        if (request.made() || session.overBudget() || (clock && network->over()))
            return false;
        if (options.ticks)
            return done < *options.ticks;
        if (options.serve)
            return true; // it is there until it is ended
        if (!options.execFile.empty())
            return session.hasDeferred() && done < MaxScriptTicks;
        return done < DefaultTicks;
    };
    std::uint64_t done = 0;
    for (; more(done); ++done) {
        if (clock) {
            // Late ticks are not caught up: others have their own clocks.
            due = std::max(due + period, net::steadyNow());
            network->wait(due);
        }
        session.tick();
    }
    int status = playback.close();
    // A server is there until somebody ends it; any other run that was ended is not what was asked for.
    if (request.made() && status == 0 && !options.serve && !(options.ticks && done >= *options.ticks))
        status = request.status();
    if (!options.screenshotFile.empty())
        if (const Result<void> saved = saveScreenshot(session, options); !saved)
            status = fail("error: screenshot: " + saved.error().message, 1);
    return status;
}

} // namespace sbx::player
