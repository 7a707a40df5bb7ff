#include "widgets/common/journal.h"

#include <QCryptographicHash>
#include <QDataStream>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>

#include <algorithm>

namespace sbx::ui {

namespace {

constexpr quint32 Magic = 0x5342584AU; // "SBXJ"
constexpr quint32 Version = 1;
constexpr int Slots = 16; // editors open on one project at once

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

void writeSafely(const QString& path, const QByteArray& bytes) {
    QSaveFile file(path);
    // A state folder that cannot be written costs the recovery, not the work: nothing to do about it here.
    if (file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size())
        file.commit();
}

} // namespace

Journal::Journal(QString stateFolder, const QString& projectFolder, std::function<Recovery()> texts,
                 QObject* parent)
    : QObject(parent), m_folder(std::move(stateFolder)), m_texts(std::move(texts)) {
    QDir().mkpath(m_folder);
    const QString canonical = QFileInfo(projectFolder).canonicalFilePath();
    const QString key = QString::fromLatin1(
        QCryptographicHash::hash((canonical.isEmpty() ? projectFolder : canonical).toUtf8(),
                                 QCryptographicHash::Sha1)
            .toHex()
            .left(16));
    for (int slot = 0; slot < Slots; ++slot) {
        m_base = QStringLiteral("%1/%2-%3").arg(m_folder, key).arg(slot);
        m_lock = std::make_unique<QLockFile>(m_base + QStringLiteral(".lock"));
        m_lock->setStaleLockTime(0); // stale only when its process is gone
        if (m_lock->tryLock(0))
            break;
        m_lock.reset();
    }
    m_writer.setMaxThreadCount(1);
    m_timer.setSingleShot(true);
    m_timer.setInterval(DelayMs);
    connect(&m_timer, &QTimer::timeout, this, &Journal::write);
    // A journal here belongs to a dead run, for we hold the lock: put it aside so that ours cannot overwrite
    // it.
    const QString left = fileName();
    if (m_lock && QFile::exists(left)) {
        for (int i = 0;; ++i) {
            const QString aside = QStringLiteral("%1.recover%2").arg(m_base).arg(i, 3, 10, QLatin1Char('0'));
            if (!QFile::exists(aside)) {
                QFile::rename(left, aside);
                break;
            }
        }
    }
    findRecovery();
}

Journal::~Journal() {
    m_timer.stop();
    m_writer.waitForDone();
}

QString Journal::fileName() const { return m_base + QStringLiteral(".journal"); }

void Journal::findRecovery() {
    m_recovery.reset();
    m_recoveryFile.clear();
    if (!m_lock)
        return;
    const QFileInfo base(m_base);
    QStringList found =
        base.dir().entryList({base.fileName() + QStringLiteral(".recover*")}, QDir::Files, QDir::Name);
    std::reverse(found.begin(), found.end());
    for (const QString& name : found) {
        QFile file(base.dir().filePath(name));
        if (!file.open(QIODevice::ReadOnly))
            continue;
        std::optional<Recovery> recovery = decode(file.readAll());
        if (!recovery) {
            file.remove();
            continue;
        }
        m_recovery = std::move(recovery);
        m_recoveryFile = file.fileName();
        return;
    }
}

void Journal::discardRecovery() {
    if (!m_recoveryFile.isEmpty())
        QFile::remove(m_recoveryFile);
    findRecovery();
}

void Journal::touch() {
    // Not restarted: a stream of changes must not put the write off.
    if (!m_timer.isActive())
        m_timer.start();
}

void Journal::flush() {
    if (m_timer.isActive())
        write();
    m_writer.waitForDone();
}

void Journal::clear() {
    m_timer.stop();
    m_writer.waitForDone();
    if (m_lock)
        QFile::remove(fileName());
}

void Journal::write() {
    m_timer.stop();
    if (!m_lock)
        return;
    Recovery recovery = m_texts();
    if (recovery.texts.empty()) {
        clear();
        return;
    }
    recovery.time = QDateTime::currentDateTimeUtc();
    m_writer.start(
        [path = fileName(), recovery = std::move(recovery)] { writeSafely(path, encode(recovery)); });
}

} // namespace sbx::ui

#include "moc_journal.cpp"
