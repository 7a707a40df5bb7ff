#include "widgets/common/project_model.h"

#include <QDir>
#include <QFileInfo>

#include "engine/definition/consequences.h"
#include "engine/definition/text_file.h"
#include "engine/simulation/catalog.h"
#include "engine/simulation/kept_content.h"
#include "widgets/common/document.h"
#include "widgets/common/session_feed.h"

#include <algorithm>
#include <utility>

namespace sbx::ui {

namespace {
// A slow machine may parse less often than it is typed at; 15 ms is below a frame.
constexpr int ParseDelayMs = 15;
// A linker writes for a while; a library is read once two looks in a row saw the same.
constexpr int PluginLookMs = 400;
// Two: what is in force, and what was before. More while their texts are together no longer than this.
constexpr std::size_t MinKnown = 2;
constexpr std::size_t MaximumKnown = 4;
constexpr std::size_t KnownTextBytes = std::size_t{16} << 20U;
} // namespace

ProjectModel::ProjectModel(Document& document, SessionFeed& feed, QObject* parent)
    : QObject(parent), m_document(document), m_feed(feed) {
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &ProjectModel::refresh);
    m_pluginTimer.setInterval(PluginLookMs);
    connect(&m_pluginTimer, &QTimer::timeout, this, &ProjectModel::watchPlugins);
    connect(&m_document, &Document::textChanged, this, [this] {
        m_current = false;
        if (!m_timer.isActive())
            m_timer.start(ParseDelayMs);
    });
    connect(&m_feed, &SessionFeed::frameChanged, this, &ProjectModel::followLoading);
}

void ProjectModel::setLoading(const QString& name) {
    if (m_loading == name)
        return;
    m_loading = name;
    emit loadingChanged(name);
}

void ProjectModel::followLoading() {
    if (m_shownFrom == nullptr)
        return;
    const std::uint64_t from = *m_shownFrom;
    if (from == 0 || m_feed.frame().serial < from)
        return;
    m_shownFrom.reset();
    setLoading({});
}

Result<void> ProjectModel::open(const QString& path) {
    const QFileInfo info(path);
    const Result<std::filesystem::path> found = definition::findProjectFile(path.toStdString());
    if (!found)
        return found.error();
    const QString projectFile = QString::fromStdString(found->string());
    std::string scene;
    if (!info.isDir() && path.endsWith(QLatin1String(".scene.toml")))
        scene = QFileInfo(projectFile).dir().relativeFilePath(info.absoluteFilePath()).toStdString();

    Diagnostics problems;
    const Result<definition::Project> project = definition::loadProject(projectFile.toStdString(), problems);
    if (!project) {
        // What is open stays as it is, problems included.
        problems.sort();
        return Error{problems.items.empty() ? project.error().toString() : problems.items.front().toString(), {}, {}};
    }
    std::vector<DocumentFile> files;
    files.push_back({QFileInfo(projectFile).fileName().toStdString(), FileRole::Project});
    for (const std::string& file : project->definitions)
        files.push_back({file, FileRole::Definitions});
    files.push_back({scene.empty() ? project->scene : scene, FileRole::Scene});
    const QString before = m_loading;
    setLoading(QString::fromStdString(project->name));
    emit loadingStep(10, tr("Loading %1: reading its files…").arg(m_loading));
    const Result<void> done = read(projectFile, scene, files);
    if (!done)
        setLoading(m_shownFrom != nullptr ? before : QString());
    return done;
}

Result<void> ProjectModel::read(const QString& projectFile, const std::string& scene,
                                const std::vector<DocumentFile>& files) {
    if (const Result<void> opened = m_document.open(QFileInfo(projectFile).absolutePath(), files); !opened)
        return opened.error();
    m_shownFrom.reset();
    m_projectFile = projectFile;
    m_scene = scene;
    m_timer.stop();
    m_content = nullptr;
    m_known.clear();
    std::size_t bytes = 0;
    for (const DocumentFile& file : m_document.files())
        bytes += m_document.text(file.file).size();
    emit loadingStep(30, tr("Loading %1: checking %L2 KiB of text…").arg(m_loading).arg((bytes + 1023) / 1024));
    Parsed parsed = parse();
    m_problems = std::move(parsed.problems);
    hand(std::move(parsed.content), parsed.good);
    keepKnown(false);
    emit problemsChanged();
    setMissing(std::move(parsed.missing));
    m_pluginTimer.stop();
    if (!m_content)
        return Error{"the project cannot be shown; see the problems", projectFile.toStdString(), {}};
    m_pluginsSeen = pluginFiles();
    m_pluginsMoving = false;
    m_pluginTimer.start();
    emit loadingStep(70, tr("Loading %1: building a world of %L2 entities…").arg(m_loading).arg(m_content->scene.instances().size()));
    m_shownFrom = std::make_shared<std::atomic<std::uint64_t>>(0);
    m_feed.post([content = m_content, from = m_shownFrom](Session& session) {
        session.open(content);
        *from = session.snapshot()->serial + 1;
    });
    emit opened();
    emit contentChanged();
    return {};
}

