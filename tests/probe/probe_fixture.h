#pragma once
// The panel over a real session and a real renderer; the test itself is the session's thread and the sound device, so that time goes as
// it says.

#include <QtTest>

#include "engine/audio/hrtf_set.h"
#include "engine/audio/renderer.h"
#include "engine/commands/console_commands.h"
#include "engine/session/session.h"
#include "engine/soundstage/sound_stage.h"
#include "widgets/common/action_registry.h"
#include "widgets/common/document.h"
#include "widgets/common/project_model.h"
#include "widgets/common/selection.h"
#include "widgets/common/session_feed.h"
#include "widgets/common/theme.h"
#include "widgets/probe/probe_panel.h"

#include <cmath>
#include <memory>
#include <numbers>
#include <vector>

namespace sbx::probe_test {

constexpr double Rate = 48000.0;
constexpr std::size_t TickFrames = 800;

inline void write(const QString& path, const QByteArray& bytes) {
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
        qFatal("cannot write %s", qPrintable(path));
}

inline const char* const Definitions = R"(
[Hum]
[Hum.Sound]
name = "hum"
source = "tone"
frequency = 300.0
length = 0.0
when = "start"
reference = 1.0
maximum = 40.0
distance = "linear"

[Click]
[Click.Sound]
file = "click.wav"

[Chirp]
extends = "Click"
[Chirp.Sound]
pitch = 2.0
distance = "none"

[Beep]
[Beep.Sound]
source = "tone"
frequency = 300.0
length = 0.5
pitch = 1.5
distance = "none"

[Hiss]
[Hiss.Sound]
source = "pink"
length = 0.4
distance = "none"

[Round]
extends = "Chirp"
[Round.Sound]
loop = true

[Broken]
[Broken.Sound]
file = "nowhere.wav"

[Head]
[Head.Listener]

[Lamp]
[Lamp.Sound]
source = "tone"
length = 0.0
when = "start"

[Beam]
extends = "Lamp"
[Beam.Sound]
coneInner = 30.0
coneOuter = 60.0

[Hall.Room]
size = [8.0, 4.0, 8.0]

[Whisper]
extends = "Lamp"
[Whisper.Sound]
gain = 0.0005

[Gapped]
[Gapped.Sound]
file = "gap.wav"
loop = true
when = "start"

[Wall]
[Wall.Body]
shape = "box"
size = [4.0, 4.0, 0.2]
motion = "static"
)";

inline const char* const Scene = R"([scene]
name = "S"

[[entity]]
type = "Head"
name = "head"
position = [0.0, 1.0, 0.0]

# the hum
[[entity]]
type = "Hum"
name = "hum"
position = [3.0, 1.0, 0.0]

[[entity]]
type = "Click"
name = "click"
position = [0.0, 1.0, -4.0]

[[entity]]
type = "Broken"
name = "broken"
position = [-2.0, 1.0, 0.0]
)";

struct Fixture {
    QTemporaryDir dir;
    Log log;
    Session session{log, addConsoleCommands};
    std::unique_ptr<audio::Renderer> renderer;
    std::unique_ptr<SoundStage> stage;
    ui::Theme theme;
    ui::SessionFeed feed{session};
    ui::Document document{dir.filePath(QStringLiteral("state"))};
    ui::ProjectModel project{document, feed};
    ui::Selection selection;
    ui::ActionRegistry actions{theme};
    std::unique_ptr<ui::ProbePanel> panel;
    std::vector<float> heard; // all that was rendered

