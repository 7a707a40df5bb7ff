#include "widgets/common/number_field.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QLayout>
#include <QMouseEvent>
#include <QPainter>
#include <QStyle>
#include <QStyleOptionFrame>
#include <QToolTip>
#include <QWheelEvent>

#include "engine/core/value.h"
#include "widgets/common/foreign_text.h"
#include "widgets/common/number_expression.h"
#include "widgets/common/theme.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sbx::ui {

namespace {

constexpr int DragThreshold = 3;
constexpr double SliderSpan = 1000.0; // a range wider than this is no slider
constexpr int TextInset = 2;          // pixels that QLineEdit keeps free on each side of its text

// The nearest widget around that takes the keyboard; null: none.
QWidget* focusAround(const QWidget& widget) {
    for (QWidget* around = widget.parentWidget(); around != nullptr; around = around->parentWidget())
        if (around->focusProxy() != nullptr || around->focusPolicy() != Qt::NoFocus)
            return around;
    return nullptr;
}

} // namespace

NumberField::NumberField(const Theme& theme, NumberFormat format, QWidget* parent)
    : QLineEdit(parent), m_theme(theme), m_format(std::move(format)), m_axisColor(Token::Muted) {
    setFont(theme.font(FontRole::Mono));
    setAlignment(Qt::AlignRight);
    setFocusPolicy(Qt::TabFocus); // a press may become a drag: the release decides about focus
    setCursor(Qt::SizeHorCursor);
    setContextMenuPolicy(Qt::NoContextMenu);
    connect(this, &QLineEdit::textEdited, this, [this] {
        m_typed = true;
        setFault({}); // what was refused before is not there any more
        updateRoom();
    });
    updateMargins();
    refreshText();
}

void NumberField::setAxis(const QString& letter, Token color) {
    m_axis = letter;
    m_axisColor = color;
    updateMargins();
}

void NumberField::setValue(double value) {
    if (m_scrubbing)
        return;
    if (m_mixed || value != m_value)
        discardRefused();
    m_value = value;
    m_mixed = false;
    if (!m_typed)
        refreshText();
}

void NumberField::setMixed(bool mixed) {
    if (m_scrubbing)
        return;
    if (mixed != m_mixed)
        discardRefused();
    m_mixed = mixed;
    if (!m_typed)
        refreshText();
}

void NumberField::setFault(const QString& reason) {
    setInvalid(*this, !reason.isEmpty());
    m_fault = reason;
    emit invalid(reason);
}

void NumberField::discardTyped() {
    if (!m_typed)
        return;
    m_typed = false;
    setFault({});
    refreshText();
}

// The text was refused when the focus left, and belongs to a value that is another now.
void NumberField::discardRefused() {
    if (!hasFocus())
        discardTyped();
}

void NumberField::setMeasured(bool measured) {
    if (std::exchange(m_measured, measured) != measured && !m_typed)
        refreshText();
}

QString NumberField::display(double value, const NumberFormat& format) {
    if (format.whole)
        return QString::number(static_cast<qint64>(value));
    const double size = std::abs(value);
    const double grain = std::pow(10.0, -format.decimals);
    const bool lost = format.smallExact && value != 0.0 && size < grain * 100.0
                      && std::abs(std::round(value / grain) * grain - value) > size * 1e-3;
    if (size >= 1e7 || lost)
        return QString::number(value, 'g', 4);
    return QString::number(value == 0.0 ? 0.0 : value, 'f', format.decimals); // no "-0.000"
}

QString NumberField::exact() const {
    if (m_format.live)
        return display(m_value, m_format);
    if (m_format.whole)
        return QString::number(static_cast<qint64>(m_value));
    if (m_format.typedDecimals >= 0) {
        const double grain = std::pow(10.0, m_format.typedDecimals);
        const double rounded = std::round(m_value * grain) / grain;
        if (std::isfinite(rounded))
            return QString::fromStdString(formatDouble(rounded == 0.0 ? 0.0 : rounded));
    }
    const double value = m_value == 0.0 ? 0.0 : m_value; // no "-0.0"
    return QString::fromStdString(m_format.singlePrecision ? formatFloat(static_cast<float>(value))
                                                           : formatDouble(value));
}

