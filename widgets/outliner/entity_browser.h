#pragma once
// What there is to build with, each group below a heading: the entity types of the project's definition files, those that are built in
// (search, drag into the viewport, double click to place one before the camera), and the project's sound files. What sounds of them can be
// heard here, without a source. GUI thread.

#include <QAbstractListModel>
#include <QWidget>

class QEvent;
class QShowEvent;
class QListView;
class QSortFilterProxyModel;

namespace sbx::ui {

class EmptySwitch;
class FilterBar;
class ProjectModel;
class SessionFeed;
class SoundFiles;
class SoundTransport;
class Theme;

class EntityTypeModel : public QAbstractListModel {
    Q_OBJECT

public:
    // What a dragged type travels as: its name in UTF-8.
    static constexpr const char* MimeType = "application/x-signalbox-entity-type";
    // Of a row: whether it is a sound file; its name is then the path in the project's folder.
    static constexpr int IsFileRole = Qt::UserRole;
    // Whether it is the heading of the rows below it, up to the next one. A heading cannot be selected.
    static constexpr int IsHeadingRole = Qt::UserRole + 1;
    // What the type's definition says of it.
    static constexpr int DocRole = Qt::UserRole + 2;

    EntityTypeModel(const Theme& theme, const ProjectModel& project, QObject* parent = nullptr);
    // Takes over the types; and looks for files, which are watched from then on.
    void refresh();
    void lookForFiles();
    [[nodiscard]] SoundFiles& soundFiles() { return *m_files; }
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    [[nodiscard]] QStringList mimeTypes() const override;
    [[nodiscard]] QMimeData* mimeData(const QModelIndexList& indexes) const override;

private:
    enum class Kind { Heading, Type, File };
    struct Row {
        QString name;
        QString doc;
        QString icon;
        QColor color;
        Kind kind = Kind::Type;
    };
    const Theme& m_theme;
    const ProjectModel& m_project;
    SoundFiles* m_files;
    QList<Row> m_rows;
};

class EntityBrowser : public QWidget {
    Q_OBJECT

public:
    EntityBrowser(const Theme& theme, ProjectModel& project, SessionFeed& feed, QWidget* parent = nullptr);
    [[nodiscard]] QListView& view() { return *m_view; }
    // Empty: a file, or nothing.
    [[nodiscard]] QString currentType() const;

signals:
    void createRequested(const QString& type);
    void definitionRequested(const QString& type);

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void refresh(bool files);
    void showCounts();
    void showSound();

    ProjectModel& m_project;
    EntityTypeModel* m_model;
    QSortFilterProxyModel* m_proxy;
    QListView* m_view;
    FilterBar* m_bar;
    SoundTransport* m_transport;
    EmptySwitch* m_noMatch;
    EmptySwitch* m_switch;
};

} // namespace sbx::ui
