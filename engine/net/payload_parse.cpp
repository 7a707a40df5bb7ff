#include "engine/net/message.h"
#include "engine/net/payload.h"
#include "engine/net/rules.h"

namespace sbx::net {

namespace {

constexpr std::uint8_t HasTick = 0x40;
constexpr std::uint32_t LongCount = 31;

// One pass over the bytes. Totals are bounded by the datagram: every message takes at least two bytes.
class PayloadParser {
public:
    PayloadParser(ByteView bytes, unsigned bits, Payload& out)
        : m_in(bytes), m_mask(static_cast<std::uint16_t>((1U << bits) - 1U)), m_out(out) {}

    bool parse() {
        m_out.sections.clear();
        m_out.messages.clear();
        m_out.dependencies.clear();
        m_out.controls.clear();
        m_out.eliciting = false;
        m_out.hasTick = false;
        const std::uint8_t flags = readAck(m_in, m_out.ack);
        if ((flags & ~HasTick) != 0) {
            return false;
        }
        if ((flags & HasTick) != 0) {
            m_out.hasTick = true;
            m_out.tick = m_in.u16();
        }
        while (m_in.ok() && m_in.remaining() > 0) {
            if (!section()) {
                return false;
            }
        }
        return m_in.ok();
    }

private:
    bool section() {
        const std::uint8_t header = m_in.u8();
        const auto kind = static_cast<SectionKind>(header & 7U);
        std::uint32_t count = header >> 3U;
        if (count == LongCount) {
            const std::uint32_t more = m_in.varint();
            if (more > MaxDatagram) {
                return false;
            }
            count += more;
        }
        if (kind == SectionKind::Padding) {
            return count == 0 && padding();
        }
        if (count == 0) {
            return false;
        }
        m_out.eliciting = true;
        const bool control = kind == SectionKind::Control;
        m_out.sections.push_back(
            {kind, static_cast<std::uint32_t>(control ? m_out.controls.size() : m_out.messages.size()),
             count});
        std::uint8_t flags = 0;
        if (kind == SectionKind::Unreliable) {
            flags = m_in.u8();
            if (flags > 3) {
                return false;
            }
        }
        for (std::uint32_t i = 0; i < count && m_in.ok(); ++i) {
            bool good = false;
            switch (kind) {
            case SectionKind::Guaranteed:
                good = guaranteed(kind, true);
                break;
            case SectionKind::Run:
            case SectionKind::Chain:
                good = guaranteed(kind, i == 0);
                break;
            case SectionKind::Unreliable:
                good = unreliable(flags);
                break;
            case SectionKind::Fragment:
                good = fragment();
                break;
            case SectionKind::Control:
                good = controlFrame();
                break;
            case SectionKind::Padding:
            case SectionKind::Snapshot: // reserved in this version
                break;
            }
            if (!good) {
                return false;
            }
        }
        return m_in.ok();
    }

    bool padding() {
        for (const std::uint8_t byte : m_in.bytes(m_in.remaining())) {
            if (byte != 0) {
                return false;
            }
        }
        return true;
    }

    bool head(WireMessage& message) {
        std::uint16_t word = m_in.u16();
        message.sequence = word & static_cast<std::uint16_t>(~MoreDependencies);
        message.firstDependency = static_cast<std::uint32_t>(m_out.dependencies.size());
        while (m_in.ok() && (word & MoreDependencies) != 0) {
            if (message.dependencyCount == MaxDependencies && enforced(Rule::DependenciesAreCapped)) {
                return false;
            }
            word = m_in.u16();
            m_out.dependencies.push_back(word & static_cast<std::uint16_t>(~MoreDependencies));
            ++message.dependencyCount;
            if ((m_out.dependencies.back() & ~m_mask) != 0) {
                return false;
            }
        }
        return m_in.ok() && (message.sequence & ~m_mask) == 0;
    }

    bool typeAndBody(WireMessage& message) {
        const std::uint32_t type = m_in.varint();
        const std::uint32_t size = m_in.varint();
        if (!m_in.ok() || type > UINT16_MAX || size > m_in.remaining()) {
            return false;
        }
        message.type = static_cast<std::uint16_t>(type);
        message.body = m_in.bytes(size);
        return true;
    }

