#include "widgets/console/console_history.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include "engine/core/whole_file.h"
#include "widgets/common/document_files.h"

namespace sbx::ui {

bool ConsoleHistory::add(const QString& line) {
    stopWalking();
    if (line.trimmed().isEmpty() || line.startsWith(QLatin1Char(' ')) || line.size() > LongestLine
        || line.contains(QLatin1Char('\n')))
        return false;
    if (!m_lines.isEmpty() && m_lines.last() == line)
        return false;
    m_lines.removeOne(line);
    m_lines.append(line);
    m_fresh.removeOne(line);
    m_fresh.append(line);
    if (m_fresh.size() > Limit)
        m_fresh.removeFirst();
    if (m_lines.size() > Limit)
        m_lines.removeFirst();
    return true;
}

void ConsoleHistory::setLines(const QStringList& lines) {
    m_lines.clear();
    for (const QString& line : lines)
        add(line);
    m_fresh.clear();
    stopWalking();
}

bool ConsoleHistory::load(const QString& name) {
    QFile file(name);
    if (!file.exists())
        return true;
    if (!file.open(QIODevice::ReadOnly))
        return false;
    // Of a file that grew by other means the end counts.
    constexpr qint64 Largest = 4 * Limit * LongestLine;
    if (file.size() > Largest)
        file.seek(file.size() - Largest);
    QStringList lines = QString::fromUtf8(file.readAll()).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    if (lines.size() > Limit)
        lines = lines.mid(lines.size() - Limit);
    setLines(lines);
    return true;
}

bool ConsoleHistory::save(const QString& name, const std::function<bool(const QString&)>& isSecret) {
    ConsoleHistory all;
    if (!all.load(name))
        return false;
    for (const QString& line : m_fresh)
        all.add(line);
    if (isSecret) {
        m_lines.removeIf(isSecret);
        all.m_lines.removeIf(isSecret);
    }
    if (!QDir().mkpath(QFileInfo(name).absolutePath()))
        return false;
    std::string text;
    for (const QString& line : all.lines())
        text += line.toStdString() + '\n';
    // What is typed may be private.
    if (!writeFileSafely(pathOf(name), text, FileAccess::Private))
        return false;
    m_fresh.clear();
    return true;
}

QStringList ConsoleHistory::matching(const QString& text, qsizetype most) const {
    const bool exact = text != text.toLower();
    QStringList out;
    for (qsizetype i = m_lines.size() - 1; i >= 0 && out.size() < most; --i)
        if (m_lines[i].contains(text, exact ? Qt::CaseSensitive : Qt::CaseInsensitive))
            out.append(m_lines[i]);
    return out;
}

QString ConsoleHistory::older(const QString& shown) {
    const qsizetype from = m_at < 0 ? m_lines.size() : m_at;
    if (m_at < 0)
        m_typed = shown;
    for (qsizetype i = from - 1; i >= 0; --i)
        if (m_lines[i].startsWith(m_typed) && m_lines[i] != m_typed) {
            m_at = i;
            return m_lines[i];
        }
    return shown;
}

QString ConsoleHistory::newer(const QString& shown) {
    if (m_at < 0)
        return shown;
    for (qsizetype i = m_at + 1; i < m_lines.size(); ++i)
        if (m_lines[i].startsWith(m_typed) && m_lines[i] != m_typed) {
            m_at = i;
            return m_lines[i];
        }
    m_at = -1;
    return m_typed;
}

} // namespace sbx::ui
