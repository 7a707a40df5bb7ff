// New definitions for existing entities. Components that stay are the same objects at the same address, new ones have memory of
// their own, removed ones leave a hole in the block: nothing moves, and the private state of components is kept.

#include "engine/core/component_name.h"
#include "engine/core/log.h"
#include "engine/entity/thrown_text.h"
#include "engine/entity/world.h"

#include <algorithm>

namespace sbx {

namespace {
using Layout = std::vector<EntityType::Slot>;

// Of its kind, from 1.
std::ptrdiff_t numberOf(const Layout& layout, std::size_t index) {
    return std::count_if(layout.begin(), layout.begin() + static_cast<std::ptrdiff_t>(index) + 1,
                         [&](const EntityType::Slot& s) { return s.type == layout[index].type; });
}

// Components of a kind correspond by their number. layout.size(): none.
std::size_t counterpart(const Layout& layout, const ComponentType& type, std::ptrdiff_t number) {
    for (std::size_t i = 0; i < layout.size(); ++i)
        if (layout[i].type == &type && --number == 0)
            return i;
    return layout.size();
}

std::string nameOfPart(const Layout& layout, std::size_t index) {
    return componentName(layout[index].type->name, static_cast<std::size_t>(numberOf(layout, index)));
}

bool sameComponents(const EntityType& a, const EntityType& b) {
    return std::equal(a.layout().begin(), a.layout().end(), b.layout().begin(), b.layout().end(),
                      [](const EntityType::Slot& x, const EntityType::Slot& y) { return x.type == y.type; });
}

// "+Reporter, -Armor, Life.maximum": what differs; empty: nothing a living entity shows.
std::string difference(const EntityType& before, const EntityType& now) {
    std::string joins;
    std::string goes;
    std::string settings;
    const auto add = [](std::string& to, const std::string& what) { to += (to.empty() ? "" : ", ") + what; };
    for (std::size_t i = 0; i < now.layout().size(); ++i) {
        const EntityType::Slot& slot = now.layout()[i];
        const std::size_t was = counterpart(before.layout(), *slot.type, numberOf(now.layout(), i));
        const std::string name = nameOfPart(now.layout(), i);
        if (was == before.layout().size()) {
            add(joins, "+" + name);
            continue;
        }
        for (const FieldInfo& field : *slot.type->settings)
            if (field.read(before.layout()[was].settings.get()) != field.read(slot.settings.get()))
                add(settings, name + "." + field.name);
    }
    for (std::size_t i = 0; i < before.layout().size(); ++i)
        if (counterpart(now.layout(), *before.layout()[i].type, numberOf(before.layout(), i))
            == now.layout().size())
            add(goes, "-" + nameOfPart(before.layout(), i));
    for (const std::string& part : {goes, settings})
        if (!part.empty())
            add(joins, part);
    return joins;
}
} // namespace

// Settings that changed between the types apply, but for those that were set on this entity.
void World::updateSettings(std::uint32_t index, const EntityType& before, const EntityType& now) {
    const EntityId id = m_slots.idOf(index);
    for (std::size_t i = 0; i < now.layout().size() && alive(id); ++i) {
        const EntityType::Slot& slot = now.layout()[i];
        const std::size_t was = counterpart(before.layout(), *slot.type, numberOf(now.layout(), i));
        if (was == before.layout().size() || before.layout()[was].settings == slot.settings)
            continue;
        const Entity entity(*this, id);
        std::byte* component = m_slots[index].block + slot.offset;
        if (m_slots[index].has(SlotSpecial)) {
            const std::vector<EntityPart>& parts = m_details.get(index).parts;
            const auto part = std::find_if(parts.begin(), parts.end(),
                                           [&](const EntityPart& p) { return p.declared == i; });
            if (part == parts.end())
                continue; // removed at run time
            component = part->memory;
        }
        const std::string name = nameOfPart(now.layout(), i);
        bool changed = false;
        void* const settings = slot.type->settingsOf(component);
        const std::shared_ptr<const void> had = slot.type->makeSettings(settings);
        for (const FieldInfo& field : *slot.type->settings) {
            const Value wanted = field.read(slot.settings.get());
            if (field.read(before.layout()[was].settings.get()) == wanted
                || entity.overrides(name, field.name) || field.read(settings) == wanted)
                continue;
            field.write(settings, wanted);
            changed = true;
        }
        if (changed && slot.type->settingsChanged != nullptr)
            slot.type->settingsChanged(component, had.get());
    }
}

void World::updateParts(std::uint32_t index, const std::shared_ptr<const EntityType>& type) {
    const EntityId id = m_slots.idOf(index);
    const std::shared_ptr<const EntityType> old = Entity(*this, id).sharedType();
    const Layout& before = old->layout();
    const Layout& now = type->layout();
    makeSpecial(index);

    std::vector<std::byte*> going;
    for (const EntityPart& part : m_details.get(index).parts) {
        const bool stays =
            part.declared == EntityPart::Added
                // What was added at run time gives way to what is declared.
                ? std::none_of(now.begin(), now.end(),
                               [&](const EntityType::Slot& s) { return s.type->excludes(*part.type); })
                : counterpart(now, *part.type, numberOf(before, part.declared)) < now.size();
        if (stays)
            continue;
        going.push_back(part.memory);
        if (part.declared != EntityPart::Added)
            for (EntityOverride& wish : m_details.get(index).overrides)
                if (const FieldInfo* const field = part.type->settings->find(wish.field);
                    field != nullptr && wish.component == nameOfPart(before, part.declared))
                    wish.kept = field->read(part.type->settingsOf(part.memory));
    }
    dropParts(id, going);
    if (!alive(id) || m_slots[index].has(SlotDying))
        return; // a handler of OnDestroy destroyed the entity

    std::vector<EntityPart> next;
    std::vector<std::byte*> fresh;
    std::vector<EntityPart>& parts = m_details.get(index).parts;
    for (std::size_t i = 0; i < now.size(); ++i) {
        const std::size_t was = counterpart(before, *now[i].type, numberOf(now, i));
        if (was < before.size()) {
            const auto part = std::find_if(parts.begin(), parts.end(),
                                           [&](const EntityPart& p) { return p.declared == was; });
            if (part == parts.end())
                continue; // removed at run time: stays away
            next.push_back(*part);
        } else {
            const ComponentType& component = *now[i].type;
            auto* const memory = static_cast<std::byte*>(
                ::operator new(component.size, std::align_val_t(component.alignment)));
            m_recorder.setComponentName(component.id, component.name, component.observer);
            next.push_back(
                {.type = now[i].type, .memory = memory, .serial = nextSerial(m_details.get(index))});
            fresh.push_back(memory);
        }
        next.back().declared = static_cast<std::uint16_t>(i);
    }
    std::copy_if(parts.begin(), parts.end(), std::back_inserter(next),
                 [](const EntityPart& p) { return p.declared == EntityPart::Added; });
    // Constructors find the components that stay; the new ones only when all are built.
    const bool pinned = pin(index);
    m_slots[index].set(SlotReloading);
    for (std::size_t i = 0; i < next.size();) {
        const EntityPart& part = next[i++];
        if (std::find(fresh.begin(), fresh.end(), part.memory) != fresh.end()) {
            const std::shared_ptr<void> settings = part.type->makeSettings(now[part.declared].settings.get());
            const std::string name = nameOfPart(now, part.declared);
            for (const EntityOverride& wish : m_details.get(index).overrides)
                if (const FieldInfo* const field = part.type->settings->find(wish.field);
                    field != nullptr && wish.component == name)
                    // Another build of a plugin may have another type or range.
                    if (const Result<Value> kept = field->check(wish.kept); kept && wish.kept.index() != 0)
                        field->write(settings.get(), *kept);
            try {
                part.type->constructAt(part.memory, *this, id, settings.get());
            } catch (...) {
                m_log.error("entities",
                            nameOf(id) + " gets no " + name + ": its constructor threw: " + thrownText());
                std::erase(fresh, part.memory);
                ::operator delete(part.memory, std::align_val_t(part.type->alignment));
                next.erase(next.begin() + static_cast<std::ptrdiff_t>(--i));
            }
        }
    }
    m_details.get(index).parts = std::move(next);
    m_details.get(index).type = type;
    m_slots[index].clear(SlotReloading);
    follow(index);
    updateSettings(index, *old, *type);
    unpin(id, pinned); // destroy() in a constructor takes effect now
    for (std::byte* component : fresh)
        beginPart(id, component);
}

// Updates every entity of the pool to the new type; returns how many.
std::size_t World::updatePool(EntityPool& pool, const std::shared_ptr<const EntityType>& type) {
    const auto living = [&] {
        std::vector<EntityId> all;
        for (std::size_t c = 0; c < pool.chunkCount(); ++c)
            for (std::uint64_t left = pool.chunk(c).live; left != 0; left &= left - 1)
                all.push_back(m_slots.idOf(pool.chunk(c).owners[std::countr_zero(left)]));
        return all;
    };
    // Entities that handlers destroy meanwhile are not updated.
    const auto stays = [&](EntityId id) { return alive(id) && !m_slots[id.index()].has(SlotDying); };
    std::vector<EntityId> entities = living();
    std::erase_if(entities, [&](EntityId id) { return Entity(*this, id).sharedType() == type; });
    const std::shared_ptr<const EntityType> before = pool.type();
    const bool adopts = before != type && sameComponents(*before, *type);
    if (!adopts) {
        for (const EntityId id : entities)
            if (stays(id))
                updateParts(id.index(), type);
        return entities.size();
    }
    // Entities that differ from the pool's type first: their update compares with the old type.
    for (const EntityId id : entities)
        if (stays(id) && m_slots[id.index()].has(SlotSpecial))
            updateParts(id.index(), type);
    m_poolOf.erase(before.get());
    m_poolOf[type.get()] = pool.number;
    m_lastType = nullptr;
    pool.setType(type);
    pool.eachTable([this](DispatchTable& table) { m_recorder.hook(m_lane, table); });
    // All that exist now: handlers may have created more meanwhile.
    const std::size_t count = entities.size();
    entities = living();
    for (const EntityId id : entities)
        if (!m_slots[id.index()].has(SlotSpecial))
            follow(id.index());
    for (const EntityId id : entities) {
        if (stays(id) && !m_slots[id.index()].has(SlotSpecial))
            updateSettings(id.index(), *before, *type);
        if (stays(id))
            makePlain(id.index());
    }
    return count;
}

// Removes empty pools, unless their type is in force; a type in force that only has entities in older pools of its
// name gets its own behind them, so that what is made from now on keeps the type's turn.
void World::sortPools() {
    std::vector<std::unique_ptr<EntityPool>> next;
    std::vector<std::uint16_t> moved(m_pools.size());
    const auto inForce = [&](const EntityType& type) {
        return std::any_of(m_types.begin(), m_types.end(), [&](const auto& t) { return t.get() == &type; });
    };
    for (std::size_t i = 0; i < m_pools.size(); ++i) {
        const std::string name = m_pools[i]->type()->name();
        const bool last = std::none_of(m_pools.begin() + static_cast<std::ptrdiff_t>(i) + 1, m_pools.end(),
                                       [&](const auto& p) { return p && p->type()->name() == name; });
        const std::shared_ptr<const EntityType> current = findType(name);
        const bool hasPool = current != nullptr && m_poolOf.contains(current.get());
        moved[i] = static_cast<std::uint16_t>(next.size());
        if (m_pools[i]->size() > 0 || inForce(*m_pools[i]->type()))
            next.push_back(std::move(m_pools[i]));
        else if (!last || hasPool || current == nullptr)
            continue;
        if (last && current != nullptr && !hasPool)
            next.push_back(makePool(current));
    }
    for (std::uint32_t i = 0; i < m_slots.size(); ++i)
        if (m_slots.alive(i))
            m_slots[i].pool = moved[m_slots[i].pool];
    m_pools = std::move(next);
    m_poolOf.clear();
    for (std::size_t i = 0; i < m_pools.size(); ++i) {
        m_pools[i]->number = static_cast<std::uint16_t>(i);
        m_poolOf.emplace(m_pools[i]->type().get(), static_cast<std::uint16_t>(i));
        for (const EntityType::Slot& slot : m_pools[i]->type()->layout())
            m_recorder.setComponentName(slot.type->id, slot.type->name, slot.type->observer);
    }
    m_lastType = nullptr;
}

std::vector<std::string> World::replaceTypes(std::vector<std::shared_ptr<const EntityType>> types) {
    SBX_EXPECT(!busy() && m_activity == 0,
               "replaceTypes() must be called between ticks, and not from a destructor");
    for (std::uint32_t i = 0; i < m_slots.size(); ++i)
        SBX_EXPECT(!m_slots.alive(i) || !m_slots[i].has(SlotBuilding | SlotPinned),
                   "replaceTypes() must not be called from a constructor");
    std::vector<std::string> report;
    for (const auto& type : types) {
        const std::shared_ptr<const EntityType> before = findType(type->name());
        std::size_t count = 0;
        for (std::size_t i = 0; i < m_pools.size(); ++i)
            if (m_pools[i]->type()->name() == type->name())
                count += updatePool(*m_pools[i], type);
        if (count == 0)
            continue;
        const std::string what = before != nullptr ? difference(*before, *type) : std::string();
        report.push_back(type->name() + ": " + std::to_string(count)
                         + (count == 1 ? " entity follows" : " entities follow")
                         + (what.empty() ? "" : " (" + what + ")"));
    }
    m_types = std::move(types);
    sortPools();
    ++m_structure;
    settle();
    return report;
}

} // namespace sbx
