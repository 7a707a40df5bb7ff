#pragma once
// Writes JSON (RFC 8259) into a text, in the order in which values are given: the one writer of everything that the engine
// writes as JSON, so that escaping and the form of numbers are decided in one place. The same calls give the same bytes.
//
//     JsonWriter json;
//     json.beginObject().member("tick", tick).key("peers").beginArray();
//     for (const Peer& peer : peers)
//         json.onNewLine().value(peer.name);
//     json.endArray().endObject();
//     return std::move(json).take(); // {"tick":12,"peers":[
//                                    // "a",
//                                    // "b"]}
//
// Text that is not well-formed UTF-8 is written with U+FFFD in place of each faulty byte; numbers that are not finite, which
// JSON does not have, are written as null. Begin and end of objects and arrays are not checked against each other.
// Thread: one at a time.

#include "engine/core/value.h"

#include <concepts>
#include <string>
#include <string_view>
#include <utility>

namespace sbx {

class JsonWriter {
public:
    JsonWriter& beginObject() { return begin('{'); }
    JsonWriter& endObject() { return end('}'); }
    JsonWriter& beginArray() { return begin('['); }
    JsonWriter& endArray() { return end(']'); }

    // In an object; the next value belongs to it.
    JsonWriter& key(std::string_view name);

    JsonWriter& value(std::string_view text);
    JsonWriter& value(std::same_as<bool> auto truth) { return raw(truth ? "true" : "false"); }
    JsonWriter& value(std::integral auto number) requires(!std::same_as<decltype(number), bool>) {
        return raw(std::to_string(number));
    }
    // As formatFloat() and formatDouble() write them.
    JsonWriter& value(std::same_as<float> auto number) { return real(number); }
    JsonWriter& value(std::same_as<double> auto number) { return real(number); }
    JsonWriter& null() { return raw("null"); }
    // A value that is JSON already, such as a number with a fixed count of decimals.
    JsonWriter& raw(std::string_view json);

    template <typename T> JsonWriter& member(std::string_view name, const T& of) {
        return key(name).value(of);
    }

    // Puts the next key or value on a line of its own.
    JsonWriter& onNewLine() {
        m_newLine = true;
        return *this;
    }

    [[nodiscard]] const std::string& text() const { return m_text; }
    [[nodiscard]] std::string take() && { return std::move(m_text); }

private:
    JsonWriter& begin(char bracket);
    JsonWriter& end(char bracket);
    JsonWriter& real(float number);
    JsonWriter& real(double number);
    void separate(); // from the value before

    std::string m_text;
    bool m_needsComma = false;
    bool m_newLine = false;
};

} // namespace sbx
