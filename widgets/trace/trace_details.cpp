#include "widgets/trace/trace_details.h"

#include <QAbstractTextDocumentLayout>
#include <QApplication>
#include <QContextMenuEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QScrollBar>
#include <QTextDocument>
#include <QTextTable>
#include <QUrl>

#include "engine/message/record_text.h"
#include "widgets/common/foreign_text.h"
#include "widgets/common/theme.h"
#include "widgets/trace/message_bytes.h"
#include "widgets/trace/record_page.h"
#include "widgets/trace/trace_model.h"

#include <algorithm>
#include <iterator>
#include <vector>

namespace sbx::ui {

namespace {

QString escaped(const QString& text) { return htmlText(text); }

// Writes the record as HTML in the theme's colours.
class DetailsPage : public RecordPage {
public:
    using RecordPage::RecordPage;

    QString write(const RecordView& record) {
        head(record);
        comment(record);
        ignored(record);
        envelope(record);
        fields(record);
        handlers(record);
        causesAndEffects(record);
        bytes(record);
        return m_html;
    }

private:
    void section(const QString& title) {
        // The margin above a paragraph is lost below a table that ends in an image's line: a thin line of its
        // own keeps it.
        m_html += QStringLiteral("<p style=\"margin:0;font-size:6px\">&nbsp;</p>"
                                 "<p style=\"margin:2px 0 4px 0;font-weight:600\">%1</p>")
                      .arg(title);
    }
    void openTable() { m_html += QStringLiteral("<table cellspacing=\"0\" cellpadding=\"0\">"); }
    void row(const QStringList& cells) {
        m_html += QStringLiteral("<tr>");
        for (const QString& cell : cells)
            m_html += QStringLiteral("<td style=\"padding:1px 12px 1px 0\">%1</td>").arg(cell);
        m_html += QStringLiteral("</tr>");
    }
    void closeTable() { m_html += QStringLiteral("</table>"); }

    void head(const RecordView& r) {
        const MessageType& type = m_context.type(r);
        const RecordOutcome outcome = TraceContext::outcome(r);
        static const Meaning Meanings[] = {Meaning::Passed, Meaning::Consumed, Meaning::NotReached,
                                           Meaning::Unhandled};
        m_html +=
            QStringLiteral("<p style=\"margin:0\"><b>%1</b> &nbsp;%2 &nbsp;<img src=\"icon:%3\" "
                           "width=\"%4\" height=\"%4\" style=\"vertical-align:middle\"> %5</p>")
                .arg(escaped(QString::fromStdString(type.name)),
                     muted(mono(QStringLiteral("#%1").arg(r.envelope().sequence))),
                     QString::fromLatin1(outcomeName(shownAs(outcome))), QString::number(IconSide),
                     colored(escaped(m_context.outcomeText(r)),
                             m_theme.readable(m_theme.color(Meanings[static_cast<int>(shownAs(outcome))]))));
        if (!type.doc.empty())
            m_html += QStringLiteral("<p style=\"margin:2px 0 0 0\">%1</p>")
                          .arg(muted(escaped(QString::fromStdString(type.doc))));
        // What is wrong stands first: a low panel shows little more.
        if (isFault(r))
            m_html +=
                QStringLiteral("<p style=\"margin:4px 0 0 0\">%1</p>")
                    .arg(r.note() != RecordNote::None ? explained(r) : escaped(m_context.whoCouldHandle(r)));
    }

    [[nodiscard]] static bool isFault(const RecordView& r) {
        return shownAs(TraceContext::outcome(r)) == RecordOutcome::Unhandled;
    }

    void comment(const RecordView& r) {
        if (const QString text = m_model.marks().comment(r.sequence()); !text.isEmpty())
            m_html +=
                QStringLiteral("<p style=\"margin:6px 0 0 0\">%1 %2</p>").arg(icon("comment"), escaped(text));
    }

    void ignored(const RecordView& r) {
        if (const auto row = m_model.store().rowOf(r.sequence()); row && m_model.ignored().has(*row))
            m_html +=
                QStringLiteral("<p style=\"margin:6px 0 0 0\">%1</p>")
                    .arg(muted(TraceDetails::tr(
                        "You ignore this message: statistics, search, copies and exports leave it out.")));
    }

