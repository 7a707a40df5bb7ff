#pragma once
// The messages that pass, for lines in the picture: of those that the trace's filter lets through, what PassingMessage says, as they come.
//
// Data flow: TraceModel::countsChanged -> the records that were learned since -> passed(). Switched off it is not connected to the model and
// costs nothing. GUI thread; the model outlives it.

#include <QObject>

#include "engine/message/record.h"
#include "widgets/common/passing_message.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace sbx::ui {

class TraceModel;

// What became of a record's message.
[[nodiscard]] MessageFate fateOf(const RecordView& record);

// A record that the model holds, for panels that show the selected one; nothing: it is not held, or its names are not known yet.
[[nodiscard]] std::optional<ChosenMessage> chosenMessage(const TraceModel& model, std::uint64_t sequence);

class PassingMessages : public QObject {
    Q_OBJECT

public:
    static constexpr double Seconds = 0.5; // looked back when it is switched on, or the filter is another
    static constexpr std::uint64_t MaxRecords =
        20'000; // looked at for one signal; of more that came at once, the newest

    explicit PassingMessages(const TraceModel& model, QObject* parent = nullptr);

    void setOn(bool on);
    [[nodiscard]] bool isOn() const { return m_on; }
    // Records looked at so far: what its work is counted by.
    [[nodiscard]] std::uint64_t looks() const { return m_looks; }

signals:
    // In the order of the records; several with the same ends and fate within one signal are one, of the newest tick.
    void passed(const std::vector<sbx::ui::PassingMessage>& messages);
    // Another run or another filter: what passed before is not to be shown any longer.
    void restarted();

private:
    void restart();
    void take();

    const TraceModel& m_model;
    bool m_on = false;
    std::uint64_t m_from = 0; // store rows below it were looked at
    std::uint64_t m_looks = 0;
};

} // namespace sbx::ui
