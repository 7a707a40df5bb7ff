// How an answer is shown in the panel's parts.

#include <QAction>
#include <QActionGroup>
#include <QComboBox>
#include <QFileInfo>
#include <QLabel>
#include <QMenu>
#include <QSignalBlocker>
#include <QSlider>
#include <QTableView>
#include <QTabWidget>
#include <QToolButton>

#include "widgets/common/document.h"
#include "widgets/common/empty_state.h"
#include "widgets/common/filter_bar.h"
#include "widgets/common/foreign_text.h"
#include "widgets/common/number_field.h"
#include "widgets/common/selection.h"
#include "widgets/common/session_feed.h"
#include "widgets/common/sound_files.h"
#include "widgets/common/theme.h"
#include "widgets/probe/head_quiz.h"
#include "widgets/probe/load_view.h"
#include "widgets/probe/place_view.h"
#include "widgets/probe/probe_panel.h"
#include "widgets/probe/probe_panel_shared.h"
#include "widgets/probe/voice_model.h"
#include "widgets/probe/why_view.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace sbx::ui {

namespace {


enum ListenerItem { OfScene, OfCamera, Here, OfEntity };

void setTextOnce(QLabel& label, const QString& text) {
    if (label.text() != text)
        label.setText(text);
}

} // namespace

QString modeName(audio::Mode mode) {
    switch (mode) {
    case audio::Mode::Hrtf:
        return ProbePanel::tr("Binaural");
    case audio::Mode::Sphere:
        return ProbePanel::tr("Sphere");
    case audio::Mode::Plain:
        return ProbePanel::tr("Plain");
    case audio::Mode::Pan:
        return ProbePanel::tr("Pan");
    case audio::Mode::Mono:
        return ProbePanel::tr("Mono");
    }
    return {};
}

void ProbePanel::fillListeners() {
    const QSignalBlocker quiet(m_listener);
    m_listener->clear();
    m_listener->addItem(tr("Scene's listener"), OfScene);
    m_listener->addItem(tr("Editor's camera"), OfCamera);
    m_listener->addItem(tr("Stay here"), Here);
    m_listener->setItemData(0, tr("The Listener of the highest rank, or else the scene's camera"),
                            Qt::ToolTipRole);
    m_listener->setItemData(2, tr("Where the listener is now, whatever moves"), Qt::ToolTipRole);
    std::vector<std::string> names;
    for (const EntityRow& row : m_feed.frame().entities->rows)
        if (row.entityType
            && std::any_of(row.entityType->layout().begin(), row.entityType->layout().end(),
                           [](const EntityType::Slot& slot) { return slot.type->name == "Listener"; }))
            names.push_back(row.name);
    if (m_listening.from == Listening::From::Entity
        && std::find(names.begin(), names.end(), m_listening.entity) == names.end())
        names.push_back(m_listening.entity);
    for (const std::string& name : names)
        m_listener->addItem(QString::fromStdString(name), OfEntity);
    int index = OfScene;
    if (m_listening.from == Listening::From::Place)
        index = m_listensByCamera ? OfCamera : Here;
    else if (m_listening.from == Listening::From::Entity)
        index = m_listener->findText(QString::fromStdString(m_listening.entity));
    m_listener->setCurrentIndex(index);
}

void ProbePanel::chooseListener(int index) {
    switch (m_listener->itemData(index).toInt()) {
    case OfScene:
        listen(Listening::From::World);
        break;
    case OfCamera:
        listen(Listening::From::Place);
        break;
    case Here:
        listen(Listening::From::Place, "here");
        break;
    default:
        listen(Listening::From::Entity, m_listener->itemText(index).toStdString());
        break;
    }
}

void ProbePanel::fillSounds() {
    const QSignalBlocker quiet(m_sound);
    m_sound->clear();
    // The probe's own first: it is always there.
    const auto add = [this](const ProbeSound& sound, const QString& text) {
        m_sound->addItem(shownLine(text), QVariantList{QString::fromStdString(sound.key.entity), sound.key.index});
    };
    for (const ProbeSound& sound : m_view->sounds)
        if (sound.key.entity.empty())
            add(sound, tr("Probe's own source"));
    for (const ProbeSound& sound : m_view->sounds)
        if (!sound.key.entity.empty())
            add(sound, titleOf(sound));
}