    // "+12 from #790"
    [[nodiscard]] QString fromReference(const RecordView& r) const {
        const auto& reference = m_model.marks().reference();
        if (!reference)
            return {};
        if (r.sequence() == reference->sequence)
            return muted(QStringLiteral("&nbsp; the time reference"));
        QString text = m_model.tickText(r);
        if (const double rate = m_context.source().ticksPerSecond(); rate > 0)
            text += QStringLiteral(", %1%2 s")
                        .arg(r.tick() >= reference->tick ? QStringLiteral("+") : QString())
                        .arg((static_cast<double>(r.tick()) - static_cast<double>(reference->tick)) / rate, 0,
                             'f', 3);
        return QStringLiteral("&nbsp; ") + muted(mono(text) + QStringLiteral(" from "))
               + record(reference->sequence);
    }

    void envelope(const RecordView& r) {
        const Envelope e = r.envelope();
        m_html += QStringLiteral("<p style=\"margin:6px 0 0 0;font-size:1px\">&nbsp;</p>");
        openTable();
        row({muted(QStringLiteral("from")), entity(m_context.sender(r))});
        QString receiver = entity(m_context.receiver(r));
        if (const auto gone = m_context.receiverGoneBy(r))
            receiver += QStringLiteral("&nbsp; ") + muted(QStringLiteral("gone by tick %1").arg(*gone));
        row({muted(QStringLiteral("to")), receiver});
        // The whole chain stands at the end, which a low panel shows only to those who scroll.
        if (const auto cause = m_model.store().rowOf(e.cause); cause && e.cause != 0)
            row({muted(QStringLiteral("cause")),
                 record(e.cause) + QLatin1Char(' ')
                     + escaped(QString::fromStdString(messageType(m_model.store().typeOf(*cause)).name))});
        QString when = mono(QString::number(e.tick));
        const double rate = m_context.source().ticksPerSecond();
        if (rate > 0)
            when += QStringLiteral("&nbsp; ")
                    + muted(mono(QStringLiteral("%1 s").arg(static_cast<double>(e.tick) / rate, 0, 'f', 3)));
        row({muted(QStringLiteral("tick")), when + fromReference(r)});
        QString route = escaped(toQString(TraceContext::delivery(r)));
        if (r.late() != 0)
            route += QStringLiteral("&nbsp; ") + icon("waiting") + QLatin1Char(' ')
                     + TraceDetails::tr("came at tick %1, and waited for what it depends on: %2")
                           .arg(mono(QString::number(e.queuedAt)), QString::fromStdString(lateText(r)));
        else if (e.delayed)
            route += QStringLiteral("&nbsp; ") + muted(QStringLiteral("sent at tick %1").arg(e.queuedAt));
        row({muted(QStringLiteral("delivery")), route});
        if (const QString site = sendSite(r); !site.isEmpty())
            row({muted(QStringLiteral("sent in")), site});
        if (const double stamp = r.stampNs(); stamp >= 0.0)
            row({muted(QStringLiteral("time")),
                 mono(QStringLiteral("%1 µs").arg(stamp / 1000.0, 0, 'f', 1))
                     + muted(QStringLiteral("&nbsp; after the first message of its tick"))});
        if (m_context.worldsSeen() > 1)
            row({muted(QStringLiteral("world")), escaped(toQString(m_context.world(r)))});
        closeTable();
    }

    void fields(const RecordView& r) {
        section(QStringLiteral("Fields"));
        const FieldTable& table = *m_context.type(r).fields;
        if (table.empty()) {
            m_html += QStringLiteral("<p style=\"margin:0\">%1</p>")
                          .arg(muted(QStringLiteral("This message carries none.")));
            return;
        }
        const auto before = previousOfKind(m_model, r.sequence());
        const RecordView previous =
            before ? m_model.store().at(*m_model.store().rowOf(*before)) : RecordView();
        const std::vector<bool> changed = before ? changedFields(r, previous) : std::vector<bool>();
        openTable();
        std::size_t number = 0;
        for (const FieldInfo& field : table) {
            QString value = mono(escaped(m_context.fieldValue(r, field, true)));
            if (field.type == FieldType::Entity) {
                const QString name = m_context.fieldValue(r, field, true);
                if (name != QLatin1String("none") && !name.startsWith(QLatin1Char('#')))
                    value = entity(name.toStdString());
            }
            if (!field.unit.empty())
                value += QStringLiteral(" ") + muted(escaped(QString::fromStdString(field.unit)));
            if (const std::size_t at = number++; at < changed.size() && changed[at])
                value += QStringLiteral(" ")
                         + colored(TraceDetails::tr("● was %1")
                                       .arg(mono(escaped(m_context.fieldValue(previous, field, false)))),
                                   changedColor());
            row({muted(escaped(QString::fromStdString(field.name))), value,
                 muted(escaped(QString::fromStdString(field.doc)))});
        }
        closeTable();
        if (before)
            m_html += QStringLiteral("<p style=\"margin:2px 0 0 0\">%1 %2</p>")
                          .arg(muted(std::find(changed.begin(), changed.end(), true) == changed.end()
                                         ? TraceDetails::tr("As in the last of this type between the two,")
                                         : TraceDetails::tr(
                                             "● differs from the last of this type between the two,")),
                               record(*before));
    }
    [[nodiscard]] QColor changedColor() const { return m_theme.readable(m_theme.hue(Hue::Orange)); }

