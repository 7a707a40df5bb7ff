#include "engine/core/filter_completion.h"

#include <algorithm>
#include <utility>

namespace sbx {

using detail::CompareOp;
using detail::Lexer;
using detail::Token;
using detail::TokenKind;

namespace {

constexpr std::size_t MaxItems = 200;

enum class Expects { Condition, OperatorOrJoin, Value, ListValue, CommaOrEnd, Join, Nothing };

// Where the text before the word under the cursor leaves the reader.
struct Place {
    Expects expects = Expects::Condition;
    const FilterField* field = nullptr; // of OperatorOrJoin, Value and ListValue
};

Place follow(std::string_view text, const FilterSchema& schema) {
    Place place;
    Lexer lexer(text);
    for (;;) {
        const Token token = lexer.next();
        if (token.kind == TokenKind::End)
            return place;
        if (token.kind == TokenKind::Fault)
            return {Expects::Nothing, nullptr};
        const bool isText = token.kind == TokenKind::Word || token.kind == TokenKind::Quoted;
        switch (place.expects) {
        case Expects::Value:
            place.expects = isText ? Expects::Join : Expects::Nothing;
            continue;
        case Expects::ListValue:
            if (isText)
                place.expects = Expects::CommaOrEnd;
            else if (token.kind != TokenKind::Open && token.kind != TokenKind::OpenList)
                place.expects = Expects::Nothing;
            continue;
        case Expects::CommaOrEnd:
            place.expects = token.kind == TokenKind::Comma ? Expects::ListValue
                            : token.kind == TokenKind::Close || token.kind == TokenKind::CloseList
                                ? Expects::Join
                                : Expects::Nothing;
            continue;
        case Expects::OperatorOrJoin:
            if (token.kind == TokenKind::Compare || token.kind == TokenKind::Colon) {
                place.expects = place.field == nullptr ? Expects::Nothing
                                : token.kind == TokenKind::Compare && token.op == CompareOp::In
                                    ? Expects::ListValue
                                    : Expects::Value;
                continue;
            }
            break;
        case Expects::Condition:
        case Expects::Join:
            break;
        case Expects::Nothing:
            return place;
        }
        switch (token.kind) {
        case TokenKind::Word:
            place = {Expects::OperatorOrJoin, schema.find(lexer.raw(token))};
            break;
        case TokenKind::Quoted:
        case TokenKind::Close:
            place = {Expects::Join, nullptr};
            break;
        case TokenKind::And:
        case TokenKind::Or:
        case TokenKind::Not:
        case TokenKind::Open:
            place = {Expects::Condition, nullptr};
            break;
        default:
            return {Expects::Nothing, nullptr};
        }
    }
}

struct OperatorDoc {
    CompareOp op;
    const char* doc;
};
constexpr OperatorDoc Operators[] = {
    {CompareOp::Equal, "is"},
    {CompareOp::NotEqual, "is not"},
    {CompareOp::Match, "contains, or matches with * and ?"},
    {CompareOp::In, "is one of"},
    {CompareOp::Less, "less than"},
    {CompareOp::LessOrEqual, "at most"},
    {CompareOp::Greater, "more than"},
    {CompareOp::GreaterOrEqual, "at least"},
};

bool applies(CompareOp op, FilterType type) {
    const bool orders = op >= CompareOp::Less && op <= CompareOp::GreaterOrEqual;
    switch (type) {
    case FilterType::String:
        return !orders;
    case FilterType::Number:
        return op != CompareOp::Match;
    case FilterType::Bool:
        return op == CompareOp::Equal || op == CompareOp::NotEqual;
    case FilterType::Any:
        return true;
    }
    return true;
}

class Completer {
public:
    Completer(FilterCompletion& out, std::string_view typed) : m_out(out), m_typed(typed) {}

