#pragma once
// Which handler a thread is in, for reports of a crash or of a run that hangs. The stack shows it: it has the thunk that called the
// handler (HandlerDescription), and each thunk is listed here by its
// address. So a dispatch costs nothing for it. The handlers of plugins, whose stacks may be overrun, are also noted, in two words of
// the thread, as are their constructors.
//
//   handler called by a thunk --> its frame on the stack --> originOfThunk() <-- a signal's handler, on the same thread
//
// Thread: listing from any, under a lock; originOfThunk() anywhere, without one. The note is its thread's own, and that of a signal that
// interrupts it.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

namespace sbx {

struct HandlerEntry;
struct HandlerDescription;

// Where a handler comes from, as text that can be read in a signal handler. Never freed once it is interned.
struct HandlerOrigin {
    const char* component = nullptr; // as registered
    const char* message = nullptr;   // null: its constructor
    const char* plugin = nullptr;    // the library's file as the project names it, absolute; null: the engine's own
    std::ptrdiff_t base = 0;         // bytes from the component to its world and entity (class Component)
};

// One for each handler of each component there ever was; the same words give the same.
[[nodiscard]] const HandlerOrigin* internOrigin(const std::string& component, const std::string& message,
                                                const std::string& plugin, std::ptrdiff_t base);
// The thunks of the handler are those of its origin. Two components may share a handler, by a base: then its origin names both.
void listThunks(const HandlerDescription& handler);
// Of the function that begins there; null: it is no thunk.
[[nodiscard]] const HandlerOrigin* originOfThunk(const void* function) noexcept;

struct UnderWay {
    const HandlerEntry* volatile entry = nullptr;
    const void* volatile component = nullptr; // of the entry, or, while it is made, its world and entity
};

[[gnu::tls_model("initial-exec")]] extern constinit thread_local UnderWay t_underWay;

// While it exists, this is noted instead of the previous note.
class UnderWayScope {
public:
    UnderWayScope(const HandlerEntry* entry, const void* component)
        : m_entry(t_underWay.entry), m_component(t_underWay.component) {
        note(entry, component);
    }
    ~UnderWayScope() { note(m_entry, m_component); }
    UnderWayScope(const UnderWayScope&) = delete;
    UnderWayScope& operator=(const UnderWayScope&) = delete;

private:
    static void note(const HandlerEntry* entry, const void* component) {
        // What comes after it in the program comes after it.
        std::atomic_signal_fence(std::memory_order_seq_cst);
        t_underWay.entry = entry;
        t_underWay.component = component;
        std::atomic_signal_fence(std::memory_order_seq_cst);
    }
    const HandlerEntry* m_entry;
    const void* m_component;
};

} // namespace sbx
