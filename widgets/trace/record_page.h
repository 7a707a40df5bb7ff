#pragma once
// What pages that explain records have in common: text in the theme's colours, links to records, entities and types, the chain of causes
// above a record and what it caused. Writes the HTML of a QTextBrowser. GUI thread; theme and model must outlive it.
//
//   record:812   that message           entity:crate_3   that entity
//   type:Damage  record this type from now on
//   code:LINE:FILE  that line of source code, see codeLineOf()

#include <QCoreApplication>
#include <QString>

#include "engine/entity/component_type.h"
#include "engine/message/record.h"

#include <cstdint>
#include <optional>
#include <string_view>

class QColor;
class QDialog;
class QTextBrowser;
class QTextDocument;
class QUrl;

namespace sbx::ui {

class Theme;
class TraceContext;
class TraceModel;

// What a "code:" link leads to; nothing: it is another link.
[[nodiscard]] std::optional<CodeLine> codeLineOf(const QUrl& link);

class RecordPage {
    Q_DECLARE_TR_FUNCTIONS(RecordPage)

public:
    static constexpr int IconSide = 14; // pixels

    RecordPage(const Theme& theme, const TraceModel& model);

    // The pictures that icon() shows, in the theme's present colours.
    static void addIcons(QTextDocument& document, const Theme& theme, qreal devicePixelRatio);

    // Makes `text` all that `window` shows: a page whose links the caller follows.
    static void fill(QDialog& window, QTextBrowser& text);

    [[nodiscard]] QString colored(const QString& text, const QColor& color) const;
    [[nodiscard]] QString muted(const QString& text) const;
    [[nodiscard]] QString mono(const QString& text) const;
    // `target` is a link's whole address, `text` HTML.
    [[nodiscard]] QString link(const QString& target, const QString& text) const;
    // "passed", "consumed", "not-reached", "unheeded", "unhandled", "waiting" or "comment".
    [[nodiscard]] static QString icon(const char* name);
    // A link; of a trace file only its name.
    [[nodiscard]] QString entity(std::string_view name) const;
    // "#790", a link if it is held.
    [[nodiscard]] QString record(std::uint64_t sequence) const;
    // "#790 Contact phantom_1 → crate_3"
    [[nodiscard]] QString summary(const RecordView& record) const;
    // A link that has the type recorded: "record it", or other words, as HTML.
    [[nodiscard]] QString recordIt(MessageTypeId type, const QString& words = {}) const;
    // "Damage, not recorded record it"; of a trace file "Damage, which is not in the file".
    [[nodiscard]] QString unrecorded(MessageTypeId type) const;

    // "shield.cpp:42", a link to the line that declares the component's handler of the type; empty: it is not known.
    [[nodiscard]] QString code(std::string_view component, MessageTypeId type) const;
    // The same for a line; empty without a file.
    [[nodiscard]] QString code(const CodeLine& place) const;
    // The same for the line that sent the record; empty: it is not known, see SendSite.
    [[nodiscard]] QString sendSite(const RecordView& record) const;

    // A paragraph for each cause, from the first that is held down to the record itself. Adds to `depth` how far the last is indented.
    [[nodiscard]] QString causes(std::uint64_t sequence, int& depth) const;
    // The same and, below it, what it caused directly.
    [[nodiscard]] QString chain(std::uint64_t sequence) const;
    // Whether all that was said of records so far was at hand; else the rest is being read from the disk, and TraceModel::loaded comes.
    [[nodiscard]] bool isComplete() const { return m_complete; }

protected:
    [[nodiscard]] QString line(int depth, const QString& text) const;

    const Theme& m_theme;
    const TraceModel& m_model;
    const TraceContext& m_context;
    mutable bool m_complete = true;
};

} // namespace sbx::ui
