#include "engine/definition/type_moves.h"

#include "engine/core/value.h"
#include "engine/definition/checks.h"
#include "engine/definition/scene_editor.h"
#include "engine/definition/toml_document.h"

#include <algorithm>
#include <set>
#include <unordered_set>
#include <utility>

namespace sbx::definition {

namespace {

using Kind = SyntaxStatement::Kind;

Error typeFault(std::string what) { return Error{std::move(what), {}, {}}; }

std::optional<Error> typeNameFault(std::string_view name) {
    if (isTypeName(name))
        return std::nullopt;
    return typeFault(inQuotes(name)
                     + " cannot name an entity type; expected a letter, then letters, digits, _ or -");
}

struct TypeBlock {
    std::size_t begin = 0; // statements [begin, end), comments above included
    std::size_t end = 0;
};

// The lines of a unit, if they follow each other.
Result<TypeBlock> blockOf(const SyntaxTree& tree, const SyntaxUnit& unit) {
    for (std::size_t i = 1; i < unit.sections.size(); ++i)
        if (unit.sections[i] != unit.sections[i - 1] + 1)
            return typeFault("the tables of " + unit.name + " do not stand together; edit the text");
    return TypeBlock{tree.leadOf(tree.sections()[unit.sections.front()]),
                     tree.ownEnd(tree.sections()[unit.sections.back()])};
}

bool isType(const SyntaxUnit& unit) { return !unit.element && !unit.name.empty(); }

// The place of the type's own name in each of its headers.
template <typename Visit>
void eachHeader(const SyntaxTree& tree, const SyntaxUnit& unit, const Visit& visit) {
    for (const std::size_t index : unit.sections)
        if (tree.sections()[index].hasHeader)
            visit(tree.statement(tree.sections()[index].first).path.front().span);
}

// Every key of a type or an instance, `visit(component, key, value)`; component "" for its own keys.
template <typename Visit> void eachKey(const SyntaxTree& tree, const SyntaxUnit& unit, const Visit& visit) {
    for (const std::size_t index : unit.sections) {
        const SyntaxSection& section = tree.sections()[index];
        const std::vector<std::string> path = tree.pathOf(section);
        for (std::size_t i = section.first; i < section.last; ++i) {
            const SyntaxStatement& s = tree.statement(i);
            if (s.kind != Kind::KeyValue || s.value.empty())
                continue;
            std::vector<std::string> full = path;
            for (const SyntaxKey& key : s.path)
                full.push_back(key.name);
            if (full.size() == 1 && tree.text()[s.value.begin] == '{') {
                for (const SyntaxEntry& entry : scanInlineTable(tree.text(), s.value))
                    if (entry.path.size() == 1)
                        visit(full.front(), entry.path.front().name, entry.value);
            } else if (full.size() <= 2) {
                visit(full.size() == 2 ? full.front() : std::string(), full.back(), s.value);
            }
        }
    }
}

// The settings of components that name an entity type, as "Spawner.spawns".
std::set<std::string> typeSettings(const Schema& schema) {
    std::set<std::string> out;
    for (const ComponentSchema& component : schema.components())
        if (component.settings != nullptr)
            for (const FieldInfo& field : *component.settings)
                if (field.role == TextRole::EntityType)
                    out.insert(component.name + "." + field.name);
    return out;
}

void replaceNames(const SyntaxTree& tree, const SyntaxUnit& unit, TextChanges& changes, std::string_view name,
                  std::string_view newName, const std::set<std::string>& settings) {
    eachKey(tree, unit, [&](const std::string& component, const std::string& key, const TextSpan& value) {
        const bool names =
            component.empty() ? !unit.element && key == "extends" : settings.contains(component + "." + key);
        if (names && unquoteToml(value.of(tree.text())) == name)
            changes.replace(value, inQuotes(newName));
    });
}

// The lines with another type's name in the headers.
Result<std::string> renamedText(const std::string& text, std::string_view type, std::string_view newName) {
    const SyntaxTree tree(text);
    TextChanges changes(tree);
    if (const SyntaxUnit* unit = tree.table(type))
        eachHeader(tree, *unit, [&](const TextSpan& name) { changes.replace(name, tomlKey(newName)); });
    return applyEdits(text, changes.finish());
}

void insertBefore(const SyntaxTree& tree, TextChanges& changes, const TypeBlock& next,
                  const std::vector<std::string>& lines) {
    std::string inserted;
    for (const std::string& line : lines)
        inserted += line + changes.lineEnd();
    // A blank line parts types.
    inserted += changes.lineEnd();
    const std::size_t at = tree.statement(next.begin).lines.begin;
    changes.replace({at, at}, inserted);
}

} // namespace

std::vector<std::string> typesOf(std::string_view definitions) {
    const SyntaxTree tree(definitions);
    std::vector<std::string> out;
    for (const SyntaxUnit& unit : tree.units())
        if (isType(unit))
            out.push_back(unit.name);
    return out;
}

Result<TextEdits> moveType(std::string_view definitions, std::string_view type,
                           const std::optional<std::string>& before) {
    const SyntaxTree tree(definitions);
    const SyntaxUnit* unit = tree.table(type);
    if (unit == nullptr)
        return unknownType(tree, type);
    std::vector<const SyntaxUnit*> order;
    for (const SyntaxUnit& each : tree.units())
        if (isType(each))
            order.push_back(&each);
    const auto from = static_cast<std::size_t>(std::find(order.begin(), order.end(), unit) - order.begin());
    std::size_t to = order.size();
    if (before) {
        const SyntaxUnit* next = tree.table(*before);
        if (next == nullptr)
            return unknownType(tree, *before);
        to = static_cast<std::size_t>(std::find(order.begin(), order.end(), next) - order.begin());
    }
    if (to == from || to == from + 1)
        return TextEdits{};
    const Result<TypeBlock> block = blockOf(tree, *unit);
    if (!block)
        return block.error();
    const Result<TypeBlock> other = blockOf(tree, *order[to > from ? to - 1 : to]);
    if (!other)
        return other.error();
    TextChanges changes(tree);
    changes.moveStatements(block->begin, block->end, other->begin, other->end);
    return changes.finish();
}

Result<std::string> typeText(std::string_view definitions, std::string_view type) {
    const SyntaxTree tree(definitions);
    const SyntaxUnit* unit = tree.table(type);
    if (unit == nullptr)
        return unknownType(tree, type);
    // Tables that do not stand together come out one after the other.
    std::string out = TextChanges(tree).textOf(*unit);
    const SyntaxSection& first = tree.sections()[unit->sections.front()];
    const std::size_t lead = tree.leadOf(first);
    if (lead < first.first) {
        const std::size_t begin = tree.statement(lead).lines.begin;
        out = std::string(definitions.substr(begin, tree.statement(first.first).lines.begin - begin)) + out;
    }
    return out;
}

Result<TextEdits> removeType(std::string_view definitions, std::string_view type) {
    const SyntaxTree tree(definitions);
    const SyntaxUnit* unit = tree.table(type);
    if (unit == nullptr)
        return unknownType(tree, type);
    TextChanges changes(tree);
    changes.removeUnits({static_cast<std::size_t>(unit - tree.units().data())});
    return changes.finish();
}

Result<TextEdits> duplicateType(std::string_view definitions, std::string_view type,
                                std::string_view newName) {
    if (const std::optional<Error> fault = typeNameFault(newName))
        return *fault;
    const SyntaxTree tree(definitions);
    const SyntaxUnit* unit = tree.table(type);
    if (unit == nullptr)
        return unknownType(tree, type);
    if (tree.table(newName) != nullptr)
        return typeFault("there is an entity type " + std::string(newName) + " already");
    if (const Result<TypeBlock> block = blockOf(tree, *unit); !block)
        return block.error();
    const Result<std::string> text = typeText(definitions, type);
    const Result<std::string> copy = text ? renamedText(*text, type, newName) : text;
    if (!copy)
        return copy.error();
    TextChanges changes(tree);
    changes.insertAfter(*unit, *copy);
    return changes.finish();
}

Result<PastedTypes> pasteTypes(std::string_view definitions, std::string_view text,
                               const std::vector<std::string>& taken,
                               const std::optional<std::string>& before) {
    if (const std::optional<Diagnostic> fault = lengthFault(text, {}))
        return typeFault("the text is too long: " + fault->message());
    const SyntaxTree clip(text);
    const LineIndex lines(text);
    const auto at = [&](const SyntaxStatement& s, const std::string& what) {
        return typeFault("line " + std::to_string(lines.region(s.text).line) + ": " + what
                         + "; expected tables of entity types, such as [Crate]");
    };
    for (const SyntaxUnit& unit : clip.units())
        for (const std::size_t index : unit.sections)
            for (std::size_t i = clip.sections()[index].first; i < clip.sections()[index].last; ++i) {
                const SyntaxStatement& s = clip.statement(i);
                if (s.isHeader() && unit.element)
                    return at(s, "[[" + unit.name + "]] is no entity type");
                if (s.isHeader())
                    if (const std::optional<Error> fault = typeNameFault(unit.name))
                        return at(s, fault->message);
                if (s.kind == Kind::KeyValue && unit.name.empty())
                    return at(s, "this key stands outside of a type");
            }
    Diagnostics sink;
    static_cast<void>(TomlDocument::parse(text, {}, sink));
    sink.sort();
    if (!sink.items.empty())
        return typeFault("line " + std::to_string(sink.items.front().region.line) + ": "
                         + sink.items.front().message());

    PastedTypes out;
    std::vector<std::string> names = taken;
    for (const std::string& own : typesOf(definitions))
        names.push_back(own);
    std::unordered_set<std::string> used(names.begin(), names.end());
    std::string renamed(text);
    for (const SyntaxUnit& unit : clip.units()) {
        if (!isType(unit))
            continue;
        std::string name = unit.name;
        for (int number = 2; used.contains(name); ++number)
            name = unit.name + "_" + std::to_string(number);
        used.insert(name);
        out.names.push_back(name);
    }
    if (out.names.empty())
        return typeFault("there are no entity types in it; expected tables such as [Crate]");
    {
        // One pass: a new name may be the old one of another type of the text.
        TextChanges changes(clip);
        std::size_t next = 0;
        for (const SyntaxUnit& unit : clip.units()) {
            if (!isType(unit))
                continue;
            const std::string& name = out.names[next++];
            if (name == unit.name)
                continue;
            eachHeader(clip, unit, [&](const TextSpan& span) { changes.replace(span, tomlKey(name)); });
            for (const SyntaxUnit& other : clip.units())
                if (isType(other))
                    replaceNames(clip, other, changes, unit.name, name, {});
        }
        Result<std::string> done = applyEdits(text, changes.finish());
        if (!done)
            return done.error();
        renamed = std::move(*done);
    }

    std::vector<std::string> added = textLines(renamed);
    while (!added.empty() && added.back().empty())
        added.pop_back();
    const auto first =
        std::find_if(added.begin(), added.end(), [](const std::string& line) { return !line.empty(); });
    added.erase(added.begin(), first);
    const SyntaxTree tree(definitions);
    TextChanges changes(tree);
    const SyntaxUnit* next = before ? tree.table(*before) : nullptr;
    if (before && next == nullptr)
        return unknownType(tree, *before);
    if (next == nullptr) {
        changes.append(added);
    } else {
        const Result<TypeBlock> block = blockOf(tree, *next);
        if (!block)
            return block.error();
        insertBefore(tree, changes, *block, added);
    }
    out.edits = changes.finish();
    return out;
}

Result<TextEdits> renameType(std::string_view definitions, std::string_view type, std::string_view newName,
                             const Schema& schema) {
    if (const std::optional<Error> fault = typeNameFault(newName))
        return *fault;
    if (type == newName)
        return TextEdits{};
    const SyntaxTree tree(definitions);
    if (tree.table(newName) != nullptr)
        return typeFault("there is an entity type " + std::string(newName) + " already");
    const std::set<std::string> settings = typeSettings(schema);
    TextChanges changes(tree);
    for (const SyntaxUnit& unit : tree.units()) {
        if (!isType(unit))
            continue;
        if (unit.name == type)
            eachHeader(tree, unit, [&](const TextSpan& name) { changes.replace(name, tomlKey(newName)); });
        replaceNames(tree, unit, changes, type, newName, settings);
    }
    return changes.finish();
}

Result<TextEdits> renameTypeInScene(std::string_view scene, std::string_view type, std::string_view newName,
                                    const Schema& schema) {
    if (const std::optional<Error> fault = typeNameFault(newName))
        return *fault;
    if (type == newName)
        return TextEdits{};
    SceneEditor editor(scene);
    const std::set<std::string> settings = typeSettings(schema);
    std::vector<SceneUnit> after = editor.units();
    bool any = false;
    for (SceneUnit& unit : after) {
        replaceNames(editor.tree, editor.syntax(unit), editor.changes, type, newName, settings);
        if (unit.type != type)
            continue;
        unit.type = newName;
        editor.setKey(unit, "type", inQuotes(newName));
        any = true;
    }
    if (any)
        editor.keepNames(std::move(after));
    return editor.changes.finish();
}

} // namespace sbx::definition
