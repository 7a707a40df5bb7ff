#include "engine/core/console_syntax.h"

#include "engine/core/console_message.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace sbx {

namespace {

bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

struct Span {
    std::size_t begin;
    std::size_t end;
};

Span trimmed(std::string_view text, Span span) {
    while (span.begin < span.end && isSpace(text[span.begin]))
        ++span.begin;
    while (span.end > span.begin && isSpace(text[span.end - 1]))
        --span.end;
    return span;
}

// Its bars belong to the line that is sent.
bool isAddressed(std::string_view text, Span given) {
    const Span span = trimmed(text, given);
    return span.begin < span.end && text[span.begin] == '@';
}

std::vector<ConsoleWord> splitWords(std::string_view text, Span span) {
    std::vector<ConsoleWord> words;
    std::size_t i = span.begin;
    while (i < span.end) {
        if (isSpace(text[i])) {
            ++i;
            continue;
        }
        ConsoleWord word;
        word.begin = i;
        bool quoted = false;
        while (i < span.end && (quoted || !isSpace(text[i]))) {
            const char c = text[i];
            if (c == '"') {
                quoted = !quoted;
            } else if (quoted && c == '\\' && i + 1 < span.end
                       && (text[i + 1] == '"' || text[i + 1] == '\\')) {
                word.text += text[++i];
            } else {
                word.text += c;
            }
            ++i;
        }
        word.end = i;
        words.push_back(std::move(word));
    }
    return words;
}

ConsoleStage parseStage(std::string_view text, Span given) {
    const Span span = trimmed(text, given);
    ConsoleStage stage;
    if (span.begin < span.end && text[span.begin] == '@') {
        stage.name = "on";
        stage.nameBegin = span.begin;
        stage.nameEnd = span.begin + 1;
        const Span rest = trimmed(text, {stage.nameEnd, span.end});
        stage.rest = text.substr(rest.begin, rest.end - rest.begin);
        stage.restBegin = rest.begin;
        stage.words = splitWords(text, rest);
        return stage;
    }
    std::size_t i = span.begin;
    while (i < span.end && !isSpace(text[i]) && text[i] != '=' && text[i] != '|' && text[i] != '"')
        ++i;
    if (i == span.begin
        && i < span.end) // starts with a sign or a quote: the whole first word is an unknown name
        while (i < span.end && !isSpace(text[i]))
            ++i;
    stage.nameBegin = span.begin;
    stage.nameEnd = i;
    stage.name = text.substr(span.begin, i - span.begin);
    std::size_t restBegin = i;
    if (i < given.end && text[i] == '|') {
        stage.form = ConsoleStage::Form::Bar;
        restBegin = i + 1;
    } else if (i < span.end && text[i] == '=') {
        stage.form = ConsoleStage::Form::Assignment;
        restBegin = i + 1;
    }
    const Span rest = trimmed(text, {std::min(restBegin, span.end), span.end});
    stage.rest = text.substr(rest.begin, rest.end - rest.begin);
    stage.restBegin = rest.begin;
    stage.words = splitWords(text, rest);
    return stage;
}

} // namespace

ConsoleLine parseConsoleLine(std::string_view text) {
    ConsoleLine line;
    std::vector<Span> stages;
    std::size_t stageBegin = 0;
    std::size_t statementBegin = 0;
    const auto endStatement = [&](std::size_t end) {
        stages.push_back({stageBegin, end});
        const Span whole = trimmed(text, {statementBegin, end});
        if (whole.begin < whole.end) {
            ConsoleStatement statement;
            statement.text = text.substr(whole.begin, whole.end - whole.begin);
            for (const Span& span : stages)
                statement.stages.push_back(parseStage(text, span));
            line.statements.push_back(std::move(statement));
        }
        stages.clear();
    };
    bool quoted = false;
    std::size_t i = 0;
    while (i < text.size()) {
        const char c = text[i];
        const bool afterSpace = i == 0 || isSpace(text[i - 1]) || text[i - 1] == ';';
        if (quoted) {
            if (c == '\\' && i + 1 < text.size() && (text[i + 1] == '"' || text[i + 1] == '\\'))
                ++i;
            else if (c == '"')
                quoted = false;
            ++i;
        } else if (c == '"') {
            quoted = true;
            ++i;
        } else if (c == ';' || c == '\n') {
            endStatement(i);
            stageBegin = statementBegin = ++i;
        } else if (c == '/' && afterSpace && i + 1 < text.size() && text[i + 1] == '/') {
            endStatement(i);
            while (i < text.size() && text[i] != '\n')
                ++i;
            line.inComment = i == text.size();
            stageBegin = statementBegin = i;
        } else if (c == '|' && afterSpace && i > statementBegin
                   && (i + 1 == text.size() || isSpace(text[i + 1])) && !isAddressed(text, {statementBegin, i})) {
            stages.push_back({stageBegin, i});
            stageBegin = ++i;
        } else {
            ++i;
        }
    }
    line.quoteOpen = quoted;
    if (!line.inComment) {
        line.last = parseStage(text, {stageBegin, text.size()});
        endStatement(text.size());
    }
    return line;
}