void ProbePanel::fillSignals() {
    const QSignalBlocker quiet(m_signal);
    m_signal->clear();
    m_signal->addItems({tr("Pink noise"), tr("Sweep"), tr("Clicks"), tr("Speech")});
    if (!m_document.isOpen())
        return;
    m_signalsStale = false;
    const QStringList& files = m_soundFiles->files();
    if (!files.isEmpty())
        m_signal->insertSeparator(m_signal->count());
    for (const QString& file : files)
        m_signal->addItem(shownLine(file.mid(file.lastIndexOf(QLatin1Char('/')) + 1)), file);
}

void ProbePanel::fillDevices() {
    m_deviceMenu->clear();
    auto* group = new QActionGroup(m_deviceMenu);
    const std::string chosen = m_view->deviceWanted;
    const auto add = [&](const QString& text, const std::string& id) {
        QAction* action = m_deviceMenu->addAction(text);
        action->setCheckable(true);
        action->setChecked(id == chosen);
        group->addAction(action);
        connect(action, &QAction::triggered, this, [this, id] {
            m_feed.post([id](Session& session) { static_cast<void>(session.sound().device().set(id)); });
        });
    };
    add(tr("The system's choice"), {});
    m_deviceMenu->addSeparator();
    for (const audio::OutputDevice& device : m_view->devices)
        add(QString::fromStdString(device.name) + (device.isDefault ? tr(" (the system's)") : QString()),
            device.id);
    if (m_view->devices.empty())
        m_deviceMenu->addAction(tr("No device is there"))->setEnabled(false);
}

void ProbePanel::fillClients() {
    m_clientMenu->clear();
    auto* group = new QActionGroup(m_clientMenu);
    const auto network = m_feed.frame().network;
    const int clients = network && network->isLocal() ? static_cast<int>(network->peers.size()) : 0;
    for (int client = 0; client <= clients; ++client) {
        QAction* action = m_clientMenu->addAction(client == 0 ? tr("Server") : tr("Client %1").arg(client), this,
                                                  [this, client] { hearAs(client); });
        action->setCheckable(true);
        action->setChecked(client == m_hearsAs);
        group->addAction(action);
    }
}

void ProbePanel::showClients() {
    const auto network = m_feed.frame().network;
    if (!network)
        m_hearsAs = 0;
    // The world that is shown is heard, until the user chooses another.
    else if (std::exchange(m_seesAs, network->viewAs) != network->viewAs)
        m_hearsAs = static_cast<int>(network->viewAs);
    m_client->setVisible(network != nullptr && network->isLocal());
    m_client->setText(m_hearsAs == 0 ? tr("Server") : tr("Client %1").arg(m_hearsAs));
}

void ProbePanel::showBar() {
    showClients();
    for (std::size_t i = 0; i < Modes.size(); ++i)
        m_modes[i]->setChecked(m_view->soundMode == Modes[i]);
    QString head = m_view->hrtf ? QString::fromStdString(m_view->hrtf->name()) : tr("Head");
    if (!m_view->hrtfFile.empty())
        head = QFileInfo(QString::fromStdString(m_view->hrtfFile)).completeBaseName();
    m_quiz->setHead(head);
    m_hrtf->setText(m_hrtf->fontMetrics().elidedText(shownLine(head), Qt::ElideRight, m_narrow ? 60 : 130));
    m_hrtf->setToolTip(m_view->hrtf ? tipText(tr("%2: %1 directions at %3 m. Click to choose another head.")
                                                  .arg(QString::number(m_view->hrtf->directionCount()),
                                                       QString::fromStdString(m_view->hrtf->name()),
                                                       QString::number(m_view->hrtf->distance())))
                                    : QString());
    setTextOnce(*m_cost, tr("%1 %  %2/%3 voices")
                             .arg(static_cast<double>(m_view->totals.load) * 100.0, 4, 'f', 1)
                             .arg(m_view->totals.realVoices)
                             .arg(m_view->budget));
    m_load->add(static_cast<double>(m_view->totals.load), static_cast<double>(m_view->totals.peakLoad),
                m_view->device.underruns);
    m_cost->setToolTip(tr("Time that rendering takes of the time it lasts: %1 %, most expensive block %2 %. Voices: "
                          "%3 heard, %4 virtual, at most %5. "
                          "Limiter %6 dB. Lost commands %7, bad samples %8.")
                           .arg(static_cast<double>(m_view->totals.load) * 100.0, 0, 'f', 1)
                           .arg(static_cast<double>(m_view->totals.peakLoad) * 100.0, 0, 'f', 1)
                           .arg(m_view->totals.realVoices)
                           .arg(m_view->totals.virtualVoices)
                           .arg(m_view->budget)
                           .arg(gainText(static_cast<double>(m_view->totals.limiterGain)))
                           .arg(m_view->totals.droppedCommands)
                           .arg(m_view->totals.badSamples));
    m_load->setToolTip(m_cost->toolTip());
    const audio::OutputStatus& device = m_view->device;
    const bool plays = m_view->deviceOpen && device.state == audio::OutputState::Running;
    QString text = plays ? shownLine(device.device)
                   : m_view->deviceOpen && device.state == audio::OutputState::Lost
                       ? tr("Device lost (measuring only)")
                       : tr("No device (measuring only)");
    if (plays)
        text = (device.underruns == 1 ? tr("%1  %2 kHz  %3 ms  %4 under-run") : tr("%1  %2 kHz  %3 ms  %4 under-runs"))
                   .arg(m_device->fontMetrics().elidedText(text, Qt::ElideRight, 150))
                   .arg(device.sampleRate / 1000.0)
                   .arg(device.latencyMs, 0, 'f', 0)
                   .arg(device.underruns);
    const QString icon = plays ? QStringLiteral("sound") : QStringLiteral("warning");
    if (m_device->property("icon").toString() != icon) {
        m_device->setProperty("icon", icon);
        m_device->setIcon(plays ? m_theme.icon(icon) : m_theme.icon(icon, Token::Warning));
    }
    if (m_device->text() != text)
        m_device->setText(text);
    const QString tip = !device.message.empty() ? shownText(device.message)
                        : plays ? tr("The device that plays; click to choose another.\naudio.latency asks "
                                     "for %1 ms, the device gives a "
                                     "buffer of %2 ms.")
                                      .arg(device.askedMs, 0, 'f', 0)
                                      .arg(device.latencyMs, 0, 'f', 0)
                                : tr("The device that plays; click to choose another");
    m_device->setToolTip(tipText(m_narrow ? text + QLatin1Char('\n') + tip : tip));
}

