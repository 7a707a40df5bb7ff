#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QCompleter>
#include <QHelpEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMouseEvent>
#include <QPushButton>
#include <QSignalSpy>
#include <QStyleOptionFrame>
#include <QTest>
#include <QToolButton>
#include <QToolTip>
#include <QVBoxLayout>
#include <QWheelEvent>

#include "widgets/common/color_picker.h"
#include "widgets/common/field_editor.h"
#include "widgets/common/number_field.h"
#include "widgets/common/theme.h"

#include <memory>

using namespace sbx;
using namespace sbx::ui;

Q_DECLARE_METATYPE(sbx::Value)
Q_DECLARE_METATYPE(sbx::ui::FieldChange)

namespace {

enum class Shape { Box, Sphere, Plane };

struct All {
    bool flag = true;
    int count = 12;
    std::uint8_t small = 3;
    float mass = 5.0F;
    double precise = 0.1;
    float share = 0.25F;
    Vec2 uv{0.5F, 1.0F};
    Vec3 position{1.0F, -2.0F, 3.5F};
    Vec4 plane{0.0F, 1.0F, 0.0F, 2.0F};
    Quat rotation = fromEulerDegrees({10.0F, 20.0F, 30.0F});
    Vec4 tint{0.5F, 0.25F, 0.125F, 0.75F};
    Vec4 glow{3.0F, 1.0F, 0.5F, 1.0F};
    std::string title = "caf\xc3\xa9 \"box\"";
    Text name = "short";
    std::string mesh = "meshes/crate.obj";
    std::string target = "door";
    Shape shape = Shape::Sphere;
    EntityId owner = EntityId::fromBits(0x100000002ULL);

    static void describe(FieldList<All>& f) {
        f.add("flag", &All::flag, "A switch.");
        f.add("count", &All::count, "How many.").range(0, 100000);
        f.add("small", &All::small, "A byte.");
        f.add("mass", &All::mass, "Mass of a dynamic body.").unit("kg").range(0.001, 1e6);
        f.add("precise", &All::precise, "A double.");
        f.add("share", &All::share, "Between none and all.").range(0, 1);
        f.add("uv", &All::uv, "Two.");
        f.add("position", &All::position, "Three.").unit("m");
        f.add("plane", &All::plane, "Four.");
        f.add("rotation", &All::rotation, "Turned.");
        f.add("tint", &All::tint, "Base colour.").color().range(0, 1);
        f.add("glow", &All::glow, "Own light.").color();
        f.add("title", &All::title, "Text.");
        f.add("name", &All::name, "Short text.");
        f.add("mesh", &All::mesh, "A path.").role(TextRole::AssetPath);
        f.add("target", &All::target, "A name.").role(TextRole::EntityName);
        f.add("shape", &All::shape, "A choice.").choices({"box", "sphere", "plane"});
        f.add("owner", &All::owner, "An entity.");
    }
};

const FieldInfo& field(const char* name) {
    const FieldInfo* info = fieldsOf<All>().find(name);
    Q_ASSERT(info != nullptr);
    return *info;
}

struct Host {
    Value last; // these outlive the window, which takes what is typed when it goes
    int uncommitted = 0;
    int committed = 0;
    QWidget window;
    FieldEditor* editor;

    Host(const char* name, const Theme& theme, const FieldSources& sources = {}) {
        auto* column = new QVBoxLayout(&window);
        editor = FieldEditor::create(field(name), theme, sources, &window);
        column->addWidget(editor);
        column->addWidget(new QLineEdit(&window)); // somewhere else for the focus
        window.resize(400, 120);
        const All defaults;
        editor->setValue(field(name).read(&defaults));
        QObject::connect(editor, &FieldEditor::edited, &window, [this](const Value& value, bool commit) {
            last = value;
            commit ? ++committed : ++uncommitted;
        });
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        window.findChild<QLineEdit*>(QString(), Qt::FindDirectChildrenOnly)->setFocus();
    }
    template <typename T> T* input(const char* name = "input") {
        return editor->findChild<T*>(QString::fromLatin1(name));
    }
    void type(QLineEdit* edit, const QString& text) {
        edit->setFocus();
        edit->selectAll();
        QTest::keyClicks(edit, text);
        QTest::keyClick(edit, Qt::Key_Return);
    }
};

void drag(QWidget* widget, int from, int to, Qt::KeyboardModifiers modifiers = {}) {
    const int y = widget->height() / 2;
    QTest::mousePress(widget, Qt::LeftButton, modifiers, QPoint(from, y));
    const auto moveTo = [&](int x) {
        QMouseEvent event(QEvent::MouseMove, QPointF(x, y), widget->mapToGlobal(QPointF(x, y)), Qt::NoButton,
                          Qt::LeftButton, modifiers);
        QApplication::sendEvent(widget, &event);
    };
    for (int x = from; x != to; x += to > from ? 1 : -1)
        moveTo(x);
    moveTo(to);
    QTest::mouseRelease(widget, Qt::LeftButton, modifiers, QPoint(to, y));
}

} // namespace

class TestFieldEditors : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<Theme> m_theme;

