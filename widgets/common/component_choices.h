#pragma once
// Which components can be added to entity types, for the inspector and the definition panel. GUI thread.

#include <QString>
#include <QStringList>

#include <string>
#include <vector>

namespace sbx {
struct ComponentType;
namespace definition {
struct EntityTypeDefinition;
}
} // namespace sbx

namespace sbx::ui {

class ProjectModel;

struct ComponentChoice {
    QString name;
    QString category; // "Physics"
    QString doc;
    QStringList aliases; // other words that find it
    QString reason; // why it cannot be added; empty: it can
};

// Every component there is, in the catalogue's order. One that none of the types can have comes with the reason, the first type's. Empty:
// none of the types is in force.
[[nodiscard]] std::vector<ComponentChoice> componentChoices(const ProjectModel& project, const std::vector<std::string>& types);

// Why the type cannot have the component; empty: it can.
[[nodiscard]] QString reasonAgainstComponent(const ProjectModel& project, const definition::EntityTypeDefinition& type,
                                             const ComponentType& component);

} // namespace sbx::ui
