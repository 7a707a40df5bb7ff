#pragma once
// What the user has hidden from the editor's picture and locked against its mouse: entities by name. What hangs
// from them goes with them. The scene file says nothing of it and the world does not know: each change is a step of the document's undo
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
#include <unordered_set>
#include <utility>
#include <vector>

namespace sbx::ui {

class Document;

enum class SceneMark : std::uint8_t { Hidden, Locked };

class SceneMarks : public QObject {
    Q_OBJECT

public:
    struct Sets {
        std::set<std::string, std::less<>> hidden;
        std::set<std::string, std::less<>> locked;

        [[nodiscard]] std::set<std::string, std::less<>>& of(SceneMark mark) { return mark == SceneMark::Hidden ? hidden : locked; }
        [[nodiscard]] const std::set<std::string, std::less<>>& of(SceneMark mark) const {
            return mark == SceneMark::Hidden ? hidden : locked;
        }
        friend bool operator==(const Sets&, const Sets&) = default;
    };

    explicit SceneMarks(Document& document, QObject* parent = nullptr);

    // By the user, of the entity itself.
    [[nodiscard]] const Sets& sets() const { return m_sets; }
    [[nodiscard]] bool isMarked(SceneMark mark, std::string_view entity) const { return m_sets.of(mark).contains(entity); }
    // By itself or by what it hangs from. An entity that is not there is neither.
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
    // Names that follow, as soon as the world has the new one, and back when it has the old one again.
    void noteRename(const std::string& from, const std::string& to);
    void setEntities(std::shared_ptr<const EntityList> entities);

    [[nodiscard]] QVariantMap saveState() const;
    // Of another scene; no step of undo.
    void restoreState(const QVariantMap& state);

signals:
    void changed();

private:
    class Step;
    void apply(Sets next);
    // Of each row of the list: bits 1 << SceneMark.
    [[nodiscard]] std::vector<std::uint8_t> statesIn(const EntityList& entities) const;

    Document& m_document;
    Sets m_sets;
    std::optional<Sets> m_beforePreview;
    std::vector<std::pair<std::string, std::string>> m_renames;
    std::shared_ptr<const EntityList> m_entities;
    std::vector<std::uint8_t> m_states; // of its rows
};

} // namespace sbx::ui
