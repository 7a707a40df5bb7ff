#include "widgets/inspector/scope_bar.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include "widgets/common/foreign_text.h"
#include "widgets/common/theme.h"

namespace sbx::ui {

namespace {
constexpr int MaxNamePixels = 120; // of a type's name in the button
}

ScopeBar::ScopeBar(const Theme& theme, QWidget* parent)
    : QWidget(parent),
      m_selected(new QToolButton(this)),
      m_all(new QToolButton(this)),
      m_users(new QLabel(this)) {
    setObjectName(QStringLiteral("inspector.scopeBar"));
    setAccessibleName(tr("What a change reaches"));
    auto* group = new QButtonGroup(this);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(measure::PanelPadding, 0, measure::PanelPadding, measure::RelatedGap);
    row->setSpacing(2);
    for (QToolButton* button : {m_selected, m_all}) {
        button->setCheckable(true);
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::TabFocus);
        button->setFixedHeight(measure::ControlHeight);
        group->addButton(button);
        row->addWidget(button);
    }
    m_selected->setObjectName(QStringLiteral("inspector.scope.selected"));
    m_selected->setToolTip(tr("Changes are overrides of the selected entities alone, in the scene file"));
    m_all->setObjectName(QStringLiteral("inspector.scope.all"));
    m_selected->setChecked(true);
    m_users->setObjectName(QStringLiteral("inspector.users"));
    setTextToken(*m_users, theme, Token::Muted);
    row->addSpacing(measure::RelatedGap);
    m_users->setSizePolicy(QSizePolicy::Ignored,
                           QSizePolicy::Preferred); // gives way where the panel is narrow
    row->addWidget(m_users, 1);
    setCounts(1, {}, 0);
    // Pressed, not chosen by the program.
    connect(group, &QButtonGroup::buttonClicked, this, [this] { emit scopeChanged(scope()); });
}

EditScope ScopeBar::scope() const { return m_all->isChecked() ? EditScope::AllOfType : EditScope::Selected; }

void ScopeBar::setScope(EditScope scope) {
    (scope == EditScope::AllOfType ? m_all : m_selected)->setChecked(true);
}

void ScopeBar::setCounts(std::size_t selected, const QString& types, std::size_t users) {
    const auto show = [](auto* widget, const QString& text) {
        if (widget->text() != text)
            widget->setText(text);
    };
    show(m_selected, selected > 1 ? tr("These %1").arg(selected) : tr("This one"));
    show(m_all,
         tr("All of %1").arg(fontMetrics().elidedText(shownLine(types), Qt::ElideMiddle, MaxNamePixels)));
    show(m_users, users == 1 ? tr("used by 1 entity") : tr("used by %1 entities").arg(users));
    m_selected->setAccessibleName(m_selected->text());
    m_all->setAccessibleName(m_all->text());
    m_all->setToolTip(
        tipText(tr("Changes go to the definition of %1 and reach every entity that does not override them")
                    .arg(types)));
}

} // namespace sbx::ui

#include "moc_scope_bar.cpp"