ProjectModel::Parsed ProjectModel::parse() const {
    Parsed out;
    Diagnostics& problems = out.problems;
    const TextSource source = [this](const std::filesystem::path& path) -> Result<std::string> {
        const std::string file = m_document.fileAt(QString::fromStdString(path.string()));
        if (!file.empty() && m_document.contains(file))
            return m_document.text(file);
        return definition::readTextFile(path);
    };
    out.content =
        loadContent(m_projectFile.toStdString(), m_scene, m_feed.session().plugins(), problems, source);
    out.good = out.content != nullptr && !problems.hasErrors();
    if (const std::shared_ptr<const Content> last = m_content ? m_content : out.content; last && !out.good) {
        const std::string scene = m_document.fileAt(QString::fromStdString(last->sceneFile));
        if (!scene.empty() && m_document.contains(scene)) {
            KeptContent kept =
                keepContent(*last, out.content, problems, m_document.text(scene), last->catalog->schema);
            out.content = std::move(kept.content);
            out.missing = std::move(kept.missing);
        } else {
            out.content = last;
        }
    }
    for (Diagnostic& problem : problems.items)
        if (const std::string file = m_document.fileAt(QString::fromStdString(problem.file)); !file.empty())
            problem.file = file;
    // One mistake is one problem. What depends on it is not gone from the world, which keeps what was good last.
    definition::nameConsequencesWithCauses(problems, [this](const std::string& file) {
        return m_document.contains(file) ? std::string_view(m_document.text(file)) : std::string_view();
    });
    problems.sort();
    return out;
}

void ProjectModel::setMissing(std::vector<std::string> names) {
    if (names == m_missing)
        return;
    m_missing = std::move(names);
    emit missingChanged();
}

std::shared_ptr<const Content> ProjectModel::movedContent() const {
    if (!m_contentRevision || *m_contentRevision < m_document.structureRevision())
        return nullptr;
    const definition::PlaceIndex* index = m_document.places();
    const std::vector<definition::InstanceDefinition>& known = m_content->scene.instances();
    if (index == nullptr || index->instances().size() != known.size())
        return nullptr;
    std::vector<definition::Scene::Move> moves;
    for (std::size_t i = 0; i < known.size(); ++i) {
        const definition::PlacedInstance& now = index->instances()[i];
        if (now.changed <= *m_contentRevision)
            continue;
        if (now.name != known[i].name)
            return nullptr;
        moves.push_back({i, now.position, now.rotation, now.scale});
    }
    const Content& old = *m_content;
    return std::make_shared<Content>(
        Content{old.project, old.catalog, old.definitions, old.sceneFile, old.scene.moved(moves)});
}

void ProjectModel::hand(std::shared_ptr<const Content> content, bool good) {
    m_content = std::move(content);
    m_contentRevision = good ? std::optional(m_document.revision()) : std::nullopt;
    m_current = good;
}

bool ProjectModel::isNow(const Known& known) const {
    const std::vector<DocumentFile>& files = m_document.files();
    return std::equal(files.begin(), files.end(), known.texts.begin(), known.texts.end(),
                      [this](const DocumentFile& file, const auto& text) {
                          return file.file == text.first && m_document.text(file.file) == text.second;
                      });
}

bool ProjectModel::hasOtherProjectFile(const Known& known) const {
    const std::string project = m_document.file(FileRole::Project);
    return std::any_of(known.texts.begin(), known.texts.end(), [&](const auto& text) {
        return text.first == project && text.second != m_document.text(project);
    });
}

