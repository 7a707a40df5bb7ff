// The settings on disk: what QSettings wrote is read and stays readable for it, and on a disk on which any step may fail the old or the
// new settings are there, never a part, and "saved" is said only of the new ones.

#include <QDataStream>
#include <QLockFile>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

#include "tests/failing_disk.h"
#include "widgets/common/user_settings.h"

#include <cerrno>
#include <random>

using namespace sbx::ui;
using sbx::test::failingDisk;
using sbx::test::Step;

namespace {

QByteArray bytesOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("<none>");
}

void put(const QString& path, const QByteArray& bytes) {
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(bytes), bytes.size());
}

class RandomValues {
public:
    explicit RandomValues(unsigned seed) : m_random(seed) {}
    std::size_t below(std::size_t n) { return m_random() % n; }
    QString key() {
        static const QString letters = QStringLiteral("abzAZ09_-. %&[]=;#\"\\äЖ😀");
        QString out;
        for (std::size_t i = 1 + below(8); i > 0; --i)
            out += letters[static_cast<qsizetype>(below(static_cast<std::size_t>(letters.size())))];
        return out;
    }
    QString text() {
        static const std::u32string letters(U"abcxf019AF @(),;=#\"\\\t\n\r\a\b\f\v\u0001\u007f\u0085\u00e4\u0416\u2028\U0001F600%[]/:~' ");
        QString out;
        for (std::size_t i = below(14); i > 0; --i)
            out += below(40) == 0 ? QString(QChar(0)) : QString::fromUcs4(&letters[below(letters.size())], 1);
        return out;
    }
    QByteArray bytes() {
        QByteArray out;
        for (std::size_t i = below(20); i > 0; --i)
            out += static_cast<char>(below(256));
        return out;
    }
    QVariant value() {
        switch (below(9)) {
        case 0:
            return bytes();
        case 1:
            return static_cast<int>(below(1000)) - 500;
        case 2:
            return below(2) == 0;
        case 3:
            return static_cast<double>(below(1000)) / 8.0;
        case 4: {
            QStringList out;
            for (std::size_t i = below(4); i > 0; --i)
                out.append(text());
            return out;
        }
        case 5:
            return QVariantMap{{text(), bytes()}, {text(), 1.5F}, {text(), QVariantList{1, 2.5, text()}}};
        case 6:
            return QVariantList{text(), bytes(), static_cast<int>(below(9))};
        default:
            return text();
        }
    }

private:
    std::mt19937 m_random;
};

// As callers take them: everything but maps and bytes is read as text.
QVariant normal(const QVariant& value) {
    switch (value.metaType().id()) {
    case QMetaType::QStringList:
    case QMetaType::QVariantList: {
        QVariantList out;
        for (const QVariant& element : value.toList())
            out.append(normal(element));
        return out.size() == 1 ? out[0] : out.isEmpty() ? QVariant() : out;
    }
    case QMetaType::Bool:
    case QMetaType::Int:
    case QMetaType::Double:
        return value.toString();
    default:
        return value;
    }
}

QByteArray told(const QVariant& value) {
    QString out;
    QDebug(&out).nospace() << value;
    return out.toUtf8();
}

} // namespace

#define COMPARE_VALUES(actual, wanted) QVERIFY2(normal(actual) == normal(wanted), told(actual) + " instead of " + told(wanted))

class TestUserSettings : public QObject {
    Q_OBJECT

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void cleanup() { failingDisk().repair(); }

