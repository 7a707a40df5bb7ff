// What was changed by hand while the world ran: Stop takes it back, and offers to keep it.

#include "app/editor/editor.h"
#include "app/editor/keep_dialog.h"
#include "app/editor/main_window.h"
#include "engine/session/session.h"
#include "widgets/common/action_registry.h"
#include "widgets/common/kept_edits.h"
#include "widgets/common/notice.h"
#include "widgets/common/session_feed.h"

#include <algorithm>

namespace sbx::editor {

namespace {
const QString KeepContext = QStringLiteral("keep");

std::size_t possible(const LiveEdits::List& edits) {
    return static_cast<std::size_t>(std::count_if(edits.begin(), edits.end(), [](const LiveEdit& edit) { return edit.obstacle.empty(); }));
}
} // namespace

void MainWindow::createKeepActions() {
    m_editor.actions().add({.id = QStringLiteral("play.keep"),
                            .text = tr("&Keep changes…"),
                            .menu = tr("Play#2"),
                            .doc = tr("Choose which values that were changed by hand in the last run go into the scene"),
                            .run = [this](bool) { chooseKept(); },
                            .enabled = [this] { return m_offeredEdits != nullptr && possible(*m_offeredEdits) > 0; }});
    connect(&m_editor.feed(), &ui::SessionFeed::frameChanged, this, &MainWindow::offerKept);
}

void MainWindow::offerKept() {
    const FrameSnapshot& frame = m_editor.feed().frame();
    const bool stopped = frame.mode == Mode::Edit;
    const std::shared_ptr<const LiveEdits::List> edits = stopped ? frame.liveEdits : nullptr;
    if (edits == m_offeredEdits)
        return;
    m_offeredEdits = edits;
    const std::size_t count = edits == nullptr ? 0 : possible(*edits);
    m_editor.actions().refresh();
    if (count == 0) {
        m_editor.notices().dismissContext(KeepContext);
        return;
    }
    ui::Notice notice;
    notice.context = KeepContext;
    notice.text = count == 1 ? tr("Stop took back a value that you changed while the world ran: %1 of %2.")
                                   .arg(QString::fromStdString(edits->front().field), QString::fromStdString(edits->front().entity))
                             : tr("Stop took back %1 values that you changed while the world ran.").arg(count);
    notice.choices = {{count == 1 ? tr("Keep it") : tr("Keep all"), [this, edits] { keep(*edits); }},
                      {tr("Choose…"), [this] { chooseKept(); }, true},
                      {tr("Discard"), [this] { discardKept(); }}};
    m_editor.notices().post(notice);
}

void MainWindow::chooseKept() {
    if (m_offeredEdits == nullptr || possible(*m_offeredEdits) == 0)
        return;
    KeepDialog dialog(m_offeredEdits, m_editor.theme(), this);
    connect(&dialog, &KeepDialog::chosen, this, [this](const LiveEdits::List& edits) { keep(edits); });
    connect(&dialog, &KeepDialog::discarded, this, &MainWindow::discardKept);
    dialog.exec();
}

void MainWindow::keep(const LiveEdits::List& edits) {
    if (const Result<void> kept = ui::keepEdits(m_editor.document(), edits); !kept) {
        report(QString::fromStdString(kept.error().message));
        return;
    }
    discardKept();
}

void MainWindow::discardKept() {
    m_editor.feed().post([](Session& session) { session.liveEdits().clear(); });
}

} // namespace sbx::editor
