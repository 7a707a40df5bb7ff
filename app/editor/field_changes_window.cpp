#include "app/editor/field_changes_window.h"

#include <QApplication>
#include <QPointer>
#include <QScrollBar>
#include <QTextBrowser>
#include <QTimer>
#include <QUrl>

#include "widgets/common/foreign_text.h"
#include "widgets/common/session_feed.h"
#include "widgets/common/theme.h"
#include "widgets/trace/record_page.h"

namespace sbx::editor {

namespace {
constexpr int ChangesWidth = 460; // pixels
constexpr int ChangesHeight = 320;
constexpr int AskEveryMs = 250;
} // namespace

FieldChangesWindow::FieldChangesWindow(ui::SessionFeed& feed, const ui::Theme& theme, ui::TraceModel& trace,
                                       QWidget* parent)
    : QDialog(parent),
      m_feed(feed),
      m_theme(theme),
      m_trace(trace),
      m_text(new QTextBrowser(this)),
      m_timer(new QTimer(this)) {
    setObjectName(QStringLiteral("fieldChanges"));
    m_text->setObjectName(QStringLiteral("fieldChanges.text"));
    m_text->setAccessibleName(tr("Changes of the value, newest first"));
    ui::RecordPage::fill(*this, *m_text);
    resize(ChangesWidth, ChangesHeight);
    m_timer->setInterval(AskEveryMs);
    connect(m_timer, &QTimer::timeout, this, &FieldChangesWindow::request);
    connect(m_text, &QTextBrowser::anchorClicked, this, &FieldChangesWindow::follow);
    connect(&theme, &ui::Theme::changed, this, &FieldChangesWindow::write);
}

void FieldChangesWindow::ask(const QString& entity, const QString& component, const QString& field) {
    m_entity = entity;
    m_component = component;
    m_field = field;
    m_changes = {};
    m_causesShown.clear();
    m_html.clear();
    m_text->clear();
    setWindowTitle(component.isEmpty()
                       ? tr("Who changed %1 of %2, and why?").arg(ui::shownLine(field), ui::shownLine(entity))
                       : tr("Who changed %1.%2 of %3, and why?")
                             .arg(ui::shownLine(component), ui::shownLine(field), ui::shownLine(entity)));
    request();
    QDialog::show();
    raise();
    activateWindow();
}

void FieldChangesWindow::showEvent(QShowEvent* event) {
    m_timer->start();
    QDialog::showEvent(event);
}

void FieldChangesWindow::hideEvent(QHideEvent* event) {
    m_timer->stop();
    QDialog::hideEvent(event);
}

void FieldChangesWindow::request() {
    if (m_feed.session().stops().stopped() != nullptr) {
        // The answer would wait for the end of the tick, and more questions behind it.
        if (m_html.isEmpty())
            m_text->setPlainText(
                tr("The tick stands before a handler. Who changed this is shown once it goes on."));
        return;
    }
    m_feed.session().postAside([self = QPointer(this), entity = m_entity.toStdString(), component = m_component.toStdString(),
                      field = m_field.toStdString()](Session& session) {
        const ValueChanges changes = session.fieldHistory().of(session.world(), entity, component, field);
        QMetaObject::invokeMethod(
            qApp,
            [self, changes, entity, component, field] {
                if (self && self->m_entity.toStdString() == entity && self->m_component.toStdString() == component
                    && self->m_field.toStdString() == field)
                    self->show(changes);
            },
            Qt::QueuedConnection);
    });
}

void FieldChangesWindow::follow(const QUrl& link) {
    const QString target = link.path(QUrl::FullyDecoded);
    if (link.scheme() == QLatin1String("record")) {
        emit recordPicked(target.toULongLong());
    } else if (link.scheme() == QLatin1String("entity")) {
        emit entityPicked(target);
    } else if (link.scheme() == QLatin1String("type")) {
        emit recordWanted(target);
    } else if (link.scheme() == QLatin1String("open") || link.scheme() == QLatin1String("close")) {
        m_causesShown[target.toULongLong()] = link.scheme() == QLatin1String("open");
        write();
    }
}

// The handler and its message.
QString FieldChangesWindow::who(const ui::RecordPage& page, const ValueChange& change) {
    if (change.betweenTicks)
        return tr("between ticks: a person, or a command");
    if (change.message.empty())
        return tr("outside handlers: the physics step, or its parent moved");
    QString text =
        change.outside
            ? tr("outside handlers, such as in the physics step; before, at tick %1, %2 had handled %3")
                  .arg(change.askedAt)
            : tr("%1, handling %2");
    text = text.arg(ui::htmlText(change.component),
                    QStringLiteral("<b>%1</b>").arg(ui::htmlText(change.message)));
    if (change.recorded)
        text += QLatin1Char(' ') + page.record(change.sequence);
    if (!change.sender.empty())
        text += tr(" from %1").arg(page.entity(change.sender));
    if (!change.recorded)
        text += change.sequence != 0 ? tr(" (not recorded; caused by %1)").arg(page.record(change.sequence))
                                     : tr(" (not recorded)");
    return text;
}

QString FieldChangesWindow::line(const ValueChange& change, bool open) const {
    const ui::RecordPage page(m_theme, m_trace);
    const QString when = change.firstTick == change.tick ? tr("tick %1").arg(change.tick)
                                                         : tr("ticks %1 to %2").arg(change.firstTick).arg(change.tick);
    int depth = 1;
    const QString causes = open && change.sequence != 0 ? page.causes(change.sequence, depth) : QString();
    QString toggle;
    if (change.sequence != 0)
        toggle = QStringLiteral(" &nbsp;")
                 + (open ? page.link(QStringLiteral("close:%1").arg(change.sequence), tr("hide causes"))
                         : page.link(QStringLiteral("open:%1").arg(change.sequence), tr("why?")));
    return QStringLiteral("<p style=\"margin:0 0 %1px 0\">").arg(causes.isEmpty() ? 6 : 1)
           + page.mono(ui::htmlText(change.before) + QStringLiteral(" → <b>") + ui::htmlText(change.after)
                       + QStringLiteral("</b>"))
           + QStringLiteral(" &nbsp;") + page.muted(when) + QStringLiteral("<br>") + who(page, change)
           + toggle + QStringLiteral("</p>") + causes
           + (causes.isEmpty() ? QString()
                               : QStringLiteral("<p style=\"margin:0;font-size:6px\">&nbsp;</p>"));
}

void FieldChangesWindow::show(const ValueChanges& changes) {
    m_changes = changes;
    write();
}

void FieldChangesWindow::write() {
    const ui::RecordPage page(m_theme, m_trace);
    const auto hint = [&](const QString& words) {
        return QStringLiteral("<p style=\"margin:0 0 8px 0\">%1</p>").arg(page.muted(words.toHtmlEscaped()));
    };
    QString html;
    if (!m_changes.watched) {
        html = hint(tr("This was not recorded. Values of an entity are watched from the first tick after it was selected; "
                       "trace.changes true in the console watches all entities."));
    } else {
        html = hint(m_changes.all == 0   ? tr("Not changed since tick %1, when it began to be watched.").arg(m_changes.since)
                    : m_changes.all == 1 ? tr("Watched since tick %1: changed once.").arg(m_changes.since)
                    : m_changes.last.size() < m_changes.all
                        ? tr("Watched since tick %1: changed %L2 times, the last are these.").arg(m_changes.since).arg(m_changes.all)
                        : tr("Watched since tick %1: changed %L2 times.").arg(m_changes.since).arg(m_changes.all));
        if (m_changes.last.size() > m_changes.all)
            html += hint(tr("It was watched before, too; what is older was seen then."));
        bool newest = true; // its causes are shown unless a person closed them
        for (const ValueChange& change : m_changes.last) {
            const auto chosen = m_causesShown.find(change.sequence);
            html +=
                line(change, chosen != m_causesShown.end() ? chosen->second : newest && change.sequence != 0);
            newest = newest && change.sequence == 0;
        }
    }
    if (html == m_html) // what is selected in the text stays
        return;
    m_html = html;
    const int place = m_text->verticalScrollBar()->value();
    m_text->setHtml(html);
    m_text->verticalScrollBar()->setValue(place);
}

} // namespace sbx::editor

#include "moc_field_changes_window.cpp"