    // Eight to a line: offset, hexadecimal, as text. Each is an anchor that lights its field.
    void bytes(const RecordView& r) {
        constexpr std::size_t PerLine = 8;
        constexpr std::size_t MostLines = 64;
        const WireLayout layout = bytesOf(r);
        if (layout.bytes.empty())
            return;
        section(TraceDetails::tr("On the network: %n bytes", nullptr, static_cast<int>(layout.bytes.size())));
        const auto byte = [&](std::size_t at, const QString& text) {
            return QStringLiteral("<a href=\"byte:%1\" style=\"text-decoration:none;color:%2\">%3</a>")
                .arg(at)
                .arg(m_theme.color(layout.fieldAt(at) % 2 == 0 ? Token::Text : Token::Muted).name(), text);
        };
        openTable();
        for (std::size_t line = 0; line * PerLine < layout.bytes.size() && line < MostLines; ++line) {
            QString hex;
            QString signs;
            for (std::size_t at = line * PerLine; at < std::min(layout.bytes.size(), (line + 1) * PerLine);
                 ++at) {
                const unsigned char value = layout.bytes[at];
                hex += (hex.isEmpty() ? QString() : QString(QChar::Nbsp)) // a line is not broken
                       + byte(at, QStringLiteral("%1").arg(value, 2, 16, QLatin1Char('0')));
                signs += byte(at, value > 0x20 && value < 0x7F
                                      ? escaped(QString(QLatin1Char(static_cast<char>(value))))
                                      : QStringLiteral("·"));
            }
            row({muted(mono(QStringLiteral("%1").arg(line * PerLine, 4, 16, QLatin1Char('0')))), mono(hex),
                 mono(signs)});
        }
        closeTable();
        if (layout.bytes.size() > PerLine * MostLines)
            m_html +=
                QStringLiteral("<p style=\"margin:0\">%1</p>")
                    .arg(muted(
                        TraceDetails::tr("and %1 more").arg(layout.bytes.size() - PerLine * MostLines)));
    }

    [[nodiscard]] static QString explained(const RecordView& r) {
        switch (r.note()) {
        case RecordNote::Short:
            return QStringLiteral("Its sender demanded %1 receivers; %2 had a handler or listened.")
                .arg(r.minimum())
                .arg(r.receivers());
        case RecordNote::Gone:
            return QStringLiteral("It was queued, and its receiver died before it was due.");
        case RecordNote::NoListener:
            return QStringLiteral("It was sent to the listeners of its type, and there are none.");
        case RecordNote::CutOff:
            return QStringLiteral("Cut off: too many messages were handled inside one another, or set off by "
                                  "one. Does a handler answer itself?");
        case RecordNote::None:
            break;
        }
        return {};
    }

