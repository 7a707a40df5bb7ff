#pragma once

namespace sbx::editor {

// `--selftest`: checks what the editor needs of the machine and prints a line each. 0 if all is well, 1 otherwise.
[[nodiscard]] int selfTest();

} // namespace sbx::editor
