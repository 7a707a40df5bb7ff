#include "widgets/trace/trace_marks.h"

#include "engine/core/json_writer.h"
#include "engine/message/trace_reader.h"
#include "widgets/trace/trace_store.h"

#include <limits>

namespace sbx::ui {

void TraceMarks::setMarked(const std::vector<std::uint64_t>& sequences, bool marked) {
    const std::size_t before = m_marked.size();
    for (const std::uint64_t sequence : sequences) {
        if (marked)
            m_marked.insert(sequence);
        else
            m_marked.erase(sequence);
    }
    if (m_marked.size() != before)
        emit changed();
}

QString TraceMarks::comment(std::uint64_t sequence) const {
    const auto found = m_comments.find(sequence);
    return found == m_comments.end() ? QString() : found->second;
}

void TraceMarks::setComment(std::uint64_t sequence, const QString& text) {
    const QString trimmed = text.trimmed();
    if (comment(sequence) == trimmed)
        return;
    if (trimmed.isEmpty())
        m_comments.erase(sequence);
    else
        m_comments[sequence] = trimmed;
    emit changed();
}

void TraceMarks::setReference(std::optional<Reference> reference) {
    if (m_reference == reference)
        return;
    m_reference = reference;
    emit referenceChanged();
}

void TraceMarks::add(const std::vector<TraceNote>& notes) {
    if (notes.empty())
        return;
    for (const TraceNote& note : notes) {
        if (note.marked)
            m_marked.insert(note.sequence);
        if (const QString comment = QString::fromStdString(note.comment).trimmed(); !comment.isEmpty())
            m_comments[note.sequence] = comment;
    }
    emit changed();
}

std::string TraceMarks::withNotes(std::string line, std::uint64_t sequence) const {
    const auto text = m_comments.find(sequence);
    const bool isMarkedToo = isMarked(sequence);
    if ((text == m_comments.end() && !isMarkedToo) || !line.ends_with('}'))
        return line;
    line.pop_back();
    JsonWriter notes;
    if (isMarkedToo)
        notes.member("marked", true);
    if (text != m_comments.end())
        notes.member("comment", std::string_view(text->second.toStdString()));
    return line + ',' + notes.text() + '}';
}

void TraceMarks::clearMarked() {
    if (m_marked.empty())
        return;
    m_marked.clear();
    emit changed();
}

void TraceMarks::follow(const TraceStore& store) {
    const bool sameRun = store.run() == m_run && store.size() > 0;
    m_run = store.run();
    // The first sequence that is still held.
    const std::uint64_t first =
        sameRun ? store.sequenceOf(store.first()) : std::numeric_limits<std::uint64_t>::max();
    const std::size_t before = m_marked.size() + m_comments.size();
    m_marked.erase(m_marked.begin(), m_marked.lower_bound(first));
    m_comments.erase(m_comments.begin(), m_comments.lower_bound(first));
    if (m_marked.size() + m_comments.size() != before)
        emit changed();
    if (!sameRun)
        setReference(std::nullopt);
}

} // namespace sbx::ui

#include "moc_trace_marks.cpp"
