#include "widgets/console/console_backend.h"

#include <QMetaObject>

#include <mutex>

namespace sbx::ui {

struct EngineConsoleBackend::Relay {
    std::mutex mutex;
    EngineConsoleBackend* backend = nullptr; // null once it has died
};

EngineConsoleBackend::EngineConsoleBackend(const Console& console, const Log& log, Post post, QObject* parent)
    : ConsoleBackend(parent),
      m_console(console),
      m_log(log),
      m_post(std::move(post)),
      m_relay(std::make_shared<Relay>()) {
    m_relay->backend = this;
}

EngineConsoleBackend::~EngineConsoleBackend() {
    const std::lock_guard lock(m_relay->mutex);
    m_relay->backend = nullptr;
}

void EngineConsoleBackend::submit(const QString& line) {
    m_post(line.toStdString(), [relay = m_relay](bool ok) {
        const std::lock_guard lock(relay->mutex);
        if (EngineConsoleBackend* backend = relay->backend)
            QMetaObject::invokeMethod(
                backend, [backend, ok] { emit backend->answered(ok); }, Qt::QueuedConnection);
    });
}

Completion EngineConsoleBackend::complete(const std::string& text, std::size_t cursor) const {
    return m_console.complete(text, cursor);
}

std::vector<LogRecord> EngineConsoleBackend::logSince(std::uint64_t sequence, std::size_t limit) const {
    return m_log.since(sequence, limit);
}

bool EngineConsoleBackend::isSecret(const QString& line) const {
    const std::string text = line.toStdString();
    return m_console.masked(text) != text;
}

std::uint64_t EngineConsoleBackend::logLatest() const { return m_log.latest(); }

} // namespace sbx::ui
