#include "engine/simulation/kept_content.h"

#include <algorithm>

namespace sbx {

namespace {

bool areAmong(const Diagnostics& errors, const Diagnostics& others) {
    return std::all_of(errors.items.begin(), errors.items.end(), [&](const Diagnostic& fault) {
        return fault.severity != Severity::Error
               || std::find(others.items.begin(), others.items.end(), fault) != others.items.end();
    });
}

bool isFaultOf(const Diagnostic& fault, const std::string& file) {
    return fault.severity != Severity::Error || fault.file == file;
}

} // namespace

KeptContent keepContent(const Content& last, const std::shared_ptr<const Content>& now,
                        const Diagnostics& faults, std::string_view sceneText,
                        const definition::Schema& schema) {
    Diagnostics withLast;
    auto content =
        std::make_shared<Content>(Content{last.project, last.catalog, last.definitions, last.sceneFile, {}});
    content->scene = definition::Scene::load(sceneText, last.sceneFile, *last.definitions, schema, withLast);
    const bool onlyScene =
        now != nullptr && now->sceneFile == last.sceneFile
        && std::all_of(faults.items.begin(), faults.items.end(),
                       [&](const Diagnostic& fault) { return isFaultOf(fault, now->sceneFile); });
    if (onlyScene && areAmong(faults, withLast))
        *content = *now;
    definition::Scene::Completed completed =
        content->scene.completed(sceneText, last.scene, *content->definitions);
    content->scene = std::move(completed.scene);
    return {std::move(content), std::move(completed.missing)};
}

} // namespace sbx
