#pragma once
// The status bar's badge of the network: clients play in this program, with their figures; red while a link is bad on purpose, also
// when there is no player yet. A click goes to the dependency graph. GUI thread; theme and feed must outlive it.

#include <QTimer>

#include "app/editor/status_badge.h"
#include "widgets/graph/link_figures.h"

namespace sbx::ui {
class SessionFeed;
} // namespace sbx::ui

namespace sbx::editor {

class NetworkBadge : public StatusBadge {
    Q_OBJECT

public:
    NetworkBadge(const ui::Theme& theme, ui::SessionFeed& feed, QWidget* parent = nullptr);

    // As of now, without waiting for the next turn.
    void refresh();
    // A link is bad on purpose.
    [[nodiscard]] bool isBad() const { return isAlarm(); }

private:
    // What of `net.sim.*` is not as by default: "loss 20 %".
    [[nodiscard]] QStringList simulated() const;

    ui::SessionFeed& m_feed;
    ui::LinkMeter m_meter;
    QTimer m_timer;
};

} // namespace sbx::editor
