#pragma once
// Messages in the picture: the selected one as a line from its sender to its receiver, both outlined, and, if that is switched on, every
// message that passes as a line that fades. One from outside (the engine, the console, a person) is a ring around its receiver, one that an
// entity sends to itself a loop beside it, one that no listener waited for a dashed ring around its sender.
//
// Data flow: who knows the trace gives the messages that pass (add()) and the selected one (choose()); draw() is called for each frame and
// pane. GUI thread; owned by the panel; places, shown scene, selection and theme outlive it. Switched off it costs nothing.

#include <QColor>

#include "widgets/common/passing_message.h"
#include "widgets/viewport/debug_overlay.h"
#include "widgets/viewport/link_lines.h"
#include "widgets/viewport/message_trails.h"

#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace sbx::ui {

class MessageLines {
public:
    MessageLines(const LinkLines& places, const ShownScene& shown, const Selection& selection,
                 const Theme& theme);

    // What is hidden has no lines.
    void setMarks(const SceneMarks& marks) { m_marks = &marks; }
    // Those that pass; off by default. `changed` is called when it is another.
    [[nodiscard]] bool isShown() const { return m_isShown; }
    void setShown(bool on);
    void setShownChanged(std::function<void(bool on)> changed) { m_shownChanged = std::move(changed); }
    void add(const std::vector<PassingMessage>& messages);
    // Another run, or another filter.
    void forget() { m_trails.clear(); }
    // The selected one is drawn while one of its ends is selected, too.
    void choose(std::optional<ChosenMessage> message) { m_chosen = std::move(message); }
    [[nodiscard]] const std::optional<ChosenMessage>& chosen() const { return m_chosen; }

    void drawPassing(render::View& view, const GizmoView& geometry);
    // Behind the outlines of the selection, to which it adds the other ends.
    void drawChosen(render::View& view, const GizmoView& geometry, int pane);
    void clear(int pane) { m_captions[static_cast<std::size_t>(pane)].clear(); }
    [[nodiscard]] const std::vector<LinkLines::Caption>& captions(int pane) const {
        return m_captions[static_cast<std::size_t>(pane)];
    }
    // As of the last picture; of nothing without lines that pass.
    [[nodiscard]] std::vector<DebugLegend::Row> legend() const;
    // Of the last picture; empty while they are not shown.
    [[nodiscard]] const MessageTrails::Shown& passing() const { return m_passing; }

    // In the picture, which is as dark in the light theme as in the dark one.
    [[nodiscard]] static QColor colorOf(MessageFate fate, const Theme& theme);

private:
    [[nodiscard]] std::optional<LinkLines::Place> placeOf(const std::string& entity) const;
    void outlineEnds(render::View& view, const Vec4& color) const;

    const LinkLines& m_places;
    const ShownScene& m_shown;
    const Selection& m_selection;
    const Theme& m_theme;
    const SceneMarks* m_marks = nullptr; // may be null
    std::function<void(bool)> m_shownChanged;
    bool m_isShown = false;
    MessageTrails m_trails;
    MessageTrails::Shown m_passing;
    std::optional<ChosenMessage> m_chosen;
    std::array<std::vector<LinkLines::Caption>, PaneLayout::Count> m_captions;
};

} // namespace sbx::ui
