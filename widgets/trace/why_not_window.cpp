#include "widgets/trace/why_not_window.h"

#include <QElapsedTimer>
#include <QScrollBar>
#include <QTextBrowser>
#include <QTimer>
#include <QUrl>

#include "widgets/common/foreign_text.h"
#include "widgets/common/theme.h"
#include "widgets/trace/record_page.h"
#include "widgets/trace/trace_model.h"

#include <algorithm>
#include <utility>

namespace sbx::ui {

namespace {

constexpr int WhyNotWidth = 520; // pixels
constexpr int WhyNotHeight = 380;
constexpr int LookEveryMs = 250;
constexpr std::size_t RecordsAtOnce = 4096; // between two looks at the clock

QString shown(const std::string& text) { return htmlText(text); }

// The answers, those first that tell why it did not act.
class WhyNotPage : public RecordPage {
    Q_DECLARE_TR_FUNCTIONS(WhyNotPage)

public:
    WhyNotPage(const Theme& theme, const TraceModel& model, const WhyNotSubject& subject,
               const HandlerQuestion& question)
        : RecordPage(theme, model),
          m_subject(subject),
          m_question(question),
          m_entity(shown(subject.asked.entity)),
          m_part(shown(subject.part)) {}

    QString write(bool complete) {
        if (m_question.answers().empty() && m_subject.otherSide.empty())
            return paragraph(
                muted(tr("%1 handles no messages: nothing that is sent can make it act.").arg(m_part)));
        paragraphs(muted(head(complete)));
        std::vector<const HandlerAnswer*> answers;
        std::vector<const HandlerAnswer*> unrecordedOnes;
        for (const HandlerAnswer& answer : m_question.answers())
            (answer.last == 0 && !recorded(answer) ? unrecordedOnes : answers).push_back(&answer);
        std::stable_sort(answers.begin(), answers.end(), [](const HandlerAnswer* a, const HandlerAnswer* b) {
            return rank(a->saw) < rank(b->saw);
        });
        for (const HandlerAnswer* answer : answers)
            write(*answer);
        if (!m_subject.otherSide.empty())
            otherSide();
        if (!unrecordedOnes.empty())
            notRecorded(unrecordedOnes);
        return m_html;
    }

private:
    static int rank(HandlerSaw saw) {
        switch (saw) {
        case HandlerSaw::NotReached:
            return 0;
        case HandlerSaw::Dropped:
        case HandlerSaw::NotAmong:
        case HandlerSaw::Lost:
            return 1;
        case HandlerSaw::Nothing:
            return 2;
        default:
            return 3;
        }
    }
    static QString paragraph(const QString& html, const char* margins = "0 0 8px 0") {
        return QStringLiteral("<p style=\"margin:%1\">%2</p>").arg(QLatin1String(margins), html);
    }
    void paragraphs(const QString& html) { m_html += paragraph(html); }
    [[nodiscard]] bool recorded(const HandlerAnswer& answer) const {
        return m_context.source().isRecorded(answer.handler.message);
    }
    static QString typeName(const HandlerAnswer& answer) {
        return shown(messageType(answer.handler.message).name);
    }
    [[nodiscard]] QString at(std::uint64_t tick) const {
        return tr("tick %1").arg(mono(QString::number(tick)));
    }
    [[nodiscard]] QString definition(const std::string& component) const {
        return link(QStringLiteral("definition:%1")
                        .arg(QString::fromLatin1(QUrl::toPercentEncoding(QString::fromStdString(component)))),
                    shown(component));
    }

    [[nodiscard]] QString head(bool complete) const {
        if (!m_question.any())
            return complete ? tr("No message is held: start play, or take the world up again.")
                            : tr("Looking through the messages…");
        QString text =
            tr("What became of the messages that %1 handles, as far as they are recorded since %2.")
                .arg(m_part, at(m_question.since()));
        if (m_model.store().memoryFirst() > m_model.store().first())
            text += QLatin1Char(' ') + tr("Older messages, which lie on the disk, are not looked through.");
        if (m_subject.lives && !m_subject.lives())
            text += QLatin1Char(' ') + tr("%1 is gone.").arg(m_entity);
        if (!m_subject.shownWorld.isEmpty())
            text += QLatin1Char(' ')
                    + tr("The picture shows %1; the messages are those of the server's world.")
                          .arg(htmlText(m_subject.shownWorld));
        if (const std::uint64_t missed = m_context.source().missed(); missed > 0)
            text += QLatin1Char(' ')
                    + tr("%L1 more were not captured, because the window fell behind.").arg(missed);
        if (!complete)
            text += QLatin1Char(' ') + tr("Still looking…");
        return text;
    }

