#pragma once
// The console's grammar, and nothing else: text in, statements out. Pure functions, any thread.
//
//     line      = statement { ";" statement } ["//" comment]         a line end counts as ";"
//     statement = stage { " | " stage }
//     statement = "@" target line       the rest of the statement, bars and all: `on target line` (console targets of the session)
//     stage     = name | name "=" value | name value | name args | name "|" args      the bar right after the name
//     $sel      in a statement: it runs for each entity that is selected, with its name there
//     quotes    = "…" with \" and \\ inside; ; | // within quotes are text

#include "engine/core/result.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sbx {

struct ConsoleWord {
    std::string text;      // without quotes, escapes resolved
    std::size_t begin = 0; // byte offset in the line
    std::size_t end = 0;   // exclusive
};

struct ConsoleStage {
    enum class Form {
        Words,
        Assignment, // "name=value"; `name = value` is Words until asAssignment() converts it: for a command = is an argument
        Bar
    };

    Form form = Form::Words;
    std::string name;
    std::size_t nameBegin = 0;
    std::size_t nameEnd = 0;
    std::string rest; // all after the name (and after "=" or "|"), trimmed, quotes kept
    std::size_t restBegin = 0;
    std::vector<ConsoleWord> words; // of `rest`
};

struct ConsoleStatement {
    std::string text; // as written, trimmed
    std::vector<ConsoleStage> stages;
};

struct ConsoleLine {
    std::vector<ConsoleStatement> statements;
    bool quoteOpen = false; // the text ends inside quotes
    bool inComment = false; // the text ends inside a comment
    ConsoleStage last;      // the stage the text ends in, empty after ";" or " | ": what completion looks at
};

// Never fails: an open quote runs to the end (completion reads half-typed lines); who executes checks quoteOpen.
[[nodiscard]] ConsoleLine parseConsoleLine(std::string_view text);

// Where a `$` stands in a statement, outside quotes: byte offsets.
[[nodiscard]] std::vector<std::size_t> dollarPlaces(std::string_view statement);

// Where `$sel` stands in a statement, outside quotes: byte offsets.
inline constexpr std::string_view SelectionWord = "$sel";
[[nodiscard]] std::vector<std::size_t> selectionPlaces(std::string_view statement);

// A Words stage whose rest begins with "=" read as an assignment; any other as it is.
[[nodiscard]] ConsoleStage asAssignment(ConsoleStage stage);

// The text inside if `rest` is one quoted word, else `rest` as it stands.
[[nodiscard]] std::string unquotedWhole(std::string_view rest);

// Several lines as one that does the same: statements joined by "; ", without comments. A line end within quotes becomes a blank.
[[nodiscard]] std::string onOneLine(std::string_view text);

// `text` as one word that stands for itself: quoted if it would otherwise fall apart.
[[nodiscard]] std::string consoleWord(std::string_view text);

} // namespace sbx
