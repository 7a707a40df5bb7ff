// How large things are, how they behave, and which of our icons stand for the standard ones.

#include <QAbstractSpinBox>
#include <QComboBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QStyleOption>
#include <QTabBar>

#include "widgets/common/theme_style.h"

#include <algorithm>

namespace sbx::ui {

namespace {

// Whose list it is, if it is one that pops up.
const QComboBox* listedBy(const QWidget* view) {
    return view != nullptr && view->window()->windowType() == Qt::Popup
               ? qobject_cast<const QComboBox*>(view->window()->parentWidget())
               : nullptr;
}

} // namespace

QSize ThemeStyle::sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& contents,
                                   const QWidget* widget) const {
    QSize size = QProxyStyle::sizeFromContents(type, option, contents, widget);
    switch (type) {
    case CT_PushButton: {
        const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option);
        const int text = contents.width()
                         + (button != nullptr && !button->icon.isNull() && !button->text.isEmpty() ? 4 : 0);
        return {
            std::max(text + 24, button != nullptr && button->text.isEmpty() ? measure::ControlHeight : 56),
            measure::ControlHeight};
    }
    case CT_LineEdit:
        return {size.width(), isEmbedded(widget) ? size.height() : measure::ControlHeight};
    case CT_ComboBox:
    case CT_SpinBox:
        return {size.width(), measure::ControlHeight};
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
    case CT_RadioButton:
        return {size.width() + 2, std::max(contents.height(), 20)};
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
    case CT_MenuBarItem:
        return {contents.width() + 16, measure::ControlHeight + 2};
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
    case CT_ProgressBar:
        return {size.width(), 16};
    case CT_Slider:
        return size;
    default:
        return size;
    }
}

