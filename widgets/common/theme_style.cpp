#include "widgets/common/theme_style.h"

#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QDockWidget>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QScrollBar>
#include <QSlider>
#include <QStyleFactory>
#include <QStyleOption>
#include <QTabBar>
#include <QToolBar>
#include <QToolButton>

#include <algorithm>

namespace sbx::ui {

bool isEmbedded(const QWidget* widget) {
    const QWidget* parent = widget != nullptr ? widget->parentWidget() : nullptr;
    return qobject_cast<const QComboBox*>(parent) != nullptr
           || qobject_cast<const QAbstractSpinBox*>(parent) != nullptr;
}

bool isInView(const QWidget* widget) {
    const QWidget* const viewport = widget != nullptr ? widget->parentWidget() : nullptr;
    return viewport != nullptr && qobject_cast<const QAbstractItemView*>(viewport->parentWidget()) != nullptr;
}

namespace {

// A list over others needs an edge.
bool isPopup(const QWidget* widget) { return widget != nullptr && widget->windowType() == Qt::Popup; }

} // namespace

ThemeStyle::ThemeStyle(const Theme& theme)
    : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))), m_theme(theme) {
    setObjectName(QStringLiteral("signalbox"));
}

void ThemeStyle::polish(QWidget* widget) {
    QProxyStyle::polish(widget);
    // Most labels show texts of files and peers as plain text; rich text must be set explicitly.
    // Tool tips are labels of Qt's own; see foreign_text.h.
    if (auto* label = qobject_cast<QLabel*>(widget);
        label != nullptr && label->textFormat() == Qt::AutoText && !label->inherits("QTipLabel"))
        label->setTextFormat(Qt::PlainText);
    if (qobject_cast<QAbstractButton*>(widget) != nullptr || qobject_cast<QComboBox*>(widget) != nullptr
        || qobject_cast<QAbstractSpinBox*>(widget) != nullptr || qobject_cast<QScrollBar*>(widget) != nullptr
        || qobject_cast<QSlider*>(widget) != nullptr || qobject_cast<QTabBar*>(widget) != nullptr
        || qobject_cast<QLineEdit*>(widget) != nullptr || qobject_cast<QHeaderView*>(widget) != nullptr)
        widget->setAttribute(Qt::WA_Hover);
    if (auto* header = qobject_cast<QHeaderView*>(widget);
        header != nullptr && header->defaultAlignment() == Qt::AlignCenter)
        header->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    if (auto* view = qobject_cast<QAbstractItemView*>(widget); view != nullptr && view->viewport() != nullptr)
        view->viewport()->setAttribute(Qt::WA_Hover);
}

void ThemeStyle::unpolish(QWidget* widget) { QProxyStyle::unpolish(widget); }

QColor ThemeStyle::hover() const { return mix(color(Token::Raised), color(Token::Text), 0.07); }

void ThemeStyle::fillRounded(QPainter& painter, const QRectF& rect, const QColor& fill, qreal radius) const {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(fill);
    painter.drawRoundedRect(rect, radius, radius);
    painter.restore();
}

void ThemeStyle::strokeRounded(QPainter& painter, const QRectF& rect, const QColor& line, qreal width,
                               qreal radius) const {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(line, width));
    painter.setBrush(Qt::NoBrush);
    const qreal half = width / 2.0;
    painter.drawRoundedRect(rect.adjusted(half, half, -half, -half), radius - half, radius - half);
    painter.restore();
}

void ThemeStyle::drawIcon(QPainter& painter, const QString& name, const QRect& rect,
                          const QColor& tint) const {
    m_theme.icon(name, tint).paint(&painter, rect);
}

void ThemeStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                               const QWidget* widget) const {
    const QRect r = option->rect;
    switch (element) {
    case PE_FrameGroupBox:
    case PE_FrameStatusBarItem:
    case PE_PanelStatusBar:
    case PE_FrameTabWidget:
    case PE_FrameButtonBevel:
    case PE_FrameButtonTool:
    case PE_FrameWindow:
    case PE_PanelMenuBar:
    case PE_PanelScrollAreaCorner:
    case PE_IndicatorTabTear:
    case PE_IndicatorTabTearRight:
        return;
    case PE_Frame:
        return; // panels part by lines of their own; a view inside one needs no frame
    case PE_FrameDockWidget:
    case PE_FrameMenu:
        painter->setPen(color(Token::Line));
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(r.adjusted(0, 0, -1, -1));
        return;
    case PE_PanelMenu:
        painter->fillRect(r, color(Token::Raised));
        return;
    case PE_PanelTipLabel:
        painter->fillRect(r, color(Token::Raised));
        painter->setPen(color(Token::Line));
        painter->drawRect(r.adjusted(0, 0, -1, -1));
        return;
    case PE_FrameTabBarBase:
        painter->fillRect(QRect(r.left(), r.bottom(), r.width(), 1), color(Token::Line));
        return;
    case PE_FrameFocusRect:
        if (qobject_cast<const QAbstractItemView*>(widget) == nullptr)
            strokeRounded(*painter, r, color(Token::Accent));
        return;
    case PE_PanelLineEdit:
        if (!isEmbedded(widget)
            && qobject_cast<const QAbstractItemView*>(widget ? widget->parentWidget() : nullptr) == nullptr) {
            const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option);
            if (frame == nullptr || frame->lineWidth > 0)
                drawField(*option, *painter, widget);
            else if (isInView(widget)) // typed in place, over what the row says
                painter->fillRect(r, option->palette.base());
        }
        return;
    case PE_FrameLineEdit:
        return; // with the panel
    case PE_PanelButtonCommand:
    case PE_FrameDefaultButton:
        return; // CE_PushButtonBevel draws both
    case PE_PanelButtonTool:
        if (option->state & (State_Sunken | State_On))
            fillRounded(*painter, r, color(Token::Pressed));
        else if (option->state & State_MouseOver && option->state & State_Enabled)
            fillRounded(*painter, r, hover());
        return;
    case PE_IndicatorCheckBox:
    case PE_IndicatorItemViewItemCheck:
        drawCheckMark(*option, *painter, false);
        return;
    case PE_IndicatorRadioButton:
        drawCheckMark(*option, *painter, true);
        return;
    case PE_IndicatorBranch:
        drawBranch(*option, *painter);
        return;
    case PE_PanelItemViewRow:
    case PE_PanelItemViewItem:
        drawRowBackground(*option, *painter, widget);
        return;
    case PE_IndicatorItemViewItemDrop:
        if (r.height() <= 1)
            painter->fillRect(QRect(r.left(), r.top() - 1, r.width(), 2), color(Token::Accent));
        else
            strokeRounded(*painter, r, color(Token::Accent), 1.0);
        return;
    case PE_IndicatorArrowDown:
    case PE_IndicatorArrowUp:
    case PE_IndicatorArrowLeft:
    case PE_IndicatorArrowRight: {
        static const QHash<int, QString> Names{{PE_IndicatorArrowDown, QStringLiteral("chevron-down")},
                                               {PE_IndicatorArrowUp, QStringLiteral("chevron-up")},
                                               {PE_IndicatorArrowLeft, QStringLiteral("chevron-left")},
                                               {PE_IndicatorArrowRight, QStringLiteral("chevron-right")}};
        const int side = std::min({measure::IconSize - 4, r.width(), r.height()});
        drawIcon(*painter, Names.value(element),
                 QRect(r.center().x() - side / 2 + 1, r.center().y() - side / 2 + 1, side, side),
                 color(option->state & State_Enabled ? Token::Muted : Token::Disabled));
        return;
    }
    case PE_IndicatorHeaderArrow: {
        const auto* header = qstyleoption_cast<const QStyleOptionHeader*>(option);
        if (header != nullptr && header->sortIndicator != QStyleOptionHeader::None)
            drawIcon(*painter,
                     header->sortIndicator == QStyleOptionHeader::SortUp ? QStringLiteral("chevron-up")
                                                                         : QStringLiteral("chevron-down"),
                     r, color(Token::Text));
        return;
    }
    case PE_IndicatorToolBarSeparator: {
        const bool across = option->state & State_Horizontal;
        painter->fillRect(across ? QRect(r.center().x(), r.top() + 4, 1, r.height() - 8)
                                 : QRect(r.left() + 4, r.center().y(), r.width() - 8, 1),
                          color(Token::Line));
        return;
    }
    case PE_IndicatorToolBarHandle:
        painter->fillRect(option->state & State_Horizontal
                              ? QRect(r.center().x(), r.top() + 6, 1, r.height() - 12)
                              : QRect(r.left() + 6, r.center().y(), r.width() - 12, 1),
                          color(Token::Line));
        return;
    case PE_IndicatorDockWidgetResizeHandle:
        // Ground shows as the gap between panels; the line appears where it can be dragged.
        painter->fillRect(r, option->state & State_MouseOver ? color(Token::Accent) : color(Token::Ground));
        return;
    case PE_IndicatorTabClose:
        drawIcon(*painter, QStringLiteral("close"), r.adjusted(2, 2, -2, -2),
                 color(option->state & State_Raised ? Token::Text : Token::Muted));
        return;
    case PE_IndicatorMenuCheckMark:
        drawIcon(*painter, QStringLiteral("check"), r, color(Token::Text));
        return;
    default:
        QProxyStyle::drawPrimitive(element, option, painter, widget);
    }
}

