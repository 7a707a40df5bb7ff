#include "app/remote/remote_words.h"

#include <algorithm>
#include <charconv>

namespace sbx::remote {

namespace {
constexpr std::string_view Spaces = " \t";

std::string_view trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(Spaces);
    if (begin == std::string_view::npos)
        return {};
    return text.substr(begin, text.find_last_not_of(Spaces) - begin + 1);
}
} // namespace

Result<std::vector<std::string>> splitWords(std::string_view line) {
    std::vector<std::string> words;
    for (std::size_t at = line.find_first_not_of(Spaces); at < line.size();
         at = line.find_first_not_of(Spaces, at)) {
        std::string word;
        if (line[at] != '"') {
            const std::size_t end = std::min(line.find_first_of(Spaces, at), line.size());
            word = line.substr(at, end - at);
            at = end;
        } else {
            const std::size_t opened = at;
            for (++at; at < line.size() && line[at] != '"'; ++at) {
                if (line[at] == '\\' && at + 1 < line.size() && (line[at + 1] == '"' || line[at + 1] == '\\'))
                    ++at;
                word += line[at];
            }
            if (at >= line.size())
                return makeError("the quote at byte " + std::to_string(opened + 1)
                                 + " is not closed; expected another \"");
            ++at;
        }
        words.push_back(std::move(word));
    }
    return words;
}

std::string_view firstWord(std::string_view line) {
    line = trimmed(line);
    return line.substr(0, std::min(line.find_first_of(Spaces), line.size()));
}

std::string_view afterFirstWord(std::string_view line) {
    line = trimmed(line);
    const std::size_t end = line.find_first_of(Spaces);
    return end == std::string_view::npos ? std::string_view() : trimmed(line.substr(end));
}

Result<long long> wholeNumber(std::string_view text, const std::string& what, long long minimum,
                              long long maximum) {
    long long number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number < minimum || number > maximum)
        return makeError(what + " is " + (text.empty() ? "missing" : "\"" + std::string(text) + "\"")
                         + "; expected a whole number in [" + std::to_string(minimum) + ", "
                         + std::to_string(maximum) + "]");
    return number;
}

} // namespace sbx::remote
