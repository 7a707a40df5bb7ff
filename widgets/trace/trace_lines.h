#pragma once
// What stands in which line of the trace's list: the rows of the model, under an opened row a line for each handler, and, while repeats
// are collapsed, one line for a group of rows, with the rows under it where the group is opened.
//
// What is opened is kept by the sequence of its record, so that it is found again after another filter. Few things are opened at a
// time: lines are counted by walking those, never the rows. GUI thread; the model outlives it.

#include <QString>

#include <cstdint>
#include <vector>

namespace sbx {
class RecordView;
}

namespace sbx::ui {

class TraceContext;
class TraceModel;

struct TraceLine {
    enum Part { Group = -2, Record = -1 }; // else the number of a handler, in order of priority
    int row = -1;                          // of the model; of a group the first
    int part = Record;
    friend bool operator==(const TraceLine&, const TraceLine&) = default;
};

class TraceLines {
public:
    explicit TraceLines(const TraceModel& model) : m_model(model) {}

    // The model's rows are others, or more.
    void refresh();
    // The model's first rows have gone.
    void forgetFirst(int rows);
    void closeAll();

    [[nodiscard]] int count() const;
    [[nodiscard]] TraceLine at(int line) const;
    // The line of a row's record: in a closed group, the group's.
    [[nodiscard]] int lineOf(int row) const;
    // The same of a handler, or of the group.
    [[nodiscard]] int lineOf(const TraceLine& line) const;
    // The first line that belongs to the row alone, or to the group it begins.
    [[nodiscard]] int topOf(int row) const;
    // What stands in the line that lineOf(row) names.
    [[nodiscard]] TraceLine shown(int row) const;

    // Something is under it, or would be.
    [[nodiscard]] bool canOpen(const TraceLine& line) const;
    [[nodiscard]] bool isOpen(const TraceLine& line) const;
    void setOpen(const TraceLine& line, bool open);
    [[nodiscard]] bool anyOpen() const { return !m_records.empty() || !m_groups.empty(); }
    // What a line is under: a handler under its record, a record under its group. Itself: nothing.
    [[nodiscard]] TraceLine parentOf(const TraceLine& line) const;
    // 1 for a record under its group.
    [[nodiscard]] int depthOf(int row) const;

private:
    struct Opened {
        int row = 0;
        int group = 0;
        bool isGroup = false;
        int end = 0;   // the row after the opened group that it is, or is in; else row + 1
        int lines = 0; // under it
        int line = 0;  // its own
    };
    [[nodiscard]] const Opened* lastBefore(int row) const;
    [[nodiscard]] const Opened* openGroupOf(int row) const;
    [[nodiscard]] TraceLine groupLine(int group) const;

    // What is under a record does not change: it is read once, when the record is opened, wherever that lies afterwards.
    struct OpenRecord {
        std::uint64_t sequence = 0;
        int lines = 0; // under it
    };

    const TraceModel& m_model;
    std::vector<OpenRecord> m_records;   // by sequence, ascending
    std::vector<std::uint64_t> m_groups; // of a row of each, ascending
    std::vector<Opened> m_opened;        // those among the rows, in the order of their lines
};

// A handler of a record, in words.
struct HandlerText {
    QString component;
    QString priority;
    QString result;
    QString time; // empty: not recorded
};
[[nodiscard]] HandlerText handlerText(const TraceContext& context, const RecordView& record, int handler);

} // namespace sbx::ui
