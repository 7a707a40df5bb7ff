#include "app/editor/scene_set.h"

#include "engine/definition/batch_edit.h"
#include "engine/session/session.h"
#include "widgets/common/document.h"
#include "widgets/common/entity_names.h"

#include <algorithm>
#include <utility>

namespace sbx::editor {

SceneSet::SceneSet(Session& session, ui::Document& document, Log& log, QObject* parent)
    : QObject(parent), m_session(session), m_document(document), m_log(log) {
    CommandRegistry& commands = session.console().commands();
    Command command = *commands.find("set");
    command.function = [this, inWorld = command.function](CommandContext& context,
                                                          const CommandArguments& arguments) -> Result<void> {
        if (Result<void> set = inWorld(context, arguments); !set)
            return set;
        if (m_session.mode() == Mode::Edit)
            keep(context, arguments);
        return {};
    };
    commands.remove(command.name);
    commands.add(std::move(command));
}

void SceneSet::keep(CommandContext& context, const CommandArguments& arguments) {
    const Entity entity = m_session.world().find(arguments[0]);
    const std::size_t dot = arguments[1].find('.');
    const std::string component = arguments[1].substr(0, dot);
    const std::string name = arguments[1].substr(dot + 1);
    const Entity::ComponentRef ref = entity ? entity.component(component) : Entity::ComponentRef();
    // What the world computes while it runs is no part of the scene.
    if (ref.type == nullptr || !entity.fromScene() || ref.type->state->find(name) != nullptr)
        return;
    const FieldInfo* field = ref.type->settings->find(name);
    if (field == nullptr)
        return;
    const auto& layout = entity.type().layout();
    if (std::count_if(layout.begin(), layout.end(),
                      [&](const EntityType::Slot& slot) { return slot.type == ref.type; })
        > 1) {
        context.note("not kept: " + arguments[0] + " has several " + ref.type->name
                     + ", which a scene cannot tell apart; change the definition");
        return;
    }
    Override override{arguments[0], ref.type->name, name,
                      field->formatToml(field->read(ref.type->settingsOf(ref.component)))};
    const std::lock_guard lock(m_mutex);
    m_waiting.push_back(std::move(override));
    if (m_waiting.size() == 1)
        QMetaObject::invokeMethod(this, &SceneSet::write, Qt::QueuedConnection);
}

void SceneSet::write() {
    std::vector<Override> waiting;
    {
        const std::lock_guard lock(m_mutex);
        waiting.swap(m_waiting);
    }
    const std::string scene = m_document.file(ui::FileRole::Scene);
    if (waiting.empty() || scene.empty())
        return;
    const QString step = QStringLiteral("console.set.%1").arg(++m_step);
    m_document.endMerge();
    // Neighbours that set the same are one pass over the text: `set $sel Body.mass 5`.
    for (auto first = waiting.begin(); first != waiting.end();) {
        const auto last = std::find_if(first + 1, waiting.end(), [&](const Override& other) {
            return other.component != first->component || other.field != first->field
                   || other.toml != first->toml;
        });
        std::vector<std::string> entities;
        for (auto each = first; each != last; ++each)
            entities.push_back(std::move(each->entity));
        std::sort(entities.begin(), entities.end());
        entities.erase(std::unique(entities.begin(), entities.end()), entities.end());
        const QString subject = ui::entitiesText(entities);
        Result<definition::TextEdits> edits = definition::setSceneValues(
            m_document.text(scene), entities, first->component, first->field, first->toml);
        Result<void> done = edits ? m_document.edit(
                                {scene, std::move(*edits),
                                 tr("Set %1 of %2").arg(QString::fromStdString(first->field), subject), step})
                                  : Result<void>(edits.error());
        if (!done)
            m_log.error("console", "not kept in " + scene + ": " + done.error().message);
        first = last;
    }
    m_document.endMerge();
}

} // namespace sbx::editor

#include "moc_scene_set.cpp"
