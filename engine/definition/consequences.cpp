#include "engine/definition/consequences.h"

#include "engine/definition/lookup.h"
#include "engine/definition/toml_syntax.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace sbx::definition {

namespace {

constexpr std::string_view LeftOut = " left out: ";
constexpr std::string_view HasAFault = " has a fault";
constexpr std::string_view ItsBase = "its base ";
constexpr std::string_view ItsParent = "its parent ";
constexpr std::string_view TheType = "the type ";
constexpr std::string_view OneEntity = "this entity is";
constexpr std::string_view MoreEntities = " entities from here on are";

Diagnostic warning(std::string file, const SourceRegion& region, std::string what) {
    return {Severity::Warning, std::move(file), region, std::move(what), {}, {}};
}

std::string leftOutText(std::string_view who, std::string_view relation, std::string_view cause,
                        std::string_view end) {
    return std::string(who) + std::string(LeftOut) + std::string(relation) + std::string(cause)
           + std::string(end);
}

// A type or an instance of the scene.
struct Subject {
    bool isType = false;
    std::string name;
    friend auto operator<=>(const Subject&, const Subject&) = default;
};

struct Consequence {
    Subject subject;           // who is left out; without a name: instances of a type
    std::size_t instances = 0; // of those
    Subject cause;
};

// Reads what the functions above write.
std::optional<Consequence> consequenceIn(const Diagnostic& problem) {
    const std::string_view what = problem.what;
    const std::size_t split = what.find(LeftOut);
    if (problem.severity != Severity::Warning || split == std::string_view::npos || !problem.expected.empty())
        return std::nullopt;
    std::string_view who = what.substr(0, split);
    std::string_view why = what.substr(split + LeftOut.size());
    const auto take = [&why](std::string_view beginning) {
        if (!why.starts_with(beginning))
            return false;
        why.remove_prefix(beginning.size());
        return true;
    };
    const auto cut = [](std::string_view from, std::string_view end) {
        return std::string(from.substr(0, from.size() - end.size()));
    };
    constexpr std::string_view Is = " is";
    Consequence out;
    if (take(TheType)) {
        if (!why.ends_with(HasAFault))
            return std::nullopt;
        out.cause = {true, cut(why, HasAFault)};
        out.instances = 1;
        if (who != OneEntity
            && (!who.ends_with(MoreEntities)
                || std::from_chars(who.data(), who.data() + who.size(), out.instances).ec != std::errc()))
            return std::nullopt;
        return out;
    }
    const bool base = take(ItsBase);
    if ((!base && !take(ItsParent)) || !who.ends_with(Is))
        return std::nullopt;
    out.subject = {base, cut(who, Is)};
    if (why.ends_with(HasAFault))
        out.cause = {base, cut(why, HasAFault)};
    else if (!base && why.ends_with(Is))
        out.cause = {base, cut(why, Is)};
    else
        return std::nullopt;
    return out;
}

// Errors by what they are a fault of, and the way from consequences to them.
class Causes {
public:
    Causes(const std::vector<Diagnostic>& problems, const FileText& textOf) : m_textOf(textOf) {
        constexpr std::size_t MaxErrors = 100; // each costs a look at its text
        std::size_t seen = 0;
        for (std::size_t i = 0; i < problems.size() && seen < MaxErrors; ++i) {
            if (problems[i].severity != Severity::Error)
                continue;
            ++seen;
            if (const std::optional<Subject> subject = subjectAt(problems[i]))
                m_errors.emplace(*subject, i); // the first of each
        }
    }
    void add(const Consequence& consequence) {
        if (!consequence.subject.name.empty())
            m_followsFrom.emplace(consequence.subject, consequence.cause);
    }
    // The error behind a consequence that stands in `file`; none: it is not in the list.
    [[nodiscard]] std::optional<std::size_t> error(Subject cause, const std::string& file) const {
        // Each step goes to another subject, or there is no end to be found.
        for (std::size_t steps = 0; steps <= m_followsFrom.size() + 1; ++steps) {
            if (const auto found = m_errors.find(cause); found != m_errors.end())
                return found->second;
            if (const auto next = m_followsFrom.find(cause); next != m_followsFrom.end()) {
                cause = next->second;
                continue;
            }
            // An instance that is left out with its type is not named in a warning of its own.
            if (cause.isType)
                return std::nullopt;
            const std::string_view scene = m_textOf(file);
            const std::optional<SourceRegion> instance = findInstance(scene, cause.name);
            if (!instance)
                return std::nullopt;
            cause = {true,
                     locate(scene, LineIndex(scene).offset(instance->line, instance->column)).entityType};
        }
        return std::nullopt;
    }

private:
    [[nodiscard]] std::optional<Subject> subjectAt(const Diagnostic& problem) const {
        const std::string_view text = m_textOf(problem.file);
        if (text.empty() || problem.region.line < 1)
            return std::nullopt;
        const TextLocation at =
            locate(text, LineIndex(text).offset(problem.region.line, std::max(1, problem.region.column)));
        if (!at.instance.empty())
            return Subject{false, at.instance};
        if (!at.entityType.empty())
            return Subject{true, at.entityType};
        return std::nullopt;
    }

