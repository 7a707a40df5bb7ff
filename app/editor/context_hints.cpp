#include "app/editor/context_hints.h"

#include <QApplication>
#include <QCursor>
#include <QDockWidget>
#include <QEvent>
#include <QMainWindow>

#include "widgets/viewport/viewport_input.h"
#include "widgets/viewport/viewport_panel.h"
#include "widgets/viewport/viewport_view.h"

#include <utility>

namespace sbx::editor {

ContextHints::ContextHints(QMainWindow& window, ui::ViewportPanel& viewport)
    : QObject(&window), m_window(window), m_viewport(viewport) {
    connect(&viewport.view(), &ui::ViewportView::panesChanged, &m_timer, qOverload<>(&QTimer::start));
    m_timer.setSingleShot(true);
    m_timer.setInterval(0);
    connect(&m_timer, &QTimer::timeout, this, &ContextHints::look);
    qApp->installEventFilter(this);
}

void ContextHints::setOn(bool on) {
    m_on = on;
    look();
}

bool ContextHints::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
    case QEvent::Enter:
    case QEvent::Leave:
    case QEvent::MouseButtonPress:
    case QEvent::MouseButtonRelease:
    case QEvent::KeyPress:
    case QEvent::KeyRelease:
        m_timer.start();
        break;
    case QEvent::MouseMove: // a press becomes a drag
        if (QApplication::mouseButtons() != Qt::NoButton)
            m_timer.start();
        break;
    default:
        break;
    }
    return QObject::eventFilter(watched, event);
}

QString ContextHints::textFor(const QString& panel) {
    if (panel == QLatin1String("viewport"))
        return tr("Click select · Drag box · Right drag look, with WASD fly · Middle drag pan · Wheel nearer, farther · F frame");
    if (panel == QLatin1String("dock.outliner"))
        return tr("F2 rename · Ctrl+D duplicate · Del delete · Ctrl+F filter");
    if (panel == QLatin1String("dock.layers"))
        return tr("Double click select what is in it · F2 rename · Del remove · Drop entities onto a layer");
    if (panel == QLatin1String("dock.history"))
        return tr("Click or Enter go to the step");
    if (panel == QLatin1String("dock.graph"))
        return tr("Wheel nearer, farther · Drag earlier, later · Space freeze");
    if (panel == QLatin1String("dock.assets"))
        return tr("Drag into the viewport or onto a field · Space play a sound");
    if (panel == QLatin1String("dock.trace"))
        return tr("Ctrl+F find · Ctrl+/ filter · Ctrl+M mark · Ctrl+T time reference");
    if (panel == QLatin1String("dock.problems") || panel == QLatin1String("dock.console"))
        return tr("Ctrl+F filter");
    return {};
}

QString ContextHints::textNow() const {
    using Use = ui::ViewportInput::Use;
    switch (m_viewport.input().use()) {
    case Use::Band:
        return tr("Alt what it touches, or contains · Esc cancel");
    case Use::Gizmo:
        return tr("Ctrl snap, or not · Number exact · Esc cancel");
    case Use::Handle:
        return tr("Ctrl snap, or not · Alt the other side stays · Number exact · Esc cancel");
    case Use::Grab:
        return tr("Drag swing · Wheel strength · Let go to throw");
    case Use::Measure:
        return tr("Click both ends · Esc put the tape away");
    case Use::Fly:
        return tr("WASD move · Q E down, up · Shift faster · Alt slower · Wheel speed");
    case Use::Orbit:
        return tr("Drag orbit · Esc cancel");
    case Use::Pan:
        return tr("Drag pan · Esc cancel");
    case Use::Walk:
        return tr("WASD walk · Mouse look · Space jump · Shift run · Esc leave");
    case Use::Nothing:
        break;
    }
    for (const QWidget* at = QApplication::widgetAt(QCursor::pos()); at != nullptr; at = at->parentWidget()) {
        if (at->window() != &m_window && qobject_cast<const QDockWidget*>(at->window()) == nullptr)
            return {}; // a dialog or a menu says itself what can be done
        if (at == &m_viewport.view() && m_viewport.view().keepsAxis())
            return tr("Click select · Drag box · Right drag pan · Wheel larger, smaller · F frame · Ctrl+Space maximise");
        if (at == &m_viewport.view())
            return textFor(QStringLiteral("viewport"));
        if (qobject_cast<const QDockWidget*>(at) != nullptr)
            return textFor(at->objectName());
    }
    return {};
}

void ContextHints::look() {
    QString text = m_on ? textNow() : QString();
    if (std::exchange(m_shown, text) != text)
        emit changed(text);
}

} // namespace sbx::editor

#include "moc_context_hints.cpp"