void ThemeStyle::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                             const QWidget* widget) const {
    const QRect r = option->rect;
    switch (element) {
    case CE_PushButtonBevel:
        if (const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option))
            drawPushButton(*button, *painter, widget);
        return;
    case CE_PushButtonLabel:
        if (const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option))
            drawPushButtonLabel(*button, *painter, widget);
        return;
    case CE_HeaderSection:
        if (const auto* header = qstyleoption_cast<const QStyleOptionHeader*>(option))
            drawHeaderSection(*header, *painter);
        return;
    case CE_HeaderLabel:
        if (const auto* header = qstyleoption_cast<const QStyleOptionHeader*>(option)) {
            QStyleOptionHeaderV2 copy;
            if (const auto* second = qstyleoption_cast<const QStyleOptionHeaderV2*>(option))
                copy = *second;
            else
                static_cast<QStyleOptionHeader&>(copy) = *header;
            copy.state &= ~State_On; // no bold for the selected column
            copy.palette.setColor(
                QPalette::ButtonText,
                color(header->sortIndicator == QStyleOptionHeader::None ? Token::Muted : Token::Text));
            QProxyStyle::drawControl(element, &copy, painter, widget);
        }
        return;
    case CE_HeaderEmptyArea:
        painter->fillRect(r, color(Token::Raised));
        painter->fillRect(QRect(r.left(), r.bottom(), r.width(), 1), color(Token::Line));
        return;
    case CE_TabBarTabShape:
        if (const auto* tab = qstyleoption_cast<const QStyleOptionTab*>(option))
            drawTab(*tab, *painter, widget);
        return;
    case CE_TabBarTabLabel:
        if (const auto* tab = qstyleoption_cast<const QStyleOptionTab*>(option))
            drawTabLabel(*tab, *painter, widget);
        return;
    case CE_DockWidgetTitle:
        if (const auto* dock = qstyleoption_cast<const QStyleOptionDockWidget*>(option))
            drawDockTitle(*dock, *painter, widget);
        return;
    case CE_MenuItem:
        if (const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(option))
            drawMenuItem(*item, *painter, widget);
        return;
    case CE_MenuBarItem:
        if (const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(option))
            drawMenuBarItem(*item, *painter, widget);
        return;
    case CE_ToolBar:
        // A strip inside a panel keeps the panel's ground.
        if (widget != nullptr && widget->isWindow() == false && widget->parentWidget() != nullptr
            && widget->parentWidget()->isWindow())
            painter->fillRect(r, color(Token::Ground));
        return;
    case CE_MenuBarEmptyArea:
        painter->fillRect(r, color(Token::Ground));
        return;
    case CE_MenuEmptyArea:
        painter->fillRect(r, color(Token::Raised));
        return;
    case CE_Splitter:
        painter->fillRect(r, option->state & State_MouseOver ? color(Token::Accent) : color(Token::Line));
        return;
    case CE_ProgressBarGroove:
        fillRounded(*painter, r, color(Token::Raised));
        return;
    case CE_ProgressBarContents:
        if (const auto* bar = qstyleoption_cast<const QStyleOptionProgressBar*>(option))
            drawProgress(*bar, *painter);
        return;
    case CE_ProgressBarLabel:
        if (const auto* bar = qstyleoption_cast<const QStyleOptionProgressBar*>(option);
            bar != nullptr && bar->textVisible)
            drawItemText(painter, r, Qt::AlignCenter, bar->palette, true, bar->text, QPalette::Text);
        return;
    case CE_RubberBand: {
        QColor fill = color(Token::Accent);
        fill.setAlphaF(0.15F);
        painter->fillRect(r, fill);
        painter->setPen(color(Token::Accent));
        painter->drawRect(r.adjusted(0, 0, -1, -1));
        return;
    }
    case CE_SizeGrip:
        return;
    case CE_ShapedFrame:
        if (const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option)) {
            if (frame->frameShape == QFrame::HLine)
                painter->fillRect(QRect(r.left(), r.center().y(), r.width(), 1), color(Token::Line));
            else if (frame->frameShape == QFrame::VLine)
                painter->fillRect(QRect(r.center().x(), r.top(), 1, r.height()), color(Token::Line));
            else if (frame->frameShape == QFrame::Box
                     || (frame->frameShape != QFrame::NoFrame && isPopup(widget))) {
                painter->setPen(color(Token::Line));
                painter->drawRect(r.adjusted(0, 0, -1, -1));
            }
        }
        return;
    default:
        QProxyStyle::drawControl(element, option, painter, widget);
    }
}

void ThemeStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option,
                                    QPainter* painter, const QWidget* widget) const {
    switch (control) {
    case CC_ComboBox:
        if (const auto* box = qstyleoption_cast<const QStyleOptionComboBox*>(option))
            drawComboBox(*box, *painter, widget);
        return;
    case CC_SpinBox:
        if (const auto* box = qstyleoption_cast<const QStyleOptionSpinBox*>(option))
            drawSpinBox(*box, *painter, widget);
        return;
    case CC_ScrollBar:
        if (const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(option))
            drawScrollBar(*bar, *painter, widget);
        return;
    case CC_Slider:
        if (const auto* slider = qstyleoption_cast<const QStyleOptionSlider*>(option))
            drawSlider(*slider, *painter, widget);
        return;
    case CC_ToolButton:
        if (const auto* button = qstyleoption_cast<const QStyleOptionToolButton*>(option))
            drawToolButton(*button, *painter, widget);
        return;
    case CC_GroupBox:
        if (const auto* box = qstyleoption_cast<const QStyleOptionGroupBox*>(option)) {
            const QRect title = proxy()->subControlRect(CC_GroupBox, box, SC_GroupBoxLabel, widget);
            painter->setFont(m_theme.strongFont(FontRole::Ui));
            drawItemText(painter, title, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextHideMnemonic,
                         box->palette, box->state & State_Enabled, box->text, QPalette::WindowText);
            if (box->subControls & SC_GroupBoxCheckBox) {
                QStyleOptionButton check;
                check.QStyleOption::operator=(*box);
                check.rect = proxy()->subControlRect(CC_GroupBox, box, SC_GroupBoxCheckBox, widget);
                drawCheckMark(check, *painter, false);
            }
        }
        return;
    default:
        QProxyStyle::drawComplexControl(control, option, painter, widget);
    }
}

} // namespace sbx::ui

#include "moc_theme_style.cpp"
