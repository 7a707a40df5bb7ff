// The list of a folder's sound files follows the folder by itself, in folders that come later too.
#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

#include "widgets/common/sound_files.h"

using namespace sbx::ui;

namespace {
void put(const QString& path) {
    QDir().mkpath(QFileInfo(path).path());
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("RIFF");
}
} // namespace

class TestSoundFiles : public QObject {
    Q_OBJECT
private slots:
    void followsTheFolder() {
        QTemporaryDir dir;
        put(dir.filePath(QStringLiteral("bell.wav")));
        SoundFiles files;
        QSignalSpy changed(&files, &SoundFiles::changed);
        files.setFolder(dir.path());
        QCOMPARE(files.files(), QStringList{QStringLiteral("bell.wav")});
        QCOMPARE(changed.count(), 1);
        put(dir.filePath(QStringLiteral("alarm.ogg")));
        QTRY_COMPARE_WITH_TIMEOUT(changed.count(), 2, 10'000);
        QCOMPARE(files.files(), (QStringList{QStringLiteral("alarm.ogg"), QStringLiteral("bell.wav")}));
        put(dir.filePath(QStringLiteral("deep/er/drum.flac"))); // in folders that were not there
        QTRY_VERIFY_WITH_TIMEOUT(files.files().contains(QStringLiteral("deep/er/drum.flac")), 10'000);
        put(dir.filePath(QStringLiteral("deep/er/horn.wav"))); // and are watched now
        QTRY_VERIFY_WITH_TIMEOUT(files.files().contains(QStringLiteral("deep/er/horn.wav")), 10'000);
        QVERIFY(QFile::remove(dir.filePath(QStringLiteral("alarm.ogg"))));
        QTRY_VERIFY_WITH_TIMEOUT(!files.files().contains(QStringLiteral("alarm.ogg")), 10'000);
        const auto count = changed.count();
        files.look(); // nothing is new
        QCOMPARE(changed.count(), count);
        files.setFolder({});
        QVERIFY(files.files().isEmpty());
    }
};

QTEST_MAIN(TestSoundFiles)
#include "tst_sound_files.moc"
