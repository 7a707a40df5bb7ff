#include "widgets/viewport/entity_editor.h"

#include "engine/components/messages.h"
#include "engine/definition/batch_edit.h"
#include "engine/session/session.h"
#include "engine/simulation/asset_uses.h"
#include "engine/simulation/built_in_types.h"
#include "widgets/common/document.h"
#include "widgets/common/entity_names.h"
#include "widgets/common/selection.h"
#include "widgets/viewport/copy_step.h"
#include "widgets/viewport/placement.h"
#include "widgets/viewport/scene_edits.h"
#include "widgets/viewport/viewport_source.h"

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <optional>
#include <unordered_set>

namespace sbx::ui {

namespace {

constexpr const char* NotInScene = "nothing of the selection is in the scene file";

// What an entity of a file is called: as the file, as far as a name may be. "rock wall.obj" gives "rock_wall".
std::string wishedName(const std::string& asset, const std::string& otherwise) {
    std::string out;
    for (const char c : std::filesystem::path(asset).stem().string()) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (plain)
            out += c;
        else if (!out.empty() && out.back() != '_')
            out += '_';
    }
    while (out.ends_with('_'))
        out.pop_back();
    constexpr std::size_t Longest = 40;
    return out.empty() ? otherwise : out.substr(0, Longest);
}

} // namespace

// Written and read on the simulation thread only.
struct EntityEditor::WorldDrag {
    struct Item {
        EntityId id;
        Pose start;
        Pose local; // at the start, in the parent's frame
        Pose put;   // where it was put last, in the parent's frame
    };
    std::vector<Item> items;
    bool copies = false; // the drag made them

    void add(World& world, const Entity& entity) {
        items.push_back({entity.id(), world.poseOf(entity.id()), entity.local(), entity.local()});
    }
    void apply(Session& session, const GizmoDelta& delta, const GizmoFrame& frame) {
        World& world = session.world();
        std::optional<World::Unseen> unseen; // while it is stopped, this is an edit, no part of a run
        if (session.mode() == Mode::Edit)
            unseen.emplace(world);
        for (Item& item : items) {
            const Entity entity = world.find(item.id);
            if (!entity)
                continue;
            const Pose pose = moved(delta, frame, item.start);
            const Entity parent = world.find(entity.parent());
            item.put = parent ? relativeTo(parent.pose(), pose) : pose;
            item.put.scale = item.local.scale;
            if (!world.send(item.id, SetPose{pose.position, pose.rotation}).consumed)
                world.setPose(item.id, Pose{pose.position, pose.rotation, item.start.scale}, true);
            world.send(item.id, SetVelocity{});
        }
    }
    // So that Stop can offer to keep it.
    void note(Session& session) const {
        for (const Item& item : items)
            if (const Entity entity = session.world().find(item.id); entity && !copies)
                session.liveEdits().notePlace(entity, item.local, item.put);
    }
};

namespace {

// In place, each beside its original in the hierarchy. Simulation thread.
std::vector<EntityId> copiesInWorld(World& world, const std::vector<std::string>& names) {
    std::vector<EntityId> copies;
    for (const std::string& name : names) {
        const Entity original = world.find(name);
        if (!original)
            continue;
        SpawnRequest request;
        request.type = original.sharedType();
        request.name = original.name();
        request.pose = original.local();
        request.parent = original.parent();
        copies.push_back(world.spawn(request));
    }
    return copies;
}

} // namespace

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
        Diagnostics faults; // reported elsewhere
        m_definitions = definition::Definitions::load(files, m_session.catalog().schema, faults);
        m_definitionsRevision = revision;
    }
    return m_definitions;
}

std::optional<render::Bounds> EntityEditor::boundsOfType(const std::string& type) const {
    const definition::EntityTypeDefinition* found = definitions().find(type);
    return found != nullptr ? typeBounds(*found) : std::nullopt;
}

std::optional<render::Bounds> EntityEditor::placingBounds(const std::string& type) const {
    const definition::EntityTypeDefinition* found = definitions().find(type);
    if (found == nullptr)
        return std::nullopt;
    const auto bounds = typeBounds(*found);
    // What is drawn by a file has a size that is not known here.
    return bounds || found->find("Mesh") != nullptr ? bounds : clearance(*found);
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
    return writeNew(name, std::move(*edits));
}

