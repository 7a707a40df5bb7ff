#include "app/common/manual_page.h"

#include <algorithm>
#include <cctype>

namespace sbx::app {

namespace {

// Text that roff prints as it is: a backslash, a dash that can be copied, and no control character at the beginning of a line.
std::string escaped(const std::string& text) {
    std::string out;
    bool lineStart = true;
    for (const char c : text) {
        if (lineStart && (c == '.' || c == '\''))
            out += "\\&";
        if (c == '\\')
            out += "\\e";
        else if (c == '-')
            out += "\\-";
        else
            out += c;
        lineStart = c == '\n';
    }
    return out;
}

// Paragraphs apart, by a macro: an empty line is none in a manual page.
std::string paragraphs(const std::string& text) {
    std::string out;
    std::size_t from = 0;
    while (from <= text.size()) {
        std::size_t to = text.find("\n\n", from);
        if (to == std::string::npos)
            to = text.size();
        std::string paragraph = text.substr(from, to - from);
        while (paragraph.ends_with('\n'))
            paragraph.pop_back();
        if (!out.empty())
            out += ".PP\n";
        out += escaped(paragraph) + "\n";
        from = to + 2;
    }
    return out;
}

std::string upper(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return text;
}

} // namespace

std::string manualPage(const ManualPage& page, const OptionTable& options) {
    std::string out = ".TH " + upper(page.program) + " 1 \"\" \"Signalbox " + page.version + "\" \"User Commands\"\n";
    out += ".SH NAME\n" + page.program + " \\- " + escaped(page.summary) + "\n";
    out += ".SH SYNOPSIS\n.B " + page.program + "\n" + escaped(page.synopsis) + " [\\fIoptions\\fR]\n";
    out += ".SH DESCRIPTION\n" + paragraphs(page.description);
    out += ".SH OPTIONS\n";
    for (const OptionTable::Listed& option : options.listed()) {
        out += ".TP\n\\fB" + escaped(option.name) + "\\fR";
        if (!option.placeholder.empty())
            out += " \\fI" + escaped(option.placeholder) + "\\fR";
        out += "\n" + escaped(option.doc) + "\n";
    }
    for (const auto& [title, text] : page.sections)
        out += ".SH " + upper(title) + "\n" + paragraphs(text);
    if (!page.seeAlso.empty())
        out += ".SH SEE ALSO\n" + escaped(page.seeAlso) + "\n";
    return out;
}

std::string bashCompletion(const std::string& program, const OptionTable& options) {
    std::string names;
    std::string files;
    std::string others;
    for (const OptionTable::Listed& option : options.listed()) {
        names += (names.empty() ? "" : " ") + option.name;
        if (option.placeholder.empty())
            continue;
        std::string& list = option.placeholder.starts_with("FILE") || option.placeholder == "SOCKET" ? files : others;
        list += (list.empty() ? "" : "|") + option.name;
    }
    const std::string function = "_" + std::string(program == "signalbox" ? "signalbox" : "signalbox_player");
    std::string out = "# Completion of " + program + " for bash; written by the program itself.\n" + function + "() {\n"
                      + "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n"
                      + "    case $before in\n";
    if (!files.empty())
        out += "    " + files + ") mapfile -t COMPREPLY < <(compgen -f -- \"$word\"); return ;;\n";
    if (!others.empty())
        out += "    " + others + ") COMPREPLY=(); return ;;\n";
    out += "    esac\n"
           "    if [[ $word == -* ]]; then\n"
           "        mapfile -t COMPREPLY < <(compgen -W \""
           + names
           + "\" -- \"$word\")\n"
             "    else\n"
             "        mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n"
             "    fi\n"
             "}\n"
             "complete -o filenames -F "
           + function + " " + program + "\n";
    return out;
}

} // namespace sbx::app
