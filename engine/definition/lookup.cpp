#include "engine/definition/lookup.h"

#include "engine/definition/checks.h"
#include "engine/definition/syntax_fault.h"
#include "engine/definition/syntax_tree.h"

#include <algorithm>

namespace sbx::definition {

namespace {

using Kind = SyntaxStatement::Kind;
using Place = TextLocation::Place;

bool isWordByte(char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' || c == '-'
           || c == '+' || static_cast<unsigned char>(c) >= 0x80;
}

// The bare word around an offset, inside limits. In values a point is part of the word, in keys it parts two.
TextSpan wordAt(std::string_view text, TextSpan limits, std::size_t offset, bool points) {
    const auto part = [&](char c) { return isWordByte(c) || (points && c == '.'); };
    TextSpan out{offset, offset};
    while (out.begin > limits.begin && part(text[out.begin - 1]))
        --out.begin;
    while (out.end < limits.end && part(text[out.end]))
        ++out.end;
    return out;
}

class Locator {
public:
    Locator(std::string_view text, std::size_t offset)
        : m_text(text), m_offset(std::min(offset, text.size())), m_tree(text) {}

    TextLocation locate();

private:
    void around(const SyntaxSection& section);
    void inHeader(const SyntaxStatement& s);
    void inKeyValue(const SyntaxStatement& s);
    void inValue(TextSpan value);
    void takeWord(TextSpan word) {
        m_out.word = word;
        m_out.wordText = std::string(word.of(m_text));
        m_out.typed = std::string(m_text.substr(word.begin, m_offset - word.begin));
    }

