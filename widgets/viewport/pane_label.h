#pragma once
// Says in the corner of a picture from where it is seen and how it is projected, and opens the menu to change that. GUI thread; parent
// owns it.

#include <QToolButton>

#include "widgets/viewport/camera_rig.h"

class QMenu;

namespace sbx::ui {

class Theme;

// "Top", "Front", …
[[nodiscard]] QString axisName(AxisView axis);
// "Top · orthographic", "Perspective".
[[nodiscard]] QString projectionText(const CameraRig& rig);

class PaneLabel : public QToolButton {
    Q_OBJECT

public:
    PaneLabel(const Theme& theme, const QString& name, QWidget* parent);

    // As large as the text needs. True: it is another one.
    bool say(const QString& text);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Theme& m_theme;
};

} // namespace sbx::ui