    // `voices`: as many are heard at a time. `set`: whose head; none: a sphere.
    explicit Fixture(const QByteArray& scene = Scene, bool sound = true, std::uint32_t voices = 128,
                     std::shared_ptr<const audio::HrtfSet> set = {}) {
        theme.apply(*qApp);
        QDir().mkpath(dir.filePath(QStringLiteral("p")));
        write(path("p/project.toml"),
              "[project]\nname = \"P\"\nscene = \"s.scene.toml\"\ndefinitions = [\"e.toml\"]\n");
        write(path("p/e.toml"), Definitions);
        write(path("p/s.scene.toml"), scene);
        std::vector<float> click(2 * 24000);
        for (std::size_t n = 0; n < 24000; ++n)
            click[2 * n] = click[2 * n + 1] = 0.2F * std::sin(static_cast<float>(n) * 0.05F);
        if (!audio::writeWav(path("p/click.wav").toStdString(), click, Rate))
            qFatal("no sound file");
        // A steady tone, which a loop does not break.
        std::vector<float> steady(2 * 24000);
        for (std::size_t n = 0; n < 24000; ++n)
            steady[2 * n] = steady[2 * n + 1] = 0.2F * static_cast<float>(std::sin(2.0 * std::numbers::pi * 400.0 * static_cast<double>(n) / Rate));
        if (!audio::writeWav(path("p/steady.wav").toStdString(), steady, Rate))
            qFatal("no sound file");
        std::vector<float> gap(2 * 24000); // half of it silent
        std::copy_n(steady.begin(), 24000, gap.begin());
        if (!audio::writeWav(path("p/gap.wav").toStdString(), gap, Rate))
            qFatal("no sound file");
        audio::RendererSettings settings;
        settings.sampleRate = Rate;
        settings.maximumSources = 64;
        settings.voiceBudget = voices;
        static const std::shared_ptr<const audio::HrtfSet> sphere = audio::HrtfSet::sphere(Rate);
        auto made = audio::Renderer::create(settings, set != nullptr ? set : sphere);
        if (!made)
            qFatal("%s", made.error().toString().c_str());
        renderer = std::move(*made);
        stage = std::make_unique<SoundStage>(*renderer, SoundStage::Clock::Device);
        if (sound)
            session.sound().setStage(stage.get());
        panel = std::make_unique<ui::ProbePanel>(theme, feed, selection, document);
        panel->addActions(actions);
        panel->resize(1280, 360);
        panel->show();
        const Result<void> opened = project.open(path("p"));
        if (!opened)
            qFatal("%s", opened.error().toString().c_str());
        run(0.2);
    }
    ~Fixture() {
        panel.reset();
        session.runPosted();
        session.sound().setStage(nullptr);
    }
    [[nodiscard]] QString path(const char* name) const { return dir.filePath(QLatin1String(name)); }

    // Sixty times a second, as the programs do; ten times a second the window is painted.
    void run(double seconds) {
        for (int i = 0; i < static_cast<int>(std::lround(seconds * 60.0)); ++i) {
            project.refresh();
            session.runPosted();
            if (session.running())
                session.tick();
            else
                session.idleTurn();
            session.publish();
            if (!stage->held()) {
                const std::size_t at = heard.size();
                heard.resize(at + TickFrames * 2);
                renderer->render(std::span(heard).subspan(at));
            }
            feed.poll();
            if (panel->isVisible())
                panel->refresh();
            if (++m_steps % 6 == 0)
                QCoreApplication::processEvents();
            else
                QCoreApplication::sendPostedEvents(nullptr, QEvent::MetaCall);
        }
    }
    void settle() { run(0.6); } // until pictures, averages and ways of sound are over
    [[nodiscard]] const ui::ProbePanel& shown() const { return *panel; }
    [[nodiscard]] const ProbeView& view() const { return *panel->view(); }
    [[nodiscard]] const ProbeSound& sound(const char* entity) const {
        const ProbeSound* found = view().find({entity, 0});
        if (found == nullptr)
            qFatal("no sound of %s", entity);
        return *found;
    }
    template <typename T> [[nodiscard]] T* child(const char* name) const {
        T* found = panel->findChild<T*>(QLatin1String(name));
        if (found == nullptr)
            qFatal("no %s", name);
        return found;
    }
    [[nodiscard]] const ui::FiguresView::Figures& figures() const {
        return child<ui::FiguresView>("probe.figures")->figures();
    }
    [[nodiscard]] const std::string& scene() const { return document.text("s.scene.toml"); }
    // The probe's own source, still, in degrees and metres.
    void place(double azimuth, double elevation, double metres,
               audio::TestSignal signal = audio::TestSignal::PinkNoise) {
        ProbeSource source = panel->source();
        source.on = true;
        source.signal = signal;
        source.path = ProbeSource::Path::Still;
        source.position = fromHeadPlace(
            view().ear, {azimuth * std::numbers::pi / 180.0, elevation * std::numbers::pi / 180.0, metres});
        panel->setCurrent({});
        panel->setSource(source);
        settle();
    }

private:
    int m_steps = 0;
};

// ---- a second look at samples, by other means than the panel's: in the time domain.

