#include "engine/audio/detail/voice.h"

#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>

namespace sbx::audio {

namespace {

constexpr double FilterSeconds = 0.02;            // time constant of the filter
constexpr double SlewSeconds = 0.02;              // a gain by hand crosses full scale in this time
constexpr double JumpSeconds = 0.01;              // cross-fade of a jump
constexpr double SteepestDelay = 0.5;             // frames per frame
constexpr double InsideHead = 0.05;               // m: nearer than this a source has no direction
constexpr float FlatScale = 0.5F / TransformSize; // of packed filters, as in packFilter()

void flatFilter(float left, float right, float* out) {
    for (int ear = 0; ear < 2; ++ear) {
        float* packed = out + ear * SpectrumFloats;
        std::fill_n(packed, 128, (ear == 0 ? left : right) * FlatScale);
        std::fill_n(packed + 128, 128, 0.0F);
        packed[128] = packed[0];
    }
}

glm::vec3 toHead(const Quat& turn, const glm::dvec3& world) { return turn * glm::vec3(world); }

// Seen from an ear, a near source lies elsewhere than from the centre: the line from the ear through it meets
// the sphere of measurement at another direction. Source: D. Romblom and B. Cook, "Near-field compensation
// for HRTF processing", 2008.
glm::vec3 parallax(const glm::vec3& source, float side, float radius) {
    const glm::vec3 ear(side * static_cast<float>(HeadRadius), 0.0F, 0.0F);
    glm::vec3 line = source - ear;
    const float length = glm::length(line);
    if (length < 1e-4F) {
        return {side, 0.0F, 0.0F};
    }
    line /= length;
    const float along = glm::dot(ear, line);
    const float reach =
        -along + std::sqrt(std::max(0.0F, along * along - glm::dot(ear, ear) + radius * radius));
    return (ear + line * reach) / radius;
}

float slewed(float now, float target, float step) {
    const float most = step * std::max({1.0F, std::abs(now), std::abs(target)});
    return now + std::clamp(target - now, -most, most);
}

} // namespace

float controlGain(const SourceSettings& settings, bool anySolo) noexcept {
    if (settings.mute || (anySolo && !settings.solo) || !(settings.gain > 0.0F)) {
        return 0.0F;
    }
    return std::min(settings.gain, 1000.0F) * occlusionGain(settings);
}

Voice::Voice(std::size_t ringFrames)
    : m_heads{Head{AlignedFloats(ringFrames + 64), NearMask, 0, 0, false, {}},
              Head{AlignedFloats(ringFrames + 64), NearMask, 0, 0, false, {}}},
      m_farMask(static_cast<unsigned>(ringFrames) - 1U),
      m_input(2 * TransformSize),
      m_filter(HrtfSet::FilterFloats) {}

void Voice::begin(bool fadeIn) {
    m_fadeIn = fadeIn;
    m_fresh = true;
    m_settled = false;
    m_inputWasSilent = true;
    m_current = 0;
    m_fade = 0;
    m_reflected = m_jumpedReflected = false;
    m_control = 0.0F;
    m_pass = 1.0F;
    m_passState = {};
    m_heads[0].primed = m_heads[1].primed = false;
    std::memset(m_input.data(), 0, m_input.size() * sizeof(float));
}

Voice::Delays Voice::delaysAt(const Source& source, const BlockContext& block, Frame frame, const Motion& ear,
                              const Quat& turn, const Motion& earLater, const Quat& turnLater,
                              const Delays* before, double guess) const noexcept {
    const double time = static_cast<double>(frame);
    Delays result;
    const bool plain = block.mode == Mode::Plain && source.settings.spatial;
    if (plain || !source.settings.doppler || !source.settings.spatial) {
        result.path = instantPath(source.trajectory, ear, time);
    } else {
        result.path = solvePath(source.trajectory, ear, time, block.sampleRate, block.speed, guess);
    }
    result.head = toHead(turn, result.path.relative);
    if (!source.settings.spatial) {
        return result;
    }
    const double later = BlockFrames / block.sampleRate;
    if (plain) {
        const Path next = instantPath(source.trajectory, earLater, time + BlockFrames);
        for (std::size_t e = 0; e < 2; ++e) {
            const glm::vec3 offset((e == 0 ? -0.5F : 0.5F) * static_cast<float>(block.plainSpan), 0.0F, 0.0F);
            const auto distance = [&](const Path& path, const Quat& q) {
                return glm::length(path.relative - glm::dvec3(glm::inverse(q) * offset)) * block.sampleRate
                       / block.speed;
            };
            result.delay[e] = distance(result.path, turn);
            const double ahead = distance(next, turnLater);
            result.slope[e] = before != nullptr ? (ahead - before->delay[e]) / (2.0 * BlockFrames)
                                                : (ahead - result.delay[e]) / BlockFrames;
        }
        return result;
    }
    double slope = 0.0;
    if (block.mode == Mode::Hrtf || block.mode == Mode::Sphere) {
        // Within the head direction means nothing: the difference fades with the distance.
        const auto itd = [&](const glm::vec3& at, double distance) {
            float seconds = block.set->itd(at);
            if (block.setBefore != nullptr) {
                seconds = block.setBefore->itd(at) + (seconds - block.setBefore->itd(at)) * block.setFade;
            }
            const double inside =
                std::clamp((distance - InsideHead) / (NearFieldTable::Nearest - InsideHead), 0.0, 1.0);
            return static_cast<double>(seconds) * block.sampleRate * inside * inside * (3.0 - 2.0 * inside);
        };
        result.itd = itd(result.head, result.path.distance);
        const glm::dvec3 ahead = result.path.relative + result.path.velocity * later;
        const double next = itd(toHead(turnLater, ahead), glm::length(ahead));
        slope = before != nullptr ? (next - before->itd) / (2.0 * BlockFrames)
                                  : (next - result.itd) / BlockFrames;
    }
    result.delay = {result.path.delay + 0.5 * result.itd, result.path.delay - 0.5 * result.itd};
    result.slope = {result.path.delaySlope + 0.5 * slope, result.path.delaySlope - 0.5 * slope};
    return result;
}

void Voice::fill(Head& head, const SignalPlayer& player, const BlockContext& block, double lowest, double highest) noexcept {
    const Frame from = static_cast<Frame>(std::floor(lowest)) - 32;
    const Frame to = static_cast<Frame>(std::ceil(highest)) + 32;
    const unsigned mask = block.room != nullptr ? m_farMask : NearMask;
    const auto most = static_cast<Frame>(mask);
    if (!head.primed || head.mask != mask || from < head.written - most || to > head.written + most - BlockFrames) {
        // Reflections hear further back, as far as the ring goes.
        const Frame history = most - static_cast<Frame>(NearMask);
        head.mask = mask;
        head.written = ((from - history) / BlockFrames - 1) * BlockFrames;
        head.silentFrom = head.written;
        head.primed = true;
    }
    // Whole cells of a fixed grid: what a cell holds does not depend on how it was come to.
    while (head.written < to) {
        const unsigned at = static_cast<unsigned>(head.written) & mask;
        player.generate(head.written, BlockFrames, head.ring.data() + at);
        if (at == 0) {
            std::memcpy(head.ring.data() + mask + 1U, head.ring.data(), 64 * sizeof(float));
        }
        head.written += BlockFrames;
        if (block.kernels->peak(head.ring.data() + at, BlockFrames) > 0.0F) {
            head.silentFrom = head.written;
        }
    }
}

// Reads from d0 to d1 frames before the block, slopes in frames per block; gains and target are the caller's.
ReadJob Voice::jobFor(const Head& head, const BlockContext& block, Quality quality, double d0, double d1, double s0,
                      double s1) const noexcept {
    constexpr double N = BlockFrames;
    const double whole = std::floor(d0);
    const double step = d1 - d0;
    ReadJob job{};
    job.ring = head.ring.data();
    job.ringMask = head.mask;
    job.base = static_cast<unsigned>(block.begin - static_cast<Frame>(whole));
    job.q[0] = static_cast<float>(whole - d0);
    job.q[1] = static_cast<float>(-s0 / N);
    job.q[2] = static_cast<float>(-(3.0 * step - 2.0 * s0 - s1) / (N * N));
    job.q[3] = static_cast<float>(-(s0 + s1 - 2.0 * step) / (N * N * N));
    const InterpolationTable& table = block.tables->table(quality, 1.0 - step / N);
    job.table = table.rows.data();
    job.taps = table.taps;
    return job;
}

void Voice::readHead(Head& head, const Source& source, const BlockContext& block, const Delays& end,
                     float gainFrom, float gainTo, bool add) noexcept {
    std::array<ReadJob, 2> jobs;
    double lowest = 1e300;
    double highest = -1e300;
    const double now = static_cast<double>(block.begin);
    constexpr double N = BlockFrames;
    for (std::size_t e = 0; e < 2; ++e) {
        const double d0 = head.at.delay[e];
        const double d1 = end.delay[e];
        double s0 = head.at.slope[e] * BlockFrames;
        double s1 = end.slope[e] * BlockFrames;
        const double step = d1 - d0;
        if (block.mode == Mode::Plain && block.quality == Quality::Linear) {
            s0 = s1 = step; // the straight line of the published method
        }
        ReadJob& job = jobs[e];
        job = jobFor(head, block, block.quality, d0, d1, s0, s1);
        job.gainFrom = gainFrom;
        job.gainTo = gainTo;
        job.out = m_input.data() + e * TransformSize + BlockFrames;
        job.add = add ? 1 : 0;
        const double bulge = (std::abs(s0 - step) + std::abs(s1 - step)) * 0.3;
        lowest = std::min(lowest, now + std::min(-d0, N - d1) - bulge);
        highest = std::max(highest, now + std::max(-d0, N - d1) + bulge);
    }
    fill(head, source.player, block, lowest, highest);
    const bool silent = lowest - 32.0 >= static_cast<double>(head.silentFrom);
    for (ReadJob& job : jobs) {
        job.ringMask = head.mask;
        if (!silent) {
            block.kernels->read(job);
        } else if (!add) {
            std::memset(job.out, 0, BlockFrames * sizeof(float));
        }
    }
    head.at = end;
}

void Voice::leaveReflections(const Head& head, const BlockContext& block, float controlFrom) noexcept {
    const Quality quality = block.quality == Quality::Best ? Quality::Balanced : block.quality;
    const auto add = [&](Quality how, double delay, double slope, float gain, float* out) {
        if (gain <= 0.0F) {
            return;
        }
        ReadJob job = jobFor(head, block, how, delay, delay + slope, slope, slope);
        job.gainFrom = gain;
        job.gainTo = 0.0F;
        job.out = out;
        job.add = 1;
        block.kernels->read(job);
    };
    for (std::size_t i = 0; i < imagesOfOrder(block.room->room.order); ++i) {
        const Images::Image& image = m_images.images[i];
        for (std::size_t e = 0; e < 2; ++e) {
            add(quality, image.delay[e], image.slope[e], image.gain[e] * controlFrom,
                block.reflections + (wallsOf(i) == 1 ? e : 2 + e) * BlockFrames);
        }
    }
    add(Quality::Fast, m_images.sendDelay, m_images.sendSlope, m_images.send * controlFrom, block.send);
}

void Voice::reflect(const Head& head, const Source& source, const BlockContext& block, const Delays& end, float controlFrom,
                    float controlTo) noexcept {
    const RoomDesign& design = *block.room;
    const SourceSettings& settings = source.settings;
    Images& images = m_images;
    // What begins is reflected whole, what jumps fades over the block, and to what comes in sounding the walls come slowly.
    const bool fresh = !m_reflected || images.design != block.roomSerial;
    const bool whole = (m_fresh && !m_fadeIn) || m_jumpedReflected;
    const float jump = m_jumpedReflected ? 0.0F : 1.0F;
    images.design = block.roomSerial;
    m_reflected = true;
    // All in the room's frame; only the side on which an image lies is looked up in the HRTF set.
    const glm::dvec3 ear = design.toRoom * (block.earEnd.position - design.room.centre);
    const glm::dvec3 place = ear + design.toRoom * end.path.relative;
    const Quat toHeadTurn = block.turnEnd * design.room.rotation;
    const float inside = isWithin(place, design.room.size, WallSlack) ? 1.0F : 0.0F;
    const float insideBefore = fresh ? (whole ? inside : 0.0F) : images.inside;
    images.inside = slewed(insideBefore, inside, static_cast<float>(BlockFrames / (SlewSeconds * block.sampleRate)));
    const auto longest = static_cast<double>(head.mask) - 1536.0; // beyond the straight way
    const Quality quality = block.quality == Quality::Best ? Quality::Balanced : block.quality;
    const double perMetre = block.sampleRate / block.speed;
    constexpr double N = BlockFrames;
    const auto limited = [&](double to, double from) { return std::clamp(to, from - SteepestDelay * N, from + SteepestDelay * N); };
    for (std::size_t i = 0; i < imagesOfOrder(design.room.order); ++i) {
        Images::Image& image = images.images[i];
        const glm::dvec3 way = imageOf(i, place, design.room.size) - ear;
        const double distance = glm::length(way);
        const double centre = end.path.delay + (distance - end.path.distance) * perMetre;
        const float sine = distance > 1e-3 && block.mode != Mode::Mono
                               ? std::clamp(toHead(toHeadTurn, way).x / static_cast<float>(distance), -1.0F, 1.0F)
                               : 0.0F;
        // Woodworth's delay, and a level difference that keeps the power of both ears.
        const double itd = block.mode == Mode::Pan
                               ? 0.0
                               : HeadRadius * perMetre * static_cast<double>(std::asin(sine) + sine);
        const bool reached = centre - end.path.delay < longest;
        const float gain = reached ? design.room.early * distanceGain(settings, distance) * images.inside : 0.0F;
        for (std::size_t e = 0; e < 2; ++e) {
            const float side = e == 0 ? -1.0F : 1.0F;
            const double wanted = centre - 0.5 * static_cast<double>(side) * itd;
            const double before = fresh ? wanted : image.delay[e];
            const double delay = limited(wanted, before);
            const double slope = delay - before;
            const float earGain = gain * std::sqrt(1.0F + 0.7F * side * sine);
            const float earGainBefore = !fresh ? image.gain[e] : whole ? earGain * jump : 0.0F;
            if (earGain * controlTo > 0.0F || earGainBefore * controlFrom > 0.0F) {
                ReadJob job = jobFor(head, block, quality, before, delay, fresh ? 0.0 : image.slope[e], slope);
                job.gainFrom = earGainBefore * controlFrom;
                job.gainTo = earGain * controlTo;
                job.out = block.reflections + (wallsOf(i) == 1 ? e : 2 + e) * BlockFrames;
                job.add = 1;
                block.kernels->read(job);
            }
            image.delay[e] = delay;
            image.slope[e] = slope;
            image.gain[e] = earGain;
        }
    }
    // The reverberant level does not depend on the distance, only on what the source radiates.
    const double before = fresh ? end.path.delay : images.sendDelay;
    const double delay = limited(end.path.delay, before);
    const double slope = delay - before;
    const float send = (settings.distanceModel == DistanceModel::None ? 1.0F : settings.referenceDistance) * images.inside;
    const float sendBefore = !fresh ? images.send : whole ? send * jump : 0.0F;
    if (send * controlTo > 0.0F || sendBefore * controlFrom > 0.0F) {
        ReadJob job = jobFor(head, block, Quality::Fast, before, delay, fresh ? 0.0 : images.sendSlope, slope);
        job.gainFrom = sendBefore * controlFrom;
        job.gainTo = send * controlTo;
        job.out = block.send;
        job.add = 1;
        block.kernels->read(job);
    }
    images.sendDelay = delay;
    images.sendSlope = slope;
    images.send = send;
}

bool Voice::isGivenBack(const Head& head, const Source& source, const BlockContext& block) const noexcept {
    double soonest = 1e300;
    double latest = -1e300;
    const auto way = [&](float gain, double delay) {
        if (gain > 0.0F) {
            soonest = std::min(soonest, delay);
            latest = std::max(latest, delay);
        }
    };
    for (std::size_t i = 0; i < imagesOfOrder(block.room->room.order); ++i) {
        const Images::Image& image = m_images.images[i];
        way(image.gain[0], image.delay[0]);
        way(image.gain[1], image.delay[1]);
    }
    way(block.room->room.late * m_images.send, m_images.sendDelay);
    const auto begin = static_cast<double>(block.begin);
    return begin + BlockFrames - soonest > static_cast<double>(source.player.startFrame())
           && begin - latest - 32.0 < static_cast<double>(head.silentFrom);
}

void Voice::lowPass(const BlockContext& block, float target) noexcept {
    if (m_pass >= 1.0F && target >= 1.0F) {
        return;
    }
    // y += k (x - y); k moves in a straight line over the block, and at 1 the filter is not there.
    const float step =
        slewed(m_pass, target, static_cast<float>(BlockFrames / (SlewSeconds * block.sampleRate))) - m_pass;
    float k = m_pass;
    float* left = m_input.data() + BlockFrames;
    float* right = left + TransformSize;
    for (int n = 0; n < BlockFrames; ++n) {
        k += step * (1.0F / BlockFrames);
        m_passState[0] += k * (left[n] - m_passState[0]);
        m_passState[1] += k * (right[n] - m_passState[1]);
        left[n] = m_passState[0];
        right[n] = m_passState[1];
    }
    m_pass += step;
    if (m_pass > 0.99999F) {
        m_pass = 1.0F;
    }
}

void Voice::targetFilter(const Source& source, const BlockContext& block, const Delays& at,
                         float* out) noexcept {
    const KernelTable& kernels = *block.kernels;
    if (!source.settings.spatial || block.mode == Mode::Mono || block.mode == Mode::Plain) {
        flatFilter(1.0F, 1.0F, out);
    } else if (block.mode == Mode::Pan) {
        const float length = glm::length(at.head);
        const float side = length > 1e-4F ? std::clamp(at.head.x / length, -1.0F, 1.0F) : 0.0F;
        const float angle = (side + 1.0F) * std::numbers::pi_v<float> / 4.0F;
        flatFilter(std::numbers::sqrt2_v<float> * std::cos(angle),
                   std::numbers::sqrt2_v<float> * std::sin(angle), out);
    } else {
        const auto radius = static_cast<float>(block.set->distance());
        const auto distance = static_cast<float>(at.path.distance);
        const bool close = source.settings.nearField && distance < radius && distance > 1e-4F;
        for (int ear = 0; ear < 2; ++ear) {
            float* packed = out + ear * SpectrumFloats;
            const float side = ear == 0 ? -1.0F : 1.0F;
            const glm::vec3 towards =
                close ? parallax(at.head
                                     * std::max(1.0F, static_cast<float>(NearFieldTable::Nearest) / distance),
                                 side, radius)
                      : at.head;
            const auto blend = [&](const HrtfSet& set, int& face, float* into) {
                const DirectionWeights w = set.locate(towards, face);
                const auto row = [&](std::size_t i) { return set.filter(w.index[i]) + ear * SpectrumFloats; };
                kernels.blend3(into, row(0), w.weight[0], row(1), w.weight[1], row(2), w.weight[2],
                               SpectrumFloats);
            };
            blend(*block.set, m_face[static_cast<std::size_t>(ear)], packed);
            if (block.setBefore != nullptr) {
                alignas(32) std::array<float, SpectrumFloats> before{};
                blend(*block.setBefore, m_face[2], before.data());
                kernels.blend3(packed, packed, block.setFade, before.data(), 1.0F - block.setFade, packed,
                               0.0F, SpectrumFloats);
            }
            if (close) {
                alignas(32) std::array<float, SpectrumFloats> near{};
                block.nearField->at(at.path.distance, static_cast<double>(side * at.head.x / distance),
                                    kernels, near.data());
                kernels.multiply(packed, near.data());
            }
        }
        const double inside =
            std::clamp((at.path.distance - InsideHead) / (NearFieldTable::Nearest - InsideHead), 0.0, 1.0);
        if (inside < 1.0) {
            alignas(32) std::array<float, HrtfSet::FilterFloats> flat{};
            flatFilter(1.0F, 1.0F, flat.data());
            const auto share = static_cast<float>(inside * inside * (3.0 - 2.0 * inside));
            kernels.blend3(out, out, share, flat.data(), 1.0F - share, out, 0.0F, HrtfSet::FilterFloats);
        }
    }
    if (source.settings.airAbsorption && source.settings.spatial && block.mode != Mode::Plain) {
        alignas(32) std::array<float, SpectrumFloats> air{};
        block.air->at(at.path.distance, kernels, air.data());
        kernels.multiply(out, air.data());
        kernels.multiply(out + SpectrumFloats, air.data());
    }
}

bool Voice::process(Source& source, const BlockContext& block, bool open) noexcept {
    const KernelTable& kernels = *block.kernels;
    const std::uint32_t jumps = source.trajectory.teleports() + source.otherJumps;
    Head* head = &m_heads[m_current];
    const auto start = [&](double guess) {
        return delaysAt(source, block, block.begin, block.earBegin, block.turnBegin, block.earEnd,
                        block.turnEnd, nullptr, guess);
    };
    if (m_fresh) {
        head->at = start(0.0);
    } else if (m_fade == 0 && (jumps != m_jumps || block.mode != m_lastMode)) {
        m_jumpedReflected = m_reflected && block.room != nullptr && m_images.design == block.roomSerial;
        m_reflected = false;
        m_current = 1 - m_current;
        head = &m_heads[m_current];
        head->primed = false;
        head->at = start(0.0);
        m_fade = std::max(1, static_cast<int>(std::lround(JumpSeconds * block.sampleRate / BlockFrames)));
        m_jumps = jumps;
    }
    if (m_fresh) {
        m_jumps = jumps;
    }
    Delays end = delaysAt(source, block, block.begin + BlockFrames, block.earEnd, block.turnEnd,
                          block.earNext, block.turnNext, &head->at, head->at.path.delay);
    for (std::size_t e = 0; e < 2; ++e) {
        const double most = SteepestDelay * BlockFrames;
        end.delay[e] = std::clamp(end.delay[e], head->at.delay[e] - most, head->at.delay[e] + most);
        end.slope[e] = std::clamp(end.slope[e], -SteepestDelay, SteepestDelay);
    }
    // Gains.
    const Vec3 towards(-end.path.relative);
    Vec3 axis(0.0F, 0.0F, -1.0F);
    if (isAimed(source.settings)) {
        axis = source.trajectory.orientationAt(static_cast<double>(block.begin + BlockFrames) - end.path.delay) * axis;
    }
    const bool spatial = source.settings.spatial;
    const float byDistance =
        spatial && block.mode != Mode::Plain ? distanceGain(source.settings, end.path.distance) : 1.0F;
    const float byCone =
        spatial && block.mode != Mode::Plain ? coneGain(source.settings, axis, towards) : 1.0F;
    const float motion = byDistance * byCone;
    const float wanted = controlGain(source.settings, block.anySolo) * (open ? 1.0F : 0.0F);
    const bool whole = m_fresh && !m_fadeIn;
    const float control =
        whole ? wanted
              : slewed(m_control, wanted, static_cast<float>(BlockFrames / (SlewSeconds * block.sampleRate)));
    const float gainFrom = whole ? control * motion : m_control * (m_fresh ? motion : m_motion);
    const float gainTo = control * motion;

    for (std::size_t e = 0; e < 2; ++e) {
        float* input = m_input.data() + e * TransformSize;
        std::memcpy(input, input + BlockFrames, BlockFrames * sizeof(float));
    }
    // What points away is still audible by way of the walls.
    const bool reflects = block.room != nullptr && spatial && block.mode != Mode::Plain
                          && (control > 0.0F || (!whole && m_control > 0.0F));
    const bool quiet = gainFrom == 0.0F && gainTo == 0.0F && m_fade == 0 && !reflects;
    if (quiet) {
        std::memset(m_input.data() + BlockFrames, 0, BlockFrames * sizeof(float));
        std::memset(m_input.data() + TransformSize + BlockFrames, 0, BlockFrames * sizeof(float));
        head->at = end;
        head->primed = false;
    } else {
        const int fades =
            std::max(1, static_cast<int>(std::lround(JumpSeconds * block.sampleRate / BlockFrames)));
        const float inFrom =
            m_fade > 0 ? 1.0F - static_cast<float>(m_fade) / static_cast<float>(fades) : 1.0F;
        const float inTo =
            m_fade > 0 ? 1.0F - static_cast<float>(m_fade - 1) / static_cast<float>(fades) : 1.0F;
        if (m_fade > 0) {
            Head& old = m_heads[1 - m_current];
            Delays on = old.at;
            for (std::size_t e = 0; e < 2; ++e) {
                on.delay[e] += on.slope[e] * BlockFrames;
            }
            // Each side of the jump keeps its own level; after the first block the old one's gain stays where
            // it was.
            readHead(old, source, block, on, m_jumpGain * (1.0F - inFrom), m_jumpGain * (1.0F - inTo), false);
            readHead(*head, source, block, end, (m_fade == fades ? gainTo : gainFrom) * inFrom, gainTo * inTo,
                     true);
            --m_fade;
        } else {
            m_jumpGain = gainTo;
            readHead(*head, source, block, end, gainFrom, gainTo, false);
        }
        lowPass(block,
                source.settings.occlusion > 0.0F
                    ? 1.0F
                          + (1.0F
                             - std::exp(
                                 -2.0F
                                 * std::numbers::pi_v<float> * std::max(20.0F, source.settings.transmissionHz)
                                 / static_cast<float>(block.sampleRate))
                             - 1.0F)
                                * std::min(source.settings.occlusion, 1.0F)
                    : 1.0F);
    }
    if (m_jumpedReflected) {
        leaveReflections(m_heads[1 - m_current], block, m_control);
    }
    if (reflects) {
        reflect(*head, source, block, end, whole ? control : m_control, control);
    } else {
        m_reflected = false;
    }
    m_jumpedReflected = false;
    m_control = control;
    m_motion = motion;
    m_heard = static_cast<double>(block.begin + BlockFrames) - end.path.delay;

    const float level = std::max(kernels.peak(dry(0), BlockFrames), kernels.peak(dry(1), BlockFrames));
    const bool silent = level == 0.0F;
    if (!silent || !m_inputWasSilent) {
        ++*block.filtered;
        alignas(32) std::array<float, HrtfSet::FilterFloats> target;
        alignas(32) std::array<float, HrtfSet::FilterFloats> delta; // to the filter at the end of the block
        const FilterKey key{block.setSerial, block.airSerial, source.settings.airAbsorption, source.settings.nearField,
                            source.settings.spatial};
        const bool moved =
            m_fresh || glm::length(end.head - m_lastDirection) > 1e-6F * (1.0F + glm::length(end.head))
            || block.setBefore != nullptr || key != m_lastKey || block.mode != m_lastMode;
        if (moved || !m_settled) {
            targetFilter(source, block, end, target.data());
            if (m_fresh || m_inputWasSilent) {
                std::memcpy(m_filter.data(), target.data(), sizeof(target));
                m_settled = false;
                delta.fill(0.0F);
            } else {
                const auto share =
                    static_cast<float>(1.0 - std::exp(-BlockFrames / (FilterSeconds * block.sampleRate)));
                const float change = kernels.approach(delta.data(), target.data(), m_filter.data(), share,
                                                      HrtfSet::FilterFloats);
                m_settled = !moved && change < 1e-15F;
            }
            m_lastDirection = end.head;
            m_lastKey = key;
        }
        alignas(32) std::array<float, TransformSize + 8> re;
        alignas(32) std::array<float, TransformSize + 8> im;
        std::memcpy(re.data(), m_input.data(), TransformSize * sizeof(float));
        std::memcpy(im.data(), m_input.data() + TransformSize, TransformSize * sizeof(float));
        kernels.transform(re.data(), im.data());
        re[TransformSize] = re[0];
        im[TransformSize] = im[0];
        kernels.accumulate(re.data(), im.data(), m_filter.data(), m_settled ? nullptr : delta.data(),
                           block.steady, block.fading);
        if (!m_settled) {
            kernels.addTo(m_filter.data(), delta.data(), HrtfSet::FilterFloats);
        }
    }
    const bool tail = !silent || !m_inputWasSilent;
    m_inputWasSilent = silent;
    m_lastMode = block.mode;
    m_fresh = false;

    SourceState& state = source.state;
    state.distance = static_cast<float>(end.path.distance);
    state.azimuth = std::atan2(end.head.x, -end.head.z);
    state.elevation = std::atan2(end.head.y, std::hypot(end.head.x, end.head.z));
    state.delay = static_cast<float>(end.path.delay / block.sampleRate);
    state.itd = static_cast<float>(end.itd / block.sampleRate);
    state.dopplerRatio = static_cast<float>(1.0 - end.path.delaySlope);
    state.distanceGain = byDistance;
    state.coneGain = byCone;
    state.peak = level;
    state.reflected = reflects && isGivenBack(*head, source, block);
    return open || control > 0.0F || tail;
}

} // namespace sbx::audio
