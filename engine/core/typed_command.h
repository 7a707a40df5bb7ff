#pragma once
// Commands from functions: the function's own parameters define which arguments the command takes.
//
//     addCommand(console.commands(), "door.open", "Opens a door to an angle.",
//                {{"door", "Which."}, {"angle", "Degrees."}, {"slowly", "Takes two seconds."}},
//                [&](EntityName door, float angle, std::optional<bool> slowly) -> Result<void> { … });
//
// Types: bool, int, int64, float, double, std::string, EntityName; std::optional of one of them for arguments that may be left
// out, all of which come last. Arguments are checked before the function is called, help and completion know them, and where
// every command is (console, scripts, bound keys, palette) this one is too. A function that wants to print takes a
// CommandContext& before its arguments. It returns Result<void> or nothing.

#include "engine/core/command.h"
#include "engine/core/contracts.h"
#include "engine/core/fields.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace sbx {

// Names an entity; completes as one.
struct EntityName {
    std::string text;
};

// What the type of a parameter cannot express.
struct ParameterDoc {
    std::string name;
    std::string doc;
    std::vector<std::string> choices = {}; // of a text: these alone
    double minimum = -std::numeric_limits<double>::infinity(); // of a number, inclusive
    double maximum = std::numeric_limits<double>::infinity();
};

