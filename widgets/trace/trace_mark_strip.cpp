#include "widgets/trace/trace_mark_strip.h"

#include <QPainter>
#include <QScrollBar>
#include <QStyle>
#include <QStyleOptionSlider>

#include "widgets/common/theme.h"
#include "widgets/trace/trace_model.h"

#include <algorithm>

namespace sbx::ui {

TraceMarkStrip::TraceMarkStrip(const Theme& theme, const TraceModel& model, QScrollBar& bar)
    : QWidget(&bar), m_theme(theme), m_model(model), m_bar(bar) {
    setObjectName(QStringLiteral("trace.markStrip"));
    setAccessibleName(tr("Marks along the list"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setGeometry(bar.rect());
    bar.installEventFilter(this);
    const auto repaint = QOverload<>::of(&QWidget::update);
    connect(&model.marks(), &TraceMarks::changed, this, repaint);
    connect(&model, &QAbstractItemModel::rowsInserted, this, repaint);
    connect(&model, &QAbstractItemModel::rowsRemoved, this, repaint);
    connect(&model, &QAbstractItemModel::modelReset, this, repaint);
    connect(&theme, &Theme::changed, this, repaint);
}

QRect TraceMarkStrip::groove() const {
    QStyleOptionSlider option;
    option.initFrom(&m_bar);
    option.orientation = Qt::Vertical;
    option.minimum = m_bar.minimum();
    option.maximum = m_bar.maximum();
    option.pageStep = m_bar.pageStep();
    option.sliderPosition = m_bar.value();
    option.sliderValue = m_bar.value();
    return m_bar.style()->subControlRect(QStyle::CC_ScrollBar, &option, QStyle::SC_ScrollBarGroove, &m_bar);
}

int TraceMarkStrip::yOf(int row) const {
    const QRect area = groove();
    const int rows = std::max(1, m_model.rowCount());
    return area.top() + static_cast<int>((static_cast<qint64>(row) * 2 + 1) * area.height() / (2 * static_cast<qint64>(rows)));
}

void TraceMarkStrip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const int half = width() / 2;
    const auto tick = [&](std::uint64_t sequence, int left, int right, Hue hue) {
        if (const int row = m_model.rowOfSequence(sequence); row >= 0)
            painter.fillRect(QRect(left, yOf(row) - 1, right - left, 2), m_theme.readable(m_theme.hue(hue)));
    };
    // Beside one another: a row can have both.
    for (const std::uint64_t sequence : m_model.marks().marked())
        tick(sequence, 1, half, Hue::Yellow);
    for (const auto& [sequence, text] : m_model.marks().comments())
        tick(sequence, half, width() - 1, Hue::SkyBlue);
}

bool TraceMarkStrip::eventFilter(QObject* watched, QEvent* event) {
    if (watched == &m_bar && event->type() == QEvent::Resize)
        setGeometry(m_bar.rect());
    return QWidget::eventFilter(watched, event);
}

} // namespace sbx::ui

#include "moc_trace_mark_strip.cpp"
