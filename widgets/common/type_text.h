#pragma once
// Where entity types are declared, for edits of their declarations. No widgets; GUI thread.

#include "engine/core/result.h"
#include "engine/definition/definitions.h"
#include "engine/definition/text_edit.h"

#include <string>
#include <string_view>
#include <vector>

namespace sbx::ui {

class Document;
class ProjectModel;

// Two sets of edits of one text as one, the second made by `then` of the text after the first.
template <typename Then> Result<definition::TextEdits> thenEdit(std::string_view text,
                                                                Result<definition::TextEdits> first,
                                                                const Then& then) {
    if (!first)
        return first;
    const Result<std::string> between = definition::applyEdits(text, *first);
    if (!between)
        return between.error();
    Result<definition::TextEdits> second = then(*between);
    if (!second)
        return second;
    return definition::composed(std::move(*first), std::move(*second));
}

struct TypeText {
    std::string file; // as the document calls it
    std::string
        declaration; // of a built-in type: its lines, which the file does not have yet; otherwise empty
};
// The file in which the type can be changed: the one that declares it, or for a built-in type the project's first definition file.
[[nodiscard]] Result<TypeText> typeText(const Document& document, const ProjectModel& project,
                                        const std::string& type);
// Puts a built-in type's lines into the text of that file, unless they stand there; of other types no edits.
[[nodiscard]] Result<definition::TextEdits> declareType(std::string_view text, const std::string& type,
                                                        const TypeText& where);

// Whether a type is another or extends it, by however many steps.
[[nodiscard]] bool isOrExtends(const definition::Definitions& definitions, const std::string& type,
                               const std::string& base);
// How many instances of the scene a change of the types reaches: their own and those of types that extend them, each once.
[[nodiscard]] std::size_t instancesOf(const ProjectModel& project, const std::vector<std::string>& types);

// A type name that the project does not have: the wanted one, or with a number, "Crate_2".
[[nodiscard]] std::string freeTypeName(const ProjectModel& project, const std::string& wanted);

} // namespace sbx::ui
