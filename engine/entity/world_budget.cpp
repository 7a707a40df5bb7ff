// How much a run may add to a world, and reports that name the component which adds most.

#include "engine/core/log.h"
#include "engine/entity/world.h"

#include <algorithm>

namespace sbx {

void World::setBudget(const WorldBudget& budget) {
    m_budget = budget;
    if (m_tick != 0 && m_desc.side != Side::Client) {
        m_entityGrowth.setBound(budget.entities);
        m_queueGrowth.setBound(budget.messages);
    }
}

void World::beginBudget() {
    if (m_desc.side == Side::Client)
        return;
    m_entityGrowth.begin(m_slots.taken(), m_budget.entities);
    m_queueGrowth.begin(0, m_budget.messages);
}

bool World::takeOverBudget() {
    const bool entities = m_entityGrowth.takeRefused();
    const bool messages = m_queueGrowth.takeRefused();
    return entities || messages;
}

// The entity that creates or sends (if none is given: the one whose handler runs), and its component that is declared to send such
// messages; where none is, those that handle any.
GrowthWatch::Adder MessageRouter::acting(EntityId id, MessageTypeId sends) const {
    const Entity entity = find(id || !inHandler() ? id : currentReceiver());
    if (!entity)
        return {};
    std::string declared;
    std::string handling;
    const auto append = [](std::string& names, const std::string& name) { names += (names.empty() ? "" : " or ") + name; };
    entity.eachComponent([&](const Entity::ComponentRef& ref) {
        if (std::find(ref.type->sends.begin(), ref.type->sends.end(), sends) != ref.type->sends.end())
            append(declared, ref.type->name);
        else if (!ref.type->handlers.empty())
            append(handling, ref.type->name);
    });
    return {!declared.empty() ? declared : !handling.empty() ? handling : entity.type().name(), entity.name()};
}

void MessageRouter::reportGrowth(const GrowthWatch::Verdict& verdict, const char* channel, const std::string& grown,
                         const std::string& refused, const char* verb, const std::string& budget) {
    std::string text = verdict.refused ? refused + " (" + budget + "); play pauses"
                                       : std::to_string(verdict.grown) + grown + "; play pauses at " + budget;
    if (!verdict.adder.component.empty())
        text += ". " + std::to_string(verdict.percent) + " % of the last ones were " + verb + " by "
                + verdict.adder.component + " of "
                + (verdict.several ? "several entities, among them " : "") + verdict.adder.entity;
    m_log.error(channel, text);
}

bool EntityLifecycle::growEntities(EntityId creator) {
    const GrowthWatch::Verdict verdict = m_entityGrowth.add(m_slots.taken(), [&] { return acting(creator, NoType); });
    if (!verdict.report)
        return !verdict.refused;
    reportGrowth(verdict, "entities", " entities have come since the run began and are still there",
                 "no more entities are made: " + std::to_string(verdict.grown)
                     + " have come since the run began and are still there",
                 "made", std::to_string(m_entityGrowth.bound()) + ", sim.entityBudget");
    return !verdict.refused;
}

bool MessageRouter::growQueue(const Envelope& message) {
    const GrowthWatch::Verdict verdict = m_queueGrowth.add(m_queue.size(), [&] { return acting(message.sender, message.type); });
    if (!verdict.report)
        return !verdict.refused;
    reportGrowth(verdict, "message", " messages wait to be delivered",
                 "no more messages are queued: " + std::to_string(verdict.grown) + " wait to be delivered",
                 "sent", std::to_string(m_queueGrowth.bound()) + ", sim.messageBudget");
    return !verdict.refused;
}

} // namespace sbx
