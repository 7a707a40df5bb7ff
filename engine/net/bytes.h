#pragma once
// Bounds-checked reading and writing of little-endian bytes and of bits. A reader that ran past its end, or met a form that a
// canonical writer never makes, stays failed and yields zeros; a writer that ran out of room stays failed, and writes no more, until it is rewound.

#include "engine/net/transport.h"

#include <bit>
#include <cstring>

namespace sbx::net {

static_assert(std::endian::native == std::endian::little, "the wire's order of bytes is this machine's");

class ByteReader {
public:
    explicit ByteReader(ByteView bytes) : m_bytes(bytes) {}

    [[nodiscard]] bool ok() const { return m_ok; }
    [[nodiscard]] std::size_t remaining() const { return m_bytes.size() - m_at; }
    [[nodiscard]] std::size_t position() const { return m_at; }
    void fail() { m_ok = false; }

    std::uint8_t u8() { return number<std::uint8_t>(); }
    std::uint16_t u16() { return number<std::uint16_t>(); }
    std::uint32_t u32() { return number<std::uint32_t>(); }
    std::uint64_t u64() { return number<std::uint64_t>(); }
    // Seven bits a byte, lowest first, high bit: more follow. Longer than needed, or past 32 bits, fails.
    std::uint32_t varint() {
        if (m_ok && remaining() > 0 && m_bytes[m_at] < 0x80U) {
            return m_bytes[m_at++];
        }
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 35; shift += 7) {
            const std::uint8_t byte = u8();
            value |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
            if ((byte & 0x80U) == 0) {
                if ((byte == 0 && shift > 0) || value > UINT32_MAX) {
                    m_ok = false;
                }
                return m_ok ? static_cast<std::uint32_t>(value) : 0;
            }
        }
        m_ok = false;
        return 0;
    }
    ByteView bytes(std::size_t count) {
        if (!m_ok || count > remaining()) {
            m_ok = false;
            return {};
        }
        const ByteView view = m_bytes.subspan(m_at, count);
        m_at += count;
        return view;
    }

private:
    template <typename Number> Number number() {
        if (!m_ok || sizeof(Number) > remaining()) {
            m_ok = false;
            return 0;
        }
        Number value = 0;
        std::memcpy(&value, m_bytes.data() + m_at, sizeof value);
        m_at += sizeof value;
        return value;
    }

    ByteView m_bytes;
    std::size_t m_at = 0;
    bool m_ok = true;
};

class ByteWriter {
public:
    explicit ByteWriter(std::span<std::uint8_t> room) : m_room(room) {}

    [[nodiscard]] bool ok() const { return m_ok; }
    [[nodiscard]] std::size_t size() const { return m_at; }
    [[nodiscard]] std::size_t remaining() const { return m_room.size() - m_at; }
    [[nodiscard]] ByteView written() const { return m_room.first(m_at); }
    // Back to an earlier size at which all was well.
    void rewind(std::size_t size) {
        m_at = size < m_at ? size : m_at;
        m_ok = true;
    }
    void patch(std::size_t at, std::uint8_t value) { m_room[at] = value; }

    void u8(std::uint8_t value) { number(value); }
    void u16(std::uint16_t value) { number(value); }
    void u32(std::uint32_t value) { number(value); }
    void u64(std::uint64_t value) { number(value); }
    void varint(std::uint32_t value) {
        while (value >= 0x80U) {
            u8(static_cast<std::uint8_t>(value | 0x80U));
            value >>= 7U;
        }
        u8(static_cast<std::uint8_t>(value));
    }
    void bytes(ByteView view) {
        if (!m_ok || view.size() > remaining()) {
            m_ok = false;
            return;
        }
        if (!view.empty()) {
            std::memcpy(m_room.data() + m_at, view.data(), view.size());
        }
        m_at += view.size();
    }

private:
    template <typename Number> void number(Number value) {
        if (!m_ok || sizeof value > remaining()) {
            m_ok = false;
            return;
        }
        std::memcpy(m_room.data() + m_at, &value, sizeof value);
        m_at += sizeof value;
    }

