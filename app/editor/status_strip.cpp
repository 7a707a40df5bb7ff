#include "app/editor/status_strip.h"

#include <QLabel>

#include "app/editor/network_badge.h"
#include "app/editor/status_badge.h"
#include "widgets/common/document.h"
#include "widgets/common/foreign_text.h"
#include "widgets/common/selection.h"
#include "widgets/common/session_feed.h"
#include "widgets/common/theme.h"

namespace sbx::editor {

namespace {
constexpr int LongestStop = 48; // characters of the text of a stop; its tip has it whole
constexpr int LeftParts = 5; // mode, tick, frames, selection, hint: before the permanent ones
} // namespace

StatusStrip::StatusStrip(const ui::Theme& theme, ui::SessionFeed& feed, ui::Document& document,
                         ui::Selection& selection, QWidget* parent)
    : QStatusBar(parent), m_theme(theme), m_feed(feed), m_document(document), m_selection(selection) {
    setObjectName(QStringLiteral("status"));
    setSizeGripEnabled(false);
    setContentsMargins(ui::measure::PanelPadding, 0, ui::measure::PanelPadding, 0);
    m_mode = label(QStringLiteral("status.mode"), tr("Mode"), 8);
    m_tick = label(QStringLiteral("status.tick"), tr("Tick and time"), 24);
    m_fps = label(QStringLiteral("status.fps"), tr("Frames per second"), 10);
    m_chosen = label(QStringLiteral("status.selection"), tr("Selection"), 12); // the last on its side: none moves with it
    m_soundMode = label(QStringLiteral("status.soundMode"), tr("How sound is rendered"), 0);
    m_sound = label(QStringLiteral("status.sound"), tr("Sound"), 0);
    m_restricted = new StatusBadge(m_theme, this);
    m_restricted->setObjectName(QStringLiteral("status.restricted"));
    m_restricted->setIcon(m_theme.icon(QStringLiteral("lock"), ui::Token::Warning));
    m_network = new NetworkBadge(m_theme, m_feed, this);
    m_problems = label(QStringLiteral("status.problems"), tr("Problems"), 12);
    m_saved = label(QStringLiteral("status.saved"), tr("Saved"), 8);
    for (QLabel* left : {m_mode, m_tick, m_fps, m_chosen})
        addWidget(left);
    m_hint = label(QStringLiteral("status.hint"), tr("What the pointer rests on"), 0);
    m_hint->setFont(m_theme.font(ui::FontRole::Ui));
    m_hint->setContentsMargins(ui::measure::GroupGap, 0, 0, 0);
    m_hint->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    addWidget(m_hint, 1);
    addPermanentWidget(m_restricted);
    addPermanentWidget(m_network);
    for (QLabel* right : {m_soundMode, m_sound, m_problems, m_saved}) {
        right->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        right->setContentsMargins(ui::measure::GroupGap, 0, 0, 0);
        addPermanentWidget(right);
    }
    m_notices = new StatusBadge(m_theme, this);
    m_notices->setObjectName(QStringLiteral("status.notices"));
    addPermanentWidget(m_notices);
    setNotices(0, {});
    m_sayTimer.setSingleShot(true);
    connect(&m_sayTimer, &QTimer::timeout, this, [this] {
        m_said.clear();
        fitHint();
    });
    connect(&m_feed, &ui::SessionFeed::frameChanged, this, &StatusStrip::showFrame);
    connect(&m_selection, &ui::Selection::entitiesChanged, this, &StatusStrip::showSelection);
    connect(&m_document, &ui::Document::dirtyChanged, this, &StatusStrip::showSaved);
    connect(&m_document, &ui::Document::opened, this, &StatusStrip::showSaved);
    showFrame();
    showSelection();
    showSaved();
    setFramesPerSecond(0.0);
    setProblems(0, 0);
    setSound({}, {}, false);
    setSoundMode({});
    setRestricted({}, {});
}

QLabel* StatusStrip::label(const QString& name, const QString& accessible, int characters) {
    auto* out = new QLabel(this);
    out->setObjectName(name);
    out->setAccessibleName(accessible);
    out->setFont(m_theme.font(ui::FontRole::Mono));
    out->setMinimumWidth(out->fontMetrics().horizontalAdvance(QLatin1Char('0')) * characters);
    ui::setTextToken(*out, m_theme, ui::Token::Muted);
    return out;
}

void StatusStrip::showFrame() {
    const FrameSnapshot& frame = m_feed.frame();
    const QString mode = !m_stopped.isEmpty()       ? m_stopped
                         : frame.mode == Mode::Edit ? tr("Edit")
                         : frame.mode == Mode::Play ? tr("Play")
                                                    : tr("Paused");
    if (m_mode->text() != mode) {
        m_mode->setText(mode);
        ui::setTextToken(*m_mode, m_theme, frame.mode == Mode::Edit && m_stopped.isEmpty() ? ui::Token::Muted : ui::Token::Play);
    }
    m_tick->setText(tr("tick %1  %2 s")
                        .arg(frame.tick, 7)
                        .arg(static_cast<double>(frame.tick) / frame.tickRate, 8, 'f', 2));
}

void StatusStrip::setStopped(const QString& text) {
    m_stopped = text.size() > LongestStop ? text.left(LongestStop - 1) + QStringLiteral("…") : text;
    m_mode->setToolTip(
        text.isEmpty()
            ? QString()
            : ui::tipText(tr("%1\nWhat is asked for meanwhile waits until the tick goes on: F5 continues, F10 steps.")
                              .arg(text)));
    m_mode->setContentsMargins(0, 0, text.isEmpty() ? 0 : ui::measure::GroupGap, 0);
    showFrame();
}

void StatusStrip::showSelection() {
    const auto& entities = m_selection.entities();
    m_chosen->setText(entities.empty() ? tr("nothing selected")
                      : entities.size() == 1
                          ? QString::fromStdString(entities.front())
                          : tr("%n selected", nullptr, static_cast<int>(entities.size()))
                                .replace(QStringLiteral("%n"), QString::number(entities.size())));
}

void StatusStrip::showSaved() {
    m_saved->setText(!m_document.isOpen() ? QString() : m_document.isDirty() ? tr("unsaved") : tr("saved"));
}

void StatusStrip::setHint(const QString& text) {
    m_hintText = text;
    fitHint();
}

void StatusStrip::setContext(const QString& text) {
    m_contextText = text;
    fitHint();
}

void StatusStrip::say(const QString& text) {
    m_said = text;
    m_sayTimer.start(SayMs);
    fitHint();
}

void StatusStrip::fitHint() {
    const QString& text = m_hintText.isEmpty() ? m_said : m_hintText;
    const int room = m_hint->contentsRect().width();
    if (text.isEmpty()) // hints are shown whole or not at all
        m_hint->setText(m_hint->fontMetrics().horizontalAdvance(m_contextText) <= room ? m_contextText : QString());
    else
        m_hint->setText(m_hint->fontMetrics().elidedText(text, Qt::ElideRight, room));
}

void StatusStrip::resizeEvent(QResizeEvent* event) {
    QStatusBar::resizeEvent(event);
    fitHint();
}

void StatusStrip::setFramesPerSecond(double fps) {
    m_fps->setText(fps > 0.0 ? tr("%1 fps").arg(fps, 5, 'f', 1) : tr("   – fps"));
}

void StatusStrip::setProblems(int errors, int warnings) {
    // As many as the Problems panel lists.
    QStringList counts;
    if (errors > 0)
        counts += errors == 1 ? tr("1 error") : tr("%1 errors").arg(errors);
    if (warnings > 0)
        counts += warnings == 1 ? tr("1 warning") : tr("%1 warnings").arg(warnings);
    m_problems->setText(counts.isEmpty() ? tr("no problems") : counts.join(QStringLiteral(", ")));
    ui::setTextToken(*m_problems, m_theme,
                     errors > 0     ? ui::Token::Error
                     : warnings > 0 ? ui::Token::Warning
                                    : ui::Token::Muted);
}

void StatusStrip::setSoundMode(const QString& name) {
    m_soundMode->setVisible(!name.isEmpty());
    m_soundMode->setText(name.toLower());
}

void StatusStrip::setSound(const QString& text, const QString& whole, bool unheard) {
    m_sound->setVisible(!text.isEmpty());
    m_sound->setText(ui::shownLine(text));
    m_sound->setToolTip(ui::tipText(whole));
    m_sound->setAccessibleDescription(whole);
    ui::setTextToken(*m_sound, m_theme, unheard ? ui::Token::Warning : ui::Token::Muted);
}

void StatusStrip::addBadge(StatusBadge& badge) { insertPermanentWidget(LeftParts, &badge); }

void StatusStrip::setNotices(int unread, const QColor& tint) {
    const QString icon = QStringLiteral("bell");
    m_notices->setIcon(unread > 0 ? m_theme.icon(icon, tint) : m_theme.icon(icon, ui::Token::Muted));
    m_notices->setText(unread > 99 ? tr("99+") : unread > 0 ? QString::number(unread) : QString());
    const QString name = unread == 1 ? tr("Notices: 1 unread") : unread > 1 ? tr("Notices: %1 unread").arg(unread) : tr("Notices");
    m_notices->setAccessibleName(name);
    m_notices->setToolTip(ui::tipText(name));
    m_notices->updateGeometry();
}

void StatusStrip::setRestricted(const QString& text, const QString& whole) {
    m_restricted->setVisible(!text.isEmpty());
    m_restricted->setText(text);
    m_restricted->setAccessibleName(text);
    m_restricted->setAccessibleDescription(ui::shownText(whole));
    m_restricted->setToolTip(ui::tipText(whole));
    m_restricted->updateGeometry();
}

} // namespace sbx::editor

#include "moc_status_strip.cpp"
