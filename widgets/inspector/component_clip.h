#pragma once
// Components on the clipboard: as the tables of a definition file, so that they can be pasted into a text and tables of a text into the
// inspector. No widgets; GUI thread.

#include <QString>
#include <QStringList>

#include "engine/core/fields.h"
#include "engine/core/result.h"
#include "engine/simulation/snapshot.h"

#include <string>
#include <string_view>
#include <vector>

class QMimeData;

namespace sbx {
struct Catalog;
}

namespace sbx::ui {

// One component of a clip, with the settings that can be used.
struct ClippedComponent {
    struct Setting {
        const FieldInfo* field = nullptr;
        Value value;

        // Compared as they are written: what was read of a file and what a component holds differ in what single precision loses.
        [[nodiscard]] bool equals(const Value& other) const { return field->formatToml(value) == field->formatToml(other); }
    };
    const ComponentType* type = nullptr;
    std::vector<Setting> settings;

    // As a table of that entity type, without what is the default anyway.
    [[nodiscard]] std::string table(std::string_view entityType) const;
};
struct ComponentClip {
    std::vector<ClippedComponent> components;
    QStringList faults; // what of the text cannot be used, a sentence each
};

// Fills `mime` with the components' settings: text holds what differs from the defaults, as a definition file says it; all settings go
// into a format of the program's own, which readClip() prefers, so that pasted values are the same as those that were copied.
void writeClip(QMimeData& mime, const std::string& entityType, const std::vector<const InspectedComponent*>& components);
// An error if the clipboard does not hold tables of components, or nothing of them can be used.
[[nodiscard]] Result<ComponentClip> readClip(const QMimeData* mime, const Catalog& catalog);

} // namespace sbx::ui
