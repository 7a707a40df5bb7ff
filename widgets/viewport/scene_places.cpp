#include "widgets/viewport/scene_places.h"

#include "engine/definition/lookup.h"
#include "engine/definition/toml_document.h"

#include <algorithm>

namespace sbx::ui {

namespace {

// Three finite numbers, or `otherwise`.
Vec3 vectorFrom(const std::string& text, const Vec3& otherwise) {
    const Result<SourceValue> value = definition::parseTomlValue(text);
    if (!value || value->kind != SourceValue::Kind::Array || value->array.size() != 3)
        return otherwise;
    Vec3 out(0.0F);
    for (int i = 0; i < 3; ++i) {
        const SourceValue& element = value->array[static_cast<std::size_t>(i)];
        if (!element.isNumber())
            return otherwise;
        out[i] = static_cast<float>(element.asNumber());
    }
    return isFinite(out) ? out : otherwise;
}

std::string textFrom(const std::string& text) {
    const Result<SourceValue> value = definition::parseTomlValue(text);
    return value && value->kind == SourceValue::Kind::String ? value->text : std::string();
}

} // namespace

ScenePlaces ScenePlaces::read(std::string_view sceneText) {
    ScenePlaces places;
    for (const definition::OutlineNode& node : definition::outline(sceneText)) {
        if (node.kind != definition::OutlineNode::Kind::Instance || places.m_byName.contains(node.name))
            continue;
        ScenePlace place;
        place.name = node.name;
        place.type = node.detail;
        Vec3 degrees(0.0F);
        for (const definition::OutlineNode& key : node.children) {
            if (key.kind != definition::OutlineNode::Kind::Key)
                continue;
            if (key.name == "position")
                place.local.position = vectorFrom(key.detail, Vec3(0.0F));
            else if (key.name == "rotation")
                degrees = vectorFrom(key.detail, Vec3(0.0F));
            else if (key.name == "scale")
                place.local.scale = vectorFrom(key.detail, Vec3(1.0F));
            else if (key.name == "parent")
                place.parent = textFrom(key.detail);
        }
        place.local.rotation = fromEulerDegrees(degrees);
        places.m_byName.emplace(place.name, places.m_places.size());
        places.m_places.push_back(std::move(place));
    }
    // A parent may stand anywhere in the file; a cycle ends after as many steps as there are instances.
    for (ScenePlace& place : places.m_places) {
        place.world = place.local;
        const ScenePlace* up = places.find(place.parent);
        for (std::size_t steps = 0; up != nullptr && steps < places.m_places.size(); ++steps) {
            place.world = compose(up->local, place.world);
            up = places.find(up->parent);
        }
    }
    return places;
}

const ScenePlace* ScenePlaces::find(std::string_view name) const {
    if (name.empty())
        return nullptr;
    const auto it = m_byName.find(std::string(name));
    return it == m_byName.end() ? nullptr : &m_places[it->second];
}

Pose ScenePlaces::parentPose(const ScenePlace& place) const {
    const ScenePlace* parent = find(place.parent);
    return parent != nullptr ? parent->world : Pose{};
}

bool ScenePlaces::hangsFrom(std::string_view name, const std::vector<std::string>& others) const {
    const ScenePlace* place = find(name);
    for (std::size_t steps = 0; place != nullptr && steps < m_places.size(); ++steps) {
        place = find(place->parent);
        if (place != nullptr && place->name != name && std::find(others.begin(), others.end(), place->name) != others.end())
            return true;
    }
    return false;
}

std::vector<std::string> ScenePlaces::topmost(const std::vector<std::string>& names) const {
    std::vector<std::string> result;
    for (const std::string& name : names)
        if (find(name) != nullptr && !hangsFrom(name, names))
            result.push_back(name);
    return result;
}

} // namespace sbx::ui
