#pragma once
// CVars: named, typed, documented settings that the console, files and the command line may change while the program runs.
//
//     CVarRegistry registry;
//     CVar<float> gravity = registry.add<float>("sim.gravity", 9.81F, "Pull on every body.",
//                                               {.unit = "m/s²", .minimum = 0, .maximum = 100});
//     float g = gravity.get();
//
// Data flow: each source (project file, user settings, command line, console) writes its own layer; the highest layer that
// holds a value is in force. A lower layer's value waits, so that a reset falls back to it.
// Thread: every method may be called from any thread. Numbers, booleans and enums are read without a lock; texts and vectors
// under the registry's mutex. For a deterministic run only the simulation thread sets what the simulation reads.
// Ownership: the registry is an object of the session and must outlive its CVar handles, which are small values.

#include "engine/core/fields.h"
#include "engine/core/result.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace sbx {

enum class CVarFlags : std::uint32_t {
    None = 0,
    Archive = 1,     // what user or console set is written to the user's settings
    Cheat = 2,       // set only while cheats are allowed
    ReadOnly = 4,    // shown; changed by its owner alone
    Hidden = 8,      // not listed or completed; works when named
    Latched = 16,    // a change is accepted at once and in force from the next applyLatched()
    Replicated = 32, // the server's value holds on every client
    Protected = 64,  // a secret: shown as ***, never written to a file, kept out of log and history
    Notify = 128     // a change is written to the log
};
[[nodiscard]] constexpr CVarFlags operator|(CVarFlags a, CVarFlags b) {
    return static_cast<CVarFlags>(static_cast<std::uint32_t>(a) | static_cast<std::uint32_t>(b));
}
[[nodiscard]] constexpr bool has(CVarFlags set, CVarFlags flag) {
    return (static_cast<std::uint32_t>(set) & static_cast<std::uint32_t>(flag)) != 0;
}
// "archive, latched"; empty for none.
[[nodiscard]] std::string cvarFlagNames(CVarFlags flags);

// Lowest precedence first.
enum class CVarSource : std::uint8_t { Default, Project, User, CommandLine, Console };
inline constexpr std::size_t CVarSourceCount = 5;
// "default", "project", "user", "command line", "console".
[[nodiscard]] const char* cvarSourceName(CVarSource source);

// Since when a latched value will hold, in the words of the editor's button: applyLatched() is called where a run begins.
inline constexpr const char* LatchedUntil = "from the next Play";

// Where a value came from, beside its source.
struct CVarOrigin {
    std::string place = {}; // "project.toml:7", "boot.cfg:3", "--sim.seed"; empty: typed
    std::optional<std::uint64_t> tick = std::nullopt; // of the simulation, where one runs

    // " (boot.cfg:3) at tick 12", with what is known; empty if nothing is.
    [[nodiscard]] std::string text() const;
    friend bool operator==(const CVarOrigin&, const CVarOrigin&) = default;
};

struct CVarOptions {
    std::string unit = {};
    double minimum = -std::numeric_limits<double>::infinity(); // of each element, inclusive
    double maximum = std::numeric_limits<double>::infinity();
    std::vector<std::string> choices = {}; // enum: names of 0, 1, 2, …
    CVarFlags flags = CVarFlags::None;
    TextRole role = TextRole::Plain;
};

enum class CVarOutcome {
    InForce,    // the value holds now
    Latched,    // the value holds from the next applyLatched()
    Overridden, // kept as its source's value; a higher source holds
};

// A copy of everything known about one CVar.
struct CVarInfo {
    FieldInfo field; // name, type, doc, unit, range, choices, default
    CVarFlags flags = CVarFlags::None;
    Value value;                                // in force
    std::optional<Value> pending;               // latched, not yet in force
    CVarSource lastSetBy = CVarSource::Default; // the source that holds
    std::array<std::optional<Value>, CVarSourceCount> layers;
    std::array<CVarOrigin, CVarSourceCount> origins; // of the layers
    CVarOrigin origin;                               // of the source that holds
    bool isFollowed = false;                         // the value in force is the server's

