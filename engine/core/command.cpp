#include "engine/core/command.h"

#include "engine/core/nearest.h"

#include <algorithm>
#include <cctype>
#include <cmath>

namespace sbx {

namespace {

// The same checks and words as for fields and CVars.
FieldInfo asField(const CommandParameter& parameter) {
    FieldInfo field;
    field.name = parameter.name;
    field.minimum = parameter.minimum;
    field.maximum = parameter.maximum;
    switch (parameter.type) {
    case ArgumentType::Boolean:
        field.type = FieldType::Bool;
        break;
    case ArgumentType::Integer:
        field.type = FieldType::Int;
        break;
    case ArgumentType::Number:
        field.type = FieldType::Float;
        break;
    case ArgumentType::Choice:
        field.type = FieldType::Enum;
        field.choices = parameter.choices;
        break;
    default:
        field.type = FieldType::String;
        break;
    }
    return field;
}

std::string upper(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return static_cast<char>(std::toupper(static_cast<unsigned char>(c))); });
    return text;
}

} // namespace

std::string CommandParameter::expectation() const {
    switch (type) {
    case ArgumentType::Entity:
        return "the name of an entity";
    case ArgumentType::EntityType:
        return "the name of an entity type";
    case ArgumentType::MessageType:
        return "the name of a message type";
    case ArgumentType::Asset:
        return "a path inside the project";
    case ArgumentType::File:
        return "the path of a file";
    case ArgumentType::Name:
        return "the name of a CVar or command";
    case ArgumentType::CVar:
        return "the name of a CVar";
    default:
        return asField(*this).expectation();
    }
}

Result<Value> CommandParameter::read(const std::string& argument) const {
    return asField(*this).parse(argument);
}

namespace {
template <typename Held> Held said(const std::string& argument, FieldType type) {
    FieldInfo field;
    field.type = type;
    const Result<Value> value = field.parse(argument);
    SBX_EXPECT(value, "an argument is checked before it is read");
    return value ? std::get<Held>(*value) : Held{};
}
} // namespace

std::int64_t wholeArgument(const std::string& argument) {
    return said<std::int64_t>(argument, FieldType::Int);
}
double numberArgument(const std::string& argument) { return said<double>(argument, FieldType::Float); }
bool switchArgument(const std::string& argument) { return said<bool>(argument, FieldType::Bool); }

std::string Command::usage() const {
    std::string out = name;
    for (const CommandParameter& parameter : parameters) {
        std::string word = upper(parameter.name);
        if (parameter.type == ArgumentType::Choice) {
            word.clear();
            for (const std::string& choice : parameter.choices)
                word += (word.empty() ? "" : "|") + choice;
        }
        if (parameter.variadic)
            word += " …";
        out += parameter.optional ? " [" + word + "]" : " " + word;
    }
    return out;
}

const CommandParameter* Command::parameterAt(std::size_t position) const {
    if (position < parameters.size())
        return &parameters[position];
    if (!parameters.empty() && (parameters.back().variadic || parameters.back().type == ArgumentType::Rest))
        return &parameters.back();
    return nullptr;
}

namespace {
// A double holds whole numbers up to 2^53 only: one beyond that stays as it is written, for commands that read it as text.
// `field` becomes what the result is formatted by.
Value exactly(FieldInfo& field, const std::string& argument, const Value& read) {
    if (field.type != FieldType::Float || std::abs(std::get<double>(read)) < 0x1p53)
        return read;
    FieldInfo whole;
    whole.type = FieldType::Int;
    const Result<Value> value = whole.parse(argument);
    if (!value)
        return read;
    field = std::move(whole);
    return *value;
}
} // namespace

Result<void> Command::check(CommandArguments& arguments) const {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const CommandParameter* parameter = parameterAt(i);
        if (parameter == nullptr)
            return Error{name + ": too many arguments; expected " + usage(), {}, {}};
        const Result<Value> value = parameter->read(arguments[i]);
        if (!value)
            return value.error();
        FieldInfo field = asField(*parameter);
        if (field.type == FieldType::String)
            continue;
        arguments[i] = field.format(exactly(field, arguments[i], *value));
    }
    for (std::size_t i = arguments.size(); i < parameters.size(); ++i)
        if (!parameters[i].optional)
            return Error{name + ": " + parameters[i].name + " is missing; expected " + usage(), {}, {}};
    return {};
}

bool CommandRegistry::isValidName(std::string_view name) {
    return CVarRegistry::isValidName(name) || CVarRegistry::isValidName("a." + std::string(name));
}

void CommandRegistry::add(Command command) {
    SBX_EXPECT(isValidName(command.name), "a command's name is words of letters and digits joined by dots");
    SBX_EXPECT(!command.doc.empty() && command.function, "a command has a doc and a function");
    bool optional = false;
    for (std::size_t i = 0; i < command.parameters.size(); ++i) {
        const CommandParameter& parameter = command.parameters[i];
        SBX_EXPECT(!optional || parameter.optional, "no parameter is required after an optional one");
        SBX_EXPECT(i + 1 == command.parameters.size()
                       || (!parameter.variadic && parameter.type != ArgumentType::Rest),
                   "only the last parameter takes many words");
        optional = parameter.optional;
    }
    SBX_EXPECT(m_cvars.reserve(command.name), "a name is a CVar or a command, never both");
    if (m_beforeAdd)
        m_beforeAdd(command.name);
    const std::lock_guard lock(m_mutex);
    const std::string name = command.name;
    const bool added = m_commands.emplace(name, std::make_shared<const Command>(std::move(command))).second;
    SBX_EXPECT(added, "a command is added once");
}

void CommandRegistry::remove(std::string_view name) {
    const std::lock_guard lock(m_mutex);
    if (const auto it = m_commands.find(name); it != m_commands.end())
        m_commands.erase(it);
}

std::shared_ptr<const Command> CommandRegistry::find(std::string_view name) const {
    const std::lock_guard lock(m_mutex);
    const auto it = m_commands.find(name);
    return it == m_commands.end() ? nullptr : it->second;
}

std::vector<std::shared_ptr<const Command>> CommandRegistry::list() const {
    const std::lock_guard lock(m_mutex);
    std::vector<std::shared_ptr<const Command>> out;
    for (const auto& [name, command] : m_commands)
        out.push_back(command);
    return out;
}

} // namespace sbx
