#include "widgets/console/console_history.h"

namespace sbx::ui {

bool ConsoleHistory::add(const QString& line) {
    stopWalking();
    if (line.trimmed().isEmpty() || line.startsWith(QLatin1Char(' ')))
        return false;
    if (!m_lines.isEmpty() && m_lines.last() == line)
        return false;
    m_lines.removeOne(line);
    m_lines.append(line);
    if (m_lines.size() > Limit)
        m_lines.removeFirst();
    return true;
}

void ConsoleHistory::setLines(const QStringList& lines) {
    m_lines.clear();
    for (const QString& line : lines)
        add(line);
    stopWalking();
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
