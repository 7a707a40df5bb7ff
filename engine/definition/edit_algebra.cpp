// Edits as values: applying, inverting and composing them. Nothing here knows TOML.
#include "engine/definition/text_edit.h"

#include <algorithm>

namespace sbx::definition {

Result<std::string> applyEdits(std::string_view text, const TextEdits& edits) {
    std::string out;
    std::size_t at = 0;
    for (const TextEdit& edit : edits) {
        if (edit.offset < at || edit.offset > text.size())
            return Error{"edits overlap, are not sorted or lie outside the text", {}, {}};
        if (text.substr(edit.offset, edit.removed.size()) != edit.removed)
            return Error{"the text has changed since the edit was made", {}, {}};
        out += text.substr(at, edit.offset - at);
        out += edit.inserted;
        at = edit.offset + edit.removed.size();
    }
    return out += text.substr(at);
}

TextEdits inverseOf(const TextEdits& edits) {
    TextEdits out;
    std::size_t grown = 0; // may wrap around when the text shrinks; sums still come out right
    for (const TextEdit& edit : edits) {
        out.push_back({edit.offset + grown, edit.inserted, edit.removed});
        grown += edit.inserted.size() - edit.removed.size();
    }
    return out;
}

void applyInPlace(std::string& text, const TextEdits& edits) {
    if (edits.size() == 1) {
        text.replace(edits[0].offset, edits[0].removed.size(), edits[0].inserted);
        return;
    }
    // Each byte is moved once, however many edits there are.
    std::string out;
    std::size_t at = 0;
    std::size_t size = text.size();
    for (const TextEdit& edit : edits)
        size += edit.inserted.size() - edit.removed.size(); // may wrap around; the sum comes out right
    out.reserve(size);
    for (const TextEdit& edit : edits) {
        out.append(text, at, edit.offset - at);
        out += edit.inserted;
        at = edit.offset + edit.removed.size();
    }
    out.append(text, at);
    text = std::move(out);
}

namespace {

// Edits that touch each other, of both sets, as one. Positions count in the text between the two sets.
class Cluster {
public:
    Cluster(std::size_t begin, std::size_t end) : m_begin(begin), m_between(end - begin, '\0') {}

    void cover(std::size_t at, const std::string& text) {
        std::copy(text.begin(), text.end(), m_between.begin() + static_cast<std::ptrdiff_t>(at - m_begin));
    }
    // The text between with stretches replaced, which come in ascending order.
    class Side {
    public:
        explicit Side(const Cluster& cluster) : m_cluster(cluster) {}
        void replace(std::size_t at, std::size_t size, const std::string& with) {
            m_out.append(m_cluster.m_between, m_at, at - m_cluster.m_begin - m_at);
            m_out += with;
            m_at = at - m_cluster.m_begin + size;
        }
        [[nodiscard]] std::string finish() { return std::move(m_out.append(m_cluster.m_between, m_at)); }

    private:
        const Cluster& m_cluster;
        std::string m_out;
        std::size_t m_at = 0;
    };

private:
    std::size_t m_begin;
    std::string m_between; // known throughout: what the first set put in, and what the second takes out
};

} // namespace

TextEdits composed(TextEdits first, TextEdits second) {
    TextEdits out;
    out.reserve(std::max(first.size(), second.size()));
    std::size_t grown = 0; // by the first set, before its next edit; may wrap around
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < first.size() || j < second.size()) {
        const std::size_t grownBefore = grown;
        const std::size_t firstFrom = i;
        const std::size_t secondFrom = j;
        const auto ours = [&] { return first[i].offset + grown; };
        const std::size_t begin = j == second.size()  ? ours()
                                  : i == first.size() ? second[j].offset
                                                      : std::min(ours(), second[j].offset);
        std::size_t end = begin;
        for (bool more = true; more;) {
            more = false;
            if (i < first.size() && ours() <= end) {
                end = std::max(end, ours() + first[i].inserted.size());
                grown += first[i].inserted.size() - first[i].removed.size();
                ++i;
                more = true;
            }
            if (j < second.size() && second[j].offset <= end) {
                end = std::max(end, second[j].offset + second[j].removed.size());
                ++j;
                more = true;
            }
        }
        TextEdit edit;
        edit.offset = begin - grownBefore;
        if (i == firstFrom + 1 && j == secondFrom + 1 && first[firstFrom].inserted.size() == end - begin
            && second[secondFrom].removed.size() == end - begin) {
            edit.removed = std::move(first[firstFrom].removed); // replaced again, as a drag does
            edit.inserted = std::move(second[secondFrom].inserted);
        } else {
            Cluster cluster(begin, end);
            std::size_t shift = grownBefore;
            for (std::size_t k = firstFrom; k < i; ++k) {
                cluster.cover(first[k].offset + shift, first[k].inserted);
                shift += first[k].inserted.size() - first[k].removed.size();
            }
            for (std::size_t k = secondFrom; k < j; ++k)
                cluster.cover(second[k].offset, second[k].removed);
            Cluster::Side before(cluster);
            shift = grownBefore;
            for (std::size_t k = firstFrom; k < i; ++k) {
                before.replace(first[k].offset + shift, first[k].inserted.size(), first[k].removed);
                shift += first[k].inserted.size() - first[k].removed.size();
            }
            Cluster::Side after(cluster);
            for (std::size_t k = secondFrom; k < j; ++k)
                after.replace(second[k].offset, second[k].removed.size(), second[k].inserted);
            edit.removed = before.finish();
            edit.inserted = after.finish();
        }
        if (edit.removed != edit.inserted)
            out.push_back(std::move(edit));
    }
    return out;
}

} // namespace sbx::definition
