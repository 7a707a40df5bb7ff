#include "engine/session/user_config.h"

#include "engine/core/user_folders.h"
#include "engine/core/utf8.h"
#include "engine/core/whole_file.h"
#include "engine/definition/text_file.h"
#include "engine/definition/toml_document.h"

#include <algorithm>

namespace sbx {

namespace {
constexpr const char* Head =
    "// Written by Signalbox when it ends. Lines of your own belong in autoexec.cfg beside it.\n";
}

void UserConfig::load(Console& console) {
    std::error_code failure;
    if (!std::filesystem::exists(file(), failure))
        return;
    const Result<std::string> text = definition::readTextFile(file());
    if (!text) {
        console.log().warning("console", text.error().toString());
        m_leftOut = true;
        return;
    }
    m_written = *text;
    const std::string_view lined = withoutByteOrderMark(*text);
    const ConsoleLine lines = parseConsoleLine(lined);
    m_leftOut = lines.quoteOpen;
    if (lines.quoteOpen)
        console.log().warning("console", "user.cfg: the quotes are not closed; what follows them is left out");
    for (const ConsoleStatement& statement : lines.statements) {
        const ConsoleStage& stage = statement.stages.front();
        const auto before = lined.begin() + static_cast<std::ptrdiff_t>(stage.nameBegin);
        const CVarOrigin origin{"user.cfg:" + std::to_string(1 + std::count(lined.begin(), before, '\n')),
                                {}};
        const auto argument = [&](std::size_t i) {
            return i < stage.words.size() ? stage.words[i].text : std::string();
        };
        Result<void> done;
        if (stage.name == "alias" && stage.words.size() == 2) {
            done = console.setAlias(argument(0), argument(1), true);
        } else if (stage.name == "bind" && stage.words.size() == 2) {
            done = console.bind(argument(0), argument(1), true);
        } else if (console.cvars().contains(stage.name)) {
            const std::string value = unquotedWhole(asAssignment(stage).rest);
            const FieldInfo field = console.cvars().describe(stage.name)->field;
            const bool isText = field.type == FieldType::String;
            const Result<CVarOutcome> set =
                isText ? console.cvars().setValue(stage.name, Value(value), CVarSource::User, origin)
                       : console.cvars().set(stage.name, value, CVarSource::User, origin);
            if (!set)
                done = set.error();
        } else if (CVarRegistry::isValidName(stage.name)) {
            m_foreign.push_back(statement.text);
        } else {
            done = Error{
                inQuotes(statement.text.substr(0, 100)) + " is neither a CVar nor alias or bind", {}, {}};
        }
        if (!done) {
            console.log().warning("console", origin.place + ": " + done.error().message);
            m_leftOut = true;
        }
    }
}

Result<void> UserConfig::save(const Console& console) {
    std::string text = Head;
    for (const auto& [name, value] : console.cvars().archive()) {
        // Texts as the console reads them: its quotes know fewer escapes than TOML's.
        const Result<SourceValue> read = definition::parseTomlValue(value);
        const bool isText = read && read->kind == SourceValue::Kind::String;
        text += name + " " + (isText ? consoleWord(read->text) : value) + "\n";
    }
    for (const std::string& line : m_foreign)
        if (const std::string name = parseConsoleLine(line).statements.front().stages.front().name;
            !console.cvars().contains(name))
            text += line + "\n";
    // Lines with secrets in them last as long as the program.
    const auto isSecret = [&](const std::string& line) { return console.masked(line) != line; };
    for (const auto& [name, line] : console.aliasList(true))
        if (!isSecret(line))
            text += "alias " + name + " " + consoleWord(line) + "\n";
    for (const KeyBinding& binding : console.bindings(true))
        if (!isSecret(binding.line))
            text += "bind " + consoleWord(binding.keys) + " " + consoleWord(binding.line) + "\n";
    if (text == m_written || (m_written.empty() && text == Head))
        return {};
    std::error_code failure;
    std::filesystem::create_directories(m_folder, failure);
    if (m_leftOut)
    {
        const std::filesystem::path aside = setAside(file(), ".broken");
        if (aside.empty())
            return Error{"not written: its lines that were left out would be lost", file().string(), {}};
        console.log().warning("console", "user.cfg had lines that were left out; it is kept as " + aside.string());
        m_leftOut = false;
    }
    Result<void> written = writeFileSafely(file(), text);
    if (written)
        m_written = std::move(text);
    return written;
}

} // namespace sbx