    void write(const HandlerAnswer& answer) {
        QStringList lines;
        lines << QStringLiteral("<b>%1</b> &nbsp;%2 &nbsp;%3")
                     .arg(typeName(answer),
                          muted(tr("priority %1").arg(mono(QString::number(answer.handler.priority)))),
                          code(m_subject.asked.component, answer.handler.message));
        lines << sentence(answer);
        if (answer.saw == HandlerSaw::NotReached)
            lines << order(answer);
        if (answer.saw == HandlerSaw::Nothing)
            lines << others(answer);
        if (const QString count = counted(answer); !count.isEmpty())
            lines << muted(count);
        if (answer.last != 0 && !recorded(answer))
            lines << muted(tr("Not recorded any more:")) + QLatin1Char(' ')
                         + recordIt(answer.handler.message);
        paragraphs(lines.join(QStringLiteral("<br>")));
    }

    [[nodiscard]] QString sentence(const HandlerAnswer& answer) const {
        const QString message = record(answer.last);
        const QString when = at(answer.lastTick);
        switch (answer.saw) {
        case HandlerSaw::NotReached: {
            const std::string consumer(m_context.name(answer.consumer.component));
            return icon("not-reached")
                   + tr(" %1 did not reach it: %2, priority %3, had it before and consumed it, at %4.")
                         .arg(message, QStringLiteral("<b>%1</b>").arg(definition(consumer)),
                              mono(QString::number(answer.consumer.priority)), when);
        }
        case HandlerSaw::Dropped:
            return icon("not-reached")
                   + tr(" %1 was dropped by hand at a breakpoint before it came here, at %2.")
                         .arg(message, when);
        case HandlerSaw::NotAmong:
            return icon("not-reached")
                   + tr(" %1 went to %2 at %3, but not to this component: %4")
                         .arg(message, m_entity, when, whyNotAmong(answer));
        case HandlerSaw::Lost:
            return icon("not-reached")
                   + (answer.note == RecordNote::Gone
                          ? tr(" %1 was queued for %2, which was gone when it was due, at %3.")
                                .arg(message, m_entity, when)
                          : tr(" %1 was cut off at %2: too many messages were handled inside one another, or "
                               "set off by one.")
                                .arg(message, when));
        case HandlerSaw::Nothing:
            return icon("unheeded")
                   + tr(" Nobody has sent %1 to %2 since %3.")
                         .arg(typeName(answer), m_entity, at(m_question.since()));
        case HandlerSaw::Consumed:
            return icon("consumed") + tr(" It handled %1 at %2 and consumed it.").arg(message, when);
        case HandlerSaw::LookedOn:
            return icon("passed") + tr(" It looked on at %1 at %2: it only observes.").arg(message, when);
        case HandlerSaw::Handled:
            break;
        }
        return icon("passed") + tr(" It handled %1 at %2 and passed it on.").arg(message, when);
    }

    [[nodiscard]] QString whyNotAmong(const HandlerAnswer& answer) const {
        if (answer.toOneComponent)
            return tr("it was for another one alone.");
        return answer.anyHandler ? tr("it was switched off then, or came later.")
                                 : tr("%1 was switched off then, or the component came later.").arg(m_entity);
    }

