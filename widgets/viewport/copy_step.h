#pragma once
// What was done to copies since they lay on their originals, and the same once more: the mathematics of duplicating again and again in a
// row, in a ring, growing. Pure; any thread.

#include "engine/core/math.h"

#include <vector>

namespace sbx::ui {

struct CopyStep {
    Pose original; // all in the world
    Pose copy;
    Pose next; // of a copy of the copy; set by continueSteps()

    [[nodiscard]] bool turned() const;
    [[nodiscard]] bool scaled() const;
};

// Of copies that were made together. Their middle goes on by the way it came. Around it they are turned and drawn apart as they were, if they
// were as one; else each goes on by its own way. Each by itself is turned and scaled as it was.
void continueSteps(std::vector<CopyStep>& steps);

} // namespace sbx::ui
