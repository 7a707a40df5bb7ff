#include "widgets/viewport/copy_step.h"

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace sbx::ui {

namespace {

constexpr float SamePlace = 2e-3F; // metres; texts have a tenth of a millimetre

Quat turnOf(const CopyStep& step) {
    return glm::normalize(step.copy.rotation * glm::conjugate(step.original.rotation));
}

bool isSameTurn(const Quat& a, const Quat& b) { return std::abs(glm::dot(a, b)) > 0.9999995F; }

// One that is scaled to nothing stays as it is.
Vec3 growthOf(const CopyStep& step) {
    Vec3 growth(1.0F);
    for (int i = 0; i < 3; ++i)
        if (step.original.scale[i] != 0.0F && std::isfinite(step.copy.scale[i] / step.original.scale[i]))
            growth[i] = step.copy.scale[i] / step.original.scale[i];
    return growth;
}

// How the whole set was turned and drawn apart around its middle.
struct Spread {
    Quat turn{1.0F, 0.0F, 0.0F, 0.0F};
    Quat axes{1.0F, 0.0F, 0.0F, 0.0F}; // along which it was drawn apart
    Vec3 factor{1.0F};

    [[nodiscard]] Vec3 of(const Vec3& arm) const {
        return turn * (axes * (glm::conjugate(axes) * arm * factor));
    }
};

} // namespace

bool CopyStep::turned() const { return !isSameTurn(turnOf(*this), Quat(1.0F, 0.0F, 0.0F, 0.0F)); }

bool CopyStep::scaled() const { return glm::length(growthOf(*this) - Vec3(1.0F)) > 1e-5F; }

void continueSteps(std::vector<CopyStep>& steps) {
    if (steps.empty())
        return;
    Vec3 from(0.0F);
    Vec3 to(0.0F);
    bool together = true;
    const Quat turn = turnOf(steps.front());
    const Vec3 growth = growthOf(steps.front());
    for (const CopyStep& step : steps) {
        from += step.original.position / static_cast<float>(steps.size());
        to += step.copy.position / static_cast<float>(steps.size());
        together = together && isSameTurn(turnOf(step), turn);
    }
    // A tool turns them about their middle and draws them apart along axes of one of them; a typed rotation leaves them where they are.
    const Quat level(1.0F, 0.0F, 0.0F, 0.0F);
    std::vector<Spread> ways{Spread{turn, level, Vec3(1.0F)}, Spread{}};
    for (const CopyStep& step : steps)
        if (ways.size() < 8)
            ways.push_back({turn, step.original.rotation, growth});
    const auto explains = [&](const Spread& way) {
        return std::all_of(steps.begin(), steps.end(), [&](const CopyStep& step) {
            const Vec3 meant = to + way.of(step.original.position - from);
            return glm::length(meant - step.copy.position)
                   < SamePlace + 1e-4F * glm::length(step.copy.position);
        });
    };
    const auto way = together ? std::find_if(ways.begin(), ways.end(), explains) : ways.end();
    for (CopyStep& step : steps) {
        step.next = step.copy;
        if (way != ways.end())
            step.next.position = to + (to - from) + way->of(step.copy.position - to);
        else
            step.next.position = step.copy.position + (step.copy.position - step.original.position);
        step.next.rotation = glm::normalize(turnOf(step) * step.copy.rotation);
        step.next.scale = step.copy.scale * growthOf(step);
    }
}

} // namespace sbx::ui
