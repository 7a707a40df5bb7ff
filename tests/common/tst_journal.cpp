#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDir>
#include <QElapsedTimer>
#include <QMap>
#include <QProcess>
#include <QSignalSpy>
#include <QTest>

#include "tests/common/document_fixture.h"
#include "tests/small_disk.h"
#include "widgets/common/journal.h"

#include <csignal>
#include <iostream>
#include <random>

using namespace sbx;
using namespace sbx::ui;

namespace {

QByteArray hashOf(const std::string& entities, const std::string& scene) {
    return QCryptographicHash::hash(QByteArray::fromStdString(entities + '\0' + scene),
                                    QCryptographicHash::Sha1)
        .toHex();
}

// One random step of a person at work: something typed, taken out, undone or done again, in either file.
void step(Document& document, std::mt19937& random) {
    const auto below = [&random](std::size_t n) { return n == 0 ? 0 : random() % n; };
    const std::string file = below(2) == 0 ? "entities.toml" : "yard.scene.toml";
    const std::string text = document.text(file);
    switch (below(8)) {
    case 0:
        document.undoStack().undo();
        return;
    case 1:
        document.undoStack().redo();
        return;
    case 2: {
        const std::size_t at = below(text.size());
        const std::size_t length = std::min<std::size_t>(below(20), text.size() - at);
        if (length > 0 && text.size() > 200)
            (void)document.edit(replace(file, at, text.substr(at, length), ""));
        return;
    }
    default:
        (void)document.edit(replace(file, below(text.size() + 1), "",
                                    std::string(1 + below(40), static_cast<char>('a' + below(26)))));
    }
}

// Walks at random and prints each state: milliseconds since the start as the clock and as the waits have it, hash. Until killed.
int walk(const QString& folder, const QString& state, unsigned seed) {
    Document document(state);
    if (!document.open(folder, Files).ok())
        return 1;
    std::mt19937 random(seed);
    QElapsedTimer clock;
    clock.start();
    int waited = 0;
    const auto tell = [&] {
        std::cout << clock.elapsed() << ' ' << waited << ' '
                  << hashOf(document.text("entities.toml"), document.text("yard.scene.toml")).constData()
                  << std::endl;
    };
    QTimer next;
    next.setSingleShot(true);
    QObject::connect(&next, &QTimer::timeout, [&] {
        step(document, random);
        tell();
        const int wait = static_cast<int>(random() % 60);
        waited += wait;
        next.start(wait);
    });
    tell();
    next.start(0);
    return QCoreApplication::exec();
}

struct Walker {
    QProcess process;
    struct State {
        qint64 clock; // milliseconds
        qint64 waited;
        QByteArray hash;
    };
    QList<State> states;

    void read() {
        while (process.canReadLine()) {
            const QList<QByteArray> words = process.readLine().trimmed().split(' ');
            if (words.size() == 3 && words[2].size() == 40)
                states.append({words[0].toLongLong(), words[1].toLongLong(), words[2]});
        }
    }
    // What is missing if the states from this one on are.
    [[nodiscard]] qint64 clockSince(const State& state) const { return states.back().clock - state.clock; }
    [[nodiscard]] qint64 waitedSince(const State& state) const { return states.back().waited - state.waited; }
};

} // namespace

class TestJournal : public QObject {
    Q_OBJECT

private slots:
    void journalSurvivesAKill() {
        Fixture f;
        f.document.reset();
        QProcess child;
        child.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        child.start(QCoreApplication::applicationFilePath(),
                    {QStringLiteral("--edit-and-wait"), f.folder.path(), f.state.path()});
        QVERIFY(child.waitForStarted());
        QVERIFY(child.waitForReadyRead(10000));
        QCOMPARE(child.readAllStandardOutput().trimmed(), QByteArray("edited"));
        // Both edits are in the first that is written; the promise is: within half a second.
        const QDir written(f.state.path());
        const QStringList journals{QStringLiteral("*.journal")};
        QTRY_COMPARE_WITH_TIMEOUT(written.entryList(journals).size(), 1, 30000);
        QVERIFY(Journal::DelayMs < 500);
        ::kill(static_cast<pid_t>(child.processId()), SIGKILL);
        QVERIFY(child.waitForFinished());

        f.document = std::make_unique<Document>(f.state.path());
        QSignalSpy spy(f.document.get(), &Document::recoveryAvailable);
        QVERIFY(f->open(f.folder.path(), Files).ok());
        QCOMPARE(spy.count(), 1);
        QVERIFY(f->recoverable() != nullptr);
        QCOMPARE(f->recoverable()->changes, 2);
        QVERIFY(f->recoverable()->time.secsTo(QDateTime::currentDateTimeUtc()) < 60);
        QCOMPARE(f->text("entities.toml"), Entities); // only when asked for
        QVERIFY(f->recover().ok());
        QCOMPARE(f->text("entities.toml"), "#" + Entities);
        QCOMPARE(f->text("yard.scene.toml"), "\n" + Scene);
        QVERIFY(f->isDirty());
        QVERIFY(f->recoverable() == nullptr);
        QCOMPARE(f->undoStack().count(), 1);
        QVERIFY(f->save().ok());
        f.reopen();
        QVERIFY(f->recoverable() == nullptr);
        QCOMPARE(f->text("entities.toml"), "#" + Entities);
    }

