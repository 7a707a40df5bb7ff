// What the window itself says: errors, its title, whether plugins are held back.

#include "app/editor/editor.h"
#include "app/editor/main_window.h"
#include "app/editor/runaway_notices.h"
#include "app/editor/status_badge.h"
#include "app/editor/status_strip.h"
#include "widgets/common/foreign_text.h"
#include "widgets/common/log_problems.h"
#include "widgets/common/notice_popup.h"

namespace sbx::editor {

namespace {
// The project's plugins that are held back, as a window shows their names.
QStringList heldBackPlugins(const Content& content) {
    QStringList out;
    if (content.catalog)
        for (const PluginState& plugin : content.catalog->plugins)
            if (plugin.heldBack)
                out << ui::shownLine(plugin.path);
    return out;
}
} // namespace

void MainWindow::report(const QString& text) { reportOn({}, text); }

void MainWindow::reportOn(const QString& subject, const QString& text) {
    m_editor.log().error(ui::LogProblems::Refusals, text.toStdString());
    ui::Notice notice;
    notice.severity = Severity::Error;
    notice.context = subject;
    notice.text = text;
    m_editor.notices().post(notice);
}

namespace {
// Whether the world runs, and whose it is if there are several.
QString playingText(const FrameSnapshot& frame) {
    if (frame.mode == Mode::Edit)
        return {};
    const QString mode = frame.mode == Mode::Play ? MainWindow::tr("playing") : MainWindow::tr("paused");
    if (frame.network == nullptr)
        return MainWindow::tr(" (%1)").arg(mode);
    const QString whose = !frame.network->server.empty() ? MainWindow::tr("world of %1").arg(QString::fromStdString(frame.network->server))
                          : frame.network->viewAs == 0   ? MainWindow::tr("the server's world")
                                                         : MainWindow::tr("client %1's world").arg(frame.network->viewAs);
    return MainWindow::tr(" (%1, %2)").arg(mode, whose);
}
} // namespace

void MainWindow::connectNotices() {
    auto* const popup = new ui::NoticePopup(m_editor.theme(), m_editor.notices(), this);
    const auto open = [this, popup] { popup->popUp(m_status->notices()); };
    connect(&m_status->notices(), &QAbstractButton::clicked, this, open);
    m_editor.actions().add({.id = QStringLiteral("view.notices"),
                            .text = tr("&Notices"),
                            .menu = tr("View"),
                            .icon = QStringLiteral("bell"),
                            .doc = tr("All that was said in cards over the picture, with the time"),
                            .run = [open](bool) { open(); }});
    const auto count = [this] {
        const ui::NoticeList& notices = m_editor.notices();
        m_status->setNotices(notices.unread(), ui::severityColor(m_editor.theme(), notices.worstUnread()));
    };
    new RunawayNotices(
        m_editor, *m_trace, [this](std::uint64_t sequence) { showMessage(sequence); }, this);
    connect(&m_editor.notices(), &ui::NoticeList::logChanged, this, count);
    connect(&m_editor.theme(), &ui::Theme::changed, this, count);
}

void MainWindow::updateTitle() {
    const ui::Document& document = m_editor.document();
    const auto& content = m_editor.project().content();
    QString title;
    if (content)
        title = ui::shownLine(content->project.name).replace(QStringLiteral("[*]"), QStringLiteral("[*][*]")) + QStringLiteral("[*]")
                + (!heldBackPlugins(*content).isEmpty() ? tr(" (restricted)") : QString())
                + playingText(m_editor.feed().frame())
                + QStringLiteral(" — ");
    title += tr("Signalbox");
    setWindowTitle(title);
    setWindowModified(document.isDirty());
    showRestriction();
}

void MainWindow::showRestriction() {
    if (m_editor.options().safeMode) {
        m_status->setRestricted(tr("Safe mode"), tr("Default layout and settings; no plugins run, and nothing is remembered."));
        return;
    }
    const auto& content = m_editor.project().content();
    const QStringList held = content ? heldBackPlugins(*content) : QStringList();
    if (held.isEmpty())
        m_status->setRestricted({}, {});
    else
        m_status->setRestricted(tr("Restricted"), tr("Plugins of this project are held back until you trust it: %1.\nA click shows what "
                                                     "they are and asks.")
                                                      .arg(held.join(QStringLiteral(", "))));
}

} // namespace sbx::editor
