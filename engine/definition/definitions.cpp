#include "engine/definition/definitions.h"

#include "engine/core/nearest.h"
#include "engine/core/value.h"
#include "engine/definition/checks.h"
#include "engine/definition/consequences.h"
#include "engine/definition/toml_document.h"

#include <algorithm>
#include <map>
#include <set>

namespace sbx::definition {

const Setting* ComponentDefinition::find(std::string_view key) const {
    const auto it =
        std::find_if(settings.begin(), settings.end(), [&](const Setting& s) { return s.entry.key == key; });
    return it == settings.end() ? nullptr : &*it;
}

bool sameSettings(const ComponentDefinition& a, const ComponentDefinition& b) {
    return a.name == b.name
           && std::equal(a.settings.begin(), a.settings.end(), b.settings.begin(), b.settings.end(),
                         [](const Setting& x, const Setting& y) {
                             return x.entry.key == y.entry.key && x.value == y.value;
                         });
}

const ComponentDefinition* EntityTypeDefinition::find(std::string_view component) const {
    const auto it = std::find_if(components.begin(), components.end(),
                                 [&](const ComponentDefinition& c) { return c.name == component; });
    return it == components.end() ? nullptr : &*it;
}

namespace {

// A component while types are put together: one that is taken out stays, since a type further down may put it
// back.
struct Part {
    ComponentDefinition definition;
    bool enabled = true;
    std::string disabledBy;
};

// One entity type: first its own text, then what comes of it.
struct TypeDraft {
    EntityTypeDefinition type; // without components
    SourceEntry extends;       // key empty: none
    struct Own {
        OwnComponent read;
        bool list = false; // written as [[Crate.Touch]]
        std::string key;
        SourceRegion region;
    };
    std::vector<Own> own;
    bool broken = false;
    enum class State { Untouched, Underway, Done } state = State::Untouched;
    std::vector<Part> parts;
};

class Loader {
public:
    Loader(const Schema& schema, Diagnostics& sink) : m_schema(schema), m_sink(sink) {}

    void read(const SourceFile& file);
    void resolve();
    [[nodiscard]] std::vector<TypeDraft>& drafts() { return m_drafts; }
    [[nodiscard]] const std::set<std::string>& lost() const { return m_lost; }
    [[nodiscard]] bool lostFile() const { return m_lostFile; }

private:
    void readType(const SourceEntry& entry, bool builtIn);
    [[nodiscard]] bool isWanted(const SourceEntry& entry) const;
    bool readTypeKey(const SourceEntry& entry, TypeDraft& draft);
    bool readPart(const SourceEntry& entry, TypeDraft& draft);
    void climb(std::size_t index);
    void assemble(TypeDraft& draft);
    bool merge(TypeDraft& draft);
    bool checkExclusions(const TypeDraft& draft);

