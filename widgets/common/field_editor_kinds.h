#pragma once
// Shared by the sources of the field editors only.

#include "widgets/common/field_editor.h"

namespace sbx::ui {

template <typename T> T valueOr(const Value& value, T fallback) {
    const T* held = std::get_if<T>(&value);
    return held != nullptr ? *held : fallback;
}

[[nodiscard]] FieldEditor* createTextEditor(const FieldInfo& field, const Theme& theme,
                                            const FieldSources& sources, QWidget* parent);

} // namespace sbx::ui
