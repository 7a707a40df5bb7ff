#pragma once
// All sounds of the world and what becomes of each: a row for every voice, and one for every sound that is silent. Sorting and filtering
// happen in VoiceProxy.
//
// Data flow: the panel gives each new view. A row keeps its place as long as its sound is there, and KeptMs beyond that, greyed, so that
// a sound that ends and begins again finds its row; new ones come last. GUI thread; parent owns it.

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>

#include "engine/probe/sound_probe.h"

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
    enum Role {
        SortRole = Qt::UserRole,
        SoundedRole, // it has a voice, or had one within the last KeptMs
        LitRole,     // the selected message started it
    };
    static constexpr qint64 KeptMs = 5000;        // rows of what has ended
    static constexpr std::size_t MaxKept = 256;   // of them; beyond it the oldest go, whatever holds rows
    // Columns as people read them from the left: what is heard comes first, whatever the width.
    static constexpr std::array<Column, ColumnCount> Order{Mute,      Solo,   Entity,  Level,    State,
                                                           SoundName, Gain,   Own,     Distance, Cone,
                                                           Occlusion, Metres, Azimuth, Priority};

    VoiceModel(const Theme& theme, QObject* parent);
    // `nowMs`: a clock that does not go back. `hold`: no row is removed, because the pointer is over one.
    void setView(std::shared_ptr<const ProbeView> view, qint64 nowMs, bool hold);
    // The message that is selected: the voice that it started is lit; 0: none is.
    void setMessage(std::uint64_t sequence);
    // Of a row.
    [[nodiscard]] SoundKey keyAt(int row) const;
    // Another run's messages have begun: the numbers of the earlier ones mean nothing.
    void forgetMessages();
    // The message that started its play, or the last one that is over; if that is not recorded, the nearest one that caused it. 0: none.
    [[nodiscard]] std::uint64_t messageAt(int row) const;
    // The first row of a sound that is there; -1: there is none.
    [[nodiscard]] int rowOf(const SoundKey& key) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;

signals:
    void rebuilt(); // other rows

private:
    struct Row {
        SoundKey key;
        audio::SourceId voice;                 // none: silent
        std::shared_ptr<const ProbeView> view; // the newest that has the sound
        std::size_t sound = 0;                 // of the view
        int state = -1;                        // of the view's voices
        std::uint64_t message = 0;             // that started its voice, also when that has ended
        qint64 soundedMs = -KeptMs - 1;        // when it had a voice last
        qint64 endedMs = -1;                   // since when its sound is gone, or its voice while the sound has others; -1: it is there
        bool gone = false;                     // the sound itself
    };
    [[nodiscard]] static std::vector<Row> rowsOf(const std::shared_ptr<const ProbeView>& view, qint64 nowMs);
    void removeEnded(bool hold);
    [[nodiscard]] const audio::SourceState* stateOf(const Row& row) const;
    [[nodiscard]] bool isLit(const Row& row) const;
    [[nodiscard]] QString text(const Row& row, int column) const;
    [[nodiscard]] QVariant sortValue(const Row& row, int column) const;

    const Theme& m_theme;
    std::vector<Row> m_rows;
    qint64 m_nowMs = 0;
    std::uint64_t m_message = 0;
};

class VoiceProxy : public QSortFilterProxyModel {
    Q_OBJECT

public:
    using QSortFilterProxyModel::QSortFilterProxyModel;
    void setText(const QString& text);
    void setHeardOnly(bool on);
    // Looks again at what is heard now.
    void refilter();

protected:
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
    [[nodiscard]] bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

private:
    QString m_text;
    bool m_heardOnly = false;
};

} // namespace sbx::ui