void ProbePanel::showHands() {
    const ProbeSound* sound = currentSound();
    const bool own = m_current.entity.empty();
    for (int i = 0; i < m_sound->count(); ++i) {
        const QVariantList key = m_sound->itemData(i).toList();
        if (key.size() == 2 && key[0].toString().toStdString() == m_current.entity
            && key[1].toInt() == m_current.index && m_sound->currentIndex() != i
            && !m_sound->view()->isVisible())
            m_sound->setCurrentIndex(i);
    }
    m_sourceRow->setVisible(own);
    m_note->setVisible(!m_low || !own); // of an entity's sound the room of the source's row is free
    if (sound == nullptr)
        return;
    if (!m_place->isDragging() || !own) {
        const auto show = [](NumberField& field, double value) {
            if (!field.isScrubbing() && !field.hasFocus())
                field.setValue(value);
        };
        show(*m_azimuth, sound->place.azimuth / Degree);
        show(*m_elevation, sound->place.elevation / Degree);
        show(*m_distance, sound->place.distance);
    }
    const QString lock = m_edits.moveLock(*sound);
    for (NumberField* field : {m_azimuth, m_elevation, m_distance})
        field->setEnabled(lock.isEmpty());
    const bool endless = sound->length_s <= 0.0;
    m_seek->setEnabled(!own && !endless && sound->fault.empty());
    m_loop->setEnabled(!own && !endless);
    m_play->setEnabled(m_view->ready && (own || sound->fault.empty()));
    m_stop->setEnabled(sound->tried);
    m_loop->setChecked(own || m_loops);
    if (!m_seek->isSliderDown())
        m_seek->setValue(endless || !sound->tried ? 0
                                                  : static_cast<int>(std::lround(
                                                      sound->position_s / sound->length_s * SeekSteps)));
    setTextOnce(*m_time, endless || own ? QString() // it goes on and on
                                 : tr("%1/%2 s")
                                       .arg(sound->tried ? sound->position_s : 0.0, 0, 'f', 1)
                                       .arg(sound->length_s, 0, 'f', 1));
    if (!m_signal->view()->isVisible()) {
        if (m_signalsStale)
            fillSignals();
        const int file =
            m_source.file.empty() ? -1 : m_signal->findData(QString::fromStdString(m_source.file));
        m_signal->setCurrentIndex(file >= 0 ? file : static_cast<int>(m_source.signal));
    }
    if (!m_path->view()->isVisible())
        m_path->setCurrentIndex(static_cast<int>(m_source.path));
    if (!m_speed->hasFocus() && !m_speed->isScrubbing())
        m_speed->setValue(static_cast<double>(m_source.speed));
    m_speed->setEnabled(m_source.path != ProbeSource::Path::Still);
    // What a person would wonder about.
    const bool behind = lock.isEmpty() && !m_view->held && !own && sound->fault.empty() && m_view->occlusion && sound->hidden;
    QString note = !lock.isEmpty()               ? lock
                   : m_view->held                ? tr("Paused: sound stands still with the world.")
                   : own && sound->fault.empty() ? tr("Arrows 1°, Shift 10°; wheel: elevation; F: fly-by.")
                   : !sound->fault.empty()
                       ? tr("Cannot be played: %1").arg(QString::fromStdString(sound->fault))
                   : !m_view->occlusion ? tr("Occlusion is off: taken for open.")
                   : behind             ? tr("Behind %1.").arg(QString::fromStdString(sound->obstacle))
                                        : tr("Nothing between it and the listener.");
    QString html = behind ? tr("Behind <a href=\"%1\">%1</a>.").arg(htmlText(sound->obstacle)) : htmlText(note);
    if (lock.isEmpty() && !m_view->held && !own && sound->fault.empty() && !m_view->room) {
        const QString open = QLatin1Char(' ') + tr("No Room around the listener: heard as in the open.");
        note += open;
        html += open;
    }
    setTextOnce(*m_note, html);
    m_sound->setToolTip(m_low ? tipText(note) : tr("The sound that is moved, played and shown"));
    m_note->setToolTip(sound->hidden && !own ? tr("Click to select what is in the way") : tipText(note));
}

