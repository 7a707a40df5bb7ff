#include "widgets/probe/ear_meters.h"

#include <QEvent>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>

#include "widgets/common/theme.h"
#include "widgets/probe/voice_text.h"

#include <algorithm>
#include <cmath>

namespace sbx::ui {

namespace {

constexpr double LowestMeterDb = -60.0;
constexpr double HoldSeconds = 2.0;
constexpr double FallPerSecond = 24.0; // dB
constexpr float FullScale = 0.9999F;
constexpr double MaxReductionDb = 24.0;
constexpr double LampSeconds = 1.0;
constexpr int ScaleTop = 44; // pixels: below the limiter

QColor earColor(const Theme& theme, std::size_t ear) {
    return theme.hue(ear == 0 ? Hue::SkyBlue : Hue::Orange);
}

double inDb(float linear) { return linear > 0.0F ? 20.0 * std::log10(static_cast<double>(linear)) : -200.0; }

QFont smallFont(const Theme& theme, FontRole role) {
    QFont font = theme.font(role);
    font.setPointSizeF(font.pointSizeF() * 0.85);
    return font;
}

void drawPlate(QPainter& painter, const Theme& theme, const QRectF& rect) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.color(Token::Ground));
    painter.drawRoundedRect(rect, measure::Radius, measure::Radius);
}

} // namespace

// ---------------------------------------------------------------------------------------------- EarMeters

