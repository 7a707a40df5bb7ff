#include "widgets/common/color_picker.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLinearGradient>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPainter>
#include <QVBoxLayout>

#include "widgets/common/number_field.h"
#include "widgets/common/theme.h"

#include <algorithm>
#include <cmath>

namespace sbx::ui {

namespace {

constexpr QRect Square(8, 8, 200, 150);
constexpr QRect HueBar(8, 166, 200, 12);
constexpr QRect AlphaBar(8, 186, 200, 12);
constexpr int NumbersTop = 206;

float encode(float linear) {
    linear = std::clamp(linear, 0.0F, 1.0F);
    return linear <= 0.0031308F ? linear * 12.92F : 1.055F * std::pow(linear, 1.0F / 2.4F) - 0.055F;
}

float decode(float screen) {
    return screen <= 0.04045F ? screen / 12.92F : std::pow((screen + 0.055F) / 1.055F, 2.4F);
}

void drawChecks(QPainter& painter, const QRect& rect) {
    painter.fillRect(rect, QColor(Qt::white));
    const int side = 4;
    for (int y = rect.top(); y <= rect.bottom(); y += side)
        for (int x = rect.left(); x <= rect.right(); x += side)
            if (((x - rect.left()) / side + (y - rect.top()) / side) % 2 == 0)
                painter.fillRect(QRect(x, y, side, side).intersected(rect), QColor(Qt::lightGray));
}

} // namespace

QColor toScreen(const Vec4& linear) {
    return QColor::fromRgbF(encode(linear.r), encode(linear.g), encode(linear.b),
                            std::clamp(linear.a, 0.0F, 1.0F));
}

Vec4 fromScreen(const QColor& color) {
    return {decode(color.redF()), decode(color.greenF()), decode(color.blueF()), color.alphaF()};
}

Vec4 overlayColor(const QColor& color, float alpha) { return {color.redF(), color.greenF(), color.blueF(), alpha}; }

ColorPicker::ColorPicker(const Theme& theme, bool bright, QWidget* parent)
    : QFrame(parent, Qt::Popup | Qt::FramelessWindowHint), m_theme(theme), m_hex(new QLineEdit(this)) {
    setObjectName(QStringLiteral("colorPicker"));
    setAccessibleName(tr("Colour"));
    setFixedSize(216, NumbersTop + measure::ControlHeight + 8);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(measure::RelatedGap);
    m_hex->setFont(theme.font(FontRole::Mono));
    m_hex->setMaxLength(9);
    m_hex->setObjectName(QStringLiteral("colorPicker.hex"));
    m_hex->setAccessibleName(tr("Hexadecimal sRGB"));
    row->addWidget(m_hex, 1);
    if (bright) {
        NumberFormat format;
        format.minimum = 0.0;
        format.decimals = 2;
        format.unit = QStringLiteral("×");
        m_intensityField = new NumberField(theme, format, this);
        m_intensityField->setObjectName(QStringLiteral("colorPicker.intensity"));
        m_intensityField->setAccessibleName(tr("Intensity"));
        m_intensityField->setToolTip(tr("Intensity: the colour times this; above 1 is brighter than white"));
        row->addWidget(m_intensityField, 1);
        connect(m_intensityField, &NumberField::changed, this, [this](double value, bool committed) {
            m_intensity = value;
            tell(committed);
        });
    }
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, NumbersTop, 8, 8);
    column->addLayout(row);
    connect(m_hex, &QLineEdit::editingFinished, this, [this] {
        QString text = m_hex->text().trimmed();
        if (!text.startsWith(QLatin1Char('#')))
            text.prepend(QLatin1Char('#'));
        const QColor typed(text);
        setInvalid(*m_hex, !typed.isValid());
        if (!typed.isValid() || typed.rgb() == toScreen(color()).rgb())
            return;
        Vec4 linear = fromScreen(typed);
        linear.a = m_alpha;
        m_intensity = 1.0;
        setColor(linear);
        tell(true);
    });
}

void ColorPicker::setColor(const Vec4& linear) {
    const float peak = std::max({linear.r, linear.g, linear.b});
    m_intensity = peak > 1.0F ? static_cast<double>(peak) : 1.0;
    const auto scale = static_cast<float>(m_intensity);
    const QColor screen = toScreen({linear.r / scale, linear.g / scale, linear.b / scale, linear.a});
    float hue = 0.0F;
    screen.getHsvF(&hue, &m_saturation, &m_brightness);
    if (hue >= 0.0F) // grey keeps the hue there was
        m_hue = hue;
    m_alpha = std::clamp(linear.a, 0.0F, 1.0F);
    showNumbers();
    update();
}

Vec4 ColorPicker::color() const {
    Vec4 linear = fromScreen(QColor::fromHsvF(std::min(m_hue, 0.9999F), m_saturation, m_brightness));
    const auto scale = static_cast<float>(m_intensity);
    return {linear.r * scale, linear.g * scale, linear.b * scale, m_alpha};
}

