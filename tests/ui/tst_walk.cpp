// A thousand edits of every kind at random in the whole editor, undone to the first and redone to the last: files come back byte by byte,
// and the world that they describe is the same. Draws nothing, so that it runs without a display.
//
// SBX_WALK_SEED and SBX_WALK_EDITS choose another walk; a walk that fails says its seed, and its last edits.

#include <QApplication>
#include <QClipboard>
#include <QtTest>

#include "app/editor/editor.h"
#include "app/editor/main_window.h"
#include "engine/commands/console_commands.h"
#include "engine/definition/lookup.h"
#include "engine/session/session.h"
#include "engine/simulation/asset_uses.h"
#include "engine/simulation/content.h"
#include "tests/copy_folder.h"
#include "tests/folders.h"
#include "widgets/common/asset_moves.h"
#include "widgets/common/document.h"
#include "widgets/common/project_model.h"
#include "widgets/common/scene_layers.h"
#include "widgets/definition/tree_edits.h"
#include "widgets/inspector/component_edits.h"
#include "widgets/inspector/entity_edits.h"
#include "widgets/inspector/type_edits.h"
#include "widgets/outliner/layers_panel.h"
#include "widgets/viewport/arrange_edits.h"
#include "widgets/viewport/entity_editor.h"
#include "widgets/viewport/hierarchy_edits.h"
#include "widgets/viewport/viewport_panel.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <random>
#include <vector>

using namespace sbx;

namespace {

const std::string Types = "entities.toml";
constexpr std::size_t ManyEntities = 60; // duplicates and pastes stop there
constexpr int Ticks = 30;                // of the world that is compared

struct Tally {
    int done = 0;
    int without = 0; // granted, and there was nothing to change
    int refused = 0;
    int taken = 0; // of those done, taken back since they left an error
};

} // namespace

