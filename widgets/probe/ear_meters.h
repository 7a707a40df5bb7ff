#pragma once
// What reaches the ears, as measured from what left the renderer: level of each with peak, hold and clip light, waveform, spectrum, and
// the numbers by which people tell directions.
//
// GUI thread; parents own them. The panel feeds them.

#include <QWidget>

#include "engine/audio/binaural_meter.h"

#include <array>
#include <optional>
#include <vector>

namespace sbx::ui {

class Theme;

// Two bars, -60 to 0 dB: RMS filled, peak a line, the highest of the last two seconds a mark, and a light that stays on after a sample
// of full scale until it is clicked. Below them by how much the limiter lowers both, from the right, 0 to 24 dB, with a lamp that is on
// while it does and for a second after.
class EarMeters : public QWidget {
    Q_OBJECT

public:
    explicit EarMeters(const Theme& theme, QWidget* parent = nullptr);
    // Linear; `seconds` since the call before.
    void setLevels(const std::array<float, 2>& peak, const std::array<float, 2>& rms, double seconds);
    // Whether the limiter is on, and its lowest gain since the call before, linear; `seconds` likewise.
    void setLimiter(bool on, float gain, double seconds);
    void reset();
    [[nodiscard]] bool clipped(std::size_t ear) const { return m_clipped[ear]; }
    // What the bars show.
    [[nodiscard]] double rmsDb(std::size_t ear) const { return m_rms[ear]; }
    [[nodiscard]] double peakDb(std::size_t ear) const { return m_peak[ear]; }
    [[nodiscard]] double holdDb(std::size_t ear) const { return m_hold[ear]; }
    [[nodiscard]] bool limits() const { return m_limiterOn && m_reductionDb < -0.05; }
    // 0 or less; what the lowest bar shows.
    [[nodiscard]] double reductionDb() const { return m_reductionDb; }
    void clearClips();
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    const Theme& m_theme;
    std::array<double, 2> m_peak{-200.0, -200.0};
    std::array<double, 2> m_rms{-200.0, -200.0};
    std::array<double, 2> m_hold{-200.0, -200.0};
    std::array<double, 2> m_holdAge{};
    std::array<bool, 2> m_clipped{};
    bool m_limiterOn = true;
    double m_reductionDb = 0.0;
    double m_reductionAge = 0.0; // s
};

// The last moments of both ears, above each other.
class WaveView : public QWidget {
    Q_OBJECT

public:
    explicit WaveView(const Theme& theme, QWidget* parent = nullptr);
    // Interleaved stereo.
    void setSamples(std::vector<float> interleaved, double sampleRate);
    [[nodiscard]] const std::vector<float>& samples() const { return m_samples; }
    QSize minimumSizeHint() const override { return {100, 30}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Theme& m_theme;
    std::vector<float> m_samples;
    double m_rate = 48000.0;
};

// Two curves over frequency, 20 Hz to 20 kHz: what is heard, or what a head does to a direction.
class SpectrumView : public QWidget {
    Q_OBJECT

public:
    SpectrumView(const Theme& theme, const QString& name, const QString& title, double lowestDb,
                 double highestDb, QWidget* parent = nullptr);
    // dB at frequencies spread evenly over the logarithm; empty: nothing to show.
    void setCurves(std::vector<float> left, std::vector<float> right);
    void setTitle(const QString& title);
    [[nodiscard]] const std::vector<float>& curve(std::size_t ear) const { return m_curves[ear]; }
    QSize minimumSizeHint() const override { return {120, 30}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Theme& m_theme;
    QString m_title;
    double m_lowest;
    double m_highest;
    std::array<std::vector<float>, 2> m_curves;
};

// Delay between the ears, level difference per band, delay and pitch of the chosen sound.
class FiguresView : public QWidget {
    Q_OBJECT

public:
    struct Figures {
        bool any = false;          // something is heard
        std::optional<double> itd; // s
        double certainty = 0.0;
        std::optional<double> ild; // dB, over all bands
        std::array<std::optional<double>, audio::BinauralReading::Bands> bands;
        std::optional<double> delay;   // s, of the chosen sound
        std::optional<double> doppler; // ratio
    };
    explicit FiguresView(const Theme& theme, QWidget* parent = nullptr);
    void setFigures(const Figures& figures);
    [[nodiscard]] const Figures& figures() const { return m_figures; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    const Theme& m_theme;
    Figures m_figures;
};

} // namespace sbx::ui
