#pragma once
// Entity types read from definition files: inheritance resolved, every setting checked against the schema,
// and each setting's place known, so that errors, inspector and trace can point at the line that set it. A
// Definitions value is immutable and may be shared between threads.

#include "engine/core/math.h"
#include "engine/core/source_value.h"
#include "engine/definition/schema.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sbx::definition {

struct SourceFile {
    std::string name; // for diagnostics, as people know it
    std::string text;
    bool missing = false; // could not be read, which is reported elsewhere: a use of its types is no fault
    // Comes with the program: each of its types gives way to one of that name in another file.
    bool builtIn = false;
};

// One key of a component, checked. entry.value.file and its regions give the line; `owner` the entity type it
// stands in (the type itself or one it extends), or, in a scene, the instance.
struct Setting {
    SourceEntry entry;
    std::string owner;
    Value value; // as FieldInfo::fromSource gave it
};

struct ComponentDefinition {
    std::string name;
    std::string file; // where its table first stands
    SourceRegion region;
    std::string owner;             // the entity type that brought it in
    std::vector<Setting> settings; // base first, each key once

    [[nodiscard]] const Setting* find(std::string_view key) const;
};

// Whether both are of one component and give the same settings the same values in the same order, wherever they stand.
[[nodiscard]] bool sameSettings(const ComponentDefinition& a, const ComponentDefinition& b);

struct EntityTypeDefinition {
    std::string name;
    std::string doc;
    std::string icon;
    std::optional<Vec4> color; // linear
    std::string extends;       // empty: nothing
    std::string file;
    SourceRegion region;                         // its name in the first header
    std::vector<ComponentDefinition> components; // those of the base first, in file order
    bool builtIn = false;                        // of a file that comes with the program

    [[nodiscard]] const ComponentDefinition* find(std::string_view component) const;
};

class Definitions {
public:
    // All files together are one set of types: a type may extend one of another file. Types with a fault are
    // left out, and so are those that extend them (one warning each); the rest loads.
    // Built-in types come last. One whose name stands in another file, or may stand in a file that could not be read, is left out, and so
    // is one of which the schema lacks a component.
    [[nodiscard]] static Definitions load(const std::vector<SourceFile>& files, const Schema& schema,
                                          Diagnostics& sink);

    [[nodiscard]] const std::vector<EntityTypeDefinition>& types() const { return m_types; }
    [[nodiscard]] const EntityTypeDefinition* find(std::string_view name) const;
    [[nodiscard]] std::vector<std::string> names() const;
    // Types that stand in the files but were left out, by name.
    [[nodiscard]] const std::vector<std::string>& broken() const { return m_broken; }
    // Left out, or possibly so: when a whole file could not be read, any unknown name may have stood in it.
    [[nodiscard]] bool isBroken(std::string_view name) const;

private:
    std::vector<EntityTypeDefinition> m_types;
    std::map<std::string, std::size_t, std::less<>> m_index;
    std::vector<std::string> m_broken;
    bool m_lostFile = false;
};

} // namespace sbx::definition
