// The editors of each field type, and the factory that chooses one.

#include "widgets/common/field_editor_kinds.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QPainter>
#include <QPointer>
#include <QPushButton>
#include <QWheelEvent>

#include "widgets/common/color_picker.h"
#include "widgets/common/number_field.h"
#include "widgets/common/theme.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

namespace sbx::ui {

namespace {

NumberFormat formatOf(const FieldInfo& field, bool live) {
    NumberFormat format;
    format.live = live;
    format.smallExact = !live;
    format.whole = field.type == FieldType::Int;
    format.singlePrecision = field.singlePrecision || field.type != FieldType::Float;
    format.minimum = field.minimum;
    format.maximum = field.maximum;
    format.unit = QString::fromStdString(field.unit).replace(QStringLiteral("deg"), QStringLiteral("°"));
    return format;
}

double numberOf(const Value& value) {
    if (const auto* whole = std::get_if<std::int64_t>(&value))
        return static_cast<double>(*whole);
    return valueOr(value, 0.0);
}

class BoolEditor : public FieldEditor {
public:
    BoolEditor(const FieldInfo& field, const Theme& theme, QWidget* parent)
        : FieldEditor(field, theme, parent), m_box(new QCheckBox(this)) {
        m_box->setObjectName(QStringLiteral("input"));
        addField(m_box);
        connect(m_box, &QCheckBox::clicked, this, [this](bool on) {
            m_box->setTristate(false);
            submit(Value(on), true);
        });
        setContent(m_box);
    }

protected:
    void showValue(const Value& value) override { m_box->setChecked(valueOr(value, false)); }
    void showReadOnly(bool readOnly) override { m_box->setEnabled(!readOnly); }
    void showMixed(std::uint8_t differ) override {
        m_box->setTristate(differ != 0);
        if (differ != 0)
            m_box->setCheckState(Qt::PartiallyChecked);
    }

private:
    QCheckBox* m_box;
};

class NumberEditor : public FieldEditor {
public:
    NumberEditor(const FieldInfo& field, const Theme& theme, bool live, QWidget* parent)
        : FieldEditor(field, theme, parent), m_number(new NumberField(theme, formatOf(field, live), this)) {
        m_number->setObjectName(QStringLiteral("input"));
        m_number->setProperty("sbxMono", true);
        addField(m_number);
        connect(m_number, &NumberField::changed, this, [this](double value, bool committed) {
            submit(this->field().type == FieldType::Int ? Value(static_cast<std::int64_t>(value))
                                                        : Value(value),
                   committed);
        });
        connect(m_number, &NumberField::operated, this, [this](FieldChange::Kind kind, double operand, bool committed) {
            submitOperation(kind, operand, -1, committed);
        });
        connect(m_number, &NumberField::invalid, this, [this](const QString& reason) { fault(reason); });
        setContent(m_number);
    }

protected:
    void showValue(const Value& value) override { m_number->setValue(numberOf(value)); }
    void showReadOnly(bool readOnly) override { m_number->setReadOnly(readOnly); }
    void showMixed(std::uint8_t differ) override { m_number->setMixed(differ != 0); }
    void showMeasured(bool measured) override { m_number->setMeasured(measured); }
    void dropTyped() override { m_number->discardTyped(); }

private:
    NumberField* m_number;
};

// Two to four numbers in a row; a quaternion as three angles.
class VectorEditor : public FieldEditor {
public:
    VectorEditor(const FieldInfo& field, const Theme& theme, bool live, QWidget* parent)
        : FieldEditor(field, theme, parent) {
        static constexpr std::array<const char*, 4> Letters{"X", "Y", "Z", "W"};
        static constexpr std::array<Token, 4> Colors{Token::AxisX, Token::AxisY, Token::AxisZ, Token::Muted};
        const bool angles = field.type == FieldType::Quaternion;
        m_count = field.type == FieldType::Vector2 ? 2U : field.type == FieldType::Vector4 ? 4U : 3U;
        auto* box = new QWidget(this);
        auto* row = new QHBoxLayout(box);
        row->setContentsMargins(0, 0, 0, 0);
        row->setSpacing(2);
        NumberFormat format = formatOf(field, live);
        if (angles) {
            format = NumberFormat{};
            format.live = live;
            format.decimals = 1;
            format.typedDecimals = 4; // of a quaternion in single precision: the rest is rounding
            format.unit = QStringLiteral("°");
        } else {
            format.decimals = 2;
            format.unit.clear(); // once, at the name and in the tool tip: three times is noise
        }
        for (std::size_t i = 0; i < m_count; ++i) {
            auto* number = new NumberField(theme, format, box);
            number->setAxis(QLatin1String(Letters[i]), Colors[i]);
            number->setObjectName(QStringLiteral("input.") + QString::fromLatin1(Letters[i]).toLower());
            number->setAccessibleName(
                QStringLiteral("%1 %2").arg(accessibleName(), QLatin1String(Letters[i])));
            number->setProperty("sbxMono", true);
            row->addWidget(number, 1);
            m_numbers[i] = number;
            addField(number);
            connect(number, &NumberField::changed, this,
                    [this, element = angles ? -1 : static_cast<int>(i)](double, bool committed) {
                        submit(compose(), committed, element);
                        keepFaults();
                    });
            // A rotation is one value: its angles have no sum that would mean something.
            if (!angles)
                connect(number, &NumberField::operated, this,
                        [this, element = static_cast<int>(i)](FieldChange::Kind kind, double operand, bool committed) {
                            submitOperation(kind, operand, element, committed);
                            keepFaults();
                        });
            connect(number, &NumberField::invalid, this, &VectorEditor::showFaults);
        }
        setContent(box);
    }

protected:
    void showValue(const Value& value) override {
        switch (field().type) {
        case FieldType::Vector2:
            return show(valueOr(value, Vec2(0.0F)));
        case FieldType::Vector3:
            return show(valueOr(value, Vec3(0.0F)));
        case FieldType::Vector4:
            return show(valueOr(value, Vec4(0.0F)));
        default:
            break;
        }
        const Quat rotation = valueOr(value, Quat(1.0F, 0.0F, 0.0F, 0.0F));
        // Many angles mean one rotation: keep those on screen while they mean this one.
        const Quat shown = fromEulerDegrees(angles());
        const float sign = glm::dot(shown, rotation) < 0.0F ? -1.0F : 1.0F;
        if (glm::length(shown - rotation * sign) > 1e-6F)
            show(toEulerDegrees(rotation));
    }
    void showReadOnly(bool readOnly) override {
        for (std::size_t i = 0; i < m_count; ++i)
            m_numbers[i]->setReadOnly(readOnly);
    }
    void showMixed(std::uint8_t differ) override {
        const bool whole = field().type == FieldType::Quaternion;
        for (std::size_t i = 0; i < m_count; ++i)
            m_numbers[i]->setMixed(whole ? differ != 0 : (differ >> i & 1U) != 0);
    }
    void showMeasured(bool measured) override {
        for (std::size_t i = 0; i < m_count; ++i)
            m_numbers[i]->setMeasured(measured);
    }
    void dropTyped() override {
        for (std::size_t i = 0; i < m_count; ++i)
            m_numbers[i]->discardTyped();
    }

private:
    // One line for all numbers; each that is wrong is marked by itself.
    void showFaults() {
        QString first;
        for (std::size_t i = 0; i < m_count && first.isEmpty(); ++i)
            first = m_numbers[i]->fault();
        fault(first);
        for (std::size_t i = 0; i < m_count; ++i)
            setInvalid(*m_numbers[i], !m_numbers[i]->fault().isEmpty());
    }
    // What was taken for one number clears the line; another may still be wrong.
    void keepFaults() {
        if (std::any_of(m_numbers.begin(), m_numbers.begin() + static_cast<std::ptrdiff_t>(m_count),
                        [](const NumberField* number) { return !number->fault().isEmpty(); }))
            showFaults();
    }
    template <typename V> void show(const V& v) {
        for (std::size_t i = 0; i < m_count; ++i)
            m_numbers[i]->setValue(static_cast<double>(v[static_cast<glm::length_t>(i)]));
    }
    [[nodiscard]] float at(std::size_t i) const { return static_cast<float>(m_numbers[i]->value()); }
    [[nodiscard]] Vec3 angles() const { return {at(0), at(1), at(2)}; }
    [[nodiscard]] Value compose() const {
        switch (field().type) {
        case FieldType::Vector2:
            return Vec2(at(0), at(1));
        case FieldType::Vector4:
            return Vec4(at(0), at(1), at(2), at(3));
        case FieldType::Quaternion:
            return fromEulerDegrees(angles());
        default:
            return Vec3(at(0), at(1), at(2));
        }
    }

