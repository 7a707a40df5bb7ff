#include "widgets/viewport/mouse_capture.h"

#include <QCursor>
#include <QWidget>

#include <algorithm>

namespace sbx::ui {

void MouseCapture::begin(const QPoint& global, const QPoint& home) {
    const QPoint middle = m_view.mapToGlobal(m_view.rect().center());
    m_pointer.start(global, middle, std::max(40, std::min(m_view.width(), m_view.height()) / 3));
    m_home = home;
    if (m_active)
        return;
    m_view.setCursor(Qt::BlankCursor);
    m_view.grabMouse();
    m_active = true;
}

void MouseCapture::beginAtCentre() {
    const QPoint home = QCursor::pos();
    const QPoint middle = m_view.mapToGlobal(m_view.rect().center());
    begin(middle, home);
    QCursor::setPos(middle);
}

void MouseCapture::end() {
    if (!m_active)
        return;
    m_active = false;
    m_view.releaseMouse();
    m_view.unsetCursor();
    QCursor::setPos(m_home);
}

Vec2 MouseCapture::turned(const QPoint& global) {
    const RelativePointer::Step step = m_pointer.moveTo(global);
    if (step.warpTo)
        QCursor::setPos(*step.warpTo);
    return {static_cast<float>(step.moved.x()) * DegreesAPixel, static_cast<float>(-step.moved.y()) * DegreesAPixel};
}

} // namespace sbx::ui
