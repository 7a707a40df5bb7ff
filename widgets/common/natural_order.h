#pragma once
// The order in which people expect names: runs of digits compare by their value, so that ball_2 comes before ball_10. Pure function;
// any thread.

#include <QStringView>

namespace sbx::ui {

// Negative: `a` comes first; positive: `b`; 0: they are the same text. Letters compare without regard to case first, then by code point;
// of digits with the same value, fewer leading zeros come first.
[[nodiscard]] int compareNaturally(QStringView a, QStringView b);

} // namespace sbx::ui
