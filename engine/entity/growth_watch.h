#pragma once
// Watches a count that should not grow without end: reports growth, and says when the limit is reached.
//
// One watch counts one thing of a world: entities, or queued messages. Up to 1/32 of the bound it costs its owner one comparison for
// each unit. From there on the owner names the adder of every eighth unit, so that the watch can name the component that adds most.
// Reports are due at 1/16, 1/8, 1/4 and 1/2 of the bound, and at the bound; each once, also if the count falls and grows again.
// Nothing here depends on a clock: the same run gives the same reports.

#include <cstdint>
#include <functional>
#include <map>
#include <string>

namespace sbx {

class GrowthWatch {
public:
    // Starts to watch: `count` units exist and are not counted, `bound` more are allowed; 0: no limit and no reports.
    void begin(std::uint64_t count, std::uint64_t bound);
    // Changes the bound of a watch that was started.
    void setBound(std::uint64_t bound);
    [[nodiscard]] std::uint64_t bound() const { return m_bound; }

    // With `count` units there, another one needs no add().
    [[nodiscard]] bool belowAttention(std::uint64_t count) const { return count < m_attention; }

    struct Adder {
        std::string component; // its type; empty: not a component
        std::string entity;    // its name
    };
    struct Verdict {
        bool refused = false;    // the bound is reached: the unit must not be added
        bool report = false;     // a report is due, with the members below
        std::uint64_t grown = 0; // units beyond the beginning, this one too unless it was refused
        // The component that added most of the sampled units: of one entity, or, if no single entity added half of them, of several, of
        // which one is named. Empty: unknown.
        Adder adder;
        bool several = false;
        unsigned percent = 0; // of the sampled units, by that component
    };
    // One more unit is to be added to `count`. `adder` is called for every eighth.
    Verdict add(std::uint64_t count, const std::function<Adder()>& adder);
    // The bound was reached since the last call.
    [[nodiscard]] bool takeRefused();

private:
    static constexpr std::uint64_t Parts = 16; // the first report is due at this fraction of the bound
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
    std::uint64_t m_next = 0;                      // units since begin() at which the next report is due
    std::uint64_t m_attention = ~std::uint64_t(0); // count from which on add() must be called
    std::uint64_t m_asked = 0;
    std::uint64_t m_looked = 0;
    std::map<std::string, Count> m_adders; // by component
    bool m_refused = false;
    bool m_boundReported = false;
};

} // namespace sbx
