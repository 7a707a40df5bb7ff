// Rows, headers, tabs, docks and menus.

#include <QDockWidget>
#include <QFontMetrics>
#include <QPainter>
#include <QStyleOption>
#include <QTabBar>
#include <QTreeView>

#include "widgets/common/theme_style.h"

#include <algorithm>

namespace sbx::ui {

void ThemeStyle::drawBranch(const QStyleOption& option, QPainter& painter) const {
    // No lines between relatives: indentation says enough.
    if (!(option.state & State_Children))
        return;
    const int side = 12;
    const QRect arrow(option.rect.center().x() - side / 2 + 1, option.rect.center().y() - side / 2 + 1, side,
                      side);
    drawIcon(painter,
             option.state & State_Open ? QStringLiteral("chevron-down") : QStringLiteral("chevron-right"),
             arrow, color(option.state & State_MouseOver ? Token::Text : Token::Muted));
}

void ThemeStyle::drawRowBackground(const QStyleOption& option, QPainter& painter,
                                   const QWidget* widget) const {
    const auto* item = qstyleoption_cast<const QStyleOptionViewItem*>(&option);
    if (item == nullptr)
        return;
    const bool active = option.state & State_Active;
    if (item->backgroundBrush.style() != Qt::NoBrush)
        painter.fillRect(option.rect, item->backgroundBrush);
    else if (item->features & QStyleOptionViewItem::Alternate)
        painter.fillRect(option.rect, option.palette.brush(QPalette::AlternateBase));
    const bool focused =
        widget != nullptr
        && (widget->hasFocus() || (widget->focusProxy() && widget->focusProxy()->hasFocus()));
    if (option.state & State_Selected)
        painter.fillRect(
            option.rect,
            color(active && (focused || widget == nullptr) ? Token::Selection : Token::SelectionInactive));
    else if (option.state & State_MouseOver && option.state & State_Enabled)
        painter.fillRect(option.rect, mix(color(Token::Surface), color(Token::Raised), 0.8));
    // The current row of a focused view that is not selected still shows where the keyboard is.
    if (option.state & State_HasFocus && !(option.state & State_Selected)) {
        painter.setPen(color(Token::Accent));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(option.rect.adjusted(0, 0, -1, -1));
    }
}

void ThemeStyle::drawHeaderSection(const QStyleOptionHeader& option, QPainter& painter) const {
    const QRect r = option.rect;
    const bool pointed = option.state & State_MouseOver && option.state & State_Enabled;
    painter.fillRect(r, option.state & State_Sunken ? color(Token::Pressed)
                        : pointed                   ? hover()
                                                    : color(Token::Raised));
    painter.fillRect(QRect(r.left(), r.bottom(), r.width(), 1), color(Token::Line));
    if (option.orientation == Qt::Horizontal) {
        if (option.position != QStyleOptionHeader::End
            && option.position != QStyleOptionHeader::OnlyOneSection)
            painter.fillRect(QRect(r.right(), r.top() + 5, 1, r.height() - 10), color(Token::Line));
    } else {
        painter.fillRect(QRect(r.right(), r.top(), 1, r.height()), color(Token::Line));
    }
}

void ThemeStyle::drawTab(const QStyleOptionTab& option, QPainter& painter, const QWidget* widget) const {
    const bool selected = option.state & State_Selected;
    const bool pointed = option.state & State_MouseOver && option.state & State_Enabled;
    const QRectF r = option.rect;
    if (!selected && !pointed)
        return;
    const bool vertical = option.shape == QTabBar::RoundedWest || option.shape == QTabBar::RoundedEast;
    const bool south = option.shape == QTabBar::RoundedSouth || option.shape == QTabBar::TriangularSouth;
    const QColor fill =
        selected ? color(Token::Surface) : mix(color(Token::Ground), color(Token::Raised), 0.7);
    painter.save();
    painter.setClipRect(option.rect);
    // Round on the outer edge, open to the panel it belongs to.
    QRectF shape = r;
    if (vertical)
        shape.adjust(0, 1, option.shape == QTabBar::RoundedWest ? 8 : 0, -1);
    else
        south ? shape.adjust(1, -8, -1, 0) : shape.adjust(1, 0, -1, 8);
    fillRounded(painter, shape, fill);
    painter.restore();
    if (selected && widget != nullptr && widget->hasFocus())
        painter.fillRect(QRectF(r.left() + 8, south ? r.top() : r.bottom() - 2, r.width() - 16, 2),
                         color(Token::Accent));
}

void ThemeStyle::drawTabLabel(const QStyleOptionTab& option, QPainter& painter, const QWidget* widget) const {
    QStyleOptionTab copy = option;
    const bool enabled = option.state & State_Enabled;
    const bool strong = option.state & State_Selected || (option.state & State_MouseOver && enabled);
    const QColor ink = !enabled ? color(Token::Disabled) : color(strong ? Token::Text : Token::Muted);
    copy.palette.setColor(QPalette::WindowText, ink);
    copy.palette.setColor(QPalette::ButtonText, ink);
    copy.state &= ~State_HasFocus;
    QProxyStyle::drawControl(CE_TabBarTabLabel, &copy, &painter, widget);
}

void ThemeStyle::drawDockTitle(const QStyleOptionDockWidget& option, QPainter& painter,
                               const QWidget* widget) const {
    const QRect r = option.rect;
    painter.fillRect(r, color(Token::Surface));
    painter.fillRect(QRect(r.left(), r.bottom(), r.width(), 1), color(Token::Line));
    const QRect text =
        proxy()->subElementRect(SE_DockWidgetTitleBarText, &option, widget).adjusted(4, 0, 0, 0);
    const auto* dock = qobject_cast<const QDockWidget*>(widget);
    int left = text.left();
    if (dock != nullptr && !dock->windowIcon().isNull() && dock->testAttribute(Qt::WA_SetWindowIcon)) {
        dock->windowIcon().paint(&painter,
                                 QRect(left, text.center().y() - 7, measure::IconSize, measure::IconSize));
        left += measure::IconSize + 6;
    }
    painter.setFont(m_theme.strongFont(FontRole::Ui));
    painter.setPen(color(Token::Text));
    const QRect room(left, r.top(), text.right() - left, r.height());
    painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(option.title, Qt::ElideRight, room.width()));
}

