#pragma once
// References between entities in the picture: lines from the selected entities to what they refer to, dashed lines from what refers to them,
// quiet lines to the parent and the children, and stubs for names that no entity has. Knows them also for the keys and menus that follow them.
//
// While the world stands still they are those of the scene, while it runs those of its entities; of the inspected ones the live values count.
// GUI thread; owned by the panel. Session, editor, shown scene, selection and theme outlive it. Finding them costs the number of entities
// whenever scene or world change, and nothing while it is switched off.

#include "engine/definition/scene.h"
#include "widgets/viewport/entity_links.h"
#include "widgets/viewport/link_geometry.h"
#include "widgets/viewport/pane_layout.h"

#include <QString>

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sbx {
class Session;
}

namespace sbx::render {
struct View;
}

namespace sbx::ui {

class Document;
class EntityEditor;
class SceneMarks;
class Selection;
class ShownScene;
class Theme;

class LinkLines {
public:
    // A text at a line, in pixels of the picture.
    struct Caption {
        Vec2 middle{0.0F};
        float room = 0.0F;
        QString text;
        bool broken = false;
    };

    LinkLines(const Session& session, const Document& document, const EntityEditor& editor, const ShownScene& shown,
              const Selection& selection, const Theme& theme);

    // What the scene's instances override; may return null.
    void setScene(std::function<const definition::Scene*()> scene) { m_scene = std::move(scene); }
    void setMarks(const SceneMarks& marks) { m_marks = &marks; }
    [[nodiscard]] bool isShown() const { return m_isShown; }
    void setShown(bool on) { m_isShown = on; }
    // Those of all entities, too.
    [[nodiscard]] bool showsAll() const { return m_showsAll; }
    void setShowsAll(bool on) { m_showsAll = on; }

    [[nodiscard]] std::vector<EntityLink> from(const std::string& entity) const;
    [[nodiscard]] std::vector<EntityLink> to(const std::string& entity) const;

    // In the picture of that pane (PaneLayout).
    void draw(render::View& view, const GizmoView& geometry, int pane);
    // Nothing is drawn in that pane.
    void clear(int pane) { m_captions[static_cast<std::size_t>(pane)].clear(); }
    // Of the pane's last picture, the most important first; in its pixels.
    [[nodiscard]] const std::vector<Caption>& captions(int pane) const { return m_captions[static_cast<std::size_t>(pane)]; }
    // Where an entity is, for lines and for looking at it; nothing: nowhere.
    struct Place {
        Vec3 centre{0.0F};
        std::optional<render::Bounds> box;
    };
    [[nodiscard]] std::optional<Place> placeOf(const std::string& entity) const;

private:
    [[nodiscard]] const EntityLinks& links() const;
    void drawSelected(render::View& view, const GizmoView& geometry, const std::string& entity);
    void drawAll(render::View& view, const GizmoView& geometry);
    void drawParents(render::View& view, const GizmoView& geometry, const std::string& entity);
    void drawLink(render::View& view, const GizmoView& geometry, const EntityLink& link, const LinkStyle& style, bool captioned);
    [[nodiscard]] bool isHidden(const std::string& entity) const;

    const Session& m_session;
    const Document& m_document;
    const EntityEditor& m_editor;
    const ShownScene& m_shown;
    const Selection& m_selection;
    const Theme& m_theme;
    std::function<const definition::Scene*()> m_scene;
    const SceneMarks* m_marks = nullptr; // may be null
    bool m_isShown = true;
    bool m_showsAll = false;
    std::array<std::vector<Caption>, PaneLayout::Count> m_captions;
    std::size_t m_pane = 0; // that is being drawn

    // What the links were read from.
    struct Origin {
        const definition::Scene* scene = nullptr;
        std::shared_ptr<const EntityList> entities;
        std::uint64_t revision = 0; // of the document's structure
        bool running = false;
        friend bool operator==(const Origin&, const Origin&) = default;
    };
    mutable std::optional<Origin> m_origin;
    mutable EntityLinks m_links;
};

// Where a line from `from` to that entity ends: at its box, or short of its icon.
[[nodiscard]] Vec3 tipOf(const GizmoView& geometry, const Vec3& from, const LinkLines::Place& to);

} // namespace sbx::ui