    std::string_view m_text;
    std::size_t m_offset;
    SyntaxTree m_tree;
    TextLocation m_out;
    bool m_deep = false; // below a component's header
};

void Locator::around(const SyntaxSection& section) {
    const SyntaxUnit& unit = m_tree.units()[section.unit];
    m_out.table = unit.name;
    if (unit.element && unit.name == "entity") {
        for (const SceneUnit& instance : sceneUnits(m_tree)) {
            if (instance.unit != section.unit)
                continue;
            m_out.instance = instance.name;
            m_out.entityType = instance.type;
        }
    } else if (unit.name != "scene" && unit.name != "project" && unit.name != "cvars"
               && unit.name != "entity") {
        m_out.entityType = unit.name;
    }
    const std::vector<std::string> path = m_tree.pathOf(section);
    m_deep = !path.empty();
    if (m_deep)
        m_out.component = path.front();
}

void Locator::inHeader(const SyntaxStatement& s) {
    m_out.place = Place::Header;
    takeWord({m_offset, m_offset});
    for (std::size_t i = 0; i < s.path.size(); ++i) {
        const TextSpan span = s.path[i].span;
        if (m_offset >= span.begin && m_offset <= span.end) {
            takeWord(span);
            m_out.headerPart = static_cast<int>(i);
            return;
        }
        if (m_offset > span.end)
            m_out.headerPart = static_cast<int>(i);
    }
    // Behind a point the next part begins.
    if (!s.path.empty()) {
        const std::size_t end = s.path[static_cast<std::size_t>(m_out.headerPart)].span.end;
        if (m_offset > end && m_text.substr(end, m_offset - end).find('.') != std::string_view::npos)
            ++m_out.headerPart;
    }
}

void Locator::inValue(TextSpan value) {
    m_out.place = Place::Value;
    // A string that holds the offset; escapes matter only in that an escaped quote does not close it.
    for (std::size_t i = value.begin; i < value.end;) {
        const char c = m_text[i];
        if (c != '"' && c != '\'') {
            ++i;
            continue;
        }
        std::size_t end = i + 1;
        while (end < value.end && m_text[end] != c && m_text[end] != '\n')
            end = std::min(end + (c == '"' && m_text[end] == '\\' ? 2U : 1U), value.end);
        if (m_offset > i && m_offset <= end) {
            m_out.quoted = true;
            takeWord({i + 1, end});
            return;
        }
        i = end + 1;
    }
    takeWord(wordAt(m_text, value, std::clamp(m_offset, value.begin, value.end), true));
}

void Locator::inKeyValue(const SyntaxStatement& s) {
    const auto name = [&](const std::vector<SyntaxKey>& path, std::size_t depth) {
        // Body.mass = 5 in the type's own table
        if (!m_deep && depth == 0 && (path.size() > 1 || isPartName(path.front().name))) {
            m_out.component = path.front().name;
            m_out.key = path.size() > 1 ? path[1].name : std::string();
        } else {
            m_out.key = path.back().name;
        }
    };
    const std::size_t keyEnd = s.path.back().span.end;
    const std::size_t equals = m_text.find('=', keyEnd);
    if (m_offset <= equals) {
        name(s.path, 0);
        m_out.place = Place::Key;
        takeWord({m_offset, m_offset});
        for (const SyntaxKey& key : s.path)
            if (m_offset >= key.span.begin && m_offset <= key.span.end)
                takeWord(key.span);
        // On the first of two parts the component itself is meant.
        if (s.path.size() > 1 && !m_deep && m_offset <= s.path.front().span.end)
            m_out.key.clear();
        return;
    }
    name(s.path, 0);
    if (s.value.empty() || m_offset < s.value.begin || m_offset > s.value.end) {
        m_out.place = Place::Value;
        takeWord({m_offset, m_offset});
        return;
    }
    if (m_text[s.value.begin] == '{' && m_offset > s.value.begin && m_out.key.empty()) {
        for (const SyntaxEntry& entry : scanInlineTable(m_text, s.value)) {
            if (m_offset < entry.whole.begin || m_offset > entry.whole.end)
                continue;
            name(entry.path, 1);
            if (m_offset >= entry.value.begin)
                return inValue(entry.value);
            m_out.place = Place::Key;
            takeWord(entry.path.back().span);
            if (m_offset < m_out.word.begin || m_offset > m_out.word.end)
                takeWord({m_offset, m_offset});
            return;
        }
        m_out.place = Place::Key;
        takeWord(wordAt(m_text, s.value, m_offset, false));
        m_out.key = std::string(m_out.word.of(m_text));
        return;
    }
    inValue(s.value);
}

TextLocation Locator::locate() {
    const auto& statements = m_tree.statements();
    const auto next =
        std::upper_bound(statements.begin(), statements.end(), m_offset,
                         [](std::size_t offset, const SyntaxStatement& s) { return offset < s.lines.begin; });
    takeWord({m_offset, m_offset});
    if (next == statements.begin())
        return m_out;
    const auto index = static_cast<std::size_t>(next - statements.begin()) - 1;
    const auto section =
        std::find_if(m_tree.sections().begin(), m_tree.sections().end(),
                     [&](const SyntaxSection& s) { return index >= s.first && index < s.last; });
    if (section == m_tree.sections().end())
        return m_out;
    around(*section);
    const SyntaxStatement& s = statements[index];
    // Behind the last line end there is one more, empty line.
    if (m_offset >= s.lines.end && m_text[s.lines.end - 1] == '\n')
        return m_out;
    if (s.kind == Kind::Comment) {
        if (m_offset > s.text.begin)
            m_out.place = Place::Comment;
        return m_out;
    }
    if (s.kind == Kind::Blank || m_offset < s.text.begin)
        return m_out;
    if (m_offset > s.text.end
        && m_text.substr(s.text.end, m_offset - s.text.end).find('#') != std::string_view::npos) {
        m_out.place = Place::Comment;
        return m_out;
    }
    if (s.isHeader() || (s.kind == Kind::Broken && s.unclosed == '[')) {
        inHeader(s);
    } else if (s.kind == Kind::KeyValue) {
        inKeyValue(s);
    } else {
        m_out.place = Place::Key;
        takeWord(wordAt(m_text, {s.text.begin, std::max(s.text.end, m_offset)}, m_offset, false));
        m_out.key = std::string(m_out.word.of(m_text));
        if (!m_deep && s.path.size() > 1)
            m_out.component = s.path.front().name;
        else if (!m_deep && !s.path.empty() && s.path.front().span.end < m_out.word.begin)
            m_out.component = s.path.front().name;
    }
    return m_out;
}

const SyntaxUnit* unitOf(const SyntaxTree& tree, std::string_view owner) {
    if (const SyntaxUnit* table = tree.table(owner))
        return table;
    for (const SceneUnit& unit : sceneUnits(tree))
        if (unit.name == owner)
            return &tree.units()[unit.unit];
    return nullptr;
}

OutlineNode keyNode(const SyntaxTree& tree, const LineIndex& lines, const SyntaxStatement& s) {
    OutlineNode node;
    node.kind = OutlineNode::Kind::Key;
    for (const SyntaxKey& key : s.path)
        node.name += (node.name.empty() ? "" : ".") + key.name;
    node.detail = std::string(s.value.of(tree.text()));
    node.region = lines.region({s.path.front().span.begin, s.path.back().span.end});
    node.span = s.lines;
    return node;
}

} // namespace

TextLocation locate(std::string_view text, std::size_t offset) { return Locator(text, offset).locate(); }

std::optional<SourceRegion> findType(std::string_view text, std::string_view name) {
    const SyntaxTree tree(text);
    const SyntaxUnit* unit = tree.table(name);
    if (unit == nullptr)
        return std::nullopt;
    // The type's own header rather than that of a sub-table before it.
    const auto own = tree.sectionsAt(*unit, {});
    const std::size_t section = own.empty() ? unit->sections.front() : own.front();
    return LineIndex(text).region(tree.statement(tree.sections()[section].first).path.front().span);
}

std::optional<SourceRegion> findInstance(std::string_view text, std::string_view name) {
    const SyntaxTree tree(text);
    for (const SceneUnit& unit : sceneUnits(tree))
        if (unit.name == name)
            return LineIndex(text).region(
                tree.statement(tree.sections()[tree.units()[unit.unit].sections.front()].first).text);
    return std::nullopt;
}

std::optional<SourceRegion> findSetting(std::string_view text, std::string_view owner,
                                        std::string_view component, std::string_view key) {
    const SyntaxTree tree(text);
    const LineIndex lines(text);
    const SyntaxUnit* unit = unitOf(tree, owner);
    if (unit == nullptr)
        return std::nullopt;
    std::vector<std::string> path;
    for (const std::string_view part : {component, key})
        if (!part.empty())
            path.emplace_back(part);
    if (path.empty())
        return std::nullopt;
    if (key.empty())
        if (const auto sections = tree.sectionsAt(*unit, path); !sections.empty())
            return lines.region(tree.statement(tree.sections()[sections.front()].first).path.back().span);
    if (const auto place = tree.find(*unit, path))
        return lines.region(place->key);
    return std::nullopt;
}

std::vector<OutlineNode> outline(std::string_view text, std::optional<Diagnostic>* fault) {
    const SyntaxTree tree(text);
    const LineIndex lines(text);
    if (fault != nullptr) {
        fault->reset();
        for (const SyntaxStatement& s : tree.statements()) {
            if (s.unclosed == 0 && s.kind != Kind::Broken && (s.kind != Kind::KeyValue || !s.value.empty()))
                continue;
            const SyntaxFault writer(text, lines, {});
            *fault = s.unclosed != 0 ? writer.unclosed(s) : writer.explain(&s, {}, s.text);
            break;
        }
    }
    const std::vector<SceneUnit> instances = sceneUnits(tree);
    auto instance = instances.begin(); // the next one: both lists are in the order of the text
    std::vector<OutlineNode> out;
    for (std::size_t u = 1; u < tree.units().size(); ++u) {
        const SyntaxUnit& unit = tree.units()[u];
        if (unit.name.empty())
            continue;
        OutlineNode& node = out.emplace_back();
        const SyntaxSection& first = tree.sections()[unit.sections.front()];
        const SyntaxSection& last = tree.sections()[unit.sections.back()];
        node.name = unit.name;
        node.kind = OutlineNode::Kind::Type;
        if (unit.name == "scene" || unit.name == "project" || unit.name == "cvars" || unit.name == "entity")
            node.kind = OutlineNode::Kind::Table;
        node.region = lines.region(tree.statement(first.first).path.front().span);
        node.span = {tree.statement(first.first).lines.begin,
                     tree.statement(tree.ownEnd(last) - 1).lines.end};
        if (instance != instances.end() && instance->unit == u) {
            node.kind = OutlineNode::Kind::Instance;
            node.name = instance->name;
            node.detail = instance->type;
            ++instance;
        }
        for (const std::size_t index : unit.sections) {
            const SyntaxSection& section = tree.sections()[index];
            const SyntaxStatement& header = tree.statement(section.first);
            std::vector<OutlineNode>* keys = &node.children;
            if (header.path.size() > 1) {
                OutlineNode& part = node.children.emplace_back();
                part.kind = OutlineNode::Kind::Component;
                for (const std::string& name : tree.pathOf(section))
                    part.name += (part.name.empty() ? "" : ".") + name;
                part.region = lines.region({header.path[1].span.begin, header.path.back().span.end});
                part.span = {header.lines.begin, tree.statement(tree.ownEnd(section) - 1).lines.end};
                keys = &part.children;
            }
            for (std::size_t i = section.first; i < section.last; ++i)
                if (tree.statement(i).kind == Kind::KeyValue)
                    keys->push_back(keyNode(tree, lines, tree.statement(i)));
        }
    }
    return out;
}

} // namespace sbx::definition
