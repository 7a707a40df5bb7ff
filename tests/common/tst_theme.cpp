#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QStyle>
#include <QTableWidget>
#include <QTest>
#include <QTreeWidget>

#include "widgets/common/theme.h"

#include <memory>

using namespace sbx::ui;

namespace {

// The relative luminance of WCAG 2.1 from its text, not from the code under test.
double referenceContrast(const QColor& a, const QColor& b) {
    const auto luminance = [](const QColor& c) {
        const auto channel = [](int value) {
            const double s = value / 255.0;
            return s <= 0.03928 ? s / 12.92 : std::pow((s + 0.055) / 1.055, 2.4);
        };
        return 0.2126 * channel(c.red()) + 0.7152 * channel(c.green()) + 0.0722 * channel(c.blue());
    };
    const double high = std::max(luminance(a), luminance(b));
    const double low = std::min(luminance(a), luminance(b));
    return (high + 0.05) / (low + 0.05);
}

int inkedPixels(const QImage& image, const QColor& ink) {
    int count = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) {
            const QColor pixel = image.pixelColor(x, y);
            count += pixel.alpha() > 200 && std::abs(pixel.red() - ink.red()) < 12
                     && std::abs(pixel.green() - ink.green()) < 12
                     && std::abs(pixel.blue() - ink.blue()) < 12;
        }
    return count;
}

// Where its first letter begins, on screen: the leftmost pixel that is nearer to `ink` than to the ground.
int inkBegins(QWidget& widget, const QRect& where, const QColor& ink) {
    const QImage image = widget.grab(where).toImage();
    const auto distance = [](const QColor& a, const QColor& b) {
        return std::abs(a.red() - b.red()) + std::abs(a.green() - b.green()) + std::abs(a.blue() - b.blue());
    };
    for (int x = 2; x < image.width(); ++x)
        for (int y = 2; y < image.height() - 2; ++y)
            if (distance(image.pixelColor(x, y), ink) < distance(image.pixelColor(2, 2), ink) / 2)
                return widget.mapToGlobal(where.topLeft()).x() + x;
    return -1;
}

} // namespace

class TestTheme : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<Theme> m_theme;

