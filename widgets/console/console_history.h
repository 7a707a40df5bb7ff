#pragma once
// Lines typed before, oldest first. Plain data: the panel's owner keeps it across runs.

#include <QString>
#include <QStringList>

namespace sbx::ui {

class ConsoleHistory {
public:
    static constexpr qsizetype Limit = 1000;

    // A line typed again moves to the end. Blank lines are not kept, nor are those that begin with a space: the way to keep
    // something out of the history. True if the history changed.
    bool add(const QString& line);
    void setLines(const QStringList& lines);
    [[nodiscard]] const QStringList& lines() const { return m_lines; }

    // Walking: the first older() takes what is typed; only lines that begin with it are visited. Past either end it stays
    // where it is; newer() than the newest gives back what was typed.
    [[nodiscard]] QString older(const QString& shown);
    [[nodiscard]] QString newer(const QString& shown);
    // The user typed: the next older() starts afresh.
    void stopWalking() { m_at = -1; }

private:
    QStringList m_lines;
    QString m_typed;
    qsizetype m_at = -1; // index shown; -1: not walking
};

} // namespace sbx::ui
