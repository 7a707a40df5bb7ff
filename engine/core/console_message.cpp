#include "engine/core/console_message.h"

#include "engine/core/console_syntax.h"

#include <cctype>

namespace sbx {

namespace {

bool isWordSign(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// The end of ".name" that begins at `from`; `from`: there is none.
std::size_t endOfPart(std::string_view text, std::size_t from) {
    if (from + 1 >= text.size() || text[from] != '.' || !isWordSign(text[from + 1]))
        return from;
    std::size_t end = from + 1;
    while (end < text.size() && isWordSign(text[end]))
        ++end;
    return end;
}

} // namespace

std::vector<MessagePlace> messagePlaces(std::string_view statement) {
    std::vector<MessagePlace> places;
    for (const std::size_t i : dollarPlaces(statement)) {
        if (!statement.substr(i).starts_with(MessageWord))
            continue;
        MessagePlace place;
        place.begin = i;
        const std::size_t after = i + MessageWord.size();
        if (after < statement.size() && isWordSign(statement[after]))
            continue;
        place.end = endOfPart(statement, after);
        if (statement.substr(after, place.end - after) == ".fields")
            place.end = endOfPart(statement, place.end);
        if (place.end > after)
            place.word = statement.substr(after + 1, place.end - after - 1);
        places.push_back(std::move(place));
    }
    return places;
}

} // namespace sbx
