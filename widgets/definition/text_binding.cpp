#include "widgets/definition/text_binding.h"

#include <QTimer>

#include "widgets/definition/code_view.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace sbx::ui {

namespace {

constexpr std::string_view ByteOrderMark = "\xEF\xBB\xBF";
// More places than this change as one stretch: folds and marks between them are lost, which a few edits keep.
constexpr std::size_t MaxReplacements = 16;

bool changesLines(const TextEdit& edit) {
    return edit.removed.find_first_of("\r\n") != std::string::npos || edit.inserted.find_first_of("\r\n") != std::string::npos;
}

// Where a position stands after the edits; text that comes in right at it goes behind it.
std::size_t moved(std::size_t position, const std::vector<TextEdit>& edits) {
    std::size_t added = 0;
    std::size_t gone = 0;
    for (const TextEdit& edit : edits) {
        if (edit.offset >= position)
            break;
        const std::size_t end = edit.offset + edit.removed.size();
        if (end > position) // inside what was replaced: as far in as there is room
            return edit.offset + added - gone + std::min(position - edit.offset, edit.inserted.size());
        added += edit.inserted.size();
        gone += edit.removed.size();
    }
    return position + added - gone;
}

// Without the bytes that stay: the caret and the marks beside them need not move.
TextEdit trimmed(const TextEdit& edit) {
    const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; };
    const std::size_t shorter = std::min(edit.removed.size(), edit.inserted.size());
    std::size_t head = 0;
    while (head < shorter && edit.removed[head] == edit.inserted[head])
        ++head;
    while (head > 0
           && ((head < edit.removed.size() && continues(edit.removed[head]))
               || (head < edit.inserted.size() && continues(edit.inserted[head]))))
        --head;
    std::size_t tail = 0;
    while (tail < shorter - head
           && edit.removed[edit.removed.size() - 1 - tail] == edit.inserted[edit.inserted.size() - 1 - tail])
        ++tail;
    while (tail > 0 && continues(edit.removed[edit.removed.size() - tail]))
        --tail;
    return {edit.offset + head, edit.removed.substr(head, edit.removed.size() - head - tail),
            edit.inserted.substr(head, edit.inserted.size() - head - tail)};
}

} // namespace

TextBinding::TextBinding(Document& document, CodeView& view, QObject* parent)
    : QObject(parent), m_document(document), m_view(view) {
    connect(&view, &CodeView::modified, this, &TextBinding::takeTyped);
    connect(&view, &CodeView::commandStarted, this, [this] { m_newCommand = true; });
    connect(&view, &CodeView::focusLeft, this, &TextBinding::endRun);
    connect(&view, &CodeView::undoRequested, this, &TextBinding::undo);
    connect(&view, &CodeView::redoRequested, this, &TextBinding::redo);
    connect(&document, &Document::textChanged, this, &TextBinding::take);
    connect(&document, &Document::opened, this, [this] {
        m_places.clear();
        m_file.clear();
    });
    connect(&document, &Document::closed, this, [this] {
        m_places.clear();
        show({});
    });
    view.setReadOnly(true);
}

void TextBinding::show(const std::string& file) {
    if (file == m_file && !file.empty())
        return;
    if (!m_file.empty() && m_document.contains(m_file))
        m_places[m_file] = place();
    endRun();
    m_file = file;
    reload();
    if (const auto known = m_places.find(file); known != m_places.end()) {
        const bool left = known->second.inSight;
        setPlace(known->second);
        if (left)
            m_view.reveal(m_view.caret());
    }
    emit fileChanged();
}

void TextBinding::reload() {
    const std::string_view text =
        m_file.empty() ? std::string_view() : std::string_view(m_document.text(m_file));
    m_base = text.starts_with(ByteOrderMark) ? ByteOrderMark.size() : 0;
    m_view.setReadOnly(false);
    m_view.setBytes(text.substr(m_base));
    m_view.setReadOnly(m_file.empty());
}

TextBinding::Place TextBinding::place() const {
    return {toText(m_view.anchor()), toText(m_view.caret()), toText(m_view.lineStart(m_view.topLine())),
            m_view.isInSight(m_view.caret())};
}

void TextBinding::setPlace(const Place& place) {
    m_view.select(toView(place.anchor), toView(place.caret));
    m_view.setTopLine(m_view.lineOf(toView(place.top)));
}

std::size_t TextBinding::caret() const { return toText(m_view.caret()); }

void TextBinding::setCaret(std::size_t offset) { select(offset, offset); }

void TextBinding::select(std::size_t begin, std::size_t end) {
    endRun();
    m_view.select(toView(begin), toView(end));
}

void TextBinding::reveal(std::size_t offset) { m_view.reveal(toView(offset)); }

void TextBinding::endRun() {
    m_runOpen = false;
    m_newCommand = true;
}

