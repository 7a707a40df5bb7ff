#include "widgets/viewport/entity_editor.h"

#include "engine/components/messages.h"
#include "engine/definition/batch_edit.h"
#include "engine/session/built_in_types.h"
#include "engine/session/session.h"
#include "widgets/common/document.h"
#include "widgets/common/selection.h"
#include "widgets/viewport/placement.h"
#include "widgets/viewport/scene_edits.h"
#include "widgets/viewport/viewport_source.h"

#include <algorithm>
#include <mutex>
#include <unordered_set>

namespace sbx::ui {

namespace {

constexpr const char* NotInScene = "nothing of the selection is in the scene file";

QString named(const std::vector<std::string>& names) {
    return names.size() == 1 ? QString::fromStdString(names.front())
                             : QStringLiteral("%1 entities").arg(names.size());
}

} // namespace

// Written and read on the simulation thread only.
struct EntityEditor::WorldDrag {
    struct Item {
        EntityId id;
        Pose start;
    };
    std::vector<Item> items;

    void apply(World& world, const GizmoDelta& delta, const GizmoFrame& frame) const {
        for (const Item& item : items) {
            if (!world.alive(item.id))
                continue;
            const Pose pose = moved(delta, frame, item.start);
            if (!world.send(item.id, SetPose{pose.position, pose.rotation}).consumed)
                world.setPose(item.id, Pose{pose.position, pose.rotation, item.start.scale}, true);
            world.send(item.id, SetVelocity{});
        }
    }
};

// Filled on the simulation thread, emptied on the window's.
struct EntityEditor::Made {
    std::mutex mutex;
    std::vector<std::string> names;

