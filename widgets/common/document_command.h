#pragma once
// What stands behind Document, for its own sources only: an open file, and one step of the undo stack.

#include <QUndoCommand>

#include "widgets/common/document.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sbx::ui {

// The smallest single edit between two texts, or none. Whole characters: never cuts a UTF-8 sequence in two.
[[nodiscard]] std::vector<TextEdit> difference(const std::string& from, std::string_view to);

struct Document::File {
    std::string name; // as announced by the document's signals
    FileRole role = FileRole::Definitions;
    QString path;
    std::string text;
    std::string saved; // bytes on disk when last read or written by us
    std::string askedAbout; // bytes on disk that the user was last asked about
    bool dirty = false;
    bool missing = false;
};

// One step of the stack: the edits of each file, in the coordinates of its text before the step.
class Document::EditCommand : public QUndoCommand {
public:
    struct Batch {
        File* file;
        std::vector<TextEdit> edits; // ascending
    };

    // `mergeRun`: Document::m_mergeRun as of the edit; steps with one merge key merge only within one run of it.
    EditCommand(Document& document, std::vector<Batch> batches, const QString& label, QString mergeKey,
                std::uint64_t mergeRun, std::unique_ptr<BesideStep> beside = nullptr);

    int id() const override { return m_mergeKey.isEmpty() ? -1 : 1; }
    void redo() override;
    void undo() override;
    bool mergeWith(const QUndoCommand* command) override;
    // Whether `other`, if it follows, becomes part of this step.
    [[nodiscard]] bool continuedBy(const EditCommand& other) const {
        return isOfRun(other.m_run) && other.m_mergeKey == m_mergeKey;
    }
    [[nodiscard]] bool changes(FileRole role) const {
        return std::any_of(m_batches.begin(), m_batches.end(),
                           [role](const Batch& batch) { return batch.file->role == role; });
    }
    [[nodiscard]] bool isOfRun(std::uint64_t run) const { return !m_mergeKey.isEmpty() && m_run == run; }

private:
    void append(const Batch& batch);

    Document& m_document;
    std::vector<Batch> m_batches;
    QString m_mergeKey;
    std::uint64_t m_run;
    std::unique_ptr<BesideStep> m_beside; // null: only texts
    bool m_undone = false;
};

} // namespace sbx::ui