namespace detail {

template <typename T> struct ArgumentTraits {
    static_assert(std::is_same_v<T, bool> || std::is_same_v<T, int> || std::is_same_v<T, std::int64_t> || std::is_floating_point_v<T>
                      || std::is_same_v<T, std::string> || std::is_same_v<T, EntityName>,
                  "a command's argument is a bool, a number, a text or an EntityName");
    static constexpr bool Optional = false;
    static ArgumentType type() {
        if constexpr (std::is_same_v<T, bool>)
            return ArgumentType::Boolean;
        else if constexpr (std::is_integral_v<T>)
            return ArgumentType::Integer;
        else if constexpr (std::is_floating_point_v<T>)
            return ArgumentType::Number;
        else if constexpr (std::is_same_v<T, EntityName>)
            return ArgumentType::Entity;
        else
            return ArgumentType::Word;
    }
    // Checked before: it is of its type and in its range.
    static T read(const std::string& text) {
        if constexpr (std::is_same_v<T, bool>) {
            return switchArgument(text);
        } else if constexpr (std::is_integral_v<T>) {
            return static_cast<T>(wholeArgument(text));
        } else if constexpr (std::is_floating_point_v<T>) {
            return static_cast<T>(numberArgument(text));
        } else {
            return T{text};
        }
    }
    static T at(const CommandArguments& arguments, std::size_t index) { return read(arguments[index]); }
};
template <typename T> struct ArgumentTraits<std::optional<T>> {
    static constexpr bool Optional = true;
    static ArgumentType type() { return ArgumentTraits<T>::type(); }
    static std::optional<T> at(const CommandArguments& arguments, std::size_t index) {
        if (index >= arguments.size())
            return std::nullopt;
        return ArgumentTraits<T>::read(arguments[index]);
    }
};

template <typename... Arguments> std::vector<CommandParameter> describeArguments(std::vector<ParameterDoc> docs) {
    SBX_EXPECT(docs.size() == sizeof...(Arguments), "a command says of each argument what it is");
    std::vector<CommandParameter> out;
    [[maybe_unused]] std::size_t index = 0;
    [[maybe_unused]] bool optional = false;
    (
        [&] {
            using Argument = std::decay_t<Arguments>;
            using Traits = ArgumentTraits<Argument>;
            SBX_EXPECT(Traits::Optional || !optional, "arguments that may be left out come last");
            optional = Traits::Optional;
            ParameterDoc& doc = docs[index++];
            CommandParameter parameter;
            parameter.name = std::move(doc.name);
            parameter.doc = std::move(doc.doc);
            parameter.type = doc.choices.empty() ? Traits::type() : ArgumentType::Choice;
            parameter.choices = std::move(doc.choices);
            parameter.optional = Traits::Optional;
            parameter.minimum = doc.minimum;
            parameter.maximum = doc.maximum;
            [[maybe_unused]] const auto within = [&](double least, double most) {
                parameter.minimum = std::max(parameter.minimum, least);
                parameter.maximum = std::min(parameter.maximum, most);
            };
            if constexpr (std::is_same_v<Argument, int> || std::is_same_v<Argument, std::optional<int>>)
                within(std::numeric_limits<int>::min(), std::numeric_limits<int>::max());
            else if constexpr (std::is_same_v<Argument, float> || std::is_same_v<Argument, std::optional<float>>)
                within(static_cast<double>(std::numeric_limits<float>::lowest()),
                       static_cast<double>(std::numeric_limits<float>::max()));
            out.push_back(std::move(parameter));
        }(),
        ...);
    return out;
}

template <typename Function, typename Returned, typename... Arguments, std::size_t... Index>
Result<void> callWith(const Function& function, CommandContext* context, const CommandArguments& arguments,
                      std::index_sequence<Index...>) {
    const auto call = [&]() -> Returned {
        if constexpr (std::is_invocable_v<const Function&, CommandContext&, Arguments...>)
            return function(*context, ArgumentTraits<std::decay_t<Arguments>>::at(arguments, Index)...);
        else
            return function(ArgumentTraits<std::decay_t<Arguments>>::at(arguments, Index)...);
    };
    if constexpr (std::is_void_v<Returned>) {
        call();
        return {};
    } else {
        return call();
    }
}

template <typename Function, typename Returned, typename... Arguments>
Command typedCommand(std::string name, std::string doc, std::vector<ParameterDoc> docs, Function function) {
    Command command;
    command.name = std::move(name);
    command.doc = std::move(doc);
    command.parameters = describeArguments<Arguments...>(std::move(docs));
    command.function = [function = std::move(function)](CommandContext& context, const CommandArguments& arguments) {
        return callWith<Function, Returned, Arguments...>(function, &context, arguments, std::index_sequence_for<Arguments...>{});
    };
    return command;
}

// Takes a callable's signature apart; a leading CommandContext& is not an argument.
template <typename Call> struct Signature;
template <typename Owner, typename Returned, typename... Arguments> struct Signature<Returned (Owner::*)(Arguments...) const> {
    template <typename Function> static Command make(std::string name, std::string doc, std::vector<ParameterDoc> docs, Function f) {
        return typedCommand<Function, Returned, Arguments...>(std::move(name), std::move(doc), std::move(docs), std::move(f));
    }
};
template <typename Owner, typename Returned, typename... Arguments>
struct Signature<Returned (Owner::*)(CommandContext&, Arguments...) const> {
    template <typename Function> static Command make(std::string name, std::string doc, std::vector<ParameterDoc> docs, Function f) {
        return typedCommand<Function, Returned, Arguments...>(std::move(name), std::move(doc), std::move(docs), std::move(f));
    }
};
template <typename Returned, typename... Arguments> struct Signature<Returned (*)(Arguments...)> {
    template <typename Function> static Command make(std::string name, std::string doc, std::vector<ParameterDoc> docs, Function f) {
        return typedCommand<Function, Returned, Arguments...>(std::move(name), std::move(doc), std::move(docs), f);
    }
};
template <typename Returned, typename... Arguments> struct Signature<Returned (*)(CommandContext&, Arguments...)> {
    template <typename Function> static Command make(std::string name, std::string doc, std::vector<ParameterDoc> docs, Function f) {
        return typedCommand<Function, Returned, Arguments...>(std::move(name), std::move(doc), std::move(docs), f);
    }
};

} // namespace detail

// `function`: a function, or a lambda that is not generic.
template <typename Function>
void addCommand(CommandRegistry& registry, std::string name, std::string doc, std::vector<ParameterDoc> parameters,
                Function function) {
    if constexpr (std::is_pointer_v<Function>)
        registry.add(detail::Signature<Function>::make(std::move(name), std::move(doc), std::move(parameters), function));
    else
        registry.add(detail::Signature<decltype(&Function::operator())>::make(std::move(name), std::move(doc),
                                                                               std::move(parameters), std::move(function)));
}

} // namespace sbx
