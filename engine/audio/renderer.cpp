#include "engine/audio/renderer.h"

#include "engine/audio/detail/renderer_state.h"

#include <glm/gtc/quaternion.hpp>

#include <algorithm>
#include <cmath>

namespace sbx::audio {

Renderer::Renderer() = default;
Renderer::~Renderer() = default;

Result<std::unique_ptr<Renderer>> Renderer::create(const RendererSettings& settings,
                                                   std::shared_ptr<const HrtfSet> set) {
    if (!(settings.sampleRate >= MinimumRate && settings.sampleRate <= MaximumRate)) {
        return Error{
            "sample rate " + std::to_string(settings.sampleRate) + " Hz; expected 40000 to 50000", {}, {}};
    }
    if (set == nullptr || set->sampleRate() != settings.sampleRate) {
        return Error{"the HRTF set is not of the renderer's rate", {}, {}};
    }
    if (settings.maximumSources < 1 || settings.maximumSources > 65536 || settings.voiceBudget < 1
        || settings.voiceBudget > 65536
        || !(settings.speedOfSound >= 100.0 && settings.speedOfSound <= 2000.0)
        || !(settings.plainSpan >= 0.0 && settings.plainSpan <= 2.0)
        || !(settings.roomReach >= 0.0 && settings.roomReach <= 200.0)) {
        return Error{"renderer settings out of range; expected 1 to 65536 sources and voices, 100 to 2000 "
                     "m/s, ears 0 to 2 m apart, reflections to 200 m",
                     {},
                     {}};
    }
    if (settings.commandCapacity < 16 || (settings.commandCapacity & (settings.commandCapacity - 1)) != 0) {
        return Error{"command capacity " + std::to_string(settings.commandCapacity)
                         + "; expected a power of two from 16 up",
                     {},
                     {}};
    }
    std::unique_ptr<Renderer> renderer(new Renderer);
    renderer->m_control = std::make_unique<Control>();
    Control& control = *renderer->m_control;
    Handed first;
    first.nearField = std::make_shared<const NearFieldTable>(*set, settings.speedOfSound);
    first.air = std::make_shared<const AirTable>(Air{}, settings.sampleRate);
    first.set = std::move(set);
    renderer->m_audio = std::make_unique<Audio>(settings, *first.set, *first.nearField, *first.air);
    control.handed.emplace(0, std::move(first)); // serial 0 is never retired: what the renderer starts with
    control.speed = settings.speedOfSound;
    control.generations.assign(settings.maximumSources, 0);
    for (std::uint32_t slot = settings.maximumSources; slot-- > 0;) {
        control.freeSlots.push_back(slot);
    }
    return renderer;
}

namespace {

// Counts what the ring refuses.
bool post(SpscRing<Command>& ring, std::atomic<std::uint64_t>& dropped, const Command& command) {
    if (ring.push(command)) {
        return true;
    }
    dropped.fetch_add(1, std::memory_order_relaxed);
    return false;
}

// Numbers that are none become the default; the rest is brought into its range.
SourceSettings checked(SourceSettings settings) {
    const SourceSettings usual;
    const auto bring = [](float& value, float low, float high, float fallback) {
        value = std::isfinite(value) ? std::clamp(value, low, high) : fallback;
    };
    bring(settings.gain, 0.0F, 1000.0F, 0.0F);
    bring(settings.priority, -1e6F, 1e6F, usual.priority);
    bring(settings.referenceDistance, 1e-3F, 1e6F, usual.referenceDistance);
    bring(settings.maximumDistance, 1e-3F, 1e6F, usual.maximumDistance);
    bring(settings.rolloff, 0.0F, 100.0F, usual.rolloff);
    bring(settings.coneInner, 0.0F, 360.0F, usual.coneInner);
    bring(settings.coneOuter, 0.0F, 360.0F, usual.coneOuter);
    bring(settings.coneOuterGain, 0.0F, 1.0F, usual.coneOuterGain);
    bring(settings.directivity, 0.0F, 1.0F, usual.directivity);
    bring(settings.directivityPower, 0.0F, 100.0F, usual.directivityPower);
    bring(settings.occlusion, 0.0F, 1.0F, usual.occlusion);
    bring(settings.transmissionGain, 0.0F, 1.0F, usual.transmissionGain);
    bring(settings.transmissionHz, 20.0F, 24000.0F, usual.transmissionHz);
    return settings;
}

Command commandFor(CommandKind kind, SourceId id, Frame apply) {
    Command command;
    command.kind = kind;
    command.id = id;
    command.apply = apply;
    return command;
}

} // namespace

SourceId Renderer::add(const SourceSettings& settings, const ControlPoint& point, Frame apply) {
    collect();
    if (m_control->freeSlots.empty()) {
        return {};
    }
    const std::uint32_t slot = m_control->freeSlots.back();
    const SourceId id{slot, m_control->generations[slot] + 1};
    Command command = commandFor(CommandKind::Add, id, apply);
    command.settings = checked(settings);
    command.point = point;
    if (!post(m_audio->commands, m_audio->dropped, command)) {
        return {};
    }
    m_control->freeSlots.pop_back();
    m_control->generations[slot] = id.generation;
    return id;
}

bool Renderer::remove(SourceId id, Frame apply) {
    if (!id || id.slot >= m_control->generations.size() || m_control->generations[id.slot] != id.generation) {
        return false;
    }
    return post(m_audio->commands, m_audio->dropped, commandFor(CommandKind::Remove, id, apply));
}

bool Renderer::set(SourceId id, const SourceSettings& settings, Frame apply) {
    Command command = commandFor(CommandKind::Settings, id, apply);
    command.settings = checked(settings);
    return id && post(m_audio->commands, m_audio->dropped, command);
}

bool Renderer::move(SourceId id, const ControlPoint& point, Frame apply) {
    collect();
    Command command = commandFor(CommandKind::Move, id, apply);
    command.point = point;
    return id && post(m_audio->commands, m_audio->dropped, command);
}

bool Renderer::play(SourceId id, const Signal& signal, std::shared_ptr<const SoundData> sound, Frame at,
                    Frame apply) {
    collect();
    Command command = commandFor(CommandKind::Play, id, apply == AtItsFrame ? at : apply);
    command.at = at;
    command.signal = signal;
    command.signal.sound = sound.get();
    if (!std::isfinite(signal.frequency)) {
        command.signal.frequency = 0.0F;
    }
    if (sound != nullptr) {
        command.serial = m_control->nextSerial;
    }
    if (!id || !post(m_audio->commands, m_audio->dropped, command)) {
        return false;
    }
    if (sound != nullptr) {
        m_control->handed[m_control->nextSerial++].sound = std::move(sound);
    }
    return true;
}

bool Renderer::stop(SourceId id, Frame at, Frame apply) {
    Command command = commandFor(CommandKind::Stop, id, apply == AtItsFrame ? at : apply);
    command.at = at;
    return id && post(m_audio->commands, m_audio->dropped, command);
}

bool Renderer::setPitch(SourceId id, double pitch, Frame at) {
    Command command = commandFor(CommandKind::Pitch, id, at);
    command.at = at;
    command.number = pitch;
    return id && post(m_audio->commands, m_audio->dropped, command);
}

bool Renderer::moveListener(const ControlPoint& point, Frame apply) {
    Command command = commandFor(CommandKind::MoveListener, {}, apply);
    command.point = point;
    return post(m_audio->commands, m_audio->dropped, command);
}

bool Renderer::setHrtf(std::shared_ptr<const HrtfSet> set, Frame apply) {
    collect();
    if (set == nullptr || set->sampleRate() != m_audio->settings.sampleRate) {
        return false;
    }
    Handed handed;
    handed.nearField = std::make_shared<const NearFieldTable>(*set, m_audio->settings.speedOfSound);
    Command command = commandFor(CommandKind::SetHrtf, {}, apply);
    command.set = set.get();
    command.nearField = handed.nearField.get();
    command.serial = m_control->nextSerial;
    if (!post(m_audio->commands, m_audio->dropped, command)) {
        return false;
    }
    handed.set = std::move(set);
    m_control->handed[m_control->nextSerial++] = std::move(handed);
    return true;
}

std::shared_ptr<const HrtfSet> Renderer::hrtf() const {
    std::shared_ptr<const HrtfSet> newest;
    for (const auto& [serial, handed] : m_control->handed)
        newest = handed.set ? handed.set : newest;
    return newest;
}

bool Renderer::setAir(const Air& air, Frame apply) {
    collect();
    const auto within = [](double value, double low, double high) { return value >= low && value <= high; };
    if (!within(air.temperature, -60.0, 60.0) || !within(air.humidity, 0.0, 100.0)
        || !within(air.pressure, 10.0, 200.0)
        || (air.speedOfSound != 0.0 && !within(air.speedOfSound, 200.0, 500.0))) {
        return false;
    }
    const double speed = air.speedOfSound != 0.0 ? air.speedOfSound : m_audio->settings.speedOfSound;
    Handed handed;
    handed.air = std::make_shared<const AirTable>(air, m_audio->settings.sampleRate);
    Command command = commandFor(CommandKind::SetAir, {}, apply);
    command.air = handed.air.get();
    command.number = speed;
    command.serial = m_control->nextSerial;
    if (!post(m_audio->commands, m_audio->dropped, command)) {
        return false;
    }
    m_control->handed[m_control->nextSerial++] = std::move(handed);
    m_control->speed = speed;
    return true;
}

double Renderer::speedOfSound() const {
    return m_control->mode == Mode::Plain ? m_audio->settings.speedOfSound : m_control->speed;
}

bool Renderer::setRoom(const Room& room, Frame apply) {
    collect();
    const auto within = [](double value, double low, double high) { return value >= low && value <= high; };
    bool good = room.order >= 0 && room.order <= 2 && within(static_cast<double>(room.early), 0.0, 10.0)
                && within(static_cast<double>(room.late), 0.0, 10.0);
    good = good && within(static_cast<double>(glm::dot(room.rotation, room.rotation)), 0.5, 2.0);
    for (int axis = 0; axis < 3; ++axis) {
        good = good && within(room.size[axis], 1.0, 60.0) && within(room.centre[axis], -1e6, 1e6)
               && within(room.rt60[static_cast<std::size_t>(axis)], 0.1, 10.0);
    }
    if (!good) {
        return false;
    }
    Handed handed;
    handed.room = std::make_shared<const RoomDesign>(room, m_audio->settings.sampleRate, m_audio->settings.speedOfSound);
    Command command = commandFor(CommandKind::SetRoom, {}, apply);
    command.room = handed.room.get();
    command.serial = m_control->nextSerial;
    if (!post(m_audio->commands, m_audio->dropped, command)) {
        return false;
    }
    m_control->handed[m_control->nextSerial++] = std::move(handed);
    return true;
}

bool Renderer::setMode(Mode mode, Frame apply) {
    if (mode == Mode::Sphere && m_control->sphereNearField == nullptr) {
        m_control->sphereNearField =
            std::make_unique<const NearFieldTable>(*m_audio->sphere, m_audio->settings.speedOfSound);
    }
    Command command = commandFor(CommandKind::SetMode, {}, apply);
    command.mode = mode;
    command.nearField = m_control->sphereNearField.get();
    if (!post(m_audio->commands, m_audio->dropped, command)) {
        return false;
    }
    m_control->mode = mode;
    return true;
}

bool Renderer::setQuality(Quality quality, Frame apply) {
    Command command = commandFor(CommandKind::SetQuality, {}, apply);
    command.quality = quality;
    return post(m_audio->commands, m_audio->dropped, command);
}

bool Renderer::setMasterGain(float gain, Frame apply) {
    Command command = commandFor(CommandKind::SetMaster, {}, apply);
    command.number = static_cast<double>(gain);
    return gain >= 0.0F && post(m_audio->commands, m_audio->dropped, command);
}

bool Renderer::setLimiter(bool on, Frame apply) {
    Command command = commandFor(CommandKind::SetLimiter, {}, apply);
    command.number = on ? 1.0 : 0.0;
    return post(m_audio->commands, m_audio->dropped, command);
}

bool Renderer::setEars(const EarMix& ears, Frame apply) {
    Command command = commandFor(CommandKind::SetEars, {}, apply);
    command.ears = ears;
    const auto good = [](float gain) { return gain >= 0.0F && gain <= 10.0F; };
    return good(ears.gain[0]) && good(ears.gain[1]) && post(m_audio->commands, m_audio->dropped, command);
}

void Renderer::setTap(bool on) noexcept { m_audio->tapped.store(on, std::memory_order_relaxed); }

bool Renderer::takeBlock(OutputBlock& block) noexcept {
    const OutputBlock* oldest = m_audio->tap.front();
    if (oldest == nullptr) {
        return false;
    }
    block = *oldest;
    m_audio->tap.pop();
    return true;
}

void Renderer::watch(SourceId id) noexcept {
    m_audio->watched.store(std::uint64_t{id.slot} << 32U | id.generation, std::memory_order_relaxed);
}

void Renderer::collect() {
    while (const Retired* retired = m_audio->retired.front()) {
        if (retired->serial != 0) {
            m_control->handed.erase(retired->serial);
        }
        if (retired->generation != 0 && m_control->generations[retired->slot] == retired->generation) {
            m_control->freeSlots.push_back(retired->slot);
        }
        m_audio->retired.pop();
    }
}

const Snapshot& Renderer::snapshot() { return m_audio->snapshots.newest(); }

Frame Renderer::now() const noexcept { return m_audio->rendered.load(std::memory_order_acquire); }

void Renderer::render(std::span<float> interleaved) noexcept { m_audio->render(interleaved); }

const RendererSettings& Renderer::settings() const { return m_audio->settings; }

const char* Renderer::instructions() const { return m_audio->kernels.name; }

int Renderer::latencyFrames() { return static_cast<int>(Limiter::LookAhead); }

} // namespace sbx::audio
