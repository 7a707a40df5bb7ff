#pragma once
// Entities are brought into line: aligned by their boxes as they are drawn, spread evenly, set down on what is below. Those that hang from
// another of the names go with it, locked ones stay. Each call is one undo step of the scene's text, and an error while a world runs. GUI
// thread; editor, picture and document outlive it.

#include "engine/core/result.h"

#include <string>
#include <vector>

class QString;

namespace sbx::ui {

class Document;
class EntityEditor;
class ShownScene;
struct ArrangeItem; // arrange_edits.cpp

enum class AlignTo { Minimum, Middle, Maximum };

class ArrangeEdits {
public:
    ArrangeEdits(EntityEditor& editor, ShownScene& shown, Document& document) : m_editor(editor), m_shown(shown), m_document(document) {}

    // Along an axis of the world (0: X, 1: Y, 2: Z), to that side or the middle of the box around all of them. At least two.
    Result<void> align(const std::vector<std::string>& names, int axis, AlignTo to);
    // The outermost two stay, the middles of the others lie at equal distances between theirs. At least three.
    Result<void> distribute(const std::vector<std::string>& names, int axis);
    // Down (or up, out of it) onto the highest surface below the middle of their box. One that lands on another of them goes down with it.
    // An error if nothing lies below any of them.
    Result<void> dropToFloor(const std::vector<std::string>& names);

private:
    [[nodiscard]] Result<std::vector<ArrangeItem>> itemsOf(const std::vector<std::string>& names, std::size_t least) const;
    Result<void> move(const std::vector<ArrangeItem>& items, const QString& label);

    EntityEditor& m_editor;
    ShownScene& m_shown;
    Document& m_document;
};

} // namespace sbx::ui