    std::size_t m_count = 3;
    std::array<NumberField*, 4> m_numbers{};
};

// A swatch with the colour's sRGB digits; opens the picker.
class ColorButton : public QPushButton {
public:
    ColorButton(const Theme& theme, QWidget* parent) : QPushButton(parent), m_theme(theme) {
        setFont(theme.font(FontRole::Mono));
    }
    void setColor(const Vec4& linear, bool mixed) {
        m_linear = linear;
        m_mixed = mixed;
        update();
    }
    QSize sizeHint() const override { return {96, measure::ControlHeight}; }

protected:
    void paintEvent(QPaintEvent* event) override {
        QPushButton::paintEvent(event);
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const QRectF swatch(6, 5, 28, height() - 10);
        const float peak = std::max({m_linear.r, m_linear.g, m_linear.b, 1.0F});
        // Brighter than white shows its hue, and how much brighter in words.
        const QColor screen = toScreen(Vec4(Vec3(m_linear) / peak, m_linear.a));
        painter.setPen(Qt::NoPen);
        if (!m_mixed) {
            QColor solid = screen;
            solid.setAlpha(255);
            painter.setBrush(solid);
            painter.drawRoundedRect(swatch, 2, 2);
            if (screen.alpha() < 255) {
                // The right half over a checker: how much shines through.
                painter.save();
                painter.setClipRect(
                    QRectF(swatch.center().x(), swatch.y(), swatch.width() / 2, swatch.height()));
                painter.fillRect(swatch, QColor(Qt::white));
                painter.fillRect(swatch, QBrush(QColor(Qt::gray), Qt::Dense4Pattern));
                painter.fillRect(swatch, screen);
                painter.restore();
            }
        }
        painter.setBrush(Qt::NoBrush);
        painter.setPen(m_theme.color(Token::Line));
        painter.drawRoundedRect(swatch.adjusted(0.5, 0.5, -0.5, -0.5), 2, 2);
        QString words = m_mixed ? tr("mixed") : screen.name();
        if (!m_mixed && peak > 1.0F)
            words += QStringLiteral(" ×%1").arg(static_cast<double>(peak), 0, 'f', 1);
        painter.setFont(font());
        painter.setPen(
            palette().color(isEnabled() ? QPalette::Active : QPalette::Disabled, QPalette::ButtonText));
        painter.drawText(rect().adjusted(42, 0, -6, 0), Qt::AlignLeft | Qt::AlignVCenter, words);
    }

private:
    const Theme& m_theme;
    Vec4 m_linear{1.0F};
    bool m_mixed = false;
};

class ColorEditor : public FieldEditor {
public:
    ColorEditor(const FieldInfo& field, const Theme& theme, QWidget* parent)
        : FieldEditor(field, theme, parent), m_button(new ColorButton(theme, this)) {
        m_button->setObjectName(QStringLiteral("input"));
        m_button->setProperty("sbxMono", true);
        addField(m_button);
        connect(m_button, &QPushButton::clicked, this, &ColorEditor::openPicker);
        setContent(m_button);
    }

protected:
    void showValue(const Value& value) override {
        m_button->setColor(valueOr(value, Vec4(1.0F)), false);
        if (m_picker && !isEditing() && m_picker->color() != valueOr(value, Vec4(1.0F)))
            m_picker->setColor(valueOr(value, Vec4(1.0F)));
    }
    void showReadOnly(bool readOnly) override { m_button->setEnabled(!readOnly); }
    void showMixed(std::uint8_t differ) override { m_button->setColor(valueOr(value(), Vec4(1.0F)), differ != 0); }

private:
    void openPicker() {
        auto* picker = new ColorPicker(theme(), field().maximum > 1.0, this);
        m_picker = picker;
        picker->setAttribute(Qt::WA_DeleteOnClose);
        picker->setColor(valueOr(value(), Vec4(1.0F)));
        connect(picker, &ColorPicker::picked, this, [this](const Vec4& color, bool committed) {
            m_button->setColor(color, false);
            submit(Value(color), committed);
        });
        picker->move(m_button->mapToGlobal(QPoint(0, m_button->height() + 2)));
        picker->show();
    }

