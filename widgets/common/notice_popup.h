#pragma once
// The list of all notices of this run, newest first, each with its time and, while its matter is open, its buttons. Opens above the
// thing that was clicked; Esc or a click elsewhere closes it. While it is open everything in it counts as read.
// GUI thread; the list and the theme outlive it.

#include <QFrame>

class QPushButton;
class QScrollArea;

namespace sbx::ui {

class EmptySwitch;
class NoticeList;
struct Notice;
class Theme;

class NoticePopup : public QFrame {
    Q_OBJECT

public:
    NoticePopup(const Theme& theme, NoticeList& list, QWidget* parent);

    // Its lower right corner on the upper right one of the anchor, within the screen.
    void popUp(const QWidget& anchor);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void rebuild();
    QWidget* makeRow(const Notice& notice);

    const Theme& m_theme;
    NoticeList& m_list;
    QPushButton* m_clear;
    QScrollArea* m_area;
    EmptySwitch* m_switch;
};

} // namespace sbx::ui