    // What would have to be changed for this one to come first.
    [[nodiscard]] QString order(const HandlerAnswer& answer) const {
        const std::string consumer(m_context.name(answer.consumer.component));
        if (answer.consumer.priority == answer.handler.priority) {
            QString text = muted(tr("Both have the same priority: that which stands first in the definition "
                                    "of %1 comes first.")
                                     .arg(shown(m_subject.type)));
            if (consumer != m_subject.asked.component && m_subject.mover
                && m_subject.mover(m_subject.part, consumer))
                text += QLatin1Char(' ')
                        + link(QStringLiteral("before:%1")
                                   .arg(QString::fromLatin1(
                                       QUrl::toPercentEncoding(QString::fromStdString(consumer)))),
                               tr("Put %1 before %2").arg(m_part, shown(consumer)));
            return text;
        }
        const QString theirs = codePlace(consumer, answer.handler.message);
        const QString own = codePlace(m_subject.asked.component, answer.handler.message);
        QString text = tr("Lower priorities come first; %1 never saw it.").arg(m_part);
        if (!theirs.isEmpty())
            text += QLatin1Char(' ')
                    + tr("Priorities are written in the code of the components: that of %1 in %2, that of %3 "
                         "in %4.")
                          .arg(shown(consumer), theirs, shown(m_subject.asked.component), own);
        return muted(text);
    }

    // "the plugin parts/my_parts, my_part.cpp:12"; empty: not known.
    [[nodiscard]] QString codePlace(const std::string& component, MessageTypeId type) const {
        QString text = m_subject.codeOf ? htmlText(m_subject.codeOf(component)) : QString();
        if (const QString line = code(component, type); !line.isEmpty())
            text += (text.isEmpty() ? QString() : QStringLiteral(", ")) + line;
        return text;
    }

    // Nobody sent it here: where it went instead, and who sends it.
    [[nodiscard]] QString others(const HandlerAnswer& answer) const {
        QString text;
        const auto row = m_model.store().rowOf(answer.elsewhere);
        if (row && m_model.store().isReady(*row)) {
            const RecordView other = m_model.store().at(*row);
            text = tr("The last one went to %1: %2, %3.")
                       .arg(entity(m_context.receiver(other)), record(answer.elsewhere), at(other.tick()));
        } else if (row) {
            text = tr("The last one went to another entity: %1.").arg(record(answer.elsewhere));
        } else if (answer.elsewhere == 0) {
            text = muted(tr("It went to no other entity either."));
        } else {
            text = muted(
                tr("The last one, #%1, went to another entity and is no longer held.").arg(answer.elsewhere));
        }
        QStringList senders;
        for (const std::string& sender :
             m_subject.sendersOf ? m_subject.sendersOf(answer.handler.message) : std::vector<std::string>())
            senders << shown(sender);
        if (!senders.isEmpty())
            text += QLatin1Char(' ')
                    + muted(senders.size() == 1
                                ? tr("Of the components %1 sends it.").arg(senders.front())
                                : tr("Components that send it: %1.").arg(senders.join(QStringLiteral(", "))));
        return text;
    }

    [[nodiscard]] QString counted(const HandlerAnswer& answer) const {
        if (answer.all < 2)
            return {};
        const QString text =
            answer.reached == answer.all ? tr("All %L1 to %2 reached it.").arg(answer.all).arg(m_entity)
            : answer.reached == 0
                ? tr("None of %L1 to %2 reached it.").arg(answer.all).arg(m_entity)
                : tr("%L1 of %L2 to %3 reached it.").arg(answer.reached).arg(answer.all).arg(m_entity);
        return answer.lastReached != 0 && answer.lastReached != answer.last
                   ? text + QLatin1Char(' ') + tr("The last that did: %1.").arg(record(answer.lastReached))
                   : text;
    }

    void otherSide() {
        QStringList names;
        for (const MessageTypeId type : m_subject.otherSide)
            names << shown(messageType(type).name);
        paragraphs(QStringLiteral("<b>%1</b><br>%2%3")
                       .arg(names.join(QStringLiteral(", ")), icon("not-reached"),
                            m_subject.client ? tr(" Handled only in the server's world; this is a client's.")
                                             : tr(" Handled only in the world of a client.")));
    }

    void notRecorded(const std::vector<const HandlerAnswer*>& answers) {
        QStringList names;
        for (const HandlerAnswer* answer : answers)
            names << recordIt(answer->handler.message, typeName(*answer));
        names.removeDuplicates(); // several handlers of one type
        paragraphs(
            muted(tr("Not recorded, so that nothing is known of them; click one to record it from now on:"))
            + QStringLiteral("<br>") + names.join(QStringLiteral(", ")));
    }