    // A state folder without room for a byte: no lock can be written. What a dead run left is offered all the same, and a
    // notice says that new work is not journalled until there is room.
    void onAFullDiskTheLastJournalIsOfferedAndTheNextIsAwaited() {
        Fixture f;
        f.document.reset();
        // Killed, so that its lock stays too.
        QProcess child;
        child.start(QCoreApplication::applicationFilePath(),
                    {QStringLiteral("--edit-and-wait"), f.folder.path(), f.state.path()});
        QVERIFY(child.waitForStarted());
        const QStringList journals{QStringLiteral("*.journal")};
        QTRY_COMPARE_WITH_TIMEOUT(QDir(f.state.path()).entryList(journals).size(), 1, 30000);
        ::kill(static_cast<pid_t>(child.processId()), SIGKILL);
        QVERIFY(child.waitForFinished());
        QCOMPARE(QDir(f.state.path()).entryList({QStringLiteral("*.lock")}).size(), 1);
        f.document = std::make_unique<Document>(f.state.path());
        QSignalSpy failed(f.document.get(), &Document::journalFailed);
        QSignalSpy written(f.document.get(), &Document::journalWritten);
        {
            const sbx::test::SmallDisk full(0);
            QVERIFY(f->open(f.folder.path(), Files).ok());
            QVERIFY(f->recoverable() != nullptr);
            QVERIFY(f->recoverable()->texts[0].text.starts_with("##"));
            QCOMPARE(failed.count(), 0);
            QVERIFY(f->edit(replace("entities.toml", 0, "#", "#after")).ok());
            f->flushJournal();
            QCOMPARE(failed.count(), 1);
            QVERIFY2(failed[0][0].toString().startsWith(QStringLiteral("cannot write: ")), qPrintable(failed[0][0].toString()));
            // Told once, however often it is tried.
            QVERIFY(f->edit(replace("entities.toml", 0, "#", "##")).ok());
            f->flushJournal();
            QCOMPARE(failed.count(), 1);
            QVERIFY(QDir(f.state.path()).entryList(journals).isEmpty());
        }
        // Without another change.
        QTRY_COMPARE_WITH_TIMEOUT(written.count(), 1, 30000);
        QCOMPARE(QDir(f.state.path()).entryList(journals).size(), 1);
        QVERIFY(f->recoverable()->texts[0].text.starts_with("##"));
        f.reopen();
        QCOMPARE(f->recoveries().size(), std::size_t{2});
    }

    // Who never rests is journalled all the same: changes come faster than the delay, and do not put the write off.
    void aStreamOfChangesIsJournalledToo() {
        Fixture f;
        QTimer stream;
        std::size_t typed = 0;
        connect(&stream, &QTimer::timeout, [&] {
            QVERIFY(f->edit(replace("entities.toml", 0, "", "#")).ok());
            ++typed;
        });
        stream.start(Journal::DelayMs / 8);
        const QDir state(f.state.path());
        QTRY_VERIFY_WITH_TIMEOUT(!state.entryList({QStringLiteral("*.journal")}).isEmpty(), 30000);
        QVERIFY(typed > 0);
    }

    // What was taken in is on the disk by one of the two names, at each moment.
    void onAFullDiskWhatWasRecoveredStaysOffered() {
        Fixture f;
        QVERIFY(f->edit(replace("entities.toml", 0, "#", "#left")).ok());
        f.reopen(); // destroyed without close, as a crash
        QCOMPARE(f->recoveries().size(), std::size_t{1});
        {
            const sbx::test::SmallDisk full(0);
            QVERIFY(f->recover().ok());
            QVERIFY(f->text("entities.toml").starts_with("#left"));
            QCOMPARE(f->recoveries().size(), std::size_t{1});
            QVERIFY(QDir(f.state.path()).entryList({QStringLiteral("*.journal")}).isEmpty());
            f.document.reset(); // a crash
        }
        f.reopen();
        QCOMPARE(f->recoveries().size(), std::size_t{1});
        QVERIFY(f->recoveries()[0].texts[0].text.starts_with("#left"));
        QVERIFY(f->recover().ok());
        QVERIFY(f->recoverable() == nullptr);
    }