    [[nodiscard]] bool isDefault() const { return value == field.defaultValue; }
    // As the field's own; of a protected CVar the error does not repeat the text.
    [[nodiscard]] Result<Value> parse(std::string_view text) const;
    // For people: with its unit, texts quoted; "***" if it is protected.
    [[nodiscard]] std::string shown(const Value& of) const;
    [[nodiscard]] std::string shown() const { return shown(value); }
    // "console (boot.cfg:3) at tick 12", "the server", "the program".
    [[nodiscard]] std::string setBy() const;
};

// The value that one source gives a CVar.
struct CVarLayer {
    CVarSource source = CVarSource::Console;   // never Default
    std::optional<Value> value = std::nullopt; // nothing: it sets none
    CVarOrigin origin = {};
};

// One change of a CVar by typing, as far as undoing it needs to know: the layers that differ, lowest first.
struct CVarStep {
    // Made itself, or brought about by making the step behind it, or by taking back the one before it (cheats, when their switch is
    // turned off): then it is noted anew each time that happens.
    enum class Cause { Itself, Making, TakingBack };

    std::string name;
    std::vector<CVarLayer> before;
    std::vector<CVarLayer> after; // of the same sources
    Cause cause = Cause::Itself;
};

// Keeps a change callback connected; letting go disconnects. Let go on the thread that sets, or before threads start.
class CVarConnection {
public:
    CVarConnection() = default;
    explicit CVarConnection(std::shared_ptr<void> callback) : m_callback(std::move(callback)) {}

private:
    std::shared_ptr<void> m_callback;
};

class CVarRegistry;

namespace detail {

struct CVarSlot {
    FieldInfo field;
    CVarFlags flags = CVarFlags::None;
    std::array<std::optional<Value>, CVarSourceCount> layers;
    std::array<CVarOrigin, CVarSourceCount> origins;
    std::optional<Value> followed; // the server's
    Value inForce;
    // The value in force of a bool, int, float or enum: what get() reads.
    std::atomic<std::uint64_t> bits{0};
    std::vector<std::weak_ptr<std::function<void(const Value&)>>> callbacks;
};

template <typename T> inline constexpr bool IsLockFree = std::is_arithmetic_v<T> || std::is_enum_v<T>;

} // namespace detail

template <typename T> class CVar {
public:
    CVar(CVarRegistry& registry, detail::CVarSlot& slot) : m_registry(&registry), m_slot(&slot) {}

    [[nodiscard]] T get() const;
    Result<CVarOutcome> set(const T& value, CVarSource source = CVarSource::Console) const;
    // The owner's way to change a ReadOnly CVar; no check of range.
    void publish(const T& value) const;
    // Called after each change of the value in force, on the thread that made it, with no lock held.
    [[nodiscard]] CVarConnection onChange(std::function<void(const T&)> callback) const;
    [[nodiscard]] const std::string& name() const { return m_slot->field.name; }

private:
    CVarRegistry* m_registry;
    detail::CVarSlot* m_slot;
};

class CVarRegistry {
public:
    CVarRegistry() = default;
    CVarRegistry(const CVarRegistry&) = delete;
    CVarRegistry& operator=(const CVarRegistry&) = delete;

    // `name` is room.camelCase ("net.sim.loss"). Adding a name again with the same type gives the same CVar, so that two
    // worlds share one; with another type, or a command's name, it is a programmer error.
    template <typename T>
    CVar<T> add(std::string name, T defaultValue, std::string doc, CVarOptions options = {});
    // Adds every CVar that another registry has, at its default. Values, layers and callbacks are this registry's own.
    void addDeclarationsOf(const CVarRegistry& other);
    // The CVar of that name and type, or nothing.
    template <typename T> [[nodiscard]] std::optional<CVar<T>> find(std::string_view name);

