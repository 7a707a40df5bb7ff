#include "widgets/common/component_choices.h"

#include <QCoreApplication>

#include "engine/simulation/catalog.h"
#include "engine/simulation/content.h"
#include "widgets/common/project_model.h"

#include <utility>

namespace sbx::ui {

namespace {

QString translatedChoice(const char* text) { return QCoreApplication::translate("ComponentEdits", text); }

} // namespace

QString reasonAgainstComponent(const ProjectModel& project, const definition::EntityTypeDefinition& type,
                               const ComponentType& component) {
    for (const definition::ComponentDefinition& present : type.components) {
        const ComponentType* other = project.content()->catalog->find(present.name);
        if (present.name == component.name)
            return translatedChoice("%1 has it already").arg(QString::fromStdString(type.name));
        if (other != nullptr && (component.excludes(*other) || other->excludes(component)))
            return translatedChoice("cannot stand beside %1").arg(QString::fromStdString(present.name));
    }
    return {};
}

std::vector<ComponentChoice> componentChoices(const ProjectModel& project, const std::vector<std::string>& names) {
    std::vector<ComponentChoice> out;
    const auto& content = project.content();
    if (!content || content->catalog == nullptr)
        return out;
    std::vector<const definition::EntityTypeDefinition*> types;
    for (const std::string& name : names)
        if (const definition::EntityTypeDefinition* type = content->definitions->find(name))
            types.push_back(type);
    if (types.empty())
        return out;
    for (const ComponentType* each : content->catalog->components) {
        ComponentChoice choice{QString::fromStdString(each->name), QString::fromStdString(each->category),
                               QString::fromStdString(each->doc), {}, {}};
        for (const std::string& alias : each->aliases)
            choice.aliases += QString::fromStdString(alias);
        for (const definition::EntityTypeDefinition* type : types) {
            const QString reason = reasonAgainstComponent(project, *type, *each);
            if (type == types.front() || reason.isEmpty())
                choice.reason = reason;
            if (reason.isEmpty())
                break;
        }
        out.push_back(std::move(choice));
    }
    return out;
}

} // namespace sbx::ui
