#pragma once
// What a person has changed in the running world by hand: inspector, gizmos, console. The scene does not have it, and Stop takes it
// back; this list remains until the next run begins, so that some of it can be written into the scene.

#include "engine/core/fields.h"
#include "engine/entity/entity.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sbx {

class World;

// One value of one entity.
struct LiveEdit {
    std::string entity;    // its name
    std::string component; // as Inspection names it ("Mesh", "Mesh#2"); empty: the place
    std::string field;     // of the place "position", "rotation" or "scale", in the parent's frame
    Value before;          // when the person changed it first in this run
    Value after;           // what it was set to last; the world may have changed it since
    std::uint8_t elements = 0xFF; // of the place: which numbers the person changed, bit 0 for x; the world moves the others
    std::string toml;             // `after` as files have it
    std::string shownBefore;      // as FieldInfo::format() writes them; of a place only the numbers that were changed: "z 3.5"
    std::string shownAfter;
    std::string obstacle; // why the scene cannot say it; empty: it can
};

// Thread: the session's; what published() returns belongs to everybody and does not change.
class LiveEdits {
public:
    using List = std::vector<LiveEdit>;

    // A value that a person has set. What the world computes itself (a component's state) does not count. Set back to what it was, it is
    // no change any more.
    void note(const Entity& entity, std::string_view component, const FieldInfo& field, const Value& before, const Value& after);
    // The place of an entity, in its parent's frame: the parts that differ.
    void notePlace(const Entity& entity, const Pose& before, const Pose& after);
    // Gives the entity back what it had before. False: it was not changed, or is gone.
    bool takeBack(World& world, std::string_view entity, std::string_view component, std::string_view field);
    // As if it had not been changed: it was written into the scene, or is to be forgotten.
    void forget(std::string_view entity, std::string_view component, std::string_view field);
    void clear();
    // Never null; in the order in which they were changed first.
    [[nodiscard]] const std::shared_ptr<const List>& published() const { return m_list; }
    // Null: it was not changed.
    [[nodiscard]] static const LiveEdit* find(const List& list, std::string_view entity, std::string_view component,
                                              std::string_view field);

private:
    std::shared_ptr<const List> m_list = std::make_shared<const List>(); // replaced, never changed
};

// A change of a living entity's place, as setField() changes its settings: of a part of it ("position", "rotation"), in the parent's frame.
void setLocalPlace(World& world, const Entity& entity, std::string_view part, const Vec3& value);
[[nodiscard]] Vec3 localPlace(const Entity& entity, std::string_view part);

} // namespace sbx
