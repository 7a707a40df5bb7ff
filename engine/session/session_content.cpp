// A session's project: opened, edited, and its world built.

#include "engine/session/local_clients.h"
#include "engine/session/session.h"

#include <algorithm>

namespace sbx {

namespace {

bool sameCVars(const definition::Project& a, const definition::Project& b) {
    return std::equal(a.cvars.begin(), a.cvars.end(), b.cvars.begin(), b.cvars.end(),
                      [](const definition::CVarSetting& x, const definition::CVarSetting& y) {
                          return x.name == y.name && sameValue(x.value, y.value);
                      });
}

} // namespace

void Session::buildWorld() {
    endClients();
    endServer();
    leaveServer();
    m_main.clear();
    m_sound.leave();
    m_netRecorder.seal(); // readers see that every peer has left before anything of the next world
    const SimulationSettings settings = m_worldCVars.latch();
    m_recorder.setEnabled(m_recording.get());
    m_recorder.setTiming(m_timing.get());
    m_recorder.setStamps(m_stamps.get());
    m_main.build(settings);
}

std::shared_ptr<const Catalog> Session::catalogOf(const Content* content) const {
    return content != nullptr && content->catalog ? content->catalog : m_plugins.builtins();
}

void Session::setFolder(const Content& content) {
    m_meshes.setRoot(content.project.folder);
    m_sound.library().setRoot(content.project.folder);
    m_console.setBaseFolder(content.project.folder.string());
}

void Session::applyCVars(const Content* content) {
    Diagnostics faults;
    applyProjectCVars(m_console.cvars(), content, faults);
    for (const Diagnostic& fault : faults.items)
        m_log.error("project", fault.toString());
}

void Session::open(std::shared_ptr<const Content> content) {
    setMode(Mode::Edit);
    m_lines.drop();
    m_liveEdits.clear();
    if (content)
        setFolder(*content);
    applyCVars(content.get());
    m_main.setContent(content, catalogOf(content.get()));
    buildWorld();
}

void Session::applyContent(std::shared_ptr<const Content> content) {
    const std::shared_ptr<const Content> before = m_main.content();
    if (!before || !content) {
        open(std::move(content));
        return;
    }
    if (before->project.folder != content->project.folder)
        setFolder(*content);
    const bool cvars = !sameCVars(before->project, content->project);
    if (cvars)
        applyCVars(content.get());
    if (m_main.follow(content, catalogOf(content.get()), m_mode == Mode::Edit))
        m_inspection.notePlacesOnly();
    if (m_clients)
        m_clients->follow(cvars);
}

} // namespace sbx