class TestWalk : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_dir;
    std::unique_ptr<editor::Editor> m_editor;
    std::unique_ptr<ui::EntityEdits> m_entities;
    std::unique_ptr<ui::TypeEdits> m_types;
    std::unique_ptr<ui::ComponentEdits> m_components;
    std::unique_ptr<ui::TreeEdits> m_tree;
    std::unique_ptr<ui::AssetMoves> m_assets;
    std::vector<std::string> m_sounds{"sounds/knock.wav"}; // all names that it has had
    std::mt19937_64 m_random;
    std::map<std::string, Tally> m_tally;
    std::string m_clip;
    int m_made = 0; // counts up: names and notes that are new

    using Texts = std::map<std::string, std::string>;

    [[nodiscard]] QString project() const { return m_dir.filePath(QStringLiteral("walk")); }
    ui::Document& document() { return m_editor->document(); }
    ui::EntityEditor& scene() { return m_editor->window().viewport().editor(); }
    const Content& content() { return *m_editor->project().content(); }
    const definition::Schema& schema() { return m_editor->feed().session().catalog().schema; }

    std::size_t below(std::size_t count) { return std::uniform_int_distribution<std::size_t>(0, count - 1)(m_random); }
    bool chance(double probability) { return std::bernoulli_distribution(probability)(m_random); }
    float quarters(int from, int to) { return static_cast<float>(std::uniform_int_distribution<int>(4 * from, 4 * to)(m_random)) / 4.0F; }
    Vec3 somewhere(int reach) { return {quarters(-reach, reach), quarters(-reach, reach), quarters(-reach, reach)}; }
    template <typename T> const T& any(const std::vector<T>& of) { return of[below(of.size())]; }

    std::vector<std::string> names() {
        std::vector<std::string> out;
        for (const definition::PlacedInstance& instance : document().places()->instances())
            out.push_back(instance.name);
        return out;
    }
    std::vector<std::string> some(std::size_t most) {
        std::vector<std::string> all = names();
        std::shuffle(all.begin(), all.end(), m_random);
        all.resize(std::min(all.size(), 1 + below(most)));
        return all;
    }
    std::vector<std::string> typeNames() {
        std::vector<std::string> out;
        for (const definition::EntityTypeDefinition& type : content().definitions->types())
            out.push_back(type.name);
        return out;
    }
    const definition::EntityTypeDefinition* typeOf(const std::string& entity) {
        const definition::InstanceDefinition* instance = content().scene.find(entity);
        return instance == nullptr ? nullptr : content().definitions->find(instance->type);
    }
    Texts texts() {
        Texts out;
        for (const ui::DocumentFile& file : document().files())
            out[file.file] = document().text(file.file);
        return out;
    }

    // The project's only sound, whatever it is called now.
    std::string sound() {
        for (const std::string& name : m_sounds)
            if (!m_assets->isLeaving(name) && QFile::exists(project() + QLatin1Char('/') + QString::fromStdString(name)))
                return name;
        return "sounds/knock.wav";
    }
    Result<void> renameAsset() {
        const std::string from = sound();
        const std::string to = "sounds/knock " + std::to_string(++m_made) + ".wav";
        m_sounds.push_back(to);
        std::vector<AssetUse> uses = assetUses(content(), schema());
        std::erase_if(uses, [&](const AssetUse& use) { return use.asset != from; });
        return m_assets->rename(from, to, uses);
    }

    // A value that the field may have, or none: meshes are left alone.
    Value valueFor(const FieldInfo& field) {
        const int from = static_cast<int>(std::ceil(std::clamp(field.minimum, -20.0, 20.0)));
        const int to = std::max(from, static_cast<int>(std::floor(std::clamp(field.maximum, -20.0, 20.0))));
        const auto number = [&] { return quarters(from, to); };
        switch (field.type) {
        case FieldType::Bool: return chance(0.5);
        case FieldType::Int: return std::int64_t{std::uniform_int_distribution<int>(from, to)(m_random)};
        case FieldType::Float: return static_cast<double>(number());
        case FieldType::Vector2: return Vec2{number(), number()};
        case FieldType::Vector3: return Vec3{number(), number(), number()};
        case FieldType::Color: return Vec4{quarters(0, 1), quarters(0, 1), quarters(0, 1), 1.0F};
        case FieldType::Enum: return any(field.choices);
        case FieldType::String:
            switch (field.role) {
            case TextRole::Plain: return "text " + std::to_string(++m_made);
            case TextRole::EntityType: return any(typeNames());
            case TextRole::EntityName: return any(names());
            case TextRole::AssetPath: return field.name == "file" ? Value(sound()) : Value();
            default: return {};
            }
        default: return {};
        }
    }

    // A setting of a component of that type: its component and its field; a null field: there is none.
    struct Setting {
        std::string component;
        const FieldInfo* field = nullptr;
    };
    Setting anySetting(const definition::EntityTypeDefinition* type) {
        if (type == nullptr || type->components.empty())
            return {};
        const definition::ComponentDefinition& component = any(type->components);
        const definition::ComponentSchema* described = schema().find(component.name);
        const bool several = std::count_if(type->components.begin(), type->components.end(),
                                           [&](const definition::ComponentDefinition& c) { return c.name == component.name; })
                             > 1;
        if (described == nullptr || described->settings == nullptr || described->settings->empty() || several)
            return {};
        return {component.name, &any(described->settings->fields())};
    }
    // Entities that have it, once, as the inspector offers it for all of them.
    std::vector<std::string> having(const std::string& component, std::size_t most) {
        std::vector<std::string> out;
        for (const std::string& name : names())
            if (const auto* type = typeOf(name);
                type != nullptr && out.size() < most
                && std::count_if(type->components.begin(), type->components.end(),
                                 [&](const definition::ComponentDefinition& own) { return own.name == component; })
                       == 1)
                out.push_back(name);
        return out;
    }
    static bool isNumber(const FieldInfo& field) { return field.type == FieldType::Float || field.type == FieldType::Int; }

    // --- The edits. Each does what a person does with one click or key, or is refused with a reason.
    using Edit = std::function<Result<void>()>;
    static Result<void> nothing() { return Error{"there is nothing to do it to", {}, {}}; }

    Result<void> create() {
        const auto made = scene().create(any(typeNames()), somewhere(10));
        return made ? Result<void>{} : Result<void>{made.error()};
    }
    Result<void> drag(ui::Tool tool) {
        if (scene().beginDrag(some(6)).empty())
            return nothing();
        Result<void> done;
        for (int step = 0; step < 3 && done; ++step) {
            ui::GizmoDelta delta;
            if (tool == ui::Tool::Move)
                delta.move = somewhere(4);
            else if (tool == ui::Tool::Rotate)
                delta.turn = fromEulerDegrees({0.0F, quarters(-90, 90), 0.0F});
            else
                delta.scale = Vec3(quarters(1, 3));
            done = scene().drag(delta, {}, tool);
        }
        if (done && chance(0.2))
            scene().cancelDrag();
        else
            scene().endDrag();
        return done;
    }
    Result<void> duplicate() { return names().size() < ManyEntities ? scene().duplicate(some(4)) : nothing(); }
    Result<void> remove() { return scene().remove(some(3)); }
    Result<void> cut() {
        const std::vector<std::string> which = some(2);
        const Result<std::string> text = scene().copy(which);
        if (!text)
            return text.error();
        m_clip = *text;
        return scene().cut(which);
    }
    Result<void> paste() {
        if (m_clip.empty() || names().size() >= ManyEntities)
            return nothing();
        const auto pasted = scene().paste(m_clip);
        return pasted ? Result<void>{} : Result<void>{pasted.error()};
    }
    Result<void> rename() { return m_entities->rename(any(names()), "named_" + std::to_string(++m_made)); }
    Result<void> set(std::size_t most) {
        const Setting setting = anySetting(typeOf(any(names())));
        const Value value = setting.field != nullptr ? valueFor(*setting.field) : Value();
        if (std::holds_alternative<std::monostate>(value))
            return nothing();
        const std::vector<std::string> which = having(setting.component, most);
        ui::FieldChange change;
        change.value = value;
        return m_entities->change(which, setting.component, *setting.field, change, true);
    }
    Result<void> operate() {
        const Setting setting = anySetting(typeOf(any(names())));
        if (setting.field == nullptr || !isNumber(*setting.field))
            return nothing();
        const std::vector<std::string> which = having(setting.component, ManyEntities);
        ui::FieldChange change;
        change.kind = any(std::vector{ui::FieldChange::Kind::Add, ui::FieldChange::Kind::Subtract, ui::FieldChange::Kind::Multiply,
                                      ui::FieldChange::Kind::Divide});
        change.operand = quarters(1, 2);
        // A drag of the number, or one typed.
        if (chance(0.5))
            for (int step = 0; step < 3; ++step)
                if (const Result<void> done = m_entities->change(which, setting.component, *setting.field, change, false); !done) {
                    m_entities->forgetDrag();
                    return done;
                }
        return m_entities->change(which, setting.component, *setting.field, change, true);
    }
    Result<void> revert() {
        const std::string entity = any(names());
        const definition::InstanceDefinition* instance = content().scene.find(entity);
        if (instance == nullptr || instance->overrides.empty())
            return nothing();
        const definition::ComponentDefinition& over = any(instance->overrides);
        if (chance(0.5))
            return m_entities->revertComponents({entity}, {over.name});
        const FieldInfo* field = schema().find(over.name)->settings->find(any(over.settings).entry.key);
        return field == nullptr ? nothing() : m_entities->revertField({entity}, over.name, *field);
    }
    Result<void> setInType() {
        const std::string type = any(typeNames());
        const Setting setting = anySetting(content().definitions->find(type));
        const Value value = setting.field != nullptr ? valueFor(*setting.field) : Value();
        if (std::holds_alternative<std::monostate>(value) || !m_types->settingLock(type, setting.component).isEmpty())
            return nothing();
        ui::FieldChange change;
        change.value = value;
        return m_types->change({type}, setting.component, *setting.field, change, true);
    }
    Result<void> revertInType() {
        const std::string type = any(typeNames());
        const Setting setting = anySetting(content().definitions->find(type));
        if (setting.field == nullptr || !m_types->settingLock(type, setting.component).isEmpty())
            return nothing();
        return m_types->revert({type}, setting.component, *setting.field);
    }
    Result<void> applyOverrides() {
        const std::string entity = any(names());
        return m_types->hasOverrides(entity) ? m_types->applyOverrides(entity) : nothing();
    }
    Result<void> makeType() {
        return typeNames().size() < 60 ? m_types->makeType(any(names()), "Made" + std::to_string(++m_made)) : nothing();
    }
    // Some of the entities and what they are; or one of them.
    ui::ComponentTargets targets() {
        std::map<std::string, std::vector<std::string>> byType;
        for (const std::string& name : some(chance(0.5) ? 1 : 6))
            if (const auto* type = typeOf(name); type != nullptr)
                byType[type->name].push_back(name);
        ui::ComponentTargets out;
        for (auto& [type, entities] : byType)
            out.push_back({type, std::move(entities)});
        return out;
    }
    ui::ComponentScope scope() { return chance(0.5) ? ui::ComponentScope::AllOfType : ui::ComponentScope::OneEntity; }
    template <typename T> static Result<void> plain(const Result<T>& result) {
        return result ? Result<void>{} : Result<void>{result.error()};
    }
    Result<void> addComponent() {
        const ui::ComponentTargets which = targets();
        std::vector<std::string> possible;
        for (const ui::ComponentChoice& choice : m_components->choices(which))
            if (choice.reason.isEmpty())
                possible.push_back(choice.name.toStdString());
        return possible.empty() ? nothing() : plain(m_components->add(which, any(possible), scope()));
    }
    Result<void> removeComponent() {
        const ui::ComponentTargets which = targets();
        const definition::EntityTypeDefinition* type = content().definitions->find(which.front().type);
        return type->components.empty() ? nothing() : plain(m_components->remove(which, any(type->components).name, scope()));
    }
    Result<void> moveComponent() {
        const definition::EntityTypeDefinition& type = *content().definitions->find(any(typeNames()));
        if (type.components.size() < 2)
            return nothing();
        const std::size_t from = below(type.components.size());
        const std::size_t to = below(type.components.size());
        return from == to ? nothing() : m_components->move(type.name, from, to);
    }
    // The tables of a type's component, as they are copied, onto others.
    Result<void> pasteComponent(bool values) {
        const definition::EntityTypeDefinition& type = *content().definitions->find(any(typeNames()));
        if (type.components.empty())
            return nothing();
        const definition::ComponentDefinition& component = any(type.components);
        const ComponentType* known = m_editor->feed().session().catalog().find(component.name);
        if (known == nullptr)
            return nothing();
        ui::ClippedComponent clipped;
        clipped.type = known;
        for (const definition::Setting& setting : component.settings)
            if (const FieldInfo* field = schema().find(component.name)->settings->find(setting.entry.key))
                if (Value value = valueFor(*field); !std::holds_alternative<std::monostate>(value))
                    clipped.settings.push_back({field, std::move(value)});
        const ui::ComponentClip clip{{clipped}, {}};
        return values ? plain(m_components->pasteValues(targets(), clip, scope())) : plain(m_components->paste(targets(), clip, scope()));
    }
    Result<void> duplicateAgain() { return names().size() < ManyEntities ? plain(scene().repeat(m_editor->selection().entities())) : nothing(); }
    ui::HierarchyEdits hierarchy() { return {scene(), document(), m_editor->selection()}; }
    Result<void> setParent() { return hierarchy().setParent(some(4), chance(0.3) ? std::string() : any(names())); }
    Result<void> group() { return names().size() < ManyEntities ? plain(hierarchy().group(some(5))) : nothing(); }
    ui::ArrangeEdits arrange() { return {scene(), m_editor->window().viewport().view().shown(), document()}; }
    ui::SceneLayers& layers() { return m_editor->window().layers().layers(); }
    // What lies below is looked up in the picture's scene: two are made one above the other, and that has to know them.
    Result<void> dropOntoAnother() {
        if (names().size() >= ManyEntities)
            return nothing();
        const Vec3 at = somewhere(40);
        const Result<std::string> low = scene().create("Box", at);
        const Result<std::string> high = low ? scene().create("Box", at + Vec3(0.0F, 5.0F, 0.0F)) : low;
        if (!high)
            return high.error();
        ui::ShownScene& shown = m_editor->window().viewport().view().shown();
        if (!QTest::qWaitFor([&] { return shown.boundsOf(*low).has_value() && shown.boundsOf(*high).has_value(); }, 10'000))
            return Error{"the picture does not follow", {}, {}};
        return arrange().dropToFloor({*high});
    }
    std::string layerName() { return below(4) == 0 ? std::string() : "Layer " + std::to_string(below(6)); }
    std::string anyLayer() {
        const std::vector<ui::SceneLayer>& all = layers().all();
        return all[below(all.size())].name;
    }
    // An action on some entities; one that is not enabled now is nothing to do.
    Result<void> act(const char* id) {
        m_editor->selection().setEntities(some(4), QStringLiteral("test"));
        m_editor->actions().refresh();
        const QAction* action = m_editor->actions().find(QLatin1String(id));
        return action->isEnabled() ? m_editor->actions().trigger(QLatin1String(id)) : nothing();
    }
    Result<void> copyDrag() {
        ui::EntityEditor::CopyDrag begun;
        if (names().size() >= ManyEntities)
            return nothing();
        if (const Result<void> began = scene().beginCopyDrag(some(3), begun); !began)
            return began;
        ui::GizmoDelta delta;
        delta.move = somewhere(4);
        const Result<void> done = scene().drag(delta, {}, ui::Tool::Move);
        if (done && chance(0.7))
            scene().endDrag();
        else
            scene().cancelDrag();
        return done;
    }
    // --- Through the tree beside the text. A place in the file of types, chosen as a person would point at a row.
    ui::TreePlace anyPlace(ui::TreePlace::Kind kind) {
        ui::TreePlace place;
        std::vector<const definition::OutlineNode*> types;
        const std::vector<definition::OutlineNode> nodes = definition::outline(document().text(Types));
        for (const definition::OutlineNode& node : nodes)
            if (node.kind == ui::TreePlace::Kind::Type)
                types.push_back(&node);
        if (types.empty())
            return place;
        const definition::OutlineNode& type = *any(types);
        place.kind = place.ownerKind = ui::TreePlace::Kind::Type;
        place.owner = type.name;
        if (kind == ui::TreePlace::Kind::Type)
            return place;
        std::vector<const definition::OutlineNode*> components;
        for (const definition::OutlineNode& node : type.children)
            if (node.kind == ui::TreePlace::Kind::Component)
                components.push_back(&node);
        if (components.empty())
            return {};
        const definition::OutlineNode& component = *any(components);
        place.kind = ui::TreePlace::Kind::Component;
        place.component = component.name;
        for (const definition::OutlineNode* node : components) {
            if (node == &component)
                break;
            place.which += node->name == component.name ? 1U : 0U;
        }
        if (kind == ui::TreePlace::Kind::Component)
            return place;
        std::vector<const definition::OutlineNode*> keys;
        for (const definition::OutlineNode& node : component.children)
            keys.push_back(&node);
        if (keys.empty())
            return {};
        place.kind = ui::TreePlace::Kind::Key;
        place.key = any(keys)->name;
        return place;
    }
    Result<void> inTree(ui::TreePlace::Kind kind, const std::function<Result<void>(const ui::TreePlace& place)>& edit) {
        m_tree->setFile(Types);
        const ui::TreePlace place = anyPlace(kind);
        return place.isValid() ? edit(place) : nothing();
    }
    Result<void> treeSet() {
        return inTree(ui::TreePlace::Kind::Key, [this](const ui::TreePlace& place) -> Result<void> {
            const FieldInfo* field = m_tree->fieldOf(place);
            const Value value = field != nullptr ? valueFor(*field) : Value();
            return std::holds_alternative<std::monostate>(value) ? nothing() : m_tree->setValue(place, field->formatToml(value));
        });
    }
    Result<void> treeAddKey() {
        return inTree(ui::TreePlace::Kind::Component, [this](const ui::TreePlace& place) {
            const std::vector<const FieldInfo*> keys = m_tree->missingKeys(place);
            return keys.empty() ? nothing() : m_tree->addKey(place, any(keys)->name);
        });
    }
    Result<void> treeRemove(ui::TreePlace::Kind kind) {
        return inTree(kind, [this, kind](const ui::TreePlace& place) {
            if (kind == ui::TreePlace::Kind::Type) {
                const ui::TreeEdits::Usage usage = m_tree->usageOf(place.owner);
                if (usage.entities + usage.types + usage.settings > 0)
                    return nothing(); // the panel asks
            }
            return m_tree->remove(place);
        });
    }
    Result<void> treeMove(ui::TreePlace::Kind kind) {
        return inTree(kind, [this](const ui::TreePlace& place) { return m_tree->moveBy(place, chance(0.5) ? 1 : -1); });
    }
    Result<void> treeMoveComponent() {
        return inTree(ui::TreePlace::Kind::Component, [this](const ui::TreePlace& place) {
            const ui::TreePlace to = anyPlace(ui::TreePlace::Kind::Type);
            return m_tree->moveComponent(place, to.owner, std::nullopt, chance(0.5));
        });
    }
    Result<void> treeCopy() {
        return inTree(chance(0.5) ? ui::TreePlace::Kind::Type : ui::TreePlace::Kind::Component, [this](const ui::TreePlace& place) -> Result<void> {
            const Result<std::string> text = m_tree->textOf(place);
            return text ? m_tree->paste(anyPlace(ui::TreePlace::Kind::Type), *text) : Result<void>{text.error()};
        });
    }

    // A line of comment, at the beginning of some line.
    Result<void> typeNote() {
        const std::string file = any(document().files()).file;
        const std::string& text = document().text(file);
        std::size_t at = text.rfind('\n', below(text.size() + 1));
        at = at == std::string::npos ? 0 : at + 1;
        return document().edit({file, {{at, {}, "# note " + std::to_string(++m_made) + "\n"}}, QStringLiteral("Type"), {}});
    }

    void walk(int edits) {
        const std::vector<std::pair<std::string, Edit>> kinds = {
            {"create", [this] { return create(); }},
            {"move", [this] { return drag(ui::Tool::Move); }},
            {"rotate", [this] { return drag(ui::Tool::Rotate); }},
            {"scale", [this] { return drag(ui::Tool::Scale); }},
            {"duplicate", [this] { return duplicate(); }},
            {"delete", [this] { return remove(); }},
            {"cut", [this] { return cut(); }},
            {"paste", [this] { return paste(); }},
            {"rename", [this] { return rename(); }},
            {"set in one", [this] { return set(1); }},
            {"set in many", [this] { return set(20); }},
            {"operate on many", [this] { return operate(); }},
            {"revert", [this] { return revert(); }},
            {"set in type", [this] { return setInType(); }},
            {"revert in type", [this] { return revertInType(); }},
            {"apply overrides", [this] { return applyOverrides(); }},
            {"new type", [this] { return makeType(); }},
            {"add component", [this] { return addComponent(); }},
            {"remove component", [this] { return removeComponent(); }},
            {"move component", [this] { return moveComponent(); }},
            {"paste component", [this] { return pasteComponent(false); }},
            {"paste values", [this] { return pasteComponent(true); }},
            {"duplicate again", [this] { return duplicateAgain(); }},
            {"drag a copy", [this] { return copyDrag(); }},
            {"parent", [this] { return setParent(); }},
            {"group", [this] { return group(); }},
            {"ungroup", [this] { return hierarchy().ungroup(some(4)); }},
            {"align", [this] { return arrange().align(some(6), static_cast<int>(below(3)), below(2) == 0 ? ui::AlignTo::Minimum : ui::AlignTo::Middle); }},
            {"distribute", [this] { return arrange().distribute(some(6), static_cast<int>(below(3))); }},
            {"drop to floor", [this] { return dropOntoAnother(); }},
            {"hide", [this] { return act("edit.hide"); }},
            {"isolate", [this] { return act("edit.isolate"); }},
            {"show all", [this] { return act("edit.showAll"); }},
            {"lock", [this] { return act("edit.lock"); }},
            {"unlock all", [this] { return act("edit.unlockAll"); }},
            {"move to a layer", [this] { return layers().assign(some(4), layerName()); }},
            {"rename a layer", [this] { return layers().rename(anyLayer(), layerName()); }},
            {"remove a layer", [this] { return layers().remove(anyLayer()); }},
            {"add a layer", [this] { return layers().add(layerName()); }},
            {"rename a sound", [this] { return renameAsset(); }},
            {"tree: set", [this] { return treeSet(); }},
            {"tree: add key", [this] { return treeAddKey(); }},
            {"tree: remove key", [this] { return treeRemove(ui::TreePlace::Kind::Key); }},
            {"tree: remove component", [this] { return treeRemove(ui::TreePlace::Kind::Component); }},
            {"tree: remove type", [this] { return treeRemove(ui::TreePlace::Kind::Type); }},
            {"tree: new type", [this] { return typeNames().size() < 60 ? plain(m_tree->addType(any(typeNames()))) : nothing(); }},
            {"tree: duplicate type", [this] { return inTree(ui::TreePlace::Kind::Type, [this](const ui::TreePlace& place) {
                 return typeNames().size() < 60 ? plain(m_tree->duplicate(place)) : nothing(); }); }},
            {"tree: rename type", [this] { return inTree(ui::TreePlace::Kind::Type, [this](const ui::TreePlace& place) {
                 return m_tree->rename(place, "Renamed" + std::to_string(++m_made)); }); }},
            {"tree: move type", [this] { return treeMove(ui::TreePlace::Kind::Type); }},
            {"tree: reorder component", [this] { return treeMove(ui::TreePlace::Kind::Component); }},
            {"tree: move component", [this] { return treeMoveComponent(); }},
            {"tree: copy and paste", [this] { return treeCopy(); }},
            {"type", [this] { return typeNote(); }},
        };
        QStringList last;
        for (int i = 0; document().undoStack().index() < edits; ++i) {
            QVERIFY2(i < 20 * edits, "hardly any edit is accepted");
            while (names().size() < 5)
                QVERIFY(create().ok());
            const auto& [kind, edit] = any(kinds);
            const std::uint64_t revision = document().revision();
            const Result<void> done = edit();
            document().endMerge();
            Tally& tally = m_tally[kind];
            ++(!done ? tally.refused : document().revision() == revision ? tally.without : tally.done);
            last.append(QString::fromStdString(kind + (done ? "" : ": refused: " + done.error().toString())));
            if (last.size() > 12)
                last.removeFirst();
            m_editor->project().refresh();
            // The tree grants what could be typed, an error included: it is marked, and a person takes it back.
            if (kind.starts_with("tree") && m_editor->project().problems().hasErrors()) {
                document().undoStack().undo();
                m_editor->project().refresh();
                ++tally.taken;
            }
            // Nothing else that is granted leaves an error behind.
            for (const Diagnostic& problem : m_editor->project().problems().items)
                QVERIFY2(problem.severity != Severity::Error,
                         qPrintable(QString::fromStdString(problem.toString()) + QStringLiteral("\nafter: ")
                                    + last.join(QStringLiteral("\n       "))));
            // Back and forth on the way.
            if (chance(0.05)) {
                const int steps = static_cast<int>(1 + below(4));
                const Texts before = texts();
                const int index = document().undoStack().index();
                document().undoStack().setIndex(std::max(0, index - steps));
                m_editor->project().refresh();
                document().undoStack().setIndex(index);
                m_editor->project().refresh();
                QVERIFY2(texts() == before, qPrintable(last.join(QStringLiteral(", "))));
            }
            if (i % 16 == 0)
                QCoreApplication::processEvents();
        }
        for (const auto& [kind, edit] : kinds) {
            const Tally tally = m_tally[kind];
            qInfo("%-24s %4d done, %4d of them taken back, %4d without a change, %4d refused", kind.c_str(), tally.done, tally.taken, tally.without,
                  tally.refused);
            QVERIFY2(tally.done + tally.without > 0, kind.c_str());
        }
    }

    // What the scene starts with, and what becomes of it.
    static QByteArray worldOf(const std::shared_ptr<const Content>& content) {
        Log log;
        Session session(log, addConsoleCommands);
        session.open(content);
        session.publish();
        std::string out;
        for (const EntityRow& row : session.snapshot()->entities->rows)
            out += row.name + " " + row.type + " " + row.parent + "\n";
        session.play();
        for (int i = 0; i < Ticks; ++i)
            session.tick();
        return QByteArray::fromStdString(out + session.simulation().digestLine());
    }

private slots:
    void initTestCase() {
        sbx::test::copyFolder(sbx::test::qSourcePath("resources/templates/physics"), project());
        QVERIFY(QDir().mkpath(project() + QStringLiteral("/sounds")));
        QVERIFY(QFile::copy(sbx::test::qSourcePath("resources/projects/courtyard/sounds/knock.wav"), project() + QStringLiteral("/sounds/knock.wav")));
        QFile types(project() + QStringLiteral("/entities.toml"));
        QVERIFY(types.open(QIODevice::Append));
        types.write("\n[Knocker]\n[Knocker.Sound]\nfile = \"sounds/knock.wav\"\n");
        types.close();
        editor::Options options;
        options.project = project().toStdString();
        m_editor = std::make_unique<editor::Editor>(*qApp, options, m_dir.filePath(QStringLiteral("state")));
        m_editor->start();
        QVERIFY(m_editor->project().isOpen());
        m_entities = std::make_unique<ui::EntityEdits>(document(), m_editor->feed(), m_editor->project());
        m_types = std::make_unique<ui::TypeEdits>(document(), m_editor->project());
        m_components = std::make_unique<ui::ComponentEdits>(document(), m_editor->project(), m_editor->feed());
        m_assets = std::make_unique<ui::AssetMoves>(document());
        m_tree = std::make_unique<ui::TreeEdits>(document(), m_editor->project(), m_editor->feed());
    }
    void cleanupTestCase() {
        document().undoStack().setIndex(0);
        m_tree.reset();
        m_assets.reset();
        m_components.reset();
        m_types.reset();
        m_entities.reset();
        m_editor.reset();
    }

    void everyEditIsUndoneAndRedone() {
        const std::uint64_t seed = qEnvironmentVariable("SBX_WALK_SEED", QStringLiteral("1")).toULongLong();
        const int edits = qEnvironmentVariable("SBX_WALK_EDITS", QStringLiteral("1000")).toInt();
        qInfo("seed %llu", static_cast<unsigned long long>(seed));
        m_random.seed(seed);
        const Texts before = texts();
        const QByteArray world = worldOf(m_editor->project().content());
        walk(edits);
        if (QTest::currentTestFailed())
            return;
        const Texts after = texts();
        const QByteArray made = worldOf(m_editor->project().content());
        QVERIFY(after != before && made != world);

        document().undoStack().setIndex(0);
        m_editor->project().refresh();
        for (const auto& [file, text] : before)
            QCOMPARE(QByteArray::fromStdString(document().text(file)), QByteArray::fromStdString(text));
        QVERIFY(!document().isDirty());
        QVERIFY(QFile::exists(project() + QStringLiteral("/sounds/knock.wav")));
        QCOMPARE(worldOf(m_editor->project().content()), world);

        document().undoStack().setIndex(document().undoStack().count());
        m_editor->project().refresh();
        for (const auto& [file, text] : after)
            QCOMPARE(QByteArray::fromStdString(document().text(file)), QByteArray::fromStdString(text));
        QCOMPARE(worldOf(m_editor->project().content()), made);

        // As read from the saved files, by a session that saw none of the edits.
        QVERIFY(document().save().ok());
        QTRY_COMPARE(QDir(project() + QStringLiteral("/sounds")).entryList(QDir::Files).size(), 1);
        Diagnostics faults;
        const auto read = loadContent(project().toStdString() + "/project.toml", {}, schema(), faults);
        QVERIFY(read != nullptr && !faults.hasErrors());
        QCOMPARE(worldOf(read), made);
        // The editor's own world has followed: it has the same entities.
        std::map<std::string, std::string> living;
        const auto followed = [&] {
            living.clear();
            m_editor->feed().poll();
            for (const EntityRow& row : m_editor->feed().frame().entities->rows)
                living[row.name] = row.type;
            return living.size() == read->scene.instances().size();
        };
        QTRY_VERIFY_WITH_TIMEOUT(followed(), 30000);
        for (const definition::InstanceDefinition& instance : read->scene.instances())
            QCOMPARE(living[instance.name], instance.type);
    }
};

QTEST_MAIN(TestWalk)
#include "tst_walk.moc"
