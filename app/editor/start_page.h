#pragma once
// What the window shows while no project is open: recent projects with their pictures, new projects, samples. Covers everything below
// the menu bar, so that the panels keep their arrangement. GUI thread; the window owns it.

#include <QWidget>

#include "app/editor/project_templates.h"

class QGridLayout;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace sbx::ui {
class Theme;
} // namespace sbx::ui

namespace sbx::editor {

struct RecentProject {
    QString file;    // project.toml
    QString picture; // PNG; empty or not there: none
};

class StartPage : public QWidget {
    Q_OBJECT

public:
    StartPage(const ui::Theme& theme, std::vector<ProjectTemplate> templates, QWidget* parent);

    // Newest first. A project whose file is missing is shown, and cannot be opened.
    void setRecent(const std::vector<RecentProject>& projects);
    // The project that is open behind the page, and whether it has unsaved changes; an empty name: none is open.
    void setOpenProject(const QString& name, bool unsaved);

signals:
    // Back to the project that is open.
    void backRequested();
    void openRequested(const QString& file);
    // Lets the user choose a file.
    void chooseRequested();
    // The id of a template.
    void newRequested(const QString& id);
    void sampleRequested(const QString& id);

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;
    // Tab stays on this page: what it covers cannot be seen.
    bool focusNextPrevChild(bool next) override;

private:
    QWidget* makeBegin(const std::vector<ProjectTemplate>& templates);
    QWidget* makeOpen();
    QWidget* makeSamples(const std::vector<ProjectTemplate>& templates);
    QLabel* heading(const QString& text);

    const ui::Theme& m_theme;
    QWidget* m_content;
    QWidget* m_recent;
    QVBoxLayout* m_recentRows;
    QPushButton* m_back = nullptr;
    QLabel* m_unsaved = nullptr;
};

} // namespace sbx::editor
