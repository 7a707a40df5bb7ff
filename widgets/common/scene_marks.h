#pragma once
// What the user has hidden from the editor's picture and locked against its mouse: entities and whole layers, by name. What hangs
// from an entity goes with it. The scene file says nothing of it and the world does not know: each change is a step of the document's undo
// stack that changes no text. GUI thread; the document outlives it.

#include <QObject>
#include <QVariantMap>

#include "engine/simulation/snapshot.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace sbx::ui {

class Document;

enum class SceneMark : std::uint8_t { Hidden, Locked };
using MarkedNames = std::set<std::string, std::less<>>;

class SceneMarks : public QObject {
    Q_OBJECT

public:
    struct Sets {
        MarkedNames hidden;
        MarkedNames locked;
        // Layers; "" is that of all entities that are in none.
        MarkedNames hiddenLayers;
        MarkedNames lockedLayers;

        [[nodiscard]] MarkedNames& of(SceneMark mark) { return mark == SceneMark::Hidden ? hidden : locked; }
        [[nodiscard]] const MarkedNames& of(SceneMark mark) const { return mark == SceneMark::Hidden ? hidden : locked; }
        [[nodiscard]] MarkedNames& layersOf(SceneMark mark) { return mark == SceneMark::Hidden ? hiddenLayers : lockedLayers; }
        [[nodiscard]] const MarkedNames& layersOf(SceneMark mark) const { return mark == SceneMark::Hidden ? hiddenLayers : lockedLayers; }
        // Of either kind.
        [[nodiscard]] bool any(SceneMark mark) const { return !of(mark).empty() || !layersOf(mark).empty(); }
        void clear(SceneMark mark) {
            of(mark).clear();
            layersOf(mark).clear();
        }
        friend bool operator==(const Sets&, const Sets&) = default;
    };

    explicit SceneMarks(Document& document, QObject* parent = nullptr);

    // By the user, of the entity itself.
    [[nodiscard]] const Sets& sets() const { return m_sets; }
    [[nodiscard]] bool isMarked(SceneMark mark, std::string_view entity) const { return m_sets.of(mark).contains(entity); }
    [[nodiscard]] bool isLayerMarked(SceneMark mark, std::string_view layer) const { return m_sets.layersOf(mark).contains(layer); }
    // By itself, by what it hangs from, or by its layer. An entity that is not there is neither.
    [[nodiscard]] bool isHidden(const std::string& entity) const { return has(SceneMark::Hidden, entity); }
    [[nodiscard]] bool isLocked(const std::string& entity) const { return has(SceneMark::Locked, entity); }
    [[nodiscard]] bool has(SceneMark mark, const std::string& entity) const;
    // How many entities of the world are, those that hang from others included.
    [[nodiscard]] int count(SceneMark mark) const;
    // The ids of those that are hidden, in any list of entities.
    [[nodiscard]] std::unordered_set<std::uint64_t> hiddenIn(const EntityList& entities) const;

    // What a step is called: "Hide crate_1". `subject`: as entitiesText().
    [[nodiscard]] static QString stepText(SceneMark mark, bool on, const QString& subject);
    // One step of undo, which changes no text; none if nothing changes.
    void become(Sets next, const QString& label);
    // Shown at once, without a step; become() makes the step from what was before the first preview.
    void preview(Sets next);
    // At once; the step is the caller's.
    void replace(Sets next) { apply(std::move(next)); }
    // Names that follow, as soon as the world has the new one, and back when it has the old one again.
    void noteRename(const std::string& from, const std::string& to);
    void setEntities(std::shared_ptr<const EntityList> entities);
    // The layer that each entity names. Those that name none are in that of what they hang from, else in "".
    void setLayers(std::unordered_map<std::string, std::string> layers);
    // The layer that it is in, by itself or by what it hangs from.
    [[nodiscard]] std::string layerOf(const std::string& entity) const;

    [[nodiscard]] QVariantMap saveState() const;
    // Of another scene; no step of undo.
    void restoreState(const QVariantMap& state);

signals:
    void changed();

private:
    class Step;
    void apply(Sets next);
    void followFrom(const std::vector<std::uint8_t>& before);
    [[nodiscard]] const std::string* ownLayer(const std::string& entity) const; // null: names none
    // Of each row of the list: bits 1 << SceneMark.
    [[nodiscard]] std::vector<std::uint8_t> statesIn(const EntityList& entities) const;

    Document& m_document;
    Sets m_sets;
    std::optional<Sets> m_beforePreview;
    std::unordered_map<std::string, std::string> m_layers;
    std::vector<std::pair<std::string, std::string>> m_renames;
    std::shared_ptr<const EntityList> m_entities;
    std::vector<std::uint8_t> m_states; // of its rows
};

} // namespace sbx::ui
