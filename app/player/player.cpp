#include "app/player/player.h"

#include "app/common/end_request.h"
#include "app/player/playback.h"
#include "app/remote/remote_control.h"
#include "engine/render/egl_context.h"
#include "engine/render/image.h"
#include "engine/render/render_cvars.h"
#include "engine/render/renderer.h"

#include <atomic>
#include <condition_variable>
#include <mutex>

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

// Lets the loop sleep while the world is paused and remote control may wake it.
class RemoteTurns {
public:
    void wake() {
        const std::lock_guard lock(m_mutex);
        m_woken = true;
        m_wake.notify_one();
    }
    void quit() {
        m_quit = true;
        wake();
    }
    [[nodiscard]] bool over() const { return m_quit; }
    // Until something was posted, or for a moment, after which signals are looked at.
    void sleep() {
        std::unique_lock lock(m_mutex);
        m_wake.wait_for(lock, std::chrono::milliseconds(100), [this] { return m_woken; });
        m_woken = false;
    }

private:
    std::mutex m_mutex;
    std::condition_variable m_wake;
    bool m_woken = false;
    std::atomic<bool> m_quit{false};
};

} // namespace

int runHeadless(const Options& options) {
    const app::EndRequest request;
    Playback playback(options);
    if (const int status = playback.open(); status != 0)
        return status;
    Session& session = playback.session();
    RemoteTurns turns;
    std::unique_ptr<remote::RemoteControl> control;
    if (!options.testMode.empty()) {
        session.handlers().wakeUp = [&turns] { turns.wake(); };
        auto started = remote::RemoteControl::start(options.testMode, session, [&turns] { turns.quit(); });
        if (!started)
            return fail("error: " + started.error().message, 2);
        control = std::move(*started);
        playback.setTicked(control->tickHandler());
    }
    playback.start();
    NetworkPlay* const network = playback.network();
    const bool clock = network != nullptr && network->realTime();
    const auto period = static_cast<net::Time>(static_cast<double>(net::Second) / session.tickRate());
    net::Time due = net::steadyNow();
    // The world stands until a client lets it go; a network's other ends have clocks of their own.
    if (control && network == nullptr)
        session.pause();
    const auto more = [&](std::uint64_t done) {
        if (control)
            return !request.made() && !turns.over();
        if (request.made() || session.overBudget() || (clock && network->over()))
            return false;
        if (options.ticks)
            return done < *options.ticks;
        if (options.serve)
            return true; // it is there until it is ended
        if (!options.execFile.empty())
            return session.lines().waiting() && done < MaxScriptTicks;
        return done < DefaultTicks;
    };
    std::uint64_t done = 0;
    for (; more(done); ++done) {
        if (control && !session.running()) {
            if (session.runPosted())
                session.publish();
            if (!session.running())
                turns.sleep();
            continue;
        }
        if (clock) {
            // Late ticks are not caught up: others have their own clocks.
            due = std::max(due + period, net::steadyNow());
            network->wait(due);
        }
        session.tick();
    }
    control.reset();
    session.handlers().wakeUp = nullptr;
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
