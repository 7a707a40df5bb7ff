#pragma once
// Sees a count grow that should not, says so while it does, and says where to stop.
//
// One watch counts one thing of a world: entities, or messages that wait. Up to a thirty-second of the bound it costs its owner one
// comparison a unit. From there on the owner says who adds units (of one in eight), so that the watch can name who added most; it
// speaks at a sixteenth, an eighth, a quarter and half of the bound, and at the bound. What falls and grows again is not spoken of
// again below what was reached. Nothing here depends on a clock: the same run says the same.

#include <cstdint>
#include <functional>
#include <map>
#include <string>

namespace sbx {

class GrowthWatch {
public:
    // From now on `count` units are none of its business, and `bound` more are the most there may be; 0: any number, of which
    // nothing is said.
    void begin(std::uint64_t count, std::uint64_t bound);
    // Another bound for what goes on.
    void setBound(std::uint64_t bound);
    [[nodiscard]] std::uint64_t bound() const { return m_bound; }

    // With `count` units there, another one needs no add().
    [[nodiscard]] bool belowAttention(std::uint64_t count) const { return count < m_attention; }

    struct Adder {
        std::string component; // its type; empty: nobody of the world's own
        std::string entity;    // its name
    };
    struct Verdict {
        bool refused = false;    // the bound is reached: it may not come
        bool report = false;     // what follows is news
        std::uint64_t grown = 0; // units beyond the beginning, this one too unless it was refused
        // Who added most of those looked at: a component of one entity, or, if none of its entities added half of its, of several,
        // of which one is named. Empty: nobody was known.
        Adder adder;
        bool several = false;
        unsigned percent = 0; // of those looked at, by that component
    };
    // Another unit comes to `count`. `adder` is not always asked.
    Verdict add(std::uint64_t count, const std::function<Adder()>& adder);
    // The bound was reached since it was last asked.
    [[nodiscard]] bool takeRefused();

private:
    static constexpr std::uint64_t Parts = 16; // of the bound: the first that is spoken of is one
    void note(Adder adder);
    void nameAdder(Verdict& verdict);

    static constexpr std::size_t MaxNames =
        64; // remembered at a time, of components and of each one's entities
    struct Count {
        std::uint64_t units = 0;
        std::map<std::string, std::uint64_t> byEntity;
    };

    std::uint64_t m_begun = 0;
    std::uint64_t m_bound = 0;
    std::uint64_t m_next = 0;      // units beyond the beginning that are spoken of next
    std::uint64_t m_attention = ~std::uint64_t(0); // count from which on add() wants to be asked
    std::uint64_t m_asked = 0;
    std::uint64_t m_looked = 0;
    std::map<std::string, Count> m_adders; // by component
    bool m_refused = false;
    bool m_boundReported = false;
};

} // namespace sbx
