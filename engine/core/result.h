#pragma once
// Expected failure as a value: Result<T> holds a T or an Error: what is wrong, where, and what would be right.

#include "engine/core/contracts.h"
#include "engine/core/diagnostic.h"

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace sbx {

struct Error {
    std::string message; // what is wrong and what would be right, one line
    std::string file;    // may be empty
    SourceRegion region; // line 0: no place

    // `FILE:LINE:COLUMN: error: message`, leaving out what is not known.
    [[nodiscard]] std::string toString() const;
};

// An error without a place.
[[nodiscard]] inline Error makeError(std::string message) { return {std::move(message), {}, {}}; }

template <typename T> class [[nodiscard]] Result {
public:
    Result(T value) : m_state(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : m_state(std::in_place_index<1>, std::move(error)) {}

    [[nodiscard]] bool ok() const { return m_state.index() == 0; }
    explicit operator bool() const { return ok(); }
    [[nodiscard]] T& value() {
        SBX_EXPECT(ok(), "value of a failed Result");
        return std::get<0>(m_state);
    }
    [[nodiscard]] const T& value() const {
        SBX_EXPECT(ok(), "value of a failed Result");
        return std::get<0>(m_state);
    }
    [[nodiscard]] const Error& error() const {
        SBX_EXPECT(!ok(), "error of a successful Result");
        return std::get<1>(m_state);
    }
    T& operator*() { return value(); }
    const T& operator*() const { return value(); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }

private:
    std::variant<T, Error> m_state;
};

template <> class [[nodiscard]] Result<void> {
public:
    Result() = default;
    Result(Error error) : m_error(std::move(error)) {}

    [[nodiscard]] bool ok() const { return !m_error; }
    explicit operator bool() const { return ok(); }
    [[nodiscard]] const Error& error() const {
        SBX_EXPECT(!ok(), "error of a successful Result");
        return *m_error;
    }

private:
    std::optional<Error> m_error;
};

} // namespace sbx
