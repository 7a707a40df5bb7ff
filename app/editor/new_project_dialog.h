#pragma once
// Asks for what a new project begins as, its name and the folder it goes into; makes it. GUI thread.

#include <QDialog>

#include "app/editor/project_templates.h"

class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;

namespace sbx::ui {
class Theme;
} // namespace sbx::ui

namespace sbx::editor {

class NewProjectDialog : public QDialog {
    Q_OBJECT

public:
    // `chosen`: the id of the template that is selected at first. `parentFolder`: where the project's folder is made.
    NewProjectDialog(std::vector<ProjectTemplate> templates, const QString& chosen,
                     const QString& parentFolder, const ui::Theme& theme, QWidget* parent = nullptr);

    // Where the project goes: the folder that is given, and in it one of the project's name.
    [[nodiscard]] QString folder() const;

signals:
    // The project is there.
    void created(const QString& folder);

private:
    [[nodiscard]] const ProjectTemplate* chosen() const;
    void follow();
    void create();

    std::vector<ProjectTemplate> m_templates;
    QListWidget* m_list;
    QLabel* m_doc;
    QLineEdit* m_name;
    QLineEdit* m_parent;
    QLabel* m_path;
    QPushButton* m_create;
    bool m_named = false; // the name was typed, not offered
};

} // namespace sbx::editor
