#pragma once
// Helps while writing: completes, explains under the pointer, and finds where a name is defined. What is
// valid comes from the session's schema and the last good definitions; where the caret stands, from
// engine/definition/lookup. GUI thread; the panel owns it.

#include <QObject>
#include <QPointer>

#include "widgets/definition/text_completion.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace sbx::ui {

class CodeView;
class Document;
class ProblemMarks;
class ProjectModel;
class SessionFeed;
class TextBinding;

// A place in one of the document's files; line and column count from 1.
struct TextTarget {
    std::string file;
    int line = 0;
    int column = 0;
};

class TextAssist : public QObject {
    Q_OBJECT

public:
    TextAssist(const Theme& theme, Document& document, ProjectModel& project, SessionFeed& feed,
               TextBinding& binding, CodeView& view, ProblemMarks& marks, QObject* parent = nullptr);
    ~TextAssist() override;

    // Shows what may stand at the caret, or nothing if nothing may.
    void complete();
    [[nodiscard]] TextCompletion& completion() { return *m_popup; }
    // Problems and meaning at an offset, as rich text; empty: nothing to say.
    [[nodiscard]] QString explain(std::size_t offset);
    // Where the type, component or entity named at an offset is defined.
    [[nodiscard]] std::optional<TextTarget> definitionAt(std::size_t offset) const;
    // Where a type (or one of its components) stands in the definition files.
    [[nodiscard]] std::optional<TextTarget> findType(const std::string& type,
                                                     const std::string& component = {}) const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    [[nodiscard]] const definition::Definitions& definitions() const;
    void typed(int character);
    void update(bool asked);
    void accept(int row);
    bool takeKey(int key);
    // The list was computed for the text and the caret as they are now.
    [[nodiscard]] bool isFresh() const;
    // What is typed is one of the candidates, and no other was chosen.
    [[nodiscard]] bool isWritten() const;

    Document& m_document;
    ProjectModel& m_project;
    SessionFeed& m_feed;
    TextBinding& m_binding;
    CodeView& m_view;
    ProblemMarks& m_marks;
    QPointer<TextCompletion> m_popup; // a child of the window once shown
    definition::Definitions m_none;   // before a project is open
    std::size_t m_wordBegin = 0;
    std::uint64_t m_revision = 0; // of the document, that the list is for
    std::size_t m_caret = 0;      // in the text, that the list is for
    std::string m_typed;          // of the word, before that caret
    bool m_stepped = false;       // another row than the first was chosen by key
    bool m_asked = false;
    bool m_accepting = false;
};

} // namespace sbx::ui
