// Definition files: reading any bytes ends with types whose settings are sound and faults that lie in the file; what stands
// under a caret and every edit that is granted hold up too.
#include "engine/definition/completion.h"
#include "engine/definition/definitions.h"
#include "engine/definition/lookup.h"
#include "engine/definition/text_edit.h"
#include "engine/definition/toml_syntax.h"
#include "tests/definition/sample_schema.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/fuzz_text.h"

using namespace sbx;
using namespace sbx::definition;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const Schema Components = sample::schema();
    static const Definitions Known = sample::definitions(Components);
    const std::string text(fuzz::textOf(data, size));

    Diagnostics sink;
    const Definitions read = Definitions::load({{"f", text}}, Components, sink);
    fuzz::checkPlaces(sink, text);
    for (const EntityTypeDefinition& type : read.types())
        for (const ComponentDefinition& component : type.components)
            if (component.name == "Body")
                for (const Setting& setting : component.settings) {
                    const FieldInfo* const field = fieldsOf<sample::Body>().find(setting.entry.key);
                    SBX_FUZZ_MUST(field != nullptr && field->check(setting.value));
                }

    const std::size_t caret = size == 0 ? 0 : (data[0] * 256U + data[size - 1]) % (size + 1);
    const TextLocation at = locate(text, caret);
    SBX_FUZZ_MUST(at.word.begin <= at.word.end && at.word.end <= size);
    static_cast<void>(complete(text, at, Components, Known));
    static_cast<void>(describe(at, Components, Known));
    static_cast<void>(outline(text));

    const std::string type = read.types().empty() ? "Crate" : read.types().front().name;
    fuzz::checkEdits(text, setDefinitionValue(text, type, "Body", "mass", "9.5"));
    fuzz::checkEdits(text, removeDefinitionValue(text, type, "Body", "mass"));
    fuzz::checkEdits(text, addComponent(text, type, "Mesh"));
    fuzz::checkEdits(text, removeComponent(text, type, "Body", false));
    fuzz::checkEdits(text, addType(text, "Fresh", type));
    return 0;
}
