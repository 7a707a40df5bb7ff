#include "widgets/common/scene_marks.h"

#include <QPointer>
#include <QStringList>

#include "widgets/common/document.h"

#include <algorithm>
#include <array>

namespace sbx::ui {

namespace {

constexpr std::uint8_t Known = 1U << 7U;

std::uint8_t bitOf(SceneMark mark) { return static_cast<std::uint8_t>(1U << static_cast<unsigned>(mark)); }

constexpr SceneMark BothMarks[] = {SceneMark::Hidden, SceneMark::Locked};

QStringList listOf(const MarkedNames& names) {
    QStringList out;
    for (const std::string& name : names)
        out.append(QString::fromStdString(name));
    return out;
}

MarkedNames setOf(const QVariant& names) {
    MarkedNames out;
    for (const QString& name : names.toStringList())
        out.insert(name.toStdString());
    return out;
}

} // namespace

class SceneMarks::Step : public BesideStep {
public:
    Step(SceneMarks& marks, Sets before, Sets after) : m_marks(&marks), m_before(std::move(before)), m_after(std::move(after)) {}
    void undo() override {
        if (m_marks != nullptr)
            m_marks->apply(m_before);
    }
    void redo() override {
        if (m_marks != nullptr)
            m_marks->apply(m_after);
    }

private:
    QPointer<SceneMarks> m_marks;
    Sets m_before;
    Sets m_after;
};

SceneMarks::SceneMarks(Document& document, QObject* parent) : QObject(parent), m_document(document) {}

bool SceneMarks::has(SceneMark mark, const std::string& entity) const {
    const EntityRow* row = m_entities ? m_entities->find(entity) : nullptr;
    return row != nullptr && (m_states[static_cast<std::size_t>(row - m_entities->rows.data())] & bitOf(mark)) != 0;
}

int SceneMarks::count(SceneMark mark) const {
    return static_cast<int>(std::count_if(m_states.begin(), m_states.end(),
                                          [bit = bitOf(mark)](std::uint8_t state) { return (state & bit) != 0; }));
}

const std::string* SceneMarks::ownLayer(const std::string& entity) const {
    const auto it = m_layers.find(entity);
    return it == m_layers.end() ? nullptr : &it->second;
}

std::string SceneMarks::layerOf(const std::string& entity) const {
    std::unordered_set<std::string> seen;
    for (const EntityRow* row = m_entities ? m_entities->find(entity) : nullptr; row != nullptr && seen.insert(row->name).second;
         row = row->parent.empty() ? nullptr : m_entities->find(row->parent))
        if (const std::string* layer = ownLayer(row->name))
            return *layer;
    return {};
}

// From the top down: marks of what an entity hangs from are its own, and so is the layer where it names none.
std::vector<std::uint8_t> SceneMarks::statesIn(const EntityList& entities) const {
    std::vector<std::uint8_t> states(entities.rows.size(), 0);
    if (m_sets == Sets())
        return states;
    static const std::string NoLayer;
    struct Inherited {
        std::uint8_t marks = 0;
        const std::string* layer = &NoLayer;
    };
    std::vector<Inherited> known(entities.rows.size());
    std::vector<std::size_t> chain;
    for (std::size_t i = 0; i < states.size(); ++i) {
        Inherited above;
        for (std::size_t at = i;;) {
            if ((states[at] & Known) != 0) {
                above = known[at];
                break;
            }
            chain.push_back(at);
            const EntityRow* parent = entities.rows[at].parent.empty() ? nullptr : entities.find(entities.rows[at].parent);
            if (parent == nullptr || chain.size() > states.size())
                break;
            at = static_cast<std::size_t>(parent - entities.rows.data());
        }
        for (; !chain.empty(); chain.pop_back()) {
            const std::string& name = entities.rows[chain.back()].name;
            if (const std::string* layer = ownLayer(name))
                above.layer = layer;
            std::uint8_t state = Known;
            for (const SceneMark mark : BothMarks) {
                if (m_sets.of(mark).contains(name))
                    above.marks = static_cast<std::uint8_t>(above.marks | bitOf(mark));
                if (m_sets.layersOf(mark).contains(*above.layer))
                    state = static_cast<std::uint8_t>(state | bitOf(mark));
            }
            known[chain.back()] = above;
            states[chain.back()] = static_cast<std::uint8_t>(state | above.marks);
        }
    }
    return states;
}

std::unordered_set<std::uint64_t> SceneMarks::hiddenIn(const EntityList& entities) const {
    std::unordered_set<std::uint64_t> ids;
    const bool known = &entities == m_entities.get();
    const std::vector<std::uint8_t> other = known ? std::vector<std::uint8_t>() : statesIn(entities);
    const std::vector<std::uint8_t>& states = known ? m_states : other;
    for (std::size_t i = 0; i < states.size(); ++i)
        if ((states[i] & bitOf(SceneMark::Hidden)) != 0)
            ids.insert(entities.rows[i].id.bits);
    return ids;
}

QString SceneMarks::stepText(SceneMark mark, bool on, const QString& subject) {
    const QString verb = mark == SceneMark::Hidden ? (on ? tr("Hide %1") : tr("Show %1")) : (on ? tr("Lock %1") : tr("Unlock %1"));
    return verb.arg(subject);
}

void SceneMarks::become(Sets next, const QString& label) {
    Sets before = m_beforePreview ? std::move(*m_beforePreview) : m_sets;
    m_beforePreview.reset();
    if (before == next) {
        apply(std::move(next));
        return;
    }
    apply(next);
    // Cannot fail: no text changes.
    static_cast<void>(m_document.edit({}, label, std::make_unique<Step>(*this, std::move(before), std::move(next))).ok());
}

void SceneMarks::preview(Sets next) {
    if (!m_beforePreview)
        m_beforePreview = m_sets;
    apply(std::move(next));
}

void SceneMarks::apply(Sets next) {
    if (m_sets == next)
        return;
    m_sets = std::move(next);
    m_states = m_entities ? statesIn(*m_entities) : std::vector<std::uint8_t>();
    emit changed();
}

void SceneMarks::noteRename(const std::string& from, const std::string& to) { m_renames.emplace_back(from, to); }

void SceneMarks::setEntities(std::shared_ptr<const EntityList> entities) {
    if (m_entities == entities)
        return;
    m_entities = std::move(entities);
    Sets next = m_sets;
    const auto follow = [&](const std::string& from, const std::string& to) {
        if (m_entities->find(from) != nullptr || m_entities->find(to) == nullptr)
            return;
        for (const SceneMark mark : BothMarks)
            if (next.of(mark).erase(from) > 0)
                next.of(mark).insert(to);
    };
    if (m_entities)
        for (const auto& [from, to] : m_renames) {
            follow(from, to);
            follow(to, from);
        }
    const std::vector<std::uint8_t> before = std::move(m_states);
    m_sets = std::move(next);
    followFrom(before);
}

void SceneMarks::setLayers(std::unordered_map<std::string, std::string> layers) {
    if (m_layers == layers)
        return;
    m_layers = std::move(layers);
    const std::vector<std::uint8_t> before = std::move(m_states);
    followFrom(before);
}

void SceneMarks::followFrom(const std::vector<std::uint8_t>& before) {
    m_states = m_entities ? statesIn(*m_entities) : std::vector<std::uint8_t>();
    if (before != m_states)
        emit changed();
}

namespace {

struct SavedSet {
    const char* key;
    MarkedNames SceneMarks::Sets::*names;
};
constexpr SavedSet SavedSets[] = {{"hidden", &SceneMarks::Sets::hidden},
                                  {"locked", &SceneMarks::Sets::locked},
                                  {"hiddenLayers", &SceneMarks::Sets::hiddenLayers},
                                  {"lockedLayers", &SceneMarks::Sets::lockedLayers}};

} // namespace

QVariantMap SceneMarks::saveState() const {
    QVariantMap state;
    for (const SavedSet& saved : SavedSets)
        if (const MarkedNames& names = m_sets.*saved.names; !names.empty())
            state.insert(QLatin1String(saved.key), listOf(names));
    return state;
}

void SceneMarks::restoreState(const QVariantMap& state) {
    m_renames.clear();
    m_beforePreview.reset();
    Sets sets;
    for (const SavedSet& saved : SavedSets)
        sets.*saved.names = setOf(state.value(QLatin1String(saved.key)));
    apply(std::move(sets));
}

} // namespace sbx::ui

#include "moc_scene_marks.cpp"
