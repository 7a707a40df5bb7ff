#pragma once
// The text editor widget: QScintilla dressed in the theme, speaking bytes, without an undo of its own.
//
// It knows nothing of documents: what the user changes comes out as modified(), what others change comes in
// through replaceBytes(). Undo and redo keys come out as signals. Positions are bytes of the shown text.
// GUI thread.

#include <QPoint>
#include <Qsci/qsciscintilla.h>

#include <cstddef>
#include <string_view>

namespace sbx::ui {

class Theme;

class CodeView : public QsciScintilla {
    Q_OBJECT

public:
    enum Margin { MarksAt, NumbersAt, FoldsAt };

    explicit CodeView(const Theme& theme, QWidget* parent = nullptr);

    // The bytes now; valid until the next change.
    [[nodiscard]] std::string_view bytes() const;
    [[nodiscard]] std::size_t length() const; // in bytes
    // Another text: caret at the start, no signal.
    void setBytes(std::string_view text);
    // Moves neither caret nor view; no signal.
    void replaceBytes(std::size_t begin, std::size_t end, std::string_view with);
    // While it lives, Scintilla does not notify anybody of modifications, which is most of what a small replacement costs. For
    // replacements that change no number of lines, since the margin follows those by such a notification.
    class Silence {
    public:
        explicit Silence(CodeView& view) : m_view(view) { m_view.send(SCI_SETMODEVENTMASK, 0); }
        ~Silence() { m_view.send(SCI_SETMODEVENTMASK, SC_MODEVENTMASKALL); }
        Silence(const Silence&) = delete;
        Silence& operator=(const Silence&) = delete;

    private:
        CodeView& m_view;
    };
    // The same as if typed: emits modified().
    void typeBytes(std::size_t begin, std::size_t end, std::string_view with);

    [[nodiscard]] std::size_t caret() const;
    [[nodiscard]] std::size_t anchor() const;
    // Without scrolling.
    void select(std::size_t anchor, std::size_t caret);
    // Scrolls only if the place is out of sight, down or across, and then with some lines or columns around it.
    void reveal(std::size_t position);
    // The place is inside the view, down and across.
    [[nodiscard]] bool isInSight(std::size_t position) const;
    // Scrolls back to the first column if no line in the view reaches to where the view begins: it would look empty.
    void keepTextInSight();
    // First line in sight, as a line of the text from 0.
    [[nodiscard]] int topLine() const;
    void setTopLine(int line);
    [[nodiscard]] int lineOf(std::size_t position) const;
    [[nodiscard]] std::size_t lineStart(int line) const;
    // Without its line end.
    [[nodiscard]] std::size_t lineEnd(int line) const;
    // In viewport pixels; the height is that of a line.
    [[nodiscard]] QRect caretRect(std::size_t position) const;

signals:
    // The user took `removed` bytes away at `offset`, or put `inserted` there. (Without an undo of its own
    // Scintilla does not say which bytes went.)
    void modified(std::size_t offset, std::size_t removed, const QByteArray& inserted);
    // A key, drop or menu command begins: what modified() reports until the next one belongs together.
    void commandStarted();
    void undoRequested();
    void redoRequested();
    void caretMoved();
    void focusLeft();
    // The pointer rests on a position; hoverEnded when it leaves.
    void hovered(std::size_t position, const QPoint& global);
    void hoverEnded();
    // Ctrl+click.
    void followRequested(std::size_t position);
    void menuRequested(std::size_t position, const QPoint& global);

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void inputMethodEvent(QInputMethodEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    long send(unsigned int message, std::size_t w = 0, long l = 0) const {
        return SendScintilla(message, static_cast<unsigned long>(w), l);
    }
    void applyTheme();
    void setUpKeys();
    void fitNumberMargin();
    [[nodiscard]] bool isLineInSight(int line) const;
    // From the start of its line, in pixels, wherever the view is scrolled to.
    [[nodiscard]] long columnX(std::size_t position) const;
    // What the view has for text, across, in pixels.
    [[nodiscard]] long textWidth() const;
    void revealAcross(std::size_t position);
    void takeModification(int position, int type, const char* text, int length);

    const Theme& m_theme;
    bool m_quiet = false; // a change that is not the user's
};

} // namespace sbx::ui