Result<std::string> EntityEditor::writeNew(const std::string& name, definition::TextEdits edits) {
    const std::string file = sceneFile();
    if (const std::string layer = m_layerForNew ? m_layerForNew() : std::string(); !layer.empty()) {
        const Result<std::string> with = definition::applyEdits(m_document.text(file), edits);
        if (!with)
            return with.error();
        Result<definition::TextEdits> more = definition::setInstanceKey(*with, name, "layer", inQuotes(layer));
        if (!more)
            return more.error();
        edits = definition::composed(std::move(edits), *more);
    }
    const QString label = QStringLiteral("Create %1").arg(QString::fromStdString(name));
    if (Result<void> done = m_document.edit({file, std::move(edits), label, {}}); !done)
        return done.error();
    m_selection.setEntity(name, ViewportSource);
    return name;
}

Result<std::string> EntityEditor::createOf(const std::string& asset, const Vec3& position) {
    const std::optional<AssetKind> kind = assetKind(asset);
    if (!kind)
        return Error{asset + " is no mesh and no sound; expected a .gltf, .glb, .obj, .wav, .flac or .ogg file", {}, {}};
    const bool sound = *kind == AssetKind::Sound;
    const std::string type = sound ? "Sound" : "Mesh"; // the component of that name, too
    const definition::EntityTypeDefinition* known = definitions().find(type);
    if (known == nullptr || known->find(type) == nullptr)
        return Error{"the type " + type + " of this project has no component " + type + ", so that it cannot show " + asset
                         + "; expected the built-in type, or one with that component",
                     {},
                     {}};
    // The built-in Sound is a quiet tone until it has a file.
    const Settings settings = sound ? Settings{{"file", asset}, {"source", "file"}, {"gain", "1"}} : Settings{{"mesh", asset}};
    if (!editsFile()) {
        createInWorld(type, position, type, settings);
        return std::string();
    }
    const std::string file = sceneFile();
    if (file.empty())
        return Error{"there is no scene to put " + asset + " into; open a project first", {}, {}};
    const std::string& text = m_document.text(file);
    const std::string name = definition::freeInstanceName(text, definition::baseNameOf(wishedName(asset, type)));
    definition::InstancePose pose;
    pose.position = roundedMetres(position);
    Result<definition::TextEdits> edits = definition::addInstance(text, type, name, pose);
    if (!edits)
        return edits.error();
    definition::TextEdits all = std::move(*edits);
    for (const auto& [key, value] : settings) {
        const Result<std::string> before = definition::applyEdits(text, all);
        if (!before)
            return before.error();
        const FieldInfo* field = m_session.catalog().schema.find(type)->settings->find(key);
        const Result<Value> typed = field->parse(value);
        if (!typed)
            return typed.error();
        Result<definition::TextEdits> more = definition::setSceneValue(*before, name, type, key, field->formatToml(*typed));
        if (!more)
            return more.error();
        all = definition::composed(std::move(all), *more);
    }
    return writeNew(name, std::move(all));
}

void EntityEditor::createInWorld(const std::string& type, const Vec3& position, const std::string& component, const Settings& settings) {
    m_session.post([type, position, component, settings, made = m_made](Session& session) {
        World& world = session.world();
        SpawnRequest request;
        request.type = world.findType(type);
        if (!request.type) {
            session.log().error("viewport", "there is no entity type " + type + " in the running world");
            return;
        }
        request.pose.position = position;
        for (const EntityType::Slot& slot : request.type->layout()) {
            if (settings.empty() || slot.type->name != component)
                continue;
            ComponentOverride override{slot.type, slot.type->makeSettings(slot.settings.get()), {}};
            for (const auto& [key, text] : settings)
                if (const FieldInfo* field = slot.type->settings->find(key))
                    if (const Result<Value> value = field->parse(text)) {
                        field->write(const_cast<void*>(override.settings.get()), *value);
                        override.keys.push_back(key);
                    }
            request.overrides.push_back(std::move(override));
            break;
        }
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
            for (const EntityId id : copiesInWorld(session.world(), names))
                made->add(session.world().nameOf(id));
        });
        return {};
    }
    const auto copies = writeCopies(names, QStringLiteral("Duplicate %1"), {});
    return copies ? Result<void>() : Result<void>(copies.error());
}

