#pragma once
// Draws the log: time, severity icon, channel, text (wrapped), repetitions. Follows the newest row until it is scrolled up; then
// it stands still, whatever comes in.
//
// A view of its own because rows wrap: heights are summed once, and only rows on screen are laid out, so that a full log
// scrolls as lightly as a short one. Window thread; parent owns it.

#include <QAbstractItemView>
#include <QHash>
#include <QPixmap>

#include "widgets/console/log_links.h"

#include <optional>
#include <vector>

class QMenu;
class QPushButton;

namespace sbx::ui {

class LogModel;
class Theme;

class LogView : public QAbstractItemView {
    Q_OBJECT

public:
    LogView(const Theme& theme, LogModel& model, QWidget* parent = nullptr);

    [[nodiscard]] bool isFollowing() const { return m_following; }
    void setFollowing(bool following);
    // "N new ↓" over the rows; 0 hides it. `paused`: a click resumes, rather than scrolls.
    void setPill(quint64 count, bool paused);
    // Selected rows, or all shown rows if none is selected, a line each.
    [[nodiscard]] QString copyText() const;
    // What may be gone to from the text. They are underlined where the mouse is; the row's menu has them too.
    void setLinkNames(LinkNames names);
    [[nodiscard]] std::vector<LogLink> linksOf(int row) const;
    // Its links, and copying; owned by the caller.
    [[nodiscard]] QMenu* menuFor(int row);

    [[nodiscard]] QRect visualRect(const QModelIndex& index) const override;
    void scrollTo(const QModelIndex& index, ScrollHint hint = EnsureVisible) override;
    [[nodiscard]] QModelIndex indexAt(const QPoint& point) const override;
    void reset() override;

signals:
    void followingChanged(bool following);
    void pillClicked();
    void pauseRequested();
    void copyRequested();
    void linkActivated(const sbx::ui::LogLink& link);

protected:
    QModelIndex moveCursor(CursorAction action, Qt::KeyboardModifiers modifiers) override;
    [[nodiscard]] int horizontalOffset() const override { return 0; }
    [[nodiscard]] int verticalOffset() const override;
    [[nodiscard]] bool isIndexHidden(const QModelIndex&) const override { return false; }
    void setSelection(const QRect& rect, QItemSelectionModel::SelectionFlags flags) override;
    [[nodiscard]] QRegion visualRegionForSelection(const QItemSelection& selection) const override;
    void rowsInserted(const QModelIndex& parent, int start, int end) override;
    void scrollContentsBy(int dx, int dy) override;
    void updateGeometries() override;
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
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
    [[nodiscard]] int top(int row) const {
        return row == 0 ? 0 : m_bottoms[static_cast<std::size_t>(row) - 1];
    }
    [[nodiscard]] int rowAt(int y) const; // in content; the row count if below all
    void measureAll();
    void measureFrom(int row);
    void updateScrollBar();
    void paintRow(QPainter& painter, int row, const QRect& area, const Columns& at);
    [[nodiscard]] const QPixmap& icon(int severity);
    void follow(const LogLink& link);
    [[nodiscard]] std::optional<LogLink> linkAt(const QPoint& point) const;
    void hover(int row);
    void refreshTheme();

    const Theme& m_theme;
    LogModel& m_model;
    QPushButton* m_pill;
    std::vector<int> m_bottoms; // of each row, in content pixels
    QHash<int, QPixmap> m_icons;
    int m_measuredWidth = -1;
    int m_charWidth = 8;
    int m_lineHeight = 16;
    int m_hovered = -1;
    LinkNames m_names;
    std::vector<LogLink> m_links; // of the hovered row
    QPoint m_pressed;
    bool m_following = true;
    bool m_adjusting = false;
};

} // namespace sbx::ui