    // The notice about it goes with the work.
    void savingEndsTheTroubleWithTheJournal() {
        Fixture f;
        QSignalSpy failed(f.document.get(), &Document::journalFailed);
        QSignalSpy written(f.document.get(), &Document::journalWritten);
        {
            const sbx::test::SmallDisk full(0);
            QVERIFY(f->edit(replace("entities.toml", 0, "#", "##")).ok());
            f->flushJournal();
            QTRY_COMPARE(failed.count(), 1);
        }
        QVERIFY(f->save().ok());
        QCOMPARE(written.count(), 1);
    }

    void anUnansweredRecoveryIsNotLostToNewWork() {
        Fixture f;
        QVERIFY(f->edit(replace("entities.toml", 0, "#", "#first")).ok());
        f.reopen(); // destroyed without close, as a crash
        QVERIFY(f->recoverable() != nullptr);
        QVERIFY(f->edit(replace("entities.toml", 0, "#", "#second")).ok());
        f.reopen();
        QVERIFY(f->recoverable() != nullptr);
        QVERIFY(f->recoverable()->texts[0].text.starts_with("#second"));
        f->discardRecovery();
        QVERIFY(f->recoverable() != nullptr);
        QVERIFY(f->recoverable()->texts[0].text.starts_with("#first"));
        f->discardRecovery();
        QVERIFY(f->recoverable() == nullptr);
    }

    void aCleanCloseOrSaveLeavesNoJournal() {
        Fixture f;
        QVERIFY(f->edit(replace("entities.toml", 0, "#", "##")).ok());
        f->flushJournal();
        QCOMPARE(QDir(f.state.path()).entryList({QStringLiteral("*.journal")}).size(), 1);
        QVERIFY(f->save().ok());
        QCOMPARE(QDir(f.state.path()).entryList({QStringLiteral("*.journal")}).size(), 0);
        QVERIFY(f->edit(replace("entities.toml", 0, "#", "##")).ok());
        f->flushJournal();
        f->close(); // discarded by someone who was asked
        QCOMPARE(QDir(f.state.path()).entryList({QStringLiteral("*.journal")}).size(), 0);
        f.reopen();
        QVERIFY(f->recoverable() == nullptr);
    }

    void undoingEverythingEmptiesTheJournal() {
        Fixture f;
        QVERIFY(f->edit(replace("entities.toml", 0, "#", "##")).ok());
        f->flushJournal();
        f->undoStack().undo();
        f->flushJournal();
        QCOMPARE(QDir(f.state.path()).entryList({QStringLiteral("*.journal")}).size(), 0);
    }

    void aSecondEditorHasAJournalOfItsOwn() {
        Fixture f;
        QVERIFY(f->edit(replace("entities.toml", 0, "#", "##")).ok());
        f->flushJournal();
        Document second(f.state.path());
        QVERIFY(second.open(f.folder.path(), Files).ok());
        QVERIFY(second.recoverable() == nullptr); // the first one lives
        QVERIFY(second.edit(replace("entities.toml", 0, "#", "#2")).ok());
        second.flushJournal();
        QCOMPARE(QDir(f.state.path()).entryList({QStringLiteral("*.journal")}).size(), 2);
        second.close();
    }

    // Two editors on one project, both killed: whoever opens it next finds both, the newest first.
    void ofTwoEditorsBothAreOffered() {
        Fixture f;
        QVERIFY(f->edit(replace("entities.toml", 0, "#", "#first")).ok());
        f->flushJournal();
        auto second = std::make_unique<Document>(f.state.path());
        QVERIFY(second->open(f.folder.path(), Files).ok());
        QVERIFY(second->edit(replace("entities.toml", 0, "#", "#second")).ok());
        second->flushJournal();
        second.reset(); // destroyed without close, as a crash
        f.reopen();
        const std::vector<Recovery> all = f->recoveries();
        QCOMPARE(all.size(), std::size_t{2});
        QVERIFY(all[0].time >= all[1].time);
        QVERIFY(all[0].texts[0].text.starts_with("#second"));
        QVERIFY(all[1].texts[0].text.starts_with("#first"));
        QVERIFY(f->recover(QString(all[1].path)).ok());
        QVERIFY(f->text("entities.toml").starts_with("#first"));
        QCOMPARE(f->recoveries().size(), std::size_t{1});
        f->undoStack().undo();
        QCOMPARE(f->text("entities.toml"), Entities);
        f->discardRecovery();
        QVERIFY(f->recoverable() == nullptr);
    }

