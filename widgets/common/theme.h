#pragma once
// How everything looks: colour tokens, data colours, fonts, measures, icons, and the style that draws
// standard widgets from them.
//
// One Theme lives for the whole program, is made in main() before the first widget, and is passed by
// reference to widgets that paint something of their own. Standard widgets need nothing: apply() gives the
// application our style and palette. The values come from one file, resources/themes/signalbox.toml; no
// widget writes a colour. GUI thread only.

#include <QColor>
#include <QFont>
#include <QIcon>
#include <QObject>
#include <QPalette>
#include <QString>

#include <array>
#include <cstddef>

class QApplication;
class QAbstractItemView;
class QWidget;

namespace sbx::ui {

// System: as the desktop's own palette was when the program started (Qt 6.4 cannot ask for more).
enum class ThemeMode { Dark, Light, System };

// What a colour is for. The order is that of the names in the token file.
enum class Token {
    Ground,            // window
    Surface,           // panels
    Raised,            // headers, fields, hover
    Line,              // 1 px separators: the only borders
    Text,              // body
    Muted,             // labels, units, hints
    Accent,            // focus, selection, primary action; nothing else
    Play,              // the window's edge and mode text while the world runs
    Pressed,           // a raised thing held down, a scroll bar's handle
    Selection,         // behind a selected row of the focused panel
    SelectionInactive, // the same where the panel has no focus
    OnAccent,          // text and icons on accent
    Disabled,          // text and icons that cannot be used now
    Error,             // severity, always beside an icon or a shape
    Warning,
    Info,
    Success,
    AxisX,
    AxisY,
    AxisZ,
    Count
};

// The Okabe-Ito set, in the order peers take their colours from it.
enum class Hue { Blue, Orange, BluishGreen, Vermillion, SkyBlue, ReddishPurple, Yellow, Count };

// What a data colour means; the same colour for the same thing everywhere.
enum class Meaning { Passed, Consumed, NotReached, Unhandled, Sent, Acknowledged, Waiting, Executed, Lost, Resent };

enum class FontRole { Ui, Mono };

namespace measure {
constexpr int Grid = 4;
constexpr int PanelPadding = 8;
constexpr int RelatedGap = 4;
constexpr int GroupGap = 16;
constexpr int RowHeight = 22;
constexpr int TraceRowHeight = 20;
constexpr int ControlHeight = 24;
constexpr int Radius = 4;
constexpr int IconSize = 16;
constexpr int MotionMs = 120;
} // namespace measure

class Theme : public QObject {
    Q_OBJECT

public:
    // After QApplication.
    explicit Theme(ThemeMode mode = ThemeMode::Dark, QObject* parent = nullptr);
    ~Theme() override;

    // Style, palette and font for the whole application. Call once; later changes of mode follow by
    // themselves.
    void apply(QApplication& application);

    void setMode(ThemeMode mode);
    [[nodiscard]] ThemeMode mode() const { return m_mode; }
    [[nodiscard]] bool isDark() const { return m_dark; }

    [[nodiscard]] QColor color(Token token) const { return m_colors[static_cast<std::size_t>(token)]; }
    // For shapes, bars and dots: the set's own values.
    [[nodiscard]] QColor hue(Hue hue) const { return m_hues[static_cast<std::size_t>(hue)]; }
    [[nodiscard]] QColor color(Meaning meaning) const;
    // Server 0, client 1, client 2, …: from the set in order, round again after seven.
    [[nodiscard]] QColor peer(int index) const;
    // The colour brought to at least 4.5:1 on `ground` (surface if invalid), keeping its hue: for words in a
    // data colour.
    [[nodiscard]] QColor readable(const QColor& color, const QColor& ground = QColor()) const;

    [[nodiscard]] QFont font(FontRole role) const;
    // Semibold: the second of two weights.
    [[nodiscard]] QFont strongFont(FontRole role) const;
    [[nodiscard]] QPalette palette() const;

    // An icon of our set ("play", "entity", …; see iconNames()): crisp at any size and scale, tinted when
    // painted, so one QIcon stays right through a change of theme. An unknown name draws the "unknown" icon.
    // The icon must not outlive the theme.
    [[nodiscard]] QIcon icon(const QString& name) const;
    // The same, in a token's colour instead of text.
    [[nodiscard]] QIcon icon(const QString& name, Token tint) const;
    [[nodiscard]] QIcon icon(const QString& name, const QColor& tint) const;
    // Every name there is an SVG for, sorted.
    [[nodiscard]] static QStringList iconNames();

signals:
    // Colours or fonts are new: repaint what is cached.
    void changed();

private:
    void load();
    void refresh();

    ThemeMode m_mode;
    bool m_dark = true;
    bool m_systemDark = true;
    std::array<std::array<QColor, static_cast<std::size_t>(Token::Count)>, 2> m_sets; // dark, light
    std::array<QColor, static_cast<std::size_t>(Token::Count)> m_colors;
    std::array<QColor, static_cast<std::size_t>(Hue::Count)> m_hues;
    QFont m_uiFont;
    QFont m_monoFont;
    QApplication* m_application = nullptr;
};

// WCAG 2 contrast ratio, 1 to 21.
[[nodiscard]] double contrastRatio(const QColor& a, const QColor& b);
// `amount` (0..1) of `over` mixed into `base`, in sRGB.
[[nodiscard]] QColor mix(const QColor& base, const QColor& over, double amount);

// Rows of a view that differ from measure::RowHeight (the trace: measure::TraceRowHeight).
void setRowHeight(QAbstractItemView& view, int pixels);
// Draws a push or tool button as the one primary action of its panel (accent fill).
void setPrimary(QWidget& button, bool primary = true);
// Text in a token's colour, through every change of theme.
void setTextToken(QWidget& label, const Theme& theme, Token token);
// A 1 px line edit, combo or spin box border in the error colour.
void setInvalid(QWidget& field, bool invalid);

} // namespace sbx::ui
