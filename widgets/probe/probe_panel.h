#pragma once
// The audio probe: where each sound is and how it is heard, by the renderer's own output. Puts together the picture of the places, the
// voice list, the curve, the head's response, the checklist and the meters; edits go through the document.
//
// Data flow: a timer asks the SoundProbe, which answers from the session's thread; each answer goes to all parts. Nothing is shown
// that does not come from there or from the samples that left the renderer. GUI thread; parent owns it; feed, selection, document
// and theme outlive it.

#include <QPointer>
#include <QTimer>
#include <QWidget>

#include "engine/audio/ear_spectrum.h"
#include "engine/audio/loudness_meter.h"
#include "engine/audio/sound_file.h"
#include "engine/probe/sound_probe.h"
#include "widgets/probe/ear_meters.h"
#include "widgets/probe/sound_edits.h"
#include "widgets/probe/voice_text.h"

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

class QBoxLayout;
class QComboBox;
class QGridLayout;
class QHBoxLayout;
class QLabel;
class QMenu;
class QSlider;
class QSplitter;
class QTabWidget;
class QTableView;
class QToolButton;

namespace sbx::ui {

class ActionRegistry;
class CurveView;
class Document;
class EmptyState;
class EmptySwitch;
class FilterBar;
class HeadQuiz;
class LoadView;
class NumberField;
class PlaceView;
class Selection;
class SessionFeed;
class SoundFiles;
class Theme;
class VoiceModel;
class VoiceProxy;
class WhyView;

// "Binaural": what people call it.
[[nodiscard]] QString modeName(audio::Mode mode);

class ProbePanel : public QWidget {
    Q_OBJECT

public:
    ProbePanel(const Theme& theme, SessionFeed& feed, Selection& selection, Document& document,
               QWidget* parent = nullptr);
    ~ProbePanel() override;

    // "probe.ab" (B), "probe.mute" (M), "probe.solo" (S), "probe.record" (R), "probe.flyBy" (F), "probe.play" (P), and
    // "probe.listenHere", which is the whole window's. Call once.
    void addActions(ActionRegistry& registry);
    // What the panel offers while no sound is in the scene.
    void setCreateAction(QAction* create);
    // Where the editor's camera is.
    void setCamera(std::function<Pose()> camera) { m_camera = std::move(camera); }

    // The newest answer; never null.
    [[nodiscard]] const std::shared_ptr<const ProbeView>& view() const { return m_view; }
    [[nodiscard]] const SoundKey& current() const { return m_current; }
    void setCurrent(const SoundKey& key, bool select = true);
    // The message that is selected: the voice that it started is lit, and its sound becomes the current one when it is seen first. 0: none.
    void followMessage(std::uint64_t sequence);
    // Which ear is used. The entity is Listening's.
    void listen(Listening::From from, const std::string& entity = {});
    // The world of a client of this session, from 1, as it reaches that client; 0: the server's. The ear stays.
    void hearAs(int client);
    [[nodiscard]] int heardClient() const { return m_hearsAs; }
    void setMode(audio::Mode mode);
    void toggleMode();
    [[nodiscard]] audio::Mode mode() const { return m_view->soundMode; }
    void playCurrent();
    void stopCurrent();
    void toggleMuted();
    void toggleSolo();
    void startFlyBy();
    void loadHrtf(const QString& file);
    // Without a file it asks for one.
    void record(const QString& file = {});
    void stopRecording();
    [[nodiscard]] bool isRecording() const { return m_writer != nullptr; }
    [[nodiscard]] const ProbeSource& source() const { return m_source; }
    void setSource(const ProbeSource& source);
    [[nodiscard]] SoundProbe& probe() { return *m_probe; }
    // It can be seen: behind the tab of another panel it counts as shown, but is not.
    [[nodiscard]] bool isSeen() const { return isVisible() && !visibleRegion().isEmpty(); }
    // It may be seen again.
    void wake();
    // Asks and shows now, not at the next beat.
    void refresh();
    // A handle in the viewport was dragged, or one of the curve: the same value.
    void setField(const QString& field, double value, bool committed);

signals:
    void problem(const QString& text);
    void entityActivated();
    // What started the plays of this sound.
    void whyPlaysAsked(const sbx::SoundKey& sound);
    // Why the component of that sound did not act: "Sound", "Sound#2".
    void whyNotAsked(const QString& entity, const QString& component);
    // A new answer was shown.
    void viewChanged();

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    // A sound file of the project: the probe's own source plays it.
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    QWidget* makeBar();
    QWidget* makeHands();
    QWidget* makeMeters();
    QWidget* makeTabs();
    QToolButton* button(const QString& name, const QString& icon, const QString& text, const QString& tip);
    void connectParts();
    void showVoiceMenu(const QPoint& at);
    // A row of the voices: selects its entity and the message that started it.
    void pick(int row);
    // In a narrow place the places and the meters are tabs among the others, and the bar says less. In a low one waveform and
    // spectrum are a tab, the hands take fewer rows, and the filter of the voices stands in the bar.
    void arrange(bool narrow, bool low);
    void setNarrow(bool narrow);
    void setLow(bool low);
    void placeLine();
    void beat();
    void present(const std::shared_ptr<const ProbeView>& view);
    void showBar();
    void showHands();
    void showVoices();
    void showMessage();
    void countVoices();
    void showResponse();
    // Until it is moved, the probe's own source is where its direction is easily recognised: ahead, a little to the right.
    void keepToListener();
    void measure();
    void fillListeners();
    void fillSounds();
    void fillDevices();
    void fillSignals();
    void fillClients();
    void showClients();
    void chooseListener(int index);
    void move(const SoundKey& key, const HeadPlace& place, bool committed);
    void fix(HearingStep::What what);
    void soundFrom(double degrees);
    void execute(const std::string& line);
    void say(const QString& text, bool fault = true);
    void useHrtf(std::shared_ptr<const audio::HrtfSet> set, const QString& file);
    void matchLoudness();
    void drainRecording();
    [[nodiscard]] const ProbeSound* currentSound() const { return m_view->find(m_current); }
    [[nodiscard]] bool busy() const;

