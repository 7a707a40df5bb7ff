#include "engine/definition/place_index.h"

#include "engine/core/value.h"
#include "engine/definition/scene_editor.h"
#include "engine/definition/toml_document.h"

#include <algorithm>
#include <charconv>

namespace sbx::definition {

namespace {

using Kind = SyntaxStatement::Kind;
constexpr std::uint32_t NoSlot = 0xFFFFFFFF;
constexpr const char* KeyNames[] = {"position", "rotation", "scale"};

// A list of three plain decimal numbers on one line, as TOML writes them; false for any other value, sound or not.
class TripleReader {
public:
    explicit TripleReader(std::string_view text) : m_text(text) {}

    bool read(std::array<double, 3>& out) {
        for (std::size_t i = 0; i < 3; ++i)
            if (!take(i == 0 ? '[' : ',') || !number(out[i]))
                return false;
        return take(']') && m_at == m_text.size();
    }

private:
    void skipSpaces() {
        while (m_at < m_text.size() && (m_text[m_at] == ' ' || m_text[m_at] == '\t'))
            ++m_at;
    }
    bool take(char c) {
        skipSpaces();
        if (m_at == m_text.size() || m_text[m_at] != c)
            return false;
        ++m_at;
        return true;
    }
    std::size_t digits() {
        const std::size_t begin = m_at;
        while (m_at < m_text.size() && m_text[m_at] >= '0' && m_text[m_at] <= '9')
            ++m_at;
        return m_at - begin;
    }
    bool number(double& out) {
        skipSpaces();
        const char sign = m_at < m_text.size() ? m_text[m_at] : '\0';
        if (sign == '+' || sign == '-')
            ++m_at;
        const std::size_t begin = m_at - (sign == '-' ? 1 : 0);
        const std::size_t whole = m_at;
        const std::size_t count = digits();
        if (count == 0 || count > 15 || (count > 1 && m_text[whole] == '0'))
            return false;
        if (m_at < m_text.size() && m_text[m_at] == '.') {
            ++m_at;
            if (digits() == 0)
                return false;
        }
        if (m_at < m_text.size() && (m_text[m_at] == 'e' || m_text[m_at] == 'E')) {
            ++m_at;
            if (m_at < m_text.size() && (m_text[m_at] == '+' || m_text[m_at] == '-'))
                ++m_at;
            if (digits() == 0)
                return false;
        }
        const auto [end, error] = std::from_chars(m_text.data() + begin, m_text.data() + m_at, out);
        return error == std::errc() && end == m_text.data() + m_at;
    }