private slots:
    void initTestCase() {
        m_theme = std::make_unique<Theme>(ThemeMode::Dark);
        m_theme->apply(*qApp);
    }
    void cleanup() {
        if (m_theme) // the last test ends it
            m_theme->setMode(ThemeMode::Dark);
    }

    void contrast_data() {
        QTest::addColumn<int>("mode");
        QTest::newRow("dark") << static_cast<int>(ThemeMode::Dark);
        QTest::newRow("light") << static_cast<int>(ThemeMode::Light);
    }
    void contrast() {
        QFETCH(int, mode);
        m_theme->setMode(static_cast<ThemeMode>(mode));
        const auto color = [this](Token token) { return m_theme->color(token); };
        for (const Token ground : {Token::Ground, Token::Surface, Token::Raised}) {
            QVERIFY(referenceContrast(color(Token::Text), color(ground)) >= 7.0);
            QVERIFY(referenceContrast(color(Token::Muted), color(ground)) >= 4.5);
            for (const Token word : {Token::Error, Token::Warning, Token::Info, Token::Success})
                QVERIFY2(
                    referenceContrast(color(word), color(ground)) >= 4.5,
                    qPrintable(QStringLiteral("%1 on %2").arg(color(word).name(), color(ground).name())));
            // A focus ring is a shape: 3:1.
            QVERIFY(referenceContrast(color(Token::Accent), color(ground)) >= 3.0);
        }
        QVERIFY(referenceContrast(color(Token::Text), color(Token::Selection)) >= 7.0);
        QVERIFY(referenceContrast(color(Token::Text), color(Token::SelectionInactive)) >= 7.0);
        QVERIFY(referenceContrast(color(Token::OnAccent), color(Token::Accent)) >= 4.5);
        QVERIFY(referenceContrast(color(Token::Play), color(Token::Ground)) >= 3.0);
    }

    void contrastRatioIsThatOfTheStandard() {
        QCOMPARE(qRound(contrastRatio(Qt::black, Qt::white) * 1000), 21000);
        for (const Token token : {Token::Text, Token::Muted, Token::Accent, Token::Play})
            QVERIFY(qAbs(contrastRatio(m_theme->color(token), m_theme->color(Token::Surface))
                         - referenceContrast(m_theme->color(token), m_theme->color(Token::Surface)))
                    < 0.01);
    }

    void dataColoursAreOkabeIto() {
        QCOMPARE(m_theme->hue(Hue::Vermillion).name(), QStringLiteral("#d55e00"));
        QCOMPARE(m_theme->color(Meaning::Unhandled), m_theme->hue(Hue::Vermillion));
        QCOMPARE(m_theme->color(Meaning::Consumed), m_theme->hue(Hue::Orange));
        QCOMPARE(m_theme->color(Meaning::Sent), m_theme->hue(Hue::SkyBlue));
        QCOMPARE(m_theme->color(Meaning::Resent), m_theme->hue(Hue::ReddishPurple));
        QCOMPARE(m_theme->color(Meaning::Passed), m_theme->color(Token::Muted));
        QVERIFY(m_theme->peer(0) != m_theme->peer(1));
        QCOMPARE(m_theme->peer(0), m_theme->peer(7));
    }

    void readableReachesTheContrastInBothThemes() {
        for (const ThemeMode mode : {ThemeMode::Dark, ThemeMode::Light}) {
            m_theme->setMode(mode);
            for (int i = 0; i < 7; ++i)
                QVERIFY(referenceContrast(m_theme->readable(m_theme->peer(i)), m_theme->color(Token::Surface))
                        >= 4.5);
        }
        // What is readable already stays as it is.
        QCOMPARE(m_theme->readable(m_theme->color(Token::Text), m_theme->color(Token::Surface)),
                 m_theme->color(Token::Text));
    }

    void switchingIsLive() {
        QSignalSpy spy(m_theme.get(), &Theme::changed);
        QLineEdit edit;
        edit.resize(80, 24);
        edit.show();
        const QRgb before = edit.grab().toImage().pixel(40, 4);
        m_theme->setMode(ThemeMode::Light);
        QCOMPARE(spy.count(), 1);
        const QRgb after = edit.grab().toImage().pixel(40, 4);
        QVERIFY(before != after);
        QCOMPARE(QColor(after), m_theme->color(Token::Raised));
        QCOMPARE(QApplication::palette().color(QPalette::Window), m_theme->color(Token::Ground));
        m_theme->setMode(ThemeMode::Light);
        QCOMPARE(spy.count(), 1);
    }

    void everyIconRendersInItsTint_data() {
        QTest::addColumn<QString>("name");
        for (const QString& name : Theme::iconNames())
            QTest::newRow(qPrintable(name)) << name;
    }
    void everyIconRendersInItsTint() {
        QFETCH(QString, name);
        for (const double scale : {1.0, 1.5, 2.0}) {
            const QPixmap pixmap = m_theme->icon(name, QColor(255, 0, 255)).pixmap(QSize(16, 16), scale);
            QCOMPARE(pixmap.size(), (QSizeF(16, 16) * scale).toSize());
            const QImage image = pixmap.toImage();
            QVERIFY2(inkedPixels(image, QColor(255, 0, 255)) >= 8, "hardly anything drawn");
            // Nothing touches the edge: optical size and padding are the set's.
            int edge = 0;
            for (int x = 0; x < image.width(); ++x)
                edge +=
                    (qAlpha(image.pixel(x, 0)) > 128) + (qAlpha(image.pixel(x, image.height() - 1)) > 128);
            QCOMPARE(edge, 0);
        }
    }

    void iconsThatPanelsNameExist_data() {
        QTest::addColumn<QString>("name");
        for (const char* name :
             {"play",         "pause",         "step",   "stop",       "select",   "move",      "rotate",
              "scale",        "entity",        "crate",  "ball",       "light",    "camera",    "door",
              "bat",          "ghost",         "player", "spawner",    "trigger",  "component", "message",
              "warning",      "error",         "info",   "search",     "filter",   "clear",     "close",
              "chevron-down", "chevron-right", "plus",   "duplicate",  "delete",   "undo",      "redo",
              "save",         "open",          "folder", "file",       "pin",      "eye",       "settings",
              "revert",       "console",       "trace",  "definition", "outliner", "inspector", "problems",
              "grid",         "snap",          "shadow", "layout",     "sun",      "moon",      "arrow-down",
              "unknown"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }
    void iconsThatPanelsNameExist() {
        QFETCH(QString, name);
        QVERIFY(Theme::iconNames().contains(name));
    }

    void anIconFollowsTheTheme() {
        const QIcon icon = m_theme->icon(QStringLiteral("stop"));
        const QImage dark = icon.pixmap(16, 16).toImage();
        const QImage disabled = icon.pixmap(QSize(16, 16), QIcon::Disabled).toImage();
        m_theme->setMode(ThemeMode::Light);
        const QImage light = icon.pixmap(16, 16).toImage();
        QVERIFY(dark != light);
        QVERIFY(dark != disabled);
    }

    void anUnknownIconIsDrawnNotEmpty() {
        const QImage image =
            m_theme->icon(QStringLiteral("no such icon"), QColor(Qt::red)).pixmap(16, 16).toImage();
        QVERIFY(inkedPixels(image, Qt::red) > 4);
    }

    void anIconOutlivesItsThemeSafely() {
        QIcon icon;
        {
            Theme other(ThemeMode::Light);
            icon = other.icon(QStringLiteral("play"));
        }
        QVERIFY(icon.pixmap(16, 16).isNull());
    }

    void measures() {
        QPushButton button(QStringLiteral("Play"));
        QCOMPARE(button.sizeHint().height(), measure::ControlHeight);
        QLineEdit edit;
        QCOMPARE(edit.sizeHint().height(), measure::ControlHeight);
        QTreeWidget tree;
        auto* item = new QTreeWidgetItem(&tree, {QStringLiteral("crate")});
        tree.show();
        QCOMPARE(tree.visualItemRect(item).height(), measure::RowHeight);
        QTreeWidget trace;
        setRowHeight(trace, measure::TraceRowHeight);
        auto* row = new QTreeWidgetItem(&trace, {QStringLiteral("Damage")});
        trace.show();
        QCOMPARE(trace.visualItemRect(row).height(), measure::TraceRowHeight);
        QVERIFY(m_theme->font(FontRole::Ui).pointSizeF() >= 9.0
                && m_theme->font(FontRole::Ui).pointSizeF() <= 10.0);
        const QFontMetricsF mono(
            m_theme->font(FontRole::Mono)); // not all that are say of themselves that they are
        QCOMPARE(mono.horizontalAdvance(QStringLiteral("iiii")),
                 mono.horizontalAdvance(QStringLiteral("WWWW")));
    }

    // Its texts stand under the box's own, and in a cell that is where the cell's text was.
    void aListThatPopsUpHasAnEdgeAndStandsUnderItsText_data() {
        QTest::addColumn<ThemeMode>("mode");
        QTest::newRow("dark") << ThemeMode::Dark;
        QTest::newRow("light") << ThemeMode::Light;
    }

    void aListThatPopsUpHasAnEdgeAndStandsUnderItsText() {
        QFETCH(const ThemeMode, mode);
        m_theme->setMode(mode);
        const QColor text = m_theme->color(Token::Text);
        QWidget window;
        QTableWidget table(2, 1, &window);
        table.setGeometry(40, 60, 200, 90);
        table.verticalHeader()->hide();
        table.setItem(0, 0, new QTableWidgetItem(QStringLiteral("III")));
        auto* inCell = new QComboBox;
        table.setCellWidget(1, 0, inCell);
        QComboBox alone(&window);
        alone.setGeometry(40, 10, 120, measure::ControlHeight);
        window.resize(300, 200);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        for (QComboBox* box : {&alone, inCell}) {
            box->addItems({QStringLiteral("III"), QStringLiteral("IV")});
            const int own = inkBegins(*box, box->rect(), text);
            QVERIFY(own > 0);
            box->showPopup();
            QAbstractItemView& list = *box->view();
            const auto second = [&] { return list.visualRect(list.model()->index(1, 0)); };
            QTRY_VERIFY(list.isVisible() && !second().isEmpty());
            QCOMPARE(inkBegins(*list.viewport(), second(), text), own);
            const QImage popup = list.window()->grab().toImage();
            const QPoint middle = popup.rect().center();
            for (const QPoint& at : {QPoint(0, middle.y()), QPoint(popup.width() - 1, middle.y()),
                                     QPoint(middle.x(), 0), QPoint(middle.x(), popup.height() - 1)})
                QCOMPARE(popup.pixelColor(at), m_theme->color(Token::Line));
            box->hidePopup();
            QTRY_VERIFY(!list.isVisible());
            if (box == inCell)
                QCOMPARE(inkBegins(*table.viewport(), table.visualItemRect(table.item(0, 0)), text), own);
        }
    }

    void focusIsVisible() {
        QWidget window;
        auto* first = new QLineEdit(&window);
        first->setGeometry(0, 0, 80, 24);
        auto* second = new QPushButton(QStringLiteral("Save"), &window);
        second->setGeometry(0, 40, 80, 24);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        for (QWidget* widget : {static_cast<QWidget*>(first), static_cast<QWidget*>(second)}) {
            widget->setFocus();
            QVERIFY(widget->hasFocus());
            QVERIFY(inkedPixels(widget->grab().toImage(), m_theme->color(Token::Accent)) > 60);
        }
    }

    // Last: the other tests draw with the theme's style.
    void widgetsOutliveTheTheme() {
        QVERIFY(QApplication::style()->inherits("sbx::ui::ThemeStyle"));
        QLineEdit before;
        m_theme.reset();
        QVERIFY(!QApplication::style()->inherits("sbx::ui::ThemeStyle"));
        QVERIFY(!QApplication::style()->standardIcon(QStyle::SP_TitleBarCloseButton).isNull());
        before.show();
        QVERIFY(QTest::qWaitForWindowExposed(&before));
    }
};

QTEST_MAIN(TestTheme)
#include "tst_theme.moc"
