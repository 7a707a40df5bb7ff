#pragma once
// A message that a person composes: what the console's `send` takes, described once, so that the form, its checks and the line come from here.
// Values; any thread.

#include "engine/core/fields.h"
#include "engine/message/message_type.h"

#include <functional>
#include <map>
#include <string>

namespace sbx::ui {

// To whom and when it goes.
struct SendSettings {
    enum class Route : std::uint8_t { Entity, Children, Ancestors, Component, Everyone };
    enum class When : std::uint8_t { AtOnce, Seconds, Ticks };

    Route route = Route::Entity;
    std::string to;
    std::string component;
    When when = When::AtOnce;
    double seconds = 1.0;
    std::int64_t ticks = 1;
    std::int32_t priority = 0;
    std::int32_t minimum = 0;

    static void describe(FieldList<SendSettings>& f);
};

struct ComposedMessage {
    std::string type;
    std::map<std::string, Value> settings; // those of SendSettings that are not the default
    std::map<std::string, Value> fields;   // of the message, the same

    [[nodiscard]] SendSettings sendSettings() const;
    // `send Damage crate_3 amount=5 --after=2`. `entityName`: of entities in fields; an empty answer writes the handle.
    [[nodiscard]] std::string line(const std::function<std::string(EntityId)>& entityName) const;
    friend bool operator==(const ComposedMessage&, const ComposedMessage&) = default;
};

// The message as it was recorded, to `receiver`.
[[nodiscard]] ComposedMessage composedOf(const MessageType& type, const void* payload, const std::string& receiver);

} // namespace sbx::ui
