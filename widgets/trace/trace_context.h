#pragma once
// What a record says, in words: names of entities, worlds, types and handlers, its outcome, its fields. GUI thread.

#include <QString>
#include <QStringList>

#include "engine/message/record_filter.h"
#include "widgets/trace/trace_source.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace sbx::ui {

// `amount 5.0 m/s`, ready to paint.
struct FieldText {
    QString name;
    QString value;
    QString unit;
};

class TraceContext : public RecordFilterSchema {
public:
    explicit TraceContext(TraceSource& source);

    [[nodiscard]] TraceSource& source() const { return m_source; }
    // Takes over how many ticks of the source are a second; true if that is another number. Filters are to be compiled again then.
    bool followTickRate();
    // At most `limit` fields, numbers rounded to three decimals.
    [[nodiscard]] std::vector<FieldText> fields(const RecordView& record, std::size_t limit = 64) const;
    // "amount 5.0 · kind fire"
    [[nodiscard]] QString fieldsLine(const RecordView& record) const;
    // Null: messages of the type have none of that name.
    [[nodiscard]] static const FieldInfo* fieldNamed(const MessageType& type, std::string_view name);
    [[nodiscard]] QString fieldValue(const RecordView& record, const FieldInfo& field, bool exact) const;
    // By which tick the receiver was gone; none: it lives, there is none, or nothing is known of it.
    [[nodiscard]] std::optional<std::uint64_t> receiverGoneBy(const RecordView& record) const;
    // "crate_3", "crate_3, gone by 812"; empty: no entity.
    [[nodiscard]] QString receiverText(const RecordView& record) const;
    [[nodiscard]] QString outcomeText(const RecordView& record) const;
    // With how late it was: "passed, 3 ticks late".
    [[nodiscard]] QString outcomeLine(const RecordView& record) const;
    // The same beside an icon that says what became of it: "by Shield" instead of "consumed by Shield".
    [[nodiscard]] QString shortOutcome(const RecordView& record) const;
    // Of one that nobody acted on: which components would have, in a sentence.
    [[nodiscard]] QString whoCouldHandle(const RecordView& record) const;
    // One line of a trace file.
    [[nodiscard]] std::string json(const RecordView& record) const;
    // One tab-separated line.
    [[nodiscard]] QString line(const RecordView& record) const;

private:
    // Of an entity in a field; empty: nothing is known of it.
    [[nodiscard]] std::string nameOf(std::uint8_t world, EntityId entity) const;

    TraceSource& m_source;
};

// Notes wear the icon and the colour of an unhandled message.
[[nodiscard]] inline RecordOutcome shownAs(RecordOutcome outcome) {
    return outcome == RecordOutcome::Dropped ? RecordOutcome::Unheeded
                                             : std::min(outcome, RecordOutcome::Unhandled);
}

inline QString toQString(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

} // namespace sbx::ui
