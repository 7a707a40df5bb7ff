#include "widgets/definition/toml_styler.h"

#include <QFontInfo>
#include <Qsci/qsciscintilla.h>

#include "widgets/common/theme.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

namespace sbx::ui {

namespace {

using Base = QsciScintillaBase;

// Line state: which multi-line text is open at the end of the line, and how many brackets.
enum OpenText { None = 0, Basic = 1, Literal = 2, OpenTextMask = 3 };
constexpr int DepthShift = 2;
constexpr int MaxDepth = 1000;

bool isBare(char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' || c == '-'
           || c == '+' || static_cast<unsigned char>(c) >= 0x80;
}

// One line, left to right.
class LineScanner {
public:
    LineScanner(std::string_view text, int state, char* styles)
        : m_text(text), m_styles(styles), m_open(state & OpenTextMask), m_depth(state >> DepthShift) {}

    int run();

private:
    void put(std::size_t end, TomlStyler::Style style) {
        end = std::min(end, m_text.size());
        std::fill(m_styles + m_at, m_styles + end, static_cast<char>(style));
        m_at = end;
    }
    [[nodiscard]] bool starts(std::string_view what) const { return m_text.substr(m_at).starts_with(what); }
    void quotedText(TomlStyler::Style style);
    void openText();
    void word();
    void header();

