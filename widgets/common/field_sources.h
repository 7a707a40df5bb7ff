#pragma once
// The choices that field editors offer from the open project and the running world: entities, entity types, messages, files. GUI thread.

#include "widgets/common/field_editor.h"

namespace sbx::ui {

class Document;
class ProjectModel;
class SessionFeed;

// Keeps references to all three.
[[nodiscard]] FieldSources fieldSources(const Document& document, const ProjectModel& project,
                                        SessionFeed& feed);

} // namespace sbx::ui