    ColorButton* m_button;
    QPointer<ColorPicker> m_picker;
};

// Scrolling a panel must not change what passes under the pointer.
class CalmComboBox : public QComboBox {
public:
    using QComboBox::QComboBox;

protected:
    void wheelEvent(QWheelEvent* event) override {
        event->ignore(); // a wheel over a panel scrolls the panel
    }
};

class EnumEditor : public FieldEditor {
public:
    EnumEditor(const FieldInfo& field, const Theme& theme, QWidget* parent)
        : FieldEditor(field, theme, parent), m_combo(new CalmComboBox(this)) {
        m_combo->setObjectName(QStringLiteral("input"));
        m_combo->setFocusPolicy(Qt::StrongFocus);
        m_combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        m_combo->setMinimumContentsLength(6);
        for (const std::string& choice : field.choices)
            m_combo->addItem(QString::fromStdString(choice));
        addField(m_combo);
        connect(m_combo, &QComboBox::activated, this,
                [this](int) { submitText(m_combo->currentText(), true); });
        setContent(m_combo);
    }

protected:
    void showValue(const Value& value) override {
        m_combo->setCurrentIndex(m_combo->findText(QString::fromStdString(valueOr(value, std::string()))));
    }
    void showReadOnly(bool readOnly) override { m_combo->setEnabled(!readOnly); }
    void showMixed(std::uint8_t differ) override {
        m_combo->setPlaceholderText(differ != 0 ? tr("mixed") : QString());
        if (differ != 0)
            m_combo->setCurrentIndex(-1);
    }

private:
    QComboBox* m_combo;
};

} // namespace

FieldEditor* FieldEditor::create(const FieldInfo& field, const Theme& theme, const FieldSources& sources,
                                 QWidget* parent) {
    switch (field.type) {
    case FieldType::Bool:
        return new BoolEditor(field, theme, parent);
    case FieldType::Int:
    case FieldType::Float:
        return new NumberEditor(field, theme, sources.live, parent);
    case FieldType::Vector2:
    case FieldType::Vector3:
    case FieldType::Vector4:
    case FieldType::Quaternion:
        return new VectorEditor(field, theme, sources.live, parent);
    case FieldType::Color:
        return new ColorEditor(field, theme, parent);
    case FieldType::Enum:
        return new EnumEditor(field, theme, parent);
    case FieldType::String:
    case FieldType::Entity:
        return createTextEditor(field, theme, sources, parent);
    }
    return createTextEditor(field, theme, sources, parent);
}

} // namespace sbx::ui