    void handlers(const RecordView& r) {
        if (isFault(r) && (r.note() != RecordNote::None || r.visits().empty()))
            return; // said at the top
        section(QStringLiteral("Handlers in order of priority"));
        const RecordOutcome outcome = TraceContext::outcome(r);
        if (outcome == RecordOutcome::Unheeded)
            m_html += QStringLiteral("<p style=\"margin:0\">%1</p>")
                          .arg(muted(escaped(m_context.whoCouldHandle(r))));
        if (r.visits().empty()) {
            if (outcome == RecordOutcome::Passed)
                m_html += QStringLiteral("<p style=\"margin:0\">%1</p>")
                              .arg(muted(QStringLiteral("None here: it went to a listener.")));
            return;
        }
        openTable();
        for (const HandlerVisit visit : r.visits()) {
            const QString priority = muted(mono(QString::number(visit.priority)));
            const QString name = escaped(toQString(m_context.name(visit.component)));
            const QString time =
                visit.nanoseconds == 0
                    ? QString()
                    : muted(mono(QStringLiteral("%1 µs").arg(visit.nanoseconds / 1000.0, 0, 'f', 1)));
            const QString code = RecordPage::code(m_context.name(visit.component), r.type());
            switch (visit.result) {
            case HandlerResult::Passed:
                row({icon("passed"), priority, name,
                     muted(visit.observer ? QStringLiteral("looked on") : QStringLiteral("passed on")), code,
                     time});
                break;
            case HandlerResult::Consumed:
                row({icon("consumed"), priority, QStringLiteral("<b>%1</b>").arg(name),
                     colored(QStringLiteral("consumed here"),
                             m_theme.readable(m_theme.color(Meaning::Consumed))),
                     code, time});
                break;
            case HandlerResult::NotReached:
                row({icon("not-reached"), priority, QStringLiteral("<s>%1</s>").arg(muted(name)),
                     muted(QStringLiteral("not reached")), code, time});
                break;
            }
        }
        closeTable();
    }

    void causesAndEffects(const RecordView& r) {
        section(QStringLiteral("Cause chain"));
        m_html += chain(r.sequence());
    }

    QString m_html;
};

} // namespace

TraceDetails::TraceDetails(const Theme& theme, const TraceModel& model, QWidget* parent)
    : QTextBrowser(parent), m_theme(theme), m_model(model) {
    setObjectName(QStringLiteral("trace.details"));
    setAccessibleName(tr("Details of the message"));
    setOpenLinks(false);
    setFrameShape(NoFrame);
    setUndoRedoEnabled(false);
    document()->setDocumentMargin(measure::PanelPadding);
    connect(this, &QTextBrowser::anchorClicked, this, [this](const QUrl& url) {
        if (url.scheme() == QLatin1String("record"))
            emit sequencePicked(url.path().toULongLong());
        else if (url.scheme() == QLatin1String("entity"))
            emit entityPicked(url.path(QUrl::FullyDecoded));
        else if (url.scheme() == QLatin1String("type"))
            emit recordWanted(url.path(QUrl::FullyDecoded));
        else if (const auto code = codeLineOf(url))
            emit codePicked(QString::fromStdString(code->file), static_cast<int>(code->line));
    });
    connect(&theme, &Theme::changed, this, &TraceDetails::rebuild);
    connect(&model.marks(), &TraceMarks::changed, this, [this] {
        if (m_model.marks().comment(m_sequence) != m_comment)
            rebuild();
    });
    connect(&model.marks(), &TraceMarks::referenceChanged, this, &TraceDetails::rebuild);
    connect(&model.ignored(), &TraceIgnored::changed, this, [this] {
        if (isIgnored() != m_ignored)
            rebuild();
    });
    connect(&model, &TraceModel::loaded, this, [this] {
        if (!m_complete)
            rebuild();
    });
    rebuild();
}

// The base class would offer what belongs to web pages.
void TraceDetails::contextMenuEvent(QContextMenuEvent* event) {
    QMenu menu(this);
    menu.setObjectName(QStringLiteral("trace.details.menu"));
    QAction* copied =
        menu.addAction(m_theme.icon(QStringLiteral("duplicate")), tr("Copy"), this, &QTextBrowser::copy);
    copied->setShortcut(QKeySequence::Copy);
    copied->setEnabled(textCursor().hasSelection());
    menu.addAction(tr("Select all"), this, &QTextBrowser::selectAll)->setShortcut(QKeySequence::SelectAll);
    if (const QString field = fieldAt(event->pos()); !field.isEmpty()) {
        menu.addSeparator();
        emit menuOfField(menu, field);
    }
    menu.exec(event->globalPos());
}

const QTextTable* TraceDetails::fieldTable() const {
    const auto row = m_model.store().rowOf(m_sequence);
    if (!row || messageType(m_model.store().typeOf(*row)).fields->empty())
        return nullptr;
    // The second table: the first one is the envelope's.
    int before = 1;
    for (const QTextFrame* frame : document()->rootFrame()->childFrames())
        if (const auto* table = qobject_cast<const QTextTable*>(frame); table != nullptr && before-- == 0)
            return table;
    return nullptr;
}

std::optional<std::size_t> TraceDetails::rowAt(const QPoint& point) const {
    const QTextTable* table = fieldTable();
    if (table == nullptr)
        return std::nullopt;
    const QPoint at = point + QPoint(horizontalScrollBar()->value(), verticalScrollBar()->value());
    const int position = document()->documentLayout()->hitTest(at, Qt::FuzzyHit);
    const QTextTableCell cell = table->cellAt(position);
    return cell.isValid() ? std::optional(static_cast<std::size_t>(cell.row())) : std::nullopt;
}

QString TraceDetails::fieldAt(const QPoint& point) const {
    const auto row = rowAt(point);
    if (!row)
        return {};
    const FieldTable& fields =
        *messageType(m_model.store().typeOf(*m_model.store().rowOf(m_sequence))).fields;
    if (*row >= static_cast<std::size_t>(std::distance(fields.begin(), fields.end())))
        return {};
    return QString::fromStdString(std::next(fields.begin(), static_cast<std::ptrdiff_t>(*row))->name);
}

std::optional<std::size_t> TraceDetails::litAt(const QPoint& point) const {
    const QString anchor = anchorAt(point);
    const auto field = m_lights.fieldOfAnchor(anchor);
    return field || !anchor.isEmpty() ? field : rowAt(point);
}

void TraceDetails::mouseMoveEvent(QMouseEvent* event) {
    QTextBrowser::mouseMoveEvent(event);
    m_lights.hover(event->buttons() == Qt::NoButton ? litAt(event->pos()) : std::nullopt);
}

void TraceDetails::mousePressEvent(QMouseEvent* event) {
    m_pressed = event->pos();
    QTextBrowser::mousePressEvent(event);
}

void TraceDetails::mouseReleaseEvent(QMouseEvent* event) {
    QTextBrowser::mouseReleaseEvent(event);
    // A drag selects text.
    if (event->button() != Qt::LeftButton
        || (event->pos() - m_pressed).manhattanLength() >= QApplication::startDragDistance())
        return;
    if (const auto field = litAt(event->pos()))
        m_lights.pin(field);
}

bool TraceDetails::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::Leave)
        m_lights.hover(std::nullopt);
    return QTextBrowser::viewportEvent(event);
}

