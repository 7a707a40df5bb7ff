#pragma once
// Breakpoints between handlers: the tick stops before a handler of a message that matches, and a person reads and changes the message,
// goes on to the next handler, or keeps the message from the handlers that follow.
//
//   world --before()--> breakpoint matches? --> its answers, given in advance (a script), or
//                                               stopped() for a window, which answer()s while the session's thread waits
//
// Only the main world stops, in its ticks and in what is sent to it by hand between them. While it stands, nothing else of the session
// happens: what is posted waits for the end of the tick. A program that never calls setInteractive() does not wait: breakpoints report, do what they were told to in
// advance, and the tick goes on.
//
// Thread: the session's, except what says "any thread". The breakpoints and the recorder outlive it.

#include "engine/entity/handler_watch.h"
#include "engine/session/breakpoints.h"

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace sbx {

class Log;

// Where a tick stands. Immutable.
struct HandlerStop {
    struct Field {
        std::string name;
        std::string value; // FieldInfo::format()
        std::string unit;
        std::string doc;
        std::vector<std::string> choices; // of an Enum or Bool
        bool entity = false;              // the value is an entity's name, or its handle
    };
    enum class Progress { Passed, Here, Waiting };
    struct Handler {
        std::string component; // "Health", "Mesh#2"
        int priority = 0;
        Progress progress = Progress::Waiting;
    };
    std::uint64_t number = 0; // counts stops; that of the same stop after a change that was refused is new, too
    int breakpoint = 0;       // 0: reached by a step
    std::uint64_t tick = 0;
    std::uint64_t sequence = 0; // 0: the message is not recorded
    std::uint64_t cause = 0;    // as in the Envelope
    std::string through;        // type of the cause if that is not recorded
    std::string type;
    std::string sender; // empty: the engine or the console
    std::string receiver;
    std::vector<Field> fields;
    std::vector<Handler> handlers; // in order of priority
    std::vector<Field> state;      // of the component whose handler is next: its State, read only
    std::string refused;           // what was wrong with the last change; nothing of it was done
};
// "before Health of crate_1 handles Damage from phantom"
[[nodiscard]] std::string describeStop(const HandlerStop& stop);

enum class StopAnswer { Continue, Step, Drop };

class HandlerStops : public HandlerWatch {
public:
    HandlerStops(Breakpoints& breakpoints, Recorder& recorder, Log& log);

    // Something can stop the next tick.
    [[nodiscard]] bool armed() const;
    // Before a tick of the main world: what release() said of another one is over.
    void tickBegins();
    // After a tick of the main world. True: a step came to no other handler in it.
    bool tickEnded();

    // Called when a tick stands, and with null when it goes on; set while no tick runs.
    void setHandler(std::function<void(std::shared_ptr<const HandlerStop>)> handler) { m_handler = std::move(handler); }
    // Called several times a second while a tick stands; set while no tick runs.
    void setPulse(std::function<void()> pulse) { m_pulse = std::move(pulse); }

    // --- Any thread
    // From now on a stop waits for answer(). False: one that waits goes on, as do all that follow.
    void setInteractive(bool interactive);
    // Null: nothing stands.
    [[nodiscard]] std::shared_ptr<const HandlerStop> stopped() const;
    // Of the stop with that number, otherwise nothing happens: first the fields are set, as texts that FieldInfo::parse() reads or names
    // of entities. If one cannot be, none is, and it stands again (HandlerStop::refused).
    using Changes = std::vector<std::pair<std::string, std::string>>; // field, value
    void answer(std::uint64_t number, StopAnswer answer, Changes changes = {});
    // What stands goes on, and nothing stops until the end of that tick.
    void release();

    // HandlerWatch
    Verdict before(HandlerMoment& moment) override;
    void after(const HandlerMoment&, bool) override {}

private:
    struct Answer {
        StopAnswer what = StopAnswer::Continue;
        Changes changes;
    };
    [[nodiscard]] HandlerStop describe(const HandlerMoment& moment, int breakpoint) const;
    [[nodiscard]] static Result<void> change(HandlerMoment& moment, const Changes& changes);
    [[nodiscard]] Answer wait(HandlerStop stop);
    Verdict obey(HandlerMoment& moment, const Breakpoint& breakpoint);

    Breakpoints& m_breakpoints;
    Recorder& m_recorder;
    Log& m_log;
    std::function<void(std::shared_ptr<const HandlerStop>)> m_handler;
    std::function<void()> m_pulse;
    bool m_stepping = false;
    std::uint64_t m_count = 0;

    mutable std::mutex m_mutex;
    std::condition_variable m_answered;
    bool m_interactive = false;
    bool m_released = false;
    std::shared_ptr<const HandlerStop> m_stopped;
    std::optional<Answer> m_answer;
};

} // namespace sbx