QString NumberField::fitting() const {
    const QMargins labels = labelMargins();
    const int room = roomFor(labels.left(), labels.right());
    NumberFormat format = m_format;
    format.smallExact = format.smallExact && !m_measured;
    QString text = display(m_value, format);
    while (!format.whole && format.decimals > 0 && fontMetrics().horizontalAdvance(text) > room) {
        // First the usual decimals in place of the more of a small number.
        if (!std::exchange(format.smallExact, false))
            --format.decimals;
        text = display(m_value, format);
    }
    if (fontMetrics().horizontalAdvance(text) > room && std::abs(m_value) >= 1e4)
        text = QString::number(m_value, 'g', 2);
    if (text.startsWith(QLatin1Char('-')) && text.toDouble() == 0.0)
        text.remove(0, 1); // no "-0.0"
    // The labels give way before the number does.
    return fontMetrics().horizontalAdvance(text) > roomFor(0, 0) ? QStringLiteral("…") : text;
}

void NumberField::refreshText() {
    const bool typing = hasFocus() && !m_scrubbing;
    setPlaceholderText(m_mixed ? tr("mixed") : QString());
    if (m_mixed && m_scrubbing)
        setText(QStringLiteral("%1%2").arg(m_shift < 0.0 ? QString() : QStringLiteral("+"), QString::number(m_shift, 'g', 6)));
    else if (m_mixed)
        setText(typing ? QString() : tr("mixed"));
    else
        setText(typing ? exact() : fitting());
    updateRoom();
    if (typing) // from the end, so that the first digits are in sight wherever not all of them fit
        setSelection(static_cast<int>(text().size()), -static_cast<int>(text().size()));
    else
        home(false);
}

QMargins NumberField::labelMargins() const {
    const QFontMetrics metrics(m_theme.font(FontRole::Ui));
    const int left = m_axis.isEmpty() ? 0 : metrics.horizontalAdvance(m_axis) + 4;
    const int right = m_format.unit.isEmpty() ? 0 : metrics.horizontalAdvance(m_format.unit) + 4;
    return {left, 0, right, 0};
}

int NumberField::roomFor(int left, int right) const {
    QStyleOptionFrame option;
    initStyleOption(&option);
    return style()->subElementRect(QStyle::SE_LineEditContents, &option, this).width() - left - right
           - 2 * TextInset;
}

void NumberField::updateMargins() { setTextMargins(m_labelsHidden ? QMargins() : labelMargins()); }

void NumberField::updateRoom() {
    const bool typing = hasFocus() && !m_scrubbing;
    const QMargins labels = labelMargins();
    const int needed = fontMetrics().horizontalAdvance(text()) + 1; // and the caret
    const bool hide = needed > roomFor(labels.left(), labels.right());
    if (hide != m_labelsHidden) {
        m_labelsHidden = hide;
        updateMargins();
        update();
    }
    int wanted = 0;
    if (const int missing = needed - roomFor(0, 0); typing && missing > 0 && parentWidget() != nullptr) {
        // No more than the row can give: the others keep what they need at least.
        int others = 0;
        const QLayout* const row = parentWidget()->layout();
        const int gap = row != nullptr ? std::max(row->spacing(), 0) : 4;
        for (const NumberField* field :
             parentWidget()->findChildren<NumberField*>(QString(), Qt::FindDirectChildrenOnly))
            if (field != this && field->isVisible() && field->y() == y())
                others += field->leastWidth() + gap;
        wanted = std::max(0, std::min(width() + missing, parentWidget()->width() - others));
    } else if (typing) {
        wanted = m_wantedWidth; // not narrower again while the hand is in it
    }
    if (wanted == m_wantedWidth)
        return;
    m_wantedWidth = wanted;
    updateGeometry();
}

