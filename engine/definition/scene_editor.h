#pragma once
// Finds instances of a scene's text by name and collects changes of them, keeping the derived names of the others. Inside this
// room only; keeps a view of the text.

#include "engine/definition/definitions.h"
#include "engine/definition/syntax_tree.h"
#include "engine/definition/text_changes.h"

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace sbx::definition {

class SceneEditor {
public:
    explicit SceneEditor(std::string_view text);

    // The first of that name, or null.
    [[nodiscard]] const SceneUnit* find(std::string_view name) const;
    [[nodiscard]] const std::vector<SceneUnit>& units() const { return m_units; }
    [[nodiscard]] const SyntaxUnit& syntax(const SceneUnit& unit) const { return tree.units()[unit.unit]; }
    // The error for a name that is not there, with the nearest that is.
    [[nodiscard]] Error unknown(std::string_view name) const;
    void setKey(const SceneUnit& unit, std::string_view key, std::string_view value) {
        changes.setKey(syntax(unit), key, value, instanceKeys().names());
    }
    // `after`: the scene as it will be, without the units that go; those whose derived name would change get
    // it in writing.
    void keepNames(std::vector<SceneUnit> after);
    // The text of a copy with another name, moved by `offset` metres.
    [[nodiscard]] Result<std::string> copyOf(const SceneUnit& unit, std::string_view newName,
                                             const Vec3& offset) const;

    SyntaxTree tree;
    TextChanges changes;

private:
    std::vector<SceneUnit> m_units;
    std::unordered_map<std::string_view, std::size_t> m_byName; // views of m_units
};

// The keys of an instance that name another one: its parent, and the settings that name an entity by the schema.
[[nodiscard]] std::vector<std::vector<std::string>> referencePaths(const Schema& schema);
// Where a unit of a scene names another instance: calls visit(path, place, name) for each such key that holds a text.
void eachReference(const SceneEditor& editor, const SceneUnit& unit, const std::vector<std::vector<std::string>>& paths,
                   const std::function<void(const std::vector<std::string>& path, const KeyPlace& place, const std::string& name)>& visit);
// A name that an instance's type sets, and the instance itself does not.
struct InheritedReference {
    std::string component;
    std::string key;
    std::string name;
};
[[nodiscard]] std::vector<InheritedReference> inheritedReferences(const SceneEditor& editor, const SceneUnit& unit,
                                                                  const std::vector<std::vector<std::string>>& paths,
                                                                  const Definitions& definitions);
// Marks what hangs from marked units, beside those; as editor.units().
void markChildren(const SceneEditor& editor, std::vector<bool>& marked);

// Names that no instance of a scene has. Finding n of them costs n, whatever the numbers at their ends are.
class FreeNames {
public:
    explicit FreeNames(const std::vector<std::string>& taken) : m_taken(taken.begin(), taken.end()) {}

    // "crate", or "crate_2", … if taken; a number at the end is counted on. Taken from then on.
    [[nodiscard]] std::string take(std::string_view wanted);

private:
    [[nodiscard]] std::size_t freeNumber(const std::string& base, std::size_t from);

    std::unordered_set<std::string> m_taken;
    // By base: a number that was taken when it was looked at, and one above it below which none is free.
    std::unordered_map<std::string, std::unordered_map<std::size_t, std::size_t>> m_next;
};

// Empty if the text is one well-formed value.
[[nodiscard]] std::string valueFault(std::string_view value);
// Empty if the value may stand for one of an instance's own keys.
[[nodiscard]] std::string instanceKeyFault(std::string_view key, std::string_view value);
[[nodiscard]] std::string vectorText(const Vec3& v);

} // namespace sbx::definition
