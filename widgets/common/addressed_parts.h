#pragma once
// Parts of a widget that paints them itself, for scripts (`--test-mode`) and tests: what they are called, and where a click reaches each.
// A widget that has such parts derives from it; views of models need not, since their rows have texts. GUI thread.

#include <QPoint>
#include <QStringList>

#include "engine/core/result.h"

namespace sbx::ui {

class AddressedParts {
public:
    AddressedParts() = default;
    AddressedParts(const AddressedParts&) = delete;
    AddressedParts& operator=(const AddressedParts&) = delete;
    virtual ~AddressedParts() = default;

    // Of those that can be seen, at most so many: "entity:door".
    [[nodiscard]] virtual QStringList partNames(int limit) const = 0;
    // A place in the widget where a click means the part. The error says why there is none: unknown, outside, hidden.
    [[nodiscard]] virtual Result<QPoint> placeOfPart(const QString& part) const = 0;
};

} // namespace sbx::ui
