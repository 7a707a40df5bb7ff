#include "widgets/probe/probe_panel.h"

#include <QAction>
#include <QComboBox>
#include <QDir>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QMimeData>
#include <QSlider>
#include <QStyle>
#include <QTableView>
#include <QTabWidget>
#include <QThreadPool>
#include <QToolButton>

#include "engine/audio/loudness_match.h"
#include "widgets/common/action_registry.h"
#include "widgets/common/asset_drag.h"
#include "widgets/common/document.h"
#include "widgets/common/empty_state.h"
#include "widgets/common/file_dialog.h"
#include "widgets/common/foreign_text.h"
#include "widgets/common/number_field.h"
#include "widgets/common/selection.h"
#include "widgets/common/session_feed.h"
#include "widgets/common/sound_transport.h"
#include "widgets/common/theme.h"
#include "widgets/probe/curve_view.h"
#include "widgets/probe/place_view.h"
#include "widgets/probe/probe_panel_shared.h"
#include "widgets/probe/voice_model.h"
#include "widgets/probe/why_view.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace sbx::ui {

namespace {

constexpr std::size_t MeasuredFrames = 16384; // a third of a second: delays to some microseconds
constexpr std::size_t WaveFrames = 2400;
// Of the probe's own source: 30° to the right.
constexpr HeadPlace FirstPlace = {std::numbers::pi / 6.0, 0.0, 2.0};
const QString Source = QStringLiteral("probe");

} // namespace

ProbePanel::~ProbePanel() {
    stopRecording();
    m_probe->leave();
    QThreadPool::globalInstance()->waitForDone(); // what is being read comes back here
}

void ProbePanel::addActions(ActionRegistry& registry) {
    const auto ready = [this] { return m_view->ready; };
    const auto chosen = [this] { return m_view->ready && currentSound() != nullptr; };
    const auto add = [&](const char* id, const QString& text, const QString& icon, Qt::Key key,
                         const QString& doc, auto run, std::function<bool()> enabled) {
        registry.add({.id = QLatin1String(id),
                      .text = text,
                      .menu = tr("Tools/Audio probe"),
                      .icon = icon,
                      .shortcuts = {QKeySequence(key)},
                      .context = objectName(),
                      .doc = doc,
                      .run = [run](bool) { run(); },
                      .enabled = std::move(enabled)});
    };
    add(
        "probe.play", tr("Play here"), QStringLiteral("play"), Qt::Key_P,
        tr("Hear the chosen sound where it is, without running the world"), [this] { playCurrent(); },
        chosen);
    add(
        "probe.mute", tr("Mute"), {}, Qt::Key_M, tr("Silence the chosen sound"), [this] { toggleMuted(); },
        chosen);
    add(
        "probe.solo", tr("Solo"), {}, Qt::Key_S, tr("Silence all other sounds"), [this] { toggleSolo(); },
        chosen);
    add(
        "probe.ab", tr("Binaural or the other"), {}, Qt::Key_B,
        tr("Switch between binaural and what it is compared with, equally loud"), [this] { toggleMode(); },
        ready);
    add(
        "probe.flyBy", tr("Fly-by"), {}, Qt::Key_F, tr("Let the probe's source fly past the head"),
        [this] { startFlyBy(); }, ready);
    add(
        "probe.record", tr("Record to a WAV file…"), QStringLiteral("record"), Qt::Key_R,
        tr("Write what is heard; again: end it"), [this] { isRecording() ? stopRecording() : record(); },
        ready);
    registry.attach(*this, objectName());
    m_actions = &registry;
    registry.add({.id = QStringLiteral("probe.listenHere"),
                  .text = tr("Listen from here"),
                  .menu = tr("Tools/Audio probe#1"),
                  .icon = QStringLiteral("sound"),
                  .doc = tr("Hear through the selected entity's ears"),
                  .run = [this](bool) { listen(Listening::From::Entity, m_selection.primary()); },
                  .enabled = [this] { return !m_selection.primary().empty(); }});
}

void ProbePanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    wake();
}

void ProbePanel::wake() {
    if (!m_timer.isActive())
        m_timer.start(BeatMs);
}

void ProbePanel::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    if (!busy()) {
        m_timer.stop();
        m_probe->leave();
    }
}

bool ProbePanel::busy() const {
    return isRecording() || m_source.on || m_listening.from != Listening::From::World
           || std::any_of(m_view->sounds.begin(), m_view->sounds.end(),
                          [](const ProbeSound& sound) { return sound.tried; });
}

