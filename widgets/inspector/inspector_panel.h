#pragma once
// The selected entity: name, type, place, components with their live values. Of several selected the primary one is shown, and beside
// it what the others have: "9 of 12 have it", "mixed" where values differ, counted over all of them by the session. Values follow every publication of the session;
// editors that somebody is typing in are left alone. Window thread.

#include <QWidget>

#include "engine/session/snapshot.h"
#include "widgets/common/field_editor.h"
#include "widgets/inspector/component_edits.h"
#include "widgets/inspector/entity_edits.h"

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
    struct Place;
    void askFor();
    void showFrame();
    void rebuild(const Inspection& inspection);
    void showValues(const Inspection& inspection);
    [[nodiscard]] QString note(const Inspection& inspection, const InspectedTogether* together) const;
    void addPlace();
    void addComponents(const Inspection& inspection);
    void connectField(FieldEditor* editor, const std::string& component, const FieldInfo& field, bool state);
    void report(const Result<void>& result);
    // Fills a menu with what `component` can be added to or removed from: all of the type, or this entity alone.
    void offerScopes(QMenu& menu, const std::string& component, bool adds);
    void changeComponent(const std::string& entity, const std::string& type, const std::string& component, bool adds,
                         ComponentScope scope);
    [[nodiscard]] std::vector<std::string> targets(const std::string& component) const;
    [[nodiscard]] FieldSources sources() const;

    const Theme& m_theme;
    SessionFeed& m_feed;
    Selection& m_selection;
    Document& m_document;
    ProjectModel& m_project;
    EntityEdits m_edits;
    ComponentEdits m_componentEdits;
    QPushButton* m_add;
    FilterBar* m_bar;
    EmptySwitch* m_switch;
    QLineEdit* m_name;
    QToolButton* m_type;
    QLabel* m_note;
    QScrollArea* m_scroll;
    QWidget* m_body;
    QVBoxLayout* m_sections;
    std::string m_shown;     // entity; empty: none
    std::string m_signature; // what the rows were built for
    ComponentSection* m_place = nullptr;
    std::vector<ComponentSection*> m_components; // as in the inspection
    std::vector<std::string> m_closed;           // sections somebody closed, kept from entity to entity
};

} // namespace sbx::ui
