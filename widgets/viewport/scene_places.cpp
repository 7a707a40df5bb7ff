#include "widgets/viewport/scene_places.h"

#include <algorithm>
#include <unordered_set>

namespace sbx::ui {

namespace {

Pose localPose(const definition::PlacedInstance& instance) {
    return {instance.position, fromEulerDegrees(instance.rotation), instance.scale};
}

} // namespace

ScenePlaces ScenePlaces::read(std::string_view sceneText) { return of(definition::PlaceIndex(sceneText)); }

ScenePlaces ScenePlaces::of(const definition::PlaceIndex& index) {
    ScenePlaces places;
    places.m_places.reserve(index.instances().size());
    places.m_byName.reserve(index.instances().size());
    for (std::size_t i = 0; i < index.instances().size(); ++i) {
        const definition::PlacedInstance& instance = index.instances()[i];
        if (!places.m_byName.emplace(instance.name, places.m_places.size()).second)
            continue;
        const Pose local = localPose(instance);
        places.m_places.push_back({instance.name, instance.type, instance.parent, local, local});
        places.m_instances.push_back(i);
    }
    places.findParents();
    places.placeInWorld();
    return places;
}

void ScenePlaces::follow(const definition::PlaceIndex& index, std::uint64_t since) {
    for (std::size_t i = 0; i < m_places.size(); ++i)
        if (const definition::PlacedInstance& instance = index.instances()[m_instances[i]]; instance.changed > since)
            m_places[i].local = localPose(instance);
    placeInWorld();
}

// A parent may stand anywhere in the file. Where parents go round in a circle, one of them has none.
void ScenePlaces::findParents() {
    m_parents.assign(m_places.size(), None);
    m_order.clear();
    m_order.reserve(m_places.size());
    for (std::size_t i = 0; i < m_places.size(); ++i)
        if (const ScenePlace* parent = find(m_places[i].parent))
            m_parents[i] = static_cast<std::size_t>(parent - m_places.data());
    enum class State : std::uint8_t { Open, Above, Done }; // Above: on the way up from where we began
    std::vector<State> states(m_places.size(), State::Open);
    std::vector<std::size_t> chain;
    for (std::size_t i = 0; i < m_places.size(); ++i) {
        for (std::size_t at = i; at != None && states[at] == State::Open; at = m_parents[at]) {
            states[at] = State::Above;
            chain.push_back(at);
            if (m_parents[at] != None && states[m_parents[at]] == State::Above)
                m_parents[at] = None;
        }
        for (; !chain.empty(); chain.pop_back()) {
            states[chain.back()] = State::Done;
            m_order.push_back(chain.back());
        }
    }
}

void ScenePlaces::placeInWorld() {
    for (const std::size_t i : m_order)
        m_places[i].world = m_parents[i] == None ? m_places[i].local : compose(m_places[m_parents[i]].world, m_places[i].local);
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
    if (place == nullptr)
        return false;
    const std::unordered_set<std::string_view> set(others.begin(), others.end());
    for (std::size_t up = m_parents[static_cast<std::size_t>(place - m_places.data())]; up != None; up = m_parents[up])
        if (m_places[up].name != name && set.contains(m_places[up].name))
            return true;
    return false;
}

std::vector<std::string> ScenePlaces::topmost(const std::vector<std::string>& names) const {
    std::vector<bool> wanted(m_places.size(), false);
    for (const std::string& name : names)
        if (const ScenePlace* place = find(name))
            wanted[static_cast<std::size_t>(place - m_places.data())] = true;
    std::vector<bool> below(m_places.size(), false); // something above it is wanted
    for (const std::size_t i : m_order)
        if (m_parents[i] != None)
            below[i] = wanted[m_parents[i]] || below[m_parents[i]];
    std::vector<std::string> result;
    for (const std::string& name : names)
        if (const ScenePlace* place = find(name); place != nullptr && !below[static_cast<std::size_t>(place - m_places.data())])
            result.push_back(name);
    return result;
}

} // namespace sbx::ui