namespace {
// Return has given the focus back to the panel or to a list; a Tab that follows at once goes on from the number, not from there.
class TabGoesOn : public QObject {
public:
    TabGoesOn(QWidget& at, NumberField& from) : QObject(&at), m_from(&from) { at.installEventFilter(this); }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::FocusOut || event->type() == QEvent::MouseButtonPress) {
            end(*watched);
            return QObject::eventFilter(watched, event);
        }
        if (event->type() != QEvent::KeyPress)
            return QObject::eventFilter(watched, event);
        const auto& key = *static_cast<QKeyEvent*>(event);
        if (key.key() == Qt::Key_Shift) // Shift+Tab
            return QObject::eventFilter(watched, event);
        end(*watched);
        if ((key.key() != Qt::Key_Tab && key.key() != Qt::Key_Backtab) || m_from == nullptr || !m_from->isVisible())
            return QObject::eventFilter(watched, event);
        m_from->setFocus(Qt::OtherFocusReason);
        QKeyEvent again(QEvent::KeyPress, key.key(), key.modifiers());
        QCoreApplication::sendEvent(m_from, &again);
        return true;
    }

private:
    void end(QObject& at) {
        at.removeEventFilter(this);
        deleteLater();
    }
    QPointer<NumberField> m_from;
};
} // namespace

void NumberField::leave() {
    QWidget* next = m_before;
    if (next == nullptr || !next->isVisible() || !next->isEnabled() || next->window() != window())
        next = focusAround(*this);
    if (next != nullptr)
        next->setFocus(Qt::OtherFocusReason);
    if (hasFocus())
        clearFocus();
    else if (next != nullptr && next->hasFocus() && (next->isAncestorOf(this) || qobject_cast<QAbstractItemView*>(next) != nullptr))
        new TabGoesOn(*next, *this); // the one that has the focus owns it
}

QSize NumberField::sizeHint() const {
    const QMargins margins = textMargins();
    return {fontMetrics().horizontalAdvance(QStringLiteral("-000.000")) + margins.left() + margins.right()
                + 16,
            measure::ControlHeight};
}

int NumberField::leastWidth() const {
    return fontMetrics().horizontalAdvance(m_axis.isEmpty() ? QStringLiteral("0.00") : m_axis) + 12;
}

QSize NumberField::minimumSizeHint() const {
    return {std::max(leastWidth(), m_wantedWidth), measure::ControlHeight};
}

// All digits above what the widget around says of the field.
void NumberField::showTip(const QHelpEvent& event) {
    QString about = toolTip();
    for (const QWidget* around = parentWidget(); about.isEmpty() && around != nullptr; around = around->parentWidget())
        about = around->toolTip();
    QString number = exact();
    if (!m_axis.isEmpty())
        number.prepend(m_axis + QLatin1Char(' '));
    if (!m_format.unit.isEmpty())
        number += (m_format.unit == QStringLiteral("°") ? QString() : QStringLiteral(" ")) + m_format.unit;
    if (!m_fault.isEmpty()) { // the text is not the value
        QToolTip::showText(event.globalPos(), tipText(m_fault), this);
        return;
    }
    const QString tip = Qt::mightBeRichText(about) ? QStringLiteral("<p><b>%1</b></p>%2").arg(number.toHtmlEscaped(), about)
                                                   : number + QLatin1Char('\n') + about;
    QToolTip::showText(event.globalPos(), tip, this);
}

bool NumberField::isSlider() const {
    return m_axis.isEmpty() && std::isfinite(m_format.minimum) && std::isfinite(m_format.maximum)
           && m_format.maximum > m_format.minimum && m_format.maximum - m_format.minimum <= SliderSpan;
}

double NumberField::step(Qt::KeyboardModifiers modifiers) const {
    double step = 1.0;
    if (!m_format.whole) {
        if (isSlider()) {
            step = (m_format.maximum - m_format.minimum) / 100.0;
        } else {
            // A hundredth of the number's own size, as a power of ten.
            step = std::pow(10.0, std::floor(std::log10(std::max(std::abs(m_value), 1.0))) - 1.0);
        }
    }
    if (modifiers & Qt::ShiftModifier && !m_format.whole)
        step /= 10.0;
    if (modifiers & Qt::ControlModifier)
        step *= 10.0;
    return step;
}

