#include "widgets/common/theme_style.h"

#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QDockWidget>
#include <QHeaderView>
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

namespace {

// A line edit that lives inside a combo or spin box has its frame drawn by that.
bool isEmbedded(const QWidget* widget) {
    const QWidget* parent = widget != nullptr ? widget->parentWidget() : nullptr;
    return qobject_cast<const QComboBox*>(parent) != nullptr || qobject_cast<const QAbstractSpinBox*>(parent) != nullptr;
}

} // namespace

ThemeStyle::ThemeStyle(const Theme& theme) : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))), m_theme(theme) {
    setObjectName(QStringLiteral("signalbox"));
}

void ThemeStyle::polish(QWidget* widget) {
    QProxyStyle::polish(widget);
    if (qobject_cast<QAbstractButton*>(widget) != nullptr || qobject_cast<QComboBox*>(widget) != nullptr
        || qobject_cast<QAbstractSpinBox*>(widget) != nullptr || qobject_cast<QScrollBar*>(widget) != nullptr
        || qobject_cast<QSlider*>(widget) != nullptr || qobject_cast<QTabBar*>(widget) != nullptr
        || qobject_cast<QLineEdit*>(widget) != nullptr || qobject_cast<QHeaderView*>(widget) != nullptr)
        widget->setAttribute(Qt::WA_Hover);
    if (auto* header = qobject_cast<QHeaderView*>(widget); header != nullptr && header->defaultAlignment() == Qt::AlignCenter)
        header->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    if (auto* view = qobject_cast<QAbstractItemView*>(widget); view != nullptr && view->viewport() != nullptr)
        view->viewport()->setAttribute(Qt::WA_Hover);
}

void ThemeStyle::unpolish(QWidget* widget) {
    QProxyStyle::unpolish(widget);
}

QColor ThemeStyle::hover() const {
    return mix(color(Token::Raised), color(Token::Text), 0.07);
}

void ThemeStyle::fillRounded(QPainter& painter, const QRectF& rect, const QColor& fill, qreal radius) const {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(fill);
    painter.drawRoundedRect(rect, radius, radius);
    painter.restore();
}

void ThemeStyle::strokeRounded(QPainter& painter, const QRectF& rect, const QColor& line, qreal width, qreal radius) const {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(line, width));
    painter.setBrush(Qt::NoBrush);
    const qreal half = width / 2.0;
    painter.drawRoundedRect(rect.adjusted(half, half, -half, -half), radius - half, radius - half);
    painter.restore();
}

void ThemeStyle::drawIcon(QPainter& painter, const QString& name, const QRect& rect, const QColor& tint) const {
    m_theme.icon(name, tint).paint(&painter, rect);
}

void ThemeStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter, const QWidget* widget) const {
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
    case PE_IndicatorTabTearRight: return;
    case PE_Frame:
        // Panels part by lines of their own; a view inside one needs no frame.
        return;
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
        if (!isEmbedded(widget) && qobject_cast<const QAbstractItemView*>(widget ? widget->parentWidget() : nullptr) == nullptr) {
            const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option);
            if (frame == nullptr || frame->lineWidth > 0)
                drawField(*option, *painter, widget);
        }
        return;
    case PE_FrameLineEdit: return; // with the panel
    case PE_PanelButtonCommand:
    case PE_FrameDefaultButton: return; // CE_PushButtonBevel draws both
    case PE_PanelButtonTool:
        if (option->state & (State_Sunken | State_On))
            fillRounded(*painter, r, color(Token::Pressed));
        else if (option->state & State_MouseOver && option->state & State_Enabled)
            fillRounded(*painter, r, hover());
        return;
    case PE_IndicatorCheckBox:
    case PE_IndicatorItemViewItemCheck: drawCheckMark(*option, *painter, false); return;
    case PE_IndicatorRadioButton: drawCheckMark(*option, *painter, true); return;
    case PE_IndicatorBranch: drawBranch(*option, *painter); return;
    case PE_PanelItemViewRow:
    case PE_PanelItemViewItem: drawRowBackground(*option, *painter, widget); return;
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
        drawIcon(*painter, Names.value(element), QRect(r.center().x() - side / 2 + 1, r.center().y() - side / 2 + 1, side, side),
                 color(option->state & State_Enabled ? Token::Muted : Token::Disabled));
        return;
    }
    case PE_IndicatorHeaderArrow: {
        const auto* header = qstyleoption_cast<const QStyleOptionHeader*>(option);
        if (header != nullptr && header->sortIndicator != QStyleOptionHeader::None)
            drawIcon(*painter, header->sortIndicator == QStyleOptionHeader::SortUp ? QStringLiteral("chevron-up") : QStringLiteral("chevron-down"),
                     r, color(Token::Text));
        return;
    }
    case PE_IndicatorToolBarSeparator: {
        const bool across = option->state & State_Horizontal;
        painter->fillRect(across ? QRect(r.center().x(), r.top() + 4, 1, r.height() - 8) : QRect(r.left() + 4, r.center().y(), r.width() - 8, 1),
                          color(Token::Line));
        return;
    }
    case PE_IndicatorToolBarHandle:
        painter->fillRect(option->state & State_Horizontal ? QRect(r.center().x(), r.top() + 6, 1, r.height() - 12)
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
    default: QProxyStyle::drawPrimitive(element, option, painter, widget);
    }
}

void ThemeStyle::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter, const QWidget* widget) const {
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
            copy.palette.setColor(QPalette::ButtonText, color(header->sortIndicator == QStyleOptionHeader::None ? Token::Muted : Token::Text));
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
        if (widget != nullptr && widget->isWindow() == false && widget->parentWidget() != nullptr && widget->parentWidget()->isWindow())
            painter->fillRect(r, color(Token::Ground));
        return;
    case CE_MenuBarEmptyArea: painter->fillRect(r, color(Token::Ground)); return;
    case CE_MenuEmptyArea: painter->fillRect(r, color(Token::Raised)); return;
    case CE_Splitter:
        painter->fillRect(r, option->state & State_MouseOver ? color(Token::Accent) : color(Token::Line));
        return;
    case CE_ProgressBarGroove: fillRounded(*painter, r, color(Token::Raised)); return;
    case CE_ProgressBarContents:
        if (const auto* bar = qstyleoption_cast<const QStyleOptionProgressBar*>(option))
            drawProgress(*bar, *painter);
        return;
    case CE_ProgressBarLabel:
        if (const auto* bar = qstyleoption_cast<const QStyleOptionProgressBar*>(option); bar != nullptr && bar->textVisible)
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
    case CE_SizeGrip: return;
    case CE_ShapedFrame:
        if (const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option)) {
            if (frame->frameShape == QFrame::HLine)
                painter->fillRect(QRect(r.left(), r.center().y(), r.width(), 1), color(Token::Line));
            else if (frame->frameShape == QFrame::VLine)
                painter->fillRect(QRect(r.center().x(), r.top(), 1, r.height()), color(Token::Line));
            else if (frame->frameShape == QFrame::Box) {
                painter->setPen(color(Token::Line));
                painter->drawRect(r.adjusted(0, 0, -1, -1));
            }
        }
        return;
    default: QProxyStyle::drawControl(element, option, painter, widget);
    }
}

void ThemeStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                                    const QWidget* widget) const {
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
            drawItemText(painter, title, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextHideMnemonic, box->palette,
                         box->state & State_Enabled, box->text, QPalette::WindowText);
            if (box->subControls & SC_GroupBoxCheckBox) {
                QStyleOptionButton check;
                check.QStyleOption::operator=(*box);
                check.rect = proxy()->subControlRect(CC_GroupBox, box, SC_GroupBoxCheckBox, widget);
                drawCheckMark(check, *painter, false);
            }
        }
        return;
    default: QProxyStyle::drawComplexControl(control, option, painter, widget);
    }
}

