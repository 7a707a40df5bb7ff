#pragma once
// Every listed CVar as a row: star, name, value, default, who set it last. Values are read from the registry, which allows it
// from any thread; an edit goes out as a console line, so that it is checked, logged and in force where the console runs.
// GUI thread; the registry outlives it.

#include <QAbstractTableModel>
#include <QSet>
#include <QSortFilterProxyModel>
#include <QString>

#include "engine/core/cvar.h"

#include <vector>

class QMimeData;

namespace sbx::ui {

// Of a CVar that is dragged; its name is there as text as well.
inline constexpr const char* CVarMimeType = "application/x-signalbox-cvar";

class Theme;

class CVarModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Star, Name, CurrentValue, DefaultValue, SetBy, ColumnCount };
    enum Role { ChangedRole = Qt::UserRole, FlagsRole, SearchRole, ChoicesRole };

    CVarModel(const Theme& theme, const CVarRegistry& registry, QObject* parent = nullptr);

    // Reads again if anything changed since; cheap if nothing did.
    void refresh();
    [[nodiscard]] const CVarInfo& at(int row) const { return m_rows[static_cast<std::size_t>(row)]; }
    [[nodiscard]] int rowOf(const QString& name) const;
    [[nodiscard]] QStringList starred() const;
    void setStarred(const QStringList& names);
    // "sim.gravity 5"; a text is quoted.
    [[nodiscard]] static QString line(const CVarInfo& cvar, const QString& value);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    // The names as text.
    [[nodiscard]] QStringList mimeTypes() const override;
    [[nodiscard]] QMimeData* mimeData(const QModelIndexList& indexes) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

signals:
    // A line for the console.
    void requested(const QString& line);
    // Rows may want another order.
    void starredChanged();

private:
    const Theme& m_theme;
    const CVarRegistry& m_registry;
    std::vector<CVarInfo> m_rows; // by name
    QSet<QString> m_starred;
    std::uint64_t m_revision = 0;
    bool m_read = false;
};

// Starred ones first, then by the column asked for; by text, by flag, only changed ones.
class CVarProxy : public QSortFilterProxyModel {
    Q_OBJECT

public:
    using QSortFilterProxyModel::QSortFilterProxyModel;
    void setText(const QString& text);
    void setOnlyChanged(bool only);
    // None: any.
    void setFlag(CVarFlags flag);

protected:
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
    [[nodiscard]] bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

private:
    QString m_text;
    bool m_onlyChanged = false;
    CVarFlags m_flag = CVarFlags::None;
};

} // namespace sbx::ui
