#include "widgets/common/scene_layers.h"

#include <QPointer>
#include <QStringList>

#include "engine/core/value.h"
#include "engine/definition/batch_edit.h"
#include "engine/definition/checks.h"
#include "engine/definition/schema.h"
#include "widgets/common/document.h"
#include "widgets/common/entity_names.h"
#include "widgets/common/natural_order.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

namespace sbx::ui {

namespace {

constexpr const char* LayerKey = "layer";

// For each instance the layer that it is in, by itself or by what it hangs from.
std::vector<std::string> effectiveLayers(const definition::PlaceIndex& index) {
    const std::vector<definition::PlacedInstance>& all = index.instances();
    std::vector<std::string> layers(all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
        std::optional<std::size_t> at = i;
        for (std::size_t steps = 0; at && steps <= all.size(); ++steps) {
            if (!all[*at].layer.empty()) {
                layers[i] = all[*at].layer;
                break;
            }
            at = all[*at].parent.empty() ? std::nullopt : index.find(all[*at].parent);
        }
    }
    return layers;
}

} // namespace

class SceneLayers::Step : public BesideStep {
public:
    struct State {
        Own own;
        SceneMarks::Sets marks;
    };
    Step(SceneLayers& layers, State before, State after) : m_layers(&layers), m_before(std::move(before)), m_after(std::move(after)) {}
    void undo() override { become(m_before); }
    void redo() override { become(m_after); }

private:
    void become(const State& state) {
        if (m_layers == nullptr)
            return;
        m_layers->m_marks.replace(state.marks);
        // Where new entities go is no part of the step, but it follows a layer's name.
        Own own = state.own;
        const State& other = &state == &m_before ? m_after : m_before;
        if (m_before.own.active == m_after.own.active || m_layers->m_own.active != other.own.active)
            own.active = m_layers->m_own.active;
        m_layers->set(std::move(own));
    }
    QPointer<SceneLayers> m_layers;
    State m_before;
    State m_after;
};

SceneLayers::SceneLayers(Document& document, SceneMarks& marks, QObject* parent) : QObject(parent), m_document(document), m_marks(marks) {
    for (const auto signal : {&Document::opened, &Document::closed, &Document::filesChanged})
        connect(&document, signal, this, [this] {
            m_structure = 0;
            refresh();
        });
    connect(&document, &Document::textChanged, this, [this](const std::string& file) {
        if (file == m_document.file(FileRole::Scene))
            refresh();
    });
    refresh();
}

void SceneLayers::refresh() {
    const std::uint64_t structure = m_document.isOpen() ? m_document.structureRevision() : 0;
    if (structure != 0 && structure == m_structure)
        return; // only numbers of places have changed
    m_structure = structure;
    std::map<std::string, int> counts;
    std::unordered_map<std::string, std::string> named;
    std::vector<std::pair<std::string, std::string>> members;
    const definition::PlaceIndex* index = m_document.isOpen() ? m_document.places() : nullptr;
    if (index != nullptr) {
        const std::vector<std::string> layers = effectiveLayers(*index);
        counts.emplace(std::string(), 0);
        for (const std::string& made : m_own.made)
            counts.emplace(made, 0);
        for (std::size_t i = 0; i < layers.size(); ++i) {
            const definition::PlacedInstance& instance = index->instances()[i];
            ++counts[layers[i]];
            if (!instance.layer.empty())
                named.emplace(instance.name, instance.layer);
            members.emplace_back(instance.name, layers[i]);
        }
    }
    std::vector<SceneLayer> next;
    for (const auto& [name, count] : counts)
        next.push_back({name, count});
    std::stable_sort(next.begin(), next.end(), [](const SceneLayer& a, const SceneLayer& b) {
        if (a.name.empty() || b.name.empty())
            return a.name.empty() && !b.name.empty();
        return compareNaturally(QString::fromStdString(a.name), QString::fromStdString(b.name)) < 0;
    });
    m_marks.setLayers(std::move(named));
    if (next == m_layers && members == m_members)
        return;
    m_layers = std::move(next);
    m_members = std::move(members);
    emit changed();
}

bool SceneLayers::contains(const std::string& name) const {
    return std::any_of(m_layers.begin(), m_layers.end(), [&](const SceneLayer& layer) { return layer.name == name; });
}

std::vector<std::string> SceneLayers::entitiesIn(const std::string& layer) const {
    std::vector<std::string> names;
    for (const auto& [entity, in] : m_members)
        if (in == layer)
            names.push_back(entity);
    return names;
}

void SceneLayers::setActive(const std::string& layer) {
    Own own = m_own;
    own.active = layer;
    set(std::move(own));
}

void SceneLayers::set(Own own) {
    if (own == m_own)
        return;
    m_own = std::move(own);
    m_structure = 0;
    refresh();
    emit ownChanged();
}

QString SceneLayers::nameFault(const QString& name, const std::string& renamed) const {
    const std::string wanted = name.toStdString();
    if (const std::string fault = definition::layerNameFault(wanted); !fault.empty())
        return tr("It %1; expected %2.").arg(QString::fromStdString(fault), QString::fromUtf8(definition::LayerNameRule.data(), qsizetype(definition::LayerNameRule.size())));
    return wanted != renamed && contains(wanted) ? tr("There is a layer %1 already.").arg(name) : QString();
}

QString SceneLayers::nameText(const std::string& layer) {
    return layer.empty() ? tr("entities without a layer") : tr("layer %1").arg(QString::fromStdString(layer));
}

Result<std::string> SceneLayers::sceneFile() const {
    const std::string file = m_document.isOpen() ? m_document.file(FileRole::Scene) : std::string();
    if (file.empty())
        return Error{"there is no scene to change; open a project first", {}, {}};
    return file;
}

Result<void> SceneLayers::change(definition::TextEdits edits, Own own, SceneMarks::Sets marks, const QString& label) {
    const Result<std::string> file = sceneFile();
    if (!file)
        return file.error();
    if (edits.empty() && own == m_own && marks == m_marks.sets())
        return {};
    const Step::State before{m_own, m_marks.sets()};
    const Step::State after{own, marks};
    std::vector<FileEdit> all;
    if (!edits.empty())
        all.push_back({*file, std::move(edits)});
    if (Result<void> done = m_document.edit(std::move(all), label, std::make_unique<Step>(*this, before, after)); !done)
        return done;
    m_marks.replace(std::move(marks));
    set(std::move(own));
    return {};
}

Result<void> SceneLayers::add(const std::string& name) {
    if (const QString fault = nameFault(QString::fromStdString(name)); !fault.isEmpty())
        return Error{fault.toStdString(), {}, {}};
    Own own = m_own;
    own.made.insert(name);
    return change({}, std::move(own), m_marks.sets(), tr("Add layer %1").arg(QString::fromStdString(name)));
}

Result<void> SceneLayers::rename(const std::string& from, const std::string& to) {
    if (from == to)
        return {};
    const Result<std::string> file = sceneFile();
    if (!file)
        return file.error();
    if (from.empty() || !contains(from))
        return Error{"there is no layer " + inQuotes(from), {}, {}};
    if (const QString fault = nameFault(QString::fromStdString(to), from); !fault.isEmpty())
        return Error{fault.toStdString(), {}, {}};
    std::vector<std::string> named;
    for (const definition::PlacedInstance& instance : m_document.places()->instances())
        if (instance.layer == from)
            named.push_back(instance.name);
    Result<definition::TextEdits> edits = definition::setSceneValues(m_document.text(*file), named, {}, LayerKey, inQuotes(to));
    if (!edits)
        return edits.error();
    Own own = m_own;
    if (own.made.erase(from) > 0)
        own.made.insert(to);
    if (own.active == from)
        own.active = to;
    SceneMarks::Sets marks = m_marks.sets();
    for (const SceneMark mark : {SceneMark::Hidden, SceneMark::Locked})
        if (marks.layersOf(mark).erase(from) > 0)
            marks.layersOf(mark).insert(to);
    return change(std::move(*edits), std::move(own), std::move(marks),
                  tr("Rename layer %1 to %2").arg(QString::fromStdString(from), QString::fromStdString(to)));
}

Result<void> SceneLayers::remove(const std::string& name) {
    const Result<std::string> file = sceneFile();
    if (!file)
        return file.error();
    if (name.empty() || !contains(name))
        return Error{"there is no layer " + inQuotes(name), {}, {}};
    std::vector<std::string> named;
    for (const definition::PlacedInstance& instance : m_document.places()->instances())
        if (instance.layer == name)
            named.push_back(instance.name);
    Result<definition::TextEdits> edits = definition::removeSceneValues(m_document.text(*file), named, {}, LayerKey);
    if (!edits)
        return edits.error();
    Own own = m_own;
    own.made.erase(name);
    if (own.active == name)
        own.active.clear();
    SceneMarks::Sets marks = m_marks.sets();
    marks.hiddenLayers.erase(name);
    marks.lockedLayers.erase(name);
    return change(std::move(*edits), std::move(own), std::move(marks), tr("Remove layer %1").arg(QString::fromStdString(name)));
}

Result<void> SceneLayers::assign(const std::vector<std::string>& names, const std::string& layer) {
    const Result<std::string> file = sceneFile();
    if (!file)
        return file.error();
    if (!layer.empty() && !contains(layer))
        if (const QString fault = nameFault(QString::fromStdString(layer)); !fault.isEmpty())
            return Error{fault.toStdString(), {}, {}};
    const definition::PlaceIndex& index = *m_document.places();
    const std::unordered_set<std::string> chosen(names.begin(), names.end());
    const auto hangsFromChosen = [&](const definition::PlacedInstance& instance) {
        std::size_t steps = 0;
        for (std::string up = instance.parent; !up.empty() && steps <= index.instances().size(); ++steps) {
            if (chosen.contains(up))
                return true;
            const std::optional<std::size_t> at = index.find(up);
            up = at ? index.instances()[*at].parent : std::string();
        }
        return false;
    };
    std::vector<std::string> named; // to be written
    std::vector<std::string> freed; // what they say goes
    for (const definition::PlacedInstance& instance : index.instances()) {
        const bool below = hangsFromChosen(instance);
        if (!below && !chosen.contains(instance.name))
            continue;
        if (!below)
            named.push_back(instance.name);
        if ((below || layer.empty()) && !instance.layer.empty())
            freed.push_back(instance.name);
    }
    if (named.empty())
        return Error{"nothing of the selection is in the scene file", {}, {}};
    const std::string& text = m_document.text(*file);
    const QString label = layer.empty() ? tr("Take %1 out of its layer").arg(entitiesText(named))
                                        : tr("Move %1 to layer %2").arg(entitiesText(named), QString::fromStdString(layer));
    Result<definition::TextEdits> edits = definition::TextEdits();
    if (!layer.empty())
        edits = definition::setSceneValues(text, named, {}, LayerKey, inQuotes(layer));
    if (!edits)
        return edits.error();
    if (!freed.empty()) {
        const Result<std::string> with = definition::applyEdits(text, *edits);
        if (!with)
            return with.error();
        Result<definition::TextEdits> removed = definition::removeSceneValues(*with, freed, {}, LayerKey);
        if (!removed)
            return removed.error();
        edits = definition::composed(std::move(*edits), *removed);
    }
    Own own = m_own;
    if (!layer.empty() && !contains(layer))
        own.made.insert(layer); // it stays when its last entity goes
    if (Result<void> done = change(std::move(*edits), std::move(own), m_marks.sets(), label); !done)
        return done;
    // What hangs from another entity is in that one's layer, if it names none itself.
    for (const auto& [entity, in] : m_members)
        if (layer.empty() && !in.empty() && chosen.contains(entity))
            return Error{entity + " is still in the layer " + in + ", with what it hangs from", {}, {}};
    return {};
}

QVariantMap SceneLayers::saveState() const {
    QVariantMap state;
    QStringList made;
    for (const std::string& name : m_own.made)
        made.append(QString::fromStdString(name));
    if (!made.isEmpty())
        state.insert(QStringLiteral("layers"), made);
    if (!m_own.active.empty())
        state.insert(QStringLiteral("activeLayer"), QString::fromStdString(m_own.active));
    return state;
}

void SceneLayers::restoreState(const QVariantMap& state) {
    Own own;
    for (const QString& name : state.value(QStringLiteral("layers")).toStringList())
        if (definition::layerNameFault(name.toStdString()).empty())
            own.made.insert(name.toStdString());
    own.active = state.value(QStringLiteral("activeLayer")).toString().toStdString();
    set(std::move(own));
}

} // namespace sbx::ui

#include "moc_scene_layers.cpp"
