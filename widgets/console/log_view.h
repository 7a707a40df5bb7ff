#pragma once
// Draws the log: time, severity icon, channel, text (wrapped), repetitions; of an answer of several rows the first has time,
// icon and channel, and so have the uppermost row on screen and the one under the mouse. Following, selecting, keys: rows_view.h.
//
// A view of its own because rows wrap: heights are summed once, and only rows on screen are laid out, so that a full log
// scrolls as lightly as a short one. GUI thread; parent owns it.

#include <QHash>
#include <QPixmap>

#include "widgets/common/rows_view.h"
#include "widgets/console/log_links.h"
#include "widgets/console/log_model.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

class QMenu;

namespace sbx::ui {

class LogView : public RowsView {
    Q_OBJECT

public:
    LogView(const Theme& theme, LogModel& model, QWidget* parent = nullptr);

    // Selected rows, or all shown rows if none is selected, a line each.
    [[nodiscard]] QString copyText() const;
    // What may be gone to from the text. They are underlined where the mouse is; the row's menu has them too.
    void setLinkNames(LinkNames names);
    [[nodiscard]] std::vector<LogLink> linksOf(int row) const;
    // Its links, and copying; owned by the caller.
    [[nodiscard]] QMenu* menuFor(int row);

    // Rows it has worked on so far, each time anew: to be held against how many are on screen, or are new.
    struct Work {
        std::uint64_t measured = 0;
        std::uint64_t brokenIntoLines = 0; // to be measured or painted
        std::uint64_t painted = 0;
    };
    [[nodiscard]] const Work& work() const { return m_work; }

    [[nodiscard]] QRect visualRect(const QModelIndex& index) const override;
    [[nodiscard]] QModelIndex indexAt(const QPoint& point) const override;
    void reset() override;

signals:
    void linkActivated(const sbx::ui::LogLink& link);

protected:
    void rowsInserted(const QModelIndex& parent, int start, int end) override;
    void updateGeometries() override;
    void paintEvent(QPaintEvent* event) override;
    [[nodiscard]] int rowTop(int row) const override {
        const std::size_t known = std::min(static_cast<std::size_t>(row), m_bottoms.size());
        return known == 0 ? 0 : m_bottoms[known - 1];
    }
    [[nodiscard]] int rowAt(int y) const override;
    [[nodiscard]] int lineStep() const override;
    void forgetRows(int first, int last) override;
    void hoverChanged() override;
    void showToolTip(const QHelpEvent& help) override;
    bool viewportEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    struct Columns {
        int timeEnd = 0; // 0: the view is too narrow for it
        int icon = 0;
        int channel = 0;
        int channelWidth = 0;
        int text = 0;
        int textWidth = 0;
    };
    [[nodiscard]] Columns columns() const;
    [[nodiscard]] int heightOf(int row, const Columns& at) const;
    void measureAll();
    void measureFrom(int row);
    void paintRow(QPainter& painter, int row, const QRect& area, const Columns& at,
                  LogModel::Repeats leftOut);
    void paintHead(QPainter& painter, const LogModel::Row& record, int y, const Columns& at,
                   LogModel::Repeats leftOut);
    [[nodiscard]] const QPixmap& icon(int severity);
    void follow(const LogLink& link);
    [[nodiscard]] std::optional<LogLink> linkAt(const QPoint& point) const;
    void refreshTheme();

    LogModel& m_model;
    std::vector<int> m_bottoms; // of each row, in content pixels
    QHash<int, QPixmap> m_icons;
    int m_measuredWidth = -1;
    int m_charWidth = 8;
    int m_lineHeight = 16;
    LinkNames m_names;
    std::vector<LogLink> m_links; // of the hovered row
    QPoint m_pressed;
    mutable Work m_work;
};

} // namespace sbx::ui
