#pragma once
// All sounds of the world and what becomes of each: a row for every voice, and one for every sound that is silent. Sorting and filtering
// happen in VoiceProxy.
//
// Data flow: the panel gives each new view; rows stay in place while the same sounds are there. Window thread; parent owns it.

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>

#include "engine/session/sound_probe.h"

#include <array>
#include <memory>
#include <vector>

namespace sbx::ui {

class Theme;

class VoiceModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column {
        Mute,
        Solo,
        Entity,
        SoundName,
        State,
        Level,
        Gain,
        Own,
        Distance,
        Cone,
        Occlusion,
        Metres,
        Azimuth,
        Priority,
        ColumnCount
    };
    enum Role { SortRole = Qt::UserRole, KeyRole };
    // Columns as people read them from the left: what is heard comes first, whatever the width.
    static constexpr std::array<Column, ColumnCount> Order{Mute,      Solo,   Entity,  Level,    State,
                                                           SoundName, Gain,   Own,     Distance, Cone,
                                                           Occlusion, Metres, Azimuth, Priority};

    VoiceModel(const Theme& theme, QObject* parent);
    void setView(std::shared_ptr<const ProbeView> view);
    // Of a row.
    [[nodiscard]] SoundKey keyAt(int row) const;
    [[nodiscard]] int rowOf(const SoundKey& key) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

signals:
    void rebuilt(); // other rows

private:
    struct Row {
        SoundKey key;
        audio::SourceId voice; // none: silent
        std::size_t sound = 0; // of the view
        int state = -1;        // of the view's voices
    };
    [[nodiscard]] QString text(const Row& row, int column) const;
    [[nodiscard]] QVariant sortValue(const Row& row, int column) const;

    const Theme& m_theme;
    std::shared_ptr<const ProbeView> m_view;
    std::vector<Row> m_rows;
};

class VoiceProxy : public QSortFilterProxyModel {
    Q_OBJECT

public:
    using QSortFilterProxyModel::QSortFilterProxyModel;
    void setText(const QString& text);
    void setHeardOnly(bool on);

protected:
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
    [[nodiscard]] bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

private:
    QString m_text;
    bool m_heardOnly = false;
};

} // namespace sbx::ui
