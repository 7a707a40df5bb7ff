#pragma once
// The next message of a conversation: among the rows of the list, one that goes between the same two entities as a given message, in either
// direction. One of the two may be none, the engine or a person. Looks in slices of at most 8 ms, so that millions of rows never hold up the
// window, and waits for what lies on the disk. GUI thread; the model outlives it.

#include <QObject>
#include <QTimer>

#include "engine/core/ids.h"

#include <cstdint>

namespace sbx {
class RecordView;
}

namespace sbx::ui {

class TraceModel;

class TraceConversation : public QObject {
    Q_OBJECT

public:
    static constexpr int SliceMs = 8;

    explicit TraceConversation(const TraceModel& model, QObject* parent = nullptr);

    // After the message of that sequence, or before it; a message that is not held is no conversation. What was looked for before is forgotten.
    // found() or ended() comes, from within this call where the answer is near, unless stop() comes first.
    void find(std::uint64_t sequence, bool forward);
    void stop();
    [[nodiscard]] bool isLooking() const { return m_timer.isActive() || m_waits; }

signals:
    void found(quint64 sequence);
    // No row there is of the conversation.
    void ended(bool forward);

private:
    void work();
    [[nodiscard]] bool isOfIt(const RecordView& record) const;

    const TraceModel& m_model;
    QTimer m_timer;
    std::uint64_t m_at = 0; // sequence up to which was looked
    bool m_forward = true;
    bool m_waits = false; // for the disk, or for rows that a filter has not found yet
    EntityId m_one;
    EntityId m_other;
    std::uint8_t m_world = 0;
};

} // namespace sbx::ui
