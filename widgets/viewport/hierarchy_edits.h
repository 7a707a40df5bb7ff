#pragma once
// What hangs from what, as edits of the scene's text: another parent, none, groups. Everything keeps its place in the world. Each call is
// one undo step, and an error while a world runs: the scene file says who is whose parent. GUI thread; editor, document and selection
// outlive it.

#include "engine/core/result.h"

#include <optional>
#include <string>
#include <vector>

class QString;

namespace sbx {
struct Pose;
}
namespace sbx::definition {
struct InstanceParent;
}

namespace sbx::ui {

class Document;
class EntityEditor;
class Selection;

class HierarchyEdits {
public:
    HierarchyEdits(EntityEditor& editor, Document& document, Selection& selection)
        : m_editor(editor), m_document(document), m_selection(selection) {}

    // Those of the names that hang from no other of them become children of `parent`; empty: of nothing. Their own children stay with them.
    // A parent that would hang from itself is an error, and nothing changes.
    Result<void> setParent(const std::vector<std::string>& names, const std::string& parent);
    // All but the last of the names become children of the last.
    Result<void> parentToLast(const std::vector<std::string>& names, const std::string& last);
    // Puts them below a new entity of the built-in type Empty in their middle and selects that. It hangs from what all of them hang from,
    // else from nothing. Returns its name.
    Result<std::string> group(const std::vector<std::string>& names);
    // What hangs from the names hangs from their parents then, and is selected. Those of them that are of the type Empty are removed.
    Result<void> ungroup(const std::vector<std::string>& names);

    // Whether one of the names has children in the scene.
    [[nodiscard]] bool anyHasChildren(const std::vector<std::string>& names) const;
    [[nodiscard]] bool anyHasParent(const std::vector<std::string>& names) const;

private:
    // The scene's file; an error if it cannot be edited now.
    [[nodiscard]] Result<std::string> fileFor(const char* what) const;
    // The entity below that parent, which stands at `frame`, where it is in the world now.
    [[nodiscard]] definition::InstanceParent below(const std::string& name, const std::string& parent, const Pose& frame) const;

    EntityEditor& m_editor;
    Document& m_document;
    Selection& m_selection;
};

} // namespace sbx::ui