private slots:
    void initTestCase() {
        m_theme = std::make_unique<Theme>();
        m_theme->apply(*qApp);
    }

    void showingIsSilentAndKeepsTheValue_data() {
        QTest::addColumn<QString>("name");
        for (const FieldInfo& info : fieldsOf<All>())
            QTest::newRow(info.name.c_str()) << QString::fromStdString(info.name);
    }
    void showingIsSilentAndKeepsTheValue() {
        QFETCH(QString, name);
        Host host(name.toLatin1().constData(), *m_theme);
        All other;
        other.position = {7, 8, 9};
        const Value value = field(name.toLatin1().constData()).read(&other);
        host.editor->setValue(value);
        QVERIFY(host.editor->value() == value);
        // In and out by Tab changes nothing either.
        host.editor->setFocus();
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        QCOMPARE(host.committed + host.uncommitted, 0);
        QVERIFY(host.editor->value() == value);
        QVERIFY(!host.editor->accessibleName().isEmpty());
        QVERIFY(host.editor->toolTip().contains(name));
        // And a value of another kind does no harm.
        host.editor->setValue(Value());
        QCOMPARE(host.committed + host.uncommitted, 0);
    }

    void boolean() {
        Host host("flag", *m_theme);
        QTest::mouseClick(host.input<QCheckBox>(), Qt::LeftButton, {},
                          QPoint(6, host.input<QCheckBox>()->height() / 2));
        QCOMPARE(host.committed, 1);
        QCOMPARE(std::get<bool>(host.last), false);
    }

    void numbers_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("typed");
        QTest::addColumn<double>("expected");
        QTest::newRow("int") << "count"
                             << "42" << 42.0;
        QTest::newRow("byte") << "small"
                              << "255" << 255.0;
        QTest::newRow("float") << "mass"
                               << "7.25" << 7.25;
        QTest::newRow("with unit") << "mass"
                                   << "8 kg" << 8.0;
        QTest::newRow("comma") << "mass"
                               << "2,5" << 2.5;
        QTest::newRow("small") << "mass"
                               << "0.001" << 0.001;
        QTest::newRow("exponent") << "precise"
                                  << "1e-9" << 1e-9;
        QTest::newRow("seventeen digits") << "precise"
                                          << "0.30000000000000004" << 0.30000000000000004;
    }
    void numbers() {
        QFETCH(QString, name);
        QFETCH(QString, typed);
        QFETCH(double, expected);
        Host host(name.toLatin1().constData(), *m_theme);
        host.type(host.input<NumberField>(), typed);
        QCOMPARE(host.committed, 1);
        QCOMPARE(host.uncommitted, 0);
        const double got = std::holds_alternative<std::int64_t>(host.last)
                               ? static_cast<double>(std::get<std::int64_t>(host.last))
                               : std::get<double>(host.last);
        QVERIFY(got == expected);
        QCOMPARE(std::holds_alternative<std::int64_t>(host.last),
                 host.editor->field().type == FieldType::Int);
    }

    void wrongNumbersSayWhyAndSendNothing_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("typed");
        QTest::newRow("below") << "mass"
                               << "-1";
        QTest::newRow("above") << "mass"
                               << "2e6";
        QTest::newRow("fraction") << "count"
                                  << "1.5";
        QTest::newRow("byte") << "small"
                              << "256";
        QTest::newRow("sign alone") << "precise"
                                    << "-";
        QTest::newRow("exponent without digits") << "precise"
                                                 << "1e";
        QTest::newRow("empty") << "mass"
                               << " ";
        QTest::newRow("infinity") << "precise"
                                  << "1e999";
        QTest::newRow("no such number") << "mass"
                                        << "nan";
        QTest::newRow("more than a whole number can be") << "count"
                                                         << "10^30";
        QTest::newRow("unit of something else") << "mass"
                                                << "5 cm";
    }
    void wrongNumbersSayWhyAndSendNothing() {
        QFETCH(QString, name);
        QFETCH(QString, typed);
        Host host(name.toLatin1().constData(), *m_theme);
        const Value before = host.editor->value();
        host.type(host.input<NumberField>(), typed);
        QCOMPARE(host.committed, 0);
        QVERIFY(!host.editor->problem().isEmpty());
        QVERIFY(host.editor->findChild<QLabel*>(QStringLiteral("problem"))->isVisible());
        QTest::keyClick(host.input<NumberField>(), Qt::Key_Escape);
        QVERIFY(host.editor->problem().isEmpty());
        QVERIFY(host.editor->value() == before);
        QCOMPARE(host.committed, 0);
    }

    void expressions_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("typed");
        QTest::addColumn<double>("expected");
        QTest::newRow("share") << "mass"
                               << "1/2" << 0.5;
        QTest::newRow("product") << "precise"
                                 << "2*3.5" << 7.0;
        QTest::newRow("parentheses") << "mass"
                                     << "(1+2)*4" << 12.0;
        QTest::newRow("function") << "precise"
                                  << "sin(30)" << 0.5;
        QTest::newRow("whole") << "count"
                               << "10/2" << 5.0;
        QTest::newRow("another unit") << "mass"
                                      << "250 g" << 0.25;
        QTest::newRow("added expression") << "mass"
                                          << "+= 1/2" << 5.5;
        QTest::newRow("added with unit") << "mass"
                                         << "+= 500 g" << 5.5;
    }
    void expressions() {
        QFETCH(QString, name);
        QFETCH(QString, typed);
        QFETCH(double, expected);
        Host host(name.toLatin1().constData(), *m_theme);
        host.type(host.input<NumberField>(), typed);
        QVERIFY2(host.editor->problem().isEmpty(), qPrintable(host.editor->problem()));
        QCOMPARE(host.committed, 1);
        QCOMPARE(std::holds_alternative<std::int64_t>(host.last) ? static_cast<double>(std::get<std::int64_t>(host.last))
                                                                 : std::get<double>(host.last),
                 expected);
    }

    // What is wrong stays as it was typed, with the wrong part selected and the reason, when the focus leaves as well; Esc brings the value back.
    void wrongTextIsKept() {
        Host host("mass", *m_theme);
        auto* number = host.input<NumberField>();
        auto* elsewhere = host.window.findChild<QLineEdit*>(QString(), Qt::FindDirectChildrenOnly);
        host.type(number, QStringLiteral("1 + heavy"));
        QCOMPARE(number->text(), QStringLiteral("1 + heavy"));
        QCOMPARE(number->selectedText(), QStringLiteral("heavy"));
        QVERIFY2(host.editor->problem().contains(QStringLiteral("heavy")) && host.editor->problem().contains(QStringLiteral("character 5")),
                 qPrintable(host.editor->problem()));
        elsewhere->setFocus();
        QCOMPARE(number->text(), QStringLiteral("1 + heavy"));
        QVERIFY(!host.editor->problem().isEmpty());
        host.editor->setValue(Value(5.0)); // another panel's update that changes nothing here
        QCOMPARE(number->text(), QStringLiteral("1 + heavy"));
        QTest::mouseClick(number, Qt::LeftButton, {}, QPoint(20, 10));
        QCOMPARE(number->text(), QStringLiteral("1 + heavy"));
        QTest::keyClick(number, Qt::Key_Escape);
        QCOMPARE(number->text().toDouble(), 5.0);
        QVERIFY(host.editor->problem().isEmpty());
        // Mended, it is taken.
        host.type(number, QStringLiteral("2 *"));
        QTest::keyClick(number, Qt::Key_End);
        QTest::keyClicks(number, QStringLiteral(" 3"));
        QTest::keyClick(number, Qt::Key_Return);
        QCOMPARE(std::get<double>(host.last), 6.0);
        QCOMPARE(host.committed, 1);
        // It was meant for that value: another one is shown instead.
        host.type(number, QStringLiteral("2 *"));
        elsewhere->setFocus();
        host.editor->setValue(Value(9.0));
        QCOMPARE(number->text(), QStringLiteral("9.000"));
        QVERIFY(host.editor->problem().isEmpty());
        host.type(number, QStringLiteral("x"));
        elsewhere->setFocus();
        host.editor->discardTyped();
        QCOMPARE(number->text(), QStringLiteral("9.000"));
        QVERIFY(host.editor->problem().isEmpty());
        QCOMPARE(host.committed, 1);
    }

    // Of several numbers, the one that is wrong keeps its mark while another is changed.
    void oneOfThreeIsWrong() {
        Host host("position", *m_theme);
        auto* x = host.input<NumberField>("input.x");
        auto* y = host.input<NumberField>("input.y");
        host.type(x, QStringLiteral("1/"));
        host.type(y, QStringLiteral("1/4"));
        QCOMPARE(host.committed, 1);
        QCOMPARE(std::get<Vec3>(host.last), Vec3(1.0F, 0.25F, 3.5F));
        QCOMPARE(x->text(), QStringLiteral("1/"));
        QVERIFY(!host.editor->problem().isEmpty());
        QVERIFY(!x->fault().isEmpty() && y->fault().isEmpty());
        x->setFocus();
        QTest::keyClick(x, Qt::Key_Escape);
        QVERIFY(host.editor->problem().isEmpty());
    }

    // Return takes what was typed and gives the keyboard back to where it was; at fault it stays; Esc goes back, too.
    void returnGivesTheKeysBack() {
        Host host("mass", *m_theme);
        auto* before = host.window.findChild<QLineEdit*>(QString(), Qt::FindDirectChildrenOnly);
        auto* number = host.input<NumberField>();
        QTest::mouseClick(number, Qt::LeftButton, {}, QPoint(20, 10));
        QTest::keyClicks(number, QStringLiteral("-3"));
        QTest::keyClick(number, Qt::Key_Return);
        QVERIFY(number->hasFocus()); // out of range
        QTest::keyClick(number, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(number, QStringLiteral("7"));
        QTest::keyClick(number, Qt::Key_Return);
        QCOMPARE(std::get<double>(host.last), 7.0);
        QVERIFY(before->hasFocus());
        QTest::mouseClick(number, Qt::LeftButton, {}, QPoint(20, 10));
        QTest::keyClick(number, Qt::Key_Escape);
        QVERIFY(before->hasFocus());
    }

    // A Tab right after Return goes on from the number, wherever the keys have gone; after any other key it means what it means there.
    void tabAfterReturnGoesOn() {
        Host host("position", *m_theme);
        auto* list = new QListWidget(&host.window);
        list->addItems({QStringLiteral("a"), QStringLiteral("b")});
        host.window.layout()->addWidget(list);
        list->show();
        list->setFocus();
        auto* x = host.input<NumberField>("input.x");
        auto* y = host.input<NumberField>("input.y");
        QTest::mouseClick(x, Qt::LeftButton, {}, QPoint(20, 10));
        QTest::keyClicks(x, QStringLiteral("1"));
        QTest::keyClick(x, Qt::Key_Return);
        QVERIFY(list->hasFocus());
        QTest::keyClick(list, Qt::Key_Tab);
        QVERIFY(y->hasFocus());
        QCOMPARE(x->value(), 1.0);
        list->setFocus();
        QTest::mouseClick(x, Qt::LeftButton, {}, QPoint(20, 10));
        QTest::keyClick(x, Qt::Key_Return);
        QVERIFY(list->hasFocus());
        QTest::keyClick(list, Qt::Key_Down);
        QTest::keyClick(list, Qt::Key_Tab);
        QVERIFY(!y->hasFocus());
    }

    // So it does where Tab led from one number to the next: the place to go back to is that of before the first.
    void returnGivesTheKeysBackAfterTab() {
        Host host("position", *m_theme);
        auto* before = host.window.findChild<QLineEdit*>(QString(), Qt::FindDirectChildrenOnly);
        before->setFocus();
        auto* x = host.input<NumberField>("input.x");
        auto* y = host.input<NumberField>("input.y");
        QTest::mouseClick(x, Qt::LeftButton, {}, QPoint(20, 10));
        QTest::keyClicks(x, QStringLiteral("1"));
        QTest::keyClick(x, Qt::Key_Tab);
        QVERIFY(y->hasFocus());
        QTest::keyClicks(y, QStringLiteral("6"));
        QTest::keyClick(y, Qt::Key_Return);
        QVERIFY(before->hasFocus());
        QCOMPARE(x->value(), 1.0);
        QCOMPARE(y->value(), 6.0);
    }

    // In a narrow row each number is shown with its sign whatever its size, and opens with all its digits. 208 pixels have the three
    // numbers of a place in the inspector of a window of 1280 x 720; fewer where the dock was made narrower.
    void narrowFieldsHideNothing_data() {
        QTest::addColumn<float>("value");
        QTest::addColumn<int>("window");
        for (const int window : {190, 230})
            for (const float value : {-0.00056051F, -1.2345679e-05F, 28.64789F, -123456.79F, -1.2345679e+08F})
                QTest::addRow("%g in %d", static_cast<double>(value), window) << value << window;
    }
    void narrowFieldsHideNothing() {
        QFETCH(float, value);
        QFETCH(int, window);
        Host host("position", *m_theme);
        host.window.resize(window, 120);
        QCoreApplication::processEvents();
        host.editor->setValue(Value(Vec3(-123.456F, 12.005605F, value)));
        const auto room = [](const NumberField& field) {
            QStyleOptionFrame option;
            option.initFrom(&field);
            option.lineWidth = field.style()->pixelMetric(QStyle::PM_DefaultFrameWidth, &option, &field);
            const QMargins margins = field.textMargins();
            return field.style()->subElementRect(QStyle::SE_LineEditContents, &option, &field).width()
                   - margins.left() - margins.right();
        };
        const auto width = [](const NumberField& field) {
            return field.fontMetrics().horizontalAdvance(field.text());
        };
        const auto nothingIsCut = [&] {
            for (const char* name : {"input.x", "input.y", "input.z"}) {
                auto* number = host.input<NumberField>(name);
                QVERIFY2(width(*number) <= room(*number), qPrintable(number->text()));
                QCOMPARE(number->text().startsWith(QLatin1Char('-')),
                         number->value() < 0.0 && number->text().toDouble() != 0.0);
            }
        };
        nothingIsCut();
        auto* z = host.input<NumberField>("input.z");
        const QString shown = z->text();
        QTest::mouseClick(z, Qt::LeftButton, {}, QPoint(z->width() / 2, 10));
        QCoreApplication::processEvents();
        QCOMPARE(static_cast<float>(z->text().toDouble()), value);
        QTRY_VERIFY2(width(*z) <= room(*z), qPrintable(QStringLiteral("%1 of %2").arg(width(*z)).arg(room(*z))));
        nothingIsCut(); // its neighbours either, which give it room
        for (const char* name : {"input.x", "input.y"})
            QVERIFY(host.input<NumberField>(name)->geometry().right() < z->geometry().left());
        QVERIFY(z->geometry().right() <= z->parentWidget()->width());
        QTest::keyClick(z, Qt::Key_Escape);
        QTRY_COMPARE(z->text(), shown); // the row is as before
        QCOMPARE(host.committed, 0);
    }

    // A small number that has no room for more decimals has the usual ones, and zero is never negative.
    void smallNumbersKeepTheUsualDecimals() {
        Host host("position", *m_theme);
        host.window.resize(230, 120);
        QCoreApplication::processEvents();
        host.editor->setValue(Value(Vec3(-0.40851F, 0.10881F, -0.0F)));
        auto* x = host.input<NumberField>("input.x");
        QVERIFY2(x->text() == QStringLiteral("-0.41"), qPrintable(x->text()));
        auto* z = host.input<NumberField>("input.z");
        QCOMPARE(z->text(), QStringLiteral("0.00"));
        z->setFocus();
        QCOMPARE(z->text(), QStringLiteral("0.0"));
    }

    // What the world computes is rounded to the usual decimals until it is edited; the tool tip has all digits, too.
    void measuredValuesAreRounded() {
        Host host("position", *m_theme);
        host.editor->setValue(Value(Vec3(4.4408921e-16F, -0.00123F, 2.3456789F)));
        auto* x = host.input<NumberField>("input.x");
        auto* y = host.input<NumberField>("input.y");
        auto* z = host.input<NumberField>("input.z");
        QCOMPARE(x->text(), QStringLiteral("4.441e-16")); // as somebody wrote it
        host.editor->setMeasured(true);
        QCOMPARE(x->text(), QStringLiteral("0.00"));
        QCOMPARE(y->text(), QStringLiteral("0.00"));
        QCOMPARE(z->text(), QStringLiteral("2.35"));
        QHelpEvent help(QEvent::ToolTip, QPoint(5, 5), z->mapToGlobal(QPoint(5, 5)));
        QCoreApplication::sendEvent(z, &help);
        QVERIFY2(QToolTip::text().contains(QStringLiteral("Z 2.3456788")), qPrintable(QToolTip::text()));
        QVERIFY(QToolTip::text().contains(QStringLiteral("Three."))); // what the field is for
        y->setFocus();
        QCOMPARE(y->text(), QStringLiteral("-0.00123"));
    }

    void scrubbingIsUncommittedUntilRelease() {
        Host host("precise", *m_theme);
        host.editor->setValue(Value(2.0));
        auto* number = host.input<NumberField>();
        drag(number, 20, 60);
        QVERIFY(host.uncommitted > 10);
        QCOMPARE(host.committed, 1);
        QVERIFY(std::get<double>(host.last) > 2.0);
        QVERIFY(!number->hasFocus()); // a drag does not start typing
        QVERIFY(!host.editor->isEditing());
        const double after = std::get<double>(host.last);
        drag(number, 60, 20);
        QVERIFY(std::get<double>(host.last) < after);
    }

    void scrubbingStaysInRangeAndCoversIt() {
        Host host("share", *m_theme);
        auto* number = host.input<NumberField>();
        drag(number, 5, number->width() * 2);
        QCOMPARE(std::get<double>(host.last), 1.0);
        drag(number, number->width() - 5, -number->width() * 2);
        QCOMPARE(std::get<double>(host.last), 0.0);
    }

    void escapeWhileScrubbingGoesBack() {
        Host host("precise", *m_theme);
        host.editor->setValue(Value(2.0));
        auto* number = host.input<NumberField>();
        QTest::mousePress(number, Qt::LeftButton, {}, QPoint(10, 10));
        for (int x = 10; x < 40; ++x) {
            QMouseEvent move(QEvent::MouseMove, QPointF(x, 10), number->mapToGlobal(QPointF(x, 10)),
                             Qt::NoButton, Qt::LeftButton, {});
            QApplication::sendEvent(number, &move);
        }
        QVERIFY(host.uncommitted > 0);
        QTest::keyClick(number, Qt::Key_Escape);
        QCOMPARE(std::get<double>(host.last), 2.0);
        QCOMPARE(host.committed, 1);
    }

    // The panel is closed under the hand, or another takes its place: no release comes.
    void hiddenWhileScrubbingItEnds() {
        Host host("precise", *m_theme);
        host.editor->setValue(Value(2.0));
        auto* number = host.input<NumberField>();
        QTest::mousePress(number, Qt::LeftButton, {}, QPoint(10, 10));
        QMouseEvent move(QEvent::MouseMove, QPointF(40, 10), number->mapToGlobal(QPointF(40, 10)),
                         Qt::NoButton, Qt::LeftButton, {});
        QApplication::sendEvent(number, &move);
        QMouseEvent on(QEvent::MouseMove, QPointF(60, 10), number->mapToGlobal(QPointF(60, 10)),
                       Qt::NoButton, Qt::LeftButton, {});
        QApplication::sendEvent(number, &on);
        QVERIFY(number->isScrubbing());
        const double last = std::get<double>(host.last);
        number->hide();
        QVERIFY(!number->isScrubbing() && !host.editor->isEditing());
        QCOMPARE(host.committed, 1);
        QCOMPARE(std::get<double>(host.last), last);
        number->show();
        QApplication::sendEvent(number, &move); // the button is still down
        QCOMPARE(std::get<double>(host.last), last);
    }

    void aClickTypesAndAnotherPanelsUpdateDoesNotDisturb() {
        Host host("mass", *m_theme);
        auto* number = host.input<NumberField>();
        QTest::mouseClick(number, Qt::LeftButton, {}, QPoint(20, 10));
        QVERIFY(number->hasFocus());
        QTest::keyClicks(number, QStringLiteral("12"));
        host.editor->setValue(Value(99.0)); // live values while playing
        QCOMPARE(number->text(), QStringLiteral("12"));
        QTest::keyClick(number, Qt::Key_Return);
        QCOMPARE(std::get<double>(host.last), 12.0);
    }

    void arrowsStepAndTheWheelOnlyWithFocus() {
        Host host("count", *m_theme);
        auto* number = host.input<NumberField>();
        number->setFocus();
        QTest::keyClick(number, Qt::Key_Up);
        QCOMPARE(std::get<std::int64_t>(host.last), std::int64_t(13));
        QTest::keyClick(number, Qt::Key_Down, Qt::ControlModifier);
        QVERIFY(std::get<std::int64_t>(host.last) < 10);
        host.window.findChild<QLineEdit*>(QString(), Qt::FindDirectChildrenOnly)->setFocus();
        const int before = host.committed;
        QWheelEvent wheel(QPointF(5, 5), number->mapToGlobal(QPointF(5, 5)), {}, QPoint(0, 120), Qt::NoButton,
                          {}, Qt::NoScrollPhase, false);
        QApplication::sendEvent(number, &wheel);
        QCOMPARE(host.committed, before);
        QVERIFY(!wheel.isAccepted());
    }

    // A list that was clicked keeps the focus, and the wheel goes on scrolling the panel.
    void theWheelChangesNoChoice() {
        Host host("shape", *m_theme);
        auto* combo = host.input<QComboBox>();
        combo->setFocus();
        const int chosen = combo->currentIndex();
        for (const int delta : {120, -120}) {
            QWheelEvent wheel(QPointF(5, 5), combo->mapToGlobal(QPointF(5, 5)), {}, QPoint(0, delta), Qt::NoButton, {}, Qt::NoScrollPhase,
                              false);
            QApplication::sendEvent(combo, &wheel);
            QVERIFY(!wheel.isAccepted());
            QCOMPARE(combo->currentIndex(), chosen);
        }
        QVERIFY((combo->focusPolicy() & Qt::WheelFocus) != Qt::WheelFocus);
    }

    void displayHasFixedDecimals_data() {
        QTest::addColumn<double>("value");
        QTest::addColumn<QString>("text");
        QTest::newRow("plain") << 5.0 << "5.000";
        QTest::newRow("rounded") << 1.23456 << "1.235";
        QTest::newRow("zero") << -0.0 << "0.000";
        QTest::newRow("tiny") << 0.00012 << "0.00012";
        QTest::newRow("huge") << 1.5e9 << "1.5e+09";
    }
    void displayHasFixedDecimals() {
        QFETCH(double, value);
        QFETCH(QString, text);
        QCOMPARE(NumberField::display(value, NumberFormat{}), text);
    }

    void vectors() {
        Host host("position", *m_theme);
        host.type(host.input<NumberField>("input.y"), QStringLiteral("4.5"));
        QCOMPARE(std::get<Vec3>(host.last), Vec3(1.0F, 4.5F, 3.5F));
        Host two("uv", *m_theme);
        two.type(two.input<NumberField>("input.x"), QStringLiteral("-1"));
        QCOMPARE(std::get<Vec2>(two.last), Vec2(-1.0F, 1.0F));
        Host four("plane", *m_theme);
        four.type(four.input<NumberField>("input.w"), QStringLiteral("9"));
        QCOMPARE(std::get<Vec4>(four.last), Vec4(0.0F, 1.0F, 0.0F, 9.0F));
    }

    void rotationIsInDegreesAndItsAnglesStay() {
        Host host("rotation", *m_theme);
        QVERIFY(std::abs(host.input<NumberField>("input.x")->value() - 10.0) < 1e-3);
        QVERIFY(std::abs(host.input<NumberField>("input.y")->value() - 20.0) < 1e-3);
        // Past the pole: other angles mean the same, but these were typed.
        host.type(host.input<NumberField>("input.x"), QStringLiteral("120"));
        const Quat got = std::get<Quat>(host.last);
        host.editor->setValue(Value(got));
        QCOMPARE(host.input<NumberField>("input.x")->value(), 120.0);
        const float y = static_cast<float>(host.input<NumberField>("input.y")->value());
        const float z = static_cast<float>(host.input<NumberField>("input.z")->value());
        QVERIFY(std::abs(glm::dot(got, fromEulerDegrees({120.0F, y, z}))) > 0.999999F);
        // A rotation that really is another shows.
        host.editor->setValue(Value(fromEulerDegrees({0.0F, 45.0F, 0.0F})));
        QVERIFY(std::abs(host.input<NumberField>("input.y")->value() - 45.0) < 1e-3);
    }

    void colourPickerDragsUncommitted() {
        Host host("glow", *m_theme);
        QTest::mouseClick(host.input<QPushButton>(), Qt::LeftButton);
        auto* picker = host.editor->findChild<ColorPicker*>(QStringLiteral("colorPicker"));
        QVERIFY(picker != nullptr);
        const Vec4 shown = picker->color();
        QVERIFY(glm::length(shown - Vec4(3.0F, 1.0F, 0.5F, 1.0F)) < 0.05F); // eight-bit steps of the hue
        QTest::mousePress(picker, Qt::LeftButton, {}, QPoint(50, 50));
        QTest::mouseRelease(picker, Qt::LeftButton, {}, QPoint(50, 50));
        QVERIFY(host.uncommitted >= 1);
        QCOMPARE(host.committed, 1);
        const Vec4 picked = std::get<Vec4>(host.last);
        QVERIFY(std::abs(std::max({picked.r, picked.g, picked.b}) / 3.0F) <= 1.01F);
        auto* hex = picker->findChild<QLineEdit*>(QStringLiteral("colorPicker.hex"));
        hex->setFocus();
        hex->setText(QStringLiteral("#ff8000"));
        QTest::keyClick(hex, Qt::Key_Return);
        const Vec4 typed = std::get<Vec4>(host.last);
        QVERIFY(std::abs(typed.r - 1.0F) < 1e-4F && std::abs(typed.g - 0.2158605F) < 1e-4F
                && typed.b < 1e-4F);
        picker->close();
    }

    void screenAndLinearAreInverse() {
        for (int i = 0; i < 256; ++i) {
            const QColor color(i, 255 - i, (i * 7) % 256, i);
            QCOMPARE(toScreen(fromScreen(color)).rgba(), color.rgba());
        }
    }

    void choices() {
        Host host("shape", *m_theme);
        auto* combo = host.input<QComboBox>();
        QCOMPARE(combo->currentText(), QStringLiteral("sphere"));
        combo->setFocus();
        QTest::keyClick(combo, Qt::Key_Down);
        QCOMPARE(std::get<std::string>(host.last), std::string("plane"));
        QCOMPARE(host.committed, 1);
    }

    void text() {
        Host host("title", *m_theme);
        QCOMPARE(host.input<QLineEdit>()->text(), QStringLiteral("café \"box\""));
        host.type(host.input<QLineEdit>(), QStringLiteral("crate"));
        QCOMPARE(std::get<std::string>(host.last), std::string("crate"));
        QCOMPARE(host.committed, 1);
        // Esc takes typing back.
        QTest::keyClicks(host.input<QLineEdit>(), QStringLiteral("xyz"));
        QTest::keyClick(host.input<QLineEdit>(), Qt::Key_Escape);
        QCOMPARE(host.input<QLineEdit>()->text(), QStringLiteral("crate"));
        QCOMPARE(host.committed, 1);
        // Longer than the field holds: said, not cut.
        Host bounded("name", *m_theme);
        bounded.type(bounded.input<QLineEdit>(), QString(60, QLatin1Char('x')));
        QCOMPARE(bounded.committed, 0);
        QVERIFY(!bounded.editor->problem().isEmpty());
    }

    void entityNamesCompleteAndEntitiesResolve() {
        FieldSources sources;
        sources.entityNames = [] {
            return QStringList{QStringLiteral("ball"), QStringLiteral("door"), QStringLiteral("phantom")};
        };
        sources.entityName = [](EntityId id) {
            return id == EntityId::fromBits(0x100000002ULL) ? QStringLiteral("door") : QString();
        };
        sources.entityByName = [](const QString& name) {
            return name == QLatin1String("ball") ? EntityId::fromBits(7) : EntityId{};
        };
        Host name("target", *m_theme, sources);
        auto* edit = name.input<QLineEdit>();
        edit->setFocus();
        QVERIFY(edit->completer() != nullptr);
        edit->completer()->setCompletionPrefix(QStringLiteral("oo"));
        QCOMPARE(edit->completer()->currentCompletion(), QStringLiteral("door"));
        Host owner("owner", *m_theme, sources);
        QCOMPARE(owner.input<QLineEdit>()->text(), QStringLiteral("door"));
        owner.type(owner.input<QLineEdit>(), QStringLiteral("ball"));
        QCOMPARE(std::get<EntityId>(owner.last), EntityId::fromBits(7));
        owner.type(owner.input<QLineEdit>(), QStringLiteral("nobody"));
        QCOMPARE(owner.committed, 1);
        QVERIFY(owner.editor->problem().contains(QStringLiteral("nobody")));
    }

    void originMixedAndReadOnly() {
        Host host("mass", *m_theme);
        auto* revert = host.editor->findChild<QToolButton*>(QStringLiteral("revert"));
        QVERIFY(!revert->isVisible());
        host.editor->setOrigin(FieldOrigin::Default);
        QVERIFY(host.input<NumberField>()->font().italic());
        host.editor->setOrigin(FieldOrigin::Overridden);
        QVERIFY(host.input<NumberField>()->font().bold()
                || host.input<NumberField>()->font().weight() >= QFont::DemiBold);
        QVERIFY(revert->isVisible());
        QSignalSpy spy(host.editor, &FieldEditor::revertRequested);
        QTest::mouseClick(revert, Qt::LeftButton);
        QCOMPARE(spy.count(), 1);
        host.editor->setMixed(true);
        QCOMPARE(host.input<NumberField>()->text(), QStringLiteral("mixed"));
        host.type(host.input<NumberField>(), QStringLiteral("5"));
        QCOMPARE(host.committed, 1); // 5 was the value shown before, but not of all
        QVERIFY(!host.editor->isMixed());
        host.editor->setReadOnly(true);
        QVERIFY(!revert->isVisible());
        drag(host.input<NumberField>(), 10, 60);
        QCOMPARE(host.committed + host.uncommitted, 1);
    }

    void typedOperatorsChangeTheNumber() {
        Host host("mass", *m_theme);
        const auto after = [&](const char* typed) {
            host.type(host.input<NumberField>(), QString::fromLatin1(typed));
            return std::get<double>(host.last);
        };
        QCOMPARE(after("+= 2"), 7.0);
        QCOMPARE(after("*=2"), 14.0);
        QCOMPARE(after("-= 4"), 10.0);
        QCOMPARE(after("/=4 kg"), 2.5);
        QCOMPARE(after("=3"), 3.0);
        QCOMPARE(host.committed, 5);
        host.type(host.input<NumberField>(), QStringLiteral("/= 0"));
        QVERIFY2(host.editor->problem().contains(QStringLiteral("divided")), qPrintable(host.editor->problem()));
        host.type(host.input<NumberField>(), QStringLiteral("-= 9"));
        QVERIFY2(host.editor->problem().contains(QStringLiteral("range")), qPrintable(host.editor->problem()));
        QCOMPARE(host.committed, 5);
    }

    // What is done to a mixed number is to be done to each of the values; only a new number replaces them all.
    void mixedNumbersAreChangedEachByItself() {
        Host host("mass", *m_theme);
        auto* number = host.input<NumberField>();
        std::vector<std::pair<FieldChange, bool>> done;
        QObject::connect(host.editor, &FieldEditor::operated, host.editor,
                         [&](const FieldChange& change, bool committed) { done.emplace_back(change, committed); });
        host.editor->setValues(Value(5.0), 1);
        QCOMPARE(number->text(), QStringLiteral("mixed"));
        QVERIFY2(host.editor->problem().isEmpty(), qPrintable(host.editor->problem()));
        host.type(number, QStringLiteral("*= 1.5"));
        QCOMPARE(done.size(), std::size_t(1));
        QVERIFY(done[0].second && done[0].first.kind == FieldChange::Kind::Multiply && done[0].first.operand == 1.5);
        QVERIFY(host.editor->isMixed());
        QCOMPARE(host.committed, 0);

        done.clear();
        drag(number, 10, 40);
        QVERIFY(done.size() > 2);
        for (std::size_t i = 0; i < done.size(); ++i) {
            QCOMPARE(done[i].second, i + 1 == done.size());
            QVERIFY(done[i].first.kind == FieldChange::Kind::Add);
        }
        QVERIFY(done.back().first.operand > 0.0);
        QCOMPARE(done.back().first.operand, done[done.size() - 2].first.operand); // since the start, not since the last one
        QCOMPARE(number->text(), QStringLiteral("mixed"));
        done.clear();
        number->setFocus();
        QTest::keyClick(number, Qt::Key_Up);
        QCOMPARE(done.size(), std::size_t(1));
        QVERIFY(done[0].first.kind == FieldChange::Kind::Add && done[0].first.operand > 0.0);
        QCOMPARE(host.committed + host.uncommitted, 0);
        host.type(number, QStringLiteral("4"));
        QCOMPARE(host.last, Value(4.0));
        QVERIFY(!host.editor->isMixed());
    }

    // Of several numbers each is mixed by itself, and one that is set leaves the others alone.
    void elementsAreMixedOneByOne() {
        Host host("position", *m_theme);
        host.editor->setValues(Value(Vec3(1.0F, 2.0F, 3.0F)), 2);
        QCOMPARE(host.input<NumberField>("input.x")->text(), QStringLiteral("1.00"));
        QCOMPARE(host.input<NumberField>("input.y")->text(), QStringLiteral("mixed"));
        host.type(host.input<NumberField>("input.x"), QStringLiteral("4"));
        QCOMPARE(host.editor->editedElement(), 0);
        QCOMPARE(std::get<Vec3>(host.last).x, 4.0F);
        QVERIFY(host.editor->isMixed());
        QCOMPARE(host.input<NumberField>("input.y")->text(), QStringLiteral("mixed"));
        QSignalSpy operated(host.editor, &FieldEditor::operated);
        host.type(host.input<NumberField>("input.y"), QStringLiteral("+= 1"));
        QCOMPARE(operated.size(), 1);
        host.type(host.input<NumberField>("input.y"), QStringLiteral("1"));
        QCOMPARE(host.editor->editedElement(), 1);
        QVERIFY(!host.editor->isMixed());
    }

    void changesOfValues_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<Value>("before");
        QTest::addColumn<FieldChange>("change");
        QTest::addColumn<bool>("bounded");
        QTest::addColumn<Value>("after"); // nothing: refused
        using Kind = FieldChange::Kind;
        const auto row = [](const char* tag, const char* name, const Value& before, const FieldChange& change, bool bounded,
                            const Value& after) { QTest::newRow(tag) << QString::fromLatin1(name) << before << change << bounded << after; };
        row("adds", "mass", Value(5.0), {Kind::Add, -1, {}, 2.5}, false, Value(7.5));
        row("too small", "mass", Value(5.0), {Kind::Subtract, -1, {}, 5.0}, false, Value());
        row("stops at the bound", "mass", Value(5.0), {Kind::Subtract, -1, {}, 9.0}, true, Value(0.001));
        row("rounds what is whole", "count", Value(std::int64_t{5}), {Kind::Multiply, -1, {}, 0.5}, false, Value(std::int64_t{3}));
        row("one of three", "position", Value(Vec3(1, 2, 3)), {Kind::Divide, 2, {}, 2.0}, false, Value(Vec3(1, 2, 1.5F)));
        row("all of three", "position", Value(Vec3(1, 2, 3)), {Kind::Multiply, -1, {}, 2.0}, false, Value(Vec3(2, 4, 6)));
        row("one of three set", "position", Value(Vec3(1, 2, 3)), {Kind::Set, 1, Value(Vec3(7, 8, 9)), 0.0}, false, Value(Vec3(1, 8, 3)));
        row("set", "title", Value(std::string("a")), {Kind::Set, -1, Value(std::string("b")), 0.0}, false, Value(std::string("b")));
        row("no number left", "mass", Value(5.0), {Kind::Divide, -1, {}, 0.0}, false, Value());
    }
    void changesOfValues() {
        QFETCH(QString, name);
        QFETCH(Value, before);
        QFETCH(FieldChange, change);
        QFETCH(bool, bounded);
        QFETCH(Value, after);
        const Result<Value> got = changedValue(field(name.toLatin1().constData()), before, change, bounded);
        QCOMPARE(got.ok(), after != Value());
        if (got)
            QCOMPARE(*got, after);
    }

    void problemsFromOutsideShow() {
        Host host("mass", *m_theme);
        host.editor->setProblem(QStringLiteral("mass is text; expected a number"));
        QVERIFY(host.editor->findChild<QLabel*>(QStringLiteral("problem"))->isVisible());
        host.type(host.input<NumberField>(), QStringLiteral("6"));
        QVERIFY(host.editor->problem().isEmpty());
    }
};

QTEST_MAIN(TestFieldEditors)
#include "tst_field_editors.moc"
