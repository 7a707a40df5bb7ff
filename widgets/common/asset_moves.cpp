#include "widgets/common/asset_moves.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QPointer>

#include "engine/core/utf8.h"
#include "engine/core/value.h"
#include "engine/definition/toml_syntax.h"
#include "widgets/common/document_files.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <utility>

namespace sbx::ui {

namespace {

QString shown(const std::string& name) { return QString::fromStdString(name); }

// Where a line and a column (from 1, in bytes) are in a text; nothing if it is shorter.
std::optional<std::size_t> offsetOf(const std::string& text, const SourceRegion& region) {
    std::size_t begin = 0;
    for (int line = 1; line < region.line; ++line) {
        begin = text.find('\n', begin);
        if (begin == std::string::npos)
            return std::nullopt;
        ++begin;
    }
    const std::size_t at = begin + static_cast<std::size_t>(std::max(region.column, 1) - 1);
    return at < text.size() ? std::optional(at) : std::nullopt;
}

// The text in quotes of one kind that begins there, with its quotes; empty if there is none on the line.
std::string quotedAt(const std::string& text, std::size_t at) {
    const char quote = text[at];
    if (quote != '"' && quote != '\'')
        return {};
    for (std::size_t end = at + 1; end < text.size() && text[end] != '\n'; ++end) {
        if (text[end] == '\\' && quote == '"')
            ++end;
        else if (text[end] == quote)
            return text.substr(at, end - at + 1);
    }
    return {};
}

// Gives the bytes a second name, in place of what has it now. Links where the file system can, else copies.
Result<void> addName(const QString& from, const QString& to) {
    const auto refused = [&](const QString& why) {
        return makeError(QObject::tr("%1 cannot be renamed: %2").arg(QFileInfo(from).fileName(), why).toStdString());
    };
    if (!QDir().mkpath(QFileInfo(to).path()))
        return refused(QObject::tr("its new folder cannot be made"));
    const QString beside = to + QStringLiteral(".signalbox-%1").arg(::getpid());
    QFile::remove(beside);
    if (::link(QFile::encodeName(from).constData(), QFile::encodeName(beside).constData()) != 0) {
        const int why = errno;
        if (why != EPERM && why != EOPNOTSUPP && why != EMLINK && why != EXDEV)
            return refused(QString::fromLocal8Bit(std::strerror(why)));
        QFile source(from);
        if (!source.copy(beside)) {
            QFile::remove(beside);
            return refused(source.errorString());
        }
    }
    if (::rename(QFile::encodeName(beside).constData(), QFile::encodeName(to).constData()) != 0) {
        const int why = errno;
        QFile::remove(beside);
        return refused(QString::fromLocal8Bit(std::strerror(why)));
    }
    QFile::remove(beside); // two names of one file: rename() leaves both
    return {};
}

} // namespace

Result<std::vector<FileEdit>> assetEdits(const Document& document, const std::vector<AssetUse>& uses, const std::string& to) {
    std::map<std::string, FileEdit> edits;
    for (const AssetUse& use : uses) {
        const std::string file = document.fileAt(QString::fromStdString(use.file));
        const auto stale = [&] {
            return Error{"the reference is no longer at this place: the file has changed or has errors; expected it as it was last read",
                         file.empty() ? use.file : file, use.region};
        };
        if (file.empty() || !document.contains(file))
            return stale();
        const std::string& text = document.text(file);
        const std::optional<std::size_t> at = offsetOf(text, use.region);
        const std::string raw = at ? quotedAt(text, *at) : std::string();
        if (raw.empty() || definition::unquoteToml(raw) != use.written)
            return stale();
        FileEdit& edit = edits[file];
        edit.file = file;
        edit.edits.push_back({*at, raw, inQuotes(to)});
    }
    std::vector<FileEdit> out;
    for (auto& [file, edit] : edits)
        out.push_back(std::move(edit));
    return out;
}

class AssetMoves::Step : public BesideStep {
public:
    Step(AssetMoves& moves, std::string from, std::string to)
        : m_moves(&moves), m_from(std::move(from)), m_to(std::move(to)) {}
    void undo() override {
        if (m_moves != nullptr)
            m_moves->move(m_to, m_from);
    }
    void redo() override {
        if (m_moves != nullptr)
            m_moves->move(m_from, m_to);
    }

private:
    QPointer<AssetMoves> m_moves;
    std::string m_from;
    std::string m_to;
};

AssetMoves::AssetMoves(Document& document, QObject* parent) : QObject(parent), m_document(document) {
    const auto soon = [this] { QMetaObject::invokeMethod(this, &AssetMoves::settle, Qt::QueuedConnection); };
    // At once: a window that saves in order to close closes in the same breath, and what has not been settled then counts as unsaved.
    connect(&document, &Document::saved, this, &AssetMoves::settle);
    connect(&document, &Document::dirtyChanged, this, soon);
    connect(&document, &Document::closed, this, &AssetMoves::abandon);
    connect(&document, &Document::opened, this, &AssetMoves::abandon);
}

QString AssetMoves::path(const std::string& name) const { return QDir(m_folder).filePath(QString::fromStdString(name)); }

Result<std::string> AssetMoves::newName(const std::string& from, const std::string& typed) const {
    const auto refused = [](const QString& text) { return makeError(text.toStdString()); };
    if (!m_document.isOpen())
        return refused(tr("No project is open."));
    const std::string to = assetName(typed);
    const QString folder = m_document.folder();
    const QString source = QDir(folder).filePath(shown(from));
    const QString target = QDir(folder).filePath(shown(to));
    if (to == from)
        return to;
    const bool plain = !to.empty() && to.find('\\') == std::string::npos && !to.ends_with('/')
                       && std::none_of(to.begin(), to.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
    if (!plain || QFileInfo(target).fileName().startsWith(QLatin1Char('.')))
        return refused(tr("“%1” is no name for a file; expected a path such as meshes/rock.obj.").arg(shown(typed)));
    if (std::filesystem::path(to).is_absolute() || to == ".." || to.starts_with("../"))
        return refused(tr("%1 lies outside of the project's folder; expected a path inside it.").arg(shown(to)));
    const auto ending = [](const QString& name) { return QFileInfo(name).suffix().toLower(); };
    if (ending(target) != ending(source))
        return refused(tr("%1 has another ending; its format would not change with it. Expected a name that ends in .%2.")
                           .arg(shown(to), QFileInfo(source).suffix()));
    const QFileInfo about(source);
    if (about.isSymLink())
        return refused(tr("%1 is a link to another file; rename it where it lies.").arg(shown(from)));
    if (!about.isFile())
        return refused(tr("%1 is not there any more.").arg(shown(from)));
    if ((about.permissions() & (QFile::WriteOwner | QFile::WriteGroup | QFile::WriteOther)) == 0)
        return refused(tr("%1 is read-only; allow writing to it first.").arg(shown(from)));
    if (const QFileInfo there(target); there.exists() || there.isSymLink())
        return refused(m_leaving.contains(to)
                           ? tr("%1 is the name that a renamed file has until the project is saved; save first.").arg(shown(to))
                           : tr("%1 is there already; choose another name.").arg(shown(to)));
    // The nearest folder that is there already must lie inside the project, whatever links lead to it.
    QDir nearest = QFileInfo(target).dir();
    while (!nearest.exists() && nearest.path() != folder && nearest.path().size() > folder.size())
        nearest.setPath(QFileInfo(nearest.path()).path());
    const QString root = QDir(folder).canonicalPath();
    if (const QString real = nearest.canonicalPath(); real != root && !real.startsWith(root + QLatin1Char('/')))
        return refused(tr("%1 lies outside of the project's folder; expected a path inside it.").arg(shown(to)));
    return to;
}

std::optional<NameRefusal> AssetMoves::refusal(const std::string& from, const std::string& typed) const {
    const Result<std::string> name = newName(from, typed);
    if (name)
        return std::nullopt;
    NameRefusal out{QString::fromStdString(name.error().message), {}};
    // In the folder that was meant, with the ending of the file and a number if it must be.
    const QString wanted = shown(typed).trimmed();
    const QString ending = QLatin1Char('.') + QFileInfo(shown(from)).suffix();
    const QString base = wanted.endsWith(ending, Qt::CaseInsensitive) ? wanted.chopped(ending.size())
                         : QFileInfo(wanted).suffix().isEmpty()       ? wanted
                                                                      : wanted.left(wanted.lastIndexOf(QLatin1Char('.')));
    constexpr int MaxNumber = 1000;
    for (int number = 1; number < MaxNumber; ++number) {
        const QString offered = (number == 1 ? base : QStringLiteral("%1_%2").arg(base).arg(number)) + ending;
        const Result<std::string> good = newName(from, offered.toStdString());
        if (good && *good != from) {
            out.offered = offered;
            break;
        }
        const QFileInfo there(path(offered.toStdString()));
        if (!good && !there.exists() && !there.isSymLink())
            break; // a number does not help
    }
    return out;
}

Result<void> AssetMoves::rename(const std::string& from, const std::string& typed, const std::vector<AssetUse>& uses) {
    const Result<std::string> name = newName(from, typed);
    if (!name)
        return name.error();
    const std::string& to = *name;
    if (to == from)
        return {};
    Result<std::vector<FileEdit>> edits = assetEdits(m_document, uses, to);
    if (!edits)
        return edits.error();
    if (const Result<void> taken = take(from, to); !taken)
        return taken;
    if (Result<void> done = m_document.edit(std::move(*edits), tr("Rename %1 to %2").arg(shown(from), shown(to)),
                                            std::make_unique<Step>(*this, from, to));
        !done) {
        removeNames({to});
        m_fresh.erase(to);
        m_leaving.erase(from);
        return done;
    }
    QMetaObject::invokeMethod(this, &AssetMoves::settle, Qt::QueuedConnection);
    emit changed();
    return {};
}

Result<void> AssetMoves::take(const std::string& from, const std::string& to) {
    m_folder = m_document.folder();
    const bool wasThere = QFileInfo::exists(path(to));
    if (Result<void> done = addName(path(from), path(to)); !done)
        return done;
    group(from, to);
    if (!wasThere)
        m_fresh.insert(to);
    m_leaving.erase(to);
    m_leaving.insert(from);
    return {};
}

void AssetMoves::move(const std::string& from, const std::string& to) {
    const bool foreign = QFileInfo::exists(QDir(m_document.folder()).filePath(shown(to))) && !m_leaving.contains(to);
    if (foreign)
        emit problem(tr("%1 was not renamed back: another file has the name %2 now.").arg(shown(from), shown(to)));
    else if (const Result<void> done = take(from, to); !done)
        emit problem(QString::fromStdString(done.error().message));
    QMetaObject::invokeMethod(this, &AssetMoves::settle, Qt::QueuedConnection);
    emit changed();
}

void AssetMoves::settle() {
    if (m_leaving.empty() && m_fresh.empty())
        return;
    if (!m_document.isOpen() || m_document.isDirty())
        return;
    if (m_document.folder() != m_folder) { // saved as another project: the folder before stays as it was last saved
        removeNames(m_fresh);
        m_folder = m_document.folder();
    }
    removeNames(m_leaving);
    m_leaving.clear();
    m_fresh.clear();
    m_files.clear();
    emit changed();
}

void AssetMoves::abandon() {
    removeNames(m_fresh);
    m_fresh.clear();
    m_leaving.clear();
    m_files.clear();
}

// Another program may have removed the other name meanwhile: the last one of a file is never taken away.
void AssetMoves::removeNames(const std::set<std::string>& names) {
    for (const std::string& name : names) {
        const bool hasOther = std::any_of(m_files.begin(), m_files.end(), [&](const auto& other) {
            return other.second == m_files[name] && !names.contains(other.first) && QFileInfo(path(other.first)).isFile();
        });
        if (hasOther)
            QFile::remove(path(name));
    }
}

void AssetMoves::group(const std::string& a, const std::string& b) {
    const auto known = m_files.find(a);
    const int number = known != m_files.end() ? known->second : ++m_fileCount;
    m_files[a] = number;
    m_files[b] = number;
}

} // namespace sbx::ui

#include "moc_asset_moves.cpp"
