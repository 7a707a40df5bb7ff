#include "engine/commands/send_options.h"

#include "engine/commands/completion.h"
#include "engine/core/console_syntax.h"
#include "engine/entity/world.h"
#include "engine/session/session.h"

#include <algorithm>
#include <charconv>

namespace sbx {

namespace {

struct OptionInfo {
    const char* text; // as completion puts it in
    const char* value;
    const char* doc;
};
constexpr OptionInfo OptionList[] = {{"--ticks=", "N", "Ticks until it is delivered."},
                                     {"--after=", "SECONDS", "Seconds until it is delivered."},
                                     {"--priority=", "N", "Among what is due in the same tick: lower first."},
                                     {"--minimum=", "N", "An error if fewer receive it."}};

template <typename T> bool readNumber(std::string_view text, T& out) {
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), out);
    return fault == std::errc() && end == text.data() + text.size();
}

} // namespace

std::string SendOptions::waiting() const {
    return "waits " + std::to_string(ticks) + (ticks == 1 ? " tick" : " ticks");
}

std::optional<Result<void>> readSendOption(const World& world, const std::string& word,
                                           SendOptions& options) {
    constexpr std::uint64_t MaxTicks = 1'000'000'000;
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const std::string value = equals == std::string::npos ? std::string() : word.substr(equals + 1);
    if (name == "--ticks") {
        if (!readNumber(value, options.ticks) || options.ticks == 0 || options.ticks > MaxTicks)
            return makeError(word + ": expected a number of ticks from 1");
    } else if (name == "--after") {
        double seconds = 0.0;
        if (!readNumber(value, seconds) || !(seconds > 0.0) || seconds > 1e6)
            return makeError(word + ": expected seconds above 0");
        options.ticks = world.ticksIn(seconds);
    } else if (name == "--priority") {
        int priority = 0;
        if (!readNumber(value, priority))
            return makeError(word + ": expected a whole number");
        options.priority = priority;
    } else if (name == "--minimum") {
        if (!readNumber(value, options.minimum))
            return makeError(word + ": expected a number of receivers");
    } else {
        return std::nullopt;
    }
    return Result<void>();
}

Result<void> checkSendOptions(const SendOptions& options) {
    if (options.priority && options.ticks == 0)
        return makeError("--priority orders messages that are delivered later, in one tick; expected --ticks or --after beside it");
    return {};
}

std::string sendOptionNames() {
    std::string out;
    for (const OptionInfo& option : OptionList)
        out += (out.empty()                           ? ""
                : &option == std::end(OptionList) - 1 ? " or "
                                                      : ", ")
               + std::string(option.text) + option.value;
    return out;
}

Result<Value> readFieldValue(const World& world, const FieldInfo& field, const std::string& word) {
    std::string text = word.substr(word.find('=') + 1);
    if (field.type == FieldType::Entity)
        if (const Entity named = world.find(text))
            text = std::to_string(named.id().bits);
    return field.parse(text);
}

void completeSend(const MessageType& type, const CommandTyping& typing, std::size_t first,
                  const Session& session, std::vector<CompletionCandidate>& out) {
    for (const FieldInfo& field : *type.fields) {
        const std::string start = field.name + "=";
        if (!typing.typed.starts_with(start)) {
            const bool given =
                std::any_of(typing.words.begin() + static_cast<std::ptrdiff_t>(first), typing.words.end(),
                            [&](const std::string& word) { return word.starts_with(start); });
            if (!given)
                out.push_back(
                    {start, field.format(field.defaultValue), explained(field), CompletionKind::Field});
            continue;
        }
        std::vector<std::string> values = field.choices;
        if (field.type == FieldType::Bool)
            values = {"true", "false"};
        else if (field.type == FieldType::Entity)
            values = session.providedNames(TextRole::EntityName);
        else if (field.role != TextRole::Plain)
            values = session.providedNames(field.role);
        else if (values.empty())
            values = {field.format(field.defaultValue)};
        for (const std::string& value : values)
            out.push_back({consoleWord(start + value), {}, field.doc, CompletionKind::Choice});
    }
    for (const OptionInfo& option : OptionList)
        out.push_back({option.text, {}, option.doc, CompletionKind::Choice});
}

} // namespace sbx
