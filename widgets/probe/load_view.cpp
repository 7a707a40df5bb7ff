#include "widgets/probe/load_view.h"

#include <QPainter>

#include "widgets/common/theme.h"

#include <algorithm>

namespace sbx::ui {

LoadView::LoadView(const Theme& theme, QWidget* parent) : QWidget(parent), m_theme(theme) {
    setObjectName(QStringLiteral("probe.load"));
    setAccessibleName(tr("Cost of rendering, over half a minute"));
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

void LoadView::add(double load, double peak, std::uint64_t underruns) {
    // Another device counts anew.
    m_looks.push_back({load, std::max(load, peak), !m_first && underruns > m_underruns});
    m_underruns = underruns;
    m_first = false;
    if (m_looks.size() > Looks)
        m_looks.pop_front();
    update();
}

int LoadView::marks() const {
    return static_cast<int>(
        std::count_if(m_looks.begin(), m_looks.end(), [](const Look& look) { return look.dry; }));
}

void LoadView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_theme.color(Token::Ground));
    painter.drawRoundedRect(rect(), measure::Radius, measure::Radius);
    // A full scale that fits, in steps: 10 %, 25 %, 50 %, all.
    double most = 0.0;
    for (const Look& look : m_looks)
        most = std::max(most, look.peak);
    double full = 1.0;
    for (const double step : {0.1, 0.25, 0.5, 1.0})
        if (full = step; most <= step)
            break;
    const double width = this->width() - 4.0;
    const double height = this->height() - 4.0;
    const double column = width / static_cast<double>(Looks);
    double x = this->width() - 2.0 - column * static_cast<double>(m_looks.size());
    QPolygonF area;
    QPolygonF line;
    area << QPointF(x, 2.0 + height);
    for (const Look& look : m_looks) {
        area << QPointF(x, 2.0 + height * (1.0 - std::clamp(look.load / full, 0.0, 1.0)));
        line << QPointF(x, 2.0 + height * (1.0 - std::clamp(look.peak / full, 0.0, 1.0)));
        x += column;
    }
    area << QPointF(x, 2.0 + height);
    QColor fill = m_theme.hue(Hue::SkyBlue);
    fill.setAlphaF(0.45F);
    painter.setBrush(fill);
    painter.drawPolygon(area);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(m_theme.hue(Hue::SkyBlue), 1.0));
    painter.drawPolyline(line);
    x = this->width() - 2.0 - column * static_cast<double>(m_looks.size());
    painter.setPen(QPen(m_theme.hue(Hue::Vermillion), 1.5));
    for (const Look& look : m_looks) {
        if (look.dry) {
            painter.drawLine(QPointF(x, 2.0), QPointF(x, 2.0 + height));
            painter.drawLine(QPointF(x - 2.0, 2.0), QPointF(x + 2.0, 2.0));
        }
        x += column;
    }
}

} // namespace sbx::ui

#include "moc_load_view.cpp"