void ProbePanel::beat() {
    if (!isSeen() && !busy()) {
        m_timer.stop();
        m_probe->leave();
        return;
    }
    refresh();
}

void ProbePanel::refresh() {
    if (m_listensByCamera && m_camera)
        m_listening.pose = m_camera();
    m_probe->ask(m_listening);
    const std::shared_ptr<const ProbeView> view = m_probe->view();
    if (view->serial != m_view->serial)
        present(view);
    drainRecording();
}

void ProbePanel::present(const std::shared_ptr<const ProbeView>& view) {
    const bool sameSounds = std::equal(view->sounds.begin(), view->sounds.end(), m_view->sounds.begin(),
                                       m_view->sounds.end(), [](const ProbeSound& a, const ProbeSound& b) {
                                           return a.key == b.key && a.name == b.name && a.source == b.source;
                                       });
    m_view = view;
    ++m_beats;
    if (view->hrtf && !m_firstHrtf)
        m_firstHrtf = view->hrtf;
    if (view->hrtf && view->hrtf != m_matched)
        matchLoudness();
    if (view->pathDone && m_source.path == ProbeSource::Path::FlyBy)
        setSource(m_afterPath);
    m_switch->setEmpty(!view->ready);
    if (!sameSounds || m_sound->count() == 0) {
        fillSounds();
        // What is selected may have come later than the selection.
        if (const SoundKey selected{m_selection.primary(), 0}; m_current.entity.empty() && !m_source.on
                                                               && !selected.entity.empty() && view->find(selected) != nullptr)
            setCurrent(selected, false);
    }
    if (currentSound() == nullptr)
        setCurrent(view->sounds.empty() ? SoundKey{} : view->sounds.front().key, false);
    showMessage();
    m_place->setView(view);
    keepToListener();
    showHands();
    measure();
    // Tables and texts are read, not watched.
    if (m_beats % 3 == 0 || !sameSounds) {
        showBar();
        showVoices();
    }
    const ProbeSound* sound = currentSound();
    const std::pair possible = {view->ready, sound != nullptr};
    if (std::exchange(m_possible, possible) != possible && m_actions != nullptr)
        m_actions->refresh(); // a key does nothing while its action is off
    if (!m_curve->isDragging())
        m_curve->setSound(sound, sound != nullptr ? view->stateOf(m_current) : nullptr,
                          sound != nullptr ? m_edits.settingLock(*sound) : QString());
    showResponse();
    emit viewChanged();
}

// --------------------------------------------------------------------------------------------- what is heard

void ProbePanel::measure() {
    const audio::Frame heard = m_probe->heard();
    const auto fresh = static_cast<std::size_t>(
        std::clamp<audio::Frame>(heard - m_measuredAt, 0, static_cast<audio::Frame>(MeasuredFrames)));
    m_measuredAt = heard;
    if (fresh == 0)
        return;
    const double elapsed = static_cast<double>(fresh) / m_view->sampleRate;
    std::vector<float> samples(MeasuredFrames * 2);
    if (!m_probe->newest(samples))
        return;
    const std::span<const float> all(samples);
    std::array<float, 2> peak{};
    std::array<double, 2> square{};
    for (std::size_t n = MeasuredFrames - fresh; n < MeasuredFrames; ++n)
        for (std::size_t ear = 0; ear < 2; ++ear) {
            peak[ear] = std::max(peak[ear], std::abs(samples[n * 2 + ear]));
            square[ear] +=
                static_cast<double>(samples[n * 2 + ear]) * static_cast<double>(samples[n * 2 + ear]);
        }
    m_meters->setLimiter(m_view->totals.limiterOn, m_view->totals.limiterGain, elapsed);
    m_meters->setLevels(peak,
                        {static_cast<float>(std::sqrt(square[0] / static_cast<double>(fresh))),
                         static_cast<float>(std::sqrt(square[1] / static_cast<double>(fresh)))},
                        elapsed);
    m_wave->setSamples(
        std::vector<float>(samples.end() - static_cast<std::ptrdiff_t>(WaveFrames * 2), samples.end()),
        m_view->sampleRate);
    m_spectrumMeter.feed(all.last(audio::EarSpectrum::Size * 2), elapsed);
    m_spectrum->setCurves(m_spectrumMeter.decibels()[0], m_spectrumMeter.decibels()[1]);
    if (m_beats % 4 != 0)
        return;
    const audio::BinauralReading reading = audio::measureBinaural(samples, m_view->sampleRate);
    FiguresView::Figures figures;
    constexpr float Quiet = 1e-5F; // -100 dB
    figures.any = std::max(reading.rms[0], reading.rms[1]) > Quiet;
    if (figures.any) {
        figures.certainty = static_cast<double>(reading.itdCertainty);
        if (reading.itdCertainty > 0.3F)
            figures.itd = static_cast<double>(reading.itd);
        float loudest = -200.0F;
        std::array<double, 2> power{};
        for (const auto& level : reading.bandLevel) {
            loudest = std::max({loudest, level[0], level[1]});
            for (std::size_t ear = 0; ear < 2; ++ear)
                power[ear] += std::pow(10.0, static_cast<double>(level[ear]) / 10.0);
        }
        // Far below the loudest band there is only what leaks from it.
        for (std::size_t band = 0; band < reading.ild.size(); ++band)
            if (std::max(reading.bandLevel[band][0], reading.bandLevel[band][1]) > loudest - 70.0F)
                figures.bands[band] = static_cast<double>(reading.ild[band]);
        if (power[0] > 0.0 && power[1] > 0.0)
            figures.ild = 10.0 * std::log10(power[1] / power[0]);
    }
    if (const audio::SourceState* state = m_view->stateOf(m_current); state != nullptr && state->playing) {
        figures.delay = static_cast<double>(state->delay);
        figures.doppler = static_cast<double>(state->dopplerRatio);
    }
    m_figures->setFigures(figures);
}

