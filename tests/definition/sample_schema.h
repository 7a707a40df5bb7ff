#pragma once
// Components to check definition texts against, and a set of entity types for scenes.

#include "engine/definition/definitions.h"

namespace sbx::definition::sample {

enum class Shape { Box, Sphere, Plane };

struct Body {
    Shape shape = Shape::Box;
    Vec3 size{1.0F};
    float mass = 1.0F;
    bool trigger = false;
    int layer = 0;
    static void describe(FieldList<Body>& f) {
        f.add("shape", &Body::shape, "Form.").choices({"box", "sphere", "plane"});
        f.add("size", &Body::size, "Full edge lengths.").unit("m").range(0.001, 1e4);
        f.add("mass", &Body::mass, "Mass of a dynamic body.").unit("kg").range(0.001, 1e6);
        f.add("trigger", &Body::trigger, "Touches without pushing.");
        f.add("layer", &Body::layer, "Collision layer.").range(0, 31);
    }
};

struct Mesh {
    std::string file;
    Vec4 color{1.0F};
    static void describe(FieldList<Mesh>& f) {
        f.add("file", &Mesh::file, "Mesh file.").role(TextRole::AssetPath);
        f.add("color", &Mesh::color, "Tint.").color().range(0.0, 1.0);
    }
};

struct Health {
    float maximum = 100.0F;
    static void describe(FieldList<Health>& f) {
        f.add("maximum", &Health::maximum, "Health at the start.").atLeast(0.0);
    }
};

struct Spawner {
    std::string spawns;
    std::string on;
    static void describe(FieldList<Spawner>& f) {
        f.add("spawns", &Spawner::spawns, "What it makes.").role(TextRole::EntityType);
        f.add("on", &Spawner::on, "The message that makes it.").role(TextRole::MessageType);
    }
};

struct Hinge {
    std::string anchor;
    static void describe(FieldList<Hinge>& f) {
        f.add("anchor", &Hinge::anchor, "What it hangs on.").role(TextRole::EntityName);
    }
};

struct Touch {
    float damage = 0.0F;
    static void describe(FieldList<Touch>& f) {
        f.add("damage", &Touch::damage, "Damage at a touch.").atLeast(0.0);
    }
};

inline Schema schema() {
    Schema s;
    s.add({"Body", "A physical body.", &fieldsOf<Body>()});
    s.add({"Mesh", "What it looks like.", &fieldsOf<Mesh>()});
    s.add({"Health", "Takes damage.", &fieldsOf<Health>()});
    s.add({"Spawner", "Makes entities.", &fieldsOf<Spawner>()});
    s.add({"Hinge", "Hangs on another entity.", &fieldsOf<Hinge>()});
    s.add({"Touch", "Hurts what it touches.", &fieldsOf<Touch>(), false});
    s.add({"Player", "Obeys the keyboard.", nullptr});
    s.setMessageTypes({"Damage", "Death", "Trigger"});
    return s;
}

inline constexpr const char* Types = R"([Crate]
doc  = "A wooden box: falls, stacks, breaks."
icon = "crate"

[Crate.Body]
shape = "box"
size  = [1.0, 1.0, 1.0]   # metres
mass  = 5.0

[Crate.Health]
maximum = 40

[HeavyCrate]
extends = "Crate"
[HeavyCrate.Body]
mass = 50.0

[Door]
[Door.Body]
[Door.Hinge]

[Bat]
[[Bat.Touch]]
damage = 1
[[Bat.Touch]]
damage = 2
)";

inline Definitions definitions(const Schema& schema) {
    Diagnostics sink;
    return Definitions::load({{"entities.toml", Types}}, schema, sink);
}

} // namespace sbx::definition::sample
