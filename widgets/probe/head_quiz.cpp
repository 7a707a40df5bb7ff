#include "widgets/probe/head_quiz.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include "widgets/common/theme.h"

#include <algorithm>

namespace sbx::ui {

HeadQuiz::HeadQuiz(const Theme& theme, QWidget* parent)
    : QWidget(parent), m_text(new QLabel(this)), m_start(new QToolButton(this)) {
    setObjectName(QStringLiteral("probe.quiz"));
    setAccessibleName(tr("Which head suits you"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(measure::RelatedGap);
    m_text->setObjectName(QStringLiteral("probe.quiz.text"));
    m_text->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_text->setWordWrap(true);
    setTextToken(*m_text, theme, Token::Muted);
    row->addWidget(m_text, 1);
    const std::array<QString, 4> names = {tr("Left"), tr("Right"), tr("Ahead"), tr("Behind")};
    for (std::size_t i = 0; i < m_answers.size(); ++i) {
        m_answers[i] = new QToolButton(this);
        m_answers[i]->setObjectName(QStringLiteral("probe.quiz.answer%1").arg(i));
        m_answers[i]->setText(names[i]);
        m_answers[i]->setToolTip(tr("It sounds from there"));
        connect(m_answers[i], &QToolButton::clicked, this, [this, i] { answer(static_cast<Side>(i)); });
        row->addWidget(m_answers[i]);
    }
    m_start->setObjectName(QStringLiteral("probe.quiz.start"));
    connect(m_start, &QToolButton::clicked, this, [this] { isRunning() ? stop() : start(); });
    row->addWidget(m_start);
    refresh();
}

double HeadQuiz::azimuthOf(Side side) {
    static constexpr double Degrees[] = {-90.0, 90.0, 0.0, 180.0};
    return Degrees[static_cast<int>(side)];
}

void HeadQuiz::setHead(const QString& name) {
    if (name == m_head)
        return;
    m_head = name;
    stop();
    refresh();
}

void HeadQuiz::start() {
    m_trial = 0;
    m_right = 0;
    next();
}

void HeadQuiz::stop() {
    if (!isRunning())
        return;
    m_trial = 0;
    refresh();
    emit ended();
}

void HeadQuiz::next() {
    ++m_trial;
    m_side = static_cast<Side>(m_random.bounded(4));
    refresh();
    emit soundRequested(azimuthOf(m_side));
}

void HeadQuiz::answer(Side side) {
    if (!isRunning())
        return;
    m_right += side == m_side ? 1 : 0;
    if (m_trial < Trials) {
        next();
        return;
    }
    m_scores[m_head] = m_right;
    stop();
}

void HeadQuiz::refresh() {
    for (QToolButton* button : m_answers)
        button->setVisible(isRunning());
    m_start->setText(isRunning() ? tr("End") : tr("Try this head"));
    m_start->setToolTip(isRunning()
                            ? tr("End the quiz")
                            : tr("Ten sounds from left, right, ahead or behind: say from where each comes"));
    if (isRunning()) {
        m_text->setText(tr("%1 of %2: where is it?").arg(m_trial).arg(Trials));
        return;
    }
    QStringList counts;
    QString best;
    for (auto it = m_scores.begin(); it != m_scores.end(); ++it) {
        counts << tr("%1: %2 of %3").arg(it.key()).arg(it.value()).arg(Trials);
        if (best.isEmpty() || it.value() > m_scores[best])
            best = it.key();
    }
    m_text->setText(m_scores.isEmpty() ? tr("Which head suits you?")
                    : m_scores.size() > 1
                        ? tr("%1. %2 suits you best.").arg(counts.join(QStringLiteral(", ")), best)
                        : tr("%1. Choose another head above and compare.").arg(counts.first()));
    m_text->setToolTip(m_text->text());
}

} // namespace sbx::ui

#include "moc_head_quiz.cpp"