void ProbePanel::showVoices() {
    // A row under the pointer is about to be clicked: until the pointer has left, no row is removed or moved.
    const bool hold = m_table->viewport()->underMouse();
    if (const std::uint64_t run = m_view->run; std::exchange(m_run, run) != run)
        m_voices->forgetMessages();
    m_voices->setView(m_view, qint64{m_beats} * BeatMs, hold);
    if (!hold) {
        if (m_heardOnly->isChecked()) {
            const int before = m_proxy->rowCount();
            m_proxy->refilter();
            m_sortDue = m_sortDue || m_proxy->rowCount() != before;
        }
        if (std::exchange(m_sortDue, false))
            m_proxy->sort(m_proxy->sortColumn(), m_proxy->sortOrder());
    }
    countVoices();
    const int row = m_voices->rowOf(m_current);
    const QModelIndex index = row >= 0 ? m_proxy->mapFromSource(m_voices->index(row, 0)) : QModelIndex();
    const QModelIndex now = m_table->currentIndex();
    const bool right = now.isValid() && m_voices->keyAt(m_proxy->mapToSource(now).row()) == m_current;
    if (!right) {
        if (index.isValid())
            m_table->selectRow(index.row());
        else
            m_table->clearSelection();
    }
    m_why->setSound(*m_view, currentSound());
}

void ProbePanel::countVoices() {
    m_filter->setCounts(m_proxy->rowCount(), m_voices->rowCount());
    m_noMatch->setEmpty(m_proxy->rowCount() == 0);
    m_noSound->setEmpty(m_voices->rowCount() == 0);
    m_create->setVisible(m_narrow && m_voices->rowCount() == 0);
}

void ProbePanel::showVoiceMenu(const QPoint& at) {
    const QModelIndex index = m_table->indexAt(at);
    if (!index.isValid())
        return;
    const SoundKey key = m_voices->keyAt(m_proxy->mapToSource(index).row());
    const ProbeSound* const sound = m_view->find(key);
    const bool own = key.entity.empty(); // the probe's: nobody else starts it
    const QString component = sound != nullptr ? QString::fromStdString(sound->component) : QString();
    auto* const menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("probe.voiceMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    QAction* plays = menu->addAction(m_theme.icon(QStringLiteral("help")), tr("Why does it play?…"), this,
                                     [this, key] { emit whyPlaysAsked(key); });
    plays->setObjectName(QStringLiteral("probe.whyPlays"));
    plays->setEnabled(!own);
    QAction* silent = menu->addAction(tr("Why did it not play?…"), this,
                                      [this, entity = QString::fromStdString(key.entity), component] {
                                          emit whyNotAsked(entity, component);
                                      });
    silent->setObjectName(QStringLiteral("probe.whyNot"));
    silent->setEnabled(!own && !component.isEmpty());
    menu->popup(m_table->viewport()->mapToGlobal(at));
}

} // namespace sbx::ui
