#pragma once
// What the targets for definition, scene and project texts share.

#include "engine/core/diagnostic.h"
#include "engine/definition/text_edit.h"
#include "tests/fuzz/fuzz.h"

#include <algorithm>
#include <string>

namespace sbx::fuzz {

inline void checkPlaces(const Diagnostics& sink, const std::string& text) {
    // A line ends at \n, \r\n or a lone \r.
    int lines = 1;
    for (std::size_t i = 0; i < text.size(); ++i)
        if (text[i] == '\n' || (text[i] == '\r' && (i + 1 == text.size() || text[i + 1] != '\n')))
            ++lines;
    for (const Diagnostic& fault : sink.items) {
        SBX_FUZZ_MUST(!fault.what.empty() && fault.file == "f");
        SBX_FUZZ_MUST(fault.region.line >= 1 && fault.region.line <= lines && fault.region.column >= 1);
        SBX_FUZZ_MUST(fault.region.endLine > fault.region.line
                      || (fault.region.endLine == fault.region.line
                          && fault.region.endColumn >= fault.region.column));
    }
}

inline void checkEdits(const std::string& text, const Result<definition::TextEdits>& edits) {
    if (!edits)
        return;
    const Result<std::string> changed = definition::applyEdits(text, *edits);
    SBX_FUZZ_MUST(changed.ok());
    const Result<std::string> back = definition::applyEdits(*changed, definition::inverseOf(*edits));
    SBX_FUZZ_MUST(back.ok() && *back == text);
}

} // namespace sbx::fuzz