QSize ThemeStyle::sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& contents, const QWidget* widget) const {
    QSize size = QProxyStyle::sizeFromContents(type, option, contents, widget);
    switch (type) {
    case CT_PushButton: {
        const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option);
        const int text = contents.width() + (button != nullptr && !button->icon.isNull() && !button->text.isEmpty() ? 4 : 0);
        return {std::max(text + 24, button != nullptr && button->text.isEmpty() ? measure::ControlHeight : 56), measure::ControlHeight};
    }
    case CT_LineEdit: return {size.width(), isEmbedded(widget) ? size.height() : measure::ControlHeight};
    case CT_ComboBox:
    case CT_SpinBox: return {size.width(), measure::ControlHeight};
    case CT_ToolButton: {
        const auto* button = qstyleoption_cast<const QStyleOptionToolButton*>(option);
        if (button != nullptr && button->toolButtonStyle == Qt::ToolButtonTextUnderIcon)
            return size;
        int width = contents.width() + 8;
        if (button != nullptr && button->toolButtonStyle != Qt::ToolButtonIconOnly)
            width += 8;
        if (button != nullptr && button->features & QStyleOptionToolButton::MenuButtonPopup)
            width += 14;
        else if (button != nullptr && button->features & QStyleOptionToolButton::HasMenu)
            width += 10;
        return {std::max(width, measure::ControlHeight), measure::ControlHeight};
    }
    case CT_CheckBox:
    case CT_RadioButton: return {size.width() + 2, std::max(contents.height(), 20)};
    case CT_ItemViewItem: {
        int height = measure::RowHeight;
        const QWidget* view = widget;
        if (view != nullptr && view->property(RowHeightProperty).isValid())
            height = view->property(RowHeightProperty).toInt();
        const auto* item = qstyleoption_cast<const QStyleOptionViewItem*>(option);
        if (item != nullptr && item->decorationPosition == QStyleOptionViewItem::Top)
            return size + QSize(0, 8); // a grid of icons
        // Several lines of text may be taller.
        const bool several = item != nullptr && item->text.contains(QChar::LineSeparator);
        return {size.width() + 4, several ? std::max(size.height(), height) : height};
    }
    case CT_HeaderSection: {
        const auto* header = qstyleoption_cast<const QStyleOptionHeader*>(option);
        const bool rows = header != nullptr && header->orientation == Qt::Vertical;
        return {size.width() + 8, rows ? 16 : measure::ControlHeight};
    }
    case CT_TabBarTab: {
        const auto* tab = qstyleoption_cast<const QStyleOptionTab*>(option);
        if (tab != nullptr && (tab->shape == QTabBar::RoundedWest || tab->shape == QTabBar::RoundedEast))
            return {measure::ControlHeight + 2, size.height() + 8};
        return {size.width() + 2, measure::ControlHeight + 2};
    }
    case CT_MenuBarItem: return {contents.width() + 16, measure::ControlHeight + 2};
    case CT_MenuItem: {
        const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(option);
        if (item == nullptr)
            return size;
        if (item->menuItemType == QStyleOptionMenuItem::Separator)
            return {10, 9};
        int width = contents.width() + 8 + measure::IconSize + 8 + 24;
        if (item->text.contains(QLatin1Char('\t')))
            width += 16;
        return {std::max(width, 160), measure::ControlHeight};
    }
    case CT_ProgressBar: return {size.width(), 16};
    case CT_Slider: return size;
    default: return size;
    }
}

