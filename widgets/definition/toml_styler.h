#pragma once
// Colours and folds TOML in a Scintilla view: comments, headers, keys, texts, numbers, booleans, in the
// theme's tokens.
//
// Scintilla asks for styles from some line on; what a line must know of those before it (an open multi-line
// text, open brackets) is kept as its line state, so only what changed is styled again. Independent of
// engine/definition on purpose: it must colour every keystroke in constant time, whatever the state of the
// text. GUI thread; the view owns it.

#include <QObject>

class QsciScintilla;

namespace sbx::ui {

class Theme;

class TomlStyler : public QObject {
    Q_OBJECT

public:
    enum Style {
        Plain,
        Comment,
        HeaderType,
        HeaderPart,
        Key,
        Text,
        Number,
        Boolean,
        Punctuation,
        StyleCount
    };

    // Takes over styling of the view and follows the theme.
    TomlStyler(const Theme& theme, QsciScintilla& view);

private:
    void applyTheme();
    void style(int end);
    // Styles one line; `state` of the line before comes in, its own goes out.
    [[nodiscard]] static int styleLine(const char* text, int length, int state, char* styles);
    void fold(int firstLine, int lastLine);

    const Theme& m_theme;
    QsciScintilla& m_view;
};

} // namespace sbx::ui
