#pragma once
// The crash journal of one document: the unsaved texts, in a file of the state folder, so that they survive
// `kill -9`.
//
// Within half a second of a change the texts that differ from disk are written to a temporary file and renamed
// over the journal by a worker thread; a clean close or save removes it. A journal found at open belongs to a
// run that died: it is put aside as a recovery, as are those of other editors that were open on the same
// project. A lock file distinguishes a dead run's journal from that of an editor still running; the second editor takes
// the next slot. Called from the GUI thread; owned by Document.

#include <QByteArray>
#include <QDateTime>
#include <QLockFile>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QThreadPool>
#include <QTimer>

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace sbx::ui {

struct JournalText {
    std::string file; // as in Document
    std::string text;
    QByteArray baseHash; // SHA-1 of the bytes on disk the text started from
};

struct Recovery {
    QDateTime time;  // of the last write
    int changes = 0; // edits since the last save
    std::vector<JournalText> texts;
    QString path; // where it lies; its name
};

class Journal : public QObject {
    Q_OBJECT

public:
    static constexpr int DelayMs = 400; // from a change to the write that it begins, for half a second until it is on disk
    static constexpr int RetryMs = 2000; // from a failure to the next attempt, if there is no other change before

    // `texts` returns what is unsaved when the journal is written; empty removes the file.
    Journal(QString stateFolder, const QString& projectFolder, std::function<Recovery()> texts,
            QObject* parent = nullptr);
    ~Journal() override;

    // Starts the clock for the next write.
    void touch();
    // Writes now and returns when it is on disk. False: it is not (failed() says why, later); what an earlier write put there is.
    bool flush();
    // Nothing unsaved any more.
    void clear();

    // What runs that ended left, the newest first.
    [[nodiscard]] const std::vector<Recovery>& recoveries() const { return m_recoveries; }
    void discardRecovery(const QString& path);
    // What they left that is torn or foreign: set aside under these paths, because this version cannot read it.
    [[nodiscard]] const QStringList& unreadable() const { return m_unreadable; }
    [[nodiscard]] QString fileName() const;

signals:
    // Writing fails, in words, once for each reason; what an earlier write put there is still there. It is tried again until it works or
    // nothing is unsaved. Written: after a failure, it works again, or nothing is unsaved.
    void failed(const QString& reason);
    void writtenAgain();

private:
    // Empty: the last write worked.
    void setFailure(const QString& reason);
    void write();
    // Takes the first slot that no running editor has, and puts aside what dead ones left in all of them. False: no lock can be had.
    bool takeSlot();
    [[nodiscard]] QString whyNoSlot() const;
    void putAside(int slot);
    void findRecoveries();
    [[nodiscard]] QString slotBase(int slot) const;

    QString m_folder;
    QString m_key;  // of the project, within the folder
    QString m_base; // path without suffix
    std::function<Recovery()> m_texts;
    QTimer m_timer;
    QThreadPool m_writer; // one thread: writes stay in order
    std::unique_ptr<QLockFile> m_lock;
    std::vector<Recovery> m_recoveries;
    QStringList m_unreadable;
    QString m_failure; // that was reported; empty: it works
    std::atomic<bool> m_written = true; // the last write, by the worker; nothing to write counts
};

} // namespace sbx::ui
