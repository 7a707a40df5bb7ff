#include "engine/net/link_settings.h"

#include "engine/core/nearest.h"

#include <array>
#include <charconv>
#include <cmath>

namespace sbx::net {

namespace {

enum class Kind : std::uint8_t { Duration, Share, Length, Rate, Span };

struct LinkKey {
    std::string_view name;
    Kind kind;
    Time LinkSettings::*time = nullptr;
    double LinkSettings::*number = nullptr;
};

constexpr std::array<LinkKey, 11> LinkKeys{{
    {"latency", Kind::Duration, &LinkSettings::latency},
    {"jitter", Kind::Duration, &LinkSettings::jitter},
    {"loss", Kind::Share, nullptr, &LinkSettings::loss},
    {"burst", Kind::Length, nullptr, &LinkSettings::burst},
    {"duplicate", Kind::Share, nullptr, &LinkSettings::duplicate},
    {"reorder", Kind::Share, nullptr, &LinkSettings::reorder},
    {"reorder-by", Kind::Duration, &LinkSettings::reorderBy},
    {"corrupt", Kind::Share, nullptr, &LinkSettings::corrupt},
    {"rate", Kind::Rate, nullptr, &LinkSettings::rate},
    {"queue", Kind::Duration, &LinkSettings::queue},
    {"blackout", Kind::Span},
}};

constexpr std::array<LinkPreset, 5> Presets{{
    {"none", "", "Datagrams arrive at once and as they were sent."},
    {"broadband", "latency=15ms jitter=2ms loss=0.1%", "A wired line within a country."},
    {"wifi", "latency=8ms jitter=12ms loss=1% burst=3 reorder=0.5%", "Wireless, with neighbours."},
    {"4g", "latency=35ms jitter=20ms loss=1.5% burst=4 rate=12Mbit queue=200ms", "A telephone, moving."},
    {"bad", "latency=80ms jitter=40ms loss=10% burst=3 duplicate=1% reorder=2% rate=1Mbit",
     "What a game must still bear."},
}};

struct Unit {
    std::string_view name;
    double factor;
};
constexpr std::array<Unit, 3> TimeUnits{{{"us", 1e3}, {"ms", 1e6}, {"s", 1e9}}};
constexpr std::array<Unit, 3> RateUnits{{{"bit", 1.0}, {"kbit", 1e3}, {"Mbit", 1e6}}};
// A day: longer makes no sense for a link and keeps every sum far from overflow.
constexpr double LongestNanoseconds = 86'400e9;
constexpr double HighestRate = 1e12;

class LinkParser {
public:
    explicit LinkParser(std::string_view text) : m_text(text) {}

    Result<LinkProfile> parse() {
        while (skipSpaces()) {
            if (Result<void> done = entry(); !done) {
                return done.error();
            }
        }
        return m_profile;
    }

private:
    bool skipSpaces() {
        while (m_at < m_text.size() && (m_text[m_at] == ' ' || m_text[m_at] == '\t' || m_text[m_at] == ',')) {
            ++m_at;
        }
        return m_at < m_text.size();
    }

    static Error fault(std::size_t from, std::size_t to, std::string message) {
        Error error;
        error.message = std::move(message);
        error.region = {1, static_cast<int>(from) + 1, 1, static_cast<int>(to) + 1};
        return error;
    }

