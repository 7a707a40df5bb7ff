// Buttons, fields, sliders and bars.

#include <QAbstractSpinBox>
#include <QComboBox>
#include <QPainter>
#include <QStyleOption>
#include <QWidget>

#include "widgets/common/theme_style.h"

#include <algorithm>

namespace sbx::ui {

namespace {

bool flag(const QWidget* widget, const char* property) {
    return widget != nullptr && widget->property(property).toBool();
}

QRectF centred(const QRect& rect, qreal side) {
    return {rect.x() + (rect.width() - side) / 2.0, rect.y() + (rect.height() - side) / 2.0, side, side};
}

} // namespace

void ThemeStyle::drawPushButton(const QStyleOptionButton& option, QPainter& painter,
                                const QWidget* widget) const {
    const bool enabled = option.state & State_Enabled;
    const bool primary =
        enabled && (flag(widget, PrimaryProperty) || (option.features & QStyleOptionButton::DefaultButton));
    const bool pointed = enabled && option.state & State_MouseOver;
    const bool down = option.state & (State_Sunken | State_On);
    QColor fill = primary ? color(Token::Accent) : color(Token::Raised);
    if (primary && (pointed || down))
        fill = mix(fill, color(Token::Text), down ? 0.22 : 0.1);
    else if (down)
        fill = color(Token::Pressed);
    else if (pointed)
        fill = hover();
    const bool flat = option.features & QStyleOptionButton::Flat;
    if (!flat || pointed || down)
        fillRounded(painter, option.rect,
                    enabled ? fill : mix(color(Token::Surface), color(Token::Raised), 0.6));
    if (enabled && option.state & State_HasFocus) {
        strokeRounded(painter, option.rect, primary ? color(Token::Text) : color(Token::Accent), 1.5);
    }
}

void ThemeStyle::drawPushButtonLabel(const QStyleOptionButton& option, QPainter& painter,
                                     const QWidget* widget) const {
    const bool enabled = option.state & State_Enabled;
    const bool primary =
        enabled && (flag(widget, PrimaryProperty) || (option.features & QStyleOptionButton::DefaultButton));
    const QColor ink = !enabled  ? color(Token::Disabled)
                       : primary ? color(Token::OnAccent)
                                 : color(Token::Text);
    const QFontMetrics metrics(painter.font());
    const int textWidth = option.text.isEmpty() ? 0 : metrics.size(Qt::TextShowMnemonic, option.text).width();
    const bool hasIcon = !option.icon.isNull();
    const bool hasMenu = option.features & QStyleOptionButton::HasMenu;
    const int gap = hasIcon && textWidth > 0 ? 6 : 0;
    const int iconSide = hasIcon ? option.iconSize.width() : 0;
    QRect r = option.rect.adjusted(4, 0, -4, 0);
    if (hasMenu) {
        const QRect arrow(r.right() - 15, r.center().y() - 5, 12, 12);
        drawIcon(painter, QStringLiteral("chevron-down"), arrow,
                 mix(ink, color(Token::Muted), primary ? 0.0 : 1.0));
        r.setRight(arrow.left() - 2);
    }
    int x = r.x() + std::max(0, (r.width() - iconSide - gap - textWidth) / 2);
    if (hasIcon) {
        const qreal scale = painter.device()->devicePixelRatioF();
        QPixmap pixmap = option.icon.pixmap(option.iconSize, scale, enabled ? QIcon::Normal : QIcon::Disabled,
                                            option.state & State_On ? QIcon::On : QIcon::Off);
        if (primary) {
            QPainter tint(&pixmap);
            tint.setCompositionMode(QPainter::CompositionMode_SourceIn);
            tint.fillRect(QRectF(QPointF(), pixmap.deviceIndependentSize()), ink);
        }
        painter.drawPixmap(QRect(x, r.y() + (r.height() - iconSide) / 2, iconSide, iconSide), pixmap);
        x += iconSide + gap;
    }
    painter.setPen(ink);
    painter.drawText(
        QRect(x, r.y(), r.right() - x + 1, r.height()),
        Qt::AlignLeft | Qt::AlignVCenter | Qt::TextShowMnemonic | Qt::TextHideMnemonic,
        metrics.elidedText(option.text, Qt::ElideRight, r.right() - x + 1, Qt::TextShowMnemonic));
}

void ThemeStyle::drawCheckMark(const QStyleOption& option, QPainter& painter, bool round) const {
    const bool enabled = option.state & State_Enabled;
    const bool on = option.state & State_On;
    const bool part = option.state & State_NoChange;
    const QRectF box = centred(option.rect, 14);
    const qreal radius = round ? 7 : 3;
    const QColor accent = enabled ? color(Token::Accent) : color(Token::Disabled);
    fillRounded(painter, box, (on || part) ? accent : color(Token::Raised), radius);
    if (!on && !part) {
        const bool pointed = enabled && option.state & State_MouseOver;
        strokeRounded(painter, box,
                      enabled ? mix(color(Token::Line), color(Token::Muted), pointed ? 1.0 : 0.55)
                              : color(Token::Line),
                      1.0, radius);
    }
    if (option.state & State_HasFocus && enabled)
        strokeRounded(painter, box.adjusted(-2, -2, 2, 2), color(Token::Accent), 1.0, radius + 2);
    if (!on && !part)
        return;
    const QColor ink = enabled ? color(Token::OnAccent) : color(Token::Surface);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    if (round) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(ink);
        painter.drawEllipse(box.center(), 2.75, 2.75);
    } else {
        painter.setPen(QPen(ink, 1.75, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        if (part) {
            painter.drawLine(box.topLeft() + QPointF(3.75, 7), box.topLeft() + QPointF(10.25, 7));
        } else {
            const QPointF points[] = {box.topLeft() + QPointF(3.4, 7.3), box.topLeft() + QPointF(6.0, 9.9),
                                      box.topLeft() + QPointF(10.6, 4.5)};
            painter.drawPolyline(points, 3);
        }
    }
    painter.restore();
}

void ThemeStyle::drawField(const QStyleOption& option, QPainter& painter, const QWidget* widget) const {
    const bool enabled = option.state & State_Enabled;
    const bool readOnly = option.state & State_ReadOnly;
    const bool focus = option.state & State_HasFocus;
    const QRectF r = option.rect;
    if (enabled && !readOnly)
        fillRounded(painter, r, color(Token::Raised));
    else
        fillRounded(painter, r, mix(color(Token::Surface), color(Token::Raised), 0.45));
    if (flag(widget, InvalidProperty))
        strokeRounded(painter, r, color(Token::Error), focus ? 1.5 : 1.0);
    else if (focus)
        strokeRounded(painter, r, color(Token::Accent), 1.5);
    else if (enabled && option.state & State_MouseOver)
        strokeRounded(painter, r, color(Token::Line));
}

void ThemeStyle::drawComboBox(const QStyleOptionComboBox& option, QPainter& painter,
                              const QWidget* widget) const {
    const bool enabled = option.state & State_Enabled;
    if (option.frame || option.editable) {
        QStyleOption field = option;
        if (!option.editable && enabled && option.state & State_MouseOver) {
            fillRounded(painter, option.rect, hover());
            if (option.state & State_HasFocus)
                strokeRounded(painter, option.rect, color(Token::Accent), 1.5);
        } else {
            drawField(field, painter, widget);
        }
        if (flag(widget, InvalidProperty))
            strokeRounded(painter, option.rect, color(Token::Error));
    } else if (enabled && option.state & State_MouseOver) {
        fillRounded(painter, option.rect, hover());
    }
    if (option.subControls & SC_ComboBoxArrow) {
        const QRect arrow = proxy()->subControlRect(CC_ComboBox, &option, SC_ComboBoxArrow, widget);
        drawIcon(painter, QStringLiteral("chevron-down"), centred(arrow, 12).toAlignedRect(),
                 color(enabled ? Token::Muted : Token::Disabled));
    }
}

void ThemeStyle::drawSpinBox(const QStyleOptionSpinBox& option, QPainter& painter,
                             const QWidget* widget) const {
    if (option.frame)
        drawField(option, painter, widget);
    if (option.buttonSymbols == QAbstractSpinBox::NoButtons || !(option.state & State_Enabled))
        return;
    // The arrows are there when the pointer or the focus is: quiet rows of numbers otherwise.
    if (!(option.state & (State_MouseOver | State_HasFocus)))
        return;
    for (const SubControl part : {SC_SpinBoxUp, SC_SpinBoxDown}) {
        const QRect r = proxy()->subControlRect(CC_SpinBox, &option, part, widget);
        const bool can =
            option.stepEnabled
            & (part == SC_SpinBoxUp ? QAbstractSpinBox::StepUpEnabled : QAbstractSpinBox::StepDownEnabled);
        const bool active = option.activeSubControls == part && option.state & State_MouseOver;
        drawIcon(painter,
                 part == SC_SpinBoxUp ? QStringLiteral("chevron-up") : QStringLiteral("chevron-down"),
                 centred(r, 10).toAlignedRect(),
                 color(!can     ? Token::Disabled
                       : active ? Token::Text
                                : Token::Muted));
    }
}

void ThemeStyle::drawScrollBar(const QStyleOptionSlider& option, QPainter& painter,
                               const QWidget* widget) const {
    const bool across = option.orientation == Qt::Horizontal;
    if (option.maximum <= option.minimum)
        return;
    QRectF handle = proxy()->subControlRect(CC_ScrollBar, &option, SC_ScrollBarSlider, widget);
    handle = across ? handle.adjusted(1, 2, -1, -2) : handle.adjusted(2, 1, -2, -1);
    const bool held = option.state & State_Sunken && option.activeSubControls == SC_ScrollBarSlider;
    const bool pointed = option.state & State_MouseOver;
    const QColor fill = held      ? color(Token::Muted)
                        : pointed ? mix(color(Token::Pressed), color(Token::Muted), 0.5)
                                  : color(Token::Pressed);
    fillRounded(painter, handle, fill, (across ? handle.height() : handle.width()) / 2.0);
}

void ThemeStyle::drawSlider(const QStyleOptionSlider& option, QPainter& painter,
                            const QWidget* widget) const {
    const bool enabled = option.state & State_Enabled;
    const bool across = option.orientation == Qt::Horizontal;
    const QRectF handle = proxy()->subControlRect(CC_Slider, &option, SC_SliderHandle, widget);
    const QRectF all = option.rect;
    const QPointF at = handle.center();
    const QRectF groove = across ? QRectF(all.x() + 2, all.center().y() - 1.5, all.width() - 4, 3)
                                 : QRectF(all.center().x() - 1.5, all.y() + 2, 3, all.height() - 4);
    fillRounded(painter, groove, color(Token::Line), 1.5);
    QRectF filled = groove;
    if (across)
        option.upsideDown ? filled.setLeft(at.x()) : filled.setRight(at.x());
    else
        option.upsideDown ? filled.setBottom(at.y()) : filled.setTop(at.y());
    fillRounded(painter, filled, color(enabled ? Token::Muted : Token::Disabled), 1.5);
    const QRectF knob(at.x() - 5.5, at.y() - 5.5, 11, 11);
    if (option.state & State_HasFocus)
        strokeRounded(painter, knob.adjusted(-2, -2, 2, 2), color(Token::Accent), 1.5, 8);
    const bool pointed = option.state & State_MouseOver || option.state & State_Sunken;
    fillRounded(painter, knob,
                enabled ? mix(color(Token::Text), color(Token::Muted), pointed ? 0.0 : 0.3)
                        : color(Token::Disabled),
                5.5);
}

void ThemeStyle::drawToolButton(const QStyleOptionToolButton& option, QPainter& painter,
                                const QWidget* widget) const {
    const bool enabled = option.state & State_Enabled;
    const bool pointed = enabled && option.state & State_MouseOver;
    const bool on = option.state & State_On;
    const bool down = option.state & State_Sunken;
    const bool raised = !(option.state & State_AutoRaise);
    const bool primary = enabled && flag(widget, PrimaryProperty);
    QColor fill;
    if (primary)
        fill = pointed || down ? mix(color(Token::Accent), color(Token::Text), down ? 0.22 : 0.1)
                               : color(Token::Accent);
    else if (on)
        fill = mix(color(Token::Raised), color(Token::Accent), 0.18);
    else if (down)
        fill = color(Token::Pressed);
    else if (pointed)
        fill = hover();
    else if (raised)
        fill = color(Token::Raised);
    if (fill.isValid())
        fillRounded(painter, option.rect, fill);
    if (enabled && option.state & State_HasFocus)
        strokeRounded(painter, option.rect, primary ? color(Token::Text) : color(Token::Accent), 1.5);

    const bool split = option.features & QStyleOptionToolButton::MenuButtonPopup;
    const bool menu = split || option.features & QStyleOptionToolButton::HasMenu;
    QStyleOptionToolButton label = option;
    const QColor ink = !enabled  ? color(Token::Disabled)
                       : primary ? color(Token::OnAccent)
                                 : color(Token::Text);
    label.palette.setColor(QPalette::ButtonText, ink);
    if (menu) {
        const int width = split ? 14 : 12;
        QRect arrow = option.rect;
        arrow.setLeft(option.rect.right() - width);
        drawIcon(painter, QStringLiteral("chevron-down"), centred(arrow, 10).toAlignedRect(),
                 enabled ? color(Token::Muted) : ink);
        label.rect.setRight(arrow.left() + (split ? 0 : 2));
        label.features = QStyleOptionToolButton::None;
    }
    if (pointed)
        label.state |= State_Raised;
    label.state &= ~State_Sunken; // nothing shifts
    if (!label.icon.isNull() && (primary || (on && enabled))) {
        QPixmap pixmap = label.icon.pixmap(label.iconSize, painter.device()->devicePixelRatioF());
        QPainter tint(&pixmap);
        tint.setCompositionMode(QPainter::CompositionMode_SourceIn);
        tint.fillRect(QRectF(QPointF(), pixmap.deviceIndependentSize()),
                      primary ? ink : color(Token::Accent));
        tint.end();
        label.icon = QIcon(pixmap);
    }
    if (!label.text.isEmpty() && label.toolButtonStyle == Qt::ToolButtonTextBesideIcon
        && !label.icon.isNull()) {
        QRect r = label.rect.adjusted(6, 0, -4, 0);
        const QRect icon(r.x(), r.y() + (r.height() - label.iconSize.height()) / 2, label.iconSize.width(),
                         label.iconSize.height());
        label.icon.paint(&painter, icon, Qt::AlignCenter,
                         enabled ? (pointed ? QIcon::Active : QIcon::Normal) : QIcon::Disabled,
                         on ? QIcon::On : QIcon::Off);
        r.setLeft(icon.right() + 6);
        painter.setPen(ink);
        painter.setFont(label.font);
        painter.drawText(r, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextHideMnemonic, label.text);
        return;
    }
    if (label.arrowType != Qt::NoArrow && label.features & QStyleOptionToolButton::Arrow) {
        static const QHash<int, QString> Arrows{{Qt::UpArrow, QStringLiteral("chevron-up")},
                                                {Qt::DownArrow, QStringLiteral("chevron-down")},
                                                {Qt::LeftArrow, QStringLiteral("chevron-left")},
                                                {Qt::RightArrow, QStringLiteral("chevron-right")}};
        drawIcon(painter, Arrows.value(label.arrowType), centred(label.rect, 12).toAlignedRect(),
                 enabled ? color(Token::Muted) : ink);
        return;
    }
    proxy()->drawControl(CE_ToolButtonLabel, &label, &painter, widget);
}

void ThemeStyle::drawProgress(const QStyleOptionProgressBar& option, QPainter& painter) const {
    QRectF r = option.rect;
    if (option.minimum == 0 && option.maximum == 0) {
        // No known end: a still third, for nothing blinks but what the simulation does.
        r = QRectF(r.x() + r.width() / 3, r.y(), r.width() / 3, r.height());
    } else {
        const double span = std::max(1, option.maximum - option.minimum);
        const double share = std::clamp((option.progress - option.minimum) / span, 0.0, 1.0);
        if (share <= 0.0)
            return;
        r.setWidth(std::max(r.width() * share, 2.0 * measure::Radius));
        if (option.invertedAppearance != (option.direction == Qt::RightToLeft))
            r.moveRight(option.rect.right() + 1.0);
    }
    fillRounded(painter, r, color(Token::Pressed));
}

QRect ThemeStyle::subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part,
                                 const QWidget* widget) const {
    const QRect r = option->rect;
    switch (control) {
    case CC_ScrollBar: {
        const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(option);
        if (bar == nullptr)
            break;
        const bool across = bar->orientation == Qt::Horizontal;
        const int length = across ? r.width() : r.height();
        const int range = bar->maximum - bar->minimum;
        int handle = length;
        if (range > 0) {
            const auto wanted =
                static_cast<qint64>(length) * bar->pageStep / (static_cast<qint64>(range) + bar->pageStep);
            handle = std::clamp(static_cast<int>(wanted), std::min(24, length), length);
        }
        const int at = sliderPositionFromValue(bar->minimum, bar->maximum, bar->sliderPosition,
                                               length - handle, bar->upsideDown);
        const auto along = [&](int from, int size) {
            return visualRect(bar->direction, r,
                              across ? QRect(r.x() + from, r.y(), size, r.height())
                                     : QRect(r.x(), r.y() + from, r.width(), size));
        };
        switch (part) {
        case SC_ScrollBarSlider:
            return along(at, handle);
        case SC_ScrollBarGroove:
            return r;
        case SC_ScrollBarSubPage:
            return along(0, at);
        case SC_ScrollBarAddPage:
            return along(at + handle, length - at - handle);
        default:
            return {};
        }
    }
    case CC_ComboBox: {
        const auto* box = qstyleoption_cast<const QStyleOptionComboBox*>(option);
        switch (part) {
        case SC_ComboBoxArrow:
            return visualRect(option->direction, r, QRect(r.right() - 19, r.y(), 18, r.height()));
        case SC_ComboBoxEditField:
            // In a cell its text stands where that of the cell does.
            return visualRect(option->direction, r,
                              r.adjusted(box != nullptr && box->editable ? 4
                                         : isInView(widget)              ? 3
                                                                         : 7,
                                         1, -20, -1));
        case SC_ComboBoxFrame:
            return r;
        case SC_ComboBoxListBoxPopup:
            return r.translated(0, 2);
        default:
            break;
        }
        break;
    }
    case CC_SpinBox: {
        const auto* box = qstyleoption_cast<const QStyleOptionSpinBox*>(option);
        const bool bare = box != nullptr && box->buttonSymbols == QAbstractSpinBox::NoButtons;
        const int width = 16;
        switch (part) {
        case SC_SpinBoxUp:
            return bare ? QRect() : QRect(r.right() - width, r.y() + 1, width, r.height() / 2 - 1);
        case SC_SpinBoxDown:
            return bare ? QRect() : QRect(r.right() - width, r.center().y() + 1, width, r.height() / 2 - 1);
        case SC_SpinBoxEditField:
            return r.adjusted(3, 1, bare ? -3 : -width - 1, -1);
        case SC_SpinBoxFrame:
            return r;
        default:
            break;
        }
        break;
    }
    case CC_GroupBox: {
        const auto* box = qstyleoption_cast<const QStyleOptionGroupBox*>(option);
        const int top = box != nullptr && !box->text.isEmpty() ? measure::ControlHeight : 0;
        const bool checkable = box != nullptr && box->subControls & SC_GroupBoxCheckBox;
        switch (part) {
        case SC_GroupBoxCheckBox:
            return {r.x(), r.y() + 5, 14, 14};
        case SC_GroupBoxLabel:
            return {r.x() + (checkable ? 20 : 0), r.y(), r.width() - (checkable ? 20 : 0), top};
        case SC_GroupBoxContents:
        case SC_GroupBoxFrame:
            return r.adjusted(0, top, 0, 0);
        default:
            break;
        }
        break;
    }
    default:
        break;
    }
    return QProxyStyle::subControlRect(control, option, part, widget);
}

} // namespace sbx::ui
