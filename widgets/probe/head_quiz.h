#pragma once
// Which set of head-related transfer functions (HRTF) suits the listener: ten times the probe's source sounds from the left, the right,
// ahead or behind, and the listener says from where. The score of each HRTF set is kept while the program runs, and the best is proposed.
//
// GUI thread; parent owns it.

#include <QMap>
#include <QRandomGenerator>
#include <QWidget>

#include <array>

class QLabel;
class QToolButton;

namespace sbx::ui {

class Theme;

class HeadQuiz : public QWidget {
    Q_OBJECT

public:
    enum class Side { Left, Right, Ahead, Behind };
    static constexpr int Trials = 10;

    explicit HeadQuiz(const Theme& theme, QWidget* parent = nullptr);
    // Name of the HRTF set that the renderer uses now; another one ends a quiz under way.
    void setHead(const QString& name);
    void setSeed(quint32 seed) { m_random.seed(seed); }
    void start();
    void stop();
    void answer(Side side);
    [[nodiscard]] bool isRunning() const { return m_trial > 0; }
    [[nodiscard]] const QMap<QString, int>& scores() const { return m_scores; }
    // Degrees, 0 ahead, positive to the right.
    [[nodiscard]] static double azimuthOf(Side side);

signals:
    // The source is to sound from there, from now on.
    void soundRequested(double azimuth);
    void ended();

private:
    void next();
    void refresh();

    QString m_head;
    QRandomGenerator m_random{QRandomGenerator::securelySeeded()};
    int m_trial = 0; // from 1; 0: none
    int m_right = 0;
    Side m_side = Side::Left;
    QMap<QString, int> m_scores;
    QLabel* m_text;
    QToolButton* m_start;
    std::array<QToolButton*, 4> m_answers{};
};

} // namespace sbx::ui