    // A message that fails fails all of the payload: what stands in `messages` then means nothing.
    bool guaranteed(SectionKind kind, bool full) {
        const std::uint16_t previous = m_out.messages.empty() ? std::uint16_t{0} : m_out.messages.back().sequence;
        WireMessage& message = m_out.messages.emplace_back();
        message.kind = kind;
        if (full) {
            if (!head(message)) {
                return false;
            }
        } else {
            message.sequence = static_cast<std::uint16_t>((previous + 1U) & m_mask);
            message.firstDependency = static_cast<std::uint32_t>(m_out.dependencies.size());
            if (kind == SectionKind::Chain) {
                m_out.dependencies.push_back(previous);
                message.dependencyCount = 1;
            }
        }
        return typeAndBody(message);
    }

    bool fragment() {
        WireMessage message;
        message.kind = SectionKind::Fragment;
        if (!head(message)) {
            return false;
        }
        message.fragment = m_in.u16();
        message.lastFragment = m_in.u16();
        if (!m_in.ok() || message.fragment > message.lastFragment || message.lastFragment == 0) {
            return false;
        }
        if (message.fragment == 0) {
            const std::uint32_t type = m_in.varint();
            message.total = m_in.varint();
            const std::uint64_t whole = static_cast<std::uint64_t>(message.lastFragment) * FragmentSize;
            if (!m_in.ok() || type > UINT16_MAX || message.total <= whole
                || message.total > whole + FragmentSize) {
                return false;
            }
            message.type = static_cast<std::uint16_t>(type);
        } else if (message.dependencyCount > 0) {
            return false;
        }
        const std::uint32_t size = m_in.varint();
        const bool last = message.fragment == message.lastFragment;
        if (!m_in.ok() || size > m_in.remaining() || size == 0 || size > FragmentSize
            || (!last && size != FragmentSize)) {
            return false;
        }
        message.body = m_in.bytes(size);
        m_out.messages.push_back(message);
        return true;
    }

    bool unreliable(std::uint8_t flags) {
        WireMessage message;
        message.kind = SectionKind::Unreliable;
        message.latest = (flags & 1U) != 0;
        message.hasAfter = (flags & 2U) != 0;
        if (message.hasAfter) {
            message.after = m_in.u16();
            if ((message.after & ~m_mask) != 0) {
                return false;
            }
        }
        const std::uint32_t type = m_in.varint();
        if (type > UINT16_MAX) {
            return false;
        }
        message.type = static_cast<std::uint16_t>(type);
        message.key = message.latest ? m_in.varint() : 0;
        const std::uint32_t size = m_in.varint();
        if (!m_in.ok() || size > m_in.remaining()) {
            return false;
        }
        message.body = m_in.bytes(size);
        m_out.messages.push_back(message);
        return true;
    }

    bool controlFrame() {
        ControlFrame frame;
        const std::uint8_t code = m_in.u8();
        frame.code = static_cast<ControlCode>(code);
        switch (frame.code) {
        case ControlCode::Ping:
            break;
        case ControlCode::Close:
            frame.reason = m_in.u8();
            if (frame.reason < static_cast<std::uint8_t>(CloseReason::Closed)
                || frame.reason > static_cast<std::uint8_t>(LastCloseReason)) {
                return false;
            }
            break;
        case ControlCode::PathChallenge:
        case ControlCode::PathResponse:
            frame.value = m_in.u64();
            break;
        case ControlCode::Accept:
            frame.limits = readLimits(m_in);
            frame.timeoutMs = m_in.u32();
            frame.tickRate = m_in.u16();
            if (!valid(frame.limits) || frame.timeoutMs < MinTimeoutMs || frame.timeoutMs > MaxTimeoutMs
                || frame.tickRate == 0) {
                return false;
            }
            break;
        default:
            if (enforced(Rule::UnknownFramesAreRefused)) {
                return false;
            }
            break;
        }
        if (!m_in.ok()) {
            return false;
        }
        m_out.controls.push_back(frame);
        return true;
    }

    ByteReader m_in;
    std::uint16_t m_mask;
    Payload& m_out;
};

} // namespace

bool parsePayload(ByteView bytes, unsigned sequenceBits, Payload& out) {
    return PayloadParser(bytes, sequenceBits, out).parse();
}

} // namespace sbx::net
