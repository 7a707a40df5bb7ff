#pragma once
// The selected entities: name, type, place, components with their live values. Of several selected all components that any of them has are
// shown, first those of the primary one: how many have it ("9 of 12"), and "mixed" where values differ, compared over all of them by the
// session. A change goes to all that have the field, or, where the scope bar says so, to the definitions of their types. Values follow every
// publication of the session; editors that somebody is typing in are left alone. GUI thread.

#include <QRect>
#include <QStringList>
#include <QWidget>

#include "engine/simulation/snapshot.h"
#include "widgets/common/field_editor.h"
#include "widgets/inspector/component_edits.h"
#include "widgets/inspector/entity_edits.h"
#include "widgets/inspector/scope_bar.h"
#include "widgets/inspector/type_edits.h"

#include <functional>
#include <memory>
#include <optional>
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
class NameGuard;
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
    // What could be added to the shown entities; empty: there are none, or the world is not stopped.
    [[nodiscard]] std::vector<ComponentChoice> componentChoices() const;
    // To all shown entities. Where a change of their types would reach other entities too, a question is put whether they are meant; it opens
    // at `lookedAt`, a rectangle of the screen, or without one at the button that adds components.
    void addComponent(const QString& component, const QRect& lookedAt = {});
    // Whether a component of the type can be put before another one: both are its own, and the world is stopped.
    [[nodiscard]] bool canMoveBefore(const std::string& type, const std::string& component,
                                     const std::string& other) const;
    void moveBefore(const std::string& type, const std::string& component, const std::string& other);
    // Keeps showing these entities, whatever is selected, until they are gone.
    void setLocked(bool locked);
    [[nodiscard]] bool isLocked() const { return m_locked != nullptr; }
    // A tick stands between handlers: until it goes on nothing that is chosen or changed here can show. The line below the name says so.
    void setStanding(bool standing);
    // One component of the shown entity, or all of them (""), onto the clipboard.
    void copyComponents(const std::string& component);
    // What the clipboard has of components: their values into those that the shown entities have; or the components themselves.
    enum class Into { Shown, Selected }; // they differ while it is locked
    void pasteValues(Into into = Into::Shown);
    void pasteComponents(const QRect& lookedAt = {});
    // Settings that stand in a section of their own on top, whatever component they are of: "Body.mass". In the order they were pinned.
    [[nodiscard]] const QStringList& favourites() const { return m_favourites; }
    void setFavourites(const QStringList& favourites);

