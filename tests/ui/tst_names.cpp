// Every control of the window can be found by name, by remote control and tests, and says what it is to who does not see it: an object
// name that is unique among the controls of the place it lies in, and a text or an accessible name. Wants a display.

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QHeaderView>
#include <QLineEdit>
#include <QSurfaceFormat>
#include <QTabBar>
#include <QtTest>

#include "app/editor/editor.h"
#include "app/editor/main_window.h"
#include "app/remote/widget_search.h"
#include "tests/copy_folder.h"
#include "tests/folders.h"
#include "widgets/viewport/gl_target.h"

#include <algorithm>
#include <map>

using namespace sbx;

namespace {

constexpr int Patience = 60000; // ms; a loaded machine draws slowly

// Parts that Qt makes for a control, which are reached through it.
bool isQtsOwn(const QWidget& widget) {
    if (widget.objectName().startsWith(QLatin1String("qt_")))
        return true;
    const QObject* parent = widget.parent();
    return qobject_cast<const QHeaderView*>(&widget) != nullptr
           || qobject_cast<const QTabBar*>(parent) != nullptr
           || qobject_cast<const QLineEdit*>(parent) != nullptr
           || qobject_cast<const QComboBox*>(parent) != nullptr
           || qobject_cast<const QDockWidget*>(parent) != nullptr
           || (parent != nullptr && parent->inherits("QComboBoxPrivateContainer"))
           || widget.inherits("QMainWindowTabBar") || widget.inherits("QTableCornerButton");
}

bool isControl(const QWidget& widget) {
    return qobject_cast<const QAbstractButton*>(&widget) != nullptr
           || qobject_cast<const QLineEdit*>(&widget) != nullptr
           || qobject_cast<const QComboBox*>(&widget) != nullptr
           || qobject_cast<const QAbstractItemView*>(&widget) != nullptr
           || qobject_cast<const QTabBar*>(&widget) != nullptr;
}

bool saysWhatItIs(const QWidget& widget) {
    if (!widget.accessibleName().isEmpty())
        return true;
    if (const auto* button = qobject_cast<const QAbstractButton*>(&widget))
        return !button->text().isEmpty();
    return qobject_cast<const QTabBar*>(&widget) != nullptr; // its tabs do
}

} // namespace

class TestNames : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_dir;
    std::unique_ptr<editor::Editor> m_editor;

    editor::MainWindow& window() { return m_editor->window(); }

    // What is wrong with the controls that can be seen now; how many there are is added to `count`.
    QStringList faults(int& count) {
        QStringList out;
        std::map<QString, int> paths;
        for (const QWidget* widget : window().findChildren<QWidget*>()) {
            if (!widget->isVisible() || !isControl(*widget) || isQtsOwn(*widget))
                continue;
            ++count;
            const QString path = remote::widgetPath(*widget);
            const QString what =
                QLatin1String(widget->metaObject()->className()) + QStringLiteral(" in ") + path;
            if (widget->objectName().isEmpty())
                out << QStringLiteral("without a name: ") + what;
            else if (++paths[path] == 2)
                out << QStringLiteral("two of one name: ") + what;
            if (!saysWhatItIs(*widget))
                out << QStringLiteral("says nothing: ") + what;
        }
        return out;
    }

private slots:
    void everyControlHasANameAndSaysWhatItIs_data() {
        QTest::addColumn<QString>("project");
        QTest::newRow("start page") << QString();
        QTest::newRow("courtyard") << QStringLiteral("courtyard");
    }
    void everyControlHasANameAndSaysWhatItIs() {
        QFETCH(QString, project);
        editor::Options options;
        if (!project.isEmpty()) {
            const QString copy = m_dir.filePath(project);
            test::copyFolder(test::qSourcePath("resources/projects/courtyard"), copy);
            options.project = copy.toStdString();
        }
        options.width = 1920;
        options.height = 1000;
        options.cvars = {{"audio.volume", "0"}};
        m_editor = std::make_unique<editor::Editor>(*qApp, options,
                                                    m_dir.filePath(QStringLiteral("state") + project));
        m_editor->start();
        QVERIFY(QTest::qWaitForWindowExposed(&window()));
        if (!project.isEmpty()) {
            QTRY_VERIFY_WITH_TIMEOUT(m_editor->feed().frame().entities != nullptr
                                         && !m_editor->feed().frame().entities->rows.empty(),
                                     Patience);
            m_editor->selection().setEntity("crate_1", QStringLiteral("test"));
        }
        int count = 0;
        QStringList wrong;
        for (QDockWidget* dock : window().findChildren<QDockWidget*>()) {
            dock->show();
            dock->raise();
            QTRY_VERIFY_WITH_TIMEOUT(dock->isVisible(), Patience);
            QCoreApplication::processEvents();
            wrong += faults(count);
        }
        wrong.removeDuplicates();
        QVERIFY2(wrong.isEmpty(), qPrintable(QStringLiteral("\n") + wrong.join(QLatin1Char('\n'))));
        QVERIFY2(count > (project.isEmpty() ? 20 : 200), qPrintable(QString::number(count)));
        m_editor.reset();
    }
};

int main(int argc, char** argv) {
    QSurfaceFormat::setDefaultFormat(ui::wantedFormat());
    QApplication application(argc, argv);
    TestNames test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_names.moc"
