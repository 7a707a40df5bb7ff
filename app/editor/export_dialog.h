#pragma once
// File ▸ Export player…: where an export goes, what it is called and what it holds, and how far it is. The export is planned and written on a thread of
// its own, which this waits for when it goes. GUI thread.

#include <QDialog>
#include <QTimer>

#include "app/export/player_export.h"

#include <atomic>
#include <functional>
#include <memory>
#include <optional>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QThread;
class QTreeWidget;

namespace sbx::ui {
class Theme;
class UserSettings;
} // namespace sbx::ui

namespace sbx::editor {

class ExportDialog : public QDialog {
    Q_OBJECT

public:
    struct Project {
        std::filesystem::path folder;
        QString name;
        PluginHost* plugins = nullptr; // outlives the dialog
        // Brings what is not saved to the disk; false: it could not, and said so. Empty: all is saved.
        std::function<bool()> save;
    };
    // `settings` remembers folder, kind and whether libraries are carried.
    ExportDialog(Project project, ui::UserSettings& settings, const ui::Theme& theme, QWidget* parent = nullptr);
    ~ExportDialog() override;

    // What is written: a name that is free, in the folder that is given.
    [[nodiscard]] QString target() const;
    void reject() override;

signals:
    void exported(const QString& target);

private:
    // Of a thread that plans or writes; shared with it.
    struct Work {
        std::atomic<bool> givenUp{false};
        std::atomic<std::uint64_t> done{0};
        std::atomic<std::uint64_t> whole{0};
        std::optional<app::PlayerExport> plan;
        QString fault; // why it failed
        bool written = false;
    };

    void plan();
    void planned(const std::shared_ptr<Work>& work);
    void write();
    void wrote(const std::shared_ptr<Work>& work, const QString& to);
    void start(const std::function<void(Work&)>& run, const std::function<void(const std::shared_ptr<Work>&)>& then);
    void follow();
    void showContents();
    void showProgress();
    [[nodiscard]] app::ExportRequest request() const;
    [[nodiscard]] QString fault() const; // of what was typed

    Project m_project;
    ui::UserSettings& m_settings;
    const ui::Theme& m_theme;
    QLineEdit* m_name;
    QLineEdit* m_parent;
    QPushButton* m_browse;
    QComboBox* m_kind;
    QCheckBox* m_libraries;
    QLabel* m_target;
    QTreeWidget* m_contents;
    QLabel* m_state;
    QProgressBar* m_progress;
    QPushButton* m_cancel;
    QPushButton* m_export;
    QTimer m_watch;
    std::shared_ptr<Work> m_plan; // the latest that ended; null: none yet
    std::shared_ptr<Work> m_running;
    QThread* m_thread = nullptr;
    bool m_writing = false;
    bool m_again = false; // what was asked for changed while it was planned
};

} // namespace sbx::editor