    // Checks name, flags, type and range. The error contains what would be right and the nearest names; it never repeats a secret.
    Result<CVarOutcome> set(std::string_view name, std::string_view text, CVarSource source,
                            CVarOrigin origin = {});
    Result<CVarOutcome> setValue(std::string_view name, const Value& value, CVarSource source,
                                 CVarOrigin origin = {});
    // For a value from a file, with its place: faults go to the sink.
    bool setFromSource(const SourceEntry& entry, CVarSource source, Diagnostics& sink, std::string_view file);
    // Takes back what `source` and every higher source set; the next lower value is in force (latched: from applyLatched()).
    Result<CVarOutcome> reset(std::string_view name, CVarSource source = CVarSource::Console);
    // Puts some layers of one CVar as they are given: all or, if one is refused, none; one change.
    Result<CVarOutcome> setLayers(std::string_view name, const std::vector<CVarLayer>& layers);
    // All that a file's source sets: what the entries do not name is taken back. Each CVar changes at most once, from what it was to
    // what it is then. Faults go to the sink; their CVars are as if they were not named.
    void setLayer(CVarSource source, const std::vector<SourceEntry>& entries, Diagnostics& sink,
                  std::string_view file);

    // Puts latched values in force; the owner calls it where a run starts. Returns the names that changed.
    std::vector<std::string> applyLatched();
    // While off, latched CVars change at once (nothing runs that could mind). On by default; switching off applies.
    void setLatching(bool on);
    // Cheat CVars can be set while on (the default); switching off resets them to the project's values.
    void allowCheats(bool on);
    // A client follows its server: Replicated CVars can be set by follow() alone. Off by default.
    void setFollowing(bool on);
    // Called after each change of the value in force of a Notify CVar, from any source, on the thread that made it, with no lock
    // held. Set before threads start.
    void setNotifier(std::function<void(const CVarInfo&)> notifier) { m_notifier = std::move(notifier); }
    // The server's value of a Replicated CVar: in force until setFollowing(false), whatever anyone here set.
    Result<CVarOutcome> follow(std::string_view name, const Value& value);

    [[nodiscard]] bool contains(std::string_view name) const;
    [[nodiscard]] std::optional<CVarInfo> describe(std::string_view name) const;
    // By name.
    [[nodiscard]] std::vector<CVarInfo> list(bool withHidden = false) const;
    [[nodiscard]] std::vector<std::string> names(bool withHidden = false) const;
    // Name and TOML value of each Archive CVar that the user changed, in the settings or by typing (not what a script set): the
    // least that must be saved.
    [[nodiscard]] std::vector<std::pair<std::string, std::string>> archive() const;
    // Grows with every change of any CVar, whether in force or not: pollers compare it.
    [[nodiscard]] std::uint64_t revision() const { return m_revision.load(std::memory_order_acquire); }
    // Keeps a name from ever becoming a CVar (it is a command). False: it is one already.
    [[nodiscard]] bool reserve(std::string_view name);

    // `room.camelCase` with at least one dot.
    [[nodiscard]] static bool isValidName(std::string_view name);

private:
    template <typename T> friend class CVar;
    using Slot = detail::CVarSlot;
    // Called after the lock is let go, in order.
    using Calls = std::vector<std::pair<std::shared_ptr<std::function<void(const Value&)>>, Value>>;

    Slot& addSlot(FieldInfo field, CVarFlags flags);
    [[nodiscard]] Slot* findSlot(std::string_view name) const;
    [[nodiscard]] Value valueOf(const Slot& slot) const;
    void publish(Slot& slot, const Value& value);
    CVarConnection connect(Slot& slot, std::function<void(const Value&)> callback);

