#pragma once
// Changes of which components entities have, of their order, and of many settings at once: for all entities of the types, in the
// definitions, or for some entities alone, which then get types of their own that extend the others. Each is one undo step over all files
// it changes, and costs the number of entities and the length of the texts. A built-in type is written into the project first. No widgets;
// GUI thread.

#include <QString>

#include "engine/core/result.h"
#include "engine/definition/definitions.h"
#include "engine/definition/text_edit.h"
#include "widgets/common/component_choices.h"
#include "widgets/inspector/component_clip.h"

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace sbx::ui {

class Document;
class ProjectModel;
class SessionFeed;

enum class ComponentScope { AllOfType, OneEntity };

// Entities of the scene that have one type.
struct ComponentTarget {
    std::string type;
    std::vector<std::string> entities;
};
using ComponentTargets = std::vector<ComponentTarget>;
[[nodiscard]] std::size_t countOf(const ComponentTargets& targets);

// What came of a change.
struct ComponentOutcome {
    std::size_t changed = 0; // entities; with AllOfType all of the changed types
    std::vector<std::pair<QString, std::size_t>> skipped; // why not, and how many of the asked entities

    std::vector<std::pair<std::string, std::string>> types; // that were made, each with the type that it extends

    void skip(const QString& why, std::size_t entities);
    // "Added Light to 9 entities; 3 skipped: Crate has it already.", and which types were made.
    [[nodiscard]] QString text(const QString& done) const;
};

class ComponentEdits {
public:
    ComponentEdits(Document& document, ProjectModel& project, SessionFeed& feed)
        : m_document(document), m_project(project), m_feed(feed) {}

    // Every component there is, in the catalogue's order. One that none of the targets can have comes with the reason.
    [[nodiscard]] std::vector<ComponentChoice> choices(const ComponentTargets& targets) const;
    // How many instances of the scene a change of the type reaches: its own and those of types that extend it.
    [[nodiscard]] std::size_t usedBy(const std::string& type) const;
    [[nodiscard]] std::size_t usedBy(const ComponentTargets& targets) const;

    // Targets that have it, or have what it cannot stand beside, are skipped; if that is all of them, it is an error.
    Result<ComponentOutcome> add(const ComponentTargets& targets, const std::string& component, ComponentScope scope);
    // Overrides of the component go with it. Targets that do not have it are skipped.
    Result<ComponentOutcome> remove(const ComponentTargets& targets, const std::string& component, ComponentScope scope);
    // Adds the components of the clip with their settings.
    Result<ComponentOutcome> paste(const ComponentTargets& targets, const ComponentClip& clip, ComponentScope scope);
    // Sets what the clip says in components that are there. OneEntity: overrides in the scene, and while the world runs, the living entities.
    Result<ComponentOutcome> pasteValues(const ComponentTargets& targets, const ComponentClip& clip, ComponentScope scope);
    // Another order of the type's own components: by their places among all it has. What a base brings stays before them.
    Result<void> move(const std::string& type, std::size_t from, std::size_t to);

private:
    using EditsByFile = std::map<std::string, definition::TextEdits>;
    // Changes the declaration of a type, which stands in the text.
    using TypeChange = std::function<Result<definition::TextEdits>(const std::string& text, const std::string& type)>;
    // Edits of definitions that change the type itself, after those in `edits`.
    Result<void> changeType(EditsByFile& edits, const std::string& type, const TypeChange& change) const;
    // A new type that extends it, changed likewise. Its name.
    Result<std::string> extendType(EditsByFile& edits, const std::string& type, const TypeChange& change) const;
    Result<void> pushEdits(EditsByFile edits, const QString& label);
    // The same change of all targets, in their types or in new ones; `without`: a component whose overrides go (OneEntity).
    // The types that were made go into `outcome`.
    Result<EditsByFile> editsFor(const ComponentTargets& targets, ComponentScope scope, const std::string& without,
                                 const std::function<TypeChange(const ComponentTarget& target)>& changeOf, ComponentOutcome& outcome) const;
    Result<ComponentOutcome> pasteAs(const ComponentTargets& targets, const ComponentClip& clip, ComponentScope scope, const QString& verb);
    Result<ComponentOutcome> valuesInTypes(const ComponentTargets& targets, const ComponentClip& clip);
    Result<ComponentOutcome> valuesInScene(const ComponentTargets& targets, const ComponentClip& clip);
    // The definitions as they would be with these texts of some files.
    [[nodiscard]] definition::Definitions definitionsWith(const std::map<std::string, std::string>& texts) const;
    // Those of the targets whose entities are in the scene as it is now: a question may have stood open meanwhile.
    [[nodiscard]] Result<ComponentTargets> present(const ComponentTargets& targets, ComponentOutcome& outcome);

    Document& m_document;
    ProjectModel& m_project;
    SessionFeed& m_feed;
};

} // namespace sbx::ui
