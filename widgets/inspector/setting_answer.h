#pragma once
// Who sets a setting: what gives it its value, where that stands, and which step of the undo history was made for it. No widgets; GUI thread.

#include <QString>

#include <string>

namespace sbx::ui {

class Document;
class ProjectModel;
class TypeEdits;

struct SettingQuestion {
    std::string entity;
    std::string type;      // of the entity
    std::string component; // "Mesh#2" is the second of its kind
    std::string field;
    bool live = false; // a person has changed it in this run
};

struct SettingAnswer {
    QString text; // as it may be shown
    // Where the value stands, if that is in a file of the document; file as there, line and column from 1. Empty, 0: nowhere.
    std::string file;
    int line = 0;
    int column = 0;
};

// From the texts as they are now; with a fault in them from the last that had none, and without a place.
[[nodiscard]] SettingAnswer whoSets(const SettingQuestion& question, Document& document,
                                    ProjectModel& project, const TypeEdits& types);

} // namespace sbx::ui
