// Bookmarks of the camera: set and gone to by keys, kept for their scene between runs; and what the status bar says of mouse and keys.
// Wants a display.

#include <QAction>
#include <QApplication>
#include <QSurfaceFormat>
#include <QtTest>

#include "app/editor/context_hints.h"
#include "app/editor/editor.h"
#include "app/editor/main_window.h"
#include "tests/copy_folder.h"
#include "tests/folders.h"
#include "widgets/viewport/viewport_panel.h"
#include "widgets/viewport/viewport_view.h"

#include <QLineEdit>
#include <QPushButton>

using namespace sbx;

namespace {
constexpr int Patience = 20000; // ms; a loaded machine draws slowly
} // namespace

class TestBookmarks : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_dir;
    std::unique_ptr<editor::Editor> m_editor;

    [[nodiscard]] QString project(const char* name) const { return m_dir.filePath(QLatin1String(name)); }
    editor::MainWindow& window() { return m_editor->window(); }
    ui::CameraRig& rig() { return window().viewport().view().rig(); }
    QString text(const char* id) { return m_editor->actions().find(QLatin1String(id))->text(); }
    bool trigger(const char* id) { return m_editor->actions().trigger(QLatin1String(id)).ok(); }
    void start(const char* name) {
        editor::Options options;
        options.project = project(name).toStdString();
        options.width = 1280;
        options.height = 720;
        m_editor = std::make_unique<editor::Editor>(*qApp, options, m_dir.filePath(QStringLiteral("state")));
        m_editor->start();
        QVERIFY(QTest::qWaitForWindowExposed(&window()));
        QTRY_VERIFY_WITH_TIMEOUT(!window().viewport().saveCamera().isEmpty(), Patience);
        window().activateWindow();
        window().viewport().view().setFocus();
        QTRY_VERIFY_WITH_TIMEOUT(window().viewport().view().hasFocus(), Patience);
    }
    void key(int key, Qt::KeyboardModifiers modifiers = {}) { QTest::keyClick(&window().viewport().view(), static_cast<Qt::Key>(key), modifiers); }