double NumberField::bounded(double value) const {
    value = std::clamp(value, m_format.minimum, m_format.maximum);
    return m_format.whole ? std::round(value) : value;
}

void NumberField::stepBy(double steps, Qt::KeyboardModifiers modifiers) {
    if (isReadOnly())
        return;
    commitTyped();
    if (m_typed) // refused
        return;
    const double size = step(modifiers);
    if (m_mixed) {
        emit operated(FieldChange::Kind::Add, steps * size, true);
        return;
    }
    // On the step's grid, so that repeated steps make round numbers.
    const double next = bounded(std::round((m_value + steps * size) / size) * size);
    if (next == m_value)
        return;
    m_value = next;
    refreshText();
    emit changed(m_value, true);
}

void NumberField::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || hasFocus() || isReadOnly()) {
        QLineEdit::mousePressEvent(event);
        return;
    }
    m_pressed = true;
    m_pressX = m_lastX = qRound(event->position().x());
    m_scrubStart = m_scrubbed = m_value;
    m_shift = 0.0;
}

void NumberField::mouseMoveEvent(QMouseEvent* event) {
    if (!m_pressed) {
        QLineEdit::mouseMoveEvent(event);
        return;
    }
    const int x = qRound(event->position().x());
    if (!m_scrubbing) {
        if (std::abs(x - m_pressX) < DragThreshold)
            return;
        discardTyped();
        m_scrubbing = true;
        m_lastX = x;
        grabKeyboard(); // Esc comes here without focus, which would start typing
    }
    const int moved = x - m_lastX;
    m_lastX = x;
    const Qt::KeyboardModifiers modifiers = event->modifiers();
    double perPixel = m_format.whole ? 0.25 : std::max(std::abs(m_scrubStart), 1.0) * 0.01;
    if (isSlider())
        perPixel = (m_format.maximum - m_format.minimum) / std::max(1, width());
    if (modifiers & Qt::ShiftModifier)
        perPixel *= 0.1;
    if (modifiers & Qt::ControlModifier)
        perPixel *= 10.0;
    // As many decimals as the hand can tell apart.
    const double grain = m_format.whole ? 1.0 : std::pow(10.0, std::floor(std::log10(perPixel)));
    if (m_mixed) { // each from its own value: the bounds are looked at where those are known
        m_scrubbed += moved * perPixel;
        const double shift = std::round((m_scrubbed - m_scrubStart) / grain) * grain;
        if (shift == m_shift)
            return;
        m_shift = shift;
        refreshText();
        emit operated(FieldChange::Kind::Add, m_shift, false);
        return;
    }
    m_scrubbed = std::clamp(m_scrubbed + moved * perPixel, m_format.minimum, m_format.maximum);
    const double next = bounded(std::round(m_scrubbed / grain) * grain);
    if (next == m_value)
        return;
    m_value = next;
    refreshText();
    update();
    emit changed(m_value, false);
}

void NumberField::mouseReleaseEvent(QMouseEvent* event) {
    if (!m_pressed) {
        QLineEdit::mouseReleaseEvent(event);
        return;
    }
    m_pressed = false;
    if (m_scrubbing) {
        endScrub(true);
        return;
    }
    QWidget* const now = QApplication::focusWidget();
    const auto* field = qobject_cast<NumberField*>(now);
    m_before = field != nullptr ? field->m_before.data() : now;
    setFocus(Qt::MouseFocusReason);
}

void NumberField::endScrub(bool keep) {
    if (!m_scrubbing)
        return;
    releaseKeyboard();
    m_pressed = false;
    if (m_mixed) {
        m_scrubbing = false;
        refreshText();
        emit operated(FieldChange::Kind::Add, keep ? m_shift : 0.0, true);
        return;
    }
    if (!keep && m_value != m_scrubStart) {
        m_value = m_scrubStart;
        emit changed(m_value, false);
    }
    m_scrubbing = false;
    refreshText();
    emit changed(m_value, true);
}

