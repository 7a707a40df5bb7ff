#include "widgets/common/drag_hold.h"

#include <QCoreApplication>
#include <QMouseEvent>

#include "widgets/common/document.h"

namespace sbx::ui {

DragHold::~DragHold() { release(); }

void DragHold::begin() {
    if (m_held)
        return;
    m_held = true;
    m_document.beginDrag();
    QCoreApplication::instance()->installEventFilter(this);
}

void DragHold::end() {
    m_document.endMerge();
    release();
}

void DragHold::release() {
    if (!m_held)
        return;
    m_held = false;
    QCoreApplication::instance()->removeEventFilter(this);
    m_document.endDrag();
}

bool DragHold::eventFilter(QObject*, QEvent* event) {
    // The drag's owner is notified first, and may set a last value.
    if (event->type() == QEvent::MouseButtonRelease
        && static_cast<QMouseEvent*>(event)->buttons() == Qt::NoButton)
        QMetaObject::invokeMethod(this, &DragHold::release, Qt::QueuedConnection);
    return false;
}

} // namespace sbx::ui

#include "moc_drag_hold.cpp"