EarMeters::EarMeters(const Theme& theme, QWidget* parent) : QWidget(parent), m_theme(theme) {
    setObjectName(QStringLiteral("probe.meters"));
    setAccessibleName(tr("Level at each ear"));
    setToolTip(tr(
        "Bar: RMS; line: peak; mark: highest of two seconds. The light at the end says that full "
        "scale was reached; click to "
        "clear it. Lim: by how much the limiter lowers both ears so that nothing passes -1 dB, and its lamp. "
        "audio.limiter 0 switches it off for measuring."));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

// Both ears, the limiter, and the scale whole.
QSize EarMeters::sizeHint() const {
    return {220,
            ScaleTop
                + static_cast<int>(std::ceil(QFontMetricsF(smallFont(m_theme, FontRole::Mono)).height()))};
}

void EarMeters::setLimiter(bool on, float gain, double seconds) {
    const double reduction = std::min(inDb(std::max(gain, 1e-9F)), 0.0);
    m_reductionAge += seconds;
    if (reduction <= m_reductionDb || m_reductionAge > LampSeconds || on != m_limiterOn) {
        m_reductionDb = on ? reduction : 0.0;
        m_reductionAge = 0.0;
    }
    m_limiterOn = on;
}

void EarMeters::reset() {
    m_peak = m_rms = m_hold = {-200.0, -200.0};
    m_reductionDb = 0.0;
    update();
}

void EarMeters::clearClips() {
    m_clipped = {};
    update();
}

void EarMeters::setLevels(const std::array<float, 2>& peak, const std::array<float, 2>& rms, double seconds) {
    for (std::size_t ear = 0; ear < 2; ++ear) {
        m_peak[ear] = std::max(inDb(peak[ear]), m_peak[ear] - FallPerSecond * seconds);
        m_rms[ear] = std::max(inDb(rms[ear]), m_rms[ear] - FallPerSecond * seconds);
        m_holdAge[ear] += seconds;
        if (m_peak[ear] >= m_hold[ear] || m_holdAge[ear] > HoldSeconds) {
            m_hold[ear] = m_peak[ear];
            m_holdAge[ear] = 0.0;
        }
        m_clipped[ear] = m_clipped[ear] || peak[ear] >= FullScale;
    }
    setAccessibleDescription(tr("Left %1 dB, right %2 dB, %3")
                                 .arg(decibelText(m_peak[0]), decibelText(m_peak[1]),
                                      !m_limiterOn ? tr("limiter off")
                                      : limits()   ? tr("limiter %1 dB").arg(decibelText(m_reductionDb))
                                                   : tr("limiter at rest")));
    update();
}

void EarMeters::mousePressEvent(QMouseEvent*) { clearClips(); }

void EarMeters::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QFont mono = m_theme.font(FontRole::Mono);
    const QFontMetricsF metrics(mono);
    const double number = metrics.horizontalAdvance(QStringLiteral("−60.0 −60.0"));
    const double letter = QFontMetricsF(smallFont(m_theme, FontRole::Ui)).horizontalAdvance(tr("Lim")) + 6.0;
    const double clip = 12.0;
    const QRectF bars(letter, 0.0, width() - letter - number - clip - 12.0, height());
    const auto at = [&](double db) {
        return bars.left() + bars.width() * std::clamp(1.0 - db / LowestMeterDb, 0.0, 1.0);
    };
    const double row = 15.0;
    for (std::size_t ear = 0; ear < 2; ++ear) {
        const QRectF bar(bars.left(), static_cast<double>(ear) * (row + 2.0) + 2.0, bars.width(), row - 4.0);
        drawPlate(painter, m_theme, bar);
        const QColor color = earColor(m_theme, ear);
        painter.setPen(Qt::NoPen);
        QColor fill = color;
        fill.setAlphaF(0.55F);
        painter.setBrush(fill);
        if (m_rms[ear] > LowestMeterDb)
            painter.drawRoundedRect(QRectF(bar.left(), bar.top(), at(m_rms[ear]) - bar.left(), bar.height()),
                                    2.0, 2.0);
        if (m_peak[ear] > LowestMeterDb) {
            painter.setBrush(color);
            painter.drawRect(QRectF(at(m_peak[ear]) - 2.0, bar.top(), 2.0, bar.height()));
        }
        if (m_hold[ear] > LowestMeterDb) {
            painter.setBrush(m_theme.color(Token::Text));
            painter.drawRect(QRectF(at(m_hold[ear]) - 1.0, bar.top(), 1.0, bar.height()));
        }
        const QRectF light(bars.right() + 4.0, bar.top(), clip - 2.0, bar.height());
        painter.setBrush(m_clipped[ear] ? m_theme.color(Token::Error) : m_theme.color(Token::Ground));
        painter.setPen(QPen(m_clipped[ear] ? m_theme.color(Token::Error) : m_theme.color(Token::Line), 1.0));
        painter.drawRoundedRect(light.adjusted(0.5, 0.5, -0.5, -0.5), 2.0, 2.0);
        painter.setFont(mono);
        painter.setPen(m_theme.color(Token::Muted));
        painter.drawText(QRectF(0.0, bar.top() - 3.0, letter, bar.height() + 6.0),
                         Qt::AlignLeft | Qt::AlignVCenter, ear == 0 ? tr("L") : tr("R"));
        const QRectF text(light.right() + 6.0, bar.top() - 3.0, number + 2.0, bar.height() + 6.0);
        painter.setPen(m_theme.color(Token::Text));
        painter.drawText(text, Qt::AlignRight | Qt::AlignVCenter, decibelText(m_hold[ear]));
        painter.setPen(m_theme.color(Token::Muted));
        painter.drawText(text.adjusted(0.0, 0.0, -number / 11.0 * 6.0, 0.0),
                         Qt::AlignRight | Qt::AlignVCenter, decibelText(m_rms[ear]));
    }
    const QRectF limiter(bars.left(), 2.0 * (row + 2.0) + 1.0, bars.width(), 8.0);
    drawPlate(painter, m_theme, limiter);
    const bool lit = limits();
    const QColor amber = m_theme.color(Token::Warning);
    if (lit) {
        const double width = limiter.width() * std::min(-m_reductionDb / MaxReductionDb, 1.0);
        painter.setBrush(amber);
        painter.drawRoundedRect(QRectF(limiter.right() - width, limiter.top(), width, limiter.height()), 2.0,
                                2.0);
    }
    painter.setBrush(lit ? amber : m_theme.color(Token::Ground));
    painter.setPen(QPen(lit ? amber : m_theme.color(Token::Line), 1.0));
    painter.drawEllipse(QRectF(limiter.right() + 5.0, limiter.top(), 8.0, 8.0));
    painter.setFont(smallFont(m_theme, FontRole::Ui));
    painter.setPen(m_theme.color(Token::Muted));
    painter.drawText(QRectF(0.0, limiter.top() - 4.0, letter, limiter.height() + 8.0),
                     Qt::AlignLeft | Qt::AlignVCenter, tr("Lim"));
    painter.setFont(m_limiterOn ? mono : smallFont(m_theme, FontRole::Ui));
    painter.setPen(lit ? m_theme.color(Token::Text) : m_theme.color(Token::Muted));
    painter.drawText(
        QRectF(bars.right() + clip + 4.0, limiter.top() - 5.0, number + 4.0, limiter.height() + 10.0),
        Qt::AlignRight | Qt::AlignVCenter, m_limiterOn ? decibelText(m_reductionDb) : tr("limiter off"));
    painter.setFont(smallFont(m_theme, FontRole::Mono));
    painter.setPen(m_theme.color(Token::Muted));
    const QFontMetricsF small(painter.font());
    const double scale = ScaleTop;
    for (const int db : {-60, -48, -36, -24, -12, 0}) {
        const QString text = decibelText(db, 0);
        const double width = small.horizontalAdvance(text);
        const double x = std::clamp(at(db) - width / 2.0, bars.left(), bars.right() - width);
        painter.drawText(QPointF(x, scale + small.ascent()), text);
    }
    painter.drawText(QRectF(bars.right() + clip + 4.0, scale, number + 4.0, small.height()),
                     Qt::AlignRight | Qt::AlignTop, tr("RMS  peak dB"));
}