    std::string_view m_text;
    char* m_styles;
    int m_open;
    int m_depth;
    std::size_t m_at = 0;
    bool m_inValue = false;
};

// Inside """ or ''': to its end or the line's.
void LineScanner::openText() {
    const std::string_view close = m_open == Basic ? "\"\"\"" : "'''";
    std::size_t end = m_at;
    while (end < m_text.size()) {
        if (m_open == Basic && m_text[end] == '\\') {
            end += 2;
        } else if (m_text.substr(end).starts_with(close)) {
            m_open = None;
            return put(end + 3, TomlStyler::Text);
        } else {
            ++end;
        }
    }
    put(m_text.size(), TomlStyler::Text);
}

void LineScanner::quotedText(TomlStyler::Style style) {
    const char quote = m_text[m_at];
    if (starts(quote == '"' ? "\"\"\"" : "'''")) {
        m_open = quote == '"' ? Basic : Literal;
        put(m_at + 3, style);
        return openText();
    }
    std::size_t end = m_at + 1;
    while (end < m_text.size() && m_text[end] != quote && m_text[end] != '\n' && m_text[end] != '\r')
        end += quote == '"' && m_text[end] == '\\' ? 2U : 1U;
    put(end + 1, style);
}

void LineScanner::header() {
    TomlStyler::Style style = TomlStyler::HeaderType;
    while (m_at < m_text.size()) {
        const char c = m_text[m_at];
        if (c == '#')
            return put(m_text.size(), TomlStyler::Comment);
        if (c == '"' || c == '\'') {
            quotedText(style);
        } else if (isBare(c)) {
            std::size_t end = m_at;
            while (end < m_text.size() && isBare(m_text[end]))
                ++end;
            put(end, style);
        } else {
            if (c == '.')
                style = TomlStyler::HeaderPart;
            put(m_at + 1, c == '[' || c == ']' || c == '.' ? TomlStyler::Punctuation : TomlStyler::Plain);
        }
    }
}

void LineScanner::word() {
    std::size_t end = m_at;
    const bool number = m_inValue
                        && (std::isdigit(static_cast<unsigned char>(m_text[m_at])) != 0 || m_text[m_at] == '-'
                            || m_text[m_at] == '+');
    while (end < m_text.size()
           && (isBare(m_text[end]) || (m_inValue && (m_text[end] == '.' || m_text[end] == ':'))))
        ++end;
    const std::string_view word = m_text.substr(m_at, end - m_at);
    // In an inline table a word before an equals sign is a key.
    const std::size_t next = m_text.find_first_not_of(" \t", end);
    if (!m_inValue || (m_depth > 0 && next != std::string_view::npos && m_text[next] == '='))
        return put(end, TomlStyler::Key);
    if (word == "true" || word == "false")
        return put(end, TomlStyler::Boolean);
    put(end, number || word == "inf" || word == "nan" ? TomlStyler::Number : TomlStyler::Plain);
}

int LineScanner::run() {
    m_inValue = m_depth > 0 || m_open != None;
    if (m_open != None)
        openText();
    const std::size_t first = m_text.find_first_not_of(" \t", m_at);
    // A header at the start of a line ends whatever was left open, so that one missing bracket does not grey
    // the file: a line "[Name" inside a list of lists is distinguished by what a header may hold.
    if (m_open == None && m_at == 0 && first != std::string_view::npos && m_text[first] == '[') {
        const char after = first + 1 < m_text.size() ? m_text[first + 1] : ' ';
        const bool named = (after >= 'A' && after <= 'Z') || (after >= 'a' && after <= 'z') || after == '_';
        if (m_depth == 0 || named
            || (after == '[' && first + 2 < m_text.size()
                && std::isalpha(static_cast<unsigned char>(m_text[first + 2])) != 0)) {
            m_depth = 0;
            put(first, TomlStyler::Plain);
            header();
            return 0;
        }
    }
    while (m_at < m_text.size()) {
        const char c = m_text[m_at];
        if (c == '#') {
            put(m_text.size(), TomlStyler::Comment);
        } else if (c == '"' || c == '\'') {
            quotedText(m_inValue ? TomlStyler::Text : TomlStyler::Key);
        } else if (isBare(c)) {
            word();
        } else {
            if (c == '=')
                m_inValue = true;
            if ((c == '[' || c == '{') && m_inValue)
                m_depth = std::min(m_depth + 1, MaxDepth);
            if ((c == ']' || c == '}') && m_depth > 0)
                --m_depth;
            const bool sign = std::string_view("=[]{},.").find(c) != std::string_view::npos;
            put(m_at + 1, sign ? TomlStyler::Punctuation : TomlStyler::Plain);
        }
    }
    return m_open | (m_depth << DepthShift);
}

} // namespace

TomlStyler::TomlStyler(const Theme& theme, QsciScintilla& view)
    : QObject(&view), m_theme(theme), m_view(view) {
    view.SendScintilla(Base::SCI_SETLEXER, static_cast<unsigned long>(Base::SCLEX_CONTAINER));
    connect(&view, &Base::SCN_STYLENEEDED, this, &TomlStyler::style);
    connect(&theme, &Theme::changed, this, &TomlStyler::applyTheme);
    applyTheme();
}

void TomlStyler::applyTheme() {
    const QFont font = m_theme.font(FontRole::Mono);
    const QFont strong = m_theme.strongFont(FontRole::Mono);
    const double points = QFontInfo(font).pointSizeF();
    const auto define = [&](int style, const QColor& ink, bool bold = false) {
        const auto at = static_cast<unsigned long>(style);
        m_view.SendScintilla(Base::SCI_STYLESETFONT, at, font.family().toUtf8().constData());
        m_view.SendScintilla(Base::SCI_STYLESETSIZEFRACTIONAL, at,
                             static_cast<long>(points * double{Base::SC_FONT_SIZE_MULTIPLIER}));
        // QScintilla takes a negative weight for one of Qt's.
        m_view.SendScintilla(Base::SCI_STYLESETWEIGHT, at,
                             -static_cast<long>(bold ? strong.weight() : font.weight()));
        m_view.SendScintilla(Base::SCI_STYLESETFORE, at, ink);
        m_view.SendScintilla(Base::SCI_STYLESETBACK, at, m_theme.color(Token::Surface));
    };
    const auto data = [&](Hue hue) { return m_theme.readable(m_theme.hue(hue)); };
    const QColor muted = m_theme.color(Token::Muted);
    define(Base::STYLE_DEFAULT, m_theme.color(Token::Text));
    define(Base::STYLE_LINENUMBER, m_theme.color(Token::Disabled));
    define(Base::STYLE_BRACELIGHT, m_theme.color(Token::Text), true);
    define(Base::STYLE_BRACEBAD, m_theme.color(Token::Error), true);
    m_view.SendScintilla(Base::SCI_STYLESETBACK, static_cast<unsigned long>(Base::STYLE_BRACELIGHT),
                         m_theme.color(Token::SelectionInactive));
    define(Plain, m_theme.color(Token::Text));
    define(Comment, muted);
    define(HeaderType, data(Hue::ReddishPurple), true);
    define(HeaderPart, data(Hue::ReddishPurple), true);
    define(Key, m_theme.color(Token::Text));
    define(Text, data(Hue::BluishGreen));
    define(Number, data(Hue::SkyBlue));
    define(Boolean, data(Hue::Orange));
    define(Punctuation, muted);
}

int TomlStyler::styleLine(const char* text, int length, int state, char* styles) {
    return LineScanner({text, static_cast<std::size_t>(length)}, state, styles).run();
}

void TomlStyler::style(int end) {
    const auto send = [this](unsigned int message, long w = 0, long l = 0) {
        return m_view.SendScintilla(message, static_cast<unsigned long>(w), l);
    };
    const long first = send(Base::SCI_LINEFROMPOSITION, send(Base::SCI_GETENDSTYLED));
    const long last = send(Base::SCI_LINEFROMPOSITION, end);
    const long begin = send(Base::SCI_POSITIONFROMLINE, first);
    const long stop = last + 1 < send(Base::SCI_GETLINECOUNT) ? send(Base::SCI_POSITIONFROMLINE, last + 1)
                                                              : send(Base::SCI_GETLENGTH);
    if (stop <= begin)
        return;
    const auto* bytes =
        static_cast<const char*>(m_view.SendScintillaPtrResult(Base::SCI_GETCHARACTERPOINTER));
    const std::string text(bytes + begin, bytes + stop);
    std::string styles(text.size(), static_cast<char>(Plain));
    int state = first > 0 ? static_cast<int>(send(Base::SCI_GETLINESTATE, first - 1)) : 0;
    std::size_t at = 0;
    for (long line = first; line <= last; ++line) {
        const std::size_t next =
            line < last ? static_cast<std::size_t>(send(Base::SCI_POSITIONFROMLINE, line + 1) - begin)
                        : text.size();
        state = styleLine(text.data() + at, static_cast<int>(next - at), state, styles.data() + at);
        send(Base::SCI_SETLINESTATE, line, state);
        at = next;
    }
    send(Base::SCI_STARTSTYLING, begin);
    m_view.SendScintilla(Base::SCI_SETSTYLINGEX, styles.size(), styles.data());
    fold(static_cast<int>(first), static_cast<int>(last));
}

// A type folds with its components, a component alone.
void TomlStyler::fold(int firstLine, int lastLine) {
    const auto send = [this](unsigned int message, long w = 0, long l = 0) {
        return m_view.SendScintilla(message, static_cast<unsigned long>(w), l);
    };
    long inside = Base::SC_FOLDLEVELBASE;
    if (firstLine > 0) {
        const long before = send(Base::SCI_GETFOLDLEVEL, firstLine - 1);
        inside =
            (before & Base::SC_FOLDLEVELNUMBERMASK) + ((before & Base::SC_FOLDLEVELHEADERFLAG) != 0 ? 1 : 0);
    }
    for (long line = firstLine; line <= lastLine; ++line) {
        const long begin = send(Base::SCI_POSITIONFROMLINE, line);
        const long end = send(Base::SCI_GETLINEENDPOSITION, line);
        long level = inside;
        bool header = false;
        bool part = false;
        bool blank = true;
        for (long at = begin; at < end; ++at) {
            const long style = send(Base::SCI_GETSTYLEAT, at);
            const long c = send(Base::SCI_GETCHARAT, at);
            blank = blank && (c == ' ' || c == '\t');
            header = header || style == HeaderType;
            part = part || style == HeaderPart;
            if (part || style == Key || style == Comment)
                break;
        }
        if (header) {
            level = Base::SC_FOLDLEVELBASE + (part ? 1 : 0);
            inside = level + 1;
            level |= Base::SC_FOLDLEVELHEADERFLAG;
        } else if (blank) {
            level |= Base::SC_FOLDLEVELWHITEFLAG;
        }
        if (send(Base::SCI_GETFOLDLEVEL, line) != level)
            send(Base::SCI_SETFOLDLEVEL, line, level);
    }
}

} // namespace sbx::ui

#include "moc_toml_styler.cpp"