    // Two editors at work on one project, killed at any moment, a hundred times with SBX_KILLS=100: everything is offered, each text
    // is one that was really there, and the test prints how much is missing. The verdict counts the waits between the steps, not the clock: four
    // times the promise may be missing, since the system's disk takes part of it.
    void killedAtAnyMomentOfARandomWalk() {
        const int kills = std::max(4, qEnvironmentVariableIntValue("SBX_KILLS"));
        const QMap<std::string, std::string> disk{{"entities.toml", Entities}, {"yard.scene.toml", Scene}};
        std::mt19937 random(static_cast<unsigned>(kills));
        constexpr qint64 MaxMissing = 2000; // milliseconds of waits
        qint64 worst = 0;
        int offered = 0;
        for (int round = 0; round * 2 < kills; ++round) {
            Fixture f;
            f.document.reset();
            std::array<Walker, 2> walkers;
            for (std::size_t i = 0; i < 2; ++i) {
                walkers[i].process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
                walkers[i].process.start(
                    QCoreApplication::applicationFilePath(),
                    {QStringLiteral("--walk"), f.folder.path(), f.state.path(), QString::number(random())});
                QVERIFY(walkers[i].process.waitForStarted());
            }
            // So many steps before the end, counted, not timed: of one step up to some ten seconds' work.
            for (Walker& walker : walkers) {
                const int steps = 1 + static_cast<int>(random() % 120);
                while (walker.states.size() < steps && walker.process.waitForReadyRead(30000))
                    walker.read();
                QVERIFY(walker.states.size() >= steps);
            }
            for (Walker& walker : walkers)
                ::kill(static_cast<pid_t>(walker.process.processId()), SIGKILL);
            for (Walker& walker : walkers) {
                QVERIFY(walker.process.waitForFinished());
                walker.read();
            }
            f.reopen();
            const std::vector<Recovery> all = f->recoveries();
            QVERIFY(all.size() <= 2);
            std::vector<bool> found(2, false);
            for (const Recovery& recovery : all) {
                QMap<std::string, std::string> texts = disk;
                for (const JournalText& text : recovery.texts)
                    texts[text.file] = text.text;
                const QByteArray hash = hashOf(texts["entities.toml"], texts["yard.scene.toml"]);
                bool known = false;
                for (std::size_t i = 0; i < 2; ++i) {
                    const auto& states = walkers[i].states;
                    const auto last = std::find_if(states.rbegin(), states.rend(),
                                                   [&](const auto& one) { return one.hash == hash; });
                    if (last == states.rend())
                        continue;
                    known = found[i] = true;
                    if (last == states.rbegin())
                        continue;
                    worst = std::max(worst, walkers[i].clockSince(*(last - 1)));
                    QVERIFY2(walkers[i].waitedSince(*(last - 1)) <= MaxMissing,
                             qPrintable(QString::number(walkers[i].waitedSince(*(last - 1)))));
                }
                QVERIFY(known);
                ++offered;
            }
            // Nothing of an editor: all its work since the texts were last those on the disk is missing.
            for (std::size_t i = 0; i < 2; ++i) {
                if (found[i])
                    continue;
                const Walker::State* since = &walkers[i].states.front();
                for (const Walker::State& state : walkers[i].states)
                    if (state.hash == hashOf(Entities, Scene))
                        since = &state;
                worst = std::max(worst, walkers[i].clockSince(*since));
                QVERIFY2(walkers[i].waitedSince(*since) <= MaxMissing,
                         qPrintable(QString::number(walkers[i].waitedSince(*since))));
            }
            for (const Recovery& recovery : all)
                QVERIFY(f->recover(QString(recovery.path)).ok());
            QVERIFY(f->recoverable() == nullptr);
        }
        qInfo("%d kills, %d recoveries offered, at most %lld ms of work missing", kills, offered,
              static_cast<long long>(worst));
    }

