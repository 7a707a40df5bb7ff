#include "widgets/probe/voice_model.h"

#include "widgets/common/foreign_text.h"
#include "widgets/common/theme.h"
#include "widgets/probe/place_view.h"
#include "widgets/probe/voice_text.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sbx::ui {

VoiceModel::VoiceModel(const Theme& theme, QObject* parent) : QAbstractTableModel(parent), m_theme(theme) {}

void VoiceModel::setView(std::shared_ptr<const ProbeView> view) {
    std::vector<Row> rows;
    for (std::size_t i = 0; i < view->sounds.size(); ++i) {
        if (view->sounds[i].key.entity.empty() && !view->sounds[i].tried)
            continue; // the probe's own source is off
        bool any = false;
        for (std::size_t v = 0; v < view->voices.size(); ++v)
            if (view->voices[v].sound == i) {
                rows.push_back({view->sounds[i].key, view->voices[v].state.id, i, static_cast<int>(v)});
                any = true;
            }
        if (!any)
            rows.push_back({view->sounds[i].key, {}, i, -1});
    }
    const bool same =
        std::equal(rows.begin(), rows.end(), m_rows.begin(), m_rows.end(),
                   [](const Row& a, const Row& b) { return a.key == b.key && a.voice == b.voice; });
    if (!same)
        beginResetModel();
    m_rows = std::move(rows);
    m_view = std::move(view);
    if (!same) {
        endResetModel();
        emit rebuilt();
    } else if (!m_rows.empty()) {
        emit dataChanged(index(0, 0), index(static_cast<int>(m_rows.size()) - 1, ColumnCount - 1));
    }
}

SoundKey VoiceModel::keyAt(int row) const {
    return row >= 0 && row < static_cast<int>(m_rows.size()) ? m_rows[static_cast<std::size_t>(row)].key
                                                             : SoundKey{};
}

int VoiceModel::rowOf(const SoundKey& key) const {
    const auto it =
        std::find_if(m_rows.begin(), m_rows.end(), [&](const Row& row) { return row.key == key; });
    return it != m_rows.end() ? static_cast<int>(it - m_rows.begin()) : -1;
}

int VoiceModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}
int VoiceModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QString VoiceModel::text(const Row& row, int column) const {
    const ProbeSound& sound = m_view->sounds[row.sound];
    const audio::SourceState* state =
        row.state >= 0 ? &m_view->voices[static_cast<std::size_t>(row.state)].state : nullptr;
    switch (column) {
    case Mute:
        return tr("M");
    case Solo:
        return tr("S");
    case Entity:
        return sound.key.entity.empty() ? tr("Probe") : QString::fromStdString(sound.key.entity);
    case SoundName: {
        const QString name =
            sound.name.empty() ? QString::fromStdString(sound.source) : QString::fromStdString(sound.name);
        const bool tried = state != nullptr && m_view->voices[static_cast<std::size_t>(row.state)].tried;
        return tried && !sound.key.entity.empty() ? tr("%1 (preview)").arg(name) : name;
    }
    case State:
        return stateText(*m_view, sound, state);
    case Metres:
        return QString::number(state != nullptr && state->playing ? static_cast<double>(state->distance)
                                                                  : sound.place.distance,
                               'f', 2);
    case Azimuth:
        return angleText(sound.place.azimuth);
    case Priority:
        return QString::number(static_cast<double>(sound.settings.priority), 'f', 0);
    default:
        break;
    }
    if (state == nullptr)
        return {};
    switch (column) {
    case Level:
        return gainText(static_cast<double>(state->peak));
    case Gain:
        return gainText(static_cast<double>(state->gain));
    case Own:
        return gainText(static_cast<double>(state->ownGain));
    case Distance:
        return gainText(static_cast<double>(state->distanceGain));
    case Cone:
        return gainText(static_cast<double>(state->coneGain));
    case Occlusion:
        return gainText(static_cast<double>(state->occlusionGain));
    default:
        return {};
    }
}

QVariant VoiceModel::sortValue(const Row& row, int column) const {
    const ProbeSound& sound = m_view->sounds[row.sound];
    const audio::SourceState* state =
        row.state >= 0 ? &m_view->voices[static_cast<std::size_t>(row.state)].state : nullptr;
    const auto gain = [&](float audio::SourceState::*member) {
        return state != nullptr ? static_cast<double>(state->*member) : -1.0;
    };
    switch (column) {
    case Mute:
        return sound.muted;
    case Solo:
        return sound.solo;
    case Level:
        return state != nullptr ? static_cast<double>(state->peak) : -1.0;
    case Gain:
        return gain(&audio::SourceState::gain);
    case Own:
        return gain(&audio::SourceState::ownGain);
    case Distance:
        return gain(&audio::SourceState::distanceGain);
    case Cone:
        return gain(&audio::SourceState::coneGain);
    case Occlusion:
        return gain(&audio::SourceState::occlusionGain);
    case Metres:
        return sound.place.distance;
    case Azimuth:
        return sound.place.azimuth;
    case Priority:
        return static_cast<double>(sound.settings.priority);
    default:
        return text(row, column);
    }
}

