#pragma once
// Text of bounded length inside a trivially copyable struct: what messages carry instead of std::string.

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace sbx {

// Up to N bytes of UTF-8; longer text is cut at a character boundary. Unused bytes are zero, so equal texts are equal bytes.
template <std::size_t N> class FixedText {
public:
    constexpr FixedText() = default;
    FixedText(std::string_view text) { assign(text); }
    FixedText(const char* text) { assign(text); }

    void assign(std::string_view text) {
        std::size_t length = std::min(text.size(), N);
        if (length < text.size())
            while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0U) == 0x80U)
                --length;
        m_bytes.fill('\0');
        std::copy_n(text.begin(), length, m_bytes.begin());
    }
    [[nodiscard]] std::string_view view() const {
        return {m_bytes.data(),
                static_cast<std::size_t>(std::find(m_bytes.begin(), m_bytes.end(), '\0') - m_bytes.begin())};
    }
    [[nodiscard]] std::string string() const { return std::string(view()); }
    [[nodiscard]] bool empty() const { return m_bytes[0] == '\0'; }
    friend bool operator==(const FixedText&, const FixedText&) = default;

private:
    std::array<char, N> m_bytes{};
};

using Text = FixedText<48>;

} // namespace sbx
