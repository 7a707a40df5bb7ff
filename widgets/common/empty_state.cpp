#include "widgets/common/empty_state.h"

#include <QAction>
#include <QIcon>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QStackedLayout>
#include <QVBoxLayout>

#include "widgets/common/theme.h"

namespace sbx::ui {

namespace {

// A label that draws an icon at any scale and in any theme.
class IconLabel : public QWidget {
public:
    IconLabel(QIcon icon, int side, QWidget* parent) : QWidget(parent), m_icon(std::move(icon)) {
        setFixedSize(side, side);
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        m_icon.paint(&painter, rect());
    }

private:
    QIcon m_icon;
};

} // namespace

EmptyState::EmptyState(const Theme& theme, const QString& icon, const QString& line, QWidget* parent)
    : QWidget(parent), m_line(new QLabel(line, this)), m_button(new QPushButton(this)) {
    setObjectName(QStringLiteral("emptyState"));
    m_line->setObjectName(QStringLiteral("emptyState.line"));
    m_line->setForegroundRole(QPalette::PlaceholderText);
    m_line->setAlignment(Qt::AlignCenter);
    m_line->setWordWrap(true);
    m_button->setObjectName(QStringLiteral("emptyState.button"));
    m_button->hide();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(measure::GroupGap, measure::GroupGap, measure::GroupGap, measure::GroupGap);
    column->setSpacing(measure::PanelPadding);
    column->addStretch(1);
    if (!icon.isEmpty())
        column->addWidget(new IconLabel(theme.icon(icon, Token::Disabled), 24, this), 0, Qt::AlignHCenter);
    column->addWidget(m_line);
    column->addWidget(m_button, 0, Qt::AlignHCenter);
    column->addStretch(2);
}

void EmptyState::setLine(const QString& line) { m_line->setText(line); }

void EmptyState::setAction(QAction* action, const QString& text) {
    const auto follow = [this, action, text] {
        QString plain = text.isEmpty() ? action->text() : text;
        m_button->setText(plain.remove(QLatin1Char('&')));
        m_button->setEnabled(action->isEnabled());
        m_button->setToolTip(action->toolTip());
        m_button->setAccessibleName(m_button->text());
    };
    follow();
    connect(action, &QAction::changed, m_button, follow);
    connect(m_button, &QPushButton::clicked, action, &QAction::trigger);
    m_button->show();
}

EmptySwitch::EmptySwitch(QWidget* content, EmptyState* state, QWidget* parent)
    : QWidget(parent), m_stack(new QStackedLayout(this)) {
    m_stack->setContentsMargins(0, 0, 0, 0);
    m_stack->addWidget(content);
    m_stack->addWidget(state);
}

void EmptySwitch::setEmpty(bool empty) { m_stack->setCurrentIndex(empty ? 1 : 0); }

bool EmptySwitch::isEmpty() const { return m_stack->currentIndex() == 1; }

} // namespace sbx::ui