void NumberField::keyPressEvent(QKeyEvent* event) {
    if (m_scrubbing) {
        if (event->key() == Qt::Key_Escape)
            endScrub(false);
        return;
    }
    switch (event->key()) {
    case Qt::Key_Up:
        stepBy(1.0, event->modifiers());
        return;
    case Qt::Key_Down:
        stepBy(-1.0, event->modifiers());
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        commitTyped();
        if (!m_typed) // otherwise it is at fault, and stays until that is mended or taken back
            leave();
        return;
    case Qt::Key_Escape:
        if (m_typed)
            discardTyped();
        else
            leave();
        return;
    default:
        QLineEdit::keyPressEvent(event);
    }
}

bool NumberField::event(QEvent* event) {
    // Esc belongs to the edit while there is one to take back.
    if (event->type() == QEvent::ShortcutOverride && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape
        && (m_typed || m_scrubbing)) {
        event->accept();
        return true;
    }
    if (event->type() == QEvent::ToolTip && !m_mixed) {
        showTip(*static_cast<QHelpEvent*>(event));
        return true;
    }
    return QLineEdit::event(event);
}

// From number to number by Tab is one piece of typing: its end leads to where its beginning came from.
bool NumberField::focusNextPrevChild(bool next) {
    const QPointer<QWidget> before = m_before;
    if (!QLineEdit::focusNextPrevChild(next))
        return false;
    if (auto* field = qobject_cast<NumberField*>(QApplication::focusWidget());
        field != nullptr && field != this)
        field->m_before = before;
    return true;
}

void NumberField::wheelEvent(QWheelEvent* event) {
    // Only when focused: scrolling a panel must not change what passes under the pointer.
    if (!hasFocus()) {
        event->ignore();
        return;
    }
    stepBy(event->angleDelta().y() > 0 ? 1.0 : -1.0, event->modifiers());
    event->accept();
}

void NumberField::focusInEvent(QFocusEvent* event) {
    QLineEdit::focusInEvent(event);
    if (event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason)
        m_before = nullptr; // reached from the panel itself: Return stays there
    setCursor(Qt::IBeamCursor);
    if (!m_typed)
        refreshText();
}

void NumberField::focusOutEvent(QFocusEvent* event) {
    commitTyped();
    if (event->reason() != Qt::PopupFocusReason)
        setCursor(isReadOnly() ? Qt::ArrowCursor : Qt::SizeHorCursor);
    QLineEdit::focusOutEvent(event);
    deselect();
    if (m_typed) // refused: text and reason stay until it is mended or taken back
        return;
    setFault({});
    refreshText();
}

void NumberField::resizeEvent(QResizeEvent* event) {
    QLineEdit::resizeEvent(event);
    if (!hasFocus() && !m_typed)
        refreshText();
    else
        updateRoom();
}

// No release comes to what is hidden.
void NumberField::hideEvent(QHideEvent* event) {
    endScrub(true);
    m_pressed = false;
    QLineEdit::hideEvent(event);
}

void NumberField::commitTyped() {
    if (!m_typed)
        return;
    const QStringView typed = QStringView(text()).trimmed();
    FieldChange::Kind kind = FieldChange::Kind::Set;
    QStringView operand = typed;
    for (const FieldChange::Kind each : {FieldChange::Kind::Add, FieldChange::Kind::Subtract, FieldChange::Kind::Multiply,
                                         FieldChange::Kind::Divide, FieldChange::Kind::Set})
        if (const QLatin1String sign(operatorText(each)); typed.startsWith(sign)) {
            kind = each;
            operand = typed.sliced(sign.size());
            break;
        }
    if (m_mixed && typed.isEmpty()) { // typed and taken back: the values stay as they are
        m_typed = false;
        setFault({});
        return;
    }
    const NumberExpression result = evaluateNumber(operand, m_format.unit);
    if (!result.ok()) {
        const qsizetype at = operand.data() - QStringView(text()).data() + result.at;
        refuse(result.length == 0 ? result.fault : tr("%1 (character %2)").arg(result.fault).arg(at + 1), at, result.length);
        return;
    }
    if (kind == FieldChange::Kind::Divide && result.value == 0.0) {
        refuse(tr("nothing can be divided by 0"));
        return;
    }
    if (kind != FieldChange::Kind::Set && m_mixed) {
        m_typed = false;
        setFault({});
        refreshText();
        emit operated(kind, result.value, true);
        return;
    }
    double value = ui::operated(m_value, kind, result.value);
    if (m_format.whole && kind != FieldChange::Kind::Set)
        value = std::round(value);
    if (const QString reason = reasonAgainst(value); !reason.isEmpty()) {
        refuse(reason);
        return;
    }
    m_typed = false;
    setFault({});
    const bool fresh = value != m_value || m_mixed;
    m_value = value;
    m_mixed = false;
    refreshText();
    if (fresh)
        emit changed(m_value, true);
}