    std::string_view m_text;
    std::size_t m_at = 0;
};

const FieldInfo& fieldOf(std::size_t key) {
    static const std::array<const FieldInfo*, 3> Fields = {instanceKeys().find(KeyNames[0]), instanceKeys().find(KeyNames[1]),
                                                           instanceKeys().find(KeyNames[2])};
    return *Fields[key];
}

} // namespace

PlaceIndex::PlaceIndex(std::string_view text) {
    const SyntaxTree tree(text);
    const std::vector<SceneUnit> units = sceneUnits(tree);
    m_instances.reserve(units.size());
    m_byName.reserve(units.size());
    m_ours.assign(units.size(), {NoSlot, NoSlot, NoSlot});
    for (const SceneUnit& unit : units) {
        const auto number = static_cast<std::uint32_t>(m_instances.size());
        PlacedInstance& instance = m_instances.emplace_back();
        instance.name = unit.name;
        instance.type = unit.type;
        m_byName.emplace(unit.name, number);
        bool hasParent = false;
        bool hasLayer = false;
        std::array<bool, KeyCount> seen{};
        for (const std::size_t index : tree.units()[unit.unit].sections) {
            const SyntaxSection& section = tree.sections()[index];
            if (tree.statement(section.first).path.size() != 1)
                continue; // a component's
            for (std::size_t i = section.first; i < section.last; ++i) {
                const SyntaxStatement& statement = tree.statement(i);
                if (statement.kind != Kind::KeyValue || statement.path.size() != 1)
                    continue;
                const std::string& name = statement.path.front().name;
                if (name == "parent" && !std::exchange(hasParent, true))
                    instance.parent = unquoteToml(statement.value.of(text)).value_or(std::string());
                if (name == "layer" && !std::exchange(hasLayer, true))
                    instance.layer = unquoteToml(statement.value.of(text)).value_or(std::string());
                for (std::size_t key = 0; key < KeyCount; ++key)
                    if (name == KeyNames[key] && !std::exchange(seen[key], true))
                        m_slots.push_back({statement.value.begin, statement.value.end, number, static_cast<Key>(key)});
            }
        }
    }
    // Where another table stands between the parts of an instance, too.
    std::sort(m_slots.begin(), m_slots.end(), [](const Slot& a, const Slot& b) { return a.begin < b.begin; });
    for (std::size_t i = 0; i < m_slots.size(); ++i) {
        const Slot& slot = m_slots[i];
        m_ours[slot.instance][slot.key] = static_cast<std::uint32_t>(i);
        const std::string_view value = TextSpan{slot.begin, slot.end}.of(text);
        if (Vec3 plain(0.0F); read(value, slot.key, plain)) {
            valueOf(slot) = plain;
        } else if (const Result<SourceValue> parsed = parseTomlValue(value)) {
            Diagnostics sink;
            Value other;
            if (fieldOf(slot.key).fromSource(*parsed, other, sink, {}))
                valueOf(slot) = std::get<Vec3>(other);
        }
    }
}

std::optional<std::size_t> PlaceIndex::find(std::string_view name) const {
    const auto it = m_byName.find(std::string(name));
    return it == m_byName.end() ? std::nullopt : std::optional(it->second);
}

Vec3& PlaceIndex::valueOf(const Slot& slot) {
    PlacedInstance& instance = m_instances[slot.instance];
    return slot.key == Position ? instance.position : slot.key == Rotation ? instance.rotation : instance.scale;
}

bool PlaceIndex::read(std::string_view value, Key key, Vec3& out) {
    std::array<double, 3> numbers{};
    if (!TripleReader(value).read(numbers))
        return false;
    const FieldInfo& field = fieldOf(key);
    for (const double number : numbers)
        if (number < field.minimum || number > field.maximum)
            return false;
    out = Vec3(static_cast<float>(numbers[0]), static_cast<float>(numbers[1]), static_cast<float>(numbers[2]));
    return true;
}

bool PlaceIndex::follow(const TextEdits& edits, std::string_view after, std::uint64_t revision) {
    std::size_t grown = 0; // by the edits before; may wrap around
    auto edit = edits.begin();
    for (Slot& slot : m_slots) {
        const std::size_t begin = slot.begin;
        const std::size_t end = slot.end;
        if (edit != edits.end() && edit->offset < begin)
            return false;
        slot.begin += grown;
        bool touched = false;
        while (edit != edits.end() && edit->offset <= end) {
            const std::size_t last = edit->offset + edit->removed.size();
            // What comes in right before or behind a value is not known to belong to it, but for the whole value.
            const bool whole = edit->offset == begin && last == end && !edit->removed.empty();
            const bool oneLine = edit->removed.find('\n') == std::string::npos; // else what stands below moves
            if (!oneLine || (!whole && (edit->offset <= begin || last >= end)))
                return false;
            grown += edit->inserted.size() - edit->removed.size();
            touched = true;
            ++edit;
        }
        slot.end += grown;
        if (!touched)
            continue;
        Vec3 value(0.0F);
        if (slot.end > after.size() || slot.begin > slot.end || !read(TextSpan{slot.begin, slot.end}.of(after), slot.key, value))
            return false;
        valueOf(slot) = value;
        m_instances[slot.instance].changed = revision;
    }
    return edit == edits.end();
}

std::optional<TextEdits> PlaceIndex::edits(std::string_view text, const std::vector<Move>& moves) const {
    TextEdits out;
    out.reserve(moves.size());
    const auto write = [&](const Move& move, Key key, const std::optional<Vec3>& value) {
        if (!value)
            return true;
        const std::uint32_t slot = m_ours[move.instance][key];
        if (slot == NoSlot)
            return false;
        const std::string_view before = TextSpan{m_slots[slot].begin, m_slots[slot].end}.of(text);
        if (std::string now = vectorText(*value); now != before)
            out.push_back({m_slots[slot].begin, std::string(before), std::move(now)});
        return true;
    };
    for (const Move& move : moves)
        if (!write(move, Position, move.position) || !write(move, Rotation, move.rotation) || !write(move, Scale, move.scale))
            return std::nullopt;
    std::sort(out.begin(), out.end(), [](const TextEdit& a, const TextEdit& b) { return a.offset < b.offset; });
    return out;
}

} // namespace sbx::definition
