#include "engine/session/watches.h"

#include "engine/core/csv.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>

namespace sbx {

namespace {

std::string shortNumber(double value) {
    std::array<char, 40> text{};
    std::snprintf(text.data(), text.size(), "%.6g", value);
    return text.data();
}

std::optional<double> plotted(const Value& value) {
    if (const auto* b = std::get_if<bool>(&value))
        return *b ? 1.0 : 0.0;
    if (const auto* i = std::get_if<std::int64_t>(&value))
        return static_cast<double>(*i);
    if (const auto* d = std::get_if<double>(&value); d != nullptr && *d - *d == 0.0)
        return *d;
    return std::nullopt;
}

template <typename Vector> std::string elements(const Vector& vector, int count) {
    std::string out;
    for (int i = 0; i < count; ++i)
        out += (i > 0 ? "  " : "") + shortNumber(static_cast<double>(vector[i]));
    return out;
}

std::string_view trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t");
    return begin == std::string_view::npos ? std::string_view()
                                           : text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

} // namespace

std::string watchText(const Value& value) {
    if (const auto* b = std::get_if<bool>(&value))
        return *b ? "true" : "false";
    if (const auto* i = std::get_if<std::int64_t>(&value))
        return std::to_string(*i);
    if (const auto* d = std::get_if<double>(&value))
        return shortNumber(*d);
    if (const auto* s = std::get_if<std::string>(&value))
        return *s;
    if (const auto* v2 = std::get_if<Vec2>(&value))
        return elements(*v2, 2);
    if (const auto* v3 = std::get_if<Vec3>(&value))
        return elements(*v3, 3);
    if (const auto* v4 = std::get_if<Vec4>(&value))
        return elements(*v4, 4);
    if (const auto* q = std::get_if<Quat>(&value))
        return elements(Vec4(q->x, q->y, q->z, q->w), 4);
    if (const auto* id = std::get_if<EntityId>(&value))
        return std::to_string(id->bits);
    return {};
}

Result<int> Watches::add(std::string_view given) {
    const std::string_view text = trimmed(given);
    Result<Expression> expression = Expression::compile(text);
    if (!expression)
        return expression.error();
    const std::lock_guard lock(m_mutex);
    for (const Watch& watch : m_watches)
        if (watch.reading.text == text)
            return watch.reading.number;
    if (m_watches.size() == Most)
        return Error{"there are " + std::to_string(Most) + " watches already; unwatch takes one away", {}, {}};
    Watch watch;
    watch.reading.number = m_next++;
    watch.reading.text = text;
    watch.expression = std::move(*expression);
    m_watches.push_back(std::move(watch));
    m_count.store(m_watches.size(), std::memory_order_release);
    m_revision.fetch_add(1, std::memory_order_acq_rel);
    return m_watches.back().reading.number;
}

template <typename Which> bool Watches::removeIf(Which&& which) {
    const std::lock_guard lock(m_mutex);
    if (std::erase_if(m_watches, which) == 0)
        return false;
    if (m_watches.empty())
        m_next = 1;
    m_count.store(m_watches.size(), std::memory_order_release);
    m_revision.fetch_add(1, std::memory_order_acq_rel);
    return true;
}

bool Watches::remove(int number) {
    return removeIf([number](const Watch& watch) { return watch.reading.number == number; });
}

bool Watches::removeText(std::string_view text) {
    return removeIf([text = trimmed(text)](const Watch& watch) { return watch.reading.text == text; });
}

void Watches::clear() {
    removeIf([](const Watch&) { return true; });
}

void Watches::sample(const ExpressionContext& context, std::uint64_t run, std::uint64_t tick, double tickRate) {
    if (empty())
        return;
    const std::lock_guard lock(m_mutex);
    const double now = static_cast<double>(tick) / tickRate;
    for (Watch& watch : m_watches) {
        if (run != m_run || (!watch.samples.empty() && watch.samples.back().tick > tick))
            watch.samples.clear();
        const Result<Value> value = watch.expression.value(context);
        watch.reading.failed = !value;
        watch.reading.shown = value ? watchText(*value) : value.error().message;
        const std::optional<double> y = value ? plotted(*value) : std::nullopt;
        watch.reading.plotted = y.has_value();
        if (!y)
            continue;
        if (!watch.samples.empty() && watch.samples.back().tick == tick)
            watch.samples.back().value = *y;
        else
            watch.samples.push_back({tick, now, *y});
        while (watch.samples.front().seconds < now - Seconds)
            watch.samples.pop_front();
    }
    m_run = run;
}

std::vector<WatchReading> Watches::read() const {
    const std::lock_guard lock(m_mutex);
    std::vector<WatchReading> out;
    out.reserve(m_watches.size());
    for (const Watch& watch : m_watches) {
        out.push_back(watch.reading);
        out.back().samples.assign(watch.samples.begin(), watch.samples.end());
    }
    return out;
}

std::vector<WatchReading> Watches::list() const {
    const std::lock_guard lock(m_mutex);
    std::vector<WatchReading> out;
    for (const Watch& watch : m_watches)
        out.push_back(watch.reading);
    return out;
}

std::string Watches::csv() const {
    const std::vector<WatchReading> readings = read();
    struct Line {
        double seconds = 0.0;
        std::vector<std::string> values;
    };
    std::map<std::uint64_t, Line> lines;
    std::string out = "tick,seconds";
    for (std::size_t i = 0; i < readings.size(); ++i) {
        out += "," + csvQuoted(readings[i].text);
        for (const WatchSample& sample : readings[i].samples) {
            Line& line = lines[sample.tick];
            line.seconds = sample.seconds;
            line.values.resize(readings.size());
            line.values[i] = formatDouble(sample.value);
        }
    }
    for (const auto& [tick, line] : lines) {
        out += "\n" + std::to_string(tick) + "," + formatDouble(line.seconds);
        for (const std::string& value : line.values)
            out += "," + value;
    }
    return out;
}

} // namespace sbx
