#pragma once
// Lines typed before, oldest first, in memory and in a file of the user's. Plain data.

#include <QString>
#include <QStringList>

#include <functional>

namespace sbx::ui {

class ConsoleHistory {
public:
    static constexpr qsizetype Limit = 1000;
    static constexpr qsizetype LongestLine = 4096; // characters; longer ones are not kept

    // A line typed again moves to the end. Blank lines are not kept, nor are those that begin with a space: the way to keep
    // something out of the history. True if the history changed.
    bool add(const QString& line);
    void setLines(const QStringList& lines);
    [[nodiscard]] const QStringList& lines() const { return m_lines; }

    // A line of the file each. A missing file is an empty history; false: it is there and cannot be read.
    bool load(const QString& file);
    // A temporary file and a rename; what another window wrote since load() is kept. Lines that are secrets by now, whichever window kept
    // them, go from here and from the file. False: it cannot be written.
    bool save(const QString& file, const std::function<bool(const QString&)>& isSecret = {});

    // Walking: the first older() takes what is typed; only lines that begin with it are visited. Past either end it stays
    // where it is; newer() than the newest gives back what was typed.
    [[nodiscard]] QString older(const QString& shown);
    [[nodiscard]] QString newer(const QString& shown);
    // The user typed: the next older() starts afresh.
    void stopWalking() { m_at = -1; }

    // Lines that contain the text, newest first; case does not matter unless the text has capitals.
    [[nodiscard]] QStringList matching(const QString& text, qsizetype most) const;

private:
    QStringList m_lines;
    QStringList m_fresh; // added since the file was read or written
    QString m_typed;
    qsizetype m_at = -1; // index shown; -1: not walking
};

} // namespace sbx::ui
