#include "engine/definition/text_changes.h"

#include "engine/core/nearest.h"
#include "engine/core/value.h"

#include <algorithm>

namespace sbx::definition {

namespace {
using Kind = SyntaxStatement::Kind;
}

std::string dottedKey(std::string_view name) {
    std::string out;
    for (std::size_t begin = 0; begin <= name.size();) {
        const std::size_t end = std::min(name.find('.', begin), name.size());
        const std::string_view part = name.substr(begin, end - begin);
        const std::string key = tomlKey(part);
        if (key != part)
            return inQuotes(name);
        out += (out.empty() ? "" : ".") + key;
        begin = end + 1;
    }
    return out;
}

std::vector<std::string> textLines(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        lines.emplace_back(line);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

Error unknownType(const SyntaxTree& tree, std::string_view type) {
    std::vector<std::string> names;
    for (const SyntaxUnit& unit : tree.units())
        if (!unit.element && !unit.name.empty())
            names.push_back(unit.name);
    const std::string near = nearestName(type, names);
    return Error{"this file has no entity type " + inQuotes(type) + (near.empty() ? "" : "; did you mean " + near + "?"), {}, {}};
}

TextChanges::TextChanges(const SyntaxTree& tree) : m_tree(tree) {
    const std::size_t newline = text().find('\n');
    m_lineEnd =
        newline != std::string_view::npos && newline > 0 && text()[newline - 1] == '\r' ? "\r\n" : "\n";
}

void TextChanges::replace(TextSpan span, std::string_view with) {
    if (span.of(text()) != with)
        m_changes.push_back({span, std::string(with)});
}

std::string TextChanges::indentOf(std::size_t statement) const {
    const SyntaxStatement& s = m_tree.statement(statement);
    return std::string(text().substr(s.lines.begin, s.text.begin - s.lines.begin));
}

void TextChanges::insertLines(std::size_t afterStatement, const std::vector<std::string>& lines) {
    const std::size_t at = afterStatement == std::string_view::npos
                               ? m_tree.statements().empty() ? text().size() : m_tree.statement(0).lines.begin
                               : m_tree.statement(afterStatement).lines.end;
    // Where the text ends without a line end it goes on so.
    const bool openEnd =
        at > 0 && at == text().size() && text()[at - 1] != '\n' && afterStatement != std::string_view::npos;
    std::string inserted;
    for (const std::string& line : lines)
        inserted += openEnd ? m_lineEnd + line : line + m_lineEnd;
    m_changes.push_back({{at, at}, std::move(inserted)});
}

// The last key-value pair of a section, or its header.
std::size_t TextChanges::lastKey(const SyntaxSection& section) const {
    std::size_t last = section.first;
    for (std::size_t i = section.first; i < section.last; ++i)
        if (m_tree.statement(i).kind == Kind::KeyValue || m_tree.statement(i).kind == Kind::Broken)
            last = i;
    return last;
}

std::string TextChanges::keyLine(std::size_t section, std::string_view key, std::string_view value) {
    // Equals signs in one column, somewhere more than a space away: the section aligns them.
    const SyntaxSection& s = m_tree.sections()[section];
    std::size_t column = 0;
    bool aligned = true;
    bool wide = false;
    std::string indent = s.hasHeader ? indentOf(s.first) : std::string();
    for (std::size_t i = s.first; i < s.last; ++i) {
        const SyntaxStatement& statement = m_tree.statement(i);
        if (statement.kind != Kind::KeyValue)
            continue;
        indent = indentOf(i);
        const std::size_t keyEnd = statement.path.back().span.end;
        const std::size_t equals = text().find('=', keyEnd) - statement.text.begin;
        aligned = aligned && (column == 0 || column == equals);
        wide = wide || equals > keyEnd - statement.text.begin + 1;
        column = equals;
    }
    AddedLines& added = m_added[section];
    if (added.column != 0) {
        aligned = aligned && added.aligned && (column == 0 || column == added.column);
        wide = wide || added.wide;
        column = added.column;
    }
    std::string line = indent + std::string(key) + " ";
    if (aligned && wide && key.size() + 1 < column)
        line.append(column - key.size() - 1, ' ');
    const std::size_t equals = line.size() - indent.size();
    added.aligned = added.aligned && (added.column == 0 || added.column == equals);
    added.wide = added.wide || equals > key.size() + 1;
    added.column = equals;
    return line + "= " + std::string(value);
}

void TextChanges::setKey(const SyntaxUnit& unit, std::string_view key, std::string_view value,
                         const std::vector<std::string>& order) {
    if (const auto place = m_tree.find(unit, {std::string(key)}))
        return replace(place->value, value);
    const std::vector<std::size_t> own = m_tree.sectionsAt(unit, {});
    const std::string name = order.empty() ? dottedKey(key) : tomlKey(key);
    if (own.empty()) {
        // Only sub-tables so far: the table itself goes before them.
        const SyntaxSection& first = m_tree.sections()[unit.sections.front()];
        const std::size_t lead = m_tree.leadOf(first);
        insertLines(lead == 0 ? std::string_view::npos : lead - 1,
                    {"[" + std::string(m_tree.statement(first.first).path.front().span.of(text())) + "]",
                     name + " = " + std::string(value)});
        return;
    }
    const SyntaxSection& section = m_tree.sections()[own.front()];
    const auto rank = [&](std::string_view k) {
        return std::find(order.begin(), order.end(), k) - order.begin();
    };
    std::size_t after = section.first;
    for (std::size_t i = section.first; i < section.last; ++i) {
        const SyntaxStatement& s = m_tree.statement(i);
        if (s.kind == Kind::KeyValue && (order.empty() || rank(s.path.front().name) < rank(key)))
            after = i;
    }
    insertLines(after, {keyLine(own.front(), name, value)});
}

std::string TextChanges::setInPart(const SyntaxUnit& unit, std::string_view part, std::string_view key,
                                   std::string_view value) {
    const std::string partName(part);
    for (const std::size_t section : m_tree.sectionsAt(unit, {partName}))
        if (m_tree.statement(m_tree.sections()[section].first).kind == Kind::ArrayTable)
            return partName + " is written several times here; edit the text";
    if (const auto place = m_tree.find(unit, {partName, std::string(key)}))
        return replace(place->value, value), std::string();
    const std::string name = tomlKey(key);
    if (const auto sections = m_tree.sectionsAt(unit, {partName}); !sections.empty()) {
        insertLines(lastKey(m_tree.sections()[sections.front()]), {keyLine(sections.front(), name, value)});
        return {};
    }
    if (const auto whole = m_tree.find(unit, {partName})) {
        // Body = { … }
        if (text()[whole->value.begin] != '{' || text()[whole->value.end - 1] != '}'
            || !whole->inlineTable.empty())
            return partName + " is not a table here; edit the text";
        const auto entries = scanInlineTable(text(), whole->value);
        const std::string entry = name + " = " + std::string(value);
        if (entries.empty())
            replace(whole->value, "{ " + entry + " }");
        else
            m_changes.push_back({{entries.back().whole.end, entries.back().whole.end}, ", " + entry});
        return {};
    }
    std::size_t dotted = std::string_view::npos; // Body.mass = 5
    std::size_t dottedSection = 0;
    for (const std::size_t index : m_tree.sectionsAt(unit, {})) {
        for (std::size_t i = m_tree.sections()[index].first; i < m_tree.sections()[index].last; ++i) {
            const SyntaxStatement& s = m_tree.statement(i);
            if (s.kind == Kind::KeyValue && s.path.size() > 1 && s.path.front().name == part) {
                dotted = i;
                dottedSection = index;
            }
        }
    }
    if (dotted != std::string_view::npos)
        insertLines(dotted, {keyLine(dottedSection, tomlKey(part) + "." + name, value)});
    else
        addPart(unit, part, name + " = " + std::string(value));
    return {};
}

bool TextChanges::hasPart(const SyntaxUnit& unit, std::string_view part) const {
    for (const std::size_t index : unit.sections) {
        const SyntaxSection& section = m_tree.sections()[index];
        const std::vector<std::string> path = m_tree.pathOf(section);
        if (!path.empty() && path.front() == part)
            return true;
        if (!path.empty())
            continue;
        for (std::size_t i = section.first; i < section.last; ++i)
            if (m_tree.statement(i).kind == Kind::KeyValue && m_tree.statement(i).path.front().name == part)
                return true;
    }
    return false;
}

bool TextChanges::blankBefore(std::size_t section) const {
    const std::size_t lead = m_tree.leadOf(m_tree.sections()[section]);
    return lead > 0 && m_tree.statement(lead - 1).kind == Kind::Blank;
}

bool TextChanges::isPart(std::size_t section) const {
    return m_tree.sections()[section].hasHeader && m_tree.statement(m_tree.sections()[section].first).path.size() == 2;
}

std::optional<TextChanges::LastPart>& TextChanges::lastPart(bool element) {
    if (!m_partsKnown) {
        m_partsKnown = true;
        for (std::size_t i = 0; i < m_tree.sections().size(); ++i)
            if (isPart(i))
                m_lastParts[m_tree.units()[m_tree.sections()[i].unit].element ? 1 : 0] =
                    LastPart{m_tree.statement(m_tree.sections()[i].first).lines.begin, blankBefore(i)};
    }
    return m_lastParts[element ? 1 : 0];
}

void TextChanges::addPart(const SyntaxUnit& unit, std::string_view part, std::string_view keyLine) {
    // As the unit's last sub-table does it, else as the file's last one; else apart in definitions, close in
    // scenes.
    bool blank = !unit.element;
    std::size_t model = unit.sections.front();
    std::optional<LastPart>& lastOfFile = lastPart(unit.element);
    if (lastOfFile)
        blank = lastOfFile->blank;
    for (const std::size_t i : unit.sections) {
        if (isPart(i)) {
            blank = blankBefore(i);
            model = i;
        }
    }
    const SyntaxStatement& header = m_tree.statement(m_tree.sections()[unit.sections.front()].first);
    const std::string indent = indentOf(m_tree.sections()[model].first);
    std::vector<std::string> lines{indent + "[" + std::string(header.path.front().span.of(text())) + "." + tomlKey(part) + "]"};
    if (!keyLine.empty())
        lines.push_back(indent + std::string(keyLine));
    insertPart(unit, std::move(lines), blank);
}

void TextChanges::addPartLines(const SyntaxUnit& unit, std::vector<std::string> lines) {
    std::optional<std::size_t> own;
    for (const std::size_t i : unit.sections)
        if (isPart(i))
            own = i;
    const std::optional<LastPart>& lastOfFile = lastPart(unit.element);
    insertPart(unit, std::move(lines), own ? blankBefore(*own) : lastOfFile ? lastOfFile->blank : !unit.element);
}

void TextChanges::insertPart(const SyntaxUnit& unit, std::vector<std::string> lines, bool blank) {
    const SyntaxSection& last = m_tree.sections()[unit.sections.back()];
    std::optional<LastPart>& lastOfFile = lastPart(unit.element);
    // Where nothing parts this unit from what follows, a blank line inside it would look wrong.
    const std::size_t end = m_tree.ownEnd(last);
    if (blank && (end == m_tree.statements().size() || m_tree.statement(end).kind == Kind::Blank))
        lines.emplace(lines.begin());
    insertLines(end - 1, lines);

    const std::size_t at = m_changes.back().span.begin;
    if (lastOfFile && lastOfFile->offset > at)
        return;
    // Comments right above the new sub-table count as its own from now on.
    std::size_t lead = end;
    while (lines.size() > 1 && !lines.front().empty() && lead > 0 && m_tree.statement(lead - 1).kind == Kind::Comment)
        --lead;
    lastOfFile = {at, lines.front().empty() || (lead > 0 && m_tree.statement(lead - 1).kind == Kind::Blank)};
}

void TextChanges::removeKey(const KeyPlace& place, bool dropEmptyPart) {
    const SyntaxStatement& s = m_tree.statement(place.statement);
    if (!place.inlineTable.empty() && (place.entries.size() > 1 || !dropEmptyPart)) {
        const auto& entries = place.entries;
        if (entries.size() == 1)
            return replace(place.inlineTable, "{}");
        if (place.entry + 1 < entries.size())
            return replace({entries[place.entry].whole.begin, entries[place.entry + 1].whole.begin}, {});
        return replace({entries[place.entry - 1].whole.end, entries[place.entry].whole.end}, {});
    }
    removeLines(s.lines);
    const SyntaxSection& section = m_tree.sections()[place.section];
    if (!dropEmptyPart || !section.hasHeader || m_tree.pathOf(section).empty())
        return;
    // Whatever else stands in the sub-table, a comment too, keeps it.
    const std::size_t end = m_tree.ownEnd(section);
    for (std::size_t i = section.first + 1; i < end; ++i)
        if (i != place.statement && m_tree.statement(i).kind != Kind::Blank)
            return;
    for (std::size_t i = section.first; i < end; ++i)
        if (i != place.statement)
            removeLines(m_tree.statement(i).lines);
    // One of the blank lines around it goes as well.
    const bool blankAfter = end >= m_tree.statements().size() || m_tree.statement(end).kind == Kind::Blank;
    if (section.first > 0 && m_tree.statement(section.first - 1).kind == Kind::Blank && blankAfter)
        removeLines(m_tree.statement(section.first - 1).lines);
}

void TextChanges::removeSections(const std::vector<std::size_t>& sections, bool ofUnit) {
    for (std::size_t i = 0; i < sections.size();) {
        std::size_t next = i + 1;
        while (next < sections.size() && sections[next] == sections[next - 1] + 1)
            ++next;
        std::size_t begin = m_tree.leadOf(m_tree.sections()[sections[i]]);
        const std::size_t after = sections[next - 1] + 1;
        std::size_t end = m_tree.statements().size();
        if (after < m_tree.sections().size()) {
            end = m_tree.leadOf(m_tree.sections()[after]);
        } else {
            // At the end of the text the blank lines before it go instead of those behind.
            while (begin > 0 && m_tree.statement(begin - 1).kind == Kind::Blank)
                --begin;
        }
        // A part that follows its unit without a blank line leaves the one that parts the unit from the next.
        if (ofUnit && begin > 0 && m_tree.statement(begin - 1).kind != Kind::Blank)
            while (end > begin + 1 && m_tree.statement(end - 1).kind == Kind::Blank)
                --end;
        removeLines({m_tree.statement(begin).lines.begin, m_tree.statement(end - 1).lines.end});
        i = next;
    }
}

void TextChanges::removePart(const SyntaxUnit& unit, std::string_view part) {
    std::vector<std::size_t> sections;
    for (const std::size_t index : unit.sections) {
        const SyntaxSection& section = m_tree.sections()[index];
        const std::vector<std::string> path = m_tree.pathOf(section);
        if (!path.empty() && path.front() == part)
            sections.push_back(index);
        if (!path.empty())
            continue;
        for (std::size_t i = section.first; i < section.last; ++i)
            if (m_tree.statement(i).kind == Kind::KeyValue && m_tree.statement(i).path.front().name == part)
                removeLines(m_tree.statement(i).lines);
    }
    removeSections(sections, true);
}

void TextChanges::removeUnits(const std::set<std::size_t>& units) {
    std::vector<std::size_t> sections;
    for (std::size_t i = 0; i < m_tree.sections().size(); ++i)
        if (units.contains(m_tree.sections()[i].unit))
            sections.push_back(i);
    removeSections(sections, false);
}

void TextChanges::removeStatements(std::size_t begin, std::size_t end, bool ofUnit) {
    const auto blank = [&](std::size_t at) { return m_tree.statement(at).kind == Kind::Blank; };
    const std::size_t count = m_tree.statements().size();
    const std::size_t ownEnd = end;
    while (end < count && blank(end))
        ++end;
    if (end == count) {
        // At the end of the text the blank lines before it go instead of those behind.
        while (begin > 0 && blank(begin - 1))
            --begin;
    } else if (ofUnit && begin > 0 && !blank(begin - 1)) {
        end = ownEnd;
    }
    removeLines({m_tree.statement(begin).lines.begin, m_tree.statement(end - 1).lines.end});
}

void TextChanges::moveStatements(std::size_t begin, std::size_t end, std::size_t otherBegin, std::size_t otherEnd) {
    const auto linesOf = [&](std::size_t from, std::size_t to) {
        return from == to ? std::string()
                          : std::string(text().substr(m_tree.statement(from).lines.begin,
                                                      m_tree.statement(to - 1).lines.end - m_tree.statement(from).lines.begin));
    };
    const auto blank = [&](std::size_t at) { return m_tree.statement(at).kind == Kind::Blank; };
    std::string moved = linesOf(begin, end);
    if (!moved.ends_with('\n'))
        moved += m_lineEnd;
    if (otherBegin < begin) {
        std::size_t gap = begin;
        while (gap > otherEnd && blank(gap - 1))
            --gap;
        const std::size_t at = m_tree.statement(otherBegin).lines.begin;
        m_changes.push_back({{at, at}, moved + linesOf(gap, begin)});
        removeLines({m_tree.statement(gap).lines.begin, m_tree.statement(end - 1).lines.end});
        return;
    }
    std::size_t gap = end;
    while (gap < otherBegin && blank(gap))
        ++gap;
    const std::size_t at = m_tree.statement(otherEnd - 1).lines.end;
    std::string inserted = linesOf(end, gap) + moved;
    if (at == text().size() && !text().ends_with('\n')) {
        inserted.resize(inserted.size() - (inserted.ends_with("\r\n") ? 2 : 1));
        inserted = m_lineEnd + inserted;
    }
    removeLines({m_tree.statement(begin).lines.begin, m_tree.statement(gap - 1).lines.end});
    m_changes.push_back({{at, at}, std::move(inserted)});
}

std::string TextChanges::textOf(const SyntaxUnit& unit) const {
    std::string out;
    for (const std::size_t index : unit.sections) {
        const SyntaxSection& section = m_tree.sections()[index];
        const std::size_t end = m_tree.ownEnd(section);
        // A blank line between its sections is part of the manner.
        if (!out.empty() && blankBefore(index))
            out += m_lineEnd;
        out +=
            text().substr(m_tree.statement(section.first).lines.begin,
                          m_tree.statement(end - 1).lines.end - m_tree.statement(section.first).lines.begin);
        if (!out.ends_with('\n'))
            out += m_lineEnd;
    }
    return out;
}

void TextChanges::insertAfter(const SyntaxUnit& unit, std::string_view lines) {
    const SyntaxSection& last = m_tree.sections()[unit.sections.back()];
    const std::size_t after = m_tree.ownEnd(last) - 1;
    const std::size_t at = m_tree.statement(after).lines.end;
    // As before it, else as behind it; where it stands alone, a blank line.
    bool blank = true;
    if (m_tree.leadOf(m_tree.sections()[unit.sections.front()]) > 0)
        blank = blankBefore(unit.sections.front());
    else if (last.last < m_tree.statements().size())
        blank = m_tree.statement(m_tree.ownEnd(last)).kind == Kind::Blank;
    std::string inserted = (blank ? m_lineEnd : std::string()) + std::string(lines);
    if (at == text().size() && !text().ends_with('\n')) {
        inserted.resize(inserted.size() - (inserted.ends_with("\r\n") ? 2 : 1));
        inserted = m_lineEnd + inserted;
    }
    m_changes.push_back({{at, at}, std::move(inserted)});
}

void TextChanges::append(const std::vector<std::string>& lines) {
    const bool empty = m_tree.statements().empty();
    std::vector<std::string> all;
    if (!empty && m_tree.statements().back().kind != Kind::Blank)
        all.emplace_back();
    all.insert(all.end(), lines.begin(), lines.end());
    insertLines(empty ? std::string_view::npos : m_tree.statements().size() - 1, all);
}

TextEdits TextChanges::finish() {
    std::stable_sort(m_changes.begin(), m_changes.end(), [](const Change& a, const Change& b) {
        return a.span.begin != b.span.begin ? a.span.begin < b.span.begin : a.span.end < b.span.end;
    });
    // Neighbours become one edit; a removal inside another one is that one.
    std::vector<Change> merged;
    for (Change& change : m_changes) {
        if (!merged.empty() && change.span.begin <= merged.back().span.end && change.with.empty()
            && merged.back().with.empty()) {
            merged.back().span.end = std::max(merged.back().span.end, change.span.end);
        } else if (!merged.empty() && change.span.begin == merged.back().span.end) {
            merged.back().span.end = change.span.end;
            merged.back().with += change.with;
        } else {
            merged.push_back(std::move(change));
        }
    }
    TextEdits out;
    for (Change& change : merged) {
        TextSpan span = change.span;
        // Lines taken from the end of a text that ends without a line end take the line end before them
        // along.
        if (change.with.empty() && span.end == text().size() && span.begin > 0 && !text().ends_with('\n')
            && text()[span.begin - 1] == '\n' && !span.empty())
            span.begin -= span.begin > 1 && text()[span.begin - 2] == '\r' ? 2U : 1U;
        if (span.of(text()) != change.with)
            out.push_back({span.begin, std::string(span.of(text())), std::move(change.with)});
    }
    m_changes.clear();
    return out;
}

} // namespace sbx::definition