struct Second {
    double itd = 0.0; // s, positive: left later
    std::array<double, 5> ild{};
    double ildAll = 0.0;
};

// One-pole-pair band filters run forth and back: no phase, steep enough for band levels.
class Biquad {
public:
    static Biquad lowPass(double hertz, double q) { return make(hertz, q, false); }
    static Biquad highPass(double hertz, double q) { return make(hertz, q, true); }
    void run(std::vector<double>& signal) const {
        double z1 = 0.0;
        double z2 = 0.0;
        for (double& x : signal) {
            const double y = m_b0 * x + z1;
            z1 = m_b1 * x - m_a1 * y + z2;
            z2 = m_b2 * x - m_a2 * y;
            x = y;
        }
    }

private:
    static Biquad make(double hertz, double q, bool high) {
        const double w = 2.0 * std::numbers::pi * hertz / Rate;
        const double alpha = std::sin(w) / (2.0 * q);
        const double a0 = 1.0 + alpha;
        const double c = std::cos(w);
        Biquad out;
        out.m_b0 = (high ? 1.0 + c : 1.0 - c) / 2.0 / a0;
        out.m_b1 = (high ? -(1.0 + c) : 1.0 - c) / a0;
        out.m_b2 = out.m_b0;
        out.m_a1 = -2.0 * c / a0;
        out.m_a2 = (1.0 - alpha) / a0;
        return out;
    }
    double m_b0 = 1.0, m_b1 = 0.0, m_b2 = 0.0, m_a1 = 0.0, m_a2 = 0.0;
};

inline void bandPass(std::vector<double>& signal, double low, double high) {
    for (int pass = 0; pass < 2; ++pass) {
        for (const double q : {0.5176, 0.7071, 1.9319}) { // a Butterworth filter of sixth order
            Biquad::highPass(low, q).run(signal);
            if (high < 0.45 * Rate)
                Biquad::lowPass(high, q).run(signal);
        }
        std::reverse(signal.begin(), signal.end());
    }
}

inline Second secondLook(std::span<const float> interleaved) {
    const std::size_t frames = interleaved.size() / 2;
    std::array<std::vector<double>, 2> ears;
    for (std::size_t ear = 0; ear < 2; ++ear) {
        ears[ear].resize(frames);
        for (std::size_t n = 0; n < frames; ++n)
            ears[ear][n] = static_cast<double>(interleaved[n * 2 + ear]);
    }
    const auto power = [](const std::vector<double>& signal) {
        double sum = 0.0;
        for (std::size_t n = 2000; n + 2000 < signal.size(); ++n)
            sum += signal[n] * signal[n];
        return sum;
    };
    Second out;
    static constexpr std::array<double, 6> Edges = {100.0, 500.0, 1500.0, 4000.0, 8000.0, 16000.0};
    std::array<double, 2> all{};
    for (std::size_t band = 0; band < 5; ++band) {
        std::array<double, 2> level{};
        for (std::size_t ear = 0; ear < 2; ++ear) {
            std::vector<double> filtered = ears[ear];
            bandPass(filtered, Edges[band], Edges[band + 1]);
            level[ear] = power(filtered);
            all[ear] += level[ear];
        }
        out.ild[band] = 10.0 * std::log10(level[1] / level[0]);
    }
    out.ildAll = 10.0 * std::log10(all[1] / all[0]);
    // Products of the ears against each other, shifted by whole frames; a parabola through the best three.
    for (auto& ear : ears)
        bandPass(ear, 100.0, 1500.0);
    std::vector<double> products;
    constexpr int Most = 60;
    for (int lag = -Most; lag <= Most; ++lag) {
        double sum = 0.0;
        for (std::size_t n = 2000; n + 2000 < frames; ++n)
            sum += ears[0][static_cast<std::size_t>(static_cast<int>(n) + lag)] * ears[1][n];
        products.push_back(sum);
    }
    const auto best = static_cast<std::size_t>(std::max_element(products.begin() + 1, products.end() - 1)
                                               - products.begin());
    const double a = products[best - 1];
    const double b = products[best];
    const double c = products[best + 1];
    out.itd = (static_cast<double>(best) - Most + 0.5 * (a - c) / (a - 2.0 * b + c)) / Rate;
    return out;
}

} // namespace sbx::probe_test