void ProbePanel::keepToListener() {
    const Vec3 position = fromHeadPlace(m_view->ear, FirstPlace);
    if (m_placed || position == m_source.position)
        return;
    m_source.position = position;
    m_probe->setSource(m_source);
}

void ProbePanel::showResponse() {
    const ProbeSound* sound = currentSound();
    if (sound == nullptr || !m_view->hrtf || !m_response->isVisible())
        return;
    const bool still = m_shownHrtf == m_view->hrtf
                       && std::abs(sound->place.azimuth - m_shownPlace.azimuth) < 0.005
                       && std::abs(sound->place.elevation - m_shownPlace.elevation) < 0.005;
    if (still)
        return;
    m_shownHrtf = m_view->hrtf;
    m_shownPlace = sound->place;
    const audio::HrtfSet& set = *m_view->hrtf;
    const Vec3 to = fromHeadPlace(Pose{}, {sound->place.azimuth, sound->place.elevation, 1.0});
    int face = 0;
    const audio::DirectionWeights weights = set.locate(to, face);
    std::array<std::vector<float>, 2> curves;
    for (int ear = 0; ear < 2; ++ear) {
        // As the renderer does it: the three directions around, mixed.
        std::vector<double> response(audio::HrtfSet::Taps, 0.0);
        for (std::size_t i = 0; i < 3; ++i) {
            const std::vector<double> one = set.response(static_cast<std::size_t>(weights.index[i]), ear);
            for (std::size_t n = 0; n < response.size() && n < one.size(); ++n)
                response[n] += static_cast<double>(weights.weight[i]) * one[n];
        }
        for (std::size_t point = 0; point < audio::EarSpectrum::Points; ++point) {
            const double turn =
                2.0 * std::numbers::pi * audio::EarSpectrum::frequencyOf(point) / set.sampleRate();
            std::complex<double> sum;
            for (std::size_t n = 0; n < response.size(); ++n)
                sum += response[n] * std::polar(1.0, -turn * static_cast<double>(n));
            curves[static_cast<std::size_t>(ear)].push_back(
                static_cast<float>(20.0 * std::log10(std::max(std::abs(sum), 1e-9))));
        }
    }
    m_response->setCurves(std::move(curves[0]), std::move(curves[1]));
    const auto micro = [](float seconds) { return numberText(static_cast<double>(seconds) * 1e6, 0); };
    m_response->setTitle(tr("%1 at %2, %3; ITD %4 µs, below 1.5 kHz %5 µs")
                             .arg(QString::fromStdString(set.name()), angleText(sound->place.azimuth),
                                  angleText(sound->place.elevation), micro(set.itd(to)),
                                  micro(audio::measuredItd(set, to))));
    m_response->setToolTip(
        tr("What the head does to this direction. Its delay between the ears is %1 µs at high frequencies; "
           "between 100 and "
           "1500 Hz, where the meters measure, its filters add to it: %2 µs for a signal of even spectrum.")
            .arg(micro(set.itd(to)), micro(audio::measuredItd(set, to))));
}