    Result<void> entry() {
        const std::size_t start = m_at;
        std::size_t end = m_text.find_first_of(" \t,", start);
        end = end == std::string_view::npos ? m_text.size() : end;
        m_at = end;
        const std::string_view word = m_text.substr(start, end - start);
        const std::size_t equals = word.find('=');
        if (equals == std::string_view::npos) {
            for (const LinkPreset& preset : Presets) {
                if (preset.name == word) {
                    m_profile = parseLink(preset.text).value();
                    return {};
                }
            }
            return fault(start, end,
                         "'" + std::string(word) + "' has no value; expected key=value, as in latency=50ms, or none, broadband, "
                         "wifi, 4g or bad");
        }
        std::string_view name = word.substr(0, equals);
        bool up = true;
        bool down = true;
        if (name.starts_with("up.")) {
            down = false;
            name.remove_prefix(3);
        } else if (name.starts_with("down.")) {
            up = false;
            name.remove_prefix(5);
        }
        const LinkKey* key = nullptr;
        std::vector<std::string> names;
        for (const LinkKey& candidate : LinkKeys) {
            names.emplace_back(candidate.name);
            if (candidate.name == name) {
                key = &candidate;
            }
        }
        if (key == nullptr) {
            const std::string nearest = nearestName(name, names);
            return fault(start, start + equals,
                         "unknown link setting '" + std::string(name) + "'"
                             + (nearest.empty() ? std::string(
                                    "; expected latency, jitter, loss, burst, duplicate, reorder, "
                                    "reorder-by, corrupt, rate, queue or blackout")
                                                : "; did you mean " + nearest + "?"));
        }
        return value(*key, word.substr(equals + 1), start + equals + 1, end, up, down);
    }

    Result<void> value(const LinkKey& key, std::string_view text, std::size_t from, std::size_t to, bool up,
                       bool down) {
        if (key.kind == Kind::Span) {
            const std::size_t dots = text.find("..");
            if (dots == std::string_view::npos) {
                return fault(from, to,
                             "blackout is '" + std::string(text) + "'; expected a span, as in 2s..3s");
            }
            Result<double> begin = number(key, Kind::Duration, text.substr(0, dots), from, from + dots);
            if (!begin) {
                return begin.error();
            }
            Result<double> finish = number(key, Kind::Duration, text.substr(dots + 2), from + dots + 2, to);
            if (!finish) {
                return finish.error();
            }
            if (*finish < *begin) {
                return fault(from, to,
                             "blackout ends before it begins; expected an end at or after the beginning");
            }
            assign(up, down, [&](LinkSettings& s) {
                s.blackoutFrom = static_cast<Time>(*begin);
                s.blackoutUntil = static_cast<Time>(*finish);
            });
            return {};
        }
        Result<double> read = number(key, key.kind, text, from, to);
        if (!read) {
            return read.error();
        }
        assign(up, down, [&](LinkSettings& s) {
            if (key.time != nullptr) {
                s.*key.time = static_cast<Time>(*read);
            } else {
                s.*key.number = *read;
            }
        });
        return {};
    }

    template <typename Set> void assign(bool up, bool down, Set set) {
        if (up) {
            set(m_profile.up);
        }
        if (down) {
            set(m_profile.down);
        }
    }

    static Result<double> number(const LinkKey& key, Kind kind, std::string_view text, std::size_t from,
                                 std::size_t to) {
        double value = 0.0;
        const auto [rest, code] = std::from_chars(text.data(), text.data() + text.size(), value);
        const auto used = static_cast<std::size_t>(rest - text.data());
        const std::string_view unit = text.substr(code == std::errc() ? used : 0);
        const std::string quoted = std::string(key.name) + " is '" + std::string(text) + "'";
        if (code != std::errc() || !std::isfinite(value)) {
            return fault(from, to, quoted + "; expected a number " + expected(kind));
        }
        if (value < 0.0) {
            return fault(from, to, quoted + "; expected 0 or more");
        }
        switch (kind) {
        case Kind::Share:
            if (unit != "%" && !unit.empty()) {
                return fault(from + used, to, quoted + "; expected a number " + expected(kind));
            }
            value = unit == "%" ? value / 100.0 : value;
            if (value > 1.0) {
                return fault(from, to, quoted + "; expected at most 100%");
            }
            return value;
        case Kind::Length:
            if (!unit.empty() || value < 1.0 || value > 1e6) {
                return fault(from, to, quoted + "; expected a number " + expected(kind));
            }
            return value;
        case Kind::Duration:
            if (unit.empty() && value == 0.0) {
                return 0.0;
            }
            return scaled(TimeUnits, LongestNanoseconds, kind, value, unit, quoted, from, used, to);
        case Kind::Rate:
            if (unit.empty() && value == 0.0) {
                return 0.0;
            }
            return scaled(RateUnits, HighestRate, kind, value, unit, quoted, from, used, to);
        case Kind::Span:
            break;
        }
        return value;
    }

