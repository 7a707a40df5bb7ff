#pragma once
// Sound, Listener and Room: sound sources, the listener, and acoustic rooms. They only feed the SoundSystem; none has simulation state.

#include "engine/components/messages.h"
#include "engine/components/sound_messages.h"
#include "engine/components/sound_system.h"
#include "engine/entity/component_type.h"
#include "engine/message/envelope.h"

#include <map>

namespace sbx {

class Sound : public Component {
public:
    enum class Source : std::uint8_t { File, Tone, Noise, Pink, Sweep, Clicks, Speech };
    enum class When : std::uint8_t { Asked, Start, Activate, Contact, Rolling };
    struct Settings {
        std::string name;
        std::string file;
        Source source = Source::File;
        float frequency = 440.0F;
        float length = 1.0F;
        When when = When::Asked;
        float full = 10.0F;
        float threshold = 0.5F;
        float gain = 1.0F;
        float pitch = 1.0F;
        float spread = 0.0F;
        bool loop = false;
        int overlap = 1;
        Vec3 offset{0.0F};
        audio::DistanceModel distance = audio::DistanceModel::Inverse;
        float reference = 1.0F;
        float maximum = 340.0F;
        float rolloff = 0.0F;
        float coneInner = 360.0F;
        float coneOuter = 360.0F;
        float coneGain = 0.0F;
        float directivity = 0.0F;
        float sharpness = 1.0F;
        float priority = 0.0F;
        bool spatial = true;
        bool doppler = true;
        static void describe(FieldList<Settings>& f);
        // Writes these settings into the emitter; entity, plays and level stay as they are.
        void describe(SoundEmitter& out) const;
    };
    Settings settings;
    // As a definition writes it.
    [[nodiscard]] static const char* nameOf(Source source);
    // Sequence of the message that started the play of that number, while it is playing; 0: unknown.
    [[nodiscard]] std::uint64_t causeOf(int play) const;
    // The same with messages that are not recorded, by their type.
    [[nodiscard]] SoundStart startOf(int play) const;
    Sound(const ComponentContext& context, const Settings& s);
    ~Sound();
    static void describe(ComponentBuilder<Sound>& b);
    void settingsChanged() { refresh(); }

private:
    bool onStart(Start&, const Envelope& envelope);
    bool onDisable(OnDisable&);
    bool onPlay(PlaySound& m, const Envelope& envelope);
    bool onStop(StopSound& m);
    bool onFinished(SoundFinished& m);
    bool onActivate(Activate&, const Envelope& envelope);
    bool onDeactivate(Deactivate&, const Envelope& envelope);
    bool onContact(ContactBegan& m, const Envelope& envelope);
    bool onUpdate(Update&);
    [[nodiscard]] bool isCalled(const FixedText<32>& name) const {
        return name.empty() || name.view() == settings.name;
    }
    void refresh() { settings.describe(m_emitter); }
    // `cause`: the message that starts it; null: none in particular.
    void play(float gain, float pitch, const Envelope* cause);
    void stop();
    // Seconds at pitch 1; nothing if the file cannot be read.
    [[nodiscard]] std::optional<double> seconds();
    SoundEmitter m_emitter;
    std::map<int, SoundStart> m_starts; // by the number of the play
    std::string m_faulty;               // the file for which an error was logged
};

// The component Listener; sbx::Listener is one of messages.
class Ears : public Component {
public:
    struct Settings {
        Vec3 offset{0.0F};
        int rank = 0;
        bool active = true;
        static void describe(FieldList<Settings>& f);
    };
    Settings settings;
    Ears(const ComponentContext& context, const Settings& s);
    ~Ears();
    static void describe(ComponentBuilder<Ears>& b);
    void settingsChanged();

private:
    bool onEnable(OnEnable&);
    bool onDisable(OnDisable&);
    bool m_enabled = true;
    ListenerSpot m_spot;
};

// The component Room, named apart from audio::Room, which it describes.
class Chamber : public Component {
public:
    struct Settings {
        Vec3 size{8.0F, 3.0F, 6.0F};
        Vec3 offset{0.0F};
        Vec3 decay{0.6F, 0.5F, 0.4F};
        int reflections = 1;
        float early = 1.0F;
        float late = 1.0F;
        static void describe(FieldList<Settings>& f);
    };
    Settings settings;
    Chamber(const ComponentContext& context, const Settings& s);
    ~Chamber();
    static void describe(ComponentBuilder<Chamber>& b);
    void settingsChanged();

private:
    RoomSpot m_spot;
};

} // namespace sbx
