#pragma once
// Places of the viewport's camera that are kept under the numbers 1 to 9, with a name, for each scene. Kept in the settings beside the
// cameras of the scenes, never in the project.
//
// Its actions go into View > Bookmarks. GUI thread; viewport, registry, settings, document and theme outlive it.

#include <QObject>
#include <QString>
#include <QVariantMap>

#include <array>

class QWidget;

namespace sbx::ui {
class ActionRegistry;
class Document;
class Theme;
class UserSettings;
class ViewportPanel;
} // namespace sbx::ui

namespace sbx::editor {

class CameraBookmarks : public QObject {
    Q_OBJECT

public:
    static constexpr int Count = 9;
    static constexpr int LongestName = 40;

    struct Services {
        ui::ViewportPanel& viewport;
        ui::ActionRegistry& actions;
        ui::UserSettings& settings;
        ui::Document& document;
        const ui::Theme& theme;
        QWidget& window; // of dialogs
        bool remembers;  // between runs
    };
    explicit CameraBookmarks(const Services& services);
    // To the registry, and to the viewport, in which their keys work.
    void addActions();

    // Numbers count from 1. An empty name: there is no such bookmark.
    [[nodiscard]] QString name(int number) const;
    // Where the camera is now; keeps the name of the one that was there.
    void set(int number);
    void go(int number);
    void rename(int number, const QString& name);
    void remove(int number);
    // The one that was set or gone to last; 0: none.
    [[nodiscard]] int current() const { return m_current; }

signals:
    // In words, for the status bar.
    void said(const QString& text);

private:
    struct Bookmark {
        QString name;
        QVariantMap camera; // empty: there is none
    };
    [[nodiscard]] Bookmark* at(int number);
    void readScene();
    void keep();
    void nameActions();
    void askForName();

    Services m_services;
    std::array<Bookmark, Count> m_bookmarks;
    QString m_scene; // absolute path; empty: none is open
    int m_current = 0;
};

} // namespace sbx::editor