// ------------------------------------------------------------------------------------------------ commands

void ProbePanel::execute(const std::string& line) {
    m_feed.post([line](Session& session) { session.execute(line); });
}

void ProbePanel::say(const QString& text, bool fault) {
    m_said->setText(shownText(text));
    setTextToken(*m_said, m_theme, fault ? Token::Error : Token::Muted);
    m_line->setVisible(!text.isEmpty());
    placeLine();
    if (fault && !text.isEmpty())
        emit problem(text);
}

void ProbePanel::setCurrent(const SoundKey& key, bool select) {
    const bool another = key != m_current;
    m_current = key;
    // A sound that is tried out plays as it is defined: one that loops does, until the user switches that off.
    if (const ProbeSound* sound = currentSound(); sound != nullptr && another)
        m_loops = sound->tried ? sound->loop : sound->loops;
    m_place->setCurrent(key);
    if (select && !key.entity.empty() && m_selection.primary() != key.entity)
        m_selection.setEntity(key.entity, Source);
    showHands();
    showVoices();
}

void ProbePanel::pick(int row) {
    const SoundKey key = m_voices->keyAt(row);
    const std::uint64_t message = m_voices->messageAt(row);
    if (message != 0 && message != m_message && !key.entity.empty()) {
        m_selection.setTraceAndEntity(message, key.entity, Source);
        m_messageSought = false; // its voice is this one, whichever else it started
    }
    setCurrent(key);
}

void ProbePanel::followMessage(std::uint64_t sequence) {
    if (std::exchange(m_message, sequence) == sequence)
        return;
    m_messageSought = sequence != 0;
    m_voices->setMessage(sequence);
    showMessage();
}

// Once: whoever chooses another sound afterwards keeps it.
void ProbePanel::showMessage() {
    if (!m_messageSought)
        return;
    const auto voice = std::find_if(m_view->voices.begin(), m_view->voices.end(),
                                    [this](const ProbeVoice& each) { return each.start.sequence == m_message; });
    if (voice == m_view->voices.end())
        return;
    m_messageSought = false;
    setCurrent(m_view->sounds[voice->sound].key, false);
}

void ProbePanel::listen(Listening::From from, const std::string& entity) {
    m_listensByCamera = from == Listening::From::Place && m_camera && entity.empty();
    m_listening = {from, from == Listening::From::Entity ? entity : std::string(), m_view->ear};
    if (m_listensByCamera)
        m_listening.pose = m_camera();
    wake();
    fillListeners();
    refresh();
}

void ProbePanel::hearAs(int client) {
    m_hearsAs = client;
    execute(client > 0 ? "audio.hear " + std::to_string(client) : std::string("audio.hear"));
    wake();
    showClients();
}

void ProbePanel::setMode(audio::Mode mode) {
    static constexpr const char* Names[] = {"hrtf", "sphere", "plain", "pan", "mono"};
    if (mode != audio::Mode::Hrtf)
        m_other = mode;
    execute(std::string("audio.mode ") + Names[static_cast<std::size_t>(mode)]);
}

void ProbePanel::toggleMode() {
    setMode(m_view->soundMode == audio::Mode::Hrtf ? m_other : audio::Mode::Hrtf);
}

void ProbePanel::dragEnterEvent(QDragEnterEvent* event) {
    // Anything but a sound leaves the pointer as one that may not drop here.
    if (namesSoundFile(assetOf(event->mimeData())))
        event->acceptProposedAction();
}

void ProbePanel::dropEvent(QDropEvent* event) {
    const QString asset = assetOf(event->mimeData());
    if (!namesSoundFile(asset))
        return;
    event->setDropAction(Qt::CopyAction);
    event->accept();
    ProbeSource source = m_source;
    source.file = asset.toStdString();
    source.on = true;
    setSource(source);
}

void ProbePanel::setSource(const ProbeSource& source) {
    m_placed = m_placed || source.on || source.position != m_source.position;
    m_source = source;
    m_probe->setSource(source);
    if (source.on)
        wake();
    showHands();
}

void ProbePanel::playCurrent() {
    if (m_current.entity.empty()) {
        keepToListener();
        ProbeSource source = m_source;
        source.on = true;
        ++source.start;
        setSource(source);
        return;
    }
    if (const ProbeSound* sound = currentSound(); sound != nullptr && !sound->fault.empty()) {
        say(tr("%1 cannot be played: %2").arg(titleOf(*sound), QString::fromStdString(sound->fault)));
        return;
    }
    say({});
    m_probe->play(m_current, m_loops);
}

