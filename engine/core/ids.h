#pragma once
// Generation handles: small values that name something without keeping it alive. Zero names nothing; a handle to something
// that has died compares unequal to whatever took its place.

#include <compare>
#include <cstdint>
#include <functional>

namespace sbx {

// Low 32 bits index, high 32 bits generation (starting at 1).
template <typename Tag> struct Handle {
    std::uint64_t bits = 0;

    constexpr Handle() = default;
    constexpr Handle(std::uint32_t index, std::uint32_t generation)
        : bits((static_cast<std::uint64_t>(generation) << 32U) | index) {}
    [[nodiscard]] static constexpr Handle fromBits(std::uint64_t value) {
        Handle h;
        h.bits = value;
        return h;
    }
    [[nodiscard]] constexpr std::uint32_t index() const { return static_cast<std::uint32_t>(bits); }
    [[nodiscard]] constexpr std::uint32_t generation() const {
        return static_cast<std::uint32_t>(bits >> 32U);
    }
    [[nodiscard]] constexpr explicit operator bool() const { return bits != 0; }
    friend constexpr bool operator==(Handle, Handle) = default;
    friend constexpr auto operator<=>(Handle, Handle) = default;
};

struct EntityTag;
using EntityId = Handle<EntityTag>;

// Dense, interned by name at run time; valid in this process only.
using MessageTypeId = std::uint16_t;
using ComponentTypeId = std::uint16_t;
inline constexpr std::uint16_t NoType = 0xFFFF;

using NameId = std::uint32_t; // of a NameTable; 0: no name, reads as ""

} // namespace sbx

template <typename Tag> struct std::hash<sbx::Handle<Tag>> {
    std::size_t operator()(sbx::Handle<Tag> h) const noexcept { return std::hash<std::uint64_t>{}(h.bits); }
};
