#pragma once
// `--selftest`: what the program needs of the machine, tried one after the other. The same runs under Help, as a page that can be copied
// into a report. Needs a QGuiApplication; GUI thread or, but for OpenGL, any other.

#include <QString>

#include <functional>
#include <vector>

namespace sbx::editor {

struct SelfTestResult {
    enum class Status { Pass, Fail, NotHere };
    QString name; // "OpenGL"
    Status status = Status::Pass;
    QString detail; // what was found
    QString advice; // what to do; empty: nothing
};

struct SelfTest {
    QString name;
    std::function<SelfTestResult()> run;
};

// In the order in which they are run. The plugin's takes a minute where a compiler is there, the others a few seconds.
[[nodiscard]] std::vector<SelfTest> selfTests();

// "OpenGL      pass      4.5, llvmpipe": one line, with what to do behind it.
[[nodiscard]] QString toLine(const SelfTestResult& result);

// Runs all, writes a line each to standard output as it comes. 0: none failed; 1 otherwise.
[[nodiscard]] int selfTest();

} // namespace sbx::editor