std::vector<std::size_t> dollarPlaces(std::string_view statement) {
    std::vector<std::size_t> places;
    bool quoted = false;
    for (std::size_t i = 0; i < statement.size(); ++i) {
        const char c = statement[i];
        if (c == '"')
            quoted = !quoted;
        else if (quoted && c == '\\')
            ++i;
        else if (!quoted && c == '$')
            places.push_back(i);
    }
    return places;
}

std::vector<std::size_t> selectionPlaces(std::string_view statement) {
    std::vector<std::size_t> places;
    for (const std::size_t i : dollarPlaces(statement)) {
        if (!statement.substr(i).starts_with(SelectionWord))
            continue;
        const std::size_t after = i + SelectionWord.size();
        const char next = after < statement.size() ? statement[after] : ' ';
        if (std::isalnum(static_cast<unsigned char>(next)) == 0 && next != '_')
            places.push_back(i);
    }
    return places;
}

ConsoleStage asAssignment(ConsoleStage stage) {
    if (stage.form != ConsoleStage::Form::Words || !stage.rest.starts_with('='))
        return stage;
    stage.form = ConsoleStage::Form::Assignment;
    const Span value = trimmed(stage.rest, {1, stage.rest.size()});
    stage.rest = stage.rest.substr(value.begin, value.end - value.begin);
    stage.restBegin += value.begin;
    stage.words = splitWords(stage.rest, {0, stage.rest.size()});
    for (ConsoleWord& word : stage.words) {
        word.begin += stage.restBegin;
        word.end += stage.restBegin;
    }
    return stage;
}

std::string unquotedWhole(std::string_view rest) {
    if (rest.size() < 2 || rest.front() != '"')
        return std::string(rest);
    std::string inside;
    for (std::size_t i = 1; i < rest.size(); ++i) {
        if (rest[i] == '\\' && i + 1 < rest.size() && (rest[i + 1] == '"' || rest[i + 1] == '\\'))
            inside += rest[++i];
        else if (rest[i] == '"')
            return i + 1 == rest.size() ? inside : std::string(rest);
        else
            inside += rest[i];
    }
    return std::string(rest);
}

std::string onOneLine(std::string_view text) {
    // A line ends in \n, \r\n or \r.
    std::string lines;
    lines.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i)
        if (text[i] != '\r')
            lines += text[i];
        else if (i + 1 == text.size() || text[i + 1] != '\n')
            lines += '\n';
    std::string out;
    for (const ConsoleStatement& statement : parseConsoleLine(lines).statements)
        out += (out.empty() ? "" : "; ") + statement.text;
    std::replace(out.begin(), out.end(), '\n', ' ');
    return out;
}

std::string consoleWord(std::string_view text) {
    const bool plain = !text.empty() && text.find_first_of(" \t\r\n\";|") == std::string_view::npos
                       && !text.starts_with("//") && text.find(SelectionWord) == std::string_view::npos
                       && text.find(MessageWord) == std::string_view::npos;
    if (plain)
        return std::string(text);
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            out += '\\';
        out += c;
    }
    return out + "\"";
}

} // namespace sbx
