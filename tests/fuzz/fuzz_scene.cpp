// Scene files: reading any bytes ends with instances that are sound and faults that lie in the file, every edit that is granted
// leads back, and in a sound scene an edit is what it says.
#include "engine/definition/scene.h"
#include "tests/definition/sample_schema.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/fuzz_text.h"

#include <cmath>
#include <set>

using namespace sbx;
using namespace sbx::definition;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const Schema Components = sample::schema();
    static const Definitions Types = sample::definitions(Components);
    const std::string text(fuzz::textOf(data, size));

    Diagnostics sink;
    const Scene scene = Scene::load(text, "f", Types, Components, sink);
    fuzz::checkPlaces(sink, text);
    std::set<std::string> names;
    for (const InstanceDefinition& instance : scene.instances()) {
        SBX_FUZZ_MUST(!instance.name.empty() && names.insert(instance.name).second);
        const EntityTypeDefinition* type = Types.find(instance.type);
        SBX_FUZZ_MUST(type != nullptr);
        SBX_FUZZ_MUST(instance.parent.empty() || scene.find(instance.parent) != nullptr);
        for (const Vec3& v : {instance.position, instance.rotation, instance.scale})
            SBX_FUZZ_MUST(std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z));
        for (const ComponentDefinition& component : overlaid(*type, instance.overrides))
            if (component.name == "Health")
                for (const Setting& setting : component.settings) {
                    const FieldInfo* const field = fieldsOf<sample::Health>().find(setting.entry.key);
                    SBX_FUZZ_MUST(field != nullptr && field->check(setting.value));
                }
    }

    const std::vector<std::string> written = sceneInstanceNames(text);
    const std::string name = written.empty() ? "crate" : written[data[0] % written.size()];
    const Result<TextEdits> moved = setInstanceKey(text, name, "position", "[1, 2, 3]");
    fuzz::checkEdits(text, moved);
    fuzz::checkEdits(text, setSceneValue(text, name, "Body", "mass", "9.5"));
    fuzz::checkEdits(text, removeSceneValue(text, name, "Body", "mass"));
    fuzz::checkEdits(text, removeInstanceKey(text, name, "parent"));
    fuzz::checkEdits(text, addInstance(text, "Crate", "", {}));
    fuzz::checkEdits(text, removeInstances(text, {name}));
    fuzz::checkEdits(text, duplicateInstance(text, name, freeInstanceName(text, "copy"), {1, 0, 0}));
    fuzz::checkEdits(text, renameInstance(text, name, freeInstanceName(text, "other"), &Components));
    if (scene.find(name) != nullptr && !sink.hasErrors() && moved) {
        Diagnostics none;
        const Scene after = Scene::load(*applyEdits(text, *moved), "f", Types, Components, none);
        SBX_FUZZ_MUST(after.find(name) != nullptr && after.find(name)->position == Vec3(1, 2, 3));
    }
    return 0;
}