    void add(std::string name) {
        const std::lock_guard lock(mutex);
        names.push_back(std::move(name));
    }
};

EntityEditor::EntityEditor(Session& session, Document& document, Selection& selection)
    : m_session(session), m_document(document), m_selection(selection), m_made(std::make_shared<Made>()) {}

EntityEditor::~EntityEditor() = default;

std::string EntityEditor::sceneFile() const {
    return m_document.isOpen() ? m_document.file(FileRole::Scene) : std::string();
}

bool EntityEditor::canEdit() const { return !sceneFile().empty(); }

const ScenePlaces& EntityEditor::places() const {
    const std::uint64_t revision = m_document.revision();
    if (m_placesRevision == revision)
        return m_places;
    const definition::PlaceIndex* index = m_document.isOpen() ? m_document.places() : nullptr;
    if (index == nullptr)
        m_places = ScenePlaces();
    else if (m_placesRevision && *m_placesRevision >= m_document.structureRevision())
        m_places.follow(*index, *m_placesRevision);
    else
        m_places = ScenePlaces::of(*index);
    m_placesRevision = revision;
    return m_places;
}

const definition::Definitions& EntityEditor::definitions() const {
    const std::uint64_t revision = m_document.structureRevision(); // places are no part of it
    if (m_definitionsRevision != revision) {
        std::vector<definition::SourceFile> files;
        if (m_document.isOpen())
            for (const DocumentFile& file : m_document.files())
                if (file.role == FileRole::Definitions)
                    files.push_back({file.file, m_document.text(file.file)});
        files.push_back(builtInTypes());
        Diagnostics faults; // told elsewhere
        m_definitions = definition::Definitions::load(files, m_session.schema(), faults);
        m_definitionsRevision = revision;
    }
    return m_definitions;
}

std::optional<render::Bounds> EntityEditor::boundsOfType(const std::string& type) const {
    const definition::EntityTypeDefinition* found = definitions().find(type);
    return found != nullptr ? typeBounds(*found) : std::nullopt;
}

Result<std::string> EntityEditor::create(const std::string& type, const Vec3& position) {
    if (!editsFile()) {
        createInWorld(type, position);
        return std::string();
    }
    const std::string file = sceneFile();
    if (file.empty())
        return Error{"there is no scene to put " + type + " into; open a project first", {}, {}};
    const std::string& text = m_document.text(file);
    const std::string name = definition::freeInstanceName(text, definition::baseNameOf(type));
    definition::InstancePose pose;
    pose.position = roundedMetres(position);
    Result<definition::TextEdits> edits = definition::addInstance(text, type, name, pose);
    if (!edits)
        return edits.error();
    const QString label = QStringLiteral("Create %1").arg(QString::fromStdString(name));
    if (Result<void> done = m_document.edit({file, std::move(*edits), label, {}}); !done)
        return done.error();
    m_selection.setEntity(name, ViewportSource);
    return name;
}

void EntityEditor::createInWorld(const std::string& type, const Vec3& position) {
    m_session.post([type, position, made = m_made](Session& session) {
        World& world = session.world();
        SpawnRequest request;
        request.type = world.findType(type);
        if (!request.type) {
            session.log().error("viewport", "there is no entity type " + type + " in the running world");
            return;
        }
        request.pose.position = position;
        made->add(world.nameOf(world.spawn(request)));
    });
}

std::vector<std::string> EntityEditor::inScene(const std::vector<std::string>& names) const {
    std::vector<std::string> there;
    for (const std::string& name : names)
        if (places().find(name) != nullptr)
            there.push_back(name);
    return there;
}

Result<void> EntityEditor::duplicate(const std::vector<std::string>& names) {
    if (names.empty())
        return {};
    if (!editsFile()) {
        m_session.post([names, made = m_made](Session& session) {
            World& world = session.world();
            for (const std::string& name : names) {
                const Entity original = world.find(name);
                if (!original)
                    continue;
                SpawnRequest request;
                request.type = original.sharedType();
                request.name = original.name();
                request.pose = original.local();
                request.parent = original.parent();
                made->add(world.nameOf(world.spawn(request)));
            }
        });
        return {};
    }
    const std::string file = sceneFile();
    const std::vector<std::string> there = inScene(names);
    if (there.empty())
        return Error{NotInScene, {}, {}};
    Result<definition::InstanceCopies> copies =
        definition::duplicateInstances(m_document.text(file), there, Vec3(0.0F), &m_session.schema());
    if (!copies)
        return copies.error();
    const QString label = QStringLiteral("Duplicate %1").arg(named(there));
    if (Result<void> done = m_document.edit({file, std::move(copies->edits), label, {}}); !done)
        return done;
    m_selection.setEntities(copies->names, ViewportSource);
    return {};
}

Result<void> EntityEditor::remove(const std::vector<std::string>& names) {
    if (names.empty())
        return {};
    if (!editsFile()) {
        m_session.post([names](Session& session) {
            for (const std::string& name : names)
                if (const Entity entity = session.world().find(name))
                    session.world().destroy(entity.id());
        });
        return {};
    }
    return removeFromScene(names, QStringLiteral("Delete %1"));
}

Result<void> EntityEditor::removeFromScene(const std::vector<std::string>& names, const QString& label) {
    const std::string file = sceneFile();
    const std::vector<std::string> there = inScene(names);
    if (there.empty())
        return Error{NotInScene, {}, {}};
    Result<definition::TextEdits> edits = definition::removeInstances(m_document.text(file), there);
    if (!edits)
        return edits.error();
    if (Result<void> done = m_document.edit({file, std::move(*edits), label.arg(named(there)), {}}); !done)
        return done;
    m_selection.clear(ViewportSource);
    return {};
}

Result<std::string> EntityEditor::copy(const std::vector<std::string>& names) const {
    const std::vector<std::string> there = inScene(names);
    if (there.empty())
        return Error{NotInScene, {}, {}};
    return definition::copyInstances(m_document.text(sceneFile()), there);
}

Result<void> EntityEditor::cut(const std::vector<std::string>& names) {
    if (!editsFile())
        return Error{"entities can be cut when the world is stopped", {}, {}};
    return removeFromScene(names, QStringLiteral("Cut %1"));
}

Result<definition::PastedInstances> EntityEditor::paste(const std::string& text) {
    if (!editsFile())
        return Error{"entities can be pasted when the world is stopped", {}, {}};
    const std::string file = sceneFile();
    if (file.empty())
        return Error{"there is no scene to paste into; open a project first", {}, {}};
    Result<definition::PastedInstances> pasted =
        definition::pasteInstances(m_document.text(file), text, definitions(), m_session.schema());
    if (!pasted)
        return Error{"the clipboard cannot be pasted as entities: " + pasted.error().message, {}, {}};
    const QString label = QStringLiteral("Paste %1").arg(named(pasted->names));
    if (Result<void> done = m_document.edit({file, pasted->edits, label, {}}); !done)
        return done.error();
    m_selection.setEntities(pasted->names, ViewportSource);
    return pasted;
}

std::vector<EntityEditor::Target> EntityEditor::beginDrag(const std::vector<std::string>& names) {
    m_targets.clear();
    m_written.clear();
    m_worldDrag.reset();
    m_document.endMerge();
    if (!editsFile()) {
        m_worldDrag = std::make_shared<WorldDrag>();
        m_session.post([names, drag = m_worldDrag](Session& session) {
            World& world = session.world();
            std::unordered_set<std::uint64_t> moving;
            for (const std::string& name : names)
                if (const Entity entity = world.find(name))
                    moving.insert(entity.id().bits);
            for (const std::string& name : names) {
                const Entity entity = world.find(name);
                if (!entity)
                    continue;
                bool carried = false;
                for (Entity up = world.find(entity.parent()); up && !carried; up = world.find(up.parent()))
                    carried = moving.contains(up.id().bits);
                if (!carried)
                    drag->items.push_back({entity.id(), world.poseOf(entity.id())});
            }
        });
        return {};
    }
    for (const std::string& name : places().topmost(names)) {
        const ScenePlace& place = *places().find(name);
        m_targets.push_back({name, place.world, places().parentPose(place), place.local});
        m_written.push_back(place.local);
    }
    m_mergeKey = QStringLiteral("viewport.drag.%1").arg(++m_dragCount);
    if (!m_targets.empty())
        m_document.beginDrag();
    return m_targets;
}

Pose EntityEditor::poseAfter(const Target& target, const GizmoDelta& delta, const GizmoFrame& frame) {
    return moved(delta, frame, target.start);
}

Result<void> EntityEditor::drag(const GizmoDelta& delta, const GizmoFrame& frame, Tool tool) {
    if (m_worldDrag) {
        m_session.post([delta, frame, drag = m_worldDrag](Session& session) {
            drag->apply(session.world(), delta, frame);
        });
        return {};
    }
    const std::string file = sceneFile();
    if (m_targets.empty() || file.empty())
        return {};
    std::vector<PoseChange> changes;
    changes.reserve(m_targets.size());
    for (std::size_t i = 0; i < m_targets.size(); ++i) {
        const Target& target = m_targets[i];
        Pose after = relativeTo(target.parent, poseAfter(target, delta, frame));
        // What the tool does not touch stays as it was written, to the last digit.
        if (tool != Tool::Rotate)
            after.rotation = target.local.rotation;
        if (tool != Tool::Scale)
            after.scale = target.local.scale;
        changes.push_back({target.name, m_written[i], after});
    }
    Result<definition::TextEdits> edits = poseEdits(m_document.text(file), changes, m_document.places());
    if (!edits)
        return edits.error();
    if (edits->empty())
        return {};
    const char* verb = tool == Tool::Rotate ? "Rotate %1" : tool == Tool::Scale ? "Scale %1" : "Move %1";
    const QString subject = m_targets.size() == 1 ? QString::fromStdString(m_targets.front().name)
                                                  : QStringLiteral("%1 entities").arg(m_targets.size());
    const QString label = QString::fromLatin1(verb).arg(subject);
    if (Result<void> done = m_document.edit({file, std::move(*edits), label, m_mergeKey}); !done)
        return done;
    for (std::size_t i = 0; i < m_targets.size(); ++i)
        m_written[i] = changes[i].after;
    return {};
}

void EntityEditor::endDrag() {
    if (!m_targets.empty())
        m_document.endDrag();
    forgetDrag();
}

void EntityEditor::cancelDrag() {
    if (m_worldDrag)
        m_session.post([drag = m_worldDrag](Session& session) { drag->apply(session.world(), {}, {}); });
    if (!m_targets.empty())
        m_document.cancelDrag();
    forgetDrag();
}

void EntityEditor::forgetDrag() {
    m_targets.clear();
    m_written.clear();
    m_worldDrag.reset();
}

std::vector<std::string> EntityEditor::takeMade() {
    const std::lock_guard lock(m_made->mutex);
    return std::exchange(m_made->names, {});
}

} // namespace sbx::ui
