#pragma once
// The entity types of the project's definition files: search, drag into the viewport, double click to place one before the
// camera. Window thread.

#include <QAbstractListModel>
#include <QWidget>

class QListView;
class QSortFilterProxyModel;

namespace sbx::ui {

class EmptySwitch;
class FilterBar;
class ProjectModel;
class Theme;

class EntityTypeModel : public QAbstractListModel {
    Q_OBJECT

public:
    // What a dragged type travels as: its name in UTF-8.
    static constexpr const char* MimeType = "application/x-signalbox-entity-type";

    EntityTypeModel(const Theme& theme, const ProjectModel& project, QObject* parent = nullptr);
    void refresh();
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    [[nodiscard]] QStringList mimeTypes() const override;
    [[nodiscard]] QMimeData* mimeData(const QModelIndexList& indexes) const override;

private:
    struct Row {
        QString name;
        QString doc;
        QString icon;
        QColor color;
    };
    const Theme& m_theme;
    const ProjectModel& m_project;
    QList<Row> m_rows;
};

class EntityBrowser : public QWidget {
    Q_OBJECT

public:
    EntityBrowser(const Theme& theme, ProjectModel& project, QWidget* parent = nullptr);
    [[nodiscard]] QListView& view() { return *m_view; }
    [[nodiscard]] QString currentType() const;

signals:
    void createRequested(const QString& type);
    void definitionRequested(const QString& type);

private:
    EntityTypeModel* m_model;
    QSortFilterProxyModel* m_proxy;
    QListView* m_view;
    FilterBar* m_bar;
    EmptySwitch* m_switch;
};

} // namespace sbx::ui