private slots:
    void initTestCase() {
        for (const char* name : {"courtyard", "pinball"})
            sbx::test::copyFolder(sbx::test::qSourcePath((std::string("resources/projects/") + name).c_str()), project(name));
    }
    void cleanup() { m_editor.reset(); }

    void aBookmarkBringsTheCameraBackInTheNextRunToo() {
        start("courtyard");
        QCOMPARE(m_editor->actions().conflicts().size(), std::size_t(0));
        rig().set({1.0F, 2.0F, 3.0F}, 0.5F, -0.25F, 7.0F);
        key(Qt::Key_3, Qt::ControlModifier | Qt::AltModifier);
        QCOMPARE(text("view.bookmark3"), QStringLiteral("View 3"));
        rig().set({9.0F, 9.0F, 9.0F}, 0.0F, 0.0F, 5.0F);
        key(Qt::Key_4); // there is none: the camera stays
        QCOMPARE(rig().eye(), Vec3(9.0F));
        key(Qt::Key_3);
        QTRY_COMPARE_WITH_TIMEOUT(rig().eye(), Vec3(1.0F, 2.0F, 3.0F), Patience);
        QCOMPARE(rig().yaw(), 0.5F);
        QCOMPARE(rig().pitch(), -0.25F);
        QVERIFY(trigger("view.bookmarkRename"));
        auto* line = window().findChild<QLineEdit*>(QStringLiteral("bookmarkName.name"));
        QVERIFY(line != nullptr);
        line->clear();
        QVERIFY(!window().findChild<QPushButton*>(QStringLiteral("bookmarkName.accept"))->isEnabled());
        line->setText(QStringLiteral("Gate & wall"));
        window().findChild<QPushButton*>(QStringLiteral("bookmarkName.accept"))->click();
        QCOMPARE(text("view.bookmark3"), QStringLiteral("Gate && wall"));

        // Another scene has none.
        QVERIFY(window().openProject(project("pinball")));
        QVERIFY(text("view.bookmark3") != QStringLiteral("Gate && wall"));
        m_editor.reset();

        start("courtyard");
        QCOMPARE(text("view.bookmark3"), QStringLiteral("Gate && wall"));
        rig().set({9.0F, 9.0F, 9.0F}, 0.0F, 0.0F, 5.0F);
        key(Qt::Key_3);
        QTRY_COMPARE_WITH_TIMEOUT(rig().eye(), Vec3(1.0F, 2.0F, 3.0F), Patience);
        QVERIFY(trigger("view.bookmarkDelete"));
        QVERIFY(text("view.bookmark3").contains(QStringLiteral("none")));
    }

    // The keypad's own views are not taken by the bookmarks.
    void theKeypadLooksAlongAxes() {
        start("courtyard");
        QTRY_VERIFY_WITH_TIMEOUT(window().viewport().view().shown().sceneBounds().has_value(), Patience);
        rig().set({1.0F, 2.0F, 3.0F}, 0.5F, -0.25F, 7.0F);
        key(Qt::Key_1, Qt::ControlModifier | Qt::AltModifier);
        key(Qt::Key_1, Qt::KeypadModifier);
        QTRY_COMPARE_WITH_TIMEOUT(rig().yaw(), 0.0F, Patience);
        QTRY_COMPARE_WITH_TIMEOUT(rig().pitch(), 0.0F, Patience);
    }

    // As the keyboard sends it: the event has a scan code, for which the platform would name the digit above the letters. So the shortcut map
    // must not be asked at all. Without NumLock the keys have other names.
    void theKeypadIsNoRowOfDigits_data() {
        QTest::addColumn<int>("front");
        QTest::addColumn<int>("flat");
        QTest::addColumn<int>("top");
        QTest::newRow("with NumLock") << int(Qt::Key_1) << int(Qt::Key_5) << int(Qt::Key_7);
        QTest::newRow("without") << int(Qt::Key_End) << int(Qt::Key_Clear) << int(Qt::Key_Home);
    }
    void theKeypadIsNoRowOfDigits() {
        QFETCH(int, front);
        QFETCH(int, flat);
        QFETCH(int, top);
        start("courtyard");
        QTRY_VERIFY_WITH_TIMEOUT(window().viewport().view().shown().sceneBounds().has_value(), Patience);
        const auto press = [&](int code, quint32 scan, Qt::KeyboardModifiers modifiers = {}) {
            QKeyEvent asks(QEvent::ShortcutOverride, code, modifiers | Qt::KeypadModifier, scan, 0, 0);
            asks.ignore();
            QApplication::sendEvent(&window().viewport().view(), &asks);
            QVERIFY(asks.isAccepted());
            QKeyEvent pressed(QEvent::KeyPress, code, modifiers | Qt::KeypadModifier, scan, 0, 0);
            QApplication::sendEvent(&window().viewport().view(), &pressed);
        };
        constexpr quint32 Scan1 = 87;
        constexpr quint32 Scan5 = 84;
        constexpr quint32 Scan7 = 79;
        rig().set({1.0F, 2.0F, 3.0F}, 0.5F, -0.25F, 7.0F);
        press(front, Scan1);
        QTRY_VERIFY_WITH_TIMEOUT(rig().axisView() == ui::AxisView::Front, Patience);
        press(front, Scan1, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(rig().axisView() == ui::AxisView::Back, Patience);
        press(top, Scan7);
        QTRY_VERIFY_WITH_TIMEOUT(rig().axisView() == ui::AxisView::Top, Patience);
        const bool before = rig().orthographic();
        press(flat, Scan5);
        QCOMPARE(rig().orthographic(), !before);
        QKeyEvent row(QEvent::ShortcutOverride, Qt::Key_5, Qt::NoModifier, 14, 0, 0); // the row of digits is the bookmarks'
        row.ignore();
        QApplication::sendEvent(&window().viewport().view(), &row);
        QVERIFY(!row.isAccepted());
    }

    // The line of the status bar follows what the mouse does, and can be switched off.
    void hintsSayWhatTheMouseDoesNow() {
        start("courtyard");
        auto* hints = window().findChild<editor::ContextHints*>();
        QVERIFY(hints != nullptr);
        QVERIFY(hints->isOn());
        QString now;
        connect(hints, &editor::ContextHints::changed, this, [&now](const QString& text) { now = text; });
        QWidget& view = window().viewport().view();
        const QPoint middle = view.rect().center();
        QTest::mousePress(&view, Qt::RightButton, {}, middle);
        for (int step = 1; step < 8; ++step)
            QTest::mouseMove(&view, middle + QPoint(4 * step, 0));
        QTest::keyPress(&view, Qt::Key_W);
        QTRY_VERIFY2_WITH_TIMEOUT(now.startsWith(QStringLiteral("WASD")), qPrintable(now), Patience);
        QTest::keyRelease(&view, Qt::Key_W);
        QTest::mouseRelease(&view, Qt::RightButton, {}, middle);
        QTRY_VERIFY_WITH_TIMEOUT(!now.startsWith(QStringLiteral("WASD")), Patience);
        QVERIFY(trigger("view.contextHints"));
        QVERIFY(now.isEmpty());
        QVERIFY(!hints->isOn());
        m_editor.reset();
        start("courtyard"); // it stays off
        QVERIFY(!window().findChild<editor::ContextHints*>()->isOn());
        QVERIFY(trigger("view.contextHints"));
    }
};

int main(int argc, char** argv) {
    QSurfaceFormat format;
    format.setVersion(3, 3);
    format.setProfile(QSurfaceFormat::CoreProfile);
    format.setDepthBufferSize(24);
    QSurfaceFormat::setDefaultFormat(format);
    QApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("signalbox"));
    TestBookmarks test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_bookmarks.moc"
