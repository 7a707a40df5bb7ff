// Project files: reading any bytes ends with a project whose paths stay in its folder, or with faults that lie in the file.
#include "engine/core/cvar.h"
#include "engine/definition/project.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/fuzz_text.h"

using namespace sbx;
using namespace sbx::definition;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(fuzz::textOf(data, size));
    Diagnostics sink;
    const Result<Project> project = parseProject(text, "f", sink);
    fuzz::checkPlaces(sink, text);
    SBX_FUZZ_MUST(project.ok() || sink.hasErrors());
    if (project) {
        SBX_FUZZ_MUST(pathFault(project->scene).empty() || project->scene.empty());
        CVarRegistry cvars;
        const CVar<int> seed = cvars.add<int>("sim.seed", 1, "Seed.", {.minimum = 0, .maximum = 1000});
        const CVar<Vec3> wind = cvars.add<Vec3>("sim.wind", Vec3(0.0F), "Wind.", {.minimum = -50, .maximum = 50});
        Diagnostics faults;
        for (const CVarSetting& setting : project->cvars)
            cvars.setFromSource({setting.name, setting.keyRegion, setting.value}, CVarSource::Project, faults, "f");
        fuzz::checkPlaces(faults, text);
        SBX_FUZZ_MUST(seed.get() >= 0 && seed.get() <= 1000);
        SBX_FUZZ_MUST(wind.get().x >= -50.0F && wind.get().x <= 50.0F);
    }
    fuzz::checkEdits(text, setTableValue(text, "cvars", "sim.tickRate", "30"));
    fuzz::checkEdits(text, setTableValue(text, "project", "name", "\"P\""));
    return 0;
}
