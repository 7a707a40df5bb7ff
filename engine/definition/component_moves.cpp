#include "engine/definition/component_moves.h"

#include "engine/core/value.h"
#include "engine/definition/checks.h"
#include "engine/definition/scene_editor.h"
#include "engine/definition/text_changes.h"
#include "engine/definition/toml_document.h"

#include <algorithm>
#include <utility>

namespace sbx::definition {

namespace {

using Kind = SyntaxStatement::Kind;

Error moveFault(std::string what) { return Error{std::move(what), {}, {}}; }

struct ComponentBlock {
    ComponentPart part;
    std::size_t begin = 0; // statements [begin, end), comments above included
    std::size_t first = 0; // its header, or the first of its keys
    std::size_t end = 0;
    std::size_t head = 0;    // the section of `first`
    std::size_t section = 0; // the last that belongs to it
    bool together = true;    // its lines follow each other
};

std::vector<ComponentBlock> componentBlocks(const SyntaxTree& tree, const SyntaxUnit& unit) {
    std::vector<ComponentBlock> out;
    const auto last = [&](const std::string& name) {
        const auto it = std::find_if(out.rbegin(), out.rend(),
                                     [&](const ComponentBlock& block) { return block.part.name == name; });
        return it == out.rend() ? nullptr : &*it;
    };
    for (const std::size_t index : unit.sections) {
        const SyntaxSection& section = tree.sections()[index];
        const std::vector<std::string> path = tree.pathOf(section);
        if (!path.empty()) {
            const SyntaxStatement& header = tree.statement(section.first);
            ComponentBlock* const before = path.size() > 1 ? last(path.front()) : nullptr;
            if (before == nullptr) {
                const bool element = path.size() == 1 && header.kind == Kind::ArrayTable;
                out.push_back({{path.front(), true, element},
                               tree.leadOf(section),
                               section.first,
                               tree.ownEnd(section),
                               index,
                               index,
                               true});
                continue;
            }
            before->together = before->together && before->part.table && before->section + 1 == index;
            before->section = index;
            before->end = tree.ownEnd(section);
            continue;
        }
        for (std::size_t i = section.first; i < section.last; ++i) {
            const SyntaxStatement& s = tree.statement(i);
            if (s.kind != Kind::KeyValue || !isPartName(s.path.front().name))
                continue;
            ComponentBlock* const before = last(s.path.front().name);
            if (before != nullptr && !before->part.table) {
                before->together = before->together && before->end == i;
                before->end = i + 1;
                continue;
            }
            std::size_t lead = i;
            while (lead > section.first && tree.statement(lead - 1).kind == Kind::Comment)
                --lead;
            out.push_back({{s.path.front().name, false, false}, lead, i, i + 1, index, index, true});
        }
    }
    std::stable_sort(out.begin(), out.end(),
                     [](const ComponentBlock& a, const ComponentBlock& b) { return a.first < b.first; });
    return out;
}

Error noComponent(std::string_view type, std::size_t at, std::size_t count) {
    return moveFault(std::string(type) + " has no component number " + std::to_string(at + 1)
                     + " in its own text; it has " + std::to_string(count));
}

std::string linesOf(const SyntaxTree& tree, std::size_t begin, std::size_t end) {
    const std::size_t from = tree.statement(begin).lines.begin;
    return std::string(tree.text().substr(from, tree.statement(end - 1).lines.end - from));
}

// `Body.mass = 5` and `Body = { mass = 5 }` as the lines of a table.
Result<std::string> asTable(const SyntaxTree& tree, const ComponentBlock& block, std::string_view type,
                            const std::string& lineEnd) {
    std::string out = "[" + tomlKey(type) + "." + tomlKey(block.part.name) + "]" + lineEnd;
    for (std::size_t i = block.begin; i < block.end; ++i) {
        const SyntaxStatement& s = tree.statement(i);
        if (s.kind == Kind::Comment && i < block.first) {
            // Comments above the first key explain the component.
            out = linesOf(tree, i, i + 1) + out;
        } else if (s.kind != Kind::KeyValue) {
            out += linesOf(tree, i, i + 1);
        } else if (s.path.size() > 1) {
            out += tree.text().substr(s.path[1].span.begin, s.lines.end - s.path[1].span.begin);
        } else if (s.value.empty() || tree.text()[s.value.begin] != '{') {
            return moveFault(block.part.name + " is not a table here; edit the text");
        } else {
            for (const SyntaxEntry& entry : scanInlineTable(tree.text(), s.value))
                out += std::string(entry.whole.of(tree.text())) + lineEnd;
        }
        if (!out.ends_with('\n'))
            out += lineEnd;
    }
    return out;
}

Result<std::string> textOfBlock(const SyntaxTree& tree, const ComponentBlock& block, std::string_view type) {
    if (!block.together)
        return moveFault(block.part.name + " is written in several places here; edit the text");
    const std::string lineEnd = TextChanges(tree).lineEnd();
    if (!block.part.table)
        return asTable(tree, block, type, lineEnd);
    std::string out = linesOf(tree, block.begin, block.end);
    if (!out.ends_with('\n'))
        out += lineEnd;
    return out;
}

} // namespace

std::vector<ComponentPart> componentsOf(std::string_view definitions, std::string_view type) {
    const SyntaxTree tree(definitions);
    std::vector<ComponentPart> out;
    if (const SyntaxUnit* unit = tree.table(type))
        for (ComponentBlock& block : componentBlocks(tree, *unit))
            out.push_back(std::move(block.part));
    return out;
}

Result<TextEdits> moveComponent(std::string_view definitions, std::string_view type, std::size_t from,
                                std::size_t to) {
    const SyntaxTree tree(definitions);
    const SyntaxUnit* unit = tree.table(type);
    if (unit == nullptr)
        return unknownType(tree, type);
    const std::vector<ComponentBlock> blocks = componentBlocks(tree, *unit);
    for (const std::size_t at : {from, to}) {
        if (at >= blocks.size())
            return noComponent(type, at, blocks.size());
        if (!blocks[at].together)
            return moveFault(blocks[at].part.name + " is written in several places here; edit the text");
    }
    if (from == to)
        return TextEdits{};
    const ComponentBlock& block = blocks[from];
    const ComponentBlock& other = blocks[to];
    if (block.part.table != other.part.table || (!block.part.table && block.section != other.section)) {
        const ComponentBlock& inKeys = block.part.table ? other : block;
        return moveFault(inKeys.part.name + " is written among the keys of " + std::string(type)
                         + ", which stand before the tables; edit the text");
    }
    TextChanges changes(tree);
    changes.moveStatements(block.begin, block.end, other.begin, other.end);
    return changes.finish();
}

Result<std::string> componentText(std::string_view definitions, std::string_view type,
                                  std::size_t component) {
    const SyntaxTree tree(definitions);
    const SyntaxUnit* unit = tree.table(type);
    if (unit == nullptr)
        return unknownType(tree, type);
    const std::vector<ComponentBlock> blocks = componentBlocks(tree, *unit);
    if (component >= blocks.size())
        return noComponent(type, component, blocks.size());
    return textOfBlock(tree, blocks[component], type);
}

Result<std::string> componentText(std::string_view definitions, std::string_view type,
                                  std::string_view component) {
    const SyntaxTree tree(definitions);
    const SyntaxUnit* unit = tree.table(type);
    if (unit == nullptr)
        return unknownType(tree, type);
    for (const ComponentBlock& block : componentBlocks(tree, *unit))
        if (block.part.name == component)
            return textOfBlock(tree, block, type);
    return moveFault(std::string(type) + " has no component " + std::string(component) + " of its own");
}

namespace {

Error atLine(const LineIndex& lines, const SyntaxStatement& s, const std::string& what) {
    return moveFault("line " + std::to_string(lines.region(s.text).line) + ": " + what);
}

// What makes the text something else than tables of components; nothing if it is that.
std::optional<Error> clipFaultOf(const SyntaxTree& tree, const Schema* schema) {
    if (const std::optional<Diagnostic> fault = lengthFault(tree.text(), {}))
        return moveFault("the text is too long: " + fault->message());
    constexpr const char* Expected = "expected tables of components, such as [Crate.Body]";
    const LineIndex lines(tree.text());
    bool any = false;
    for (const SyntaxSection& section : tree.sections()) {
        const std::vector<std::string> path = tree.pathOf(section);
        for (std::size_t i = section.first; i < section.last; ++i) {
            const SyntaxStatement& s = tree.statement(i);
            if (s.isHeader() && path.empty())
                return atLine(lines, s, "this is no table of a component; " + std::string(Expected));
            if (s.isHeader() && !isPartName(path.front()))
                return atLine(lines, s,
                              inQuotes(path.front()) + " names no component: it begins with a small letter");
            if (s.kind == Kind::KeyValue && path.empty())
                return atLine(lines, s, "this key stands outside of a component; " + std::string(Expected));
            any = any || s.isHeader();
        }
    }
    Diagnostics sink;
    const TomlDocument document = TomlDocument::parse(tree.text(), {}, sink);
    if (schema != nullptr)
        for (const SourceEntry& owner : document.root().table) {
            std::vector<const SourceEntry*> entries;
            const auto take = [&](const SourceValue& table) {
                for (const SourceEntry& entry : table.table)
                    entries.push_back(&entry);
            };
            if (owner.value.kind == SourceValue::Kind::Array)
                std::for_each(owner.value.array.begin(), owner.value.array.end(), take);
            else
                take(owner.value);
            for (const SourceEntry* entry : entries) {
                const ComponentSchema* component = schema->find(entry->key);
                if (component == nullptr) {
                    addUnknownComponent(sink, entry->value, entry->keyRegion, entry->key, schema->names(),
                                        *schema);
                    continue;
                }
                const bool several = entry->value.kind == SourceValue::Kind::Array;
                for (std::size_t i = 0; i < (several ? entry->value.array.size() : 1); ++i)
                    static_cast<void>(readComponent(*entry, several ? entry->value.array[i] : entry->value,
                                                    *component, *schema, owner.key, sink));
            }
        }
    sink.sort();
    for (const Diagnostic& fault : sink.items)
        if (fault.severity == Severity::Error)
            return moveFault((fault.region.line > 0 ? "line " + std::to_string(fault.region.line) + ": " : "")
                             + fault.message());
    if (!any)
        return moveFault("there are no components in it; " + std::string(Expected));
    return std::nullopt;
}

// All blocks of the text, whatever they are headed by.
std::vector<ComponentBlock> clipBlocks(const SyntaxTree& tree) {
    std::vector<ComponentBlock> out;
    for (std::size_t u = 1; u < tree.units().size(); ++u)
        for (ComponentBlock& block : componentBlocks(tree, tree.units()[u]))
            out.push_back(std::move(block));
    std::stable_sort(out.begin(), out.end(),
                     [](const ComponentBlock& a, const ComponentBlock& b) { return a.first < b.first; });
    // No file begins here: comments at the very start belong to what follows.
    if (!out.empty())
        while (out.front().begin > 0 && tree.statement(out.front().begin - 1).kind == Kind::Comment)
            --out.front().begin;
    return out;
}

// [Crate.Body] or [[Crate.Body]], with what follows the names of the header.
std::string headerOf(const SyntaxTree& tree, const SyntaxStatement& header, const std::string& typeKey,
                     bool element) {
    const std::string names = std::string(tree.text().substr(
        header.path[1].span.begin, header.path.back().span.end - header.path[1].span.begin));
    const std::string_view open = element ? "[[" : "[";
    const std::string_view close = element ? "]]" : "]";
    return std::string(open) + typeKey + "." + names + std::string(close);
}

} // namespace

Result<std::vector<ClipComponent>> clipComponents(std::string_view text, const Schema* schema) {
    const SyntaxTree tree(text);
    if (std::optional<Error> fault = clipFaultOf(tree, schema))
        return std::move(*fault);
    std::vector<ClipComponent> out;
    for (const ComponentBlock& block : clipBlocks(tree)) {
        ClipComponent& made = out.emplace_back();
        made.name = block.part.name;
        for (std::size_t i = block.first; i < block.end; ++i) {
            const SyntaxStatement& s = tree.statement(i);
            if (s.kind != Kind::KeyValue)
                continue;
            std::string key;
            for (const SyntaxKey& part : s.path)
                key += (key.empty() ? "" : ".") + part.name;
            made.keys.push_back({std::move(key), std::string(s.value.of(text))});
        }
    }
    return out;
}

Result<TextEdits> pasteComponent(std::string_view definitions, std::string_view type, std::string_view text,
                                 const Schema& schema, const std::optional<std::size_t> place) {
    const SyntaxTree clip(text);
    if (std::optional<Error> fault = clipFaultOf(clip, &schema))
        return std::move(*fault);
    const SyntaxTree tree(definitions);
    const SyntaxUnit* unit = tree.table(type);
    if (unit == nullptr)
        return unknownType(tree, type);
    const std::vector<ComponentBlock> own = componentBlocks(tree, *unit);
    const std::vector<ComponentBlock> pasted = clipBlocks(clip);
    // Tables stand behind the keys of the type.
    const ComponentBlock* next = nullptr;
    for (std::size_t i = place.value_or(own.size()); i < own.size() && next == nullptr; ++i)
        if (own[i].part.table && own[i].together)
            next = &own[i];

    TextChanges changes(tree);
    const std::string typeKey(
        tree.statement(tree.sections()[unit->sections.front()].first).path.front().span.of(definitions));
    const auto countIn = [](const std::vector<ComponentBlock>& blocks, const std::string& name) {
        return std::count_if(blocks.begin(), blocks.end(),
                             [&](const ComponentBlock& each) { return each.part.name == name; });
    };
    std::vector<std::string> lines;
    for (const ComponentBlock& block : pasted) {
        const std::string& name = block.part.name;
        if (!block.together)
            return moveFault(name + " is written in several places of the text; put its tables together");
        const ComponentSchema* component = schema.find(name);
        const bool several = component != nullptr && !component->unique;
        const auto here = countIn(own, name);
        if (!several && (here > 0 || countIn(pasted, name) > 1))
            return moveFault(std::string(type) + " has a component " + name + " already");
        const bool element = here + countIn(pasted, name) > 1 || block.part.element;
        const bool again = std::any_of(pasted.data(), &block,
                                       [&](const ComponentBlock& each) { return each.part.name == name; });
        for (const ComponentBlock& each : own) {
            if (each.part.name != name || each.part.element || again)
                continue;
            if (!each.part.table)
                return moveFault(name + " is written among the keys of " + std::string(type)
                                 + "; edit the text");
            const SyntaxStatement& header = tree.statement(each.first);
            changes.replace(header.text, headerOf(tree, header, typeKey, true));
        }
        if (!lines.empty())
            lines.emplace_back();
        for (std::size_t i = block.begin; i < block.end; ++i) {
            const SyntaxStatement& s = clip.statement(i);
            if (s.isHeader()) {
                // Whatever stands behind the header stays there.
                const bool list = s.path.size() == 2 ? element : s.kind == Kind::ArrayTable;
                lines.push_back(headerOf(clip, s, typeKey, list)
                                + std::string(text.substr(s.text.end, s.lines.end - s.text.end)));
                while (lines.back().ends_with('\n') || lines.back().ends_with('\r'))
                    lines.back().pop_back();
                continue;
            }
            for (std::string& line : textLines(linesOf(clip, i, i + 1)))
                lines.push_back(std::move(line));
        }
    }
    if (next == nullptr) {
        changes.addPartLines(*unit, std::move(lines));
        return changes.finish();
    }
    std::string inserted;
    for (const std::string& line : lines)
        inserted += line + changes.lineEnd();
    // Parted from the next as that is from what stands above it.
    if (next->begin > 0 && tree.statement(next->begin - 1).kind == Kind::Blank)
        inserted += changes.lineEnd();
    const std::size_t at = tree.statement(next->begin).lines.begin;
    changes.replace({at, at}, inserted);
    return changes.finish();
}

Result<TextEdits> removeComponentAt(std::string_view definitions, std::string_view type,
                                    std::size_t component) {
    const SyntaxTree tree(definitions);
    const SyntaxUnit* unit = tree.table(type);
    if (unit == nullptr)
        return unknownType(tree, type);
    const std::vector<ComponentBlock> blocks = componentBlocks(tree, *unit);
    if (component >= blocks.size())
        return noComponent(type, component, blocks.size());
    const ComponentBlock& block = blocks[component];
    TextChanges changes(tree);
    if (!block.together && std::count_if(blocks.begin(), blocks.end(), [&](const ComponentBlock& each) {
                               return each.part.name == block.part.name;
                           }) == 1) {
        changes.removePart(*unit, block.part.name);
    } else if (!block.together) {
        return moveFault(block.part.name + " is written in several places here; edit the text");
    } else if (block.part.table) {
        changes.removeStatements(block.begin, block.end, true);
    } else {
        changes.replace({tree.statement(block.begin).lines.begin, tree.statement(block.end - 1).lines.end},
                        {});
    }
    return changes.finish();
}

namespace {

// The block, with its key if it has that. An error if the type or the component is not there.
struct ComponentKey {
    ComponentBlock block;
    std::optional<std::size_t> statement;
};
Result<ComponentKey> keyIn(const SyntaxTree& tree, std::string_view type, std::size_t component,
                           std::string_view key) {
    const SyntaxUnit* unit = tree.table(type);
    if (unit == nullptr)
        return unknownType(tree, type);
    std::vector<ComponentBlock> blocks = componentBlocks(tree, *unit);
    if (component >= blocks.size())
        return noComponent(type, component, blocks.size());
    ComponentKey out{std::move(blocks[component]), std::nullopt};
    for (std::size_t i = out.block.first + 1; i < out.block.end && !tree.statement(i).isHeader(); ++i) {
        const SyntaxStatement& s = tree.statement(i);
        if (s.kind == Kind::KeyValue && s.path.size() == 1 && s.path.front().name == key)
            out.statement = i;
    }
    return out;
}

} // namespace

Result<TextEdits> setComponentValue(std::string_view definitions, std::string_view type,
                                    std::size_t component, std::string_view key, std::string_view value) {
    if (const std::string wrong = valueFault(value); !wrong.empty())
        return moveFault(wrong);
    const SyntaxTree tree(definitions);
    const Result<ComponentKey> found = keyIn(tree, type, component, key);
    if (!found)
        return found.error();
    if (!found->block.part.table)
        return setDefinitionValue(definitions, type, found->block.part.name, key, value);
    TextChanges changes(tree);
    if (found->statement)
        changes.replace(tree.statement(*found->statement).value, value);
    else
        changes.addKeyTo(found->block.head, tomlKey(key), value);
    return changes.finish();
}

Result<TextEdits> removeComponentValue(std::string_view definitions, std::string_view type,
                                       std::size_t component, std::string_view key) {
    const SyntaxTree tree(definitions);
    const Result<ComponentKey> found = keyIn(tree, type, component, key);
    if (!found)
        return found.error();
    if (!found->block.part.table)
        return removeDefinitionValue(definitions, type, found->block.part.name, key);
    TextChanges changes(tree);
    if (found->statement)
        changes.replace(tree.statement(*found->statement).lines, {});
    return changes.finish();
}

} // namespace sbx::definition
