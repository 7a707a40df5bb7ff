#include "widgets/common/journal.h"

#include <QCryptographicHash>
#include <QDataStream>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSysInfo>

#include "engine/core/whole_file.h"
#include "widgets/common/document_files.h"

#include <signal.h>
#include <sys/types.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <utility>

namespace sbx::ui {

namespace {

constexpr quint32 Magic = 0x5342584AU; // "SBXJ"
constexpr quint32 Version = 1;
constexpr int Slots = 16; // editors open on one project at once
const QString Unreadable = QStringLiteral(".unreadable"); // ends the name of a recovery that could not be read

// Under a name that is not taken; empty: the folder cannot be written, it stays where it is.
QString setAside(const QString& path) {
    QString aside = path + Unreadable;
    for (int i = 1; QFile::exists(aside); ++i)
        aside = QStringLiteral("%1-%2%3").arg(path).arg(i).arg(Unreadable);
    return QFile::rename(path, aside) ? aside : QString();
}

// QLockFile takes a dead process's lock only after it has written another file beside it, which a full disk has no room for.
bool isOfDeadProcess(const QLockFile& lock) {
    qint64 process = 0;
    QString host;
    QString program;
    return lock.getLockInfo(&process, &host, &program) && (host.isEmpty() || host == QSysInfo::machineHostName()) && process > 0
           && ::kill(static_cast<pid_t>(process), 0) != 0 && errno == ESRCH;
}

QByteArray encode(const Recovery& recovery) {
    QByteArray body;
    QDataStream out(&body, QIODevice::WriteOnly);
    out.setVersion(QDataStream::Qt_6_4);
    out << recovery.time << recovery.changes << static_cast<quint32>(recovery.texts.size());
    for (const JournalText& text : recovery.texts)
        out << QByteArray::fromStdString(text.file) << QByteArray::fromStdString(text.text) << text.baseHash;
    QByteArray bytes;
    QDataStream head(&bytes, QIODevice::WriteOnly);
    head.setVersion(QDataStream::Qt_6_4);
    head << Magic << Version << QCryptographicHash::hash(body, QCryptographicHash::Sha1) << body;
    return bytes;
}

// Nothing for a file that is torn, foreign or of another version: a journal is never trusted blindly.
std::optional<Recovery> decode(const QByteArray& bytes) {
    QDataStream head(bytes);
    head.setVersion(QDataStream::Qt_6_4);
    quint32 magic = 0;
    quint32 version = 0;
    QByteArray hash;
    QByteArray body;
    head >> magic >> version;
    if (magic != Magic || version != Version)
        return std::nullopt;
    head >> hash >> body;
    if (head.status() != QDataStream::Ok || QCryptographicHash::hash(body, QCryptographicHash::Sha1) != hash)
        return std::nullopt;
    Recovery recovery;
    quint32 count = 0;
    QDataStream in(body);
    in.setVersion(QDataStream::Qt_6_4);
    in >> recovery.time >> recovery.changes >> count;
    for (quint32 i = 0; i < count && in.status() == QDataStream::Ok; ++i) {
        QByteArray file;
        QByteArray text;
        QByteArray baseHash;
        in >> file >> text >> baseHash;
        recovery.texts.push_back({file.toStdString(), text.toStdString(), baseHash});
    }
    if (in.status() != QDataStream::Ok || recovery.texts.empty())
        return std::nullopt;
    return recovery;
}

} // namespace

Journal::Journal(QString stateFolder, const QString& projectFolder, std::function<Recovery()> texts,
                 QObject* parent)
    : QObject(parent), m_folder(std::move(stateFolder)), m_texts(std::move(texts)) {
    QDir().mkpath(m_folder);
    const QString canonical = QFileInfo(projectFolder).canonicalFilePath();
    m_key = QString::fromLatin1(
        QCryptographicHash::hash((canonical.isEmpty() ? projectFolder : canonical).toUtf8(),
                                 QCryptographicHash::Sha1)
            .toHex()
            .left(16));
    takeSlot();
    m_writer.setMaxThreadCount(1);
    m_timer.setSingleShot(true);
    m_timer.setInterval(DelayMs);
    connect(&m_timer, &QTimer::timeout, this, &Journal::write);
    findRecoveries();
}

bool Journal::takeSlot() {
    // A journal whose lock we get belongs to a dead run: it is put aside so that ours cannot overwrite it. So does one whose lock cannot
    // be written (the disk is full), since no running editor has it; a name needs no room.
    for (int slot = 0; slot < Slots; ++slot) {
        auto lock = std::make_unique<QLockFile>(slotBase(slot) + QStringLiteral(".lock"));
        lock->setStaleLockTime(0); // stale only when its process is gone
        if (m_lock && !QFile::exists(slotBase(slot) + QStringLiteral(".journal")))
            continue; // nothing there to look after
        const bool ours = lock->tryLock(0);
        if (!ours && lock->error() != QLockFile::UnknownError && !isOfDeadProcess(*lock))
            continue;
        putAside(slot);
        if (ours && !m_lock) {
            m_base = slotBase(slot);
            m_lock = std::move(lock);
        }
    }
    return m_lock != nullptr;
}

// The lock does not say; the writer, asked to put as much there, does.
QString Journal::whyNoSlot() const {
    QDir().mkpath(m_folder);
    const QString attempt = m_folder + QStringLiteral("/.%1.attempt").arg(m_key);
    const Result<void> written = writeFileSafely(pathOf(attempt), "lock\n");
    QFile::remove(attempt);
    return written ? tr("cannot be written: %1 editors have this project open").arg(Slots)
                   : QString::fromStdString(written.error().message);
}

QString Journal::slotBase(int slot) const {
    return QStringLiteral("%1/%2-%3").arg(m_folder, m_key).arg(slot);
}

void Journal::putAside(int slot) {
    const QString left = slotBase(slot) + QStringLiteral(".journal");
    for (int i = 0; QFile::exists(left); ++i) {
        const QString aside =
            QStringLiteral("%1.recover%2").arg(slotBase(slot)).arg(i, 3, 10, QLatin1Char('0'));
        if (!QFile::exists(aside) && !QFile::rename(left, aside))
            return; // a folder that cannot be written: it stays where it is
    }
}

Journal::~Journal() {
    m_timer.stop();
    m_writer.waitForDone();
}

QString Journal::fileName() const { return m_base + QStringLiteral(".journal"); }

void Journal::findRecoveries() {
    m_recoveries.clear();
    const QDir folder(m_folder);
    for (const QString& name :
         folder.entryList({m_key + QStringLiteral("-*.recover*")}, QDir::Files, QDir::Name)) {
        QFile file(folder.filePath(name));
        if (name.endsWith(Unreadable) || !file.open(QIODevice::ReadOnly))
            continue;
        std::optional<Recovery> recovery = decode(file.readAll());
        if (!recovery) {
            // Nothing that may be a user's work is removed: a person who knows the format may still recover something from it.
            file.close();
            if (const QString aside = setAside(file.fileName()); !aside.isEmpty())
                m_unreadable.append(aside);
            continue;
        }
        recovery->path = file.fileName();
        m_recoveries.push_back(std::move(*recovery));
    }
    // Of one time, the one put aside last first.
    std::stable_sort(m_recoveries.begin(), m_recoveries.end(), [](const Recovery& a, const Recovery& b) {
        return a.time != b.time ? a.time > b.time : a.path > b.path;
    });
}

void Journal::discardRecovery(const QString& path) {
    QFile::remove(path);
    findRecoveries();
}

void Journal::touch() {
    // Not restarted: a stream of changes must not put the write off.
    if (!m_timer.isActive() || m_timer.interval() != DelayMs)
        m_timer.start(DelayMs);
}

bool Journal::flush() {
    if (m_timer.isActive())
        write();
    m_writer.waitForDone();
    return m_written;
}

void Journal::clear() {
    m_timer.stop();
    m_writer.waitForDone();
    if (m_lock)
        QFile::remove(fileName());
    m_written = true;
    if (!std::exchange(m_failure, {}).isEmpty())
        emit writtenAgain();
}

void Journal::write() {
    m_timer.stop();
    Recovery recovery = m_texts();
    if (recovery.texts.empty()) {
        clear();
        return;
    }
    if (!m_lock && !takeSlot()) {
        m_written = false;
        setFailure(whyNoSlot());
        return;
    }
    recovery.time = QDateTime::currentDateTimeUtc();
    // The worker ends before we do; its result arrives in the GUI thread, unless this object no longer exists.
    m_writer.start([this, path = pathOf(fileName()), recovery = std::move(recovery)] {
        const QByteArray bytes = encode(recovery);
        const Result<void> written = writeFileSafely(
            path, std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
        m_written = written.ok();
        const QString reason = written ? QString() : QString::fromStdString(written.error().message);
        QMetaObject::invokeMethod(
            this, [this, reason] { setFailure(reason); }, Qt::QueuedConnection);
    });
}

void Journal::setFailure(const QString& reason) {
    const QString before = std::exchange(m_failure, reason);
    if (!reason.isEmpty() && !m_timer.isActive())
        m_timer.start(RetryMs);
    if (!reason.isEmpty() && reason != before)
        emit failed(reason);
    else if (reason.isEmpty() && !before.isEmpty())
        emit writtenAgain();
}

} // namespace sbx::ui

#include "moc_journal.cpp"