std::vector<std::string> EntityEditor::familyOf(const std::vector<std::string>& names) const {
    std::vector<std::string> family = inScene(names);
    std::unordered_set<std::string> members(family.begin(), family.end());
    std::vector<const ScenePlace*> up;
    std::unordered_set<std::string> others; // known to be none
    for (const ScenePlace& place : places().all()) {
        up.clear();
        const ScenePlace* at = &place;
        while (at != nullptr && !members.contains(at->name) && others.insert(at->name).second) {
            up.push_back(at);
            at = at->parent.empty() ? nullptr : places().find(at->parent);
        }
        if (at == nullptr || !members.contains(at->name))
            continue;
        for (const ScenePlace* each : up) {
            others.erase(each->name);
            if (members.insert(each->name).second)
                family.push_back(each->name);
        }
    }
    return family;
}

Result<std::unordered_map<std::string, std::string>> EntityEditor::writeCopies(const std::vector<std::string>& names, const QString& label,
                                                                               const QString& mergeKey) {
    const std::string file = sceneFile();
    const std::vector<std::string> there = inScene(names);
    if (there.empty())
        return Error{NotInScene, {}, {}};
    const std::vector<std::string> family = familyOf(there);
    const std::vector<std::string> roots = places().topmost(there);
    Result<definition::InstanceCopies> copies =
        definition::duplicateInstances(m_document.text(file), family, Vec3(0.0F), &m_session.catalog().schema, &definitions());
    if (!copies)
        return copies.error();
    if (Result<void> done = m_document.edit({file, std::move(copies->edits), label.arg(entitiesText(there)), mergeKey}); !done)
        return done.error();
    std::unordered_map<std::string, std::string> by;
    for (std::size_t i = 0; i < family.size() && i < copies->names.size(); ++i)
        by.emplace(family[i], copies->names[i]);
    m_lastCopies.clear();
    for (const std::string& root : roots)
        m_lastCopies.emplace_back(root, by.at(root));
    std::vector<std::string> selected;
    for (const std::string& name : there)
        selected.push_back(by.at(name));
    m_selection.setEntities(std::move(selected), ViewportSource);
    return by;
}

Result<bool> EntityEditor::repeat(const std::vector<std::string>& names) {
    if (!editsFile())
        return Error{"duplicating with the same move again works when the world is stopped", {}, {}};
    const std::vector<std::string> roots = places().topmost(names);
    std::vector<CopyStep> steps;
    std::unordered_map<std::string, std::size_t> stepOf; // by the name of the last copy
    for (const auto& [original, copy] : m_lastCopies) {
        const ScenePlace* from = places().find(original);
        const ScenePlace* to = places().find(copy);
        if (from == nullptr || to == nullptr)
            break;
        stepOf.emplace(copy, steps.size());
        steps.push_back({from->world, to->world, {}});
    }
    const bool again = steps.size() == m_lastCopies.size() && roots.size() == steps.size() && !steps.empty()
                       && std::all_of(roots.begin(), roots.end(), [&](const std::string& name) { return stepOf.contains(name); });
    m_document.endMerge();
    const QString key = QStringLiteral("viewport.repeat.%1").arg(++m_dragCount);
    const auto copies = writeCopies(names, QStringLiteral("Duplicate %1"), key);
    if (!copies)
        return copies.error();
    if (!again) {
        m_document.endMerge();
        return false;
    }
    continueSteps(steps);
    std::vector<PoseChange> changes;
    for (const std::string& root : roots) {
        const ScenePlace* place = places().find(copies->at(root));
        if (place == nullptr)
            continue;
        const CopyStep& step = steps[stepOf.at(root)];
        Pose after = relativeTo(places().parentPose(*place), step.next);
        if (!step.turned())
            after.rotation = place->local.rotation; // as it is written, to the last digit
        if (!step.scaled())
            after.scale = place->local.scale;
        changes.push_back({place->name, place->local, after});
    }
    const std::string file = sceneFile();
    Result<definition::TextEdits> edits = poseEdits(m_document.text(file), changes, m_document.places());
    Result<void> done = edits ? Result<void>() : Result<void>(edits.error());
    if (edits && edits->empty()) { // the copies before lie where their originals do
        m_document.endMerge();
        return false;
    }
    if (edits)
        done = m_document.edit({file, std::move(*edits), QStringLiteral("Duplicate %1 again").arg(entitiesText(names)), key});
    m_document.endMerge();
    return done ? Result<bool>(true) : Result<bool>(done.error());
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
    if (Result<void> done = m_document.edit({file, std::move(*edits), label.arg(entitiesText(there)), {}}); !done)
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
        definition::pasteInstances(m_document.text(file), text, definitions(), m_session.catalog().schema);
    if (!pasted)
        return Error{"the clipboard cannot be pasted as entities: " + pasted.error().message, {}, {}};
    const QString label = QStringLiteral("Paste %1").arg(entitiesText(pasted->names));
    if (Result<void> done = m_document.edit({file, pasted->edits, label, {}}); !done)
        return done.error();
    m_selection.setEntities(pasted->names, ViewportSource);
    return pasted;
}

