#pragma once
// The arrangements of the window's panels: fixed ones, and the user's own, which are saved under a name in the settings.
//
// Its actions go into View > Layout. There are as many actions for own layouts as there may be of them; those that stand for none are
// hidden. GUI thread; the window, the registry, the settings and the notices outlive it.

#include <QByteArray>
#include <QList>
#include <QObject>
#include <QSize>
#include <QString>

#include <functional>

class QMainWindow;

namespace sbx::ui {
class ActionRegistry;
class NoticeList;
class Theme;
class UserSettings;
} // namespace sbx::ui

namespace sbx::editor {

struct OwnLayout {
    QString name;
    QByteArray state; // as QMainWindow::saveState() writes it
    int corner = 0;   // Qt::DockWidgetArea of the lower right corner: no part of the state
    QSize size = {};  // of the window then; empty: it is not known
};

class Layouts : public QObject {
    Q_OBJECT

public:
    static constexpr int MostOwn = 9;
    static constexpr int LongestName = 40;

    struct Services {
        QMainWindow& window;
        ui::ActionRegistry& actions;
        ui::UserSettings& settings;
        ui::NoticeList& notices;
        const ui::Theme& theme;
        int version; // of the state
    };
    explicit Layouts(const Services& services);

    // "layoutAuthor": its action is view.layoutAuthor. The first one is the current one until another is chosen.
    void addFixed(const QString& id, const QString& text, const QString& doc, std::function<void()> arrange);
    // The user's own, and what is done with them. After the fixed ones.
    void addOwn();

    [[nodiscard]] const QList<OwnLayout>& own() const { return m_own; }
    // By name; empty: one of the fixed ones is the current one.
    [[nodiscard]] QString currentOwn() const;
    // What is wrong with a name for a layout; empty: nothing. It may be that of `except`.
    [[nodiscard]] QString faultOf(const QString& name, const QString& except = {}) const;
    void saveAs(const QString& name);
    void rename(const QString& from, const QString& to);
    void removeOwn(const QString& name);
    void show(int own);
    // Arranges the current layout's panels as it has them.
    void reset();

private:
    struct Fixed {
        QString id;
        QString text;
        std::function<void()> arrange;
    };
    void showFixed(const QString& id);
    void setCurrent(const QString& current);
    [[nodiscard]] OwnLayout arrangedNow(const QString& name) const;
    [[nodiscard]] int indexOf(const QString& name) const; // -1: none
    [[nodiscard]] QString currentText() const;
    void askForName(const QString& from);
    void keep();
    void nameActions();

    Services m_services;
    QList<Fixed> m_fixed;
    QList<OwnLayout> m_own;
    QString m_current; // id of a fixed one, or "own:NAME"
};

} // namespace sbx::editor
