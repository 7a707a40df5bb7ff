#include "widgets/common/type_text.h"

#include "engine/simulation/built_in_types.h"
#include "engine/simulation/content.h"
#include "widgets/common/document.h"
#include "widgets/common/project_model.h"

#include <algorithm>
#include <unordered_map>

namespace sbx::ui {

Result<TypeText> typeText(const Document& document, const ProjectModel& project, const std::string& type) {
    const auto& content = project.content();
    const definition::EntityTypeDefinition* found = content ? content->definitions->find(type) : nullptr;
    if (found == nullptr)
        return Error{"there is no entity type " + type, {}, {}};
    TypeText out;
    if (found->builtIn) {
        out.file = document.file(FileRole::Definitions);
        if (out.file.empty())
            return Error{"the project has no definition file to write " + type
                             + " into; name one in project.toml",
                         {},
                         {}};
        out.declaration = builtInTypeText(type);
        return out;
    }
    // As the reader was given it: a path.
    out.file = document.fileAt(QString::fromStdString(found->file));
    if (out.file.empty() && document.contains(found->file))
        out.file = found->file;
    if (out.file.empty())
        return Error{"the file of the entity type " + type + " is not open: " + found->file, {}, {}};
    return out;
}

Result<definition::TextEdits> declareType(std::string_view text, const std::string& type,
                                          const TypeText& where) {
    if (where.declaration.empty() || definition::declaresType(text, type))
        return definition::TextEdits{};
    return definition::addTypeText(text, type, where.declaration);
}

bool isOrExtends(const definition::Definitions& definitions, const std::string& type,
                 const std::string& base) {
    const definition::EntityTypeDefinition* at = definitions.find(type);
    // No type extends itself: definitions with a circle are left out.
    while (at != nullptr && at->name != base)
        at = at->extends.empty() ? nullptr : definitions.find(at->extends);
    return at != nullptr;
}

std::size_t instancesOf(const ProjectModel& project, const std::vector<std::string>& types) {
    const auto& content = project.content();
    if (!content)
        return 0;
    std::unordered_map<std::string, bool> known; // by type: whether it is reached
    std::size_t count = 0;
    for (const definition::InstanceDefinition& instance : content->scene.instances()) {
        const auto [reached, first] = known.emplace(instance.type, false);
        if (first)
            reached->second = std::any_of(types.begin(), types.end(), [&](const std::string& type) {
                return isOrExtends(*content->definitions, instance.type, type);
            });
        count += reached->second ? 1U : 0U;
    }
    return count;
}

std::string freeTypeName(const ProjectModel& project, const std::string& wanted) {
    const definition::Definitions& definitions = *project.content()->definitions;
    const auto taken = [&](const std::string& name) {
        return definitions.find(name) != nullptr || definitions.isBroken(name);
    };
    std::string name = wanted;
    for (int number = 2; taken(name); ++number)
        name = wanted + "_" + std::to_string(number);
    return name;
}

} // namespace sbx::ui
