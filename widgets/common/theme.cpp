#include "widgets/common/theme.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QFile>
#include <QFontDatabase>
#include <QStyleFactory>
#include <QToolTip>
#include <QWidget>

#include "engine/core/contracts.h"
#include "widgets/common/theme_icon.h"
#include "widgets/common/theme_style.h"

#include <toml++/toml.h>

#include <cmath>
#include <string_view>

// The resource sits in a static library: without this call the linker leaves it out. Must stand outside every
// namespace.
static void initResources() { Q_INIT_RESOURCE(signalbox_common); }

namespace sbx::ui {

namespace {

constexpr std::size_t Tokens = static_cast<std::size_t>(Token::Count);
constexpr std::size_t Hues = static_cast<std::size_t>(Hue::Count);

constexpr std::array<const char*, Tokens> TokenNames{"ground",
                                                     "surface",
                                                     "raised",
                                                     "line",
                                                     "text",
                                                     "muted",
                                                     "accent",
                                                     "play",
                                                     "pressed",
                                                     "selection",
                                                     "selection-inactive",
                                                     "on-accent",
                                                     "disabled",
                                                     "error",
                                                     "warning",
                                                     "info",
                                                     "success",
                                                     "axis-x",
                                                     "axis-y",
                                                     "axis-z"};
constexpr std::array<const char*, Hues> HueNames{"blue",     "orange",         "bluish-green", "vermillion",
                                                 "sky-blue", "reddish-purple", "yellow"};

QColor readColor(const toml::table& table, const char* name) {
    const auto text = table[name].value<std::string>();
    SBX_EXPECT(text.has_value(), "a colour is missing in signalbox.toml");
    const QColor color(QString::fromStdString(*text));
    SBX_EXPECT(color.isValid(), "a colour in signalbox.toml is not #rrggbb");
    return color;
}

double linear(double channel) {
    return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double luminance(const QColor& color) {
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

QString firstInstalled(const QStringList& wanted, const QString& otherwise) {
    const QStringList installed = QFontDatabase::families();
    for (const QString& family : wanted)
        if (installed.contains(family))
            return family;
    return otherwise;
}

// With weight and slant said outright: a painter would otherwise take them from the widget's font.
QFont settled(QFont font) {
    font.setWeight(QFont::Normal);
    font.setStyle(QFont::StyleNormal);
    return font;
}

// The desktop's own font; where there is no desktop and it is only an alias, the best we know for small
// sizes.
QFont interfaceFont() {
    QFont font = QFontDatabase::systemFont(QFontDatabase::GeneralFont);
    static const QStringList Aliases{QStringLiteral("Sans Serif"), QStringLiteral("Sans"),
                                     QStringLiteral("sans-serif"), QStringLiteral("Helvetica"), QString()};
    if (Aliases.contains(font.family(), Qt::CaseInsensitive)
        || !QFontDatabase::families().contains(font.family()))
        font.setFamily(firstInstalled({QStringLiteral("Inter"), QStringLiteral("Inter Display"),
                                       QStringLiteral("Noto Sans"), QStringLiteral("Cantarell"),
                                       QStringLiteral("Ubuntu"), QStringLiteral("DejaVu Sans")},
                                      font.family()));
    if (font.pointSizeF() < 9.0 || font.pointSizeF() > 10.0)
        font.setPointSizeF(font.pointSizeF() < 9.0 ? 9.0 : 10.0);
    font.setHintingPreference(QFont::PreferVerticalHinting);
    return settled(font);
}

QFont monospacedFont(double pointSize) {
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    font.setFamily(firstInstalled({QStringLiteral("JetBrains Mono"), QStringLiteral("Source Code Pro"),
                                   QStringLiteral("Noto Sans Mono"), QStringLiteral("DejaVu Sans Mono")},
                                  font.family()));
    font.setPointSizeF(pointSize);
    font.setFixedPitch(true);
    font.setStyleHint(QFont::Monospace);
    return settled(font);
}

} // namespace

double contrastRatio(const QColor& a, const QColor& b) {
    const double one = luminance(a) + 0.05;
    const double two = luminance(b) + 0.05;
    return one > two ? one / two : two / one;
}

QColor mix(const QColor& base, const QColor& over, double amount) {
    const auto channel = [amount](float a, float b) { return static_cast<float>(a + (b - a) * amount); };
    return QColor::fromRgbF(channel(base.redF(), over.redF()), channel(base.greenF(), over.greenF()),
                            channel(base.blueF(), over.blueF()));
}

Theme::Theme(ThemeMode mode, QObject* parent) : QObject(parent), m_mode(mode) {
    initResources();
    load();
    const QPalette desktop = QApplication::palette();
    m_systemDark =
        desktop.color(QPalette::Window).lightness() < desktop.color(QPalette::WindowText).lightness();
    m_uiFont = interfaceFont();
    m_monoFont = monospacedFont(m_uiFont.pointSizeF());
    refresh();
}

// The application keeps the style, and draws with it as long as there are widgets.
Theme::~Theme() {
    const auto* style = QApplication::instance() != nullptr ? qobject_cast<const ThemeStyle*>(QApplication::style()) : nullptr;
    if (style != nullptr && &style->theme() == this)
        QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
}

void Theme::load() {
    QFile file(QStringLiteral(":/sbx/themes/signalbox.toml"));
    const bool opened = file.open(QIODevice::ReadOnly);
    SBX_EXPECT(opened, "the theme file is compiled in");
    const QByteArray bytes = file.readAll();
    const toml::table root =
        toml::parse(std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
    for (std::size_t set = 0; set < 2; ++set) {
        const toml::table* table = root[set == 0 ? "dark" : "light"].as_table();
        SBX_EXPECT(table != nullptr, "signalbox.toml has [dark] and [light]");
        for (std::size_t i = 0; i < Tokens; ++i)
            m_sets[set][i] = readColor(*table, TokenNames[i]);
    }
    const toml::table* data = root["data"].as_table();
    SBX_EXPECT(data != nullptr, "signalbox.toml has [data]");
    for (std::size_t i = 0; i < Hues; ++i)
        m_hues[i] = readColor(*data, HueNames[i]);
}

void Theme::refresh() {
    m_dark = m_mode == ThemeMode::System ? m_systemDark : m_mode == ThemeMode::Dark;
    m_colors = m_sets[m_dark ? 0 : 1];
}

void Theme::apply(QApplication& application) {
    m_application = &application;
    QApplication::setStyle(new ThemeStyle(*this)); // owned by the application
    QApplication::setFont(m_uiFont);
    QApplication::setPalette(palette());
    QToolTip::setFont(m_uiFont);
    QToolTip::setPalette(palette());
}

void Theme::setMode(ThemeMode mode) {
    if (mode == m_mode)
        return;
    m_mode = mode;
    refresh();
    if (m_application != nullptr) {
        QApplication::setPalette(palette());
        QToolTip::setPalette(palette());
        for (QWidget* widget : QApplication::topLevelWidgets())
            widget->update();
    }
    emit changed();
}

QColor Theme::color(Meaning meaning) const {
    switch (meaning) {
    case Meaning::Passed:
    case Meaning::NotReached:
        return color(Token::Muted);
    case Meaning::Consumed:
    case Meaning::Waiting:
        return hue(Hue::Orange);
    case Meaning::Unhandled:
    case Meaning::Lost:
        return hue(Hue::Vermillion);
    case Meaning::Sent:
        return hue(Hue::SkyBlue);
    case Meaning::Acknowledged:
        return hue(Hue::Blue);
    case Meaning::Executed:
        return hue(Hue::BluishGreen);
    case Meaning::Resent:
        return hue(Hue::ReddishPurple);
    }
    return color(Token::Muted);
}

QColor Theme::peer(int index) const {
    SBX_EXPECT(index >= 0, "peers are counted from 0");
    return m_hues[static_cast<std::size_t>(index) % Hues];
}

QColor Theme::readable(const QColor& wanted, const QColor& ground) const {
    const QColor behind = ground.isValid() ? ground : color(Token::Surface);
    const QColor goal = luminance(behind) < 0.18 ? QColor(Qt::white) : QColor(Qt::black);
    QColor result = wanted;
    for (int step = 1; step <= 20 && contrastRatio(result, behind) < 4.55; ++step)
        result = mix(wanted, goal, step * 0.05);
    return result;
}

QFont Theme::font(FontRole role) const { return role == FontRole::Ui ? m_uiFont : m_monoFont; }

QFont Theme::strongFont(FontRole role) const {
    QFont strong = font(role);
    strong.setWeight(role == FontRole::Ui ? QFont::DemiBold : QFont::Bold);
    return strong;
}

QPalette Theme::palette() const {
    QPalette p;
    const auto all = [&p](QPalette::ColorRole role, const QColor& color) { p.setColor(role, color); };
    all(QPalette::Window, color(Token::Ground));
    all(QPalette::WindowText, color(Token::Text));
    all(QPalette::Base, color(Token::Surface));
    all(QPalette::AlternateBase, mix(color(Token::Surface), color(Token::Raised), 0.4));
    all(QPalette::Text, color(Token::Text));
    all(QPalette::PlaceholderText, color(Token::Muted));
    all(QPalette::Button, color(Token::Raised));
    all(QPalette::ButtonText, color(Token::Text));
    all(QPalette::BrightText, color(Token::Error));
    all(QPalette::ToolTipBase, color(Token::Raised));
    all(QPalette::ToolTipText, color(Token::Text));
    all(QPalette::Highlight, color(Token::Selection));
    all(QPalette::HighlightedText, color(Token::Text));
    all(QPalette::Link, color(Token::Accent));
    all(QPalette::LinkVisited, color(Token::Accent));
    all(QPalette::Light, color(Token::Raised));
    all(QPalette::Midlight, color(Token::Raised));
    all(QPalette::Mid, color(Token::Line));
    all(QPalette::Dark, color(Token::Line));
    all(QPalette::Shadow, color(Token::Ground));
    p.setColor(QPalette::Inactive, QPalette::Highlight, color(Token::SelectionInactive));
    for (const QPalette::ColorRole role :
         {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::HighlightedText,
          QPalette::PlaceholderText, QPalette::ToolTipText})
        p.setColor(QPalette::Disabled, role, color(Token::Disabled));
    p.setColor(QPalette::Disabled, QPalette::Highlight, color(Token::SelectionInactive));
    return p;
}

QIcon Theme::icon(const QString& name) const { return QIcon(new ThemeIconEngine(*this, name)); }

QIcon Theme::icon(const QString& name, Token tint) const {
    return QIcon(new ThemeIconEngine(*this, name, tint));
}

QIcon Theme::icon(const QString& name, const QColor& tint) const {
    return QIcon(new ThemeIconEngine(*this, name, tint));
}

QStringList Theme::iconNames() {
    initResources();
    return ThemeIconEngine::names();
}

void setRowHeight(QAbstractItemView& view, int pixels) {
    view.setProperty(ThemeStyle::RowHeightProperty, pixels);
    view.updateGeometry();
}

void setPrimary(QWidget& button, bool primary) {
    button.setProperty(ThemeStyle::PrimaryProperty, primary);
    button.update();
}

void setTextToken(QWidget& label, const Theme& theme, Token token) {
    label.setProperty(ThemeStyle::TextTokenProperty, static_cast<int>(token));
    const auto refresh = [&label, &theme] {
        const auto now = static_cast<Token>(label.property(ThemeStyle::TextTokenProperty).toInt());
        QPalette palette = label.palette();
        palette.setColor(QPalette::WindowText, theme.color(now));
        label.setPalette(palette);
    };
    // Inside a panel the default would be the role that goes with its ground.
    label.setForegroundRole(QPalette::WindowText);
    refresh();
    if (!label.property(ThemeStyle::TextFollowsProperty).toBool()) {
        label.setProperty(ThemeStyle::TextFollowsProperty, true);
        QObject::connect(&theme, &Theme::changed, &label, refresh);
    }
}

void setInvalid(QWidget& field, bool invalid) {
    field.setProperty(ThemeStyle::InvalidProperty, invalid);
    field.update();
}

} // namespace sbx::ui

#include "moc_theme.cpp"