QRect ThemeStyle::subElementRect(SubElement element, const QStyleOption* option,
                                 const QWidget* widget) const {
    switch (element) {
    case SE_LineEditContents: {
        const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option);
        return frame != nullptr && frame->lineWidth > 0 ? option->rect.adjusted(4, 1, -4, -1) : option->rect;
    }
    case SE_ProgressBarGroove:
    case SE_ProgressBarContents:
    case SE_ProgressBarLabel:
        return option->rect;
    case SE_PushButtonFocusRect:
    case SE_CheckBoxFocusRect:
    case SE_RadioButtonFocusRect:
        return {};
    default:
        return QProxyStyle::subElementRect(element, option, widget);
    }
}

void ThemeStyle::drawMenuItem(const QStyleOptionMenuItem& option, QPainter& painter,
                              const QWidget* widget) const {
    const QRect r = option.rect;
    painter.fillRect(r, color(Token::Raised));
    if (option.menuItemType == QStyleOptionMenuItem::Separator) {
        if (option.text.isEmpty()) {
            painter.fillRect(QRect(r.left() + 8, r.center().y(), r.width() - 16, 1), color(Token::Line));
        } else {
            painter.setPen(color(Token::Muted));
            painter.drawText(r.adjusted(8, 0, -8, 0), Qt::AlignLeft | Qt::AlignVCenter, option.text);
        }
        return;
    }
    const bool enabled = option.state & State_Enabled;
    const bool pointed = option.state & State_Selected && enabled;
    if (pointed)
        fillRounded(painter, r.adjusted(4, 0, -4, 0), color(Token::Selection));
    const QColor ink = color(enabled ? Token::Text : Token::Disabled);
    const QRect iconRect(r.left() + 8, r.center().y() - measure::IconSize / 2 + 1, measure::IconSize,
                         measure::IconSize);
    if (option.checkType != QStyleOptionMenuItem::NotCheckable) {
        if (option.checked)
            drawIcon(painter, QStringLiteral("check"), iconRect, ink);
        else if (!option.icon.isNull())
            option.icon.paint(&painter, iconRect, Qt::AlignCenter, enabled ? QIcon::Normal : QIcon::Disabled);
    } else if (!option.icon.isNull()) {
        option.icon.paint(&painter, iconRect, Qt::AlignCenter,
                          enabled ? (pointed ? QIcon::Active : QIcon::Normal) : QIcon::Disabled);
    }
    QString text = option.text;
    QString keys;
    if (const auto tab = text.indexOf(QLatin1Char('\t')); tab >= 0) {
        keys = text.mid(tab + 1);
        text.truncate(tab);
    }
    const QRect room = r.adjusted(8 + measure::IconSize + 8, 0, -16, 0);
    const bool underline = proxy()->styleHint(SH_UnderlineShortcut, &option, widget, nullptr) != 0;
    const int mnemonic = underline ? Qt::TextShowMnemonic : Qt::TextHideMnemonic;
    painter.setFont(option.font);
    painter.setPen(ink);
    painter.drawText(room, static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter) | Qt::TextSingleLine | mnemonic,
                     text);
    if (!keys.isEmpty()) {
        painter.setPen(enabled ? color(pointed ? Token::Text : Token::Muted) : ink);
        painter.drawText(room, Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine, keys);
    }
    if (option.menuItemType == QStyleOptionMenuItem::SubMenu)
        drawIcon(painter, QStringLiteral("chevron-right"), QRect(r.right() - 20, r.center().y() - 5, 12, 12),
                 enabled ? color(Token::Muted) : ink);
}

void ThemeStyle::drawMenuBarItem(const QStyleOptionMenuItem& option, QPainter& painter,
                                 const QWidget* widget) const {
    painter.fillRect(option.rect, color(Token::Ground));
    const bool enabled = option.state & State_Enabled;
    if (enabled && option.state & (State_Selected | State_Sunken))
        fillRounded(painter, option.rect.adjusted(1, 1, -1, -1),
                    option.state & State_Sunken ? color(Token::Pressed) : color(Token::Raised));
    const bool underline = proxy()->styleHint(SH_UnderlineShortcut, &option, widget, nullptr) != 0;
    const int mnemonic = underline ? Qt::TextShowMnemonic : Qt::TextHideMnemonic;
    painter.setPen(color(enabled ? Token::Text : Token::Disabled));
    painter.drawText(option.rect, static_cast<int>(Qt::AlignCenter) | Qt::TextSingleLine | mnemonic,
                     option.text);
}

} // namespace sbx::ui
