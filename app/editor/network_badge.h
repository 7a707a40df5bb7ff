#pragma once
// The status bar's red badge: clients play in this program, or the simulated network is bad on purpose; with its figures. A click goes
// to the dependency graph. Window thread; theme and feed must outlive it.

#include <QAbstractButton>
#include <QTimer>

#include "widgets/graph/link_figures.h"

namespace sbx::ui {
class SessionFeed;
class Theme;
} // namespace sbx::ui

namespace sbx::editor {

class NetworkBadge : public QAbstractButton {
    Q_OBJECT

public:
    NetworkBadge(const ui::Theme& theme, ui::SessionFeed& feed, QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void refresh();
    // What of `net.sim.*` is not as by default: "loss 20 %".
    [[nodiscard]] QStringList simulated() const;

    const ui::Theme& m_theme;
    ui::SessionFeed& m_feed;
    ui::LinkMeter m_meter;
    QTimer m_timer;
};

} // namespace sbx::editor