    // The other editor still runs: what it journals is its own.
    void theJournalOfAnEditorThatRunsIsLeftAlone() {
        Fixture f;
        Document second(f.state.path());
        QVERIFY(second.open(f.folder.path(), Files).ok());
        QVERIFY(second.edit(replace("entities.toml", 0, "#", "#second")).ok());
        second.flushJournal();
        f.reopen();
        QVERIFY(f->recoverable() == nullptr);
        QCOMPARE(QDir(f.state.path()).entryList({QStringLiteral("*.journal")}).size(), 1);
        second.close();
    }
    // Killed between the save and the end of its journal: there is nothing that is not saved.
    void aStaleJournalIsNoCrash() {
        Fixture f;
        QVERIFY(f->edit(replace("entities.toml", 0, "#", "##")).ok());
        const std::string text = f->text("entities.toml");
        f.document.reset();
        put(f.at(QStringLiteral("entities.toml")), text);
        f.reopen();
        QVERIFY(f->recoverable() == nullptr);
        QVERIFY(QDir(f.state.path()).entryList({QStringLiteral("*.recover*")}).isEmpty());
    }
    // Torn, or of another version: nobody here can read it, but it may be somebody's work.
    void whatCannotBeReadIsSetAsideAndTold() {
        Fixture f;
        QVERIFY(f->edit(replace("entities.toml", 0, "#", "##")).ok());
        f->flushJournal();
        f.document.reset();
        const QDir state(f.state.path());
        const QString journal = state.filePath(state.entryList({QStringLiteral("*.journal")}).value(0));
        const std::string torn = get(journal).substr(0, 40);
        put(journal, torn);
        f.document = std::make_unique<Document>(f.state.path());
        QSignalSpy told(f.document.get(), &Document::recoveryUnreadable);
        QSignalSpy offered(f.document.get(), &Document::recoveryAvailable);
        QVERIFY(f->open(f.folder.path(), Files).ok());
        QCOMPARE(offered.count(), 0);
        QCOMPARE(told.count(), 1);
        QCOMPARE(get(told[0][0].toString()), torn);
        // Once; and the next one does not take its place.
        put(journal, "of another program");
        f.reopen();
        QCOMPARE(get(told[0][0].toString()), torn);
        QCOMPARE(state.entryList({QStringLiteral("*.unreadable")}).size(), 2);
        f.reopen();
        QCOMPARE(state.entryList({QStringLiteral("*.unreadable")}).size(), 2);
    }
    // Saved after the work was left: that is told, for recovering would replace what is newer.
    void newerSavedWorkIsTold() {
        Fixture f;
        QVERIFY(f->edit(replace("entities.toml", 0, "#", "#left")).ok());
        f.reopen();
        QVERIFY(!f->savedSince(f->recoveries()[0].texts[0]));
        QVERIFY(f->edit(replace("entities.toml", 0, "#", "#newer")).ok());
        QVERIFY(f->save().ok());
        QVERIFY(f->savedSince(f->recoveries()[0].texts[0]));
        f.reopen();
        QCOMPARE(f->recoveries().size(), std::size_t{1});
        QVERIFY(f->savedSince(f->recoveries()[0].texts[0]));
        QVERIFY(f->recover().ok());
        f->undoStack().undo();
        QVERIFY(f->text("entities.toml").starts_with("#newer"));
    }

    void aTornJournalIsIgnored_data() {
        QTest::addColumn<int>("damage");
        for (int i = 0; i < 6; ++i)
            QTest::addRow("%d", i) << i;
    }
    void aTornJournalIsIgnored() {
        QFETCH(int, damage);
        Fixture f;
        QVERIFY(f->edit(replace("entities.toml", 0, "#", "##")).ok());
        f.document.reset();
        const QDir state(f.state.path());
        const QString path = state.filePath(state.entryList({QStringLiteral("*.journal")}).value(0));
        std::string bytes = get(path);
        QVERIFY(bytes.size() > 40);
        switch (damage) {
        case 0:
            bytes.clear();
            break;
        case 1:
            bytes.resize(bytes.size() / 2);
            break;
        case 2:
            bytes[bytes.size() - 3] ^= 1;
            break;
        case 3:
            bytes[0] = 'X';
            break;
        case 4:
            bytes = std::string(100, '\xff');
            break;
        default:
            bytes.resize(12);
            break;
        }
        put(path, bytes);
        f.reopen();
        QVERIFY(f->recoverable() == nullptr);
        QCOMPARE(f->text("entities.toml"), Entities);
    }
};

int main(int argc, char** argv) {
    QCoreApplication application(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    if (arguments.value(1) == QLatin1String("--edit-and-wait")) {
        // Edits, says so, and goes on until killed.
        Document document(arguments[3]);
        if (!document.open(arguments[2], Files).ok()
            || !document.edit(replace("entities.toml", 0, "", "#")).ok()
            || !document.edit(replace("yard.scene.toml", 0, "", "\n")).ok())
            return 1;
        std::cout << "edited" << std::endl;
        return QCoreApplication::exec();
    }
    if (arguments.value(1) == QLatin1String("--walk"))
        return walk(arguments[2], arguments[3], arguments[4].toUInt());
    TestJournal test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_journal.moc"