    void offer(std::string label, std::string insert, std::string doc, FilterCompletionItem::Kind kind) {
        const bool begins = label.size() >= m_typed.size()
                            && containsText(std::string_view(label).substr(0, m_typed.size()), m_typed);
        if (!begins && !containsText(label, m_typed))
            return;
        auto& list = begins ? m_out.items : m_containing;
        if (list.size() < MaxItems)
            list.push_back({std::move(label), std::move(insert), std::move(doc), kind});
    }
    void finish() {
        for (FilterCompletionItem& item : m_containing)
            if (m_out.items.size() < MaxItems)
                m_out.items.push_back(std::move(item));
    }

private:
    FilterCompletion& m_out;
    std::string_view m_typed;
    std::vector<FilterCompletionItem> m_containing;
};

void offerOperators(Completer& completer, const FilterField& field, const std::string& before) {
    for (const OperatorDoc& op : Operators)
        if (applies(op.op, field.type))
            completer.offer(before + compareOpText(op.op),
                            before + compareOpText(op.op) + (op.op == CompareOp::In ? " (" : " "), op.doc,
                            FilterCompletionItem::Kind::Operator);
}

} // namespace

std::vector<FilterDemand> filterDemands(std::string_view text, std::size_t cursor,
                                        const FilterSchema& schema) {
    // For each bracket that is open: what stood before it, and how much of it the alternative at hand has added.
    struct Group {
        std::size_t begin = 0; // of the demands: those before are from outside
        bool negated = false;  // `not (`: what is demanded in it is not demanded of the row
    };
    std::vector<FilterDemand> demands;
    std::vector<Group> groups(1);
    bool negated = false; // the next condition is
    Lexer lexer(text.substr(0, std::min(cursor, text.size())));
    for (Token token = lexer.next(); token.kind != TokenKind::End && token.kind != TokenKind::Fault;
         token = lexer.next()) {
        switch (token.kind) {
        case TokenKind::Not:
            negated = !negated;
            break;
        case TokenKind::Open:
            groups.push_back({demands.size(), std::exchange(negated, false)});
            break;
        case TokenKind::Close:
            // What a closed bracket demands may be one of several: it is left out.
            if (groups.size() > 1) {
                demands.resize(groups.back().begin);
                groups.pop_back();
            }
            break;
        case TokenKind::Or:
            demands.resize(groups.back().begin);
            negated = false;
            break;
        case TokenKind::And:
            negated = false;
            break;
        case TokenKind::Word: {
            const FilterField* const field = schema.find(lexer.raw(token));
            const Token op = lexer.peek();
            if (op.kind != TokenKind::Compare) {
                negated = false;
                break;
            }
            lexer.next();
            const bool counts = field != nullptr && !negated && !groups.back().negated;
            const auto add = [&](const Token& value) {
                if (counts)
                    demands.push_back({field->name, lexer.content(value)});
            };
            const auto isText = [](const Token& t) {
                return t.kind == TokenKind::Word || t.kind == TokenKind::Quoted;
            };
            if (op.op == CompareOp::In) {
                for (Token value = lexer.next();
                     value.kind != TokenKind::Close && value.kind != TokenKind::CloseList
                     && value.kind != TokenKind::End && value.kind != TokenKind::Fault;
                     value = lexer.next())
                    if (isText(value))
                        add(value);
            } else if (const Token value = lexer.peek(); isText(value)) {
                lexer.next();
                if (op.op == CompareOp::Equal)
                    add(value);
            }
            negated = false;
            break;
        }
        default:
            negated = false;
            break;
        }
    }
    return demands;
}

FilterCompletion completeFilter(std::string_view text, std::size_t cursor, const FilterSchema& schema,
                                const FilterValueProvider& values, const FilterFieldTest& canHave) {
    cursor = std::min(cursor, text.size());
    FilterCompletion out;
    out.replaceFrom = cursor;
    if (text.size() > detail::LongestCondition)
        return out;
    // The word or open quote that ends at or spans the cursor.
    std::string typed;
    Lexer lexer(text);
    for (;;) {
        const Token token = lexer.next();
        if (token.kind == TokenKind::End || token.begin >= cursor)
            break;
        if (token.end < cursor)
            continue;
        const bool keyword = token.kind == TokenKind::And || token.kind == TokenKind::Or
                             || token.kind == TokenKind::Not
                             || (token.kind == TokenKind::Compare && token.op == CompareOp::In);
        const bool letters = lexer.raw(token).front() != '!' && lexer.raw(token).front() != '&'
                             && lexer.raw(token).front() != '|';
        const bool openQuote =
            token.kind == TokenKind::Fault && (text[token.begin] == '"' || text[token.begin] == '\'');
        if (token.kind == TokenKind::Quoted && token.end == cursor)
            return out; // just closed: nothing to add
        if (token.kind == TokenKind::Word || token.kind == TokenKind::Quoted || openQuote
            || (keyword && letters)) {
            out.replaceFrom = token.begin;
            out.replaceLength = token.end - token.begin;
            typed = std::string(text.substr(token.begin, cursor - token.begin));
            if (openQuote || token.kind == TokenKind::Quoted)
                typed.erase(0, 1);
        }
        break;
    }
    const Place place = follow(text.substr(0, out.replaceFrom), schema);
    std::vector<FilterDemand> demands;
    if (canHave)
        demands = filterDemands(text, out.replaceFrom, schema);
    Completer completer(out, typed);
    using Kind = FilterCompletionItem::Kind;
    switch (place.expects) {
    case Expects::Condition:
    case Expects::Join:
    case Expects::OperatorOrJoin:
        if (place.expects != Expects::Condition) {
            if (place.expects == Expects::OperatorOrJoin && place.field != nullptr)
                offerOperators(completer, *place.field, {});
            completer.offer("and", "and ", "both conditions", Kind::Word);
            completer.offer("or", "or ", "either condition", Kind::Word);
            break;
        }
        if (const FilterField* exact = typed.empty() ? nullptr : schema.find(typed))
            offerOperators(completer, *exact, typed + " ");
        for (const FilterField& field : schema.fields()) {
            if (canHave && !canHave(field, demands))
                continue;
            if (field.name != typed)
                completer.offer(field.name, field.name + " ", field.doc, Kind::Field);
            if (!typed.empty())
                for (const std::string& alias : field.aliases)
                    if (alias != typed)
                        completer.offer(alias, alias + " ", field.doc, Kind::Field);
        }
        completer.offer("not", "not ", "turns the next condition round", Kind::Word);
        break;
    case Expects::Value:
    case Expects::ListValue: {
        const bool opensList =
            place.expects == Expects::ListValue
            && text.substr(0, out.replaceFrom).find_last_not_of(" \t") != std::string_view::npos
            && std::string_view("([,").find(text[text.substr(0, out.replaceFrom).find_last_not_of(" \t")])
                   == std::string_view::npos;
        if (opensList) {
            completer.offer("(", "(", "a list of values", Kind::Operator);
            break;
        }
        const std::string_view tail = place.expects == Expects::Value ? " " : "";
        const auto offerValue = [&](const std::string& value) {
            completer.offer(value, filterLiteral(value) + std::string(tail), {}, Kind::Literal);
        };
        if (place.field->type == FilterType::Bool) {
            offerValue("true");
            offerValue("false");
        }
        for (const std::string& choice : place.field->choices)
            offerValue(choice);
        if (place.field->choices.empty() && values)
            for (const std::string& value : values(*place.field, typed))
                offerValue(value);
        break;
    }
    case Expects::CommaOrEnd:
        completer.offer(",", ", ", "another value", Kind::Operator);
        completer.offer(")", ") ", "ends the list", Kind::Operator);
        break;
    case Expects::Nothing:
        break;
    }
    completer.finish();
    return out;
}

} // namespace sbx
