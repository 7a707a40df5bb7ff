#pragma once
// Plays one sound of the project in place, by itself: play, stop, over and over, and where it stands. The world need not run and does
// not notice. For wherever a sound is named: a table of the definitions, an instance of the scene, a file.
//
// GUI thread; parent owns it; theme and feed outlive it.

#include <QTimer>
#include <QWidget>

#include "engine/probe/sound_audition.h"

#include <memory>

class QLabel;
class QSlider;
class QToolButton;

namespace sbx::ui {

class SessionFeed;
class Theme;

// By its ending: WAV, FLAC, OGG.
[[nodiscard]] bool namesSoundFile(const QString& path);
// The sound files in a folder and its folders, relative to it: the first 500 in order, of up to 20,000 files looked at.
[[nodiscard]] QStringList soundFilesIn(const QString& folder);

class SoundTransport : public QWidget {
    Q_OBJECT

public:
    SoundTransport(const Theme& theme, SessionFeed& feed, QWidget* parent = nullptr);
    ~SoundTransport() override;

    // Shows itself for a subject, and is hidden for none. What plays of another ends.
    void setSubject(const SoundAudition::Subject& subject);
    [[nodiscard]] const SoundAudition::Subject& subject() const { return m_subject; }
    void play(double fromSeconds = 0.0);
    void stop();
    // What the session says of it now.
    void refresh();
    // The sound itself has become another (its text was edited): looks again.
    void reread();

private:
    QToolButton* button(const QString& name, const QString& icon, const QString& tip);

    const Theme& m_theme;
    std::shared_ptr<SoundAudition> m_audition;
    SoundAudition::Subject m_subject;
    bool m_fresh = false;   // nothing was said of the subject yet
    int m_looks = 0;        // at a sound that does not play: one more answer is due
    QToolButton* m_play;
    QToolButton* m_stop;
    QToolButton* m_loop;
    QSlider* m_seek;
    QLabel* m_time;
    QTimer m_timer;
};

} // namespace sbx::ui