    // The value of an entry for that source and where it stands; nothing, and a fault in the sink: it cannot be set.
    [[nodiscard]] std::optional<CVarLayer> layerOf(const SourceEntry& entry, CVarSource source,
                                                   Diagnostics& sink, std::string_view file) const;
    [[nodiscard]] Error unknown(std::string_view name) const;
    [[nodiscard]] const Value& wanted(const Slot& slot) const;
    [[nodiscard]] CVarInfo infoOf(const Slot& slot) const;
    [[nodiscard]] static CVarSource holder(const Slot& slot);
    [[nodiscard]] std::optional<Error> refusal(const Slot& slot, CVarSource source) const;
    CVarOutcome settle(Slot& slot, CVarSource source, Calls& calls);
    void putInForce(Slot& slot, const Value& value, Calls& calls);
    static void run(const Calls& calls);

    mutable std::mutex m_mutex;
    std::map<std::string, std::unique_ptr<Slot>, std::less<>> m_slots;
    std::set<std::string, std::less<>> m_reserved;
    std::atomic<std::uint64_t> m_revision{0};
    bool m_latching = true;
    bool m_cheats = true;
    bool m_following = false;
    std::function<void(const CVarInfo&)> m_notifier;
};

template <typename T> T CVar<T>::get() const {
    if constexpr (detail::IsLockFree<T>) {
        const std::uint64_t bits = m_slot->bits.load(std::memory_order_relaxed);
        if constexpr (std::is_same_v<T, bool>)
            return bits != 0;
        else if constexpr (std::is_floating_point_v<T>)
            return static_cast<T>(std::bit_cast<double>(bits));
        else
            return static_cast<T>(std::bit_cast<std::int64_t>(bits));
    } else {
        T out{};
        detail::FieldTraits<T>::set(m_slot->field, out, m_registry->valueOf(*m_slot));
        return out;
    }
}

template <typename T> Result<CVarOutcome> CVar<T>::set(const T& value, CVarSource source) const {
    return m_registry->setValue(m_slot->field.name, detail::FieldTraits<T>::get(m_slot->field, value),
                                source);
}

template <typename T> void CVar<T>::publish(const T& value) const {
    m_registry->publish(*m_slot, detail::FieldTraits<T>::get(m_slot->field, value));
}

template <typename T> CVarConnection CVar<T>::onChange(std::function<void(const T&)> callback) const {
    return m_registry->connect(*m_slot, [slot = m_slot, callback = std::move(callback)](const Value& value) {
        T typed{};
        detail::FieldTraits<T>::set(slot->field, typed, value);
        callback(typed);
    });
}

template <typename T>
CVar<T> CVarRegistry::add(std::string name, T defaultValue, std::string doc, CVarOptions options) {
    using Traits = detail::FieldTraits<T>;
    FieldInfo field;
    field.name = std::move(name);
    field.type = Traits::Type;
    field.doc = std::move(doc);
    field.unit = std::move(options.unit);
    field.minimum = options.minimum;
    field.maximum = options.maximum;
    field.choices = std::move(options.choices);
    field.role = options.role;
    field.readOnly = has(options.flags, CVarFlags::ReadOnly);
    field.singlePrecision = std::is_same_v<T, float>;
    field.size = sizeof(T);
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
        field.minimum = std::max(field.minimum, static_cast<double>(std::numeric_limits<T>::min()));
        field.maximum = std::min(field.maximum, static_cast<double>(std::numeric_limits<T>::max()));
    }
    field.defaultValue = Traits::get(field, defaultValue);
    return CVar<T>(*this, addSlot(std::move(field), options.flags));
}

template <typename T> std::optional<CVar<T>> CVarRegistry::find(std::string_view name) {
    const std::lock_guard lock(m_mutex);
    Slot* slot = findSlot(name);
    if (slot == nullptr || slot->field.type != detail::FieldTraits<T>::Type || slot->field.size != sizeof(T))
        return std::nullopt;
    return CVar<T>(*this, *slot);
}

} // namespace sbx
