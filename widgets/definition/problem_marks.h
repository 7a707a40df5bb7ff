#pragma once
// Draws what ProjectModel found wrong into the shown text: squiggles under the place, marks in the margin,
// and knows the fix. Regions are lines and byte columns; they become positions here, once per parse. Window
// thread; the panel owns it.

#include <QObject>
#include <QTimer>

#include "engine/core/diagnostic.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sbx::ui {

class CodeView;
class Document;
class ProjectModel;
class TextBinding;
class Theme;

// Offsets in the document's text of the shown file.
struct ProblemMark {
    Diagnostic problem;
    std::size_t begin = 0;
    std::size_t end = 0;
};

struct QuickFix {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::string with;
    QString title; // "Change to `Body`"
};

class ProblemMarks : public QObject {
    Q_OBJECT

public:
    // Scintilla's numbers, for tests.
    enum Indicator { ErrorIndicator = 8, WarningIndicator = 9, NoteIndicator = 10 };
    enum Marker { ErrorMarker = 0, WarningMarker = 1, NoteMarker = 2 };

    ProblemMarks(const Theme& theme, Document& document, ProjectModel& project, TextBinding& binding,
                 CodeView& view, QObject* parent = nullptr);

    // Of the shown file, for the text as it is now.
    [[nodiscard]] const std::vector<ProblemMark>& marks();
    // Those at an offset; none there: those of its line, if `wholeLine`.
    [[nodiscard]] std::vector<ProblemMark> at(std::size_t offset, bool wholeLine);
    [[nodiscard]] std::optional<QuickFix> fixFor(const ProblemMark& mark) const;
    // What, what was expected, and the fix; rich text.
    [[nodiscard]] QString describe(const ProblemMark& mark) const;

private:
    void define();
    void refresh();

    const Theme& m_theme;
    Document& m_document;
    ProjectModel& m_project;
    TextBinding& m_binding;
    CodeView& m_view;
    std::vector<ProblemMark> m_marks;
    std::uint64_t m_revision = 0;
    QTimer m_timer;
};

} // namespace sbx::ui
