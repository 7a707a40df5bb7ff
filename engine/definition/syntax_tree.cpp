#include "engine/definition/syntax_tree.h"

#include <algorithm>
#include <map>

namespace sbx::definition {

SyntaxTree::SyntaxTree(std::string_view text) : m_text(text), m_statements(scanToml(text)) {
    std::map<std::string, std::size_t, std::less<>> tables;
    std::map<std::string, std::size_t, std::less<>> elements; // the last of each array
    m_units.emplace_back();
    m_sections.emplace_back();
    m_units.front().sections.push_back(0);
    for (std::size_t i = 0; i < m_statements.size(); ++i) {
        const SyntaxStatement& s = m_statements[i];
        const bool nameless = s.kind == SyntaxStatement::Kind::Broken && s.unclosed == '[' && s.path.empty();
        if (s.isHeader() || nameless) {
            const std::string name = nameless ? std::string() : s.path.front().name;
            std::size_t unit = m_units.size();
            const auto element = elements.find(name);
            const auto table = tables.find(name);
            const bool array = s.kind == SyntaxStatement::Kind::ArrayTable && s.path.size() == 1;
            if (!nameless && !array && element != elements.end()) {
                unit = element->second;
            } else if (!nameless && !array && table != tables.end()) {
                unit = table->second;
            } else {
                m_units.push_back({name, array, {}});
                if (!nameless)
                    (array ? elements : tables)[name] = unit;
            }
            m_units[unit].sections.push_back(m_sections.size());
            m_sections.push_back({i, i, unit, true});
        }
        m_sections.back().last = i + 1;
    }
}

const SyntaxUnit* SyntaxTree::table(std::string_view name) const {
    const auto it = std::find_if(m_units.begin() + 1, m_units.end(),
                                 [&](const SyntaxUnit& u) { return !u.element && u.name == name; });
    return it == m_units.end() ? nullptr : &*it;
}

std::vector<std::string> SyntaxTree::pathOf(const SyntaxSection& section) const {
    std::vector<std::string> out;
    if (section.hasHeader)
        for (std::size_t i = 1; i < m_statements[section.first].path.size(); ++i)
            out.push_back(m_statements[section.first].path[i].name);
    return out;
}

std::vector<std::size_t> SyntaxTree::sectionsAt(const SyntaxUnit& unit,
                                                const std::vector<std::string>& path) const {
    std::vector<std::size_t> out;
    for (const std::size_t section : unit.sections)
        if (pathOf(m_sections[section]) == path)
            out.push_back(section);
    return out;
}

namespace {

std::string join(const std::vector<std::string>& path) {
    std::string out;
    for (const std::string& part : path)
        out += (out.empty() ? "" : ".") + part;
    return out;
}

bool isPrefix(const std::vector<std::string>& prefix, const std::vector<std::string>& of) {
    return prefix.size() < of.size() && std::equal(prefix.begin(), prefix.end(), of.begin());
}

} // namespace

std::optional<KeyPlace> SyntaxTree::find(const SyntaxUnit& unit, const std::vector<std::string>& path,
                                         bool joined) const {
    const std::string wanted = join(path);
    for (const std::size_t index : unit.sections) {
        const SyntaxSection& section = m_sections[index];
        const std::vector<std::string> prefix = pathOf(section);
        for (std::size_t i = section.first; i < section.last; ++i) {
            const SyntaxStatement& s = m_statements[i];
            if (s.kind != SyntaxStatement::Kind::KeyValue)
                continue;
            std::vector<std::string> full = prefix;
            for (const SyntaxKey& key : s.path)
                full.push_back(key.name);
            KeyPlace place;
            place.section = index;
            place.statement = i;
            place.key = {s.path.front().span.begin, s.path.back().span.end};
            place.value = s.value;
            if (full == path || (joined && join(full) == wanted))
                return place;
            if (s.value.empty() || m_text[s.value.begin] != '{' || !isPrefix(full, path))
                continue;
            place.inlineTable = s.value;
            place.entries = scanInlineTable(m_text, s.value);
            for (place.entry = 0; place.entry < place.entries.size(); ++place.entry) {
                std::vector<std::string> deeper = full;
                for (const SyntaxKey& key : place.entries[place.entry].path)
                    deeper.push_back(key.name);
                if (deeper != path)
                    continue;
                place.key = {place.entries[place.entry].whole.begin,
                             place.entries[place.entry].path.back().span.end};
                place.value = place.entries[place.entry].value;
                return place;
            }
        }
    }
    return std::nullopt;
}

std::string SyntaxTree::textAt(const SyntaxUnit& unit, std::string_view key) const {
    const auto place = find(unit, {std::string(key)});
    if (!place)
        return {};
    return unquoteToml(place->value.of(m_text)).value_or(std::string());
}

std::size_t SyntaxTree::leadOf(const SyntaxSection& section) const {
    std::size_t lead = section.first;
    while (lead > 0 && m_statements[lead - 1].kind == SyntaxStatement::Kind::Comment)
        --lead;
    return lead == 0 ? section.first : lead;
}

std::size_t SyntaxTree::ownEnd(const SyntaxSection& section) const {
    std::size_t end = section.last;
    if (end < m_statements.size())
        while (end > section.first && m_statements[end - 1].kind == SyntaxStatement::Kind::Comment)
            --end;
    while (end > section.first && m_statements[end - 1].kind == SyntaxStatement::Kind::Blank)
        --end;
    return end;
}

std::vector<SceneUnit> sceneUnits(const SyntaxTree& tree) {
    std::vector<SceneUnit> out;
    std::vector<NameAndType> given;
    for (std::size_t i = 1; i < tree.units().size(); ++i) {
        const SyntaxUnit& unit = tree.units()[i];
        if (!unit.element || unit.name != "entity")
            continue;
        out.push_back({i, tree.textAt(unit, "name"), {}, tree.textAt(unit, "type")});
        given.push_back({out.back().givenName, out.back().type});
    }
    const std::vector<std::string> names = instanceNames(given);
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i].name = names[i];
    return out;
}

} // namespace sbx::definition
