#pragma once
// What a session runs, made from a project's texts: checked definitions and a checked scene. Immutable; made on any thread
// (the editor parses on its own and hands the result to the session).

#include "engine/definition/definitions.h"
#include "engine/definition/project.h"
#include "engine/definition/scene.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace sbx {

class ComponentRegistry;
struct ComponentType;
struct Catalog;

struct Content {
    definition::Project project;
    // The components that existed when it was read; null: the engine's own.
    std::shared_ptr<const Catalog> catalog;
    std::shared_ptr<const definition::Definitions> definitions;
    std::string sceneFile; // as in diagnostics: the path of the scene
    definition::Scene scene;
};

// The components, which of them exclude each other, and the message types that files may name.
[[nodiscard]] definition::Schema makeSchema(std::span<const ComponentType* const> components);
[[nodiscard]] definition::Schema makeSchema(const ComponentRegistry& registry);

// Reads the bytes of a file of the project; the editor answers with its unsaved texts.
using TextSource = std::function<Result<std::string>(const std::filesystem::path&)>;

// Called with the project as read, before its other texts: sets Content::catalog, if there is one, and returns the schema that those
// texts are checked against. The schema lives for as long as loadContent() runs.
using SchemaSource = std::function<const definition::Schema&(Content&)>;

// Loads everything a project names. All faults of all files go to the sink. Null if the project itself is unusable (missing,
// malformed, no scene); otherwise what could be read, with faulty types and instances left out.
// `scene` (relative to the project's folder) takes the place of the project's scene; empty: the project's.
// With the project's plugins: loadContent() of engine/plugin/plugin_host.h.
[[nodiscard]] std::shared_ptr<const Content> loadContent(const std::filesystem::path& project, const std::string& scene,
                                                         const SchemaSource& schemaFor, Diagnostics& sink,
                                                         const TextSource& source = {});
// The same beside components that are known already: plugins that the project names are not loaded.
[[nodiscard]] std::shared_ptr<const Content> loadContent(const std::filesystem::path& project, const std::string& scene,
                                                         const definition::Schema& schema, Diagnostics& sink,
                                                         const TextSource& source = {});

} // namespace sbx
