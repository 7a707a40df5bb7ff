#include "widgets/common/document_command.h"

#include <algorithm>
#include <utility>

namespace sbx::ui {

std::vector<TextEdit> difference(const std::string& from, std::string_view to) {
    const std::size_t shorter = std::min(from.size(), to.size());
    std::size_t head = 0;
    while (head < shorter && from[head] == to[head])
        ++head;
    const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; };
    const auto cuts = [&](std::size_t at, std::string_view text) {
        return at < text.size() && continues(text[at]);
    };
    while (head > 0 && (cuts(head, from) || cuts(head, to)))
        --head;
    std::size_t tail = 0;
    while (tail < shorter - head && from[from.size() - 1 - tail] == to[to.size() - 1 - tail])
        ++tail;
    while (tail > 0 && (cuts(from.size() - tail, from) || cuts(to.size() - tail, to)))
        --tail;
    if (head == from.size() && head == to.size())
        return {};
    return {{head, from.substr(head, from.size() - head - tail),
             std::string(to.substr(head, to.size() - head - tail))}};
}

Document::EditCommand::EditCommand(Document& document, std::vector<Batch> batches, const QString& label,
                                   QString mergeKey, std::uint64_t mergeRun, std::unique_ptr<BesideStep> beside)
    : QUndoCommand(label),
      m_document(document),
      m_batches(std::move(batches)),
      m_mergeKey(std::move(mergeKey)),
      m_run(mergeRun),
      m_beside(std::move(beside)) {}

void Document::EditCommand::redo() {
    if (m_beside && std::exchange(m_undone, false))
        m_beside->redo();
    for (const Batch& batch : m_batches)
        m_document.apply(*batch.file, batch.edits);
}

void Document::EditCommand::undo() {
    for (auto batch = m_batches.rbegin(); batch != m_batches.rend(); ++batch)
        m_document.apply(*batch->file, definition::inverseOf(batch->edits));
    if (m_beside) {
        m_beside->undo();
        m_undone = true;
    }
    if (m_document.m_cancelling)
        setObsolete(true); // the stack drops it
}

bool Document::EditCommand::mergeWith(const QUndoCommand* command) {
    const auto& other = static_cast<const EditCommand&>(*command);
    if (!continuedBy(other))
        return false;
    for (const Batch& batch : other.m_batches)
        append(batch);
    setText(other.text());
    std::erase_if(m_batches, [](const Batch& batch) { return batch.edits.empty(); });
    setObsolete(m_batches.empty()); // dragged back to where it was
    return true;
}

// Typing appends, a drag replaces the same places again and again: however often, undo is one pass over each text.
void Document::EditCommand::append(const Batch& batch) {
    const auto same = std::find_if(m_batches.begin(), m_batches.end(), [&](const Batch& b) { return b.file == batch.file; });
    if (same == m_batches.end())
        m_batches.push_back(batch);
    else
        same->edits = definition::composed(std::move(same->edits), batch.edits);
}

} // namespace sbx::ui
