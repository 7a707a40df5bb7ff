#pragma once
// Which entities refer to which others: settings that name an entity (a trigger's target, the body a hinge hangs on), as the types and the
// instances of a scene give them, or as a living entity has them. And the way along these references, one key press at a time.
// Pure; any thread.

#include "engine/definition/scene.h"
#include "engine/simulation/snapshot.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sbx::ui {

struct EntityLink {
    std::string from;
    std::string component; // "Trigger", or "Key#2" for the second of a kind
    std::string field;     // "target"
    std::string to;        // may be `from`
    bool broken = false;   // there is no entity of that name

    friend bool operator==(const EntityLink&, const EntityLink&) = default;
};

// Reads them from definitions. Looks at each type once; both arguments outlive it.
class LinkReader {
public:
    LinkReader(const definition::Schema& schema, const definition::Definitions& definitions)
        : m_schema(schema), m_definitions(definitions) {}

    // Adds those of an entity of that type. `instance`: what the scene overrides; may be null.
    void read(const std::string& entity, const std::string& type, const definition::InstanceDefinition* instance,
              std::vector<EntityLink>& into);

private:
    struct Reference {
        std::string component; // without its number
        std::string shown;     // with it
        std::string field;
        std::string value; // as the type says; may be empty
    };
    [[nodiscard]] const std::vector<Reference>& referencesOf(const std::string& type);

    const definition::Schema& m_schema;
    const definition::Definitions& m_definitions;
    std::unordered_map<std::string, std::vector<Reference>> m_known;
};

// As they are in a running world. Fields that hold an entity instead of its name are found in `entities`.
[[nodiscard]] std::vector<EntityLink> linksOf(const Inspection& living, const EntityList& entities);

// All of a scene or a world, to be asked from both ends.
class EntityLinks {
public:
    EntityLinks() = default;
    EntityLinks(std::vector<EntityLink> links, const std::function<bool(const std::string& entity)>& exists);

    [[nodiscard]] const std::vector<EntityLink>& all() const { return m_links; }
    // In the order of the scene. A link of an entity to itself is in both.
    [[nodiscard]] std::vector<EntityLink> from(const std::string& entity) const { return found(m_from, entity); }
    [[nodiscard]] std::vector<EntityLink> to(const std::string& entity) const { return found(m_to, entity); }

private:
    using Index = std::unordered_map<std::string, std::vector<std::size_t>>;
    [[nodiscard]] std::vector<EntityLink> found(const Index& index, const std::string& entity) const;

    std::vector<EntityLink> m_links;
    Index m_from;
    Index m_to;
};

// The other ends, each once, in their order: without what is not there, and without `entity` itself.
[[nodiscard]] std::vector<std::string> targetsOf(const std::vector<EntityLink>& from, const std::string& entity);
[[nodiscard]] std::vector<std::string> referrersOf(const std::vector<EntityLink>& to, const std::string& entity);

// Remembers where a person came from, so that a repeated press takes the next of several, and the way back leads where it began.
class LinkWalk {
public:
    enum class Way { Targets, Referrers };
    struct Step {
        std::string entity;
        std::size_t number = 1; // of `count`
        std::size_t count = 1;
    };
    // From the entity that is selected now; nothing: no way leads on. `ends`: the other ends of an entity's references, that way.
    std::optional<Step> step(const std::string& now, Way way, const std::function<std::vector<std::string>(const std::string& entity)>& ends);

private:
    std::string m_origin;
    std::string m_landed;
    Way m_way = Way::Targets;
    bool m_several = false;
};

} // namespace sbx::ui