    const FileText& m_textOf;
    std::map<Subject, std::size_t> m_errors;
    std::map<Subject, Subject> m_followsFrom;
};

struct Followers {
    std::vector<std::string> types;
    std::vector<std::string> instances; // that are named
    std::size_t unnamed = 0;
};

std::string followersText(const Followers& followers) {
    constexpr std::size_t MaxNames = 3;
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < followers.types.size(); ++i) {
        if (i == MaxNames) {
            parts.push_back(std::to_string(followers.types.size() - i) + " more types");
            break;
        }
        parts.push_back(followers.types[i]);
    }
    const std::size_t instances = followers.instances.size() + followers.unnamed;
    if (instances == 1 && followers.unnamed == 0)
        parts.push_back(followers.instances.front());
    else if (instances > 0)
        parts.push_back(std::to_string(instances) + (instances == 1 ? " entity" : " entities"));
    std::string out;
    for (std::size_t i = 0; i < parts.size(); ++i)
        out += (i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ") + parts[i];
    return out;
}

} // namespace

Diagnostic leftOutWithBase(std::string file, const SourceRegion& region, const std::string& type,
                           const std::string& base) {
    return warning(std::move(file), region, leftOutText(type + " is", ItsBase, base, HasAFault));
}

Diagnostic leftOutWithType(std::string file, const SourceRegion& region, std::size_t instances,
                           const std::string& type) {
    const std::string who =
        instances == 1 ? std::string(OneEntity) : std::to_string(instances) + std::string(MoreEntities);
    return warning(std::move(file), region, leftOutText(who, TheType, type, HasAFault));
}

Diagnostic leftOutWithParent(std::string file, const SourceRegion& region, const std::string& instance,
                             const std::string& parent, bool parentIsLeftOut) {
    return warning(std::move(file), region,
                   leftOutText(instance + " is", ItsParent, parent, parentIsLeftOut ? " is" : HasAFault));
}

void nameConsequencesWithCauses(Diagnostics& problems, const FileText& textOf) {
    std::vector<std::optional<Consequence>> consequences;
    for (const Diagnostic& problem : problems.items)
        consequences.push_back(consequenceIn(problem));
    if (std::none_of(consequences.begin(), consequences.end(), [](const auto& c) { return c.has_value(); }))
        return;
    Causes causes(problems.items, textOf);
    for (const auto& consequence : consequences)
        if (consequence)
            causes.add(*consequence);
    std::map<std::size_t, Followers> followers; // by error
    std::vector<bool> taken(problems.items.size(), false);
    for (std::size_t i = 0; i < consequences.size(); ++i) {
        if (!consequences[i])
            continue;
        const std::optional<std::size_t> error = causes.error(consequences[i]->cause, problems.items[i].file);
        if (!error)
            continue;
        taken[i] = true;
        Followers& of = followers[*error];
        const Subject& subject = consequences[i]->subject;
        if (subject.name.empty())
            of.unnamed += consequences[i]->instances;
        else
            (subject.isType ? of.types : of.instances).push_back(subject.name);
    }
    for (const auto& [error, of] : followers)
        problems.items[error].what += " (concerns also " + followersText(of) + ")";
    std::size_t at = 0;
    std::erase_if(problems.items, [&](const Diagnostic&) { return taken[at++]; });
}

} // namespace sbx::definition
