#pragma once
// What the trace knows of a run that grows without end: which messages, how many a second, and the chain of causes that feeds them. Pure but
// for the model, whose names and records it reads; GUI thread.

#include <QString>
#include <QStringList>

#include "engine/entity/growth_report.h"

#include <cstdint>

namespace sbx::ui {

class TraceModel;

struct Runaway {
    QString
        type; // of the messages: those that are sent, or, of entities, those that have them made; empty: none is recorded
    double perSecond = 0.0;     // of them, within the last second of the simulation
    std::uint64_t sequence = 0; // of the newest; 0: none is recorded
    QStringList
        chain; // types from the first cause to that message, "Update (not recorded)" for what is missing in between
    QString condition; // the filter that shows them
};

// Of the last second that the trace has taken in, as far as it lies in memory.
[[nodiscard]] Runaway findRunaway(const TraceModel& model, const GrowthReport& report);

// From the first cause to the message; several of one type in a row are one, "Echo ×12".
[[nodiscard]] QStringList chainOfTypes(const TraceModel& model, std::uint64_t sequence);

} // namespace sbx::ui