void ColorPicker::showNumbers() {
    if (!m_hex->hasFocus() || !m_hex->isModified())
        m_hex->setText(QColor::fromHsvF(std::min(m_hue, 0.9999F), m_saturation, m_brightness).name());
    if (m_intensityField != nullptr)
        m_intensityField->setValue(m_intensity);
}

void ColorPicker::tell(bool committed) {
    showNumbers();
    update();
    emit picked(color(), committed);
}

void ColorPicker::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.color(Token::Surface));
    painter.setPen(m_theme.color(Token::Line));
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
    const float hue = std::min(m_hue, 0.9999F);
    QLinearGradient across(Square.topLeft(), Square.topRight());
    across.setColorAt(0, Qt::white);
    across.setColorAt(1, QColor::fromHsvF(hue, 1, 1));
    painter.fillRect(Square, across);
    QLinearGradient down(Square.topLeft(), Square.bottomLeft());
    down.setColorAt(0, Qt::transparent);
    down.setColorAt(1, Qt::black);
    painter.fillRect(Square, down);
    QLinearGradient hues(HueBar.topLeft(), HueBar.topRight());
    for (int i = 0; i <= 6; ++i)
        hues.setColorAt(i / 6.0, QColor::fromHsvF(std::min(static_cast<float>(i) / 6.0F, 0.9999F), 1, 1));
    painter.fillRect(HueBar, hues);
    drawChecks(painter, AlphaBar);
    QColor solid = QColor::fromHsvF(hue, m_saturation, m_brightness);
    QColor clear = solid;
    clear.setAlpha(0);
    QLinearGradient alphas(AlphaBar.topLeft(), AlphaBar.topRight());
    alphas.setColorAt(0, clear);
    alphas.setColorAt(1, solid);
    painter.fillRect(AlphaBar, alphas);
    painter.setRenderHint(QPainter::Antialiasing);
    const auto ring = [&](const QPointF& at, qreal radius, const QColor& fill) {
        painter.setBrush(fill);
        painter.setPen(QPen(Qt::black, 1));
        painter.drawEllipse(at, radius + 1, radius + 1);
        painter.setPen(QPen(Qt::white, 2));
        painter.drawEllipse(at, radius, radius);
    };
    ring({Square.x() + static_cast<qreal>(m_saturation) * Square.width(),
          Square.y() + (1.0 - static_cast<qreal>(m_brightness)) * Square.height()},
         5, solid);
    ring({HueBar.x() + static_cast<qreal>(m_hue) * HueBar.width(), HueBar.y() + 6.0}, 5,
         QColor::fromHsvF(hue, 1, 1));
    ring({AlphaBar.x() + static_cast<qreal>(m_alpha) * AlphaBar.width(), AlphaBar.y() + 6.0}, 5, solid);
}

void ColorPicker::mousePressEvent(QMouseEvent* event) {
    const QPoint at = event->pos();
    if (!rect().contains(at)) {
        QFrame::mousePressEvent(event); // closes the popup
        return;
    }
    const auto near = [&](const QRect& part) { return part.adjusted(-6, -4, 6, 4).contains(at); };
    m_part = near(Square)     ? Part::Square
             : near(HueBar)   ? Part::Hue
             : near(AlphaBar) ? Part::Alpha
                              : Part::None;
    if (m_part != Part::None) {
        m_hex->clearFocus();
        drag(at);
    }
}

void ColorPicker::mouseMoveEvent(QMouseEvent* event) {
    if (m_part != Part::None)
        drag(event->pos());
}

void ColorPicker::mouseReleaseEvent(QMouseEvent* event) {
    if (m_part == Part::None) {
        QFrame::mouseReleaseEvent(event);
        return;
    }
    m_part = Part::None;
    tell(true);
}

void ColorPicker::drag(const QPoint& at) {
    const auto share = [](int x, int from, int length) {
        return std::clamp(static_cast<float>(x - from) / static_cast<float>(length), 0.0F, 1.0F);
    };
    if (m_part == Part::Square) {
        m_saturation = share(at.x(), Square.x(), Square.width());
        m_brightness = 1.0F - share(at.y(), Square.y(), Square.height());
    } else if (m_part == Part::Hue) {
        m_hue = share(at.x(), HueBar.x(), HueBar.width());
    } else {
        m_alpha = share(at.x(), AlphaBar.x(), AlphaBar.width());
    }
    tell(false);
}

void ColorPicker::hideEvent(QHideEvent* event) {
    QFrame::hideEvent(event);
    if (m_part != Part::None) {
        m_part = Part::None;
        tell(true);
    }
    emit closed();
}

} // namespace sbx::ui

#include "moc_color_picker.cpp"
