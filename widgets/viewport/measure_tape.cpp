#include "widgets/viewport/measure_tape.h"

#include <QCoreApplication>

#include "engine/audio/audio_types.h"

#include <glm/geometric.hpp>

namespace sbx::ui {

void MeasureTape::setOn(bool on) {
    m_on = on;
    m_complete = false;
    m_from.reset();
    m_to.reset();
}

void MeasureTape::click(const Vec3& point) {
    if (!m_on)
        return;
    if (!m_from || m_complete) {
        m_from = point;
        m_to.reset();
        m_complete = false;
    } else {
        m_to = point;
        m_complete = true;
    }
}

void MeasureTape::hover(const Vec3& point) {
    if (m_on && m_from && !m_complete)
        m_to = point;
}

std::optional<MeasureTape::Span> MeasureTape::span() const {
    if (!m_from)
        return std::nullopt;
    return Span{*m_from, m_to.value_or(*m_from)};
}

QString MeasureTape::text(const Span& span) {
    constexpr double Temperature = 20.0; // degrees Celsius
    constexpr double Near = 10.0;        // m: below it centimetres count
    const auto metres = static_cast<double>(glm::length(span.to - span.from));
    const double milliseconds = 1000.0 * metres / audio::speedOfSound(Temperature);
    return QCoreApplication::translate("MeasureTape", "%1 m · sound %2 ms")
        .arg(metres, 0, 'f', metres < Near ? 3 : 2)
        .arg(milliseconds, 0, 'f', milliseconds < Near ? 2 : 1);
}

} // namespace sbx::ui
