#pragma once
// The sounds, listeners and acoustic rooms of a world. Sound, Listener and Room register here and keep their entries up to date; the
// renderer reads them after a tick. Nothing here changes the simulation, and nothing depends on the audio device: how long a sound lasts is computed from its
// file's length.
//
// Thread: the one that ticks the world. Ownership: components own what they register, the system holds references while those exist.

#include "engine/audio/audio_types.h"
#include "engine/audio/sound_library.h"
#include "engine/components/asset_places.h"
#include "engine/components/pose_smoothing.h"
#include "engine/components/registration_list.h"
#include "engine/entity/world.h"

#include <optional>
#include <unordered_map>
#include <vector>

namespace sbx {

// The message that started a play.
struct SoundStart {
    MessageTypeId message = NoType; // NoType: none did, it rolls
    std::uint64_t sequence =
        0; // of the message; if it is not recorded, of the nearest one before it in its chain of causes; 0: none
    bool recorded = false; // the message itself has that sequence
};

// One sounding of an emitter.
struct SoundPlay {
    int number = 0;          // of the world, from 1
    std::uint64_t begin = 0; // tick
    std::uint64_t end = 0;   // tick; 0: until it is stopped
    float gain = 1.0F;
    float pitch = 1.0F;
    DelayedHandle finished; // the message that will report it
};

// A sound by name, which survives a reload: the entity's, and which of its sounds, from 0.
struct SoundKey {
    std::string entity;
    int index = 0;
    friend auto operator<=>(const SoundKey&, const SoundKey&) = default;
    friend bool operator==(const SoundKey&, const SoundKey&) = default;
};

struct SoundEmitter {
    EntityId entity;
    std::string name;                 // of the Sound
    Vec3 offset{0.0F};                // in the entity's frame
    audio::SourceSettings settings;   // without the gain of a play
    audio::SignalKind kind = audio::SignalKind::Sound;
    std::string file;                 // as the library names it
    float frequency = 440.0F;         // Hz, of a tone
    bool loop = false;
    float level = 1.0F;               // of all its plays, as they go on
    std::vector<SoundPlay> plays;
    std::size_t registered = 0; // with the system, see RegistrationList
};

struct ListenerSpot {
    EntityId entity;
    Vec3 offset{0.0F};
    int rank = 0; // the highest listens
    bool active = true;
    std::size_t registered = 0;
};

struct RoomSpot {
    EntityId entity;
    Vec3 offset{0.0F};
    audio::Room room; // without its place
    std::size_t registered = 0;
};

class SoundSystem {
public:
    explicit SoundSystem(audio::SoundLibrary& library) : m_library(library) {}

    [[nodiscard]] audio::SoundLibrary& library() { return m_library; }
    // Where the project's texts name a sound, for errors.
    void setPlaces(AssetPlaces places) { m_places = std::move(places); }
    [[nodiscard]] const AssetPlaces& places() const { return m_places; }
    // Corrections by the network are heard as they are seen, without jumps; null: at once. Outlives this.
    void setSmoothing(const PoseSmoothing* smoothing) { m_smoothing = smoothing; }
    // Where an entity sounds and listens.
    [[nodiscard]] Pose placeOf(const World& world, const Entity& entity) const {
        return m_smoothing != nullptr ? m_smoothing->shown(world, entity) : entity.pose();
    }
    void add(SoundEmitter& emitter) {
        m_emitters.add(emitter);
        m_ofEntity[emitter.entity].push_back(&emitter);
    }
    void remove(SoundEmitter& emitter) {
        m_emitters.remove(emitter);
        const auto of = m_ofEntity.find(emitter.entity);
        std::erase(of->second, &emitter);
        if (of->second.empty())
            m_ofEntity.erase(of);
    }
    void add(ListenerSpot& listener) { m_listeners.add(listener); }
    void remove(ListenerSpot& listener) { m_listeners.remove(listener); }
    void add(RoomSpot& room) { m_rooms.add(room); }
    void remove(RoomSpot& room) { m_rooms.remove(room); }
    [[nodiscard]] const std::vector<SoundEmitter*>& emitters() const { return m_emitters.parts(); }
    // Null: there is none.
    [[nodiscard]] const SoundEmitter* find(const World& world, const SoundKey& key) const;
    [[nodiscard]] SoundKey keyOf(const World& world, const SoundEmitter& emitter) const;
    [[nodiscard]] int nextNumber() { return ++m_number; }
    // The time of a play: ticks of the world, and the order within a tick.
    [[nodiscard]] std::uint64_t now(const World& world) const { return world.tickCount() + m_turns; }
    // A world that is edited has no ticks; sounds that are tried out in it go on by turns, and end by them.
    void turn(World& world);
    [[nodiscard]] bool sounding() const;
    struct Hearer {
        EntityId entity;
        Pose pose; // of the head
    };
    // The room around a place; of several the smallest.
    [[nodiscard]] std::optional<audio::Room> roomAt(const World& world, const Vec3& place) const;
    // The active listener and its pose; nothing without a Listener.
    [[nodiscard]] std::optional<Hearer> listener(const World& world) const;
    // Any entity, whether it has a Listener or not.
    [[nodiscard]] Hearer listenerOf(const World& world, const Entity& entity) const;

private:
    audio::SoundLibrary& m_library;
    const PoseSmoothing* m_smoothing = nullptr;
    AssetPlaces m_places;
    RegistrationList<SoundEmitter> m_emitters;
    std::unordered_map<EntityId, std::vector<SoundEmitter*>> m_ofEntity; // in the same order; its emitters stay its own
    RegistrationList<ListenerSpot> m_listeners;
    RegistrationList<RoomSpot> m_rooms;
    int m_number = 0;
    std::uint64_t m_turns = 0;
};

} // namespace sbx
