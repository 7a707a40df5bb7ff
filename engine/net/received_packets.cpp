#include "engine/net/received_packets.h"

#include "engine/net/rules.h"

namespace sbx::net {

namespace {
constexpr std::uint8_t Present = 0x01;
constexpr std::uint8_t FirstMask = 0x02;
constexpr std::uint8_t HasRanges = 0x20;
constexpr std::uint8_t AckFlags = 0x3F;
constexpr std::uint32_t MaskBits = 32;
} // namespace

bool ReceivedPackets::received(std::uint64_t number) const {
    if (before(m_newest, number) || before(number, m_first) || m_newest - number >= m_window) {
        return false;
    }
    return ((m_bits[(number / 64U) % m_bits.size()] >> (number % 64U)) & 1U) != 0;
}

ReceivedPackets::Verdict ReceivedPackets::check(std::uint64_t number) const {
    if (before(m_newest, number)) {
        return Verdict::Fresh;
    }
    if (before(number, m_first) || m_newest - number >= m_window) {
        return enforced(Rule::StalePacketsAreDiscarded) ? Verdict::TooOld : Verdict::Fresh;
    }
    if (!enforced(Rule::LatePacketsCount)) {
        return Verdict::TooOld;
    }
    return received(number) ? Verdict::Duplicate : Verdict::Fresh;
}

void ReceivedPackets::accept(std::uint64_t number) {
    if (before(m_newest, number)) {
        if (number - m_newest >= MaxWindow) {
            m_bits.fill(0);
        } else {
            for (std::uint64_t passed = m_newest + 1; passed != number; ++passed) {
                m_bits[(passed / 64U) % m_bits.size()] &= ~(std::uint64_t{1} << (passed % 64U));
            }
        }
        m_newest = number;
    } else if (m_newest - number >= m_window) {
        return;
    }
    m_bits[(number / 64U) % m_bits.size()] |= std::uint64_t{1} << (number % 64U);
}

// Bit i: newest - 1 - i. Numbers before the first were never set.
std::uint32_t ReceivedPackets::mask() const {
    std::uint32_t mask = 0;
    if (m_window <= MaskBits) {
        for (std::uint32_t i = 0; i < MaskBits; ++i) {
            mask |= received(m_newest - 1 - i) ? std::uint32_t{1} << i : 0U;
        }
        return mask;
    }
    const std::uint64_t from = m_newest - MaskBits;
    const std::uint64_t shift = from % 64U;
    std::uint64_t bits = m_bits[(from / 64U) % m_bits.size()] >> shift;
    if (shift > 32) {
        bits |= m_bits[(from / 64U + 1U) % m_bits.size()] << (64U - shift);
    }
    // The lowest number comes last.
    mask = static_cast<std::uint32_t>(bits);
    mask = (mask >> 16U) | (mask << 16U);
    mask = ((mask >> 8U) & 0x00FF00FFU) | ((mask & 0x00FF00FFU) << 8U);
    mask = ((mask >> 4U) & 0x0F0F0F0FU) | ((mask & 0x0F0F0F0FU) << 4U);
    mask = ((mask >> 2U) & 0x33333333U) | ((mask & 0x33333333U) << 2U);
    return ((mask >> 1U) & 0x55555555U) | ((mask & 0x55555555U) << 1U);
}

AckInfo ReceivedPackets::acknowledgement(bool withRanges) const {
    AckInfo ack;
    ack.present = any();
    if (!ack.present) {
        return ack;
    }
    ack.newest = static_cast<std::uint16_t>(m_newest);
    ack.mask = mask();
    if (!withRanges) {
        return ack;
    }
    std::uint32_t gap = 0;
    for (std::uint32_t distance = MaskBits + 1; distance < m_window && ack.rangeCount < AckInfo::MaxRanges;) {
        if (!received(m_newest - distance)) {
            ++gap;
            ++distance;
            continue;
        }
        std::uint32_t length = 0;
        while (distance < m_window && received(m_newest - distance)) {
            ++length;
            ++distance;
        }
        ack.ranges[ack.rangeCount++] = {gap, length};
        gap = 0;
    }
    return ack;
}

void writeAck(ByteWriter& out, const AckInfo& ack, std::uint8_t otherFlags) {
    std::uint8_t flags = otherFlags;
    if (!ack.present) {
        out.u8(flags);
        return;
    }
    flags = static_cast<std::uint8_t>(flags | Present | (ack.rangeCount > 0 ? HasRanges : 0U));
    for (unsigned i = 0; i < 4; ++i) {
        if (((ack.mask >> (8U * i)) & 0xFFU) != 0xFFU) {
            flags = static_cast<std::uint8_t>(flags | (FirstMask << i));
        }
    }
    out.u8(flags);
    out.u16(ack.newest);
    out.u8(ack.delay);
    for (unsigned i = 0; i < 4; ++i) {
        if ((flags & (FirstMask << i)) != 0) {
            out.u8(static_cast<std::uint8_t>(ack.mask >> (8U * i)));
        }
    }
    if (ack.rangeCount > 0) {
        out.u8(ack.rangeCount);
        for (std::size_t i = 0; i < ack.rangeCount; ++i) {
            // Runs are apart by at least one, so every gap but the first counts from one.
            out.varint(ack.ranges[i].gap - (i > 0 ? 1U : 0U));
            out.varint(ack.ranges[i].length - 1U);
        }
    }
}

std::uint8_t readAck(ByteReader& in, AckInfo& ack) {
    ack.rangeCount = 0;
    const std::uint8_t flags = in.u8();
    ack.present = (flags & Present) != 0;
    if (!ack.present) {
        if ((flags & AckFlags) != 0) {
            in.fail();
        }
        return static_cast<std::uint8_t>(flags & ~AckFlags);
    }
    ack.newest = in.u16();
    ack.delay = in.u8();
    ack.mask = 0;
    for (unsigned i = 0; i < 4; ++i) {
        std::uint32_t byte = 0xFF;
        if ((flags & (FirstMask << i)) != 0) {
            byte = in.u8();
            if (byte == 0xFF) {
                in.fail(); // would have been left out
            }
        }
        ack.mask |= byte << (8U * i);
    }
    if ((flags & HasRanges) != 0) {
        const std::uint8_t count = in.u8();
        if (count == 0 || count > AckInfo::MaxRanges) {
            in.fail();
            return 0;
        }
        std::uint32_t total = MaskBits + 1;
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint32_t gap = in.varint();
            const std::uint32_t length = in.varint();
            if (!in.ok() || gap >= ReceivedPackets::MaxWindow || length >= ReceivedPackets::MaxWindow) {
                in.fail();
                return 0;
            }
            ack.ranges[i] = {gap + (i > 0 ? 1U : 0U), length + 1U};
            total += ack.ranges[i].gap + ack.ranges[i].length;
            if (total > ReceivedPackets::MaxWindow) {
                in.fail();
                return 0;
            }
        }
        ack.rangeCount = count;
    }
    return static_cast<std::uint8_t>(flags & ~AckFlags);
}

} // namespace sbx::net
