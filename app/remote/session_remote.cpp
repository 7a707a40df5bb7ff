#include "app/remote/session_remote.h"

#include "app/remote/remote_words.h"
#include "engine/core/expression.h"
#include "engine/message/record_filter.h"
#include "engine/message/trace_json.h"

#include <nlohmann/json.hpp>

#include <atomic>
#include <deque>
#include <list>
#include <set>

namespace sbx::remote {

namespace {
constexpr long long MaxSteps = 100'000;
constexpr long long MaxTraceLines = 100'000;
constexpr long long DefaultTraceLines = 1000;
constexpr std::size_t TraceBytes = std::size_t(64) << 20U; // of records that are kept for trace.dump
constexpr std::size_t MaxWaiting = 256;

// Commands whose output is one JSON value when no file is given.
bool printsJson(std::string_view line) {
    static const std::set<std::string_view> Names = {"world.dump", "net.stats", "graph.dump", "audio.voices"};
    return Names.contains(firstWord(line)) && afterFirstWord(line).empty();
}

std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines)
        text += (text.empty() ? "" : "\n") + line;
    return text;
}

// `limit N rest`: takes it off; without it `fallback`.
Result<long long> takeOption(std::string_view& text, std::string_view name, long long maximum,
                             long long fallback) {
    if (firstWord(text) != name)
        return fallback;
    text = afterFirstWord(text);
    const Result<long long> number = wholeNumber(firstWord(text), std::string(name), 1, maximum);
    text = afterFirstWord(text);
    return number;
}
} // namespace

class SessionRemote::State {
public:
    void subscribe(Session& session) { m_reader = session.recorder().addReader(); }

    void run(Session& session, const std::shared_ptr<Request>& request) {
        if (request->abandoned())
            return;
        const std::string& line = request->line();
        const std::string_view word = firstWord(line);
        if (word == "step")
            step(session, *request);
        else if (word == "trace.dump")
            dumpTrace(session, *request);
        else if (word == "wait.for")
            waitFor(session, request);
        else
            runLine(session, request);
        look(session);
    }

    void ticked(Session& session) {
        keepRecords();
        look(session);
    }

    // Goes on with what waits.
    void look(Session& session) {
        for (auto at = m_waiting.begin(); at != m_waiting.end();) {
            Waiting& waiting = *at;
            const bool over = waiting.request->abandoned()
                              || (waiting.script ? resume(session, waiting) : holds(session, waiting));
            at = over ? m_waiting.erase(at) : std::next(at);
        }
        m_anyWaiting = !m_waiting.empty();
    }

    [[nodiscard]] bool anyWaiting() const { return m_anyWaiting; }
    void end() { m_ending = true; }

private:
    struct Waiting {
        std::shared_ptr<Request> request;
        std::uint64_t run = 0;
        bool inEdit = false; // for the next Play
        std::uint64_t due = 0;
        std::optional<ConsoleScript> script; // none: wait.for
        std::vector<std::string> lines;      // of the parts before
        bool ok = true;
        std::optional<Expression> condition;
        std::optional<std::uint64_t> ticks; // after which wait.for gives up
    };

    void step(Session& session, Request& request) {
        const std::string_view text = afterFirstWord(request.line());
        const Result<long long> count =
            text.empty() ? Result<long long>(1) : wholeNumber(text, "the number of ticks", 1, MaxSteps);
        if (!count)
            return request.fail(count.error().message);
        for (long long i = 0; i < *count; ++i) {
            if (m_ending || request.abandoned())
                return;
            session.step();
            session.publish();
            if (session.overBudget())
                return request.fail("tick " + std::to_string(session.world().tickCount())
                                    + " used up a budget of the world; the log says which");
        }
        const std::string tick = std::to_string(session.world().tickCount());
        request.answer({true, "tick " + tick, "{\"tick\":" + tick + "}"});
    }

    void runLine(Session& session, const std::shared_ptr<Request>& request) {
        Waiting waiting;
        waiting.request = request;
        settle(session, std::move(waiting), session.console().execute(request->line()));
    }

    void settle(Session& session, Waiting waiting, ConsoleReply reply) {
        waiting.ok = waiting.ok && reply.ok;
        waiting.lines.insert(waiting.lines.end(), reply.lines.begin(), reply.lines.end());
        if (!reply.deferred) {
            Answer answer{waiting.ok, joined(waiting.lines), {}};
            constexpr std::string_view Mark = "error: "; // the answer says that already
            if (!waiting.ok && answer.output.starts_with(Mark))
                answer.output.erase(0, Mark.size());
            if (waiting.ok && printsJson(waiting.request->line()) && nlohmann::json::accept(answer.output))
                answer.value = std::exchange(answer.output, {});
            return waiting.request->answer(answer);
        }
        waiting.due =
            (session.mode() == Mode::Edit ? 0 : session.world().tickCount()) + reply.deferred->ticks;
        waiting.script = std::move(*reply.deferred);
        keep(session, std::move(waiting));
    }

    void keep(Session& session, Waiting waiting) {
        if (m_waiting.size() >= MaxWaiting)
            return waiting.request->fail(std::to_string(MaxWaiting) + " lines wait already");
        waiting.run = session.simulation().run();
        waiting.inEdit = session.mode() == Mode::Edit;
        m_waiting.push_back(std::move(waiting));
        m_anyWaiting = true;
    }

    // False: the run that the line waited in is over.
    static bool follow(Session& session, Waiting& waiting) {
        if (session.simulation().run() == waiting.run)
            return true;
        const bool begins = waiting.inEdit && session.mode() != Mode::Edit;
        waiting.run = session.simulation().run();
        waiting.inEdit = session.mode() == Mode::Edit && waiting.inEdit;
        return begins || waiting.inEdit;
    }

