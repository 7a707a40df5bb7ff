#pragma once
// Lines of a trace. Not in the test itself: moc loses its way in raw strings.

#include "engine/message/trace_reader.h"

#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace sbx::trace_test {

// `rest` follows the type and the world.
inline std::string bare(int sequence, const std::string& rest = R"(,"sender":null,"receiver":"crate","delivery":"immediate","fields":{},"handlers":[],"notReached":[])") {
    return R"({"sequence":)" + std::to_string(sequence) + R"(,"tick":3,"cause":0,"world":"local","type":"test.Bare")" + rest + "}";
}

// Of two messages with what the program does not know.
inline std::string lineWithMore(int number) {
    return R"({"sequence":)" + std::to_string(number)
           + R"(,"tick":0,"world":"w","type":"test.Bare","colour":1,"delivery":"immediate","fields":{"age":5},"handlers":[]})";
}
inline std::string noted(int sequence, const std::string& notes) {
    std::string line = bare(sequence);
    line.back() = ',';
    return line + notes + "}";
}
inline const char* const CommentInText = R"("comment":"why \"here\"\nsp\u00e4te")";
inline const char* const MarkAndComment = R"("marked":true,"comment":"again")";
inline const char* const NoNotes = R"("marked":false,"comment":"")";
inline const char* const Mark = R"("marked":true)";
inline const char* const ObservedAndLate =
    R"(,"delivery":"immediate","fields":{},"handlers":[{"component":"Relay","priority":0,"result":"passed"}],"notReached":["Late"])";
inline const char* const DamagedCrate =
    R"({"sequence":812,"tick":120,"cause":0,"world":"local","type":"test.Everything","sender":null,"receiver":"crate","delivery":"immediate","fields":{"loud":true,"count":2,"amount":0.1,"exact":1.0,"point":[1.0,2.0,3.0],"turn":[0,0,0,1],"tint":[1,1,1,1],"words":"two\twords","kind":"fire","target":"bat"},"handlers":[{"component":"Shield","priority":1,"result":"consumed"}]})";

// As the writer writes them.
inline std::vector<std::pair<const char*, std::string>> sameLines() {
    std::vector<std::pair<const char*, std::string>> out;
    const auto row = [&](const char* name, std::string line) { out.emplace_back(name, std::move(line)); };
    row("all kinds of fields, beyond their range too",
        R"({"sequence":812,"tick":120,"cause":790,"world":"server","type":"test.Everything","sender":"phantom_1","receiver":"crate_3","delivery":"children","fields":{"loud":true,"count":-7,"amount":0.1,"exact":0.30000000000000004,"point":[1.0,-2.5,1e-07],"turn":[0.5,0.5,0.5,0.5],"tint":[1.0,0.0,0.25,1.0],"words":"a \"door\"\n","kind":"fire","target":"crate_7"},"handlers":[{"component":"Shield","priority":10,"result":"passed"},{"component":"Health","priority":20,"result":"consumed"}],"notReached":["Log"]})");
    row("no numbers, no entity",
        R"({"sequence":1,"tick":0,"cause":0,"world":"local","type":"test.Everything","sender":null,"receiver":null,"delivery":"broadcast","fields":{"loud":false,"count":0,"amount":null,"exact":null,"point":[null,0.0,0.0],"turn":[0.0,0.0,0.0,1.0],"tint":[1.0,1.0,1.0,1.0],"words":"","kind":"blunt","target":null},"handlers":[],"notReached":[]})");
    row("an entity by its handle",
        R"({"sequence":1,"tick":0,"cause":0,"world":"local","type":"test.Everything","sender":null,"receiver":null,"delivery":"network","fields":{"loud":false,"count":0,"amount":0.0,"exact":0.0,"point":[0.0,0.0,0.0],"turn":[0.0,0.0,0.0,1.0],"tint":[1.0,1.0,1.0,1.0],"words":"","kind":"blunt","target":"12884901890"},"handlers":[],"notReached":[]})");
    row("queued", bare(7, R"(,"sender":"a","receiver":"b","delivery":"queued","queuedAt":1,"fields":{},"handlers":[],"notReached":[])"));
    row("delayed to children", bare(7, R"(,"sender":null,"receiver":"b","delivery":"children","queuedAt":2,"fields":{},"handlers":[],"notReached":[])"));
    row("too few receivers",
        bare(7, R"(,"sender":"a","receiver":null,"delivery":"broadcast","note":"short","receivers":1,"minimum":3,"fields":{},"handlers":[],"notReached":[])"));
    row("the line that sent it",
        R"({"sequence":7,"tick":3,"cause":0,"site":"/home/ann/my components/crate \"x\".cpp:41","world":"local","type":"test.Bare","sender":null,"receiver":"crate","delivery":"immediate","fields":{},"handlers":[],"notReached":[]})");
    for (const char* note : {"gone", "unheard", "cut"})
        row(note, bare(7, std::string(R"(,"sender":null,"receiver":"b","delivery":"immediate","note":")") + note + R"(","fields":{},"handlers":[],"notReached":[])"));
    row("times", bare(7, R"(,"sender":null,"receiver":"b","delivery":"immediate","fields":{},"handlers":[{"component":"Shield","priority":-3,"result":"passed","ns":310},{"component":"Log","priority":0,"result":"passed","ns":4000000001}],"notReached":[])"));
    row("far numbers",
        R"({"sequence":140737488355328,"tick":140737488355327,"cause":2,"world":"local","type":"test.Bare","sender":null,"receiver":null,"delivery":"listener","fields":{},"handlers":[],"notReached":[]})");
    return out;
}