int ThemeStyle::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const {
    switch (metric) {
    case PM_DefaultFrameWidth:
        if (qobject_cast<const QLineEdit*>(widget) != nullptr || qobject_cast<const QAbstractSpinBox*>(widget) != nullptr
            || qobject_cast<const QComboBox*>(widget) != nullptr)
            return 4;
        return qobject_cast<const QMenu*>(widget) != nullptr ? 1 : 0;
    case PM_ComboBoxFrameWidth:
    case PM_SpinBoxFrameWidth: return 3;
    case PM_ButtonMargin: return 8;
    case PM_ButtonDefaultIndicator:
    case PM_ButtonShiftHorizontal:
    case PM_ButtonShiftVertical:
    case PM_FocusFrameVMargin:
    case PM_TabBarTabShiftHorizontal:
    case PM_TabBarTabShiftVertical:
    case PM_TabBarTabOverlap:
    case PM_TabBarBaseOverlap:
    case PM_ToolBarFrameWidth:
    case PM_MenuBarPanelWidth:
    case PM_MenuBarHMargin:
    case PM_MenuBarVMargin:
    case PM_MenuBarItemSpacing:
    case PM_DockWidgetFrameWidth: return 0;
    case PM_ToolBarItemSpacing: return measure::RelatedGap;
    case PM_ToolBarItemMargin: return measure::RelatedGap;
    case PM_ToolBarSeparatorExtent: return 9;
    case PM_ToolBarHandleExtent: return 8;
    case PM_ToolBarExtensionExtent: return 16;
    case PM_SmallIconSize: return widget != nullptr && widget->inherits("QDockWidgetTitleButton") ? 12 : measure::IconSize;
    case PM_ToolBarIconSize:
    case PM_ButtonIconSize:
    case PM_ListViewIconSize:
    case PM_TabBarIconSize:
    case PM_TabCloseIndicatorWidth:
    case PM_TabCloseIndicatorHeight: return measure::IconSize;
    case PM_IndicatorWidth:
    case PM_IndicatorHeight:
    case PM_ExclusiveIndicatorWidth:
    case PM_ExclusiveIndicatorHeight: return 14;
    case PM_CheckBoxLabelSpacing:
    case PM_RadioButtonLabelSpacing: return 6;
    case PM_MenuPanelWidth: return 1;
    case PM_MenuHMargin: return 0;
    case PM_MenuVMargin: return 4;
    case PM_MenuDesktopFrameWidth: return 0;
    case PM_ScrollBarExtent: return 10;
    case PM_ScrollBarSliderMin: return 24;
    case PM_ScrollView_ScrollBarSpacing:
    case PM_ScrollView_ScrollBarOverlap: return 0;
    case PM_SliderThickness:
    case PM_SliderControlThickness: return 16;
    case PM_SliderLength: return 12;
    case PM_SplitterWidth: return 1;
    case PM_DockWidgetSeparatorExtent: return 4;
    case PM_DockWidgetTitleMargin: return 4;
    case PM_DockWidgetTitleBarButtonMargin: return 2;
    case PM_FocusFrameHMargin: return 3; // text in rows stands 4 px from its cell's edge
    case PM_HeaderMargin: {
        const auto* header = qobject_cast<const QHeaderView*>(widget);
        return header != nullptr && header->orientation() == Qt::Vertical ? 1 : 4;
    }
    case PM_HeaderDefaultSectionSizeVertical: return measure::RowHeight;
    case PM_HeaderMarkSize: return 10;
    case PM_HeaderGripMargin: return 4;
    case PM_TabBarTabHSpace: return 20;
    case PM_TabBarTabVSpace: return 8;
    case PM_TabBarScrollButtonWidth: return 20;
    case PM_TreeViewIndentation: return 16;
    case PM_ToolTipLabelFrameWidth: return 6;
    case PM_LayoutLeftMargin:
    case PM_LayoutTopMargin:
    case PM_LayoutRightMargin:
    case PM_LayoutBottomMargin: return measure::PanelPadding;
    case PM_LayoutHorizontalSpacing:
    case PM_LayoutVerticalSpacing: return measure::RelatedGap;
    case PM_ProgressBarChunkWidth: return 1;
    default: return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

int ThemeStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget, QStyleHintReturn* data) const {
    switch (hint) {
    case SH_ItemView_ShowDecorationSelected:
    case SH_ComboBox_ListMouseTracking:
    case SH_Menu_MouseTracking:
    case SH_MenuBar_MouseTracking: return 1;
    case SH_Slider_AbsoluteSetButtons: return Qt::LeftButton; // a click goes where it points
    case SH_ScrollBar_LeftClickAbsolutePosition:
    case SH_ComboBox_Popup:
    case SH_EtchDisabledText:
    case SH_DitherDisabledText:
    case SH_UnderlineShortcut:
    case SH_ItemView_DrawDelegateFrame:
    case SH_DialogButtonBox_ButtonsHaveIcons:
    case SH_Widget_Animate:
    case SH_TabBar_PreferNoArrows:
    case SH_MessageBox_CenterButtons: return 0;
    case SH_Table_GridLineColor: return static_cast<int>(color(Token::Line).rgb());
    case SH_ToolTip_WakeUpDelay: return 400;
    case SH_ToolTip_FallAsleepDelay: return 200;
    case SH_ToolTipLabel_Opacity: return 255;
    case SH_TabBar_Alignment: return Qt::AlignLeft;
    case SH_TabBar_ElideMode: return Qt::ElideRight;
    case SH_Header_ArrowAlignment: return Qt::AlignRight | Qt::AlignVCenter;
    case SH_Menu_SubMenuPopupDelay: return 150;
    default: return QProxyStyle::styleHint(hint, option, widget, data);
    }
}

QIcon ThemeStyle::standardIcon(StandardPixmap icon, const QStyleOption* option, const QWidget* widget) const {
    static const QHash<int, QString> Names{
        {SP_TitleBarCloseButton, QStringLiteral("close")},
        {SP_DockWidgetCloseButton, QStringLiteral("close")},
        {SP_TitleBarNormalButton, QStringLiteral("duplicate")},
        {SP_TitleBarMaxButton, QStringLiteral("duplicate")},
        {SP_LineEditClearButton, QStringLiteral("close")},
        {SP_MessageBoxInformation, QStringLiteral("info")},
        {SP_MessageBoxWarning, QStringLiteral("warning")},
        {SP_MessageBoxCritical, QStringLiteral("error")},
        {SP_MessageBoxQuestion, QStringLiteral("help")},
        {SP_DirIcon, QStringLiteral("folder")},
        {SP_DirOpenIcon, QStringLiteral("open")},
        {SP_DirClosedIcon, QStringLiteral("folder")},
        {SP_FileIcon, QStringLiteral("file")},
        {SP_FileDialogNewFolder, QStringLiteral("plus")},
        {SP_FileDialogToParent, QStringLiteral("arrow-up")},
        {SP_FileDialogBack, QStringLiteral("arrow-left")},
        {SP_FileDialogListView, QStringLiteral("trace")},
        {SP_FileDialogDetailedView, QStringLiteral("outliner")},
        {SP_ArrowUp, QStringLiteral("arrow-up")},
        {SP_ArrowDown, QStringLiteral("arrow-down")},
        {SP_ArrowLeft, QStringLiteral("arrow-left")},
        {SP_ArrowRight, QStringLiteral("arrow-right")},
        {SP_ArrowBack, QStringLiteral("arrow-left")},
        {SP_ArrowForward, QStringLiteral("arrow-right")},
        {SP_BrowserReload, QStringLiteral("revert")},
        {SP_TrashIcon, QStringLiteral("delete")},
        {SP_ToolBarHorizontalExtensionButton, QStringLiteral("more")},
        {SP_ToolBarVerticalExtensionButton, QStringLiteral("more")},
        {SP_DialogOpenButton, QStringLiteral("open")},
        {SP_DialogSaveButton, QStringLiteral("save")},
        {SP_DialogCloseButton, QStringLiteral("close")}};
    const QString name = Names.value(icon);
    switch (icon) {
    case SP_MessageBoxInformation: return m_theme.icon(name, Token::Info);
    case SP_MessageBoxWarning: return m_theme.icon(name, Token::Warning);
    case SP_MessageBoxCritical: return m_theme.icon(name, Token::Error);
    case SP_MessageBoxQuestion: return m_theme.icon(name, Token::Info);
    default: return name.isEmpty() ? QProxyStyle::standardIcon(icon, option, widget) : m_theme.icon(name, Token::Muted);
    }
}

} // namespace sbx::ui