int ThemeStyle::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const {
    switch (metric) {
    case PM_DefaultFrameWidth:
        if (qobject_cast<const QLineEdit*>(widget) != nullptr
            || qobject_cast<const QAbstractSpinBox*>(widget) != nullptr
            || qobject_cast<const QComboBox*>(widget) != nullptr)
            return 4;
        return qobject_cast<const QMenu*>(widget) != nullptr
                       || (widget != nullptr && widget->windowType() == Qt::Popup)
                   ? 1
                   : 0;
    case PM_ComboBoxFrameWidth:
    case PM_SpinBoxFrameWidth:
        return 3;
    case PM_ButtonMargin:
        return 8;
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
    case PM_DockWidgetFrameWidth:
        return 0;
    case PM_ToolBarItemSpacing:
        return measure::RelatedGap;
    case PM_ToolBarItemMargin:
        return measure::RelatedGap;
    case PM_ToolBarSeparatorExtent:
        return 9;
    case PM_ToolBarHandleExtent:
        return 8;
    case PM_ToolBarExtensionExtent:
        return 16;
    case PM_SmallIconSize:
        return widget != nullptr && widget->inherits("QDockWidgetTitleButton") ? 12 : measure::IconSize;
    case PM_MessageBoxIconSize:
        return 32;
    case PM_ToolBarIconSize:
    case PM_ButtonIconSize:
    case PM_ListViewIconSize:
    case PM_TabBarIconSize:
    case PM_TabCloseIndicatorWidth:
    case PM_TabCloseIndicatorHeight:
        return measure::IconSize;
    case PM_IndicatorWidth:
    case PM_IndicatorHeight:
    case PM_ExclusiveIndicatorWidth:
    case PM_ExclusiveIndicatorHeight:
        return 14;
    case PM_CheckBoxLabelSpacing:
    case PM_RadioButtonLabelSpacing:
        return 6;
    case PM_MenuPanelWidth:
        return 1;
    case PM_MenuHMargin:
        return 0;
    case PM_MenuVMargin:
        return 4;
    case PM_MenuDesktopFrameWidth:
        return 0;
    case PM_ScrollBarExtent:
        return 10;
    case PM_ScrollBarSliderMin:
        return 24;
    case PM_ScrollView_ScrollBarSpacing:
    case PM_ScrollView_ScrollBarOverlap:
        return 0;
    case PM_SliderThickness:
    case PM_SliderControlThickness:
        return 16;
    case PM_SliderLength:
        return 12;
    case PM_SplitterWidth:
        return 1;
    case PM_DockWidgetSeparatorExtent:
        return 4;
    case PM_DockWidgetTitleMargin:
        return 4;
    case PM_DockWidgetTitleBarButtonMargin:
        return 2;
    case PM_FocusFrameHMargin:
        if (const QComboBox* box = listedBy(widget)) // under its own text, which has a frame around it
            return isInView(box) ? 2 : 6;
        return 3; // text in rows stands 4 px from its cell's edge
    case PM_HeaderMargin: {
        const auto* header = qobject_cast<const QHeaderView*>(widget);
        return header != nullptr && header->orientation() == Qt::Vertical ? 1 : 4;
    }
    case PM_HeaderDefaultSectionSizeVertical:
        return measure::RowHeight;
    case PM_HeaderMarkSize:
        return 10;
    case PM_HeaderGripMargin:
        return 4;
    case PM_TabBarTabHSpace:
        return 20;
    case PM_TabBarTabVSpace:
        return 8;
    case PM_TabBarScrollButtonWidth:
        return 20;
    case PM_TreeViewIndentation:
        return 16;
    case PM_ToolTipLabelFrameWidth:
        return 6;
    case PM_LayoutLeftMargin:
    case PM_LayoutTopMargin:
    case PM_LayoutRightMargin:
    case PM_LayoutBottomMargin:
        return measure::PanelPadding;
    case PM_LayoutHorizontalSpacing:
    case PM_LayoutVerticalSpacing:
        return measure::RelatedGap;
    case PM_ProgressBarChunkWidth:
        return 1;
    default:
        return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

int ThemeStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                          QStyleHintReturn* data) const {
    switch (hint) {
    case SH_ItemView_ShowDecorationSelected:
    case SH_ComboBox_ListMouseTracking:
    case SH_Menu_MouseTracking:
    case SH_MenuBar_MouseTracking:
        return 1;
    case SH_Slider_AbsoluteSetButtons:
        return Qt::LeftButton; // a click goes where it points
    case SH_ScrollBar_LeftClickAbsolutePosition:
    case SH_ComboBox_Popup:
    case SH_EtchDisabledText:
    case SH_DitherDisabledText:
    case SH_UnderlineShortcut:
    case SH_ItemView_DrawDelegateFrame:
    case SH_DialogButtonBox_ButtonsHaveIcons:
    case SH_Widget_Animate:
    case SH_TabBar_PreferNoArrows:
    case SH_MessageBox_CenterButtons:
        return 0;
    case SH_Table_GridLineColor:
        return static_cast<int>(color(Token::Line).rgb());
    case SH_ToolTip_WakeUpDelay:
        return 400;
    case SH_ToolTip_FallAsleepDelay:
        return 200;
    case SH_ToolTipLabel_Opacity:
        return 255;
    case SH_TabBar_Alignment:
        return Qt::AlignLeft;
    case SH_TabBar_ElideMode:
        return Qt::ElideRight;
    case SH_Header_ArrowAlignment:
        return Qt::AlignRight | Qt::AlignVCenter;
    case SH_Menu_SubMenuPopupDelay:
        return 150;
    default:
        return QProxyStyle::styleHint(hint, option, widget, data);
    }
}

QIcon ThemeStyle::standardIcon(StandardPixmap icon, const QStyleOption* option, const QWidget* widget) const {
    static const QHash<int, QString> Names{{SP_TitleBarCloseButton, QStringLiteral("close")},
                                           {SP_DockWidgetCloseButton, QStringLiteral("close")},
                                           {SP_TitleBarNormalButton, QStringLiteral("duplicate")},
                                           {SP_TitleBarMaxButton, QStringLiteral("duplicate")},
                                           {SP_LineEditClearButton, QStringLiteral("close")},
                                           {SP_MessageBoxInformation, QStringLiteral("info")},
                                           {SP_MessageBoxWarning, QStringLiteral("warning")},
                                           {SP_MessageBoxCritical, QStringLiteral("error")},
                                           {SP_MessageBoxQuestion, QStringLiteral("help")},
                                           {SP_ComputerIcon, QStringLiteral("computer")},
                                           {SP_DriveHDIcon, QStringLiteral("computer")},
                                           {SP_DirHomeIcon, QStringLiteral("home")},
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
    case SP_MessageBoxInformation:
        return m_theme.icon(name, Token::Info);
    case SP_MessageBoxWarning:
        return m_theme.icon(name, Token::Warning);
    case SP_MessageBoxCritical:
        return m_theme.icon(name, Token::Error);
    case SP_MessageBoxQuestion:
        return m_theme.icon(name, Token::Info);
    default:
        return name.isEmpty() ? QProxyStyle::standardIcon(icon, option, widget)
                              : m_theme.icon(name, Token::Muted);
    }
}

} // namespace sbx::ui
