#pragma once
// Messages that carry a number, for tests that count what came, and when.

#include "tests/net/pair.h"

#include <algorithm>

namespace sbx::net {

inline std::array<std::uint8_t, 4> numbered(std::uint32_t n) {
    return {static_cast<std::uint8_t>(n), static_cast<std::uint8_t>(n >> 8U),
            static_cast<std::uint8_t>(n >> 16U), static_cast<std::uint8_t>(n >> 24U)};
}
inline std::uint32_t numberOf(ByteView bytes) {
    return bytes.size() < 4 ? UINT32_MAX
                            : bytes[0] | (std::uint32_t{bytes[1]} << 8U) | (std::uint32_t{bytes[2]} << 16U)
                                  | (std::uint32_t{bytes[3]} << 24U);
}

// How often each number of [0, sent) has come, by Channel::next or Connection::next.
class Tally {
public:
    template <typename End> void take(End& end) {
        ReceivedMessage delivery;
        while (end.next(delivery)) {
            const std::uint32_t number = numberOf(delivery.body.bytes());
            if (number >= m_times.size()) {
                m_times.resize(number + std::size_t{1}, 0);
            }
            ++m_times[number];
            ordered = ordered && number == total;
            ++total;
        }
    }
    [[nodiscard]] bool onceEach(std::uint32_t sent) const {
        return total == sent && m_times.size() == sent
               && std::all_of(m_times.begin(), m_times.end(), [](std::uint32_t n) { return n == 1; });
    }
    [[nodiscard]] bool has(std::uint32_t number) const {
        return number < m_times.size() && m_times[number] > 0;
    }
    [[nodiscard]] bool anyTwice() const {
        return std::any_of(m_times.begin(), m_times.end(), [](std::uint32_t n) { return n > 1; });
    }
    std::uint32_t total = 0;
    bool ordered = true;

private:
    std::vector<std::uint32_t> m_times;
};

} // namespace sbx::net