    const Schema& m_schema;
    Diagnostics& m_sink;
    std::vector<TypeDraft> m_drafts;
    std::map<std::string, std::size_t, std::less<>> m_index;
    std::set<std::string> m_lost; // names of chunks that could not be read
    bool m_lostFile = false;
    NameSet m_known;
};

// `format = 1` before the first type; [format] is a type of that name. Null: the file does not say it.
const SourceEntry* formatOf(const SourceValue& root) {
    const SourceEntry* const format = root.find("format");
    if (format == nullptr || format->value.kind == SourceValue::Kind::Table)
        return nullptr;
    const std::vector<SourceValue>& list = format->value.array;
    return list.empty() || list.front().kind != SourceValue::Kind::Table ? format : nullptr;
}

void Loader::read(const SourceFile& file) {
    if (file.missing) {
        m_lostFile = true;
        return;
    }
    const TomlDocument document = TomlDocument::parse(file.text, file.name, m_sink);
    m_lostFile = m_lostFile || document.isUnreadable();
    for (const TomlDocument::BrokenChunk& chunk : document.broken())
        if (!chunk.name.empty())
            m_lost.insert(chunk.name);
    const SourceEntry* const format = formatOf(document.root());
    if (!checkFormat(format, file.name, "the definition file", m_sink)) {
        m_lostFile = true;
        return;
    }
    for (const SourceEntry& entry : document.root().table)
        if (&entry != format && (!file.builtIn || isWanted(entry)))
            readType(entry, file.builtIn);
}

// Whether a built-in type has its name to itself and all its components.
bool Loader::isWanted(const SourceEntry& entry) const {
    if (m_lostFile || m_index.contains(entry.key) || m_lost.contains(entry.key))
        return false;
    return std::all_of(entry.value.table.begin(), entry.value.table.end(), [&](const SourceEntry& key) {
        return !isPartName(key.key) || m_schema.find(key.key) != nullptr;
    });
}

void Loader::readType(const SourceEntry& entry, bool builtIn) {
    if (entry.value.kind != SourceValue::Kind::Table) {
        const bool tables = entry.value.kind == SourceValue::Kind::Array && !entry.value.array.empty()
                            && entry.value.array.front().kind == SourceValue::Kind::Table;
        addFault(m_sink, entry.value, entry.keyRegion,
                 tables ? inQuotes(entry.key) + " is a list of tables"
                        : inQuotes(entry.key) + " stands outside any entity type",
                 tables ? "[" + entry.key + "]" : "a header such as [Crate] above it");
        m_lost.insert(entry.key);
        return;
    }
    if (!isTypeName(entry.key)) {
        addFault(m_sink, entry.value, entry.keyRegion, inQuotes(entry.key) + " cannot name an entity type",
                 "a letter, then letters, digits, _ or -");
        m_lost.insert(entry.key);
        return;
    }
    if (const auto before = m_index.find(entry.key); before != m_index.end()) {
        const EntityTypeDefinition& first = m_drafts[before->second].type;
        addFault(m_sink, entry.value, entry.keyRegion,
                 entry.key + " is given twice, first in " + first.file + ":"
                     + std::to_string(first.region.line),
                 "each type once");
        m_drafts[before->second].broken = true;
        return;
    }
    m_index.emplace(entry.key, m_drafts.size());
    TypeDraft& draft = m_drafts.emplace_back();
    draft.type.name = entry.key;
    draft.type.file = entry.value.file;
    draft.type.region = entry.keyRegion;
    draft.type.builtIn = builtIn;
    for (const SourceEntry& key : entry.value.table) {
        const bool part = isPartName(key.key) || key.value.kind == SourceValue::Kind::Table;
        if (!(part ? readPart(key, draft) : readTypeKey(key, draft)))
            draft.broken = true;
    }
    // A part of the type could not be read: what is left of it is not the type.
    if (m_lost.contains(draft.type.name))
        draft.broken = true;
}

bool Loader::readTypeKey(const SourceEntry& entry, TypeDraft& draft) {
    Value value;
    const FieldInfo* const field =
        readField(entry, entry.value.file, entityTypeKeys(), "an entity type has no key",
                  ", or a component [" + draft.type.name + ".Name]", value, m_sink);
    if (field == nullptr)
        return false;
    if (field->name == "extends")
        draft.extends = entry;
    else if (field->name == "doc")
        draft.type.doc = std::get<std::string>(value);
    else if (field->name == "icon")
        draft.type.icon = std::get<std::string>(value);
    else
        draft.type.color = std::get<Vec4>(value);
    return true;
}

bool Loader::readPart(const SourceEntry& entry, TypeDraft& draft) {
    const ComponentSchema* component = m_schema.find(entry.key);
    const std::string header = draft.type.name + "." + entry.key;
    if (component == nullptr && entry.value.kind != SourceValue::Kind::Table
        && entry.value.kind != SourceValue::Kind::Array)
        return readTypeKey(entry, draft); // "Doc" for "doc"
    if (component == nullptr) {
        const auto names = m_schema.names();
        addUnknownComponent(m_sink, entry.value, entry.keyRegion, entry.key, names, m_schema);
        return false;
    }
    const auto add = [&](const SourceValue& table, bool list) {
        TypeDraft::Own& own = draft.own.emplace_back();
        own.read = readComponent(entry, table, *component, m_schema, draft.type.name, m_sink);
        own.list = list;
        own.key = entry.key;
        own.region = entry.keyRegion;
        return own.read.valid;
    };
    if (entry.value.kind == SourceValue::Kind::Table)
        return add(entry.value, false);
    const bool tables =
        entry.value.kind == SourceValue::Kind::Array && !entry.value.array.empty()
        && std::all_of(entry.value.array.begin(), entry.value.array.end(),
                       [](const SourceValue& v) { return v.kind == SourceValue::Kind::Table; });
    if (!tables || component->unique) {
        addFault(m_sink, entry.value, tables ? entry.keyRegion : entry.value.region,
                 tables ? entry.key + " is a list of tables"
                        : entry.key + " is " + entry.value.describeKind(),
                 component->unique ? "[" + header + "], once" : "[" + header + "] or [[" + header + "]]");
        return false;
    }
    bool sound = true;
    for (const SourceValue& table : entry.value.array)
        sound = add(table, true) && sound;
    return sound;
}

void Loader::resolve() {
    for (const TypeDraft& draft : m_drafts)
        m_known.add(draft.type.name);
    for (const std::string& name : m_lost)
        m_known.add(name);
    for (TypeDraft& draft : m_drafts)
        for (const TypeDraft::Own& own : draft.own)
            if (!m_lostFile && !checkTypeReferences(own.read.definition, m_schema, m_known, m_sink))
                draft.broken = true;
    for (std::size_t i = 0; i < m_drafts.size(); ++i)
        climb(i);
}

// From a type up to the first base that is done, then down again: no recursion, a chain may be long.
void Loader::climb(std::size_t index) {
    std::vector<std::size_t> chain;
    std::size_t at = index;
    while (m_drafts[at].state == TypeDraft::State::Untouched) {
        m_drafts[at].state = TypeDraft::State::Underway;
        chain.push_back(at);
        const auto base = m_index.find(m_drafts[at].extends.value.text);
        if (m_drafts[at].extends.key.empty() || base == m_index.end())
            break;
        at = base->second;
        if (m_drafts[at].state == TypeDraft::State::Underway) {
            const auto first = std::find(chain.begin(), chain.end(), at);
            // Reported once, at the first of them in the files, whichever type the search began with.
            const std::size_t teller = *std::min_element(first, chain.end());
            const SourceValue& value = m_drafts[teller].extends.value;
            std::rotate(first, std::find(first, chain.end(), teller), chain.end());
            std::string names;
            for (auto it = first; it != chain.end(); ++it) {
                names += m_drafts[*it].type.name + " -> ";
                m_drafts[*it].broken = true;
                m_drafts[*it].state = TypeDraft::State::Done;
            }
            addFault(m_sink, value, value.region,
                     m_drafts[teller].type.name + " extends itself: " + names + m_drafts[teller].type.name,
                     "a type that does not lead back here");
            break;
        }
    }
    for (auto it = chain.rbegin(); it != chain.rend(); ++it) {
        TypeDraft& draft = m_drafts[*it];
        if (draft.state == TypeDraft::State::Done)
            continue;
        assemble(draft);
        draft.state = TypeDraft::State::Done;
    }
}

void Loader::assemble(TypeDraft& draft) {
    if (!draft.extends.key.empty()) {
        const SourceValue& value = draft.extends.value;
        draft.type.extends = value.text;
        const auto base = m_index.find(value.text);
        if (base == m_index.end() && !m_lostFile && !m_lost.contains(value.text)) {
            addFault(m_sink, value, value.region, "extends names no entity type: " + inQuotes(value.text),
                     "the name of an entity type", m_known.nearest(value.text, m_sink));
            draft.broken = true;
            return;
        }
        if (base == m_index.end() || m_drafts[base->second].broken) {
            // Its own faults, if any, are reported; the missing base would only repeat them.
            if (!draft.broken)
                m_sink.add(leftOutWithBase(value.file, value.region, draft.type.name, value.text));
            draft.broken = true;
            return;
        }
        const TypeDraft& parent = m_drafts[base->second];
        draft.parts = parent.parts;
        if (draft.type.icon.empty())
            draft.type.icon = parent.type.icon;
        if (draft.type.doc.empty())
            draft.type.doc = parent.type.doc;
        if (!draft.type.color)
            draft.type.color = parent.type.color;
    }
    if (!merge(draft))
        draft.broken = true;
}

bool Loader::merge(TypeDraft& draft) {
    bool sound = true;
    std::set<std::string> replaced; // lists stand for all of the base's components of that name
    for (TypeDraft::Own& own : draft.own) {
        const auto same = [&](const Part& part) { return part.definition.name == own.key; };
        const auto first = std::find_if(draft.parts.begin(), draft.parts.end(), same);
        const auto count = std::count_if(draft.parts.begin(), draft.parts.end(), same);
        const bool off = own.read.enabled == false;
        if (own.list && replaced.insert(own.key).second)
            draft.parts.erase(std::remove_if(first, draft.parts.end(), same), draft.parts.end());
        if (own.list || count == 0) {
            draft.parts.push_back({own.read.definition, !off, draft.type.name});
            continue;
        }
        if (count > 1) {
            const std::string header = draft.type.name + "." + own.key;
            m_sink.add({Severity::Error,
                        draft.type.file,
                        own.region,
                        "the base has " + own.key + " " + std::to_string(count) + " times",
                        "[[" + header + "]], which replaces them all",
                        {}});
            sound = false;
            continue;
        }
        overlay(first->definition.settings, own.read.definition.settings);
        if (own.read.enabled) {
            first->enabled = !off;
            first->disabledBy = draft.type.name;
        } else if (!first->enabled) {
            m_sink.add({Severity::Warning,
                        draft.type.file,
                        own.region,
                        own.key + " has no effect: " + first->disabledBy + " took it out",
                        "enabled = true to put it back",
                        {}});
        }
    }
    return checkExclusions(draft) && sound;
}

// Two components of which one is the other: reported at the type's own, or at its name where both come from bases.
bool Loader::checkExclusions(const TypeDraft& draft) {
    bool sound = true;
    for (std::size_t i = 0; i < draft.parts.size(); ++i)
        for (std::size_t k = 0; k < i; ++k) {
            if (!draft.parts[i].enabled || !draft.parts[k].enabled)
                continue;
            const std::string& later = draft.parts[i].definition.name;
            const std::string& earlier = draft.parts[k].definition.name;
            const ComponentSchema* const component = m_schema.find(later);
            if (component == nullptr
                || std::find(component->excludes.begin(), component->excludes.end(), earlier)
                       == component->excludes.end())
                continue;
            const auto own = std::find_if(draft.own.rbegin(), draft.own.rend(), [&](const TypeDraft::Own& o) {
                return o.key == later || o.key == earlier;
            });
            m_sink.add({Severity::Error,
                        draft.type.file,
                        own != draft.own.rend() ? own->region : draft.type.region,
                        draft.type.name + " has " + earlier + " and " + later + ", and one is the other",
                        "at most one of them",
                        {}});
            sound = false;
        }
    return sound;
}

} // namespace

Definitions Definitions::load(const std::vector<SourceFile>& files, const Schema& schema, Diagnostics& sink) {
    Loader loader(schema, sink);
    for (const bool builtIn : {false, true})
        for (const SourceFile& file : files)
            if (file.builtIn == builtIn)
                loader.read(file);
    loader.resolve();

    Definitions out;
    out.m_lostFile = loader.lostFile();
    std::set<std::string> broken = loader.lost();
    for (TypeDraft& draft : loader.drafts()) {
        if (draft.broken) {
            broken.insert(draft.type.name);
            continue;
        }
        EntityTypeDefinition& type = out.m_types.emplace_back(std::move(draft.type));
        for (Part& part : draft.parts)
            if (part.enabled)
                type.components.push_back(std::move(part.definition));
    }
    out.m_broken.assign(broken.begin(), broken.end());
    for (std::size_t i = 0; i < out.m_types.size(); ++i)
        out.m_index.emplace(out.m_types[i].name, i);
    return out;
}

const EntityTypeDefinition* Definitions::find(std::string_view name) const {
    const auto it = m_index.find(name);
    return it == m_index.end() ? nullptr : &m_types[it->second];
}

std::vector<std::string> Definitions::names() const {
    std::vector<std::string> out;
    for (const EntityTypeDefinition& type : m_types)
        out.push_back(type.name);
    return out;
}

bool Definitions::isBroken(std::string_view name) const {
    return std::binary_search(m_broken.begin(), m_broken.end(), name)
           || (m_lostFile && find(name) == nullptr);
}

} // namespace sbx::definition
