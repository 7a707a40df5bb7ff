#include "app/player/file_sound.h"

#include "app/common/hrtf_file.h"
#include "engine/session/session.h"

namespace sbx::player {

FileSound::FileSound(Session& session, Log& log) : m_session(session), m_log(log) { m_session.sound().setHost(this); }

FileSound::~FileSound() {
    if (m_recorder)
        m_session.sound().setStage(nullptr);
    if (m_session.sound().host() == this)
        m_session.sound().setHost(nullptr);
}

Result<void> FileSound::prepare(const std::string& file) {
    if (m_recorder)
        return {};
    if (m_set == nullptr)
        m_set = app::defaultHrtf(SoundRecorder::SampleRate, m_log);
    auto made = file.empty() ? SoundRecorder::create(m_set) : SoundRecorder::create(file, m_set);
    if (!made)
        return made.error();
    m_recorder = std::move(*made);
    m_session.sound().setStage(&m_recorder->stage());
    return {};
}

Result<void> FileSound::open(const std::string& file) {
    m_wholeRun = true;
    return prepare(file);
}

Result<void> FileSound::record(const std::filesystem::path& file, double seconds) {
    if (const Result<void> prepared = prepare({}); !prepared)
        return prepared;
    return m_recorder->record(file, seconds, [this, name = file.string()](const Result<void>& written) {
        if (written)
            m_log.info("audio", "recorded " + name);
        else if (m_written)
            m_written = written;
    });
}

void FileSound::ticked() {
    if (!m_recorder)
        return;
    if (m_written)
        m_written = m_recorder->ticked();
    if (m_wholeRun || m_recorder->recording())
        return;
    m_session.sound().setStage(nullptr);
    m_recorder.reset();
}

Result<void> FileSound::close() {
    if (m_recorder) {
        const Result<void> closed = m_recorder->close();
        if (m_written)
            m_written = closed;
        m_session.sound().setStage(nullptr);
        m_recorder.reset();
    }
    return m_written;
}

} // namespace sbx::player