    const WhyNotSubject& m_subject;
    const HandlerQuestion& m_question;
    QString m_entity; // HTML
    QString m_part;
    QString m_html;
};

} // namespace

WhyNotWindow::WhyNotWindow(const Theme& theme, TraceModel& model, QWidget* parent)
    : QDialog(parent),
      m_theme(theme),
      m_model(model),
      m_text(new QTextBrowser(this)),
      m_timer(new QTimer(this)),
      m_rest(new QTimer(this)) {
    setObjectName(QStringLiteral("whyNot"));
    m_text->setObjectName(QStringLiteral("whyNot.text"));
    m_text->setAccessibleName(tr("Why the component did not act"));
    RecordPage::fill(*this, *m_text);
    resize(WhyNotWidth, WhyNotHeight);
    m_timer->setInterval(LookEveryMs);
    m_rest->setSingleShot(true);
    for (const QTimer* timer : {m_timer, m_rest})
        connect(timer, &QTimer::timeout, this, &WhyNotWindow::look);
    connect(m_text, &QTextBrowser::anchorClicked, this, &WhyNotWindow::follow);
    connect(&theme, &Theme::changed, this, [this] {
        m_iconsDue = true;
        m_html.clear();
        if (isVisible())
            look();
    });
}

WhyNotWindow::~WhyNotWindow() = default;

void WhyNotWindow::ask(WhyNotSubject subject) {
    m_subject = std::move(subject);
    m_question = std::make_unique<HandlerQuestion>(m_subject.asked);
    m_html.clear();
    setWindowTitle(
        tr("Why did %1 of %2 not act?").arg(shownLine(m_subject.part), shownLine(m_subject.asked.entity)));
    m_model.fetch();
    look();
    m_text->verticalScrollBar()->setValue(0);
    QDialog::show();
    raise();
    activateWindow();
}

void WhyNotWindow::showEvent(QShowEvent* event) {
    m_timer->start();
    QDialog::showEvent(event);
}

void WhyNotWindow::hideEvent(QHideEvent* event) {
    m_timer->stop();
    QDialog::hideEvent(event);
}

// For no longer than a slice of the trace's own work; the rest of very many records comes in the next.
void WhyNotWindow::look() {
    if (!m_question)
        return;
    QElapsedTimer clock;
    clock.start();
    bool complete = false;
    while (!(complete = m_question->look(m_model.store(), m_model.context().source().names(), RecordsAtOnce))
           && clock.elapsed() < TraceModel::SliceMs) {}
    if (!complete)
        m_rest->start();
    if (m_iconsDue) {
        m_iconsDue = false;
        m_text->document()->setDefaultFont(m_theme.font(FontRole::Ui));
        m_text->clear();
        RecordPage::addIcons(*m_text->document(), m_theme, devicePixelRatioF());
    }
    const QString html = WhyNotPage(m_theme, m_model, m_subject, *m_question).write(complete);
    if (html == m_html) // what is selected in the text stays
        return;
    m_html = html;
    const int place = m_text->verticalScrollBar()->value();
    m_text->setHtml(html);
    m_text->verticalScrollBar()->setValue(place);
}

void WhyNotWindow::follow(const QUrl& link) {
    const QString target = link.path(QUrl::FullyDecoded);
    if (link.scheme() == QLatin1String("record")) {
        emit recordPicked(target.toULongLong());
    } else if (link.scheme() == QLatin1String("entity")) {
        emit entityPicked(target);
    } else if (link.scheme() == QLatin1String("type")) {
        emit recordWanted(target);
    } else if (link.scheme() == QLatin1String("definition")) {
        emit definitionPicked(QString::fromStdString(m_subject.type), target);
    } else if (const auto code = codeLineOf(link)) {
        emit codePicked(QString::fromStdString(code->file), static_cast<int>(code->line));
    } else if (link.scheme() == QLatin1String("before")) {
        if (const auto move =
                m_subject.mover ? m_subject.mover(m_subject.part, target.toStdString()) : nullptr)
            move();
    }
}

} // namespace sbx::ui

#include "moc_why_not_window.cpp"
