#pragma once
// Which components an entity could have, and adding or removing one: for all entities of its type, in the definition, or for the one entity,
// which then gets a type of its own that extends the other. One undo step each. A built-in type is written into the project first. No widgets; window thread.

#include <QString>

#include "engine/core/result.h"
#include "engine/definition/definitions.h"

#include <string>
#include <vector>

namespace sbx::ui {

class Document;
class ProjectModel;

struct ComponentChoice {
    QString name;
    QString category; // "Physics"
    QString doc;
    QString reason; // why it cannot be added; empty: it can
};

enum class ComponentScope { AllOfType, OneEntity };

class ComponentEdits {
public:
    ComponentEdits(Document& document, ProjectModel& project) : m_document(document), m_project(project) {}

    // Every component there is, in the catalogue's order, as seen from an entity of that type.
    [[nodiscard]] std::vector<ComponentChoice> choices(const std::string& type) const;
    // How many instances of the scene a change of the type reaches: its own and those of types that extend it.
    [[nodiscard]] std::size_t usedBy(const std::string& type) const;
    // `entity` is an instance of the scene of that type; with AllOfType it only names who asked.
    Result<void> add(const std::string& entity, const std::string& type, const std::string& component, ComponentScope scope);
    // Overrides of the component go with it.
    Result<void> remove(const std::string& entity, const std::string& type, const std::string& component, ComponentScope scope);

private:
    // The definitions as they would be with another text of one file.
    [[nodiscard]] definition::Definitions definitionsWith(const std::string& file, const std::string& text) const;

    Document& m_document;
    ProjectModel& m_project;
};

} // namespace sbx::ui