    std::span<std::uint8_t> m_room;
    std::size_t m_at = 0;
    bool m_ok = true;
};

[[nodiscard]] constexpr std::size_t varintSize(std::uint32_t value) {
    std::size_t size = 1;
    for (; value >= 0x80U; value >>= 7U) {
        ++size;
    }
    return size;
}

// Bits fill each byte from its lowest.
class BitWriter {
public:
    explicit BitWriter(std::span<std::uint8_t> room) : m_room(room) {}
    [[nodiscard]] bool ok() const { return m_ok; }
    [[nodiscard]] std::size_t bits() const { return m_bits; }
    // The written bytes; unused bits of the last are zero.
    [[nodiscard]] ByteView written() const { return m_room.first((m_bits + 7U) / 8U); }
    // `count` in 0..32; bits of `value` above it are ignored.
    void write(std::uint32_t value, unsigned count) {
        if (!m_ok || count > 32 || m_bits + count > m_room.size() * 8U) {
            m_ok = false;
            return;
        }
        while (count > 0) {
            const unsigned offset = m_bits % 8U;
            const unsigned taken = count < 8U - offset ? count : 8U - offset; // the rest of this byte
            std::uint8_t& byte = m_room[m_bits / 8U];
            const unsigned part = value & ((1U << taken) - 1U);
            byte = static_cast<std::uint8_t>((offset == 0 ? 0U : byte) | (part << offset));
            value >>= taken;
            count -= taken;
            m_bits += taken;
        }
    }
    // A number of up to 32 bits in a few more than it has: its length in `lengthBits` bits (5: up to 31 bits, 6: up to 32), then all but
    // its highest bit.
    void writeShort(std::uint32_t value, unsigned lengthBits) {
        const auto length = static_cast<unsigned>(std::bit_width(value));
        if (length >> lengthBits != 0) {
            m_ok = false;
            return;
        }
        write(length, lengthBits);
        if (length > 1) {
            write(value, length - 1);
        }
    }

private:
    std::span<std::uint8_t> m_room;
    std::size_t m_bits = 0;
    bool m_ok = true;
};

class BitReader {
public:
    explicit BitReader(ByteView bytes) : m_bytes(bytes) {}
    [[nodiscard]] bool ok() const { return m_ok; }
    [[nodiscard]] std::size_t remaining() const { return m_bytes.size() * 8U - m_bits; }
    std::uint32_t read(unsigned count) {
        if (!m_ok || count > 32 || count > remaining()) {
            m_ok = false;
            return 0;
        }
        std::uint32_t value = 0;
        for (unsigned done = 0; done < count;) {
            const unsigned offset = m_bits % 8U;
            const unsigned taken = count - done < 8U - offset ? count - done : 8U - offset;
            const std::uint32_t part =
                (static_cast<std::uint32_t>(m_bytes[m_bits / 8U]) >> offset) & ((1U << taken) - 1U);
            value |= part << done;
            done += taken;
            m_bits += taken;
        }
        return value;
    }
    // What BitWriter::writeShort() wrote.
    std::uint32_t readShort(unsigned lengthBits) {
        const std::uint32_t length = read(lengthBits);
        if (length > 32) {
            m_ok = false;
        }
        if (!m_ok || length <= 1) {
            return m_ok ? length : 0;
        }
        return (1U << (length - 1)) | read(length - 1);
    }
    // Nothing but the zero bits that fill the last byte is left.
    [[nodiscard]] bool atEnd() {
        const std::size_t left = remaining();
        return left < 8 && read(static_cast<unsigned>(left)) == 0 && m_ok;
    }

private:
    ByteView m_bytes;
    std::size_t m_bits = 0;
    bool m_ok = true;
};

} // namespace sbx::net