void TraceDetails::show(std::uint64_t sequence) {
    if (sequence == m_sequence)
        return;
    m_sequence = sequence;
    rebuild();
    verticalScrollBar()->setValue(0);
}

bool TraceDetails::isIgnored() const {
    const auto row = m_model.store().rowOf(m_sequence);
    return row && m_model.ignored().has(*row);
}

void TraceDetails::rebuild() {
    m_ignored = isIgnored();
    m_comment = m_model.marks().comment(m_sequence);
    const int top = verticalScrollBar()->value();
    m_lights.setColor(mix(m_theme.color(Token::Surface), m_theme.color(Token::Accent), 0.4));
    document()->clear();
    RecordPage::addIcons(*document(), m_theme, devicePixelRatioF());
    document()->setDefaultFont(m_theme.font(FontRole::Ui));
    setHtml(html());
    const auto row = m_model.store().rowOf(m_sequence);
    m_lights.read(row && m_model.store().isReady(*row) ? bytesOf(m_model.store().at(*row)) : WireLayout(),
                  fieldTable());
    verticalScrollBar()->setValue(top);
}

QString TraceDetails::html() {
    m_complete = true;
    const auto hint = [this](const QString& text) {
        return QStringLiteral("<p style=\"color:%1\">%2</p>").arg(m_theme.color(Token::Muted).name(), text);
    };
    if (m_sequence == 0)
        return hint(tr("Select a message to see who handled it, and why it was sent."));
    const auto row = m_model.store().rowOf(m_sequence);
    if (!row)
        return hint(tr("Message #%1 is no longer held.").arg(m_sequence));
    m_complete = m_model.store().isReady(*row);
    if (!m_complete) {
        m_model.store().request(*row);
        return hint(tr("Message #%1 is being read from the disk…").arg(m_sequence));
    }
    DetailsPage page(m_theme, m_model);
    QString text = page.write(m_model.store().at(*row));
    m_complete = page.isComplete();
    return text;
}

} // namespace sbx::ui

#include "moc_trace_details.cpp"
