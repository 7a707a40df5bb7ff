#include "widgets/trace/line_popup.h"

#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QScreen>
#include <QVBoxLayout>

#include "widgets/common/theme.h"

#include <algorithm>
#include <utility>

namespace sbx::ui {

void placePopup(QWidget& popup, const QRect& place, const QSize& size) {
    QRect area(QPoint(place.left(), place.bottom() + 3), size);
    if (const QScreen* screen = popup.parentWidget() != nullptr ? popup.parentWidget()->screen() : popup.screen()) {
        const QRect room = screen->availableGeometry();
        if (area.bottom() > room.bottom())
            area.moveBottom(place.top() - 3);
        area.moveTop(std::max(area.top(), room.top()));
        area.moveLeft(std::clamp(area.left(), room.left(), std::max(room.left(), room.right() - area.width())));
    }
    popup.setGeometry(area);
}

LinePopup::LinePopup(const Theme& theme, const QString& name, QWidget* parent)
    : QFrame(parent, Qt::Popup), m_question(new QLabel(this)), m_edit(new QLineEdit(this)) {
    constexpr int MaxText = 500; // characters
    setObjectName(name);
    setAccessibleName(tr("One line of text"));
    setFrameShape(StyledPanel);
    m_question->setObjectName(name + QStringLiteral(".question"));
    setTextToken(*m_question, theme, Token::Muted);
    m_edit->setObjectName(name + QStringLiteral(".text"));
    m_edit->setAccessibleName(tr("Text"));
    m_edit->setMaxLength(MaxText);
    m_edit->installEventFilter(this);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(measure::PanelPadding, measure::PanelPadding, measure::PanelPadding, measure::PanelPadding);
    column->setSpacing(measure::RelatedGap);
    column->addWidget(m_question);
    column->addWidget(m_edit);
}

void LinePopup::ask(const QString& question, const QString& text, const QRect& place, Take take) {
    constexpr int Width = 420; // pixels
    m_take = std::move(take);
    setAccessibleName(question);
    m_edit->setAccessibleName(question);
    m_question->setText(question);
    m_edit->setText(text);
    m_edit->selectAll();
    placePopup(*this, place, QSize(Width, sizeHint().height()));
    show();
    m_edit->setFocus(Qt::PopupFocusReason);
}

bool LinePopup::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_edit && event->type() == QEvent::KeyPress) {
        const auto& key = static_cast<QKeyEvent&>(*event);
        const bool enter = key.key() == Qt::Key_Return || key.key() == Qt::Key_Enter;
        if (enter || key.key() == Qt::Key_Escape) {
            hide();
            if (enter && m_take)
                m_take(m_edit->text());
            return true;
        }
    }
    return QFrame::eventFilter(watched, event);
}

} // namespace sbx::ui

#include "moc_line_popup.cpp"
