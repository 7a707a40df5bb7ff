#pragma once
// A list of records that come in at the bottom and go at the top: what the log and the trace have in common. Follows the newest
// row until it is scrolled up; then what is on screen stands still, whatever comes or goes, and a pill over the rows counts what
// is new. Whole rows are selected; one row is under the mouse; Space asks for a pause, Ctrl+C for a copy, Ctrl+End follows.
//
// Data flow: a derived view says where its rows are (offsets in content pixels, so that a million of them need no layout),
// paints them, and sets the model in its constructor. GUI thread; parent owns it, theme and model outlive it.

#include <QAbstractItemView>

#include <cstdint>

class QHelpEvent;
class QPushButton;

namespace sbx::ui {

class Theme;

class RowsView : public QAbstractItemView {
    Q_OBJECT

public:
    [[nodiscard]] bool isFollowing() const { return m_following; }
    void setFollowing(bool following);
    // "128 new ↓" over the rows; 0 hides it. `paused`: a click resumes, rather than scrolls.
    void setPill(std::uint64_t count, bool paused);
    [[nodiscard]] QPushButton& pill() { return *m_pill; }

    void scrollTo(const QModelIndex& index, ScrollHint hint = EnsureVisible) override;

signals:
    void followingChanged(bool following);
    void pillClicked();
    void pauseRequested();
    void copyRequested();

protected:
    // `rows`: what they are called ("messages"). The pill is named `name`.new.
    RowsView(const Theme& theme, const QString& name, const QString& rows, const QString& pauseTip,
             const QString& newestTip, QWidget* parent);
    void showModel(QAbstractItemModel& model);

    // --- Where rows are, in content pixels
    [[nodiscard]] virtual int rowTop(int row) const = 0; // of the row count: the content's height
    [[nodiscard]] virtual int rowAt(int y) const = 0;    // the row count if below all
    [[nodiscard]] virtual int lineStep() const = 0;      // the height of a plain row
    // The rows that fit, in pixels; less than the viewport where a cut row would disturb.
    [[nodiscard]] virtual int pageHeight() const;
    // The nearest offset the view may be scrolled to.
    [[nodiscard]] virtual int snapped(int offset) const { return offset; }
    // Rows have gone from the model: what the view knows of them goes too.
    virtual void forgetRows(int first, int last) = 0;
    // The row under the mouse is another; -1: none.
    virtual void hoverChanged() { viewport()->update(); }
    virtual void showToolTip(const QHelpEvent& help) = 0;

    [[nodiscard]] const Theme& theme() const { return m_theme; }
    [[nodiscard]] int rows() const { return model() == nullptr ? 0 : model()->rowCount(); }
    [[nodiscard]] int hoveredRow() const { return m_hovered; }
    void hoverAt(int viewportY);
    virtual void updateScrollBars();
    // Without being taken for the user's scrolling.
    void scrollQuietly(int value);
    void placePill();
    // Of the content, before the rows that are being removed, or inserted at the top.
    [[nodiscard]] int heightBefore() const { return m_heightBefore; }

    QModelIndex moveCursor(CursorAction action, Qt::KeyboardModifiers modifiers) override;
    [[nodiscard]] int horizontalOffset() const override;
    [[nodiscard]] int verticalOffset() const override;
    [[nodiscard]] bool isIndexHidden(const QModelIndex&) const override { return false; }
    void setSelection(const QRect& rect, QItemSelectionModel::SelectionFlags flags) override;
    [[nodiscard]] QRegion visualRegionForSelection(const QItemSelection& selection) const override;
    void scrollContentsBy(int dx, int dy) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    bool viewportEvent(QEvent* event) override;

private:
    void setHovered(int row);

    const Theme& m_theme;
    QString m_rows;
    QString m_pauseTip;
    QString m_newestTip;
    QPushButton* m_pill;
    int m_hovered = -1;
    int m_heightBefore = 0;
    bool m_following = true;
    bool m_adjusting = false; // the scroll bar moves by itself
    bool m_gainsFocus = false;
};

} // namespace sbx::ui
