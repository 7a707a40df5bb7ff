#include "widgets/common/name_guard.h"

#include <QEvent>
#include <QFrame>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QVBoxLayout>

#include "widgets/common/foreign_text.h"
#include "widgets/common/theme.h"

#include <algorithm>
#include <utility>

namespace sbx::ui {

namespace {
constexpr int PlateWidth = 300; // pixels, at most
} // namespace

NameGuard::NameGuard(const Theme& theme, QLineEdit& line, Check check)
    : QObject(&line), m_theme(theme), m_line(line), m_check(std::move(check)) {
    setObjectName(QStringLiteral("nameGuard"));
    line.installEventFilter(this);
    connect(&line, &QLineEdit::textEdited, this, &NameGuard::clear);
}

NameGuard::~NameGuard() { delete m_plate; }

NameGuard* NameGuard::of(QObject* line) {
    return line == nullptr ? nullptr : line->findChild<NameGuard*>(QString(), Qt::FindDirectChildrenOnly);
}

bool NameGuard::accepts() {
    std::optional<NameRefusal> refusal = m_check(m_line.text().trimmed());
    if (!refusal) {
        clear();
        return true;
    }
    m_refusal = std::move(*refusal);
    m_refused = true;
    show();
    return false;
}

void NameGuard::clear() {
    m_refused = false;
    m_refusal = {};
    setInvalid(m_line, false);
    m_line.setAccessibleDescription({});
    if (m_plate != nullptr)
        m_plate->hide();
}

bool NameGuard::holds(const QEvent& event) {
    if (!m_line.isModified())
        return false;
    if (event.type() == QEvent::FocusOut) {
        const Qt::FocusReason reason = static_cast<const QFocusEvent&>(event).reason();
        // A menu or another window: the edit goes on afterwards.
        return reason != Qt::PopupFocusReason && reason != Qt::ActiveWindowFocusReason && !accepts();
    }
    if (event.type() != QEvent::KeyPress)
        return false;
    const auto& key = static_cast<const QKeyEvent&>(event);
    switch (key.key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_refused && key.modifiers() == Qt::AltModifier) {
            takeOffered();
            return true;
        }
        return !accepts();
    case Qt::Key_Tab:
    case Qt::Key_Backtab:
        return !accepts();
    default:
        return false;
    }
}

void NameGuard::show() {
    setInvalid(m_line, true);
    m_line.setAccessibleDescription(m_refusal.reason);
    if (m_plate == nullptr || m_plate->parentWidget() != m_line.window()) {
        delete m_plate;
        m_plate = new QFrame(m_line.window());
        m_plate->setObjectName(QStringLiteral("nameGuard.plate"));
        m_plate->setFrameShape(QFrame::StyledPanel);
        m_plate->setAutoFillBackground(true);
        m_plate->setBackgroundRole(QPalette::Button); // raised above the panel
        m_reason = new QLabel(m_plate);
        m_reason->setObjectName(QStringLiteral("nameGuard.reason"));
        m_reason->setWordWrap(true);
        m_reason->setTextFormat(Qt::PlainText);
        setTextToken(*m_reason, m_theme, Token::Error);
        m_offer = new QPushButton(m_plate);
        m_offer->setObjectName(QStringLiteral("nameGuard.offer"));
        m_offer->setFocusPolicy(Qt::NoFocus); // the line keeps the keys
        m_offer->setToolTip(tr("Alt+Enter takes this name as well; Esc keeps the old one"));
        connect(m_offer, &QPushButton::clicked, this, &NameGuard::takeOffered);
        auto* column = new QVBoxLayout(m_plate);
        column->setContentsMargins(measure::PanelPadding, measure::PanelPadding, measure::PanelPadding, measure::PanelPadding);
        column->setSpacing(measure::RelatedGap);
        column->addWidget(m_reason);
        column->addWidget(m_offer, 0, Qt::AlignLeft);
        // The plate goes with its window; nothing is left to point at.
        connect(m_plate, &QObject::destroyed, this, [this] { m_plate = nullptr; });
    }
    m_reason->setText(shownText(m_refusal.reason));
    m_offer->setVisible(!m_refusal.offered.isEmpty());
    m_offer->setText(tr("Use %1").arg(QString(shownLine(m_refusal.offered)).replace(QLatin1Char('&'), QLatin1String("&&"))));
    placePlate();
    m_plate->setVisible(m_line.isVisible());
    m_plate->raise();
}

void NameGuard::placePlate() {
    const QWidget& window = *m_plate->parentWidget();
    const int width = std::min(PlateWidth, window.width() - 2 * measure::PanelPadding);
    m_plate->setFixedWidth(width);
    const int height = m_plate->layout()->totalHeightForWidth(width);
    m_plate->resize(width, height);
    const QPoint corner = m_line.mapTo(&window, QPoint(0, 0));
    int y = corner.y() + m_line.height() + 2;
    if (y + height > window.height())
        y = std::max(0, corner.y() - 2 - height);
    m_plate->move(std::clamp(corner.x(), 0, std::max(0, window.width() - width)), y);
}

void NameGuard::takeOffered() {
    if (!m_refused || m_refusal.offered.isEmpty())
        return;
    m_line.setText(m_refusal.offered);
    m_line.setModified(true);
    clear();
    emit offeredTaken();
}

bool NameGuard::eventFilter(QObject* watched, QEvent* event) {
    if (watched != &m_line)
        return QObject::eventFilter(watched, event);
    switch (event->type()) {
    case QEvent::ShortcutOverride:
    case QEvent::KeyPress: {
        const auto& key = static_cast<const QKeyEvent&>(*event);
        const bool isEnter = key.key() == Qt::Key_Return || key.key() == Qt::Key_Enter;
        if (!m_refused || !isEnter || key.modifiers() != Qt::AltModifier)
            break;
        if (event->type() == QEvent::KeyPress)
            takeOffered();
        event->accept();
        return true;
    }
    case QEvent::Hide:
        if (m_plate != nullptr)
            m_plate->hide();
        break;
    case QEvent::Show:
    case QEvent::Move:
    case QEvent::Resize:
        if (m_refused && m_plate != nullptr) {
            placePlate();
            m_plate->setVisible(event->type() == QEvent::Show || m_line.isVisible());
        }
        break;
    default:
        break;
    }
    return QObject::eventFilter(watched, event);
}

} // namespace sbx::ui

#include "moc_name_guard.cpp"
