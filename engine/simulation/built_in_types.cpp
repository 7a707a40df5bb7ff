#include "engine/simulation/built_in_types.h"

namespace sbx {

namespace {

// Shapes rest with their middle half a metre above what they stand on, and fall. The sound can be heard at once, without a file.
constexpr const char* Declarations = R"([Empty]
doc = "Nothing but a place: to hang others from, or to add components to."
icon = "entity"

[Box]
doc = "A cube of one metre that falls and collides."
icon = "box"

[Box.Body]
shape = "box"
size = [1.0, 1.0, 1.0]

[Box.Mesh]

[Sphere]
doc = "A ball of one metre that falls and rolls."
icon = "ball"

[Sphere.Body]
shape = "sphere"
radius = 0.5

[Sphere.Mesh]

[Capsule]
doc = "A cylinder with round ends, two metres high, that falls and collides."
icon = "capsule"

[Capsule.Body]
shape = "capsule"
radius = 0.5
height = 2.0

[Capsule.Mesh]

[Cylinder]
doc = "A cylinder, one metre wide and high, that falls and rolls."
icon = "cylinder"

[Cylinder.Body]
shape = "cylinder"
radius = 0.5
height = 1.0

[Cylinder.Mesh]

[Plane]
doc = "A flat square of ten metres that stays where it is: a floor, a wall."
icon = "plane"

[Plane.Body]
shape = "box"
size = [10.0, 0.1, 10.0]
motion = "static"

[Plane.Mesh]

[Mesh]
doc = "Something to see that nothing collides with: a mesh of a file, or a primitive."
icon = "mesh"

[Mesh.Mesh]

[Light]
doc = "A lamp that shines in all directions."
icon = "light"

[Light.Light]

[Camera]
doc = "A view of the world, along -Z, for the player program."
icon = "camera"

[Camera.Camera]

[Sound]
doc = "An audio source: a tone that sounds from where it stands. Choose a file, or another source."
icon = "sound"

[Sound.Sound]
source = "tone"
when = "start"
length = 0.0
gain = 0.2

[Trigger]
doc = "A volume of two metres that sends a message when something comes in or leaves."
icon = "trigger"

[Trigger.Body]
size = [2.0, 2.0, 2.0]
motion = "static"
trigger = true

[Trigger.Trigger]
)";

} // namespace

const definition::SourceFile& builtInTypes() {
    static const definition::SourceFile file{"built-in types", Declarations, false, true};
    return file;
}

std::string builtInTypeText(std::string_view name) {
    const std::string_view text = builtInTypes().text;
    const std::string header = "[" + std::string(name) + "]\n";
    std::size_t from = text.find("\n" + header);
    from = text.starts_with(header) ? 0 : from == std::string_view::npos ? from : from + 1;
    if (from == std::string_view::npos)
        return {};
    // Up to the header of another type: one without a point.
    for (std::size_t at = text.find("\n[", from); at != std::string_view::npos;
         at = text.find("\n[", at + 1)) {
        const std::string_view line = text.substr(at + 1, text.find(']', at) - at);
        if (line.find('.') == std::string_view::npos)
            return std::string(text.substr(from, at - from)); // without the empty line before it
    }
    return std::string(text.substr(from));
}

} // namespace sbx
