#pragma once
// The project's texts: definitions, scene and project file, each as an outline and as text, side by side,
// with faults, completion and explanations where the caret stands.
//
// Where the caret stands in a Sound, that sound can be played in place.
//
// The texts are the document's; an edit here is a document edit like any other, and what others edit shows
// here. Faults and what is in force come from ProjectModel, which also brings the edit into the running
// world. GUI thread; parent owns it.

#include <QTimer>
#include <QWidget>

#include "widgets/common/component_choices.h"

#include <memory>
#include <string>
#include <vector>

class QLabel;
class QMenu;
class QSplitter;
class QTabBar;
class QToolButton;

namespace sbx::ui {

class ActionRegistry;
class CodeView;
class Document;
class EmptySwitch;
class FindBar;
class OutlineTree;
class ProblemMarks;
class ProjectModel;
class Selection;
class SessionFeed;
class SoundTransport;
class TextAssist;
class TextBinding;
class Theme;
class TreeEdits;
struct TreePlace;

class DefinitionPanel : public QWidget {
    Q_OBJECT

public:
    DefinitionPanel(const Theme& theme, Document& document, ProjectModel& project, SessionFeed& feed,
                    Selection& selection, ActionRegistry& actions, QWidget* parent = nullptr);
    ~DefinitionPanel() override;

    // Shows a place and gives it the focus. `file` as in Document; line and column count from 1, columns in
    // bytes.
    void goTo(const QString& file, int line, int column);
    // Shows the table of a type, or of one of its components, and leaves the focus where it is.
    void showType(const QString& type, const QString& component = {});
    // The same for the selected message: its handler, a component of that type ("Sound#2"), where it or a base declares it; empty: the type.
    // Does nothing while the panel does not follow the selection or its text has the focus. While the scene file is shown, the receiver stays shown there.
    void followMessage(const QString& type, const QString& handler);
    // Puts the suggestion of the problem at a place into it. False: there is none.
    bool applyFix(const QString& file, int line, int column);

    // "entities.toml"; empty: no project is open.
    [[nodiscard]] QString file() const;
    void setFile(const QString& file);
    // Follows the selection.
    [[nodiscard]] bool isLinked() const;
    void setLinked(bool linked);

    [[nodiscard]] CodeView& editor() { return *m_view; }
    [[nodiscard]] TextBinding& binding() { return *m_binding; }
    [[nodiscard]] TextAssist& assist() { return *m_assist; }
    [[nodiscard]] ProblemMarks& marks() { return *m_marks; }
    [[nodiscard]] OutlineTree& outline() { return *m_outline; }
    // The components that the type of the tree's current row could have, and adding one; see addComponentRequested().
    [[nodiscard]] std::vector<ComponentChoice> componentChoices() const;
    void addComponent(const QString& component);

signals:
    // Something could not be done: what, and what would be right.
    void problem(const QString& text);
    // A list of components to choose from is wanted.
    void addComponentRequested();
    // Why a component of that entity did not act: "Health", "Sound#2".
    void whyNotAsked(const QString& entity, const QString& component);

protected:
    // Types are dropped onto the tabs of other files.
    bool eventFilter(QObject* watched, QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QToolButton* toolButton(const QString& name, const QString& icon, const QString& title,
                            const QString& tip);
    void build();
    void connectParts();
    void addActions();
    void updateFiles();
    void updateTabs();
    void updateOutline(bool another);
    void updateTreeFaults();
    void connectTree();
    void updateFooter();
    void updatePlace();
    void updateSound();
    void showAt(const std::string& file, int line, int column, bool focus);
    void followSelection(const QString& source);
    void followName(std::size_t offset);
    bool fixAt(std::size_t offset);
    void stepProblem(int direction);
    void toggleComment();
    void showMenu(std::size_t position, const QPoint& global);
    void offerWhyNot(QMenu& menu, const TreePlace& place);

    const Theme& m_theme;
    Document& m_document;
    ProjectModel& m_project;
    SessionFeed& m_feed;
    Selection& m_selection;
    ActionRegistry& m_actions;
    QTabBar* m_files;
    QToolButton* m_link = nullptr;
    QToolButton* m_treeButton = nullptr;
    QSplitter* m_splitter;
    std::unique_ptr<TreeEdits> m_edits;
    OutlineTree* m_outline;
    CodeView* m_view;
    FindBar* m_find;
    TextBinding* m_binding;
    ProblemMarks* m_marks;
    TextAssist* m_assist;
    QToolButton* m_state;
    QLabel* m_place;
    SoundTransport* m_transport;
    EmptySwitch* m_switch = nullptr;
    QTimer m_outlineTimer;
    bool m_filling = false;
    bool m_manyPlaces = false; // were changed by the last edit of the shown text
};

} // namespace sbx::ui
