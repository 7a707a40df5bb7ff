#include "widgets/probe/voice_model.h"

#include "widgets/common/foreign_text.h"
#include "widgets/common/natural_order.h"
#include "widgets/common/theme.h"
#include "widgets/probe/place_view.h"
#include "widgets/probe/voice_text.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <numbers>
#include <utility>

namespace sbx::ui {

VoiceModel::VoiceModel(const Theme& theme, QObject* parent) : QAbstractTableModel(parent), m_theme(theme) {}

// A row for each voice, and one for each sound without any.
std::vector<VoiceModel::Row> VoiceModel::rowsOf(const std::shared_ptr<const ProbeView>& view, qint64 nowMs) {
    std::vector<Row> rows;
    for (std::size_t i = 0; i < view->sounds.size(); ++i) {
        const ProbeSound& sound = view->sounds[i];
        if (sound.key.entity.empty() && !sound.tried)
            continue; // the probe's own source is off
        Row row;
        row.key = sound.key;
        row.view = view;
        row.sound = i;
        const std::size_t before = rows.size();
        for (std::size_t v = 0; v < view->voices.size(); ++v)
            if (view->voices[v].sound == i) {
                row.voice = view->voices[v].state.id;
                row.state = static_cast<int>(v);
                row.message = view->voices[v].start.sequence;
                row.soundedMs = nowMs;
                rows.push_back(row);
            }
        if (rows.size() == before)
            rows.push_back(row);
    }
    return rows;
}

void VoiceModel::setView(std::shared_ptr<const ProbeView> view, qint64 nowMs, bool hold) {
    m_nowMs = nowMs;
    std::vector<Row> fresh = rowsOf(view, nowMs);
    std::map<SoundKey, std::vector<std::size_t>> ofSound; // of `fresh`, not placed yet
    for (std::size_t i = 0; i < fresh.size(); ++i)
        ofSound[fresh[i].key].push_back(i);
    if (std::none_of(m_rows.begin(), m_rows.end(), [&](const Row& row) { return ofSound.contains(row.key); })) {
        // Another project, or none before.
        const bool any = !m_rows.empty() || !fresh.empty();
        beginResetModel();
        m_rows = std::move(fresh);
        endResetModel();
        if (any)
            emit rebuilt();
        return;
    }
    // Each row goes on with its own voice, or else with another of its sound.
    std::vector<bool> placed(m_rows.size(), false);
    const auto place = [&](bool sameVoice, bool ended) {
        for (std::size_t r = 0; r < m_rows.size(); ++r) {
            Row& row = m_rows[r];
            const auto waiting = ofSound.find(row.key);
            if (placed[r] || (row.endedMs >= 0) != ended || waiting == ofSound.end())
                continue;
            std::vector<std::size_t>& left = waiting->second;
            const auto at = std::find_if(left.begin(), left.end(), [&](std::size_t i) {
                return !sameVoice || fresh[i].voice == row.voice;
            });
            if (at == left.end())
                continue;
            fresh[*at].soundedMs = std::max(fresh[*at].soundedMs, row.soundedMs);
            if (fresh[*at].state < 0)
                fresh[*at].message = row.message;
            row = std::move(fresh[*at]);
            left.erase(at);
            placed[r] = true;
        }
    };
    place(true, false);
    place(false, false);
    place(false, true);
    // What has ended keeps its row for a while.
    for (std::size_t r = 0; r < m_rows.size(); ++r) {
        Row& row = m_rows[r];
        if (placed[r])
            continue;
        row.endedMs = row.endedMs < 0 ? nowMs : row.endedMs;
        row.state = -1;
        row.voice = {};
        const auto sound = std::find_if(view->sounds.begin(), view->sounds.end(), [&](const ProbeSound& each) {
            return each.key == row.key && (!each.key.entity.empty() || each.tried);
        });
        row.gone = sound == view->sounds.end();
        if (!row.gone) {
            row.view = view;
            row.sound = static_cast<std::size_t>(sound - view->sounds.begin());
        }
    }
    const std::size_t before = m_rows.size();
    removeEnded(hold);
    bool others = m_rows.size() != before;
    std::vector<std::size_t> added;
    for (const auto& [key, left] : ofSound)
        added.insert(added.end(), left.begin(), left.end());
    if (!added.empty()) {
        std::sort(added.begin(), added.end()); // in the order of the view
        const int first = static_cast<int>(m_rows.size());
        beginInsertRows({}, first, first + static_cast<int>(added.size()) - 1);
        for (const std::size_t i : added)
            m_rows.push_back(std::move(fresh[i]));
        endInsertRows();
        others = true;
    }
    if (!m_rows.empty())
        emit dataChanged(index(0, 0), index(static_cast<int>(m_rows.size()) - 1, ColumnCount - 1));
    if (others)
        emit rebuilt();
}

void VoiceModel::removeEnded(bool hold) {
    std::vector<qint64> ended;
    for (const Row& row : m_rows)
        if (row.endedMs >= 0)
            ended.push_back(row.endedMs);
    qint64 oldest = hold ? 0 : m_nowMs - KeptMs; // what ended before goes
    if (ended.size() > MaxKept) {
        const auto last = ended.end() - static_cast<std::ptrdiff_t>(MaxKept);
        std::nth_element(ended.begin(), last, ended.end());
        oldest = std::max(oldest, *last);
    }
    for (int row = static_cast<int>(m_rows.size()) - 1; row >= 0; --row) {
        const qint64 endedMs = m_rows[static_cast<std::size_t>(row)].endedMs;
        if (endedMs < 0 || endedMs >= oldest)
            continue;
        beginRemoveRows({}, row, row);
        m_rows.erase(m_rows.begin() + row);
        endRemoveRows();
    }
}

const audio::SourceState* VoiceModel::stateOf(const Row& row) const {
    return row.state >= 0 ? &row.view->voices[static_cast<std::size_t>(row.state)].state : nullptr;
}

bool VoiceModel::isLit(const Row& row) const {
    return m_message != 0 && row.state >= 0
           && row.view->voices[static_cast<std::size_t>(row.state)].start.sequence == m_message;
}

void VoiceModel::setMessage(std::uint64_t sequence) {
    if (std::exchange(m_message, sequence) != sequence && !m_rows.empty())
        emit dataChanged(index(0, 0), index(static_cast<int>(m_rows.size()) - 1, ColumnCount - 1));
}

SoundKey VoiceModel::keyAt(int row) const {
    return row >= 0 && row < static_cast<int>(m_rows.size()) ? m_rows[static_cast<std::size_t>(row)].key
                                                             : SoundKey{};
}

void VoiceModel::forgetMessages() {
    for (Row& row : m_rows)
        row.message = 0;
}

std::uint64_t VoiceModel::messageAt(int row) const {
    return row >= 0 && row < static_cast<int>(m_rows.size()) ? m_rows[static_cast<std::size_t>(row)].message
                                                             : 0;
}

int VoiceModel::rowOf(const SoundKey& key) const {
    const auto it =
        std::find_if(m_rows.begin(), m_rows.end(), [&](const Row& row) { return row.key == key && !row.gone; });
    return it != m_rows.end() ? static_cast<int>(it - m_rows.begin()) : -1;
}

int VoiceModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}
int VoiceModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QString VoiceModel::text(const Row& row, int column) const {
    const ProbeSound& sound = row.view->sounds[row.sound];
    const audio::SourceState* state = stateOf(row);
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
        const bool tried = state != nullptr && row.view->voices[static_cast<std::size_t>(row.state)].tried;
        return tried && !sound.key.entity.empty() ? tr("%1 (preview)").arg(name) : name;
    }
    case State:
        return row.gone ? tr("Gone with its entity") : stateText(*row.view, sound, state);
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
    const ProbeSound& sound = row.view->sounds[row.sound];
    const audio::SourceState* state = stateOf(row);
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
    if (!index.isValid() || index.row() >= static_cast<int>(m_rows.size()))
        return {};
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    const ProbeSound& sound = row.view->sounds[row.sound];
    const audio::SourceState* state = stateOf(row);
    const int column = index.column();
    const bool heard = state != nullptr && state->reason == audio::SilentReason::Heard;
    switch (role) {
    case Qt::DisplayRole:
        return shownLine(text(row, column));
    case SortRole:
        return sortValue(row, column);
    case LitRole:
        return isLit(row);
    case Qt::BackgroundRole:
        return isLit(row) ? QVariant(mix(m_theme.color(Token::Surface), m_theme.hue(Hue::Orange), 0.22))
                          : QVariant();
    case Qt::DecorationRole:
        return isLit(row) && column == Entity ? QVariant(
                   m_theme.icon(QStringLiteral("message"), m_theme.readable(m_theme.hue(Hue::Orange))))
                                              : QVariant();
    case SoundedRole:
        return m_nowMs - row.soundedMs <= KeptMs;
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
        if (row.endedMs >= 0)
            return m_theme.color(Token::Disabled);
        if (column == Mute)
            return sound.muted ? m_theme.readable(m_theme.hue(Hue::Vermillion))
                               : m_theme.color(Token::Disabled);
        if (column == Solo)
            return sound.solo ? m_theme.readable(m_theme.hue(Hue::Orange)) : m_theme.color(Token::Disabled);
        if (column == State && heard)
            return m_theme.readable(m_theme.hue(Hue::BluishGreen));
        return heard || column == Entity ? QVariant() : QVariant(m_theme.color(Token::Muted));
    case Qt::ToolTipRole:
        if (row.gone)
            return tr("Its entity is gone; the row stays for a moment.");
        if (isLit(row) && column != Mute && column != Solo)
            return tipText(tr("Message #%1, which is selected, started it.\n%2")
                               .arg(m_message)
                               .arg(stateText(*row.view, sound, state)));
        if (column == Mute)
            return sound.muted ? tr("Muted: click to hear it again (M)") : tr("Mute (M)");
        if (column == Solo)
            return sound.solo ? tr("Solo: click to hear the others too (S)")
                              : tr("Solo: silence all others (S)");
        return tipText(stateText(*row.view, sound, state));
    case Qt::AccessibleTextRole:
        if (column == Mute)
            return sound.muted ? tr("muted") : tr("not muted");
        if (column == Solo)
            return sound.solo ? tr("solo") : tr("not solo");
        if (column == Entity && isLit(row))
            return tr("%1, started by the selected message").arg(shownLine(text(row, column)));
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

Qt::ItemFlags VoiceModel::flags(const QModelIndex& index) const {
    const Qt::ItemFlags all = QAbstractTableModel::flags(index);
    const bool gone = index.isValid() && m_rows[static_cast<std::size_t>(index.row())].gone;
    return gone ? all & ~(Qt::ItemIsEnabled | Qt::ItemIsSelectable) : all;
}

void VoiceProxy::setText(const QString& text) {
    m_text = text.trimmed();
    invalidateFilter();
}

void VoiceProxy::setHeardOnly(bool on) {
    m_heardOnly = on;
    invalidateFilter();
}

void VoiceProxy::refilter() { invalidateFilter(); }

bool VoiceProxy::filterAcceptsRow(int row, const QModelIndex& parent) const {
    const auto text = [&](int column) { return sourceModel()->index(row, column, parent).data().toString(); };
    if (m_heardOnly && !sourceModel()->index(row, VoiceModel::Gain, parent).data(VoiceModel::SoundedRole).toBool())
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
    return a.userType() == QMetaType::QString ? compareNaturally(a.toString(), b.toString()) < 0
                                              : a.toDouble() < b.toDouble();
}

} // namespace sbx::ui

#include "moc_voice_model.cpp"
