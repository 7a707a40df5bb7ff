#pragma once
// The layers of the open scene: which there are, who is in them, and edits of that. An entity's layer is the key `layer` of the scene file;
// what names none is in that of what it hangs from. A layer that nobody is in yet, and the one that new entities go to, are the user's, as
// what is hidden and locked is. GUI thread; document and marks outlive it.

#include <QObject>
#include <QVariantMap>

#include "engine/core/result.h"
#include "engine/definition/text_edit.h"
#include "widgets/common/scene_marks.h"

#include <string>
#include <vector>

namespace sbx::ui {

class Document;

struct SceneLayer {
    std::string name; // empty: of those that are in none
    int entities = 0; // of the scene
    friend bool operator==(const SceneLayer&, const SceneLayer&) = default;
};

class SceneLayers : public QObject {
    Q_OBJECT

public:
    SceneLayers(Document& document, SceneMarks& marks, QObject* parent = nullptr);

    // First that of the entities without one, the others by name. Empty: no scene is open.
    [[nodiscard]] const std::vector<SceneLayer>& all() const { return m_layers; }
    [[nodiscard]] bool contains(const std::string& name) const;
    // In file order.
    [[nodiscard]] std::vector<std::string> entitiesIn(const std::string& layer) const;
    // To which new entities go; empty: to none.
    [[nodiscard]] std::string active() const { return contains(m_own.active) ? m_own.active : std::string(); }
    void setActive(const std::string& layer);
    // What is wrong with a name for a new layer, or with another one for `renamed`: "there is a layer Trees already". Empty: nothing.
    [[nodiscard]] QString nameFault(const QString& name, const std::string& renamed = {}) const;
    // "layer Trees", or "entities without a layer".
    [[nodiscard]] static QString nameText(const std::string& layer);

    // Each is one step of undo; an error changes nothing.
    Result<void> add(const std::string& name);
    Result<void> rename(const std::string& from, const std::string& to);
    // Who is in it is in none afterwards, or in that of what it hangs from.
    Result<void> remove(const std::string& name);
    // The entities and what hangs from them; an empty `layer` takes them out of theirs, and is an error if one is in its parent's all the
    // same. Makes the layer if it is not there.
    Result<void> assign(const std::vector<std::string>& names, const std::string& layer);

    [[nodiscard]] QVariantMap saveState() const;
    // Of another scene; no step of undo.
    void restoreState(const QVariantMap& state);

signals:
    void changed();
    // Where new entities go, or which layers the user has made, is another. changed() says if the layers themselves are.
    void ownChanged();

private:
    struct Own { // the user's part
        MarkedNames made; // beside those that the scene names
        std::string active;
        friend bool operator==(const Own&, const Own&) = default;
    };
    class Step;
    [[nodiscard]] Result<std::string> sceneFile() const;
    // The edits of the scene, and beside them what becomes of the user's part and of the marks.
    Result<void> change(definition::TextEdits edits, Own own, SceneMarks::Sets marks, const QString& label);
    void set(Own own);
    void refresh();

    Document& m_document;
    SceneMarks& m_marks;
    Own m_own;
    std::uint64_t m_structure = 0; // of the document, when it was read
    std::vector<SceneLayer> m_layers;
    std::vector<std::pair<std::string, std::string>> m_members; // entity and layer, in file order
};

} // namespace sbx::ui
