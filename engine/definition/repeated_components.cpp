#include "engine/definition/repeated_components.h"

#include "engine/definition/scene_editor.h"
#include "engine/definition/text_changes.h"

#include <optional>
#include <string>

namespace sbx::definition {

namespace {

using Kind = SyntaxStatement::Kind;

// The section of that component, or why there is none.
Result<std::size_t> repeatedSection(const SyntaxTree& tree, std::string_view type, std::string_view component, std::size_t number) {
    const SyntaxUnit* unit = tree.table(type);
    if (unit == nullptr)
        return unknownType(tree, type);
    const std::vector<std::size_t> sections = tree.sectionsAt(*unit, {std::string(component)});
    if (number >= sections.size())
        return Error{std::string(type) + " has no " + std::string(component) + " number " + std::to_string(number + 1)
                         + " as a table of its own; edit the text",
                     {},
                     {}};
    return sections[number];
}

std::optional<std::size_t> keyIn(const SyntaxTree& tree, const SyntaxSection& section, std::string_view key) {
    for (std::size_t i = section.first; i < section.last; ++i) {
        const SyntaxStatement& s = tree.statement(i);
        if (s.kind == Kind::KeyValue && s.path.size() == 1 && s.path.front().name == key)
            return i;
    }
    return std::nullopt;
}

} // namespace

Result<TextEdits> setRepeatedValue(std::string_view definitions, std::string_view type, std::string_view component, std::size_t number,
                                   std::string_view key, std::string_view value) {
    if (std::string wrong = valueFault(value); !wrong.empty())
        return Error{std::move(wrong), {}, {}};
    const SyntaxTree tree(definitions);
    const Result<std::size_t> at = repeatedSection(tree, type, component, number);
    if (!at)
        return at.error();
    const SyntaxSection& section = tree.sections()[*at];
    TextChanges changes(tree);
    if (const auto place = keyIn(tree, section, key)) {
        changes.replace(tree.statement(*place).value, value);
        return changes.finish();
    }
    // Behind its last key, as that is indented.
    std::size_t last = section.first;
    for (std::size_t i = section.first; i < section.last; ++i)
        if (tree.statement(i).kind == Kind::KeyValue || tree.statement(i).kind == Kind::Broken)
            last = i;
    const SyntaxStatement& before = tree.statement(last);
    const std::string line = std::string(definitions.substr(before.lines.begin, before.text.begin - before.lines.begin)) + tomlKey(key)
                             + " = " + std::string(value);
    const std::size_t end = before.lines.end;
    const bool open = end == definitions.size() && !definitions.ends_with('\n'); // the text ends without a line end, and goes on so
    changes.replace({end, end}, open ? changes.lineEnd() + line : line + changes.lineEnd());
    return changes.finish();
}

Result<TextEdits> removeRepeatedValue(std::string_view definitions, std::string_view type, std::string_view component, std::size_t number,
                                      std::string_view key) {
    const SyntaxTree tree(definitions);
    const Result<std::size_t> at = repeatedSection(tree, type, component, number);
    if (!at)
        return at.error();
    TextChanges changes(tree);
    if (const auto place = keyIn(tree, tree.sections()[*at], key))
        changes.replace(tree.statement(*place).lines, {});
    return changes.finish();
}

} // namespace sbx::definition
