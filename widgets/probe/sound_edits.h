#pragma once
// Where a change of a sound goes: stopped into the scene file, or, where a scene cannot say it, into the definition; playing into the
// world alone. No widgets; GUI thread.

#include <QString>

#include "engine/definition/text_edit.h"
#include "engine/probe/sound_probe.h"
#include "widgets/common/drag_hold.h"

namespace sbx::ui {

class Document;
class SessionFeed;

class SoundEdits {
public:
    SoundEdits(Document& document, SessionFeed& feed)
        : m_document(document), m_drag(document), m_feed(feed) {}

    // Nothing if it can be moved, or its settings changed, now; else why not.
    [[nodiscard]] QString moveLock(const ProbeSound& sound) const;
    [[nodiscard]] QString settingLock(const ProbeSound& sound) const;

    // So that the sound is there. A drag ends with committed = true: one undo step.
    Result<void> move(const ProbeSound& sound, const Vec3& position, bool committed);
    // A setting of its Sound: "reference", "maximum", "priority".
    Result<void> set(const ProbeSound& sound, const std::string& field, double value, bool committed);

private:
    [[nodiscard]] bool inScene(const std::string& entity) const;
    Result<void> edit(const std::string& file, const definition::TextEdits& edits, const QString& label,
                      const QString& mergeKey, bool committed);

    Document& m_document;
    DragHold m_drag;
    SessionFeed& m_feed;
};

} // namespace sbx::ui
