#include "widgets/trace/trace_scale.h"

#include <algorithm>
#include <cmath>

namespace sbx::ui {

std::vector<ScaleLabel> scaleLabels(std::uint64_t first, std::uint64_t last, double ticksPerSecond, std::uint64_t zero, bool differences,
                                    double pixels, double apart) {
    std::vector<ScaleLabel> labels;
    if (last < first || pixels <= 0.0 || apart <= 0.0)
        return labels;
    const double unit = ticksPerSecond > 0.0 ? ticksPerSecond : 1.0; // ticks
    const double begin = (static_cast<double>(first) - static_cast<double>(zero)) / unit;
    const double end = (static_cast<double>(last) + 1.0 - static_cast<double>(zero)) / unit;
    // A step shorter than a tick would name one tick twice.
    const double least = std::max((end - begin) * apart / pixels, 1.0 / unit);
    double power = std::floor(std::log10(least));
    double step = std::pow(10.0, power);
    for (const double factor : {1.0, 2.0, 5.0, 10.0}) {
        step = factor * std::pow(10.0, power);
        if (step >= least * (1.0 - 1e-9))
            break;
    }
    const int decimals = std::max(0, -static_cast<int>(std::floor(std::log10(step) + 1e-9)));
    for (auto i = static_cast<std::int64_t>(std::ceil(begin / step - 1e-9)); static_cast<double>(i) * step < end - 1e-9 * step; ++i) {
        const double value = static_cast<double>(i) * step;
        QString text = QString::number(value, 'f', ticksPerSecond > 0.0 ? decimals : 0);
        if (differences && i > 0)
            text.prepend(QLatin1Char('+'));
        if (ticksPerSecond > 0.0)
            text += QStringLiteral(" s");
        labels.push_back({static_cast<double>(zero) + value * unit, text});
    }
    return labels;
}

} // namespace sbx::ui
