#include "widgets/common/empty_state.h"

#include <QAction>
#include <QIcon>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QStackedLayout>
#include <QVBoxLayout>

#include "widgets/common/filter_bar.h"
#include "widgets/common/theme.h"

namespace sbx::ui {

namespace {

constexpr int IconSide = 24;

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
    if (!icon.isEmpty()) {
        m_icon = new IconLabel(theme.icon(icon, Token::Disabled), IconSide, this);
        m_icon->setObjectName(QStringLiteral("emptyState.icon"));
        column->addWidget(m_icon, 0, Qt::AlignHCenter);
    }
    column->addWidget(m_line);
    column->addWidget(m_button, 0, Qt::AlignHCenter);
    column->addStretch(2);
}

int EmptyState::heightWith(int lineHeight, bool isLow) const {
    int height = 2 * (isLow ? measure::RelatedGap : measure::GroupGap) + lineHeight;
    if (!m_button->isHidden())
        height += measure::PanelPadding + measure::ControlHeight;
    if (m_icon != nullptr && !isLow)
        height += measure::PanelPadding + IconSide;
    return height;
}

QSize EmptyState::minimumSizeHint() const {
    return {QWidget::minimumSizeHint().width(), heightWith(m_line->fontMetrics().height(), true)};
}

void EmptyState::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange();
}

void EmptyState::arrange() {
    const int line = m_line->heightForWidth(width() - 2 * measure::GroupGap);
    const bool isLow = height() < heightWith(line, false);
    if (m_icon != nullptr)
        m_icon->setVisible(!isLow);
    const int margin = isLow ? measure::RelatedGap : measure::GroupGap;
    layout()->setContentsMargins(measure::GroupGap, margin, measure::GroupGap, margin);
}

void EmptyState::setLine(const QString& line) {
    if (m_line->text() == line)
        return;
    m_line->setText(line);
    arrange();
}

void EmptyState::setBusy(bool busy) {
    m_button->setVisible(m_hasAction && !busy);
    arrange();
}

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
    m_hasAction = true;
    m_button->show();
    arrange();
}

EmptySwitch::EmptySwitch(QWidget* content, EmptyState* state, QWidget* parent)
    : QWidget(parent), m_stack(new QStackedLayout(this)) {
    m_stack->setContentsMargins(0, 0, 0, 0);
    m_stack->addWidget(content);
    m_stack->addWidget(state);
}

void EmptySwitch::setEmpty(bool empty) { m_stack->setCurrentIndex(empty ? 1 : 0); }

bool EmptySwitch::isEmpty() const { return m_stack->currentIndex() == 1; }

NoMatchSwitch::NoMatchSwitch(const Theme& theme, QWidget* content, FilterBar& bar, const QString& line,
                             const QString& name, QWidget* parent)
    : EmptySwitch(content, new EmptyState(theme, QStringLiteral("filter"), line), parent) {
    auto* state = findChild<EmptyState*>(QString(), Qt::FindDirectChildrenOnly);
    state->setObjectName(name);
    auto* clear = new QAction(tr("Clear the filter"), this);
    state->setAction(clear);
    connect(clear, &QAction::triggered, this, [this, &bar] {
        bar.setText({});
        emit cleared();
    });
}

} // namespace sbx::ui

#include "moc_empty_state.cpp"
