#include "app/editor/sound_starts_window.h"

#include <QScrollBar>
#include <QTextBrowser>
#include <QUrl>

#include "engine/components/sound_messages.h"
#include "widgets/common/foreign_text.h"
#include "widgets/common/session_feed.h"
#include "widgets/common/theme.h"
#include "widgets/probe/probe_panel.h"
#include "widgets/probe/voice_text.h"
#include "widgets/trace/record_page.h"
#include "widgets/trace/trace_model.h"

namespace sbx::editor {

namespace {
constexpr int StartsWidth = 460; // pixels
constexpr int StartsHeight = 300;
} // namespace

SoundStartsWindow::SoundStartsWindow(ui::ProbePanel& probe, ui::SessionFeed& feed, const ui::Theme& theme,
                                     ui::TraceModel& trace, QWidget* parent)
    : QDialog(parent),
      m_probe(probe),
      m_feed(feed),
      m_theme(theme),
      m_trace(trace),
      m_text(new QTextBrowser(this)) {
    setObjectName(QStringLiteral("soundStarts"));
    m_text->setObjectName(QStringLiteral("soundStarts.text"));
    m_text->setAccessibleName(tr("What started the sound, newest first"));
    ui::RecordPage::fill(*this, *m_text);
    resize(StartsWidth, StartsHeight);
    connect(&probe, &ui::ProbePanel::viewChanged, this, [this] {
        if (isVisible())
            follow();
    });
    // A message may reach the trace after the sound it started reached the probe.
    connect(&trace, &ui::TraceModel::countsChanged, this, [this] {
        if (isVisible())
            write();
    });
    // What the page tells of earlier causes may have been on the disk.
    connect(&trace, &ui::TraceModel::loaded, this, [this] {
        if (isVisible())
            write();
    });
    connect(&theme, &ui::Theme::changed, this, &SoundStartsWindow::write);
    connect(m_text, &QTextBrowser::anchorClicked, this, [this](const QUrl& url) {
        const QString target = url.path(QUrl::FullyDecoded);
        if (url.scheme() == QLatin1String("record"))
            emit recordPicked(target.toULongLong());
        else if (url.scheme() == QLatin1String("entity"))
            emit entityPicked(target);
        else if (url.scheme() == QLatin1String("type"))
            emit recordWanted(target);
    });
}

void SoundStartsWindow::ask(const SoundKey& sound) {
    m_sound = sound;
    m_plays.clear();
    m_html.clear();
    const ProbeSound* const known = m_probe.view()->find(sound);
    setWindowTitle(tr("Why does %1 play?")
                       .arg(ui::shownLine(known != nullptr ? ui::titleOf(*known)
                                                           : QString::fromStdString(sound.entity))));
    m_trace.fetch();
    follow();
    QDialog::show();
    raise();
    activateWindow();
}

void SoundStartsWindow::follow() {
    const ProbeView& view = *m_probe.view();
    if (const std::uint64_t run = m_feed.frame().run; run != m_run) { // numbers of plays start over
        m_run = run;
        m_plays.clear();
    }
    for (auto& [number, play] : m_plays)
        play.sounds = false;
    m_tried = false;
    for (const ProbeVoice& voice : view.voices) {
        if (view.sounds[voice.sound].key != m_sound)
            continue;
        m_tried = m_tried || voice.tried;
        if (voice.play != 0)
            m_plays[voice.play] = {voice.begin, voice.start, true};
    }
    while (m_plays.size() > MaxPlays)
        m_plays.erase(m_plays.begin());
    write();
}

QString SoundStartsWindow::playText(const ui::RecordPage& page, const Play& play,
                                    const ProbeSound* sound) const {
    const auto typeName = [](MessageTypeId type) { return ui::htmlText(messageType(type).name); };
    QString text = page.muted(play.sounds ? tr("Since tick %1:").arg(play.begin)
                                          : tr("From tick %1, over:").arg(play.begin))
                   + QLatin1Char(' ');
    const SoundStart& start = play.start;
    if (start.message == NoType)
        text += tr("it rolls; no message in particular started it.");
    else if (start.recorded)
        text += tr("<b>%1</b> %2 started it.").arg(typeName(start.message), page.record(start.sequence));
    else
        text += tr("<b>%1</b> started it").arg(typeName(start.message))
                + (start.sequence != 0 ? tr(", caused by %1.").arg(page.record(start.sequence))
                                       : QStringLiteral("."))
                + QLatin1Char(' ') + page.muted(tr("It is not recorded;")) + QLatin1Char(' ')
                + page.recordIt(start.message) + QLatin1Char('.');
    // PlaySound starts any sound, whatever its definition says.
    if (sound != nullptr && !sound->when.empty() && start.message != messageIdOf<PlaySound>())
        text += QLatin1Char(' ')
                + page.muted(tr("Its definition says when = \"%1\".").arg(ui::htmlText(sound->when)));
    QString html = QStringLiteral("<p style=\"margin:0 0 2px 0\">%1</p>").arg(text);
    int depth = 1;
    if (start.sequence != 0)
        html += page.causes(start.sequence, depth);
    return html + QStringLiteral("<p style=\"margin:0;font-size:6px\">&nbsp;</p>");
}

void SoundStartsWindow::write() {
    const ui::RecordPage page(m_theme, m_trace);
    const ProbeSound* const sound = m_probe.view()->find(m_sound);
    const auto hint = [&](const QString& words) {
        return QStringLiteral("<p style=\"margin:0 0 8px 0\">%1</p>").arg(page.muted(words));
    };
    QString html;
    if (const int client = m_probe.heardClient(); client > 0) {
        html = hint(tr("The probe hears the world of client %1; only messages of the server's world are in "
                       "the trace.")
                        .arg(client));
    } else {
        if (m_tried)
            html += hint(tr("It is tried out in place, by the probe."));
        if (m_plays.empty() && !m_tried)
            html += hint(tr("It does not play now. What starts it while this window is open stands here."));
        for (auto play = m_plays.rbegin(); play != m_plays.rend(); ++play)
            html += playText(page, play->second, sound);
    }
    if (html == m_html) // what is selected in the text stays
        return;
    m_html = html;
    const int place = m_text->verticalScrollBar()->value();
    m_text->setHtml(html);
    m_text->verticalScrollBar()->setValue(place);
}

} // namespace sbx::editor

#include "moc_sound_starts_window.cpp"
