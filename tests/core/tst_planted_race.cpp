// The race detector itself: a race between a test's own thread and another is found, in spite of what is kept out of its reports, and
// where there is none it is silent. Qt calls every test, so its library is in all of a test's stacks.

#include <QProcess>
#include <QtTest>

#include <mutex>
#include <thread>

namespace {

// What is run once more as a process of its own: a report ends that in another status.
class Planted : public QObject {
    Q_OBJECT

public:
    explicit Planted(bool guarded) : m_guarded(guarded) {}

private slots:
    void counts() {
        int count = 0;
        std::mutex mutex;
        const auto add = [&] {
            for (int i = 0; i < 1000; ++i) {
                std::unique_lock lock(mutex, std::defer_lock);
                if (m_guarded)
                    lock.lock();
                ++count;
            }
        };
        std::thread other(add);
        add();
        other.join();
        QVERIFY(count > 0);
    }

private:
    bool m_guarded;
};

} // namespace

class TestPlantedRace : public QObject {
    Q_OBJECT

    // All that the process says, and whether it ended well.
    static QByteArray run(const char* what, bool& well) {
        QProcess process;
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.start(QCoreApplication::applicationFilePath(), {QString::fromLatin1(what)});
        well = process.waitForFinished(120000) && process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0;
        return process.readAll();
    }

private slots:
    void aRaceIsFound() {
        bool well = true;
        const QByteArray said = run("race", well);
        QVERIFY2(!well && said.contains("data race"), said.constData());
    }
    void whatIsGuardedIsNone() {
        bool well = false;
        const QByteArray said = run("guarded", well);
        QVERIFY2(well && !said.contains("data race"), said.constData());
    }
};

int main(int argc, char** argv) {
    QCoreApplication application(argc, argv);
    const QByteArray what = argc > 1 ? QByteArray(argv[1]) : QByteArray();
    if (what == "race" || what == "guarded") {
        Planted planted(what == "guarded");
        return QTest::qExec(&planted, {application.applicationFilePath()});
    }
    TestPlantedRace test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_planted_race.moc"
