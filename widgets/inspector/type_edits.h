#pragma once
// Changes of settings for all entities of a type, and the way between an entity and its type: overrides that become the type's own, a new
// type made of an entity. Each is one undo step over all files it changes. A built-in type is written into the project's first definition
// file by its first change. No widgets; GUI thread.

#include <QString>

#include "engine/core/fields.h"
#include "engine/definition/definitions.h"
#include "engine/definition/scene.h"
#include "engine/definition/text_edit.h"
#include "widgets/common/drag_hold.h"
#include "widgets/common/field_change.h"

#include <string>
#include <string_view>
#include <vector>

namespace sbx::ui {

class Document;
class ProjectModel;

class TypeEdits {
public:
    TypeEdits(Document& document, ProjectModel& project)
        : m_document(document), m_drag(document), m_project(project) {}

    // Nothing if the component's settings can be changed in the type; else why not.
    [[nodiscard]] QString settingLock(const std::string& type, const std::string& component) const;
    // What the type says of a field, itself or through its bases; null: nothing, so that the field has its default. Here and below the second
    // component of a kind is "Mesh#2".
    [[nodiscard]] const definition::Setting* setting(const std::string& type, const std::string& component,
                                                     std::string_view field) const;
    [[nodiscard]] std::size_t usedBy(const std::vector<std::string>& types) const;

    // In each of the types. A drag sends changes with committed = false and ends with true: one undo step.
    Result<void> change(const std::vector<std::string>& types, const std::string& component,
                        const FieldInfo& field, const FieldChange& change, bool committed);
    // What the types say themselves is taken out: the base's value holds, or the default.
    Result<void> revert(const std::vector<std::string>& types, const std::string& component,
                        const FieldInfo& field);
    // Whether the scene overrides settings of that instance: of one component or field; empty: of any.
    [[nodiscard]] bool hasOverrides(const std::string& entity, std::string_view component = {},
                                    std::string_view field = {}) const;
    // What the instance overrides becomes what its type says, and is no override any more. Other instances keep their own overrides.
    Result<void> applyOverrides(const std::string& entity, const std::string& component = {},
                                const std::string& field = {});
    // A type that extends the entity's and says what the entity overrides; the entity becomes the first of it.
    Result<void> makeType(const std::string& entity, const std::string& name);
    // A name for that: the entity's, as types are written.
    [[nodiscard]] std::string proposedTypeName(const std::string& entity) const;
    // What is wrong with a name for a new type; empty: nothing.
    [[nodiscard]] QString typeNameFault(const std::string& name) const;

private:
    // A component of a type, of several with one name the one that is meant.
    struct Part {
        const definition::ComponentDefinition* component = nullptr; // null: there is none
        std::string name;                                           // without its number
        bool several = false;
        std::size_t own = 0; // its number among those that stand in the type itself
    };
    [[nodiscard]] Part part(const std::string& type, const std::string& component) const;
    struct Override {
        std::string component;
        std::string key;
        std::string value; // TOML text
    };
    [[nodiscard]] const definition::InstanceDefinition* instance(const std::string& entity) const;
    [[nodiscard]] std::vector<Override> overridesOf(const std::string& entity, std::string_view component,
                                                    std::string_view field) const;
    // Edits of the scene that take them out.
    [[nodiscard]] Result<definition::TextEdits> without(const std::string& scene, const std::string& entity,
                                                        const std::vector<Override>& overrides) const;
    // The texts as they are now, read without a fault; otherwise what was read does not say what stands there.
    Result<void> readTexts();

    Document& m_document;
    DragHold m_drag;
    ProjectModel& m_project;
    std::vector<Value> m_starts; // of the types, at the start of a drag that adds to each
};

} // namespace sbx::ui
