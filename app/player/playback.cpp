#include "app/player/playback.h"

#include "engine/commands/console_commands.h"
#include "engine/core/printable.h"
#include "engine/core/user_folders.h"
#include "engine/definition/project.h"
#include "engine/definition/text_file.h"
#include "engine/plugin/plugin_scratch.h"
#include "engine/session/local_clients.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <filesystem>
#include <utility>

namespace sbx::player {

namespace {

LogOptions logOptions() {
    LogOptions options;
    options.standardError = LogSeverity::Error;
    return options;
}

} // namespace

int fail(const std::string& message, int status) {
    std::fprintf(stderr, "%s\n", printable(message).c_str());
    return status;
}

Playback::Playback(const Options& options)
    : m_options(options),
      m_log(logOptions()),
      m_session(m_log, addConsoleCommands),
      m_userConfig(UserFolders::ofUser().config),
      m_trusted(UserFolders::ofUser().config / TrustedProjectsFile, resourceFolders()) {
    m_session.plugins().setPolicy(pluginPolicy(m_trusted, options.safeMode));
    if (const auto file = definition::findProjectFile(options.project); options.trust && file)
        m_trusted.trustForNow(file->parent_path());
}

Playback::~Playback() = default;

int Playback::open() {
    CVarRegistry& cvars = m_session.console().cvars();
    for (const std::string& moved : UserFolders::ofUser().moveOldFiles(UserFolders::oldFolder()))
        m_log.info("player", moved);
    PluginScratch::sweep();
    if (!m_options.safeMode)
        m_userConfig.load(m_session.console());
    for (const auto& [name, value] : m_options.cvars)
        if (const auto set = cvars.set(name, value, CVarSource::CommandLine, {"--" + name, {}}); !set)
            return fail("error: --" + name + "=" + value + ": " + set.error().message, 2);
    if (m_options.seed)
        if (const auto set =
                cvars.setValue("sim.seed", Value(*m_options.seed), CVarSource::CommandLine, {"--seed", {}});
            !set)
            return fail("error: --seed: " + set.error().message, 2);

    if (std::error_code failed; !std::filesystem::exists(m_options.project, failed))
        return fail("error: " + m_options.project + ": there is no such project; expected a project's folder or its project.toml", 2);
    Diagnostics faults;
    const auto content = loadContent(m_options.project, m_options.scene, m_session.plugins(), faults);
    faults.sort();
    for (const Diagnostic& fault : faults.items)
        std::fprintf(stderr, "%s\n", fault.toString().c_str());
    if (!content || faults.hasErrors())
        return 2;
    // Now that all message types are known, and before anything begins.
    if (const auto filter = TraceFilter::compile(m_options.traceFilter, m_session.recorder(), m_session.tickRate()); !filter)
        return fail(filter.error().toString(), 2);

    // Recording costs time: off unless a trace is written or may be asked for.
    if (m_options.traceFile.empty() && m_options.testMode.empty())
        static_cast<void>(cvars.setValue("trace.enabled", Value(false), CVarSource::CommandLine));
    static_cast<void>(cvars.setValue("net.record", Value(false), CVarSource::CommandLine));
    if (NetworkPlay::wanted(m_options)) {
        m_network = std::make_unique<NetworkPlay>(m_options);
        if (const Result<void> opened = m_network->open(m_session); !opened)
            return fail("error: " + opened.error().message, 2);
    }
    m_session.open(content);
    if (const int status = openFiles(); status != 0)
        return status;
    m_session.handlers().reply = [this](const ConsoleReply& reply) { print(reply); };
    m_session.handlers().tick = [this](Session&) { ticked(); };
    m_session.publish();
    return 0;
}

int Playback::openFiles() {
    if (!m_options.execFile.empty())
        if (const auto readable = definition::readTextFile(m_options.execFile); !readable)
            return fail(readable.error().toString(), 2);
    if (!m_options.traceFile.empty()) {
        std::unique_ptr<TraceFilter> filter;
        if (!m_options.traceFilter.empty()) {
            auto compiled = TraceFilter::compile(m_options.traceFilter, m_session.recorder(), m_session.tickRate());
            if (!compiled)
                return fail(compiled.error().toString(), 2);
            filter = std::move(*compiled);
        }
        auto opened = TraceWriter::open(m_options.traceFile, m_session.recorder(), std::move(filter));
        if (!opened)
            return fail(opened.error().toString(), 1);
        m_trace = std::move(*opened);
    }
    if (!m_options.digestFile.empty()) {
        Result<LineFile> opened = LineFile::create(m_options.digestFile);
        if (!opened)
            return fail(opened.error().toString(), 1);
        m_digest.emplace(std::move(*opened));
    }
    if (!m_options.audioFile.empty()) {
        if (const Result<void> opened = m_sound.open(m_options.audioFile); !opened)
            return fail(opened.error().toString(), 1);
    }
    return 0;
}

// What a script says goes to standard output as it is said; its faults have gone to standard error, with the log.
void Playback::print(const ConsoleReply& reply) {
    std::vector<std::string> faults;
    if (!reply.ok)
        for (const LogRecord& record : m_log.since(m_printedErrors))
            if (record.severity == LogSeverity::Error)
                faults.push_back(record.text);
    m_printedErrors = m_log.latest();
    constexpr std::string_view Mark = "error: ";
    for (const std::string& raw : reply.lines) {
        const std::string line = printable(raw); // names, docs and texts of files and peers are in it
        std::string plain = line; // as the log has it: without the word
        if (const std::size_t at = plain.find(Mark); at != std::string::npos)
            plain.erase(at, Mark.size());
        const auto same = [&](const std::string& fault) {
            return plain == fault || plain.ends_with(": " + fault);
        };
        if (std::none_of(faults.begin(), faults.end(), same))
            std::printf("%s\n", line.c_str());
    }
    std::fflush(stdout);
}

// What players say goes to standard output, as the log has it.
void Playback::printChat() {
    if (m_log.latest() == m_printedChat)
        return;
    bool any = false;
    for (const LogRecord& record : m_log.since(m_printedChat)) {
        m_printedChat = record.sequence;
        if (record.channel != "chat")
            continue;
        std::printf("%s\n", record.text.c_str());
        any = true;
    }
    if (any)
        std::fflush(stdout);
}

void Playback::start() {
    m_session.play();
    if (m_network)
        m_network->start(m_session, m_log);
    // The console looks in the project's folder; the command line means the folder it was typed in.
    if (!m_options.execFile.empty())
        m_session.lines().execFile(std::filesystem::absolute(m_options.execFile).string());
    if (m_options.ticks == 0)
        m_session.pause();
}

void Playback::ticked() {
    if (m_network)
        m_network->ticked();
    printChat();
    if (m_trace)
        tell(m_trace->write(m_session.world()));
    m_sound.ticked();
    if (m_digest)
        writeDigests();
    if (m_options.ticks && m_session.world().tickCount() >= *m_options.ticks)
        m_session.pause();
    if (m_afterTick)
        m_afterTick(m_session);
}

void Playback::writeDigests() {
    std::string lines = m_session.simulation().digestLine() + "\n";
    LocalClients* const clients = m_session.clients();
    for (std::size_t i = 0; clients != nullptr && i < clients->count(); ++i)
        lines += clients->simulation(i).digestLine() + "\n";
    tell(m_digest->append(lines));
}

int Playback::close() {
    m_session.handlers().tick = nullptr;
    if (!m_options.safeMode)
        if (const Result<void> saved = m_userConfig.save(m_session.console()); !saved)
            m_log.warning("player", saved.error().toString());
    // An error line has been on standard error too: a caller that looks at the exit status alone must not take the run for a good one.
    int status = m_session.lines().failed() > 0 || m_session.overBudget() || m_log.errors() > 0 ? 1 : 0;
    if (m_network)
        status = std::max(status, m_network->close());
    if (m_session.lines().waiting())
        status = fail("error: " + m_options.execFile + ": the script had not ended after "
                          + std::to_string(m_session.world().tickCount()) + " ticks",
                      1);
    if (m_trace) {
        tell(m_trace->write(m_session.world())); // what came after the last tick
        tell(m_trace->close());
    }
    if (const Result<void> written = m_sound.close(); !written)
        status = fail(written.error().toString(), 1);
    if (m_digest) {
        tell(m_digest->close());
        m_digest.reset();
    }
    return m_torn ? 1 : status;
}

// Once: a disk that is full says so of every line.
void Playback::tell(const Result<void>& written) {
    if (written.ok() || std::exchange(m_torn, true))
        return;
    fail(written.error().toString(), 1);
}

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

} // namespace sbx::player