void ProbePanel::stopCurrent() {
    if (!m_current.entity.empty()) {
        m_probe->stop(m_current);
        return;
    }
    ProbeSource source = m_source;
    source.on = false;
    if (source.path == ProbeSource::Path::FlyBy)
        source.path = ProbeSource::Path::Still;
    setSource(source);
}

void ProbePanel::toggleMuted() {
    if (const ProbeSound* sound = currentSound())
        m_probe->setMuted(m_current, !sound->muted);
}

void ProbePanel::toggleSolo() {
    if (const ProbeSound* sound = currentSound())
        m_probe->setSolo(m_current, !sound->solo);
}

void ProbePanel::startFlyBy() {
    ProbeSource source = m_source;
    if (source.path != ProbeSource::Path::FlyBy) {
        m_afterPath = source;
        if (!m_placed)
            source.position = fromHeadPlace(m_view->ear, {0.0, 0.0, FirstPlace.distance});
        m_afterPath.position = source.position;
        source.speed = std::max(source.speed, 20.0F);
    }
    source.path = ProbeSource::Path::FlyBy;
    source.on = true;
    ++source.start;
    m_afterPath.start = source.start + 1;
    setCurrent({});
    setSource(source);
}

void ProbePanel::setField(const QString& field, double value, bool committed) {
    const ProbeSound* sound = currentSound();
    if (sound == nullptr)
        return;
    if (const Result<void> done = m_edits.set(*sound, field.toStdString(), value, committed); !done)
        say(QString::fromStdString(done.error().message));
}

void ProbePanel::move(const SoundKey& key, const HeadPlace& place, bool committed) {
    const Vec3 position = fromHeadPlace(m_view->ear, place);
    if (key.entity.empty()) {
        ProbeSource source = m_source;
        source.position = position;
        setSource(source);
        return;
    }
    const ProbeSound* sound = m_view->find(key);
    if (sound == nullptr)
        return;
    if (const Result<void> done = m_edits.move(*sound, position, committed); !done)
        say(QString::fromStdString(done.error().message));
    else if (m_line->isVisible())
        say({});
}

void ProbePanel::fix(HearingStep::What what) {
    const ProbeSound* sound = currentSound();
    if (sound == nullptr)
        return;
    const audio::SourceState* state = m_view->stateOf(m_current);
    switch (what) {
    case HearingStep::What::Played:
        playCurrent();
        break;
    case HearingStep::What::VoiceLimit:
        setField(QStringLiteral("priority"), static_cast<double>(sound->settings.priority) + 10.0, true);
        break;
    case HearingStep::What::Distance:
        if (sound->settings.distanceModel == audio::DistanceModel::Linear)
            setField(QStringLiteral("maximum"), std::ceil(sound->place.distance * 1.5), true);
        else
            setField(QStringLiteral("reference"), std::ceil(sound->place.distance * 0.25), true);
        break;
    case HearingStep::What::Cone:
        setField(QStringLiteral("coneOuter"), 360.0, true);
        setField(QStringLiteral("coneInner"), 360.0, true);
        break;
    case HearingStep::What::Occlusion:
        execute("audio.occlusion 0");
        break;
    case HearingStep::What::Bus:
        // A sound that is silenced itself is so at any volume.
        if (const bool silenced = sound->muted || (state != nullptr && state->mute);
            m_view->volume <= 0.0F || (m_view->volume < 0.1F && !silenced))
            execute("audio.volume 1");
        else if (sound->muted)
            m_probe->setMuted(m_current, false);
        else if (state != nullptr && state->mute)
            for (const ProbeSound& each : m_view->sounds)
                if (each.solo)
                    m_probe->setSolo(each.key, false);
        break;
    case HearingStep::What::Device:
        m_feed.post([](Session& session) { static_cast<void>(session.sound().device().set(std::string())); });
        break;
    }
}

// -------------------------------------------------------------------------------------------------- the head

void ProbePanel::soundFrom(double degrees) {
    ProbeSource source = m_source;
    source.on = true;
    source.signal = audio::TestSignal::PinkNoise;
    source.file.clear();
    source.path = ProbeSource::Path::Still;
    source.position = fromHeadPlace(m_view->ear, {degrees * std::numbers::pi / 180.0, 0.0, 1.5});
    ++source.start;
    setSource(source);
}

