#pragma once
// Joins the text view to one file of the document at a time, both ways.
//
// Data flow: what is typed -> CodeView::modified -> Document::edit, merged into one undo step per run of
// typing; what anyone else changes -> Document::textChanged -> the same bytes in the view, caret and scroll
// held; a caret that was in sight stays in sight. The document's text is the truth; the view's is a copy. A byte order mark stays out of the view, so
// positions differ by its length: offsets of this class count in the document's text. Places (caret, scroll)
// of files not shown are kept and follow edits. GUI thread; the panel owns it.

#include <QElapsedTimer>
#include <QObject>

#include "widgets/common/document.h"

#include <chrono>
#include <map>
#include <string>

namespace sbx::ui {

class CodeView;

class TextBinding : public QObject {
    Q_OBJECT

public:
    TextBinding(Document& document, CodeView& view, QObject* parent = nullptr);

    // Empty: none.
    [[nodiscard]] const std::string& file() const { return m_file; }
    // Shows another file where it was left. Must be one of the document's, or empty.
    void show(const std::string& file);
    [[nodiscard]] const std::string& text() const { return m_document.text(m_file); }

    [[nodiscard]] std::size_t caret() const;
    void setCaret(std::size_t offset);
    void select(std::size_t begin, std::size_t end);
    void reveal(std::size_t offset);
    [[nodiscard]] std::size_t toView(std::size_t offset) const {
        return offset > m_base ? offset - m_base : 0;
    }
    [[nodiscard]] std::size_t toText(std::size_t position) const { return position + m_base; }

    // A change of ours that was not typed (a completion, a fix): one undo step, caret behind what came in.
    Result<void> replace(std::size_t begin, std::size_t end, const std::string& with, const QString& label);
    // Typing that pauses for so long begins another undo step.
    void setTypingPause(std::chrono::milliseconds pause) { m_pause = pause; }
    // Undo from inside the text shows what it changed, in whichever file.
    void undo();
    void redo();

signals:
    void fileChanged();
    // The shown text changed, for any reason.
    void textChanged();
    // What was typed, pasted or put in by replace() was refused, for this reason; the text is shown as it was.
    void refused(const QString& reason);

private:
    struct Place {
        std::size_t anchor = 0;
        std::size_t caret = 0;
        std::size_t top = 0; // start of the first line in sight
        bool inSight = true; // so was the caret
    };

    void takeTyped(std::size_t position, std::size_t removed, const QByteArray& inserted);
    void endRun();
    void take(const std::string& file, const std::vector<TextEdit>& edits);
    void reload();
    [[nodiscard]] Place place() const;
    void setPlace(const Place& place);
    void step(bool back);

    Document& m_document;
    CodeView& m_view;
    std::string m_file;
    std::size_t m_base = 0; // bytes of the order mark
    std::map<std::string, Place> m_places;
    // The run of typing that the next edit may join.
    std::chrono::milliseconds m_pause{1000};
    QElapsedTimer m_lastTyped;
    std::size_t m_runEnd = 0;
    bool m_runOpen = false;
    bool m_runDeletes = false;
    bool m_newCommand = true;
    bool m_sending = false;
    bool m_followStep = false;
    std::string m_stepFile;
    std::size_t m_stepEnd = 0;
};

} // namespace sbx::ui
