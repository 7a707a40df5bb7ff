#pragma once
// Edits of the shown text in terms of the tree's rows: types, instances, tables, components and keys are added, renamed, set, moved and
// deleted. Each is one step of the document, over all files that it changes, and changes the bytes it must. While something in the text is
// no statement of TOML, edits are refused with its place. No widgets; GUI thread.

#include <QString>

#include "engine/core/diagnostic.h"
#include "engine/definition/definitions.h"
#include "engine/definition/lookup.h"
#include "engine/definition/unwritten.h"
#include "widgets/common/component_choices.h"
#include "widgets/common/name_guard.h"
#include "widgets/common/document.h"

#include <optional>
#include <string>
#include <vector>

namespace sbx::ui {

class SessionFeed;

// What a row of the tree is about, by names, so that it survives edits.
struct TreePlace {
    using Kind = definition::OutlineNode::Kind;

    Kind kind = Kind::Table;
    Kind ownerKind = Kind::Table;
    std::string owner;     // the type, the instance or the table
    std::string component; // empty: of the owner itself
    std::size_t which = 0; // of several components of that name in the owner's text
    std::string
        key; // of a key, as it is written below its header: "mass", or "Body.mass" in the type's own table
    bool written = true; // false: the text does not say it

    [[nodiscard]] bool isValid() const { return !owner.empty(); }
};

class TreeEdits {
public:
    TreeEdits(Document& document, ProjectModel& project, SessionFeed& feed)
        : m_document(document), m_project(project), m_feed(feed) {}

    // The file that all places are in; one of the document's.
    void setFile(const std::string& file) { m_file = file; }
    [[nodiscard]] const std::string& file() const { return m_file; }
    [[nodiscard]] bool isOpen() const { return m_document.contains(m_file); }
    [[nodiscard]] definition::OutlinedFile outlined() const;
    [[nodiscard]] const definition::Schema& schema() const;
    [[nodiscard]] const definition::Definitions& definitions() const;

    // The field behind a key; null: none is known, its value is edited as TOML text.
    [[nodiscard]] const FieldInfo* fieldOf(const TreePlace& place) const;
    // The valid keys that the text does not say, of a component, or of the type or instance itself.
    [[nodiscard]] std::vector<const FieldInfo*> missingKeys(const TreePlace& place) const;
    [[nodiscard]] std::vector<ComponentChoice> componentChoices(const std::string& type) const;
    // Of an instance: the components of its type.
    [[nodiscard]] std::vector<std::string> componentsOf(const TreePlace& instance) const;
    struct Usage {
        std::size_t entities = 0; // of the open scene, of the type itself
        std::size_t types = 0;    // that extend it
        std::size_t settings = 0; // that name it, such as a spawner's
    };
    [[nodiscard]] Usage usageOf(const std::string& type) const;
    // The other definition files of the project.
    [[nodiscard]] std::vector<std::string> otherFiles() const;

    // `toml`: one value. Of an instance's name: a rename.
    Result<void> setValue(const TreePlace& place, const std::string& toml);
    // The reason against a name for the type or the entity of the row, and the nearest one that is allowed and free. None: it can have it.
    [[nodiscard]] std::optional<NameRefusal> nameRefusal(const TreePlace& place, const QString& name) const;
    // Writes the key with the value that it has anyhow.
    Result<void> addKey(const TreePlace& owner, const std::string& key);
    // Writes the keys of a component that are not written, with the values that they have anyhow; `all`: every key, with its default.
    Result<void> setDefaults(const TreePlace& component, bool all);
    // A key (its default or the base's value holds then), a component, an instance, or a type, used or not.
    Result<void> remove(const TreePlace& place);
    // The new type's name: one that is free. It stands at the end of the file.
    Result<std::string> addType(const std::string& extends);
    Result<std::string> duplicate(const TreePlace& place);
    // A type or an instance; what refers to it follows, in every file.
    Result<void> rename(const TreePlace& place, const std::string& name);
    Result<void> addComponent(const std::string& type, const std::string& component);

    // A component or a type by so many places up (-1) or down.
    Result<void> moveBy(const TreePlace& place, int step);
    // A type before another one of the file, or behind the last.
    Result<void> moveType(const std::string& type, const std::optional<std::string>& before);
    Result<void> moveTypeTo(const std::string& type, const std::string& file);
    // A component into a type, the same or another, before its component number `before`, or behind all.
    Result<void> moveComponent(const TreePlace& component, const std::string& type,
                               std::optional<std::size_t> before, bool copy);

    // The row as TOML text, as the file says it.
    [[nodiscard]] Result<std::string> textOf(const TreePlace& place) const;
    // Puts such a text in: types behind the others, components and keys into the type (or its component) of the place.
    Result<void> paste(const TreePlace& place, const std::string& text);

    // The number of a type's component among those in its text; nothing: it is not written as a table.
    [[nodiscard]] std::optional<std::size_t> partOf(const TreePlace& component) const;
    // What keeps the tree from editing; nothing: it can.
    [[nodiscard]] std::optional<Diagnostic> fault() const;

private:
    [[nodiscard]] const std::string& text() const { return m_document.text(m_file); }
    [[nodiscard]] Result<void> ready() const;
    Result<void> apply(Result<definition::TextEdits> edits, const QString& label);
    Result<void> applyAll(std::vector<FileEdit> edits, const QString& label);
    [[nodiscard]] std::vector<std::string> typeNames() const; // of all definition files, faulty ones included
    [[nodiscard]] std::string freeType(const std::string& wanted) const;
    [[nodiscard]] Result<definition::TextEdits> setIn(std::string_view text, const TreePlace& place,
                                                      const std::string& toml) const;
    [[nodiscard]] Result<definition::TextEdits> removeIn(std::string_view text, const TreePlace& place) const;
    [[nodiscard]] std::string valueInForce(const TreePlace& owner, const FieldInfo& field) const;
    [[nodiscard]] std::vector<definition::OutlineNode> nodesWithUnwritten() const;
    [[nodiscard]] Result<void> renameTypeEverywhere(const std::string& type, const std::string& name);

    Document& m_document;
    ProjectModel& m_project;
    SessionFeed& m_feed;
    std::string m_file;
    definition::Definitions m_none; // before a project is open
};

} // namespace sbx::ui
