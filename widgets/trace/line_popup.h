#pragma once
// One line of text asked for beside the thing it belongs to: Enter takes it, Esc or a click elsewhere leaves it. GUI thread; the parent
// owns it.

#include <QFrame>

#include <functional>

class QLabel;
class QLineEdit;

namespace sbx::ui {

class Theme;

class LinePopup : public QFrame {
    Q_OBJECT

public:
    using Take = std::function<void(const QString& text)>;

    // `name` is the objectName's; the line is called name + ".text".
    LinePopup(const Theme& theme, const QString& name, QWidget* parent);

    // Below `place`, a rectangle on the screen, or above it where there is no room.
    void ask(const QString& question, const QString& text, const QRect& place, Take take);
    [[nodiscard]] QLineEdit& lineEdit() { return *m_edit; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QLabel* m_question;
    QLineEdit* m_edit;
    Take m_take;
};

// Puts `popup` below `place`, or above it where the screen ends, and into the screen.
void placePopup(QWidget& popup, const QRect& place, const QSize& size);

} // namespace sbx::ui
