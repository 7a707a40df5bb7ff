#pragma once
// The player's window: nothing but the picture of the running world, seen through the scene's camera. Keys and mouse go to the world;
// the mouse is taken while a world listens to it, and Esc gives it back.
//
// GUI thread; session and theme outlive it. The session runs on its own thread.

#include "widgets/viewport/mouse_capture.h"
#include "widgets/viewport/play_controls.h"

#include <QImage>
#include <QWidget>

namespace sbx::ui {
class Chip;
class Theme;
class ViewportView;
} // namespace sbx::ui

namespace sbx::player {

class PlayerWindow : public QWidget {
    Q_OBJECT

public:
    PlayerWindow(Session& session, const ui::Theme& theme, QWidget* parent = nullptr);
    ~PlayerWindow() override;

    // Why there is no picture; empty: there is one.
    [[nodiscard]] QString failure() const;
    // The last frame, in device pixels.
    [[nodiscard]] QImage picture();
    [[nodiscard]] bool hasMouse() const { return m_mouse.active(); }
    void setFullScreen(bool on);
    // See ViewportView::setEarlyPictures().
    void setEarlyPictures(bool on);
    // What is said of the network: in the title behind the project's name, and over the picture for a while whenever it changes.
    void setNetwork(const QString& title, const QString& notice);
    // A client without a connection: in the middle of the picture, for as long as it is so, that it is being made, or why there is
    // none any more. Both empty: there is one, or none is wanted.
    void setConnection(const QString& waiting, const QString& ended);

signals:
    void failed(const QString& text);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void worldChanged();
    void takeMouse();
    void takeMouseAtFirst();
    void letGo();
    bool keyPress(const QKeyEvent& event);
    void escape();
    void say(const QString& text, int milliseconds);
    void placeHint();
    void placeConnection();
    // Which keys do something here.
    void sayKeys();

    static constexpr int HintMs = 4000;
    static constexpr int KeysMs = 10000;
    static constexpr int NoticeMs = 12000; // long enough to compare a fingerprint

    ui::ViewportView* m_view;
    ui::Chip* m_hint;
    ui::Chip* m_connection;
    ui::PlayControls m_controls;
    ui::MouseCapture m_mouse;
    QString m_keys; // those of the project's Key components, with what listens to them; empty: none
    QString m_connectionText;
    QString m_notice;       // of the network, as it was said last
    QString m_name;         // the title without the network
    bool m_looks = false;   // something in the world listens to the mouse
    bool m_started = false; // the world has been seen running
    bool m_keysSaid = false;
    bool m_mouseTaken = false;
    bool m_leaving = false; // nothing was done since Esc: the next one quits
};

} // namespace sbx::player
