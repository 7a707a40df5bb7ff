#pragma once
// The strip between the panes of the four-way view: dragged, it shares out the room anew; a double click shares it equally. Takes no focus.
// GUI thread; parent owns it.

#include <QWidget>

namespace sbx::ui {

class Theme;

class PaneSplitter : public QWidget {
    Q_OBJECT

public:
    // Which way it moves: Qt::Horizontal between left and right, Qt::Vertical between above and below; both where the two cross.
    PaneSplitter(const Theme& theme, const QString& name, Qt::Orientations moves, QWidget* parent);

signals:
    // The pointer is at that place of the parent; a coordinate is empty where the splitter does not move that way.
    void dragged(const QPoint& place, Qt::Orientations moves);
    void centred(Qt::Orientations moves);

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    const Theme& m_theme;
    Qt::Orientations m_moves;
};

} // namespace sbx::ui
