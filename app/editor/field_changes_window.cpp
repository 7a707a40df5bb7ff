#include "app/editor/field_changes_window.h"

#include <QApplication>
#include <QPointer>
#include <QTextBrowser>
#include <QTimer>
#include <QUrl>
#include <QVBoxLayout>

#include "widgets/common/session_feed.h"
#include "widgets/common/theme.h"

namespace sbx::editor {

namespace {
constexpr int ChangesWidth = 460; // pixels
constexpr int ChangesHeight = 320;
constexpr int AskEveryMs = 250;
} // namespace

FieldChangesWindow::FieldChangesWindow(ui::SessionFeed& feed, const ui::Theme& theme, QWidget* parent)
    : QDialog(parent), m_feed(feed), m_theme(theme), m_text(new QTextBrowser(this)), m_timer(new QTimer(this)) {
    setObjectName(QStringLiteral("fieldChanges"));
    setModal(false);
    m_text->setObjectName(QStringLiteral("fieldChanges.text"));
    m_text->setAccessibleName(tr("Changes of the value, newest first"));
    m_text->setOpenLinks(false);
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->document()->setDocumentMargin(ui::measure::PanelPadding);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_text);
    resize(ChangesWidth, ChangesHeight);
    m_timer->setInterval(AskEveryMs);
    connect(m_timer, &QTimer::timeout, this, &FieldChangesWindow::request);
    connect(m_text, &QTextBrowser::anchorClicked, this, [this](const QUrl& url) {
        if (url.scheme() == QLatin1String("record"))
            emit recordPicked(url.path().toULongLong());
        else if (url.scheme() == QLatin1String("entity"))
            emit entityPicked(url.path(QUrl::FullyDecoded));
    });
}

void FieldChangesWindow::ask(const QString& entity, const QString& component, const QString& field) {
    m_entity = entity;
    m_component = component;
    m_field = field;
    m_html.clear();
    setWindowTitle(component.isEmpty() ? tr("Who changed %1 of %2?").arg(field, entity)
                                       : tr("Who changed %1.%2 of %3?").arg(component, field, entity));
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
    if (m_feed.session().stops().stopped() != nullptr)
        return; // the answer would wait for the end of the tick, and more questions behind it
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

QString FieldChangesWindow::line(const ValueChange& change) const {
    const QString muted = m_theme.color(ui::Token::Muted).name();
    const QString accent = m_theme.color(ui::Token::Accent).name();
    const auto text = [](const std::string& of) { return QString::fromStdString(of).toHtmlEscaped(); };
    const auto mono = [this](const QString& of) {
        return QStringLiteral("<span style=\"font-family:'%1'\">%2</span>").arg(m_theme.font(ui::FontRole::Mono).family(), of);
    };
    const auto link = [&](const QString& target, const QString& words) {
        return QStringLiteral("<a href=\"%1\" style=\"text-decoration:none;color:%2\">%3</a>").arg(target, accent, words);
    };
    const QString when = change.firstTick == change.tick ? tr("tick %1").arg(change.tick)
                                                         : tr("ticks %1 to %2").arg(change.firstTick).arg(change.tick);
    QString who;
    if (change.message.empty()) {
        who = tr("outside handlers: the physics step, its parent, or a person");
    } else {
        const QString number = QStringLiteral("#%1").arg(change.sequence);
        who = tr("%1, handling %2").arg(text(change.component), QStringLiteral("<b>%1</b>").arg(text(change.message)));
        if (change.recorded)
            who += QLatin1Char(' ') + link(QStringLiteral("record:%1").arg(change.sequence), number);
        if (!change.sender.empty())
            who += tr(" from %1").arg(link(QStringLiteral("entity:%1").arg(QString::fromLatin1(QUrl::toPercentEncoding(QString::fromStdString(change.sender)))),
                                           text(change.sender)));
        if (!change.recorded)
            who += change.sequence != 0 ? tr(" (not recorded; caused by %1)").arg(link(QStringLiteral("record:%1").arg(change.sequence), number))
                                        : tr(" (not recorded)");
    }
    return QStringLiteral("<p style=\"margin:0 0 6px 0\">%1 &nbsp;<span style=\"color:%2\">%3</span><br>%4</p>")
        .arg(mono(text(change.before) + QStringLiteral(" → <b>%1</b>").arg(text(change.after))), muted, when, who);
}

void FieldChangesWindow::show(const ValueChanges& changes) {
    const QString muted = m_theme.color(ui::Token::Muted).name();
    const auto hint = [&](const QString& words) { return QStringLiteral("<p style=\"margin:0 0 8px 0;color:%1\">%2</p>").arg(muted, words.toHtmlEscaped()); };
    QString html;
    if (!changes.watched) {
        html = hint(tr("This was not recorded. Values of an entity are watched from the first tick after it was selected; "
                       "trace.changes true in the console watches all entities."));
    } else {
        html = hint(changes.all == 0 ? tr("Not changed since tick %1, when it began to be watched.").arg(changes.since)
                    : changes.last.size() < changes.all
                        ? tr("Watched since tick %1: changed %L2 times, the last are these.").arg(changes.since).arg(changes.all)
                        : tr("Watched since tick %1: changed %L2 times.").arg(changes.since).arg(changes.all));
        for (const ValueChange& change : changes.last)
            html += line(change);
    }
    if (html == m_html) // what is selected in the text stays
        return;
    m_html = html;
    m_text->setHtml(html);
}

} // namespace sbx::editor

#include "moc_field_changes_window.cpp"
