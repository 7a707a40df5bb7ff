#pragma once
// Why does this sound play? The message that started each of its plays, and what caused that, as the trace has it; renewed with the probe.
// Plays that ended meanwhile stay, the newest first. GUI thread; all but the window outlive it.

#include <QDialog>

#include "engine/probe/sound_probe.h"

#include <map>

class QTextBrowser;

namespace sbx::ui {
class ProbePanel;
class RecordPage;
class SessionFeed;
class Theme;
class TraceModel;
} // namespace sbx::ui

namespace sbx::editor {

class SoundStartsWindow : public QDialog {
    Q_OBJECT

public:
    static constexpr std::size_t MaxPlays = 32; // of more the oldest are forgotten

    SoundStartsWindow(ui::ProbePanel& probe, ui::SessionFeed& feed, const ui::Theme& theme,
                      ui::TraceModel& trace, QWidget* parent);

    void ask(const SoundKey& sound);

signals:
    void recordPicked(qulonglong sequence);
    void entityPicked(const QString& entity);
    // Messages of this type are to be recorded from now on.
    void recordWanted(const QString& type);

private:
    struct Play {
        std::uint64_t begin = 0;
        SoundStart start;
        bool sounds = false;
    };
    using QDialog::show;
    void follow();
    void write();
    [[nodiscard]] QString playText(const ui::RecordPage& page, const Play& play,
                                   const ProbeSound* sound) const;

    ui::ProbePanel& m_probe;
    ui::SessionFeed& m_feed;
    const ui::Theme& m_theme;
    ui::TraceModel& m_trace;
    QTextBrowser* m_text;
    SoundKey m_sound;
    std::uint64_t m_run = 0;
    bool m_tried = false;
    std::map<int, Play> m_plays; // by number
    QString m_html;
};

} // namespace sbx::editor