    static Result<double> scaled(const std::array<Unit, 3>& units, double highest, Kind kind, double value,
                                 std::string_view unit, const std::string& quoted, std::size_t from,
                                 std::size_t used, std::size_t to) {
        for (const Unit& candidate : units) {
            if (candidate.name == unit) {
                const double result = std::round(value * candidate.factor);
                if (result > highest) {
                    return fault(from, to, quoted + "; that is too much");
                }
                return result;
            }
        }
        return fault(from + used, to, quoted + "; expected a number " + expected(kind));
    }

    static std::string expected(Kind kind) {
        switch (kind) {
        case Kind::Share:
            return "in percent, as in 5%";
        case Kind::Length:
            return "of datagrams, 1 or more";
        case Kind::Rate:
            return "with bit, kbit or Mbit, as in 1Mbit";
        case Kind::Duration:
        case Kind::Span:
            break;
        }
        return "with us, ms or s, as in 50ms";
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    LinkProfile m_profile;
};

std::string shortest(double value) {
    char text[32];
    const auto end = std::to_chars(text, text + sizeof text, value).ptr;
    return {text, end};
}

// Of one, in percent, as people type it: the fewest digits that are read back as the same number.
std::string shareText(double share) {
    const double percent = share * 100.0;
    for (int digits = 1; digits < 17; ++digits) {
        char text[40];
        const auto [end, fault] = std::to_chars(text, text + sizeof text, percent, std::chars_format::general, digits);
        double read = 0.0;
        std::from_chars(text, end, read);
        if (read / 100.0 == share)
            return shortest(read) + "%";
    }
    return shortest(share); // not from a typed text
}

// In the largest unit of which there is one or more, if that is read back as the same number.
std::string rateText(double bits) {
    for (auto unit = RateUnits.rbegin(); unit != RateUnits.rend(); ++unit)
        if (bits >= unit->factor && std::round(bits / unit->factor * unit->factor) == bits)
            return shortest(bits / unit->factor) + std::string(unit->name);
    return shortest(bits) + "bit";
}

std::string timeText(Time time) {
    if (time % Second == 0) {
        return std::to_string(time / Second) + "s";
    }
    if (time % Millisecond == 0) {
        return std::to_string(time / Millisecond) + "ms";
    }
    return shortest(static_cast<double>(time) / 1e3) + "us";
}

std::string valueText(const LinkKey& key, const LinkSettings& settings) {
    switch (key.kind) {
    case Kind::Duration:
        return timeText(settings.*key.time);
    case Kind::Share:
        return shareText(settings.*key.number);
    case Kind::Length:
        return shortest(settings.*key.number);
    case Kind::Rate:
        return rateText(settings.*key.number);
    case Kind::Span:
        break;
    }
    return timeText(settings.blackoutFrom) + ".." + timeText(settings.blackoutUntil);
}

} // namespace

std::span<const LinkPreset> linkPresets() { return Presets; }

Result<LinkProfile> parseLink(std::string_view text) { return LinkParser(text).parse(); }

std::string toText(const LinkProfile& profile) {
    const LinkSettings defaults;
    std::string out;
    const auto add = [&out](std::string_view prefix, const LinkKey& key, const std::string& value) {
        out += (out.empty() ? "" : " ") + std::string(prefix) + std::string(key.name) + "=" + value;
    };
    for (const LinkKey& key : LinkKeys) {
        const std::string standard = valueText(key, defaults);
        const std::string up = valueText(key, profile.up);
        const std::string down = valueText(key, profile.down);
        if (up == down) {
            if (up != standard) {
                add("", key, up);
            }
            continue;
        }
        if (up != standard) {
            add("up.", key, up);
        }
        if (down != standard) {
            add("down.", key, down);
        }
    }
    return out;
}

} // namespace sbx::net