QString NumberField::reasonAgainst(double value) const {
    constexpr double LargestWhole = 9e18; // of a std::int64_t, about
    const bool fits = m_format.whole ? std::abs(value) <= LargestWhole
                                     : !m_format.singlePrecision || std::abs(value) <= std::numeric_limits<float>::max();
    if (!std::isfinite(value) || !fits)
        return tr("the result is too large");
    const QString number = QString::fromStdString(formatDouble(value));
    if (m_format.whole && value != std::round(value))
        return tr("%1 is not a whole number").arg(number);
    if (value >= m_format.minimum && value <= m_format.maximum)
        return {};
    const auto bound = [](double limit) { return QString::number(limit, 'g', 6); };
    const QString range = std::isfinite(m_format.minimum) && std::isfinite(m_format.maximum)
                              ? tr("%1 to %2").arg(bound(m_format.minimum), bound(m_format.maximum))
                          : std::isfinite(m_format.minimum) ? tr("at least %1").arg(bound(m_format.minimum))
                                                            : tr("at most %1").arg(bound(m_format.maximum));
    return tr("%1 is out of range: %2").arg(number, range);
}

// The text stays, with the part that is wrong selected: what is typed next replaces it.
void NumberField::refuse(const QString& reason, qsizetype at, qsizetype length) {
    setFault(reason);
    if (!hasFocus())
        return;
    if (length > 0)
        setSelection(static_cast<int>(at), static_cast<int>(length));
    else
        selectAll();
}

void NumberField::changeEvent(QEvent* event) {
    QLineEdit::changeEvent(event);
    if (event->type() == QEvent::ReadOnlyChange || event->type() == QEvent::EnabledChange)
        setCursor(isReadOnly() ? Qt::ArrowCursor : Qt::SizeHorCursor);
}

void NumberField::paintEvent(QPaintEvent* event) {
    QLineEdit::paintEvent(event);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (isSlider() && !hasFocus() && !m_mixed && isEnabled()) {
        // A thin bar along the lower edge: how far between the bounds.
        const double share =
            std::clamp((m_value - m_format.minimum) / (m_format.maximum - m_format.minimum), 0.0, 1.0);
        const QRectF track(4, height() - 3.5, width() - 8, 1.5);
        painter.fillRect(track, m_theme.color(Token::Line));
        painter.fillRect(QRectF(track.x(), track.y(), track.width() * share, track.height()),
                         m_theme.color(m_scrubbing ? Token::Accent : Token::Muted));
    }
    painter.setFont(m_theme.font(FontRole::Ui));
    const QRect r = rect().adjusted(6, 0, -6, 0);
    if (m_labelsHidden)
        return;
    if (!m_axis.isEmpty()) {
        painter.setPen(m_theme.readable(m_theme.color(m_axisColor), m_theme.color(Token::Raised)));
        painter.setFont(m_theme.strongFont(FontRole::Ui));
        painter.drawText(r, Qt::AlignLeft | Qt::AlignVCenter, m_axis);
        painter.setFont(m_theme.font(FontRole::Ui));
    }
    if (!m_format.unit.isEmpty()) {
        painter.setPen(m_theme.color(isEnabled() ? Token::Muted : Token::Disabled));
        painter.drawText(r, Qt::AlignRight | Qt::AlignVCenter, m_format.unit);
    }
}

} // namespace sbx::ui

#include "moc_number_field.cpp"