    // True: it has been answered, or waits again under its own entry.
    bool resume(Session& session, Waiting& waiting) {
        if (!follow(session, waiting)) {
            waiting.request->fail("the run ended before the wait was over");
            return true;
        }
        if (waiting.inEdit || session.world().tickCount() < waiting.due)
            return false;
        Waiting next = std::move(waiting);
        ConsoleScript script = std::move(*next.script);
        next.script.reset();
        settle(session, std::move(next), session.console().resume(std::move(script)));
        return true;
    }

    void waitFor(Session& session, const std::shared_ptr<Request>& request) {
        std::string_view text = afterFirstWord(request->line());
        const bool limited = firstWord(text) == "ticks";
        const Result<long long> ticks = takeOption(text, "ticks", 10'000'000, 0);
        if (!ticks)
            return request->fail(ticks.error().message);
        Result<Expression> condition = Expression::compile(text);
        if (!condition)
            return request->fail(condition.error().message);
        Waiting waiting;
        waiting.request = request;
        waiting.condition = std::move(*condition);
        waiting.due = session.world().tickCount() + static_cast<std::uint64_t>(*ticks);
        if (limited)
            waiting.ticks = static_cast<std::uint64_t>(*ticks);
        keep(session, std::move(waiting));
    }

    // Answered: the condition holds, cannot be evaluated at all, or did not come true in time.
    bool holds(Session& session, Waiting& waiting) {
        if (session.simulation().run() != waiting.run) {
            waiting.run = session.simulation().run();
            waiting.due = waiting.ticks.value_or(0);
        }
        std::string seen;
        const Result<bool> now = waiting.condition->evaluate(
            session.expressionContext(session.simulation(), Session::Hints::None), &seen);
        const std::string tick = std::to_string(session.world().tickCount());
        if (now && *now) {
            waiting.request->answer({true, "tick " + tick, "{\"tick\":" + tick + "}"});
            return true;
        }
        if (!waiting.ticks || session.world().tickCount() < waiting.due)
            return false; // what it names may come to be
        waiting.request->fail("after " + std::to_string(*waiting.ticks)
                              + " ticks it does not hold: " + (now ? seen : now.error().message));
        return true;
    }

    // The newest records, of the current run alone.
    void keepRecords() {
        std::vector<std::shared_ptr<const RecordSegment>> fresh;
        if (m_reader)
            m_reader->poll(fresh);
        for (auto& segment : fresh) {
            if (!m_segments.empty() && m_segments.back()->run() != segment->run()) {
                m_segments.clear();
                m_bytes = 0;
            }
            m_bytes += segment->bytes();
            m_segments.push_back(std::move(segment));
        }
        while (m_segments.size() > 1 && m_bytes > TraceBytes) {
            m_bytes -= m_segments.front()->bytes();
            m_segments.pop_front();
        }
    }

    void dumpTrace(Session& session, Request& request) {
        std::string_view text = afterFirstWord(request.line());
        const Result<long long> limit = takeOption(text, "limit", MaxTraceLines, DefaultTraceLines);
        if (!limit)
            return request.fail(limit.error().message);
        Recorder& recorder = session.recorder();
        recorder.seal();
        keepRecords();
        RecordFilterSchema schema(
            recorder.names(),
            [&recorder](std::uint8_t world) -> std::string_view { return recorder.worldName(world); },
            session.tickRate());
        schema.updateTypes();
        const Result<Filter> filter = Filter::compile(text, schema.schema());
        if (!filter)
            return request.fail(filter.error().message);
        RecordFilterRow row(schema);
        std::deque<std::string> lines;
        std::size_t matches = 0;
        const auto name = [&session](EntityId id) { return session.world().nameOf(id); };
        for (const auto& segment : m_segments)
            for (std::size_t i = 0; i < segment->size(); ++i) {
                const RecordView record = (*segment)[i];
                schema.learn(record);
                row.set(record);
                if (!filter->matches(row))
                    continue;
                ++matches;
                lines.push_back(traceLine(record, recorder, recorder.timing(), name));
                if (lines.size() > static_cast<std::size_t>(*limit))
                    lines.pop_front();
            }
        std::string value = "[";
        for (const std::string& line : lines)
            value += (value.size() > 1 ? "," : "") + line;
        request.answer({true, std::to_string(lines.size()) + " of " + std::to_string(matches) + " records",
                        value + "]"});
    }

    std::shared_ptr<RecordReader> m_reader;
    std::deque<std::shared_ptr<const RecordSegment>> m_segments;
    std::size_t m_bytes = 0;
    std::list<Waiting> m_waiting;
    std::atomic<bool> m_anyWaiting{false};
    std::atomic<bool> m_ending{false};
};

SessionRemote::SessionRemote(Session& session) : m_session(session), m_state(std::make_shared<State>()) {
    m_session.postAside([state = m_state](Session& owner) { state->subscribe(owner); });
}

SessionRemote::~SessionRemote() { m_state->end(); }

void SessionRemote::take(const std::shared_ptr<Request>& request) {
    m_session.post([state = m_state, request](Session& session) { state->run(session, request); });
}

void SessionRemote::look() {
    if (m_state->anyWaiting())
        m_session.postAside([state = m_state](Session& session) { state->look(session); });
}

std::function<void(Session&)> SessionRemote::tickHandler() const {
    return [state = m_state](Session& session) { state->ticked(session); };
}

} // namespace sbx::remote
