#pragma once
// The selected entities: name, type, place, components with their live values. Of several selected all components that any of them has are
// shown, first those of the primary one: how many have it ("9 of 12"), and "mixed" where values differ, compared over all of them by the
// session. A change goes to all that have the field, or, where the scope bar says so, to the definitions of their types. Values follow every
// publication of the session; editors that somebody is typing in are left alone. Window thread.

#include <QWidget>

#include "engine/session/snapshot.h"
#include "widgets/common/field_editor.h"
#include "widgets/inspector/component_edits.h"
#include "widgets/inspector/entity_edits.h"
#include "widgets/inspector/scope_bar.h"
#include "widgets/inspector/type_edits.h"

#include <memory>
#include <string>
#include <vector>

class QLabel;
class QLineEdit;
class QMenu;
class QPushButton;
class QScrollArea;
class QToolButton;
class QVBoxLayout;

namespace sbx::ui {

class ComponentSection;
class Document;
class EmptySwitch;
class FilterBar;
class ProjectModel;
class Selection;
class SessionFeed;
class Theme;

class InspectorPanel : public QWidget {
    Q_OBJECT

public:
    InspectorPanel(const Theme& theme, SessionFeed& feed, Selection& selection, Document& document,
                   ProjectModel& project, QWidget* parent = nullptr);
    ~InspectorPanel() override;

    // The editor of `component`'s field, or null; "" is the place: position, rotation, scale.
    [[nodiscard]] FieldEditor* editor(const std::string& component, const std::string& field) const;
    [[nodiscard]] const std::string& shownEntity() const { return m_shown; }
    // In the scene, with all that refers to it; the selection follows. False: it cannot be, which problem() says.
    bool rename(const std::string& from, const std::string& to);
    // What a change of a setting reaches; the scope bar shows it.
    [[nodiscard]] EditScope scope() const { return m_scopeBar->scope(); }
    void setScope(EditScope scope);
    // Asks for a name and makes a type of the shown entity.
    void makeType();
    // What could be added to the shown entity; empty: there is none, or the world is not stopped.
    [[nodiscard]] std::vector<ComponentChoice> componentChoices() const;
    // Where a change of the type would reach other entities too, a menu asks whether they are meant.
    void addComponent(const QString& component);

signals:
    // The button that adds a component was pressed: the choices are to be offered.
    void addComponentRequested();
    void definitionRequested(const QString& type, const QString& component);
    void problem(const QString& text);

private:
    // One section of components: of the primary entity, of others, or of both.
    struct Shown {
        const ComponentType* type = nullptr;
        std::string name;                               // "Mesh#2"
        const InspectedComponent* own = nullptr;        // of the primary entity; null: it has none
        const InspectedTogether::Component* all = nullptr; // of several; null: one is selected
    };
    // What the selected entities are, found once for each selection, list of entities and set of definitions.
    struct Kinds {
        struct Kind {
            const EntityType* type = nullptr;
            std::string name;     // of the type
            std::string instance; // one entity of it, the primary one if it can be
            std::size_t count = 0;
            bool inScene = false; // `instance` is declared in the scene file
        };
        std::vector<Kind> kinds; // that of the primary entity first
        std::size_t entities = 0;
        std::size_t users = 0; // instances of the scene that a change of these types reaches
    };
    void askFor();
    void showFrame();
    void findKinds();
    void rebuild(const std::vector<Shown>& shown);
    void showValues(const Inspection& inspection, const InspectedTogether* together, const std::vector<Shown>& shown);
    void showHead(const Inspection& inspection, bool several);
    void showPlace(const Inspection& inspection, const InspectedTogether* together);
    void showComponent(const Shown& shown, ComponentSection& section);
    // The value that the types of the selection say, instead of those of entities.
    void showTypeValue(const std::vector<std::string>& types, const Shown& shown, const FieldInfo& field, FieldEditor& editor);
    [[nodiscard]] static std::vector<Shown> shownOf(const Inspection& inspection, const InspectedTogether* together);
    [[nodiscard]] QString note(const Inspection& inspection, bool several) const;
    void addPlace();
    void addComponents(const std::vector<Shown>& shown);
    void connectField(FieldEditor* editor, const std::string& component, const FieldInfo& field, bool state);
    void applyChange(const std::string& component, const FieldInfo& field, bool state, const FieldChange& change, bool committed);
    void report(const Result<void>& result);
    // Fills a menu with what `component` can be added to or removed from: all of the type, or this entity alone.
    void offerScopes(QMenu& menu, const std::string& component, bool adds);
    // Ways between the overrides of the selected entities and their types: of one component, or of all ("").
    void offerOverrides(QMenu& menu, const std::string& component);
    void offerForField(const std::string& component, const FieldInfo& field, const QPoint& at);
    void fillEntityMenu(QMenu& menu);
    void changeComponent(const std::string& entity, const std::string& type, const std::string& component, bool adds,
                         ComponentScope scope);
    // Selected entities that have the component and can be changed; "": the place.
    [[nodiscard]] std::vector<std::string> targets(const std::string& component) const;
    // Types of selected entities that have the component.
    [[nodiscard]] std::vector<std::string> targetTypes(const std::string& component) const;
    // Why the settings of that component cannot be changed in the present scope; empty: they can.
    [[nodiscard]] QString settingLock(const std::string& component) const;
    [[nodiscard]] FieldSources sources() const;

    const Theme& m_theme;
    SessionFeed& m_feed;
    Selection& m_selection;
    Document& m_document;
    ProjectModel& m_project;
    EntityEdits m_edits;
    TypeEdits m_typeEdits;
    ComponentEdits m_componentEdits;
    ScopeBar* m_scopeBar;
    QPushButton* m_add;
    FilterBar* m_bar;
    EmptySwitch* m_switch;
    QLineEdit* m_name;
    QToolButton* m_type;
    QToolButton* m_more;
    QLabel* m_note;
    QScrollArea* m_scroll;
    QWidget* m_body;
    QVBoxLayout* m_sections;
    std::string m_shown;     // entity; empty: none
    std::string m_signature; // what the rows were built for
    Kinds m_kinds;
    std::shared_ptr<const EntityList> m_kindsEntities; // what they were found in; null: to be found
    std::shared_ptr<const definition::Definitions> m_kindsDefinitions;
    ComponentSection* m_place = nullptr;
    std::vector<ComponentSection*> m_components; // as in the inspection
    std::vector<std::string> m_closed;           // sections somebody closed, kept from entity to entity
};

} // namespace sbx::ui