void TextBinding::takeTyped(std::size_t position, std::size_t removed, const QByteArray& inserted) {
    if (m_file.empty())
        return;
    const bool deletes = inserted.isEmpty();
    const std::size_t size = std::max(removed, static_cast<std::size_t>(inserted.size()));
    const std::size_t begin = toText(position);
    if (m_newCommand) {
        // One character more where the last one was typed or taken joins the run; a line end closes it.
        const bool adjacent = begin == m_runEnd || (deletes && begin + size == m_runEnd);
        const bool joins = m_runOpen && adjacent && deletes == m_runDeletes && size <= 4
                           && m_lastTyped.isValid() && m_lastTyped.elapsed() < m_pause.count()
                           && !inserted.contains('\n');
        if (!joins)
            m_document.endMerge();
        m_newCommand = false;
        // A command that is no key press (a paste from a menu) ends with the event that brought it.
        QTimer::singleShot(0, this, [this] { m_newCommand = true; });
    }
    m_runOpen = size <= 4 && !inserted.contains('\n');
    m_runDeletes = deletes;
    m_runEnd = begin + static_cast<std::size_t>(inserted.size());
    m_lastTyped.start();

    m_sending = true;
    EditRequest request;
    request.file = m_file;
    request.edits = {{begin, text().substr(std::min(begin, text().size()), removed), inserted.toStdString()}};
    request.label = tr("Edit %1").arg(QString::fromStdString(m_file));
    request.mergeKey = QStringLiteral("definition.typing:") + QString::fromStdString(m_file);
    const Result<void> done = m_document.edit(std::move(request));
    m_sending = false;
    if (!done) // the copies differ: the document's stands, but not inside Scintilla's notification
        QTimer::singleShot(0, this, [this, reason = QString::fromStdString(done.error().toString())] {
            const Place where = place();
            reload();
            setPlace(where);
            emit refused(reason);
        });
    emit textChanged();
}

void TextBinding::take(const std::string& file, const std::vector<TextEdit>& edits) {
    if (m_followStep && !edits.empty()) {
        m_stepFile = file;
        // Where the last of them ends in the text after.
        std::size_t end = edits.back().offset;
        for (const TextEdit& edit : edits)
            end += edit.inserted.size() - (&edit == &edits.back() ? 0 : edit.removed.size());
        m_stepEnd = end;
    }
    if (file != m_file) {
        if (const auto known = m_places.find(file); known != m_places.end())
            for (std::size_t* position : {&known->second.anchor, &known->second.caret, &known->second.top})
                *position = moved(*position, edits);
        return;
    }
    if (m_sending)
        return;
    endRun();
    std::vector<TextEdit> small;
    small.reserve(edits.size());
    for (const TextEdit& edit : edits)
        small.push_back(trimmed(edit));
    Place where = place();
    for (std::size_t* position : {&where.anchor, &where.caret, &where.top})
        *position = moved(*position, small);
    const std::string& now = m_document.text(m_file);
    const bool marked = std::string_view(now).starts_with(ByteOrderMark);
    if (marked != (m_base > 0) || (!small.empty() && small.front().offset < m_base)) {
        reload();
    } else if (small.size() > MaxReplacements && std::none_of(small.begin(), small.end(), changesLines)) {
        // The numbers of a drag: lines, folds and marks stay.
        const CodeView::Silence silence(m_view);
        for (auto edit = small.rbegin(); edit != small.rend(); ++edit)
            m_view.replaceBytes(toView(edit->offset), toView(edit->offset + edit->removed.size()), edit->inserted);
    } else if (small.size() > MaxReplacements) {
        // Each replacement is reported to the listeners of the view: all between the first and the last in one.
        const std::size_t begin = small.front().offset;
        const std::size_t end = small.back().offset + small.back().removed.size();
        const std::size_t endNow = now.size() - (m_view.length() - toView(end)); // as many bytes stay behind it
        m_view.replaceBytes(toView(begin), toView(end), std::string_view(now).substr(begin, endNow - begin));
    } else {
        for (auto edit = small.rbegin(); edit != small.rend(); ++edit)
            m_view.replaceBytes(toView(edit->offset), toView(edit->offset + edit->removed.size()),
                                edit->inserted);
    }
    setPlace(where);
    // A caret that was in sight stays there, however much of its line has come or gone.
    if (where.inSight)
        m_view.reveal(m_view.caret());
    m_view.keepTextInSight();
    emit textChanged();
}

Result<void> TextBinding::replace(std::size_t begin, std::size_t end, const std::string& with,
                                  const QString& label) {
    const std::string removed = text().substr(begin, end - begin);
    m_document.endMerge();
    endRun();
    const Result<void> done = m_document.edit({m_file, {{begin, removed, with}}, label, {}});
    if (done) {
        setCaret(begin + with.size());
        m_view.reveal(m_view.caret());
    } else {
        emit refused(QString::fromStdString(done.error().toString()));
    }
    return done;
}

void TextBinding::undo() { step(true); }

void TextBinding::redo() { step(false); }

void TextBinding::step(bool back) {
    endRun();
    m_stepFile.clear();
    m_followStep = true;
    if (back)
        m_document.undoOrder().undo();
    else
        m_document.undoOrder().redo();
    m_followStep = false;
    if (m_stepFile.empty() || !m_document.contains(m_stepFile))
        return;
    show(m_stepFile);
    setCaret(m_stepEnd);
    reveal(m_stepEnd);
}

} // namespace sbx::ui

#include "moc_text_binding.cpp"