    // The file of an editor that wrote it by QSettings: everything in it is found, and stays when something else is changed. An older
    // editor still reads the result.
    void whatQSettingsWroteIsTakenOver() {
        const QVariantMap viewport{{QStringLiteral("eye"), QVariantList{1.5F, 2.0F, -3.25F}},
                                   {QStringLiteral("yaw"), 0.5F},
                                   {QStringLiteral("tool"), 2},
                                   {QStringLiteral("local"), true}};
        const QVariantMap trace{{QStringLiteral("filter"), QStringLiteral("type == \"Damage\"")},
                                {QStringLiteral("history"), QStringList{QStringLiteral("a, b"), QStringLiteral("c")}}};
        const QByteArray geometry = QByteArray::fromHex("01d9d0cb0003000000ff2c5b5d3d226e0a0d40");
        const QStringList recent{QStringLiteral("/home/Zoë/my game, the 2nd/project.toml"), QStringLiteral("/b/project.toml")};
        {
            QSettings old(path(), QSettings::IniFormat);
            old.setValue(QStringLiteral("version"), 1);
            old.setValue(QStringLiteral("theme"), QStringLiteral("light"));
            old.setValue(QStringLiteral("recentProjects"), recent);
            old.setValue(QStringLiteral("window/geometry"), geometry);
            old.setValue(QStringLiteral("viewport"), viewport);
            old.setValue(QStringLiteral("trace"), trace);
            old.setValue(QStringLiteral("shortcuts/file.save"), QStringLiteral("Ctrl+Alt+S; F9"));
            old.setValue(QStringLiteral("shortcuts/edit.undo"), QString());
        }
        const auto same = [&](const auto& settings) {
            COMPARE_VALUES(settings.value(QStringLiteral("theme")), QStringLiteral("light"));
            QCOMPARE(settings.value(QStringLiteral("recentProjects")).toStringList(), recent);
            QCOMPARE(settings.value(QStringLiteral("window/geometry")).toByteArray(), geometry);
            QCOMPARE(settings.value(QStringLiteral("viewport")).toMap(), viewport);
            QCOMPARE(settings.value(QStringLiteral("trace")).toMap(), trace);
            QCOMPARE(settings.value(QStringLiteral("shortcuts/file.save")).toString(), QStringLiteral("Ctrl+Alt+S; F9"));
            QVERIFY(settings.contains(QStringLiteral("shortcuts/edit.undo")));
            QCOMPARE(settings.value(QStringLiteral("shortcuts/edit.undo")).toString(), QString());
        };
        {
            UserSettings settings(path());
            QVERIFY2(settings.trouble().isEmpty(), qPrintable(settings.trouble()));
            same(settings);
            QCOMPARE(settings.keysIn(QStringLiteral("shortcuts")),
                     (QStringList{QStringLiteral("shortcuts/edit.undo"), QStringLiteral("shortcuts/file.save")}));
            settings.setValue(QStringLiteral("window/state"), geometry);
            QVERIFY(settings.save().ok());
        }
        const UserSettings again(path());
        same(again);
        QCOMPARE(again.value(QStringLiteral("window/state")).toByteArray(), geometry);
        const QSettings older(path(), QSettings::IniFormat);
        QCOMPARE(older.status(), QSettings::NoError);
        same(older);
        QCOMPARE(older.value(QStringLiteral("window/state")).toByteArray(), geometry);
    }

    // Any keys and values, each way.
    void theFormatIsThatOfQSettings() {
        for (unsigned seed = 0; seed < 300; ++seed) {
            RandomValues random(seed);
            IniValues values;
            for (int i = 0; i < 6; ++i)
                values.insert(random.below(2) == 0 ? random.key() : QStringLiteral("group") + random.key() + QLatin1Char('/') + random.key(),
                              random.value());
            const QByteArray text = formatIni(values);
            const sbx::Result<IniValues> ours = parseIni(text);
            QVERIFY2(ours.ok(), text);
            QCOMPARE(ours->keys(), values.keys());
            // A name for each: QSettings keeps in memory what it has read of a file.
            const QString written = m_folder->filePath(QStringLiteral("ours%1.ini").arg(seed));
            put(written, text);
            const QSettings theirs(written, QSettings::IniFormat);
            QCOMPARE(theirs.status(), QSettings::NoError);
            const QString qt = m_folder->filePath(QStringLiteral("qt%1.ini").arg(seed));
            {
                QSettings writer(qt, QSettings::IniFormat);
                for (auto it = values.begin(); it != values.end(); ++it)
                    writer.setValue(it.key(), it.value());
            }
            const sbx::Result<IniValues> fromQt = parseIni(bytesOf(qt));
            QVERIFY2(fromQt.ok(), bytesOf(qt));
            QCOMPARE(fromQt->keys(), values.keys());
            for (auto it = values.begin(); it != values.end(); ++it) {
                COMPARE_VALUES(ours->value(it.key()), it.value());
                QVERIFY2(theirs.contains(it.key()), text);
                COMPARE_VALUES(theirs.value(it.key()), it.value());
                COMPARE_VALUES(fromQt->value(it.key()), it.value());
            }
        }
    }