QVariant VoiceModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || !m_view || index.row() >= static_cast<int>(m_rows.size()))
        return {};
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    const ProbeSound& sound = m_view->sounds[row.sound];
    const audio::SourceState* state =
        row.state >= 0 ? &m_view->voices[static_cast<std::size_t>(row.state)].state : nullptr;
    const int column = index.column();
    const bool heard = state != nullptr && state->reason == audio::SilentReason::Heard;
    switch (role) {
    case Qt::DisplayRole:
        return shownLine(text(row, column));
    case SortRole:
        return sortValue(row, column);
    case Qt::CheckStateRole:
        return {};
    case Qt::TextAlignmentRole:
        return column == Mute || column == Solo ? static_cast<int>(Qt::AlignCenter)
               : column >= Level                ? static_cast<int>(Qt::AlignRight | Qt::AlignVCenter)
                                                : static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter);
    case Qt::FontRole:
        if (column >= Level)
            return m_theme.font(FontRole::Mono);
        return (column == Mute && sound.muted) || (column == Solo && sound.solo)
                   ? QVariant(m_theme.strongFont(FontRole::Ui))
                   : QVariant();
    case Qt::ForegroundRole:
        if (column == Mute)
            return sound.muted ? m_theme.readable(m_theme.hue(Hue::Vermillion))
                               : m_theme.color(Token::Disabled);
        if (column == Solo)
            return sound.solo ? m_theme.readable(m_theme.hue(Hue::Orange)) : m_theme.color(Token::Disabled);
        if (column == State && heard)
            return m_theme.readable(m_theme.hue(Hue::BluishGreen));
        return heard || column == Entity ? QVariant() : QVariant(m_theme.color(Token::Muted));
    case Qt::ToolTipRole:
        if (column == Mute)
            return sound.muted ? tr("Muted: click to hear it again (M)") : tr("Mute (M)");
        if (column == Solo)
            return sound.solo ? tr("Solo: click to hear the others too (S)")
                              : tr("Solo: silence all others (S)");
        return tipText(stateText(*m_view, sound, state));
    case Qt::AccessibleTextRole:
        if (column == Mute)
            return sound.muted ? tr("muted") : tr("not muted");
        if (column == Solo)
            return sound.solo ? tr("solo") : tr("not solo");
        return shownLine(text(row, column));
    default:
        return {};
    }
}

QVariant VoiceModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    static const char* const Names[] = {"M",         "S",       "Entity",  "Sound",    "State",
                                        "Level dB",  "Gain dB", "Own",     "Distance", "Cone",
                                        "Occlusion", "m",       "Azimuth", "Priority"};
    static const char* const Docs[] = {"Muted",
                                       "Alone",
                                       "Whose sound it is",
                                       "Name, or where it comes from",
                                       "Heard, or why it is silent",
                                       "Peak at the head, before the direction filter",
                                       "Product of the chain: own, distance, cone, occlusion",
                                       "Its own gain, dB",
                                       "What distance leaves, dB",
                                       "What its cone leaves, dB",
                                       "What gets through what stands between, dB",
                                       "Distance in metres",
                                       "0 ahead, positive to the right",
                                       "Higher ones keep their voice when voices are short"};
    if (role == Qt::DisplayRole)
        return tr(Names[section]);
    if (role == Qt::ToolTipRole)
        return tr(Docs[section]);
    if (role == Qt::TextAlignmentRole)
        return section == Mute || section == Solo ? static_cast<int>(Qt::AlignCenter)
               : section >= Level                 ? static_cast<int>(Qt::AlignRight | Qt::AlignVCenter)
                                                  : static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter);
    return {};
}

void VoiceProxy::setText(const QString& text) {
    m_text = text.trimmed();
    invalidateFilter();
}

void VoiceProxy::setHeardOnly(bool on) {
    m_heardOnly = on;
    invalidateFilter();
}

bool VoiceProxy::filterAcceptsRow(int row, const QModelIndex& parent) const {
    const auto text = [&](int column) { return sourceModel()->index(row, column, parent).data().toString(); };
    if (m_heardOnly
        && sourceModel()->index(row, VoiceModel::Gain, parent).data(VoiceModel::SortRole).toDouble() < 0.0)
        return false;
    if (m_text.isEmpty())
        return true;
    // Every word somewhere.
    const QString all = text(VoiceModel::Entity) + QLatin1Char(' ') + text(VoiceModel::SoundName)
                        + QLatin1Char(' ') + text(VoiceModel::State);
    const QStringList words = m_text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    return std::all_of(words.begin(), words.end(),
                       [&](const QString& word) { return all.contains(word, Qt::CaseInsensitive); });
}

bool VoiceProxy::lessThan(const QModelIndex& left, const QModelIndex& right) const {
    const QVariant a = left.data(VoiceModel::SortRole);
    const QVariant b = right.data(VoiceModel::SortRole);
    return a.userType() == QMetaType::QString ? a.toString().localeAwareCompare(b.toString()) < 0
                                              : a.toDouble() < b.toDouble();
}

} // namespace sbx::ui

#include "moc_voice_model.cpp"
