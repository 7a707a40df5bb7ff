#pragma once
// What the console panel needs of the program behind it.
//
// Data flow: submit() posts a line to the session that executes it; its echo, output and errors come back through the log. answered()
// only says that there is something new to read. GUI thread; complete() and the log calls must return at once.

#include <QObject>
#include <QString>
#include <QStringList>

#include "engine/core/console.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace sbx {
class ConsoleTargets;
class Watches;
} // namespace sbx
namespace sbx::ui {

class ConsoleBackend : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    virtual void submit(const QString& line) = 0;
    // Offsets in bytes of the UTF-8 text.
    [[nodiscard]] virtual Completion complete(const std::string& text, std::size_t cursor) const = 0;
    [[nodiscard]] virtual std::vector<LogRecord> logSince(std::uint64_t sequence,
                                                          std::size_t limit) const = 0;
    [[nodiscard]] virtual std::uint64_t logLatest() const = 0;
    // The line sets a protected CVar: it is not for the history.
    [[nodiscard]] virtual bool isSecret(const QString&) const { return false; }
    // For the table beside the log; null: there is none.
    [[nodiscard]] virtual const CVarRegistry* cvars() const { return nullptr; }
    // What lines may name, for links in the log; null: not known.
    [[nodiscard]] virtual const CommandRegistry* commands() const { return nullptr; }
    // For the watch list beside the log; null: there is none.
    [[nodiscard]] virtual Watches* watches() const { return nullptr; }
    // Where lines may run, the program's own world first; a selector shows if there are several.
    [[nodiscard]] virtual QStringList targets() const { return {}; }
    [[nodiscard]] virtual std::uint64_t targetRevision() const { return 0; }
    // Where lines and completion go that do not say it themselves (@TARGET LINE): one of targets(), or "all".
    [[nodiscard]] virtual QString target() const { return {}; }
    virtual void setTarget(const QString&) {}

signals:
    // A submitted line has run (its first part, if it waits).
    void answered(bool ok);
    // A line goes out; each is settled() under its number once, in order, if the session lives.
    void submitted(std::uint64_t line);
    // What it set, and how to take that back; none: it set nothing.
    void settled(std::uint64_t line, const std::vector<sbx::CVarStep>& steps);
};

// Over the engine's console: completion and log are read directly (they allow it from any thread), lines go through `post`,
// which runs them where the console executes and may call the given function on any thread when done. Both outlive this.
class EngineConsoleBackend : public ConsoleBackend {
    Q_OBJECT

public:
    using Done = std::function<void(const ConsoleReply&)>;
    using Post = std::function<void(std::string line, Done done)>;

    EngineConsoleBackend(Console& console, const Log& log, Post post, QObject* parent = nullptr);
    ~EngineConsoleBackend() override;

    // What a session has beside its console. Both outlive this.
    void setSession(Watches& watches, const ConsoleTargets& targets);
    // Which commands are actions of the window: completion lists them behind CVars and commands that fit as well.
    void setActions(std::function<bool(const std::string& command)> isAction) {
        m_isAction = std::move(isAction);
    }

    void submit(const QString& line) override;
    [[nodiscard]] Completion complete(const std::string& text, std::size_t cursor) const override;
    [[nodiscard]] std::vector<LogRecord> logSince(std::uint64_t sequence, std::size_t limit) const override;
    [[nodiscard]] std::uint64_t logLatest() const override;
    [[nodiscard]] bool isSecret(const QString& line) const override;
    [[nodiscard]] const CVarRegistry* cvars() const override { return &m_console.cvars(); }
    [[nodiscard]] const CommandRegistry* commands() const override { return &m_console.commands(); }
    [[nodiscard]] Watches* watches() const override { return m_watches; }
    [[nodiscard]] QStringList targets() const override;
    [[nodiscard]] std::uint64_t targetRevision() const override;
    [[nodiscard]] QString target() const override;
    void setTarget(const QString& target) override { m_target = target.toStdString(); }

private:
    // The target if it is another than the own one and still there.
    [[nodiscard]] std::string elsewhere() const;
    void putActionsLast(Completion& completion, std::string_view typed) const;

    struct Relay; // outlives this in answers still under way

    Console& m_console; // its registries; lines go through m_post
    const Log& m_log;
    Post m_post;
    std::shared_ptr<Relay> m_relay;
    Watches* m_watches = nullptr;
    const ConsoleTargets* m_targets = nullptr;
    std::function<bool(const std::string&)> m_isAction;
    std::string m_target;      // empty: the own one
    std::uint64_t m_lines = 0; // submitted
};

} // namespace sbx::ui