// With what is said about each, after a message with the sequence 4.
inline std::vector<std::tuple<const char*, std::string, const char*>> wrongLines() {
    std::vector<std::tuple<const char*, std::string, const char*>> out;
    const auto row = [&](const char* name, std::string line, const char* says) { out.emplace_back(name, std::move(line), says); };
    row("torn", bare(5).substr(0, 40), "no JSON from here on");
    row("not JSON", "sequence 5", "no JSON from here on");
    row("a list", "[1,2]", "the line is a list; expected an object");
    row("a huge number", R"({"sequence":1e999})", "out of range");
    row("no sequence", R"({"tick":1})", "there is no sequence");
    row("negative", R"({"sequence":-1})", "sequence is a number; expected a whole number from 0");
    row("not above the one before", bare(4), "sequence 4 comes after 4");
    row("a tick of earlier", R"({"sequence":9,"tick":2,"cause":0})", "tick 2 comes after 3");
    row("a sequence without end", R"({"sequence":18446744073709551615,"tick":3,"cause":0})", "are too large");
    row("a tick without end", R"({"sequence":9,"tick":18446744073709551615,"cause":0})", "are too large");
    row("no injection", R"({"sequence":9,"tick":3,"cause":0,"injected":1})", "expected true or false");
    row("a comment that is a list", R"({"sequence":9,"tick":3,"cause":0,"comment":["why"]})",
        "comment is a list; expected text");
    row("a mark that is a number", R"({"sequence":9,"tick":3,"cause":0,"marked":1})",
        "marked is a number; expected true or false");
    row("a cause of later", R"({"sequence":9,"tick":3,"cause":9})", "cause 9 is not before sequence 9");
    row("a line of code that is a number", bare(9, R"(,"site":41)"),
        "site is a number; expected a line of code such as rules.cpp:28");
    row("unknown type", R"({"sequence":9,"tick":3,"type":"test.Bar"})", "message type \"test.Bar\" is not known here; did you mean test.Bare?");
    row("no world", R"({"sequence":9,"tick":3,"type":"test.Bare"})", "there is no world");
    row("a sender that is a number", bare(9, R"(,"sender":4)"), "sender is a number; expected an entity's name, or null");
    row("an unknown route", bare(9, R"(,"delivery":"mail")"), "expected one of immediate, component");
    row("an unknown note", bare(9, R"(,"delivery":"immediate","note":"late")"), "expected one of short, gone, unheard, cut");
    row("no fields", bare(9, R"(,"delivery":"immediate")"), "there are no fields");
    row("no handlers", bare(9, R"(,"delivery":"immediate","fields":{})"), "there are no handlers");
    row("an unknown result", bare(9, R"(,"delivery":"immediate","fields":{},"handlers":[{"component":"A","priority":0,"result":"slept"}])"), "expected passed or consumed");
    row("handlers that are no objects", bare(9, R"(,"delivery":"immediate","fields":{},"handlers":[3])"), "priority is null");
    row("a handler after the consumer",
        bare(9, R"(,"delivery":"immediate","fields":{},"handlers":[{"component":"A","priority":0,"result":"consumed"},{"component":"B","priority":0,"result":"passed"}])"),
        "expected those under notReached");
    const auto field = [](const std::string& value) {
        return R"({"sequence":9,"tick":3,"world":"w","type":"test.Everything","delivery":"immediate","fields":{)" + value + R"(},"handlers":[]})";
    };
    row("text for a number", field(R"("amount":"much")"), "fields.amount is text; expected");
    row("more than a float holds", field(R"("amount":1e300)"), "fields.amount is a number; expected");
    row("two of three", field(R"("point":[1,2])"), "fields.point is a list; expected");
    row("an unknown choice", field(R"("kind":"ice")"), "expected one of blunt, fire");
    row("deep", std::string(100'000, '['), "no JSON from here on");
    row("long", std::string(TraceReader::MaxLine + 1, ' '), "longer than 1 MiB");
    return out;
}

} // namespace sbx::trace_test
