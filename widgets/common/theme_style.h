#pragma once
// The house style: Fusion's behaviour, our drawing. Flat fills from the theme's tokens, 1 px lines, radius 4,
// a focus ring.
//
// Everything is read from the theme when painted, so a change of theme needs only a repaint. Owned by
// QApplication; made by Theme::apply. Split by kind: theme_style.cpp (dispatch), theme_style_measures.cpp
// (sizes, behaviour), theme_style_controls.cpp (buttons, fields, sliders, bars), theme_style_views.cpp (rows,
// headers, tabs, docks, menus).

#include <QProxyStyle>

#include "widgets/common/theme.h"

class QStyleOptionButton;
class QStyleOptionComboBox;
class QStyleOptionDockWidget;
class QStyleOptionHeader;
class QStyleOptionMenuItem;
class QStyleOptionProgressBar;
class QStyleOptionSlider;
class QStyleOptionSpinBox;
class QStyleOptionTab;
class QStyleOptionToolButton;

namespace sbx::ui {

// A line edit inside a combo or spin box: that draws its frame and gives it its height.
[[nodiscard]] bool isEmbedded(const QWidget* widget);
// It edits a cell in place: its parent is a view's viewport.
[[nodiscard]] bool isInView(const QWidget* widget);

class ThemeStyle : public QProxyStyle {
    Q_OBJECT

public:
    [[nodiscard]] const Theme& theme() const { return m_theme; }
    static constexpr const char* RowHeightProperty = "sbxRowHeight";
    static constexpr const char* PrimaryProperty = "sbxPrimary";
    static constexpr const char* InvalidProperty = "sbxInvalid";
    static constexpr const char* TextTokenProperty = "sbxTextToken";
    static constexpr const char* TextFollowsProperty = "sbxTextFollows";

    explicit ThemeStyle(const Theme& theme);

    void polish(QWidget* widget) override;
    void unpolish(QWidget* widget) override;
    using QProxyStyle::polish;
    using QProxyStyle::unpolish;

    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override;
    void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                            const QWidget* widget) const override;
    QRect subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part,
                         const QWidget* widget) const override;
    QRect subElementRect(SubElement element, const QStyleOption* option,
                         const QWidget* widget) const override;
    QSize sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& contents,
                           const QWidget* widget) const override;
    int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override;
    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                  QStyleHintReturn* data) const override;
    QIcon standardIcon(StandardPixmap icon, const QStyleOption* option, const QWidget* widget) const override;

private:
    // theme_style_controls.cpp
    void drawPushButton(const QStyleOptionButton& option, QPainter& painter, const QWidget* widget) const;
    void drawPushButtonLabel(const QStyleOptionButton& option, QPainter& painter,
                             const QWidget* widget) const;
    void drawCheckMark(const QStyleOption& option, QPainter& painter, bool round) const;
    void drawField(const QStyleOption& option, QPainter& painter, const QWidget* widget) const;
    void drawComboBox(const QStyleOptionComboBox& option, QPainter& painter, const QWidget* widget) const;
    void drawSpinBox(const QStyleOptionSpinBox& option, QPainter& painter, const QWidget* widget) const;
    void drawScrollBar(const QStyleOptionSlider& option, QPainter& painter, const QWidget* widget) const;
    void drawSlider(const QStyleOptionSlider& option, QPainter& painter, const QWidget* widget) const;
    void drawToolButton(const QStyleOptionToolButton& option, QPainter& painter, const QWidget* widget) const;
    void drawProgress(const QStyleOptionProgressBar& option, QPainter& painter) const;
    // theme_style_views.cpp
    void drawBranch(const QStyleOption& option, QPainter& painter) const;
    void drawRowBackground(const QStyleOption& option, QPainter& painter, const QWidget* widget) const;
    void drawHeaderSection(const QStyleOptionHeader& option, QPainter& painter) const;
    void drawTab(const QStyleOptionTab& option, QPainter& painter, const QWidget* widget) const;
    void drawTabLabel(const QStyleOptionTab& option, QPainter& painter, const QWidget* widget) const;
    void drawDockTitle(const QStyleOptionDockWidget& option, QPainter& painter, const QWidget* widget) const;
    void drawMenuItem(const QStyleOptionMenuItem& option, QPainter& painter, const QWidget* widget) const;
    void drawMenuBarItem(const QStyleOptionMenuItem& option, QPainter& painter, const QWidget* widget) const;

    // Shared brushes. Rectangles are whole pixels; lines land on them at every scale.
    [[nodiscard]] QColor color(Token token) const { return m_theme.color(token); }
    [[nodiscard]] QColor hover() const; // a raised thing under the pointer
    void fillRounded(QPainter& painter, const QRectF& rect, const QColor& fill,
                     qreal radius = measure::Radius) const;
    void strokeRounded(QPainter& painter, const QRectF& rect, const QColor& line, qreal width = 1.0,
                       qreal radius = measure::Radius) const;
    void drawIcon(QPainter& painter, const QString& name, const QRect& rect, const QColor& color) const;

    const Theme& m_theme;
};

} // namespace sbx::ui
