#include "engine/definition/schema.h"

#include "engine/core/contracts.h"

#include <algorithm>

namespace sbx::definition {

namespace {

// What the readers check keys against; the values themselves go into the definitions' own structs.
struct EntityTypeKeys {
    std::string extends;
    std::string doc;
    std::string icon;
    Vec4 color{1.0F};
    static void describe(FieldList<EntityTypeKeys>& f) {
        f.add("extends", &EntityTypeKeys::extends, "The entity type this one starts from, key by key.")
            .role(TextRole::EntityType);
        f.add("doc", &EntityTypeKeys::doc, "What it is and does, in one line.");
        f.add("icon", &EntityTypeKeys::icon, "Name of its icon in the editor.");
        f.add("color", &EntityTypeKeys::color, "Colour of its icon in the editor.").color().range(0.0, 1.0);
    }
};

struct InstanceKeys {
    std::string type;
    std::string name;
    Vec3 position{0.0F};
    Vec3 rotation{0.0F};
    Vec3 scale{1.0F};
    std::string parent;
    std::string layer;
    static void describe(FieldList<InstanceKeys>& f) {
        f.add("type", &InstanceKeys::type, "The entity type to make.").role(TextRole::EntityType);
        f.add("name", &InstanceKeys::name, "Its name, unique in the scene.");
        f.add("position", &InstanceKeys::position, "Where it stands, in its parent's frame.")
            .unit("m")
            .range(-1e6, 1e6);
        f.add("rotation", &InstanceKeys::rotation,
              "How it is turned: about Y, then its own X, then its own Z.")
            .unit("deg")
            .range(-1e6, 1e6);
        f.add("scale", &InstanceKeys::scale, "How much larger than its type.").range(0.001, 1e4);
        f.add("parent", &InstanceKeys::parent, "The entity it moves with.").role(TextRole::EntityName);
        f.add("layer", &InstanceKeys::layer,
              "The layer of the editor that it is in, and what hangs from it; the world runs the same in any.");
    }
};

// Of every file the same, so that a file can move to another project.
template <typename Keys> void describeFormat(FieldList<Keys>& f) {
    f.add("format", &Keys::format, "Which way of writing files this is: 1, also where it is not said.")
        .range(1, 1);
}

struct DefinitionFileKeys {
    int format = 1;
    static void describe(FieldList<DefinitionFileKeys>& f) { describeFormat(f); }
};

struct SceneKeys {
    std::string name;
    int format = 1;
    static void describe(FieldList<SceneKeys>& f) {
        f.add("name", &SceneKeys::name, "The scene's name, as people see it.");
        describeFormat(f);
    }
};

struct ProjectKeys {
    std::string name;
    std::string scene;
    std::string definitions;
    std::string plugins;
    int format = 1;
    static void describe(FieldList<ProjectKeys>& f) {
        f.add("name", &ProjectKeys::name, "The project's name, as people see it.");
        f.add("scene", &ProjectKeys::scene, "The scene that opens first.").role(TextRole::AssetPath);
        f.add("definitions", &ProjectKeys::definitions, "A list of entity definition files.")
            .role(TextRole::AssetPath);
        f.add("plugins", &ProjectKeys::plugins, "A list of libraries with components of your own.")
            .role(TextRole::AssetPath);
        describeFormat(f);
    }
};

} // namespace

void Schema::add(ComponentSchema component) {
    SBX_EXPECT(find(component.name) == nullptr, "a component is described once");
    m_components.push_back(std::move(component));
}

const ComponentSchema* Schema::find(std::string_view name) const {
    const auto it = std::find_if(m_components.begin(), m_components.end(),
                                 [&](const ComponentSchema& c) { return c.name == name; });
    return it == m_components.end() ? nullptr : &*it;
}

std::vector<std::string> Schema::names() const {
    std::vector<std::string> out;
    for (const ComponentSchema& component : m_components)
        out.push_back(component.name);
    return out;
}

const FieldTable& entityTypeKeys() { return fieldsOf<EntityTypeKeys>(); }

const FieldTable& instanceKeys() { return fieldsOf<InstanceKeys>(); }

const FieldTable& definitionFileKeys() { return fieldsOf<DefinitionFileKeys>(); }

const FieldTable& sceneKeys() { return fieldsOf<SceneKeys>(); }

const FieldTable& projectKeys() { return fieldsOf<ProjectKeys>(); }

} // namespace sbx::definition
