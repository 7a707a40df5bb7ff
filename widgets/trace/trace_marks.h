#pragma once
// What a person has noted on records: marks, comments, and the record that times are counted from. Kept by sequence for one run; a note
// goes with its record, or with the run. GUI thread; owned by the model.

#include <QObject>
#include <QString>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace sbx {
struct TraceNote; // trace_reader.h
}

namespace sbx::ui {

class TraceStore;

class TraceMarks : public QObject {
    Q_OBJECT

public:
    // Its tick stays the zero of times after the record has gone.
    struct Reference {
        std::uint64_t sequence = 0;
        std::uint64_t tick = 0;
        friend bool operator==(const Reference&, const Reference&) = default;
    };

    explicit TraceMarks(QObject* parent = nullptr) : QObject(parent) {}

    [[nodiscard]] bool isMarked(std::uint64_t sequence) const { return m_marked.count(sequence) != 0; }
    // All of them as one change.
    void setMarked(const std::vector<std::uint64_t>& sequences, bool marked);
    // Empty: none.
    [[nodiscard]] QString comment(std::uint64_t sequence) const;
    // Trimmed; an empty one takes the comment away.
    void setComment(std::uint64_t sequence, const QString& text);
    [[nodiscard]] const std::optional<Reference>& reference() const { return m_reference; }
    void setReference(std::optional<Reference> reference);

    [[nodiscard]] const std::set<std::uint64_t>& marked() const { return m_marked; }
    [[nodiscard]] const std::map<std::uint64_t, QString>& comments() const { return m_comments; }
    // A record's line of a trace, an object of JSON, with the keys `marked` and `comment` where it has them.
    [[nodiscard]] std::string withNotes(std::string line, std::uint64_t sequence) const;
    // Adds notes that a file has, as one change. They are of the run that is followed.
    void add(const std::vector<TraceNote>& notes);
    // Takes away all marks; comments and the reference stay.
    void clearMarked();

    // Lets go what belongs to records that the store no longer holds.
    void follow(const TraceStore& store);

signals:
    void changed();
    void referenceChanged();

private:
    std::set<std::uint64_t> m_marked;
    std::map<std::uint64_t, QString> m_comments;
    std::optional<Reference> m_reference;
    std::uint64_t m_run = 0;
};

} // namespace sbx::ui