std::vector<std::string> EntityEditor::movable(const std::vector<std::string>& names) const {
    std::vector<std::string> out;
    for (const std::string& name : names)
        if (!m_movable || m_movable(name))
            out.push_back(name);
    return out;
}

std::vector<EntityEditor::Target> EntityEditor::beginDrag(const std::vector<std::string>& selected) {
    const std::vector<std::string> names = movable(selected);
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
                    drag->add(world, entity);
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

Result<void> EntityEditor::beginCopyDrag(const std::vector<std::string>& names, CopyDrag& begun) {
    m_targets.clear();
    m_written.clear();
    m_worldDrag.reset();
    m_document.endMerge();
    if (!editsFile()) {
        m_worldDrag = std::make_shared<WorldDrag>();
        m_beforeCopies = names;
        m_session.post([names, drag = m_worldDrag, made = m_made](Session& session) {
            World& world = session.world();
            drag->copies = true;
            for (const EntityId id : copiesInWorld(world, names)) {
                drag->add(world, world.find(id));
                made->add(world.nameOf(id));
            }
        });
        return {};
    }
    m_mergeKey = QStringLiteral("viewport.drag.%1").arg(++m_dragCount);
    m_document.beginDrag();
    auto copies = writeCopies(names, QStringLiteral("Duplicate %1"), m_mergeKey);
    if (!copies) {
        m_document.endDrag();
        return copies.error();
    }
    m_beforeCopies = names;
    for (const auto& [original, copy] : m_lastCopies)
        if (const ScenePlace* place = places().find(copy)) {
            m_targets.push_back({copy, place->world, places().parentPose(*place), place->local});
            m_written.push_back(place->local);
        }
    begun = {m_targets, std::move(*copies)};
    return {};
}

Pose EntityEditor::poseAfter(const Target& target, const GizmoDelta& delta, const GizmoFrame& frame) {
    return moved(delta, frame, target.start);
}

Result<void> EntityEditor::drag(const GizmoDelta& delta, const GizmoFrame& frame, Tool tool) {
    if (m_worldDrag) {
        m_session.post([delta, frame, drag = m_worldDrag](Session& session) {
            drag->apply(session, delta, frame);
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
    const QString subject = entitiesText(m_targets.size(), m_targets.front().name);
    QString label = QString::fromLatin1(verb).arg(subject);
    if (!m_beforeCopies.empty())
        label = QStringLiteral("Duplicate and ") + label.at(0).toLower() + label.mid(1);
    if (Result<void> done = m_document.edit({file, std::move(*edits), label, m_mergeKey}); !done)
        return done;
    for (std::size_t i = 0; i < m_targets.size(); ++i)
        m_written[i] = changes[i].after;
    return {};
}

void EntityEditor::endDrag() {
    if (m_worldDrag)
        m_session.post([drag = m_worldDrag](Session& session) { drag->note(session); });
    if (!m_targets.empty())
        m_document.endDrag();
    forgetDrag();
}

void EntityEditor::cancelDrag() {
    if (m_worldDrag)
        m_session.post([drag = m_worldDrag](Session& session) {
            if (!drag->copies)
                drag->apply(session, {}, {});
            else
                for (const WorldDrag::Item& item : drag->items)
                    if (session.world().alive(item.id))
                        session.world().destroy(item.id);
        });
    if (!m_targets.empty())
        m_document.cancelDrag();
    if (!m_beforeCopies.empty()) {
        m_selection.setEntities(m_beforeCopies, ViewportSource);
        m_lastCopies.clear();
    }
    forgetDrag();
}

void EntityEditor::forgetDrag() {
    m_targets.clear();
    m_written.clear();
    m_beforeCopies.clear();
    m_worldDrag.reset();
}

std::vector<std::string> EntityEditor::takeMade() {
    const std::lock_guard lock(m_made->mutex);
    return std::exchange(m_made->names, {});
}

} // namespace sbx::ui
