#include "widgets/console/log_links.h"

#include <QRegularExpression>

#include <algorithm>

namespace sbx::ui {

namespace {

constexpr qsizetype LongestText = 8000;

bool isWordStart(QChar c) { return c.isLetter() || c == QLatin1Char('_'); }
bool isWord(QChar c) { return c.isLetterOrNumber() || c == QLatin1Char('_') || c == QLatin1Char('.'); }

// Where a word can be meant as a command.
bool commandStands(const QString& text, qsizetype at) {
    static const QRegularExpression Before(QStringLiteral(R"((^|\n)[ >]*$|did you mean $)"));
    return Before.match(QStringView(text).first(at).last(std::min<qsizetype>(at, 40))).hasMatch();
}

} // namespace

std::vector<LogLink> findLinks(const QString& whole, const LinkNames& names) {
    const QString text = whole.left(LongestText);
    std::vector<LogLink> out;
    // A file's name has an extension, so that 12:30 is a time and not a place.
    static const QRegularExpression Places(
        QStringLiteral(R"((?<![\w/.-])([\w./-]*\w\.[A-Za-z]\w*):(\d{1,9})(:\d{1,9})?)"));
    static const QRegularExpression Messages(QStringLiteral(R"((?<![\w#])#(\d{1,18})\b)"));
    for (auto it = Places.globalMatch(text); it.hasNext();) {
        const QRegularExpressionMatch match = it.next();
        out.push_back({LinkKind::Place, match.capturedStart(), match.capturedLength(), match.captured()});
    }
    for (auto it = Messages.globalMatch(text); it.hasNext();) {
        const QRegularExpressionMatch match = it.next();
        out.push_back({LinkKind::Message, match.capturedStart(), match.capturedLength(), match.captured(1)});
    }
    const auto taken = [&out](qsizetype at) {
        for (const LogLink& link : out)
            if (at >= link.begin && at < link.begin + link.length)
                return true;
        return false;
    };
    for (qsizetype at = 0; at < text.size();) {
        if (!isWordStart(text[at]) || taken(at)) {
            ++at;
            continue;
        }
        qsizetype end = at;
        while (end < text.size() && isWord(text[end]))
            ++end;
        qsizetype length = end - at;
        while (length > 0 && text[at + length - 1] == QLatin1Char('.')) // of a sentence
            --length;
        const QString word = text.mid(at, length);
        // crate_1.Health.current is of crate_1.
        const QString first = word.section(QLatin1Char('.'), 0, 0);
        if (names.isCVar && word.contains(QLatin1Char('.')) && names.isCVar(word))
            out.push_back({LinkKind::CVar, at, length, word});
        else if (names.isEntity && names.isEntity(first))
            out.push_back({LinkKind::Entity, at, first.size(), first});
        else if (names.isCommand && (word.contains(QLatin1Char('.')) || commandStands(text, at)) && names.isCommand(word))
            out.push_back({LinkKind::Command, at, length, word});
        at = end;
    }
    std::sort(out.begin(), out.end(), [](const LogLink& a, const LogLink& b) { return a.begin < b.begin; });
    return out;
}

} // namespace sbx::ui
