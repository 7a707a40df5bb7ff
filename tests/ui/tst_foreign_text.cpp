// A project and a peer whose every text is hostile, in the real window: nothing of it is taken for HTML, no image it names is loaded, and
// no control character reaches a title, a label, a tool tip or a row.

#include <QAbstractItemView>
#include <QAbstractProxyModel>
#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QSurfaceFormat>
#include <QTabBar>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextDocument>
#include <QtTest>

#include "app/editor/editor.h"
#include "app/editor/main_window.h"
#include "app/editor/trust_dialog.h"
#include "engine/core/printable.h"
#include "tests/event_loop.h"
#include "tests/folders.h"
#include "widgets/common/foreign_text.h"
#include "widgets/common/notice.h"
#include "widgets/definition/definition_panel.h"

#include <atomic>
#include <set>

using namespace sbx;

namespace {

constexpr int Patience = 60000; // ms

// What HTML, a terminal and a reader's eye would each fall for; in TOML, and as it is in memory.
const char* const Toml = R"(<img src='/dev/zero'><b>&lt;bold&gt;</b> \u001b]0;owned\u0007 \u009b31m \u202egnp.exe\u202c \u2066\u2069)";
const QString Image = QStringLiteral("<img src='/dev/zero'>");

void write(const QString& path, const QByteArray& bytes) {
    QDir().mkpath(QFileInfo(path).path());
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
}

QByteArray hostile(QByteArray text) { return text.replace("HOSTILE", Toml); }

// Why a text is not fit to be seen in a place that Qt may take for HTML; empty: it is.
QString faultOf(const QString& text, bool mayBeRich) {
    if (!isPrintable(text.toStdString()))
        return QStringLiteral("control characters in: ") + ui::shownText(text);
    if (!mayBeRich || !Qt::mightBeRichText(text))
        return text.contains(QLatin1String("&quot;")) ? QStringLiteral("escaped, and shown so: ") + text : QString();
    QTextDocument document;
    document.setHtml(text);
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next())
        for (auto it = block.begin(); !it.atEnd(); ++it)
            if (it.fragment().charFormat().isImageFormat())
                return QStringLiteral("an image in: ") + text;
    // Its own tags are text, and no more escaped than once.
    if (document.toPlainText().contains(QLatin1String("&quot;")) || document.toPlainText().contains(QLatin1String("&amp;lt;")))
        return QStringLiteral("escaped twice: ") + text;
    return {};
}

} // namespace