    void anyBytesAreReadOrRefused() {
        std::mt19937 random(3);
        const QByteArray some("[General]\na=\"x, y\", @Variant(\\0\\0\\0\\b)\n[b]\nc\\d=@ByteArray(\\x1\\xff)\n;e\n");
        for (int round = 0; round < 5000; ++round) {
            QByteArray text = some;
            for (int i = 0; i < 4; ++i)
                text[static_cast<qsizetype>(random() % static_cast<std::size_t>(text.size()))] = static_cast<char>(random() % 256);
            if (const sbx::Result<IniValues> read = parseIni(text.left(static_cast<qsizetype>(random() % 80))); !read)
                QVERIFY(read.error().message.find("line ") != std::string::npos);
        }
    }

    // Each step of writing fails in turn, once or for good.
    void aFailingDiskLosesNothing_data() {
        QTest::addColumn<int>("step");
        QTest::addColumn<int>("size");
        for (const int size : {1, 6'900, 1'000'000})
            for (const auto& [name, step] : {std::pair("write", Step::Write), std::pair("half a write", Step::HalfWrite),
                                             std::pair("sync", Step::Sync), std::pair("close", Step::Close), std::pair("rename", Step::Rename)})
                QTest::addRow("%s, %d bytes", name, size) << static_cast<int>(step) << size;
    }
    void aFailingDiskLosesNothing() {
        QFETCH(int, step);
        QFETCH(int, size);
        const QString key = QStringLiteral("recentProjects");
        const QString newValue(size, QLatin1Char('n'));
        int failures = 0;
        for (int after = 0;; ++after)
            for (const bool forGood : {false, true}) {
                QFile::remove(path());
                UserSettings settings(path());
                settings.setValue(key, QStringLiteral("old"));
                QVERIFY(settings.save().ok());
                const QByteArray before = bytesOf(path());
                QSignalSpy saved(&settings, &UserSettings::saved);
                QSignalSpy failed(&settings, &UserSettings::saveFailed);
                settings.setValue(key, newValue);
                failingDisk().plan(static_cast<Step>(step), after, ENOSPC, forGood);
                const sbx::Result<void> result = settings.save();
                const bool reached = failingDisk().hasFailed();
                failingDisk().repair();
                QCOMPARE(saved.count(), result.ok() ? 1 : 0);
                QCOMPARE(failed.count(), result.ok() ? 0 : 1);
                const QByteArray now = bytesOf(path());
                const sbx::Result<IniValues> there = parseIni(now);
                QVERIFY(there.ok());
                QVERIFY(now == before || there->value(key).toString() == newValue);
                if (result.ok()) {
                    QCOMPARE(there->value(key).toString(), newValue);
                } else {
                    ++failures;
                    QVERIFY2(failed[0][0].toString().contains(QStringLiteral("the disk is full")), qPrintable(failed[0][0].toString()));
                    // Nothing half written stays.
                    QCOMPARE(QDir(m_folder->path()).entryList(QDir::Files | QDir::Hidden), QStringList{QStringLiteral("settings.ini")});
                }
                QCOMPARE(settings.value(key).toString(), newValue); // in force all the same
                QVERIFY(settings.save().ok());
                QCOMPARE(UserSettings(path()).value(key).toString(), newValue);
                if (!reached) {
                    QVERIFY(failures > 0);
                    return;
                }
            }
    }

    void changesAreWrittenTogetherAndByTheDestructor() {
        {
            UserSettings settings(path());
            QSignalSpy saved(&settings, &UserSettings::saved);
            settings.setValue(QStringLiteral("a"), 1);
            settings.setValue(QStringLiteral("b"), 2);
            QVERIFY(!QFile::exists(path()));
            QTRY_COMPARE(saved.count(), 1);
            QCOMPARE(bytesOf(path()), QByteArray("[General]\na=1\nb=2\nversion=1\n"));
            settings.setValue(QStringLiteral("a"), 1); // nothing new
            settings.remove(QStringLiteral("c"));
            QVERIFY(settings.save().ok());
            QCOMPARE(saved.count(), 1);
            settings.remove(QStringLiteral("b"));
        }
        QCOMPARE(bytesOf(path()), QByteArray("[General]\na=1\nversion=1\n"));
    }

    void twoEditorsKeepEachOthersChanges() {
        UserSettings first(path());
        first.setValue(QStringLiteral("theme"), QStringLiteral("dark"));
        first.setValue(QStringLiteral("shortcuts/a"), QStringLiteral("F1"));
        QVERIFY(first.save().ok());
        UserSettings second(path());
        second.setValue(QStringLiteral("theme"), QStringLiteral("light"));
        second.remove(QStringLiteral("shortcuts/a"));
        QVERIFY(second.save().ok());
        first.setValue(QStringLiteral("recentProjects"), QStringLiteral("p"));
        QVERIFY(first.save().ok());
        const UserSettings third(path());
        QCOMPARE(third.value(QStringLiteral("theme")).toString(), QStringLiteral("light"));
        QCOMPARE(third.value(QStringLiteral("recentProjects")).toString(), QStringLiteral("p"));
        QVERIFY(!third.contains(QStringLiteral("shortcuts/a")));
    }

    void anEditorThatIsWritingIsWaitedForAndThenNamed() {
        UserSettings settings(path());
        settings.setValue(QStringLiteral("a"), 1);
        QLockFile other(path() + QStringLiteral(".lock"));
        QVERIFY(other.lock());
        const sbx::Result<void> refused = settings.save();
        QVERIFY(!refused.ok());
        QVERIFY(refused.error().message.find("another program is writing the settings") != std::string::npos);
        QVERIFY(!QFile::exists(path()));
        other.unlock();
        QVERIFY(settings.save().ok());
    }

    void aBrokenFileIsSetAside_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("what");
        QTest::newRow("a byte of zero") << QByteArray("[window]\0geometry=1\n", 20) << QStringLiteral("(line 1)");
        QTest::newRow("no settings at all") << QByteArray("version=1\nwhat is this\n") << QStringLiteral("(line 2)");
        QTest::newRow("an open bracket") << QByteArray("\n\n[window\na=1\n") << QStringLiteral("(line 3)");
        QTest::newRow("a newer version") << QByteArray("[General]\nversion=2\n") << QStringLiteral("newer version");
    }
    void aBrokenFileIsSetAside() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, what);
        put(path(), bytes);
        {
            UserSettings settings(path());
            QVERIFY2(settings.trouble().contains(what), qPrintable(settings.trouble()));
            QVERIFY(settings.trouble().contains(QStringLiteral("settings.ini.broken")));
            QVERIFY(!settings.contains(QStringLiteral("version")));
            settings.setValue(QStringLiteral("a"), 1);
        }
        QCOMPARE(bytesOf(path() + QStringLiteral(".broken")), bytes);
        QCOMPARE(bytesOf(path()), QByteArray("[General]\na=1\nversion=1\n"));
    }

    // Something that cannot be read, and cannot be moved away either: it is not written over.
    void whatHasToStayIsNotWrittenOver() {
        put(path(), "not settings\n");
        UserSettings* settings = nullptr;
        {
            // Moving is what renames.
            failingDisk().plan(Step::Rename, 0, EACCES);
            settings = new UserSettings(path());
            failingDisk().repair();
        }
        const std::unique_ptr<UserSettings> owner(settings);
        QVERIFY2(settings->trouble().contains(QStringLiteral("cannot be moved away")), qPrintable(settings->trouble()));
        settings->setValue(QStringLiteral("a"), 1);
        QVERIFY(!settings->save().ok());
        QCOMPARE(bytesOf(path()), QByteArray("not settings\n"));
    }

private:
    [[nodiscard]] QString path() const { return m_folder->filePath(QStringLiteral("settings.ini")); }

    std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_GUILESS_MAIN(TestUserSettings)
#include "tst_user_settings.moc"
