#include "widgets/probe/why_view.h"

#include <QGridLayout>
#include <QIcon>
#include <QLabel>
#include <QToolButton>

#include "widgets/common/foreign_text.h"
#include "widgets/common/theme.h"

namespace sbx::ui {

WhyView::WhyView(const Theme& theme, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_title(new QLabel(this)) {
    setObjectName(QStringLiteral("probe.why"));
    setAccessibleName(tr("Why a sound is or is not heard"));
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(measure::PanelPadding, measure::RelatedGap, measure::PanelPadding,
                             measure::RelatedGap);
    grid->setHorizontalSpacing(measure::PanelPadding);
    grid->setVerticalSpacing(0);
    m_title->setFont(theme.strongFont(FontRole::Ui));
    m_title->setObjectName(QStringLiteral("probe.why.title"));
    grid->addWidget(m_title, 0, 0, 1, 4);
    for (std::size_t i = 0; i < m_lines.size(); ++i) {
        const int row = static_cast<int>(i) + 1;
        Line& line = m_lines[i];
        line.mark = new QLabel(this);
        line.mark->setFixedWidth(measure::IconSize);
        line.name = new QLabel(this);
        line.text = new QLabel(this);
        setTextToken(*line.text, theme, Token::Muted);
        line.text->setTextInteractionFlags(Qt::NoTextInteraction);
        line.fix = new QToolButton(this);
        line.fix->setObjectName(QStringLiteral("probe.why.fix%1").arg(i));
        line.fix->setToolButtonStyle(Qt::ToolButtonTextOnly);
        // Keeps its place, so that nothing moves when a step passes.
        QSizePolicy policy = line.fix->sizePolicy();
        policy.setRetainSizeWhenHidden(true);
        line.fix->setSizePolicy(policy);
        connect(line.fix, &QToolButton::clicked, this, [this, i] {
            if (i < m_steps.size())
                emit fixRequested(m_steps[i].what);
        });
        grid->setRowMinimumHeight(row, measure::RowHeight);
        grid->addWidget(line.mark, row, 0);
        grid->addWidget(line.name, row, 1);
        grid->addWidget(line.text, row, 2);
        grid->addWidget(line.fix, row, 3, Qt::AlignRight);
    }
    grid->setColumnStretch(2, 1);
    grid->setRowStretch(static_cast<int>(m_lines.size()) + 1, 1);
}

void WhyView::setSound(const ProbeView& view, const ProbeSound* sound) {
    m_steps = sound != nullptr ? hearingSteps(view, *sound) : std::vector<HearingStep>();
    bool failed = false;
    for (const HearingStep& step : m_steps)
        failed = failed || (step.reached && !step.passed);
    const QString title = sound == nullptr ? tr("Choose a sound: in the list, or around the head")
                          : failed         ? tr("%1 is not heard").arg(titleOf(*sound))
                                           : tr("%1 is heard").arg(titleOf(*sound));
    if (m_title->text() != title)
        m_title->setText(shownText(title));
    for (std::size_t i = 0; i < m_lines.size(); ++i) {
        const Line& line = m_lines[i];
        const bool there = i < m_steps.size();
        line.mark->setVisible(there);
        line.name->setVisible(there);
        line.text->setVisible(there);
        line.fix->setVisible(there && !m_steps[i].fix.isEmpty());
        if (!there)
            continue;
        const HearingStep& step = m_steps[i];
        const QString icon = !step.reached ? QStringLiteral("minus")
                             : step.passed ? QStringLiteral("check")
                                           : QStringLiteral("error");
        if (line.mark->property("icon").toString() != icon) {
            line.mark->setProperty("icon", icon);
            const Token tint = !step.reached ? Token::Disabled : step.passed ? Token::Success : Token::Error;
            line.mark->setPixmap(m_theme.icon(icon, tint).pixmap(measure::IconSize, measure::IconSize));
        }
        line.name->setText(stepName(step.what));
        if (line.text->text() != step.text)
            line.text->setText(shownText(step.text));
        line.text->setToolTip(tipText(step.text));
        if (!step.fix.isEmpty())
            line.fix->setText(step.fix);
    }
}

} // namespace sbx::ui

#include "moc_why_view.cpp"
