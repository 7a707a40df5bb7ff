#pragma once
// Whether a record contains a text, in either case, in what the given columns say of it or in the exact value of one of its fields. The same answer as
// formatting all of that and looking into it, but nearly nothing is formatted: what a message type has in common is looked at once for all
// its records, names once each, and a number only if the text could be a part of one.
//
//     cell "amount 5.0 hp · kind fire":  literal, number, literal, choice
//
// A place of the text is within a literal (then all records of the type have it), within a value (then each value is looked at where it
// lies), or goes from one into another. Whether there can be such a place is known from the literals and from the characters that a kind of
// value may have; only then the cell is formatted. GUI thread; the model must outlive it.

#include <QString>
#include <QStringList>
#include <QStringMatcher>

#include "engine/message/record.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sbx {
struct FieldInfo;
}

namespace sbx::ui {

class TraceModel;

class TraceTextMatcher {
public:
    explicit TraceTextMatcher(const TraceModel& model) : m_model(model) {}

    // Columns of the model, as in TraceModel::text(). An empty text is everywhere.
    void set(const QString& text, const std::vector<int>& columns);
    // Before records are looked at again: the model may have other columns of fields by now.
    void refresh();
    [[nodiscard]] bool matches(const RecordView& record);

private:
    enum class Known : std::uint8_t { No, Yes, NotYet };
    struct FieldPlan {
        const FieldInfo* field = nullptr;
        bool shown = false;        // in a column, where numbers are rounded and control characters replaced
        std::vector<bool> choices; // of a Bool or an Enum: which have the text
    };
    // What is known of all records of a type.
    struct TypePlan {
        const MessageType* type = nullptr; // as it was described then; null: not made yet
        bool always = false; // all have it
        bool line = false;   // the cell of the fields may have it across several of its parts
        bool plain =
            false; // what is common to these cells has no character that compares equal to one of ASCII
        bool slow = false;             // too many fields for a plan
        std::vector<FieldPlan> fields; // those whose values may have it
        // The cell of the fields, if `line`: a literal before each value, and one behind the last. UTF-8.
        std::vector<std::pair<std::string, const FieldInfo*>> parts;
    };

    [[nodiscard]] bool has(const QString& text) const { return m_matcher.indexIn(text) >= 0; }
    [[nodiscard]] bool inAscii(std::string_view text) const;
    [[nodiscard]] bool inText(std::string_view text, bool shown) const;
    [[nodiscard]] bool inWhole(std::int64_t number) const;
    [[nodiscard]] bool inNumber(std::uint64_t number) const;
    // Of a name that was not looked at yet.
    [[nodiscard]] bool inName(std::vector<Known>& names, NameId name, const QString& shown) const;
    [[nodiscard]] bool inSender(const RecordView& record);
    [[nodiscard]] bool inColumn(const RecordView& record, int column);
    [[nodiscard]] bool inOutcome(const RecordView& record);
    [[nodiscard]] bool inReceiver(const RecordView& record);
    [[nodiscard]] bool inField(const RecordView& record, const FieldPlan& plan) const;
    [[nodiscard]] bool inNumbers(const RecordView& record, const FieldPlan& plan) const;
    [[nodiscard]] bool inLine(const RecordView& record, const TypePlan& plan);
    [[nodiscard]] bool writeLine(const RecordView& record, const TypePlan& plan);
    [[nodiscard]] bool bySlowLook(const RecordView& record) const;
    [[nodiscard]] bool shows(int column) const;
    [[nodiscard]] bool mayHave(const FieldInfo& field) const;
    [[nodiscard]] TypePlan& planOf(const RecordView& record);
    void makePlan(const RecordView& record, TypePlan& plan) const;
    void forget();

    const TraceModel& m_model;
    QString m_text;
    QStringMatcher m_matcher;
    std::u16string m_folded; // the text, each character in the case that comparing uses
    std::string m_ascii;     // the same if all of it is ASCII; else empty
    std::vector<int> m_columns;
    std::vector<int> m_each;    // of them, those that are looked at in each record
    bool m_goneMayHave = false; // what stands behind the name of a receiver that is gone
    QStringList m_fieldColumns;
    std::string m_line;                   // a cell that is looked into, kept for its room
    std::vector<TypePlan> m_types;        // by id
    std::vector<Known> m_senders;         // by id of the name
    std::vector<Known> m_receivers;       // which show what is not UTF-8 otherwise
    std::vector<Known> m_consumers;       // by id of the name: "consumed by Shield"
    std::array<Known, 256> m_worlds{};    // by index
    std::array<Known, 32> m_deliveries{}; // by Delivery, and 16 if delayed
    std::array<Known, 16> m_outcomes{};   // by RecordOutcome
};

} // namespace sbx::ui