class TestForeignText : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_dir;
    std::unique_ptr<editor::Editor> m_editor;
    QStringList m_faults;
    std::set<QString> m_hostile; // where the hostile text was met, so that the walk is known to have come to it

    editor::MainWindow& window() { return m_editor->window(); }
    void look(const QString& text, bool mayBeRich, const QString& where) {
        if (text.contains(QLatin1String("/dev/zero")))
            m_hostile.insert(where);
        if (const QString fault = faultOf(text, mayBeRich); !fault.isEmpty())
            m_faults.append(where + QStringLiteral(": ") + fault);
    }
    void lookAtModel(const QAbstractItemModel& model, const QModelIndex& parent, const QString& where, int depth = 0) {
        const int rows = std::min(model.rowCount(parent), 400);
        for (int row = 0; row < rows; ++row)
            for (int column = 0; column < model.columnCount(parent); ++column) {
                const QModelIndex index = model.index(row, column, parent);
                look(index.data(Qt::DisplayRole).toString(), false, where + QStringLiteral(" row"));
                look(index.data(Qt::ToolTipRole).toString(), true, where + QStringLiteral(" row's tip"));
                look(index.data(Qt::StatusTipRole).toString(), false, where + QStringLiteral(" row's status tip"));
                look(index.data(Qt::WhatsThisRole).toString(), true, where + QStringLiteral(" row's what's-this"));
                look(index.data(Qt::AccessibleTextRole).toString(), false, where + QStringLiteral(" row's accessible text"));
                if (column == 0 && depth < 6)
                    lookAtModel(model, index, where, depth + 1);
            }
    }
    void walk(QWidget& root) {
        QList<QWidget*> widgets = root.findChildren<QWidget*>();
        widgets.prepend(&root);
        for (QWidget* widget : std::as_const(widgets)) {
            const QString name = widget->objectName().isEmpty() ? QString::fromLatin1(widget->metaObject()->className()) : widget->objectName();
            widget->ensurePolished();
            look(widget->toolTip(), true, name + QStringLiteral(" tip"));
            look(widget->whatsThis(), true, name + QStringLiteral(" what's-this"));
            look(widget->statusTip(), false, name + QStringLiteral(" status tip"));
            look(widget->windowTitle(), false, name + QStringLiteral(" title"));
            look(widget->accessibleName(), false, name + QStringLiteral(" accessible name"));
            look(widget->accessibleDescription(), false, name + QStringLiteral(" accessible description"));
            if (const auto* label = qobject_cast<QLabel*>(widget))
                look(label->text(), label->textFormat() != Qt::PlainText, name + QStringLiteral(" text"));
            if (const auto* button = qobject_cast<QAbstractButton*>(widget))
                look(button->text(), false, name + QStringLiteral(" text"));
            if (const auto* browser = qobject_cast<QTextBrowser*>(widget))
                look(browser->toHtml(), true, name + QStringLiteral(" page"));
            if (const auto* view = qobject_cast<QAbstractItemView*>(widget); view != nullptr && view->model() != nullptr)
                lookAtModel(*view->model(), {}, name);
            else if (const auto* tabs = qobject_cast<QTabBar*>(widget))
                for (int tab = 0; tab < tabs->count(); ++tab) {
                    look(tabs->tabText(tab), false, name + QStringLiteral(" tab"));
                    look(tabs->tabToolTip(tab), true, name + QStringLiteral(" tab's tip"));
                }
            else if (const auto* box = qobject_cast<QComboBox*>(widget))
                lookAtModel(*box->model(), {}, name);
            for (const QAction* action : widget->actions()) {
                look(action->text(), false, action->objectName() + QStringLiteral(" action"));
                look(action->toolTip(), true, action->objectName() + QStringLiteral(" action's tip"));
                look(action->whatsThis(), true, action->objectName() + QStringLiteral(" action's what's-this"));
            }
        }
    }
    void answered() {
        const auto serial = std::make_shared<std::atomic<std::uint64_t>>(0);
        m_editor->execute("echo", [this, serial](const ConsoleReply&) { *serial = m_editor->feed().session().snapshot()->serial + 1; });
        QTRY_VERIFY_WITH_TIMEOUT(*serial != 0 && m_editor->feed().frame().serial >= *serial, Patience);
        QVERIFY(test::catchesUp(window()));
    }