void ProbePanel::loadHrtf(const QString& file) {
    say(tr("Reading %1…").arg(QFileInfo(file).fileName()), false);
    m_hrtf->setEnabled(false);
    const double rate = m_view->sampleRate;
    QThreadPool::globalInstance()->start([this, file, rate] {
        auto set = audio::HrtfSet::load(file.toStdString(), rate);
        QMetaObject::invokeMethod(
            this,
            [this, file, set = std::move(set)] {
                m_hrtf->setEnabled(true);
                if (!set) {
                    say(QString::fromStdString(set.error().toString()));
                    return;
                }
                say({});
                useHrtf(*set, file);
            },
            Qt::QueuedConnection);
    });
}

void ProbePanel::useHrtf(std::shared_ptr<const audio::HrtfSet> set, const QString& file) {
    m_probe->setHrtf(std::move(set), file.toStdString());
}

void ProbePanel::matchLoudness() {
    m_matched = m_view->hrtf;
    QThreadPool::globalInstance()->start([this, set = m_matched] {
        const std::array<float, 5> trims = audio::loudnessTrims(set);
        QMetaObject::invokeMethod(
            this,
            [this, set, trims] {
                if (set == m_matched)
                    m_probe->setTrims(trims);
            },
            Qt::QueuedConnection);
    });
}

// ------------------------------------------------------------------------------------------------- recording

void ProbePanel::record(const QString& wanted) {
    if (isRecording())
        return;
    QString file = wanted;
    if (file.isEmpty())
        file =
            fileToSave(this, tr("Record what is heard"),
                       QDir(m_document.folder()).filePath(QStringLiteral("heard.wav")), tr("Sound (*.wav)"));
    if (file.isEmpty())
        return;
    auto writer = audio::WavWriter::create(file.toStdString(), m_view->sampleRate);
    if (!writer) {
        say(QString::fromStdString(writer.error().toString()));
        return;
    }
    m_writer = std::move(*writer);
    m_recordFile = file;
    m_recordedFrames = 0;
    m_loudness.emplace(m_view->sampleRate);
    m_probe->record(true);
    m_record->setChecked(true);
    say(tr("Recording to %1").arg(QFileInfo(file).fileName()), false);
}

void ProbePanel::drainRecording() {
    if (!m_writer)
        return;
    std::uint64_t missed = 0;
    const std::vector<float> samples = m_probe->takeRecorded(missed);
    if (samples.empty())
        return;
    m_loudness->add(samples);
    m_recordedFrames += static_cast<audio::Frame>(samples.size() / 2);
    const Result<void> written = m_writer->write(samples);
    if (!written || missed > 0) {
        const QString why = written ? tr("the computer was too busy, %1 frames are missing").arg(missed)
                                    : QString::fromStdString(written.error().toString());
        stopRecording();
        say(tr("The recording ended: %1").arg(why));
        return;
    }
    const double seconds = static_cast<double>(m_recordedFrames) / m_view->sampleRate;
    const auto loudness = m_loudness->momentary();
    say(tr("Recording to %1: %2 s, %3 LUFS")
            .arg(QFileInfo(m_recordFile).fileName(), QString::number(seconds, 'f', 1),
                 loudness ? decibelText(*loudness) : QStringLiteral("–")),
        false);
}

void ProbePanel::stopRecording() {
    if (!m_writer)
        return;
    std::uint64_t missed = 0;
    const std::vector<float> rest = m_probe->takeRecorded(missed);
    m_probe->record(false);
    m_loudness->add(rest);
    m_recordedFrames += static_cast<audio::Frame>(rest.size() / 2);
    Result<void> done = m_writer->write(rest);
    if (done)
        done = m_writer->close();
    if (done)
        done = audio::addMarks(m_recordFile.toStdString(), m_probe->recordedMarks(), m_recordedFrames);
    m_writer.reset();
    m_record->setChecked(false);
    if (!done) {
        say(QString::fromStdString(done.error().toString()));
        return;
    }
    const auto loudness = m_loudness->integrated();
    say(tr("%1: %2 s, %3 LUFS, peak %4 dB")
            .arg(QFileInfo(m_recordFile).fileName(),
                 QString::number(static_cast<double>(m_recordedFrames) / m_view->sampleRate, 'f', 1),
                 loudness ? decibelText(*loudness) : QStringLiteral("–"),
                 gainText(static_cast<double>(m_loudness->peak()))),
        false);
}

} // namespace sbx::ui

#include "moc_probe_panel.cpp"
