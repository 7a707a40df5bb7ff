#include "widgets/console/console_backend.h"

#include <QMetaObject>

#include "engine/core/match.h"
#include "engine/session/console_targets.h"

#include <algorithm>
#include <mutex>

namespace sbx::ui {

struct EngineConsoleBackend::Relay {
    std::mutex mutex;
    EngineConsoleBackend* backend = nullptr; // null once it has died
};

EngineConsoleBackend::EngineConsoleBackend(Console& console, const Log& log, Post post, QObject* parent)
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

void EngineConsoleBackend::setSession(Watches& watches, const ConsoleTargets& targets) {
    m_watches = &watches;
    m_targets = &targets;
}

QStringList EngineConsoleBackend::targets() const {
    QStringList names;
    if (m_targets != nullptr)
        for (const std::string& name : m_targets->names())
            names.append(QString::fromStdString(name));
    return names;
}

std::uint64_t EngineConsoleBackend::targetRevision() const {
    return m_targets == nullptr ? 0 : m_targets->revision();
}

std::string EngineConsoleBackend::elsewhere() const {
    if (m_targets == nullptr || m_target.empty())
        return {};
    const std::vector<std::string> names = m_targets->names();
    const auto found = std::find(names.begin(), names.end(), m_target);
    const bool isAll = m_target == ConsoleTargets::All && names.size() > 1;
    return isAll || (found != names.end() && found != names.begin()) ? m_target : std::string();
}

QString EngineConsoleBackend::target() const {
    const std::string other = elsewhere();
    return other.empty() ? targets().value(0) : QString::fromStdString(other);
}

void EngineConsoleBackend::submit(const QString& typed) {
    const std::string other = elsewhere();
    const std::string line = other.empty() ? typed.toStdString() : addressed(typed.toStdString(), other);
    const std::uint64_t number = ++m_lines;
    emit submitted(number);
    m_post(line, [relay = m_relay, number](const ConsoleReply& reply) {
        const std::lock_guard lock(relay->mutex);
        if (EngineConsoleBackend* backend = relay->backend)
            QMetaObject::invokeMethod(
                backend,
                [backend, number, ok = reply.ok, steps = reply.steps] {
                    emit backend->settled(number, steps);
                    emit backend->answered(ok);
                },
                Qt::QueuedConnection);
    });
}

void EngineConsoleBackend::putActionsLast(Completion& completion, std::string_view typed) const {
    if (!m_isAction)
        return;
    const auto isAction = [this](const CompletionCandidate& c) {
        return c.kind == CompletionKind::Command && m_isAction(c.text);
    };
    // Those that fit alike stand together: of each such stretch the actions go to its end.
    auto& all = completion.candidates;
    for (auto begin = all.begin(); begin != all.end();) {
        const MatchRank rank = matchRank(typed, begin->text);
        const auto end = std::find_if(
            begin, all.end(), [&](const CompletionCandidate& c) { return matchRank(typed, c.text) != rank; });
        std::stable_partition(begin, end, [&](const CompletionCandidate& c) { return !isAction(c); });
        begin = end;
    }
}

Completion EngineConsoleBackend::complete(const std::string& text, std::size_t cursor) const {
    const std::string other = elsewhere();
    if (other.empty()) {
        Completion completion = m_console.complete(text, cursor);
        const std::string head = text.substr(0, cursor);
        putActionsLast(completion,
                       std::string_view(head).substr(std::min(completion.replaceFrom, head.size())));
        return completion;
    }
    // The statement at the cursor, as it will be sent.
    const std::string head = text.substr(0, cursor);
    const ConsoleLine line = parseConsoleLine(head);
    std::size_t begin = head.size();
    if (!line.statements.empty())
        if (const std::size_t at = head.rfind(line.statements.back().text);
            at != std::string::npos
            && head.find(';', at + line.statements.back().text.size()) == std::string::npos)
            begin = at;
    if (begin < head.size() && head[begin] == '@')
        return m_console.complete(text, cursor);
    const std::string prefix = "@" + other + " ";
    const std::string sent = prefix + head.substr(begin);
    Completion completion = m_console.complete(sent, sent.size());
    completion.replaceFrom = begin + std::max(completion.replaceFrom, prefix.size()) - prefix.size();
    return completion;
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

#include "moc_console_backend.cpp"