private slots:
    void initTestCase() {
        write(m_dir.filePath(QStringLiteral("p/project.toml")),
              hostile("[project]\nname = \"HOSTILE\"\nscene = \"s.scene.toml\"\ndefinitions = [\"e.toml\"]\nplugins = [\"no/<b>such.so\"]\n"));
        write(m_dir.filePath(QStringLiteral("p/e.toml")), hostile(R"(
[Ball]
doc = "HOSTILE"
[Ball.Body]
shape = "sphere"
[Ball.Sound]
file = "<b>none.wav"
[Box]
doc = 'He said "<i>box</i>" & left'
"HOSTILE" = "HOSTILE"
[Box.Body]
shape = "HOSTILE"
)"));
        write(m_dir.filePath(QStringLiteral("p/s.scene.toml")), hostile(R"([scene]
name = "HOSTILE"
[[entity]]
type = "Ball"
name = "<img/src=/dev/zero>"
[[entity]]
type = "Ball"
name = "<b>bold</b>&lt;"
position = [0, 3, 0]
[[entity]]
type = "HOSTILE"
name = "nothing"
)"));
        editor::Options options;
        options.project = m_dir.filePath(QStringLiteral("p")).toStdString();
        options.width = 1280;
        options.height = 720;
        m_editor = std::make_unique<editor::Editor>(*qApp, options, m_dir.filePath(QStringLiteral("state")));
        m_editor->start();
        QVERIFY(QTest::qWaitForWindowExposed(&window()));
    }
    void cleanupTestCase() { m_editor.reset(); }

    void everyWidgetShowsItLiterally() {
        QTRY_VERIFY_WITH_TIMEOUT(m_editor->feed().frame().entities != nullptr, Patience);
        Log& log = m_editor->log();
        const std::string raw = "<img src='/dev/zero'> \x1b]0;owned\x07 \xc2\x9b" "31m \xe2\x80\xae" "gnp.exe";
        log.error("net", raw); // as of a peer
        ui::Notice notice;
        notice.text = QString::fromStdString(raw);
        notice.severity = Severity::Warning;
        m_editor->notices().post(notice);
        for (QDockWidget* dock : window().findChildren<QDockWidget*>())
            dock->show();
        for (const char* line : {"watch '<img src=/dev/zero>'", "echo \"<img src='/dev/zero'> \u202e\"", "select type == Ball", "sim.play",
                                 "bind F9 \"echo <img src='/dev/zero'>\"", "alias hostile \"echo <img src='/dev/zero'>\"", "list aliases"})
            m_editor->execute(line);
        answered();
        m_editor->execute("sim.step 5");
        answered();
        m_editor->selection().setEntity("<img/src=/dev/zero>", QStringLiteral("test"));
        answered();
        walk(window());
        for (const std::string& name : {std::string("<b>bold</b>&lt;")}) {
            m_editor->selection().setEntity(name, QStringLiteral("test"));
            answered();
            walk(window());
        }
        editor::TrustDialog dialog(m_editor->trusted(), m_dir.filePath(QStringLiteral("p")).toStdString(),
                                   m_editor->feed().session().catalog().plugins, false, m_editor->theme(), &window());
        dialog.show();
        walk(dialog);
        QVERIFY2(m_faults.isEmpty(), qPrintable(m_faults.join(QLatin1Char('\n'))));
        // The walk has met what it is about.
        for (const char* where : {"definition.tree row", "definition.tree row's tip", "problems.table row", "problems.table row's tip", "notice.text text"})
            QVERIFY2(m_hostile.contains(QLatin1String(where)),
                     qPrintable(QStringLiteral("%1 is not among:\n%2")
                                    .arg(QLatin1String(where), QStringList(m_hostile.begin(), m_hostile.end()).join(QLatin1Char('\n')))));
    }

    void labelsAreRichByNameOnly() {
        QLabel label(Image, &window());
        label.ensurePolished();
        QCOMPARE(label.textFormat(), Qt::PlainText);
        QLabel rich(QStringLiteral("<b>bold</b>"), &window());
        rich.setTextFormat(Qt::RichText);
        rich.ensurePolished();
        QCOMPARE(rich.textFormat(), Qt::RichText);
    }

    void tipsMeanTheirText_data() {
        QTest::addColumn<QString>("text");
        for (const char* text : {"plain", "a < b && c > d", "<b>bold</b>", "&lt;img&gt;", "\"quoted\" & 'single'", "<img src='/dev/zero'>",
                                 "x\n<table>", "two\nlines", "<!-- -->", "<?xml version='1.0'?><a>"})
            QTest::newRow(text) << QString::fromLatin1(text);
    }
    void tipsMeanTheirText() {
        QFETCH(QString, text);
        const QString tip = ui::tipText(text);
        if (!Qt::mightBeRichText(tip)) {
            QCOMPARE(tip, text);
            return;
        }
        QTextDocument document;
        document.setHtml(tip);
        QCOMPARE(document.toPlainText(), text);
    }
};

int main(int argc, char** argv) {
    QSurfaceFormat format;
    format.setVersion(3, 3);
    format.setProfile(QSurfaceFormat::CoreProfile);
    format.setDepthBufferSize(24);
    QSurfaceFormat::setDefaultFormat(format);
    QApplication app(argc, argv);
    QApplication::setApplicationName(QStringLiteral("signalbox"));
    TestForeignText test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_foreign_text.moc"
