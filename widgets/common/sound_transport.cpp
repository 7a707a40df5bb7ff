#include "widgets/common/sound_transport.h"

#include <QDir>
#include <QDirIterator>
#include <QHBoxLayout>
#include <QLabel>
#include <QSlider>
#include <QToolButton>

#include "widgets/common/foreign_text.h"
#include "widgets/common/session_feed.h"
#include "widgets/common/theme.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace sbx::ui {

namespace {
constexpr int SeekSteps = 1000;
constexpr int LookMs = 50;
constexpr int SeekWidth = 64;
constexpr int MaxFiles = 500;
constexpr int MaxVisited = 20'000; // a project may have a build tree
const std::array<QString, 3> Endings = {QStringLiteral(".wav"), QStringLiteral(".flac"), QStringLiteral(".ogg")};
} // namespace

bool namesSoundFile(const QString& path) {
    return std::any_of(Endings.begin(), Endings.end(),
                       [&](const QString& ending) { return path.endsWith(ending, Qt::CaseInsensitive); });
}

QStringList soundFilesIn(const QString& folder) {
    QStringList files;
    if (folder.isEmpty())
        return files;
    const QDir root(folder);
    QDirIterator each(folder, QDir::Files, QDirIterator::Subdirectories);
    for (int visited = 0; each.hasNext() && visited < MaxVisited; ++visited)
        if (const QString file = each.next(); namesSoundFile(file))
            files << root.relativeFilePath(file);
    files.sort();
    return files.mid(0, MaxFiles);
}

SoundTransport::SoundTransport(const Theme& theme, SessionFeed& feed, QWidget* parent)
    : QWidget(parent),
      m_theme(theme),
      m_audition(std::make_shared<SoundAudition>(feed.session())),
      m_play(button(QStringLiteral("play"), QStringLiteral("play"), tr("Play"))),
      m_stop(button(QStringLiteral("stop"), QStringLiteral("stop"), tr("Stop"))),
      m_loop(button(QStringLiteral("loop"), QStringLiteral("revert"), tr("Start over at its end"))),
      m_seek(new QSlider(Qt::Horizontal, this)),
      m_time(new QLabel(this)) {
    setObjectName(QStringLiteral("transport"));
    setAccessibleName(tr("Play this sound"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(measure::RelatedGap);
    m_loop->setCheckable(true);
    m_seek->setObjectName(QStringLiteral("transport.seek"));
    m_seek->setAccessibleName(tr("Place in the sound"));
    m_seek->setToolTip(tr("Drag: play from there"));
    m_seek->setRange(0, SeekSteps);
    m_seek->setMinimumWidth(SeekWidth / 3);
    m_seek->setMaximumWidth(SeekWidth);
    m_time->setObjectName(QStringLiteral("transport.time"));
    m_time->setFont(theme.font(FontRole::Mono));
    setTextToken(*m_time, theme, Token::Muted);
    for (QToolButton* each : {m_play, m_stop, m_loop})
        row->addWidget(each);
    row->addWidget(m_seek);
    row->addWidget(m_time);
    hide();
    connect(m_play, &QToolButton::clicked, this, [this] { play(); });
    connect(m_stop, &QToolButton::clicked, this, &SoundTransport::stop);
    connect(m_loop, &QToolButton::toggled, this, [this](bool) {
        if (const SoundAudition::State state = m_audition->state(); !m_fresh && state.playing)
            play(state.position_s);
    });
    connect(m_seek, &QSlider::sliderReleased, this, [this] {
        if (const SoundAudition::State state = m_audition->state(); state.length_s > 0.0)
            play(state.length_s * m_seek->value() / SeekSteps);
    });
    connect(&m_timer, &QTimer::timeout, this, &SoundTransport::refresh);
    connect(&feed, &SessionFeed::modeChanged, this, &SoundTransport::reread);
    m_timer.setInterval(LookMs);
}

SoundTransport::~SoundTransport() { m_audition->stop(); }

QToolButton* SoundTransport::button(const QString& name, const QString& icon, const QString& tip) {
    auto* out = new QToolButton(this);
    out->setObjectName(QStringLiteral("transport.") + name);
    out->setAccessibleName(tip);
    out->setToolTip(tip);
    out->setIcon(m_theme.icon(icon));
    out->setIconSize({measure::IconSize, measure::IconSize});
    out->setAutoRaise(true);
    return out;
}

void SoundTransport::setSubject(const SoundAudition::Subject& subject) {
    if (subject == m_subject)
        return;
    m_subject = subject;
    m_audition->choose(subject);
    m_fresh = true;
    setVisible(static_cast<bool>(subject));
    reread();
}

void SoundTransport::reread() {
    if (!m_subject)
        return;
    m_looks = 2; // the first may have been asked before the change
    m_audition->look();
    m_timer.start();
}

void SoundTransport::play(double fromSeconds) {
    m_audition->play(m_loop->isChecked(), fromSeconds);
    reread();
}

void SoundTransport::stop() {
    m_audition->stop();
    reread();
}

void SoundTransport::refresh() {
    const SoundAudition::State state = m_audition->state();
    m_audition->look();
    if (state.subject != m_subject || !state.known)
        return;
    if (std::exchange(m_fresh, false)) {
        const QSignalBlocker quiet(m_loop);
        m_loop->setChecked(state.loops);
    }
    const bool endless = state.length_s <= 0.0;
    m_play->setEnabled(state.fault.empty() && !state.held);
    m_play->setToolTip(tipText(!state.fault.empty() ? tr("Cannot be played: %1").arg(QString::fromStdString(state.fault))
                               : state.held         ? tr("Paused: sound stands still with the world")
                                                    : tr("Play %1 by itself; the world need not run").arg(QString::fromStdString(state.source))));
    m_stop->setEnabled(state.playing);
    m_loop->setEnabled(!endless);
    m_seek->setEnabled(!endless && state.fault.empty() && !state.held);
    if (!m_seek->isSliderDown())
        m_seek->setValue(endless ? 0 : static_cast<int>(std::lround(state.position_s / state.length_s * SeekSteps)));
    QString time = endless ? tr("%1 s").arg(state.position_s, 0, 'f', 1)
                           : tr("%1/%2 s").arg(state.position_s, 0, 'f', 1).arg(state.length_s, 0, 'f', 1);
    if (!state.fault.empty())
        time = QStringLiteral("–");
    if (m_time->text() != time)
        m_time->setText(time);
    if (!state.playing && --m_looks <= 0)
        m_timer.stop();
}

} // namespace sbx::ui

#include "moc_sound_transport.cpp"