// ----------------------------------------------------------------------------------------------- WaveView

WaveView::WaveView(const Theme& theme, QWidget* parent) : QWidget(parent), m_theme(theme) {
    setObjectName(QStringLiteral("probe.wave"));
    setAccessibleName(tr("Waveform at each ear"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

void WaveView::setSamples(std::vector<float> interleaved, double sampleRate) {
    m_samples = std::move(interleaved);
    m_rate = sampleRate;
    update();
}

void WaveView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    drawPlate(painter, m_theme, rect());
    const std::size_t frames = m_samples.size() / 2;
    float highest = 0.0F;
    for (const float sample : m_samples)
        highest = std::max(highest, std::abs(sample));
    // In steps of 6 dB, so that it does not breathe with the signal; never so fine that silence looks like sound.
    double full = 1.0;
    while (full > 1.0 / 512.0 && static_cast<double>(highest) < full * 0.45)
        full *= 0.5;
    for (std::size_t ear = 0; ear < 2; ++ear) {
        const QRectF lane(0.0, static_cast<double>(ear) * height() / 2.0, width(), height() / 2.0);
        painter.setPen(QPen(m_theme.color(Token::Line), 1.0));
        painter.drawLine(QPointF(4.0, lane.center().y()), QPointF(lane.right() - 4.0, lane.center().y()));
        if (frames < 2)
            continue;
        QPolygonF high;
        QPolygonF low;
        const int columns = std::max(width() - 8, 1);
        for (int x = 0; x < columns; ++x) {
            const std::size_t first =
                static_cast<std::size_t>(x) * frames / static_cast<std::size_t>(columns);
            const std::size_t last = std::max(first + 1, static_cast<std::size_t>(x + 1) * frames
                                                             / static_cast<std::size_t>(columns));
            float most = -1e9F;
            float least = 1e9F;
            for (std::size_t n = first; n < std::min(last, frames); ++n) {
                most = std::max(most, m_samples[n * 2 + ear]);
                least = std::min(least, m_samples[n * 2 + ear]);
            }
            const auto y = [&](float v) {
                return lane.center().y()
                       - std::clamp(static_cast<double>(v) / full, -1.0, 1.0) * (lane.height() / 2.0 - 2.0);
            };
            high << QPointF(x + 4.0, y(most) - 0.4);
            low << QPointF(x + 4.0, y(least) + 0.4);
        }
        std::reverse(low.begin(), low.end());
        painter.setPen(Qt::NoPen);
        painter.setBrush(earColor(m_theme, ear));
        painter.drawPolygon(high + low);
    }
    painter.setFont(smallFont(m_theme, FontRole::Mono));
    painter.setPen(m_theme.color(Token::Muted));
    const QRectF text = QRectF(rect()).adjusted(6.0, 2.0, -6.0, -2.0);
    painter.drawText(text, Qt::AlignLeft | Qt::AlignTop, tr("L"));
    painter.drawText(text, Qt::AlignLeft | Qt::AlignBottom, tr("R"));
    if (frames > 0)
        painter.drawText(text, Qt::AlignRight | Qt::AlignTop,
                         tr("%1 ms  to %2 dB")
                             .arg(qRound(static_cast<double>(frames) / m_rate * 1000.0))
                             .arg(decibelText(20.0 * std::log10(full), 0)));
}

// ------------------------------------------------------------------------------------------- SpectrumView

SpectrumView::SpectrumView(const Theme& theme, const QString& name, const QString& title, double lowestDb,
                           double highestDb, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_title(title), m_lowest(lowestDb), m_highest(highestDb) {
    setObjectName(name);
    setAccessibleName(title);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

void SpectrumView::setCurves(std::vector<float> left, std::vector<float> right) {
    m_curves = {std::move(left), std::move(right)};
    update();
}

void SpectrumView::setTitle(const QString& title) {
    m_title = title;
    setAccessibleName(title);
    update();
}

void SpectrumView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    drawPlate(painter, m_theme, rect());
    const QFont small = smallFont(m_theme, FontRole::Mono);
    const QFontMetricsF metrics(small);
    const bool roomy = height() >= 72;
    const QRectF area =
        QRectF(rect()).adjusted(roomy ? metrics.horizontalAdvance(QStringLiteral("−60 ")) + 4.0 : 4.0, 6.0,
                                -6.0, -metrics.height() - 2.0);
    const auto atHz = [&](double hertz) {
        return area.left() + area.width() * std::log(hertz / 20.0) / std::log(1000.0);
    };
    const auto atDb = [&](double db) {
        return area.top() + area.height() * std::clamp((m_highest - db) / (m_highest - m_lowest), 0.0, 1.0);
    };
    painter.setFont(small);
    const double step = (m_highest - m_lowest) > 60.0 ? 24.0 : 12.0;
    for (double db = std::ceil(m_lowest / step) * step; db <= m_highest; db += step) {
        painter.setPen(QPen(m_theme.color(Token::Line), 1.0));
        painter.drawLine(QPointF(area.left(), atDb(db)), QPointF(area.right(), atDb(db)));
        if (roomy) {
            painter.setPen(m_theme.color(Token::Muted));
            painter.drawText(QRectF(0.0, atDb(db) - 8.0, area.left() - 4.0, 16.0),
                             Qt::AlignRight | Qt::AlignVCenter, decibelText(db, 0));
        }
    }
    for (const auto& [hertz, label] : {std::pair{100.0, "100"}, {1000.0, "1k"}, {10000.0, "10k"}}) {
        painter.setPen(QPen(m_theme.color(Token::Line), 1.0));
        painter.drawLine(QPointF(atHz(hertz), area.top()), QPointF(atHz(hertz), area.bottom()));
        painter.setPen(m_theme.color(Token::Muted));
        painter.drawText(QRectF(atHz(hertz) - 20.0, area.bottom() + 1.0, 40.0, metrics.height()),
                         Qt::AlignCenter, QLatin1String(label));
    }
    painter.setPen(m_theme.color(Token::Muted));
    if (area.width() > 180.0)
        painter.drawText(QRectF(area.right() - 40.0, area.bottom() + 1.0, 40.0, metrics.height()),
                         Qt::AlignRight | Qt::AlignVCenter, tr("Hz"));
    QPainterPath clip;
    clip.addRect(area);
    painter.setClipPath(clip);
    for (std::size_t ear = 0; ear < 2; ++ear) {
        const std::vector<float>& curve = m_curves[ear];
        if (curve.size() < 2)
            continue;
        QPolygonF line;
        for (std::size_t i = 0; i < curve.size(); ++i)
            line << QPointF(
                area.left() + area.width() * static_cast<double>(i) / static_cast<double>(curve.size() - 1),
                area.top()
                    + area.height() * (m_highest - static_cast<double>(curve[i])) / (m_highest - m_lowest));
        painter.setPen(QPen(earColor(m_theme, ear), 1.5));
        painter.drawPolyline(line);
    }
    painter.setClipping(false);
    painter.setFont(m_theme.font(FontRole::Ui));
    painter.setPen(m_theme.color(Token::Muted));
    painter.drawText(area.adjusted(4.0, 0.0, 0.0, 0.0), Qt::AlignLeft | Qt::AlignTop, m_title);
}

// -------------------------------------------------------------------------------------------- FiguresView

FiguresView::FiguresView(const Theme& theme, QWidget* parent) : QWidget(parent), m_theme(theme) {
    setObjectName(QStringLiteral("probe.figures"));
    setAccessibleName(tr("Differences between the ears, measured"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

QSize FiguresView::sizeHint() const { return {330, 58}; }
QSize FiguresView::minimumSizeHint() const { return {250, 58}; }

void FiguresView::setFigures(const Figures& figures) {
    m_figures = figures;
    setAccessibleDescription(
        figures.itd ? tr("Delay %1 microseconds, level difference %2 dB")
                          .arg(numberText(*figures.itd * 1e6, 0), decibelText(figures.ild.value_or(0.0)))
                    : tr("Nothing is heard"));
    update();
}

bool FiguresView::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        QToolTip::showText(static_cast<QHelpEvent&>(*event).globalPos(),
                           tr("Measured from what left the renderer, not from what it meant to do. ITD: how "
                              "much later the left ear hears, "
                              "100 to 1500 Hz, where a head delays up to half as much again as at high "
                              "frequencies. ILD: how much louder the right ear is, by band. Both are "
                              "positive for a sound at the right. "
                              "Delay and pitch are those of the chosen sound."),
                           this);
        return true;
    }
    return QWidget::event(event);
}

void FiguresView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QFont mono = m_theme.font(FontRole::Mono);
    const QFont label = smallFont(m_theme, FontRole::Ui);
    const QFontMetricsF metrics(mono);
    const double rowHeight = 19.0;
    const double left = QFontMetricsF(label).horizontalAdvance(tr("Doppler"))
                        + metrics.horizontalAdvance(QStringLiteral("−0000 cent")) + 20.0;
    const QString none(QChar(0x2013));
    const auto row = [&](int index, const QString& name, const QString& value, const QString& unit) {
        const QRectF line(0.0, index * rowHeight, left - 12.0, rowHeight);
        painter.setFont(label);
        painter.setPen(m_theme.color(Token::Muted));
        painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, name);
        const double unitWidth = metrics.horizontalAdvance(QStringLiteral("cent"));
        painter.drawText(line.adjusted(line.width() - unitWidth, 0.0, 0.0, 0.0),
                         Qt::AlignLeft | Qt::AlignVCenter, unit);
        painter.setFont(mono);
        painter.setPen(m_theme.color(Token::Text));
        painter.drawText(line.adjusted(0.0, 0.0, -unitWidth - 4.0, 0.0), Qt::AlignRight | Qt::AlignVCenter,
                         value);
    };
    row(0, tr("ITD"), m_figures.itd ? numberText(*m_figures.itd * 1e6, 0) : none, tr("µs"));
    row(1, tr("Delay"), m_figures.delay ? QString::number(*m_figures.delay * 1e3, 'f', 1) : none, tr("ms"));
    row(2, tr("Doppler"), m_figures.doppler ? numberText(1200.0 * std::log2(*m_figures.doppler), 0) : none,
        tr("cent"));
    // The bands: to the right, louder at the right ear goes up.
    const QRectF area(left, 0.0, width() - left, height());
    const QFontMetricsF small(label);
    const double first = small.horizontalAdvance(tr("ILD")) + 6.0;
    painter.setFont(label);
    painter.setPen(m_theme.color(Token::Muted));
    painter.drawText(QRectF(area.left(), 0.0, first, rowHeight), Qt::AlignLeft | Qt::AlignVCenter, tr("ILD"));
    painter.drawText(QRectF(area.left(), 2.0 * rowHeight, first, rowHeight), Qt::AlignLeft | Qt::AlignVCenter, tr("dB"));
    static constexpr const char* Names[] = {".5k", "1.5k", "4k", "8k", "16k", "all"};
    const double column = (area.width() - first) / 6.0;
    // One decimal for all, or where there is no room only for the small.
    const bool room = QFontMetricsF(smallFont(m_theme, FontRole::Mono)).horizontalAdvance(QStringLiteral("−00.0")) + 4.0 <= column;
    for (int i = 0; i < 6; ++i) {
        const QRectF cell(area.left() + first + i * column, 0.0, column, height());
        const auto value = i < 5 ? m_figures.bands[static_cast<std::size_t>(i)] : m_figures.ild;
        painter.setFont(label);
        painter.setPen(m_theme.color(Token::Muted));
        painter.drawText(QRectF(cell.left(), 0.0, cell.width(), rowHeight),
                         Qt::AlignHCenter | Qt::AlignVCenter, QLatin1String(Names[i]));
        const QRectF bar(cell.center().x() - 5.0, rowHeight + 1.0, 10.0, rowHeight - 2.0);
        drawPlate(painter, m_theme, bar);
        if (value) {
            // 24 dB either way.
            const double reach = std::clamp(*value / 24.0, -1.0, 1.0) * bar.height() / 2.0;
            painter.setPen(Qt::NoPen);
            painter.setBrush(earColor(m_theme, *value >= 0.0 ? 1 : 0));
            painter.drawRect(QRectF(bar.left(), bar.center().y(), bar.width(), -reach).normalized());
        }
        painter.setPen(QPen(m_theme.color(Token::Muted), 1.0));
        painter.drawLine(QPointF(bar.left(), bar.center().y()), QPointF(bar.right(), bar.center().y()));
        painter.setFont(smallFont(m_theme, FontRole::Mono));
        painter.setPen(m_theme.color(Token::Text));
        painter.drawText(QRectF(cell.left(), 2.0 * rowHeight, cell.width(), rowHeight),
                         Qt::AlignHCenter | Qt::AlignVCenter,
                         value ? decibelText(*value, room || std::abs(*value) < 9.95 ? 1 : 0) : none);
    }
}

} // namespace sbx::ui

#include "moc_ear_meters.cpp"