    const Theme& m_theme;
    SessionFeed& m_feed;
    Selection& m_selection;
    Document& m_document;
    SoundEdits m_edits;
    std::shared_ptr<SoundProbe> m_probe;
    std::function<Pose()> m_camera;
    std::shared_ptr<const ProbeView> m_view;
    std::uint64_t m_message = 0;  // whose voice is lit
    std::uint64_t m_run = 0;      // whose messages the rows of voices name
    bool m_messageSought = false; // its voice has not been seen yet
    SoundKey m_current;
    ProbeSource m_source;
    ProbeSource m_afterPath; // what a fly-by goes back to
    bool m_placed = false;   // the probe's own source was given a place; before, it keeps to the listener
    Listening m_listening;
    bool m_listensByCamera = false;
    audio::Mode m_other = audio::Mode::Pan; // what B compares with
    std::shared_ptr<const audio::HrtfSet> m_firstHrtf;
    std::shared_ptr<const audio::HrtfSet> m_matched; // the set the trims are of
    std::shared_ptr<const audio::HrtfSet> m_shownHrtf;
    HeadPlace m_shownPlace;
    // Once it has the panel's actions: the states they were enabled with last (something renders; a sound is chosen).
    ActionRegistry* m_actions = nullptr;
    std::pair<bool, bool> m_possible = {false, false};
    bool m_loops = false; // what is played next starts over at its end
    int m_beats = 0;

    audio::Frame m_measuredAt = 0;
    audio::EarSpectrum m_spectrumMeter{48000.0};
    std::optional<audio::LoudnessMeter> m_loudness;
    std::unique_ptr<audio::WavWriter> m_writer;
    QString m_recordFile;
    audio::Frame m_recordedFrames = 0;

    QTimer m_timer;
    EmptySwitch* m_switch;
    EmptySwitch* m_noSound = nullptr; // in place of the voices
    EmptySwitch* m_noMatch = nullptr;
    EmptyState* m_empty;
    PlaceView* m_place;
    EarMeters* m_meters = nullptr;
    WaveView* m_wave = nullptr;
    SpectrumView* m_spectrum = nullptr;
    FiguresView* m_figures = nullptr;
    CurveView* m_curve = nullptr;
    SpectrumView* m_response = nullptr;
    HeadQuiz* m_quiz = nullptr;
    WhyView* m_why = nullptr;
    VoiceModel* m_voices = nullptr;
    VoiceProxy* m_proxy = nullptr;
    QTableView* m_table = nullptr;
    FilterBar* m_filter = nullptr;
    QToolButton* m_heardOnly = nullptr;
    bool m_sortDue = false; // the voices' rows are others
    QTabWidget* m_tabs = nullptr;
    QSplitter* m_split = nullptr;
    QHBoxLayout* m_placeRow = nullptr;
    QWidget* m_meterPane = nullptr;
    QBoxLayout* m_meterColumn = nullptr;
    QWidget* m_scopes = nullptr;
    QBoxLayout* m_barRow = nullptr;
    QBoxLayout* m_voicesColumn = nullptr;
    QWidget* m_hands = nullptr;
    bool m_narrow = false;
    bool m_low = false;
    bool m_filterInBar = false;
    QComboBox* m_listener = nullptr;
    QToolButton* m_pick = nullptr;
    QToolButton* m_client = nullptr;
    QMenu* m_clientMenu = nullptr;
    int m_hearsAs = 0;
    std::size_t m_seesAs = 0; // as of the last look
    std::array<QToolButton*, 4> m_modes{};
    QToolButton* m_hrtf = nullptr;
    QToolButton* m_record = nullptr;
    QToolButton* m_create =
        nullptr; // while there is no sound and the list of voices, which says so too, is a tab
    LoadView* m_load = nullptr;
    QLabel* m_cost = nullptr;
    QToolButton* m_device = nullptr;
    QMenu* m_deviceMenu = nullptr;
    QWidget* m_line = nullptr;
    QLabel* m_said = nullptr;
    QComboBox* m_sound = nullptr;
    NumberField* m_azimuth = nullptr;
    NumberField* m_elevation = nullptr;
    NumberField* m_distance = nullptr;
    QToolButton* m_play = nullptr;
    QToolButton* m_stop = nullptr;
    QToolButton* m_loop = nullptr;
    QSlider* m_seek = nullptr;
    QLabel* m_time = nullptr;
    QWidget* m_sourceRow = nullptr;
    QGridLayout* m_sourceGrid = nullptr;
    QComboBox* m_signal = nullptr;
    SoundFiles* m_soundFiles = nullptr;
    bool m_signalsStale = false; // files came or went while the list was open
    QComboBox* m_path = nullptr;
    NumberField* m_speed = nullptr;
    QToolButton* m_flyBy = nullptr;
    QLabel* m_note = nullptr;
};

} // namespace sbx::ui
