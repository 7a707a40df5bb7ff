#include "engine/simulation/content.h"

#include "engine/definition/text_file.h"
#include "engine/entity/component_type.h"
#include "engine/message/message_type.h"
#include "engine/simulation/asset_checks.h"
#include "engine/simulation/built_in_types.h"

namespace sbx {

definition::Schema makeSchema(std::span<const ComponentType* const> components) {
    definition::Schema schema;
    for (const ComponentType* type : components) {
        std::vector<std::string> excludes;
        for (const ComponentType* other : components)
            if (other != type && type->excludes(*other))
                excludes.push_back(other->name);
        schema.add({type->name, type->doc, type->settings, type->unique, std::move(excludes)});
    }
    std::vector<std::string> messages;
    for (const MessageType* type : messageTypes())
        messages.push_back(type->name);
    schema.setMessageTypes(std::move(messages));
    return schema;
}

definition::Schema makeSchema(const ComponentRegistry& registry) {
    std::vector<const ComponentType*> components;
    for (const ComponentType& type : registry.types())
        components.push_back(&type);
    return makeSchema(components);
}

std::shared_ptr<const Content> loadContent(const std::filesystem::path& project, const std::string& scene,
                                           const SchemaSource& schemaFor, Diagnostics& sink, const TextSource& source) {
    const TextSource read =
        source ? source
               : TextSource([](const std::filesystem::path& path) { return definition::readTextFile(path); });
    const auto content = std::make_shared<Content>();
    // Files are read through `source`, so that unsaved texts count.
    std::error_code ignored;
    std::filesystem::path file = project;
    if (std::filesystem::is_directory(project, ignored))
        file = project / "project.toml";
    const Result<std::string> projectText = read(file);
    if (!projectText) {
        sink.add({Severity::Error, file.string(), {1, 1, 1, 1}, projectText.error().message, {}, {}});
        return nullptr;
    }
    Result<definition::Project> parsed = definition::parseProject(*projectText, file, sink);
    if (!parsed)
        return nullptr;
    content->project = std::move(*parsed);
    if (!scene.empty())
        content->project.scene = scene;
    const definition::Schema& schema = schemaFor(*content);

    std::vector<definition::SourceFile> files;
    for (const std::string& relative : content->project.definitions) {
        const std::filesystem::path path = content->project.path(relative);
        Result<std::string> text = read(path);
        if (text)
            files.push_back({path.string(), std::move(*text)});
        else {
            // Its types are missing, not unknown: one fault, no echo in the scene.
            files.push_back({path.string(), {}, true});
            sink.add({Severity::Error, path.string(), {1, 1, 1, 1}, text.error().message, {}, {}});
        }
    }
    files.push_back(builtInTypes());
    content->definitions =
        std::make_shared<const definition::Definitions>(definition::Definitions::load(files, schema, sink));

    const std::filesystem::path scenePath = content->project.path(content->project.scene);
    content->sceneFile = scenePath.string();
    const Result<std::string> sceneText = read(scenePath);
    if (sceneText)
        content->scene =
            definition::Scene::load(*sceneText, content->sceneFile, *content->definitions, schema, sink);
    else
        sink.add({Severity::Error, content->sceneFile, {1, 1, 1, 1}, sceneText.error().message, {}, {}});
    checkAssets(*content, schema, sink);
    return content;
}

std::shared_ptr<const Content> loadContent(const std::filesystem::path& project, const std::string& scene,
                                           const definition::Schema& schema, Diagnostics& sink, const TextSource& source) {
    const SchemaSource known = [&](Content&) -> const definition::Schema& { return schema; };
    return loadContent(project, scene, known, sink, source);
}

} // namespace sbx