signals:
    // The user pinned a setting, or took one off.
    void favouritesChanged(const QStringList& favourites);
    // What an action has done, where that is not seen at once.
    void said(const QString& text);
    void lockChanged(bool locked);
    // The button that adds a component was pressed: the choices are to be offered.
    void addComponentRequested();
    void definitionRequested(const QString& type, const QString& component);
    void problem(const QString& text);
    // Who changed this value of the entity; an empty component: its place.
    void whoChanged(const QString& entity, const QString& component, const QString& field);
    // Who sets a setting, in words, and where its value stands: a file of the document, line and column from 1; empty, 0: nowhere.
    void settingExplained(const QString& answer, const QString& file, int line, int column);
    // Why this component of the entity did not act.
    void whyNotAsked(const QString& entity, const QString& component);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void dropTypedName();
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
    // A setting as it is to be shown. `types`: their values are, instead of those of entities.
    struct SettingShown {
        Value value;
        std::uint8_t differ = 0; // as in FieldEditor::setValues()
        FieldOrigin origin = FieldOrigin::Inherited;
    };
    [[nodiscard]] SettingShown settingShown(const Shown& shown, std::size_t i, const std::vector<std::string>* types) const;
    // Whether the field has no effect beside the others (FieldInfo::conditions).
    [[nodiscard]] static bool isUnused(const FieldTable& table, const FieldInfo& field, const std::vector<SettingShown>& values);
    [[nodiscard]] static std::vector<Shown> shownOf(const Inspection& inspection, const InspectedTogether* together);
    [[nodiscard]] QString note(const Inspection& inspection, bool several) const;
    void addFavourites(const std::vector<Shown>& shown);
    void setFavourite(const std::string& component, const FieldInfo& field, bool pinned);
    void addPlace();
    void addComponents(const std::vector<Shown>& shown);
    void connectField(FieldEditor* editor, const std::string& component, const FieldInfo& field, bool state);
    void applyChange(const std::string& component, const FieldInfo& field, bool state, const FieldChange& change, bool committed);
    void report(const Result<void>& result);
    // Fills a menu with what `component` can be removed from: all of the types, or the shown entities alone.
    void offerRemoval(QMenu& menu, const std::string& component);
    void offerClipboard(QMenu& menu, const std::string& component);
    void offerMoves(QMenu& menu, const std::string& section);
    // Ways between the overrides of the selected entities and their types: of one component, or of all ("").
    void offerOverrides(QMenu& menu, const std::string& component);
    void offerForField(const std::string& component, const FieldInfo& field, const QPoint& at);
    void offerForState(const std::string& component, const FieldInfo& field, const QPoint& at);
    void offerHistory(QMenu& menu, const std::string& component, const FieldInfo& field);
    void offerSetting(QMenu& menu, const std::string& component, const FieldInfo& field);
    void offerWhyNot(QMenu& menu, const std::string& component);
    void fillEntityMenu(QMenu& menu);
    // Shown entities of the scene file (while the world runs, all), by type: that of the primary one first.
    [[nodiscard]] ComponentTargets componentTargets() const;
    [[nodiscard]] ComponentTargets targetsAmong(const std::string& first, const std::vector<std::string>& names) const;
    // Which entities are meant, then `change`: asks if it must be asked.
    void withScope(const QString& what, const ComponentTargets& targets, const QRect& lookedAt, std::function<void(ComponentScope)> change);
    // Says what came of it, with the words for what was done ("Added Light to").
    void reportOutcome(const Result<ComponentOutcome>& outcome, const QString& done);
    [[nodiscard]] QRect addButtonPlace() const;
    void connectHeader(ComponentSection& section, const std::string& name);
    void pasteAtHeader(const ComponentSection& section);
    // The section gets the place of another one, both by their numbers.
    void moveSection(std::size_t from, std::size_t to);
    void showDropLine(const QPoint& at);
    // Before which section something dropped there would stand: 0 to the number of sections.
    [[nodiscard]] std::size_t dropPlace(const QPoint& at) const;
    [[nodiscard]] std::size_t numberOf(const ComponentSection& section) const;
    // What is shown: the selection, or what it was when it was locked.
    [[nodiscard]] const std::vector<std::string>& entities() const;
    [[nodiscard]] const std::string& primary() const;
    void dropGoneLock();
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
    NameGuard* m_nameGuard;
    QToolButton* m_type;
    QToolButton* m_more;
    QToolButton* m_lock;
    QLabel* m_note;
    QScrollArea* m_scroll;
    QWidget* m_body;
    QVBoxLayout* m_sections;
    std::string m_shown;     // entity; empty: none
    std::string m_signature; // what the rows were built for
    Kinds m_kinds;
    bool m_standing = false;
    std::shared_ptr<const EntityList> m_kindsEntities; // what they were found in; null: to be found
    std::shared_ptr<const definition::Definitions> m_kindsDefinitions;
    // A second editor of a setting that is pinned.
    struct Pinned {
        std::string component;
        const FieldInfo* field = nullptr;
        std::size_t row = 0; // in the section of favourites
    };
    QStringList m_favourites;
    ComponentSection* m_pinnedSection = nullptr; // null: nothing of what is shown is pinned
    std::vector<Pinned> m_pinned;
    ComponentSection* m_place = nullptr;
    std::vector<ComponentSection*> m_components; // as in the inspection
    std::vector<std::string> m_closed;           // sections somebody closed, kept from entity to entity
    std::shared_ptr<const std::vector<std::string>> m_locked; // null: the selection is shown
    std::string m_lockedPrimary;
    bool m_lockSeen = false; // it has lived in a frame since it was locked or renamed
    std::optional<ComponentScope> m_keptScope; // the answer to use without asking
    QWidget* m_dropLine = nullptr;
};

} // namespace sbx::ui
