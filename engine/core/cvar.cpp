#include "engine/core/cvar.h"

#include "engine/core/match.h"
#include "engine/core/nearest.h"

#include <cctype>

namespace sbx {

namespace {

constexpr std::size_t LongestName = 100;

std::size_t index(CVarSource source) { return static_cast<std::size_t>(source); }

std::uint64_t bitsOf(const FieldInfo& field, const Value& value) {
    if (const auto* b = std::get_if<bool>(&value))
        return *b ? 1 : 0;
    if (const auto* i = std::get_if<std::int64_t>(&value))
        return std::bit_cast<std::uint64_t>(*i);
    if (const auto* d = std::get_if<double>(&value))
        return std::bit_cast<std::uint64_t>(*d);
    if (field.type == FieldType::Enum) {
        const auto it = std::find(field.choices.begin(), field.choices.end(), std::get<std::string>(value));
        return static_cast<std::uint64_t>(it - field.choices.begin());
    }
    return 0;
}

// As its field keeps it: what is set to 9.81 in a file is what 9.81F is by default.
Value kept(const FieldInfo& field, Value value) {
    if (const auto* number = std::get_if<double>(&value); number != nullptr && field.singlePrecision)
        return asWritten(static_cast<float>(*number));
    return value;
}

// Without its folders: enough to find it again.
std::string fileName(std::string_view path) { return std::string(path.substr(path.rfind('/') + 1)); }

} // namespace

std::string cvarFlagNames(CVarFlags flags) {
    static constexpr std::pair<CVarFlags, const char*> Names[] = {
        {CVarFlags::Archive, "archive"},     {CVarFlags::Cheat, "cheat"},
        {CVarFlags::ReadOnly, "read-only"},  {CVarFlags::Hidden, "hidden"},
        {CVarFlags::Latched, "latched"},     {CVarFlags::Replicated, "replicated"},
        {CVarFlags::Protected, "protected"}, {CVarFlags::Notify, "notify"}};
    std::string out;
    for (const auto& [flag, name] : Names)
        if (has(flags, flag))
            out += (out.empty() ? "" : ", ") + std::string(name);
    return out;
}

const char* cvarSourceName(CVarSource source) {
    static constexpr const char* Names[] = {"default", "project", "user", "command line", "console"};
    return Names[index(source)];
}

std::string CVarOrigin::text() const {
    std::string out = place.empty() ? std::string() : " (" + place + ")";
    if (tick)
        out += " at tick " + std::to_string(*tick);
    return out;
}

namespace {
// An error about a value repeats the value; of a secret it only has what would be right.
Error withoutSecret(const FieldInfo& field, CVarFlags flags, Error error) {
    if (!has(flags, CVarFlags::Protected))
        return error;
    return Error{field.name + ": that value is not valid; expected " + field.expectation(), {}, {}};
}
} // namespace

std::string CVarInfo::shown(const Value& of) const {
    if (has(flags, CVarFlags::Protected))
        return "***";
    const std::string text = field.type == FieldType::String ? field.formatToml(of) : field.format(of);
    return field.unit.empty() ? text : text + " " + field.unit;
}

Result<Value> CVarInfo::parse(std::string_view text) const {
    Result<Value> parsed = field.parse(text);
    return parsed ? std::move(parsed) : Result<Value>(withoutSecret(field, flags, parsed.error()));
}

std::string CVarInfo::setBy() const {
    const bool isAdapted = lastSetBy == CVarSource::Default && layers[index(lastSetBy)] != field.defaultValue;
    if (has(flags, CVarFlags::ReadOnly) || (isAdapted && !isFollowed))
        return "the program";
    return isFollowed ? "the server" : cvarSourceName(lastSetBy) + origin.text();
}

bool CVarRegistry::isValidName(std::string_view name) {
    bool atStart = true;
    bool dotted = false;
    for (const char c : name) {
        if (c == '.') {
            if (atStart)
                return false;
            atStart = true;
            dotted = true;
        } else if (atStart) {
            if (c < 'a' || c > 'z')
                return false;
            atStart = false;
        } else if (std::isalnum(static_cast<unsigned char>(c)) == 0) {
            return false;
        }
    }
    return dotted && !atStart && name.size() <= LongestName;
}

CVarRegistry::Slot& CVarRegistry::addSlot(FieldInfo field, CVarFlags flags) {
    SBX_EXPECT(isValidName(field.name), "a CVar's name is room.camelCase");
    SBX_EXPECT(!field.doc.empty(), "a CVar has a doc");
    SBX_EXPECT(field.type != FieldType::Enum || !field.choices.empty(), "an enum CVar names its choices");
    SBX_EXPECT(field.check(field.defaultValue).ok(), "a CVar's default is in its range");
    const std::lock_guard lock(m_mutex);
    SBX_EXPECT(!m_reserved.contains(field.name), "a name is a CVar or a command, never both");
    if (Slot* existing = findSlot(field.name)) {
        SBX_EXPECT(existing->field.type == field.type && existing->field.size == field.size,
                   "a CVar added twice has one type");
        return *existing;
    }
    field.defaultValue = kept(field, std::move(field.defaultValue));
    auto slot = std::make_unique<Slot>();
    slot->flags = flags;
    slot->inForce = field.defaultValue;
    slot->layers[index(CVarSource::Default)] = field.defaultValue;
    slot->bits.store(bitsOf(field, field.defaultValue), std::memory_order_relaxed);
    slot->field = std::move(field);
    Slot& added = *slot;
    m_slots.emplace(added.field.name, std::move(slot));
    m_revision.fetch_add(1, std::memory_order_release);
    return added;
}

void CVarRegistry::addDeclarationsOf(const CVarRegistry& other) {
    std::vector<std::pair<FieldInfo, CVarFlags>> declarations;
    {
        const std::lock_guard lock(other.m_mutex);
        for (const auto& [name, slot] : other.m_slots)
            declarations.emplace_back(slot->field, slot->flags);
    }
    for (auto& [field, flags] : declarations)
        addSlot(std::move(field), flags);
}

CVarRegistry::Slot* CVarRegistry::findSlot(std::string_view name) const {
    const auto it = m_slots.find(name);
    return it == m_slots.end() ? nullptr : it->second.get();
}

Error CVarRegistry::unknown(std::string_view name) const {
    std::vector<std::string> all;
    for (const auto& [key, slot] : m_slots)
        if (!has(slot->flags, CVarFlags::Hidden))
            all.push_back(key);
    std::string message = "there is no CVar " + inQuotes(name.substr(0, LongestName));
    std::string names;
    for (const std::string& near : closestNames(name, all, 3))
        names += (names.empty() ? "; did you mean " : ", ") + near;
    return {message + (names.empty() ? "" : names + "?"), {}, {}};
}

CVarSource CVarRegistry::holder(const Slot& slot) {
    for (std::size_t i = CVarSourceCount; i-- > 1;)
        if (slot.layers[i])
            return static_cast<CVarSource>(i);
    return CVarSource::Default;
}

const Value& CVarRegistry::wanted(const Slot& slot) const {
    return m_following && slot.followed ? *slot.followed : *slot.layers[index(holder(slot))];
}

std::optional<Error> CVarRegistry::refusal(const Slot& slot, CVarSource source) const {
    SBX_EXPECT(source != CVarSource::Default, "the default layer is the declaration's");
    if (has(slot.flags, CVarFlags::ReadOnly))
        return Error{slot.field.name + " is read-only: the program sets it", {}, {}};
    if (has(slot.flags, CVarFlags::Cheat) && !m_cheats && source != CVarSource::Project)
        return Error{slot.field.name + " is a cheat: it can be set while sim.cheats is true", {}, {}};
    if (has(slot.flags, CVarFlags::Replicated) && m_following)
        return Error{slot.field.name + " is set by the server", {}, {}};
    return std::nullopt;
}

void CVarRegistry::putInForce(Slot& slot, const Value& value, Calls& calls) {
    if (slot.inForce == value)
        return;
    slot.inForce = value;
    slot.bits.store(bitsOf(slot.field, value), std::memory_order_relaxed);
    std::erase_if(slot.callbacks, [](const auto& weak) { return weak.expired(); });
    for (const auto& weak : slot.callbacks)
        if (auto callback = weak.lock())
            calls.emplace_back(std::move(callback), value);
    if (has(slot.flags, CVarFlags::Notify) && m_notifier)
        calls.emplace_back(std::make_shared<std::function<void(const Value&)>>([this, &slot](const Value&) {
                               if (const auto info = describe(slot.field.name))
                                   m_notifier(*info);
                           }),
                           value);
}

CVarOutcome CVarRegistry::settle(Slot& slot, CVarSource source, Calls& calls) {
    m_revision.fetch_add(1, std::memory_order_release);
    const bool held = holder(slot) > source;
    if (has(slot.flags, CVarFlags::Latched) && m_latching && wanted(slot) != slot.inForce)
        return held ? CVarOutcome::Overridden : CVarOutcome::Latched;
    putInForce(slot, wanted(slot), calls);
    return held ? CVarOutcome::Overridden : CVarOutcome::InForce;
}

void CVarRegistry::run(const Calls& calls) {
    for (const auto& [callback, value] : calls)
        (*callback)(value);
}

Result<CVarOutcome> CVarRegistry::set(std::string_view name, std::string_view text, CVarSource source,
                                      CVarOrigin origin) {
    FieldInfo field; // never changes once added, nor do its flags
    CVarFlags flags = CVarFlags::None;
    {
        const std::lock_guard lock(m_mutex);
        const Slot* slot = findSlot(name);
        if (slot == nullptr)
            return unknown(name);
        if (auto refused = refusal(*slot, source))
            return *refused;
        field = slot->field;
        flags = slot->flags;
    }
    const Result<Value> value = field.parse(text);
    if (!value)
        return withoutSecret(field, flags, value.error());
    return setValue(name, *value, source, std::move(origin));
}

Result<CVarOutcome> CVarRegistry::setValue(std::string_view name, const Value& value, CVarSource source,
                                           CVarOrigin origin) {
    return setLayers(name, {{source, value, std::move(origin)}});
}

std::optional<CVarLayer> CVarRegistry::layerOf(const SourceEntry& entry, CVarSource source, Diagnostics& sink,
                                               std::string_view file) const {
    const std::string_view place = entry.value.file.empty() ? file : std::string_view(entry.value.file);
    std::optional<CVarInfo> info = describe(entry.key);
    if (!info) {
        sink.add({Severity::Error,
                  std::string(place),
                  entry.keyRegion,
                  "there is no CVar " + inQuotes(entry.key),
                  {},
                  nearestName(std::string_view(entry.key).substr(0, LongestName), names())});
        return std::nullopt;
    }
    Value value;
    Diagnostics faults; // as of any field: they must not contain a secret
    const bool isSecret = has(info->flags, CVarFlags::Protected);
    const bool isRead = info->field.fromSource(entry.value, value, isSecret ? faults : sink, place);
    if (!isRead && !isSecret)
        return std::nullopt;
    Result<Value> checked = isRead ? info->field.check(value) : Result<Value>(Error{});
    std::optional<Error> fault;
    if (!checked) {
        fault = withoutSecret(info->field, info->flags, checked.error());
    } else {
        const std::lock_guard lock(m_mutex);
        fault = refusal(*findSlot(entry.key), source);
    }
    if (fault) {
        sink.add({Severity::Error, std::string(place), entry.keyRegion, fault->message, {}, {}});
        return std::nullopt;
    }
    return CVarLayer{source,
                     kept(info->field, std::move(*checked)),
                     {.place = fileName(place) + ":" + std::to_string(entry.keyRegion.line)}};
}

bool CVarRegistry::setFromSource(const SourceEntry& entry, CVarSource source, Diagnostics& sink,
                                 std::string_view file) {
    const std::optional<CVarLayer> layer = layerOf(entry, source, sink, file);
    return layer && setLayers(entry.key, {*layer}).ok();
}

Result<CVarOutcome> CVarRegistry::setLayers(std::string_view name, const std::vector<CVarLayer>& layers) {
    Calls calls;
    CVarOutcome outcome = CVarOutcome::InForce;
    {
        const std::lock_guard lock(m_mutex);
        Slot* slot = findSlot(name);
        if (slot == nullptr)
            return unknown(name);
        CVarSource highest = CVarSource::Default;
        std::vector<std::optional<Value>> values;
        for (const CVarLayer& layer : layers) {
            highest = std::max(highest, layer.source);
            if (!layer.value && !has(slot->flags, CVarFlags::ReadOnly)) {
                values.emplace_back(); // to take back is always allowed
                continue;
            }
            if (auto refused = refusal(*slot, layer.source))
                return *refused;
            Result<Value> checked = slot->field.check(*layer.value);
            if (!checked)
                return withoutSecret(slot->field, slot->flags, checked.error());
            values.emplace_back(kept(slot->field, std::move(*checked)));
        }
        for (std::size_t i = 0; i < layers.size(); ++i) {
            slot->layers[index(layers[i].source)] = std::move(values[i]);
            slot->origins[index(layers[i].source)] = layers[i].origin;
        }
        outcome = settle(*slot, highest, calls);
    }
    run(calls);
    return outcome;
}

void CVarRegistry::setLayer(CVarSource source, const std::vector<SourceEntry>& entries, Diagnostics& sink,
                            std::string_view file) {
    SBX_EXPECT(source != CVarSource::Default, "the default layer is the declaration's");
    std::map<std::string_view, CVarLayer> named;
    for (const SourceEntry& entry : entries)
        if (std::optional<CVarLayer> layer = layerOf(entry, source, sink, file))
            named.insert_or_assign(entry.key, std::move(*layer));
    Calls calls;
    {
        const std::lock_guard lock(m_mutex);
        for (auto& [name, slot] : m_slots) {
            const auto wanted = named.find(name);
            std::optional<Value>& value = slot->layers[index(source)];
            if (wanted == named.end() && !value)
                continue;
            value = wanted == named.end() ? std::nullopt : std::move(wanted->second.value);
            slot->origins[index(source)] =
                wanted == named.end() ? CVarOrigin() : std::move(wanted->second.origin);
            settle(*slot, source, calls);
        }
    }
    run(calls);
}

Result<CVarOutcome> CVarRegistry::reset(std::string_view name, CVarSource source) {
    Calls calls;
    CVarOutcome outcome{};
    {
        const std::lock_guard lock(m_mutex);
        Slot* slot = findSlot(name);
        if (slot == nullptr)
            return unknown(name);
        if (has(slot->flags, CVarFlags::ReadOnly))
            return Error{slot->field.name + " is read-only: the program sets it", {}, {}};
        for (std::size_t i = std::max<std::size_t>(1, index(source)); i < CVarSourceCount; ++i)
            slot->layers[i].reset();
        outcome = settle(*slot, CVarSource::Console, calls);
    }
    run(calls);
    return outcome;
}

std::vector<std::string> CVarRegistry::applyLatched() {
    Calls calls;
    std::vector<std::string> changed;
    {
        const std::lock_guard lock(m_mutex);
        for (auto& [name, slot] : m_slots)
            if (slot->inForce != wanted(*slot)) {
                putInForce(*slot, wanted(*slot), calls);
                changed.push_back(name);
            }
        if (!changed.empty())
            m_revision.fetch_add(1, std::memory_order_release);
    }
    run(calls);
    return changed;
}

void CVarRegistry::setLatching(bool on) {
    {
        const std::lock_guard lock(m_mutex);
        m_latching = on;
    }
    if (!on)
        applyLatched();
}

void CVarRegistry::allowCheats(bool on) {
    Calls calls;
    {
        const std::lock_guard lock(m_mutex);
        m_cheats = on;
        if (!on)
            for (auto& [name, slot] : m_slots)
                if (has(slot->flags, CVarFlags::Cheat)) {
                    for (std::size_t i = index(CVarSource::User); i < CVarSourceCount; ++i)
                        slot->layers[i].reset();
                    settle(*slot, CVarSource::Console, calls);
                }
    }
    run(calls);
}

void CVarRegistry::setFollowing(bool on) {
    Calls calls;
    {
        const std::lock_guard lock(m_mutex);
        m_following = on;
        for (auto& [name, slot] : m_slots)
            if (slot->followed) {
                if (!on)
                    slot->followed.reset();
                settle(*slot, CVarSource::Console, calls);
            }
    }
    run(calls);
}

Result<CVarOutcome> CVarRegistry::follow(std::string_view name, const Value& value) {
    Calls calls;
    CVarOutcome outcome{};
    {
        const std::lock_guard lock(m_mutex);
        Slot* slot = findSlot(name);
        if (slot == nullptr)
            return unknown(name);
        if (!has(slot->flags, CVarFlags::Replicated) || !m_following)
            return Error{slot->field.name + " does not follow a server", {}, {}};
        Result<Value> checked = slot->field.check(value);
        if (!checked)
            return checked.error();
        slot->followed = kept(slot->field, std::move(*checked));
        outcome = settle(*slot, CVarSource::Console, calls);
    }
    run(calls);
    return outcome;
}

Value CVarRegistry::valueOf(const Slot& slot) const {
    const std::lock_guard lock(m_mutex);
    return slot.inForce;
}

void CVarRegistry::publish(Slot& slot, const Value& value) {
    Calls calls;
    {
        const std::lock_guard lock(m_mutex);
        slot.layers[index(CVarSource::Default)] = kept(slot.field, value);
        settle(slot, CVarSource::Default, calls);
    }
    run(calls);
}

CVarConnection CVarRegistry::connect(Slot& slot, std::function<void(const Value&)> callback) {
    auto shared = std::make_shared<std::function<void(const Value&)>>(std::move(callback));
    const std::lock_guard lock(m_mutex);
    slot.callbacks.emplace_back(shared);
    return CVarConnection(std::move(shared));
}

bool CVarRegistry::contains(std::string_view name) const {
    const std::lock_guard lock(m_mutex);
    return findSlot(name) != nullptr;
}

CVarInfo CVarRegistry::infoOf(const Slot& slot) const {
    const CVarSource source = holder(slot);
    CVarInfo info{slot.field,
                  slot.flags,
                  slot.inForce,
                  std::nullopt,
                  source,
                  slot.layers,
                  slot.origins,
                  slot.origins[index(source)],
                  m_following && slot.followed.has_value()};
    if (wanted(slot) != slot.inForce)
        info.pending = wanted(slot);
    return info;
}

std::optional<CVarInfo> CVarRegistry::describe(std::string_view name) const {
    const std::lock_guard lock(m_mutex);
    const Slot* slot = findSlot(name);
    if (slot == nullptr)
        return std::nullopt;
    return infoOf(*slot);
}

std::vector<CVarInfo> CVarRegistry::list(bool withHidden) const {
    const std::lock_guard lock(m_mutex);
    std::vector<CVarInfo> out;
    for (const auto& [name, slot] : m_slots)
        if (withHidden || !has(slot->flags, CVarFlags::Hidden))
            out.push_back(infoOf(*slot));
    return out;
}

std::vector<std::string> CVarRegistry::names(bool withHidden) const {
    const std::lock_guard lock(m_mutex);
    std::vector<std::string> out;
    for (const auto& [name, slot] : m_slots)
        if (withHidden || !has(slot->flags, CVarFlags::Hidden))
            out.push_back(name);
    return out;
}

std::vector<std::pair<std::string, std::string>> CVarRegistry::archive() const {
    const std::lock_guard lock(m_mutex);
    std::vector<std::pair<std::string, std::string>> out;
    for (const auto& [name, slot] : m_slots) {
        if (!has(slot->flags, CVarFlags::Archive) || has(slot->flags, CVarFlags::Protected))
            continue;
        for (const CVarSource source : {CVarSource::Console, CVarSource::User})
            if (const auto& value = slot->layers[index(source)];
                value && (source == CVarSource::User || slot->origins[index(source)].place.empty())) {
                out.emplace_back(name, slot->field.formatToml(*value));
                break;
            }
    }
    return out;
}

bool CVarRegistry::reserve(std::string_view name) {
    const std::lock_guard lock(m_mutex);
    if (findSlot(name) != nullptr)
        return false;
    m_reserved.emplace(name);
    return true;
}

} // namespace sbx