const ProjectModel::Known* ProjectModel::known() const {
    const auto found = std::find_if(m_known.rbegin(), m_known.rend(), [this](const Known& k) { return isNow(k); });
    return found == m_known.rend() ? nullptr : &*found;
}

void ProjectModel::keepKnown(bool moved) {
    if (!m_current)
        return;
    if (const auto found = std::find_if(m_known.begin(), m_known.end(), [this](const Known& k) { return isNow(k); });
        found != m_known.end()) {
        std::rotate(found, found + 1, m_known.end());
        m_known.back().content = m_content;
        return;
    }
    if (!moved || m_known.empty())
        m_known.emplace_back();
    Known& newest = m_known.back();
    const std::vector<DocumentFile>& files = m_document.files();
    newest.texts.resize(files.size());
    for (std::size_t i = 0; i < files.size(); ++i) {
        newest.texts[i].first = files[i].file;
        newest.texts[i].second = m_document.text(files[i].file);
    }
    newest.content = m_content;
    newest.problems = m_problems;
    std::size_t bytes = 0;
    for (const Known& known : m_known)
        for (const auto& [file, text] : known.texts)
            bytes += text.size();
    while (m_known.size() > MinKnown && (m_known.size() > MaximumKnown || bytes > KnownTextBytes)) {
        for (const auto& [file, text] : m_known.front().texts)
            bytes -= text.size();
        m_known.erase(m_known.begin());
    }
}

void ProjectModel::reread() {
    m_current = false;
    m_contentRevision.reset();
    m_known.clear();
    refresh();
}

ProjectModel::PluginFiles ProjectModel::pluginFiles() const {
    PluginFiles out;
    for (const definition::PluginReference& plugin : m_content->project.plugins) {
        const QFileInfo info(QString::fromStdString(pluginFile(m_content->project, plugin.path).string()));
        out.insert(info.filePath(), {info.lastModified(), info.exists() ? info.size() : -1});
    }
    return out;
}

void ProjectModel::watchPlugins() {
    if (PluginFiles now = pluginFiles(); now != m_pluginsSeen) {
        m_pluginsMoving = true;
        m_pluginsSeen = std::move(now);
    } else if (std::exchange(m_pluginsMoving, false)) {
        reread();
    }
}

void ProjectModel::relocate() {
    m_projectFile = m_document.path(m_document.file(FileRole::Project));
    reread();
}

// project.toml may name other files now: those come in, those no longer named go, unless they are unsaved.
void ProjectModel::followFiles() {
    const definition::Project& project = m_content->project;
    std::vector<DocumentFile> wanted{{m_document.file(FileRole::Project), FileRole::Project}};
    for (const std::string& file : project.definitions)
        wanted.push_back({file, FileRole::Definitions});
    wanted.push_back({project.scene, FileRole::Scene});
    for (const DocumentFile& open : m_document.files()) {
        const bool named = std::any_of(wanted.begin(), wanted.end(),
                                       [&](const DocumentFile& file) { return file.file == open.file; });
        if (!named && !m_document.isDirty(open.file))
            static_cast<void>(m_document.removeFile(open.file).ok());
    }
    for (const DocumentFile& file : wanted)
        if (!m_document.contains(file.file))
            static_cast<void>(m_document.addFile(file).ok()); // unreadable ones are among the problems
}

void ProjectModel::refresh() {
    m_timer.stop();
    if (m_projectFile.isEmpty() || m_current || !m_document.isOpen())
        return;
    if (std::shared_ptr<const Content> moved = movedContent()) {
        hand(std::move(moved), true);
        keepKnown(true);
    } else {
        // Which plugins are loaded follows from the project file.
        if (!m_known.empty() && hasOtherProjectFile(m_known.back()))
            m_known.clear();
        Parsed parsed;
        if (const Known* before = known(); before != nullptr)
            parsed = {before->content, true, {}, before->problems};
        else
            parsed = parse();
        hand(std::move(parsed.content), parsed.good);
        if (parsed.problems.items != m_problems.items) {
            m_problems = std::move(parsed.problems);
            emit problemsChanged();
        }
        setMissing(std::move(parsed.missing));
        if (!m_content)
            return; // nothing was in force before
        if (m_current)
            followFiles();
        keepKnown(false);
    }
    m_feed.post([content = m_content](Session& session) { session.applyContent(content); });
    emit contentChanged();
}

} // namespace sbx::ui

#include "moc_project_model.cpp"
