#pragma once
// How two bodies' materials combine, and how contacts on meshes are smoothed. Bullet keeps these as process-
// wide function pointers; every world sets the same ones, once.

namespace sbx::physics::detail {

void setPairRules();

} // namespace sbx::physics::detail
