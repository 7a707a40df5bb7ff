#include "app/player/trace_printing.h"

#include "app/common/sample_projects.h"
#include "app/player/playback.h"
#include "app/player/trace_filter.h"
#include "engine/core/user_folders.h"
#include "engine/definition/project.h"
#include "engine/message/record_text.h"
#include "engine/message/trace_file.h"
#include "engine/plugin/plugin_host.h"
#include "engine/plugin/trusted_projects.h"
#include "engine/simulation/trace_handlers.h"

#include <cstdio>
#include <utility>

namespace sbx::player {

namespace {

std::string linesOf(std::uint64_t count) { return std::to_string(count) + (count == 1 ? " line" : " lines"); }

// What could not be read, each fault once and with its place.
void reportFaults(const TraceFile& file, const TraceReader& reader, const std::string& path) {
    std::uint64_t named = 0;
    for (const TraceFault& fault : file.faults()) {
        named += fault.lines;
        const std::string more = fault.lines > 1 ? " (and " + linesOf(fault.lines - 1) + " like it)" : "";
        fail(fault.error.toString() + more, 2);
    }
    if (file.skipped() > named)
        fail(path + ": error: " + linesOf(file.skipped() - named) + " more could not be read", 2);
    for (const auto& [remark, records] : reader.remarks())
        fail(path + ": warning: " + remark + ", in " + linesOf(records), 0);
}

// The components and messages that a trace may speak of: the engine's, and those of the project's plugins.
Result<std::shared_ptr<const Content>> contentOf(const Options& options, Session& session) {
    Diagnostics faults;
    std::string project = app::projectOrSample(options.project);
    std::string scene = options.scene;
    app::openSceneFile(project, scene);
    std::shared_ptr<const Content> content = loadContent(project, scene, session.plugins(), faults);
    faults.sort();
    for (const Diagnostic& fault : faults.items)
        fail(fault.toString(), 2);
    if (!content || faults.hasErrors())
        return makeError(project + ": the project has errors; leave it out, or mend it");
    return content;
}

} // namespace

int printTrace(const Options& options) {
    LogOptions logOptions;
    logOptions.standardError = LogSeverity::Error;
    Log log(logOptions);
    Session session(log, nullptr);
    for (const auto& [name, value] : options.cvars)
        if (const auto set = session.console().cvars().set(name, value, CVarSource::CommandLine, {"--" + name, {}}); !set)
            return fail("error: --" + name + "=" + value + ": " + set.error().message, 2);
    TrustedProjects trusted(UserFolders::ofUser().config / TrustedProjectsFile, resourceFolders());
    if (const auto file = definition::findProjectFile(options.project); options.trust && file)
        trusted.trustForNow(file->parent_path());
    session.plugins().setPolicy(pluginPolicy(trusted, options.safeMode));
    if (!options.project.empty()) {
        auto content = contentOf(options, session);
        if (!content)
            return fail("error: " + content.error().message, 2);
        session.open(std::move(*content));
    }

    Result<TraceFile> file = TraceFile::open(options.readTrace);
    if (!file)
        return fail(file.error().toString(), 2);
    const auto catalog = std::shared_ptr<const Catalog>(std::shared_ptr<void>(), &session.catalog());
    TraceReader reader(traceHandlers(catalog));
    auto filter = TraceFilter::compile(options.traceFilter, reader.recorder(), session.tickRate());
    if (!filter)
        return fail(filter.error().toString(), 2);

    constexpr std::size_t LinesAtOnce = 1024;
    const auto nameOf = [&](EntityId entity) { return reader.entityName(entity); };
    const auto nameIdOf = [&](EntityId entity) { return reader.entityNameId(entity); };
    std::vector<std::shared_ptr<const RecordSegment>> segments;
    for (bool more = true; more;) {
        more = file->read(reader, LinesAtOnce);
        segments.clear();
        reader.poll(segments);
        for (const auto& segment : segments)
            for (std::size_t i = 0; i < segment->size(); ++i)
                if ((*filter)->matches((*segment)[i], nameIdOf))
                    std::printf("%s\n", recordText((*filter)->schema(), (*segment)[i], nameOf).c_str());
    }
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
        return fail("error: standard output cannot be written", 1);
    reportFaults(*file, reader, options.readTrace);
    return file->skipped() > 0 ? 2 : 0;
}

} // namespace sbx::player
