#include "engine/entity/growth_report.h"

#include <charconv>

namespace sbx {

namespace {

// The number behind `mark`; 0: there is none.
std::uint64_t numberBehind(std::string_view text, std::string_view mark) {
    const std::size_t at = text.find(mark);
    std::uint64_t number = 0;
    if (at != std::string_view::npos)
        std::from_chars(text.data() + at + mark.size(), text.data() + text.size(), number);
    return number;
}

// "Spawner of gun_3", "Spawner of several entities, among them gun_3".
void readAdder(std::string_view text, GrowthReport& report) {
    constexpr std::string_view Of = " of ";
    constexpr std::string_view Several = "several entities, among them ";
    const std::size_t of = text.find(Of);
    if (of == std::string_view::npos)
        return;
    report.component = text.substr(0, of);
    text.remove_prefix(of + Of.size());
    report.several = text.starts_with(Several);
    if (report.several)
        text.remove_prefix(Several.size());
    report.entity = text;
}

std::optional<GrowthReport> readBudget(std::string_view text, GrowthReport::Of of, std::string_view stopped,
                                       std::string_view setting, std::string_view verb) {
    if (text.find(setting) == std::string_view::npos)
        return std::nullopt;
    GrowthReport report;
    report.of = of;
    report.stopped = text.starts_with(stopped);
    report.grown = numberBehind(text, report.stopped ? stopped : std::string_view());
    report.budget = numberBehind(text, report.stopped ? " (" : "play pauses at ");
    constexpr std::string_view Share = " % of the last ones were ";
    if (const std::size_t share = text.find(Share); share != std::string_view::npos)
        if (std::string_view rest = text.substr(share + Share.size()); rest.starts_with(verb))
            readAdder(rest.substr(verb.size()), report);
    return report.grown == 0 ? std::nullopt : std::optional(report);
}

// "message Hit to echo dropped: …; a handler that answers itself? (sent by Echo of echo)"
std::optional<GrowthReport> readLoop(std::string_view text) {
    constexpr std::string_view Message = "message ";
    constexpr std::string_view SentBy = " (sent by ";
    if (!text.starts_with(Message) || text.find("; a handler that answers itself?") == std::string_view::npos)
        return std::nullopt;
    GrowthReport report;
    report.of = GrowthReport::Of::Loop;
    report.stopped = true;
    const std::string_view type = text.substr(Message.size());
    report.message = type.substr(0, type.find(' '));
    if (const std::size_t by = text.rfind(SentBy); by != std::string_view::npos && text.ends_with(')'))
        readAdder(text.substr(by + SentBy.size(), text.size() - by - SentBy.size() - 1), report);
    return report;
}

} // namespace

std::optional<GrowthReport> readGrowthReport(std::string_view channel, std::string_view text) {
    if (channel == "entities")
        return readBudget(text, GrowthReport::Of::Entities, "no more entities are made: ", "sim.entityBudget",
                          "made by ");
    if (channel != "message")
        return std::nullopt;
    if (const auto loop = readLoop(text))
        return loop;
    return readBudget(text, GrowthReport::Of::Queue, "no more messages are queued: ", "sim.messageBudget",
                      "sent by ");
}

} // namespace sbx
