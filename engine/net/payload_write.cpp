#include "engine/net/payload.h"
#include "engine/net/rules.h"

namespace sbx::net {

namespace {
constexpr Time AckDelayUnit = Millisecond / 4;
} // namespace

bool valid(const Limits& limits) {
    return limits.window >= 2 && limits.window <= 8192 && limits.maxMessage >= 1
           && limits.maxMessage <= limits.pendingBytes && limits.pendingBytes <= 256U << 20U
           && limits.pendingEdges <= 1U << 20U && limits.reassemblyBytes <= 256U << 20U
           && limits.maxAckDelay >= 0 && limits.maxAckDelay <= 5 * Millisecond;
}

void writeLimits(ByteWriter& out, const Limits& limits) {
    out.u16(static_cast<std::uint16_t>(limits.window));
    out.u32(limits.pendingBytes);
    out.u32(limits.pendingEdges);
    out.u32(limits.reassemblyBytes);
    out.u32(limits.maxMessage);
    out.u8(static_cast<std::uint8_t>(limits.maxAckDelay / AckDelayUnit));
}

Limits readLimits(ByteReader& in) {
    Limits limits;
    limits.window = in.u16();
    limits.pendingBytes = in.u32();
    limits.pendingEdges = in.u32();
    limits.reassemblyBytes = in.u32();
    limits.maxMessage = in.u32();
    limits.maxAckDelay = in.u8() * AckDelayUnit;
    return limits;
}

void SectionWriter::begin(SectionKind kind, std::uint8_t flags) {
    m_kind = kind;
    m_flags = flags;
    m_headerAt = m_out.size();
    m_count = 0;
    m_out.u8(0);
    if (kind == SectionKind::Unreliable) {
        m_out.u8(flags);
    }
}

bool SectionWriter::finish(std::size_t start) {
    if (!m_out.ok()) {
        m_out.rewind(start);
        m_kind = m_oldKind;
        m_flags = m_oldFlags;
        m_headerAt = m_oldHeaderAt;
        m_count = m_oldCount;
        return false;
    }
    ++m_count;
    m_out.patch(m_headerAt, static_cast<std::uint8_t>(static_cast<unsigned>(m_kind) | (m_count << 3U)));
    m_oldKind = m_kind;
    m_oldFlags = m_flags;
    m_oldHeaderAt = m_headerAt;
    m_oldCount = m_count;
    return true;
}

void SectionWriter::head(std::uint64_t sequence, std::span<const std::uint64_t> dependencies) {
    auto word = static_cast<std::uint16_t>(toWire(sequence, m_bits));
    for (const std::uint64_t dependency : dependencies) {
        m_out.u16(static_cast<std::uint16_t>(word | MoreDependencies));
        word = static_cast<std::uint16_t>(toWire(dependency, m_bits));
    }
    m_out.u16(word);
}

bool SectionWriter::follows(std::uint64_t sequence, std::span<const std::uint64_t> dependencies) const {
    return enforced(Rule::RunsAndChainsAreShort) && m_count > 0 && sequence == m_last + 1
           && (dependencies.empty() || (dependencies.size() == 1 && dependencies[0] == m_last));
}

bool SectionWriter::guaranteed(std::uint64_t sequence, std::span<const std::uint64_t> dependencies,
                               std::uint16_t type, ByteView body) {
    const std::size_t start = m_out.size();
    const SectionKind wanted = dependencies.empty() ? SectionKind::Run : SectionKind::Chain;
    const bool room = m_count < MaxInSection;
    const bool single = m_kind == SectionKind::Guaranteed && m_count == 1;
    const bool consecutive = follows(sequence, dependencies);
    if (consecutive && room && (m_kind == wanted || single)) {
        m_kind = wanted; // the head is implied
    } else {
        // A message that could be the second of a run begins a section of its own when the open one is past that.
        if (m_kind != SectionKind::Guaranteed || !room || consecutive) {
            begin(SectionKind::Guaranteed, 0);
        }
        head(sequence, dependencies);
    }
    m_out.varint(type);
    m_out.varint(static_cast<std::uint32_t>(body.size()));
    m_out.bytes(body);
    if (!finish(start)) {
        return false;
    }
    m_last = sequence;
    return true;
}

bool SectionWriter::fragment(std::uint64_t sequence, std::span<const std::uint64_t> dependencies,
                             std::uint16_t type, std::uint32_t total, std::uint32_t index,
                             std::uint32_t count, ByteView body) {
    const std::size_t start = m_out.size();
    if (m_kind != SectionKind::Fragment || m_count >= MaxInSection) {
        begin(SectionKind::Fragment, 0);
    }
    head(sequence, index == 0 ? dependencies : std::span<const std::uint64_t>());
    m_out.u16(static_cast<std::uint16_t>(index));
    m_out.u16(static_cast<std::uint16_t>(count - 1U));
    if (index == 0) {
        m_out.varint(type);
        m_out.varint(total);
    }
    m_out.varint(static_cast<std::uint32_t>(body.size()));
    m_out.bytes(body);
    return finish(start);
}

bool SectionWriter::unreliable(const Unreliable& how, std::uint16_t type, ByteView body) {
    const std::size_t start = m_out.size();
    const auto flags = static_cast<std::uint8_t>((how.latest ? 1U : 0U) | (how.hasAfter ? 2U : 0U));
    if (m_kind != SectionKind::Unreliable || m_flags != flags || m_count >= MaxInSection) {
        begin(SectionKind::Unreliable, flags);
    }
    if (how.hasAfter) {
        m_out.u16(static_cast<std::uint16_t>(toWire(how.after, m_bits)));
    }
    m_out.varint(type);
    if (how.latest) {
        m_out.varint(how.key);
    }
    m_out.varint(static_cast<std::uint32_t>(body.size()));
    m_out.bytes(body);
    return finish(start);
}

bool SectionWriter::control(const ControlFrame& frame) {
    const std::size_t start = m_out.size();
    if (m_kind != SectionKind::Control || m_count >= MaxInSection) {
        begin(SectionKind::Control, 0);
    }
    m_out.u8(static_cast<std::uint8_t>(frame.code));
    switch (frame.code) {
    case ControlCode::Ping:
        break;
    case ControlCode::Close:
        m_out.u8(frame.reason);
        break;
    case ControlCode::PathChallenge:
    case ControlCode::PathResponse:
        m_out.u64(frame.value);
        break;
    case ControlCode::Accept:
        writeLimits(m_out, frame.limits);
        m_out.u32(frame.timeoutMs);
        m_out.u16(frame.tickRate);
        break;
    }
    return finish(start);
}

} // namespace sbx::net
