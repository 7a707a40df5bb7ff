#pragma once
// The log's records as rows, filtered by severity, channel and text. No widgets.
//
// Data flow: the panel polls the log and append()s what is new; a repeated line updates its row. The newest Capacity records are
// kept whether shown or not, so that a filter applies to old lines too. GUI thread.

#include <QAbstractListModel>
#include <QMap>
#include <QRegularExpression>
#include <QSet>
#include <QString>

#include "engine/core/log.h"

#include <array>
#include <deque>

namespace sbx::ui {

class LogModel : public QAbstractListModel {
    Q_OBJECT

public:
    enum Role { SeverityRole = Qt::UserRole, ChannelRole, TimeRole, CountRole, SequenceRole };

    struct Row {
        quint64 sequence = 0;
        quint64 timeMs = 0;
        LogSeverity severity = LogSeverity::Info;
        QString channel;
        QString text;
        quint32 count = 1;

        [[nodiscard]] bool isConsole() const { return channel == QLatin1String("console"); }
        // A line that the user typed.
        [[nodiscard]] bool isInput() const { return isConsole() && text.startsWith(QLatin1String("> ")); }
    };

    static constexpr std::size_t Capacity = 20'000;

    explicit LogModel(QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QHash<int, QByteArray> roleNames() const override;
    // Of the rows shown.
    [[nodiscard]] const Row& at(int row) const;
    // What of a shown row the one above it says already: what the console answers to a line is one moment of one channel,
    // in however many rows.
    enum class Repeats { Nothing, Time, TimeAndSource };
    [[nodiscard]] Repeats repeats(int row) const;
    // "12.345 warning [net] text ×3"
    [[nodiscard]] QString plainText(int row) const;

    void append(const std::vector<LogRecord>& records);
    // Forgets all rows; what was repeated before does not count again.
    void clear();

    void setSeverityShown(LogSeverity severity, bool shown);
    [[nodiscard]] bool severityShown(LogSeverity severity) const {
        return m_severities[static_cast<std::size_t>(severity)];
    }
    void setChannelShown(const QString& channel, bool shown);
    [[nodiscard]] bool channelShown(const QString& channel) const {
        return !m_hiddenChannels.contains(channel);
    }
    // Lines that contain the text, or match it as a regular expression; case does not matter. Returns what is wrong with the
    // expression (the filter in force then stays), or nothing.
    QString setText(const QString& text, bool isExpression);

    // Of the unfiltered log, repetitions included.
    [[nodiscard]] quint64 count(LogSeverity severity) const {
        return m_counts[static_cast<std::size_t>(severity)];
    }
    [[nodiscard]] const QMap<QString, quint64>& channels() const { return m_channels; }
    // Rows there are, shown or not.
    [[nodiscard]] int total() const { return static_cast<int>(m_rows.size()); }
    // Latest sequence taken in.
    [[nodiscard]] quint64 latest() const { return m_latest; }

signals:
    // Rows, counts or channels are new.
    void countsChanged();

private:
    [[nodiscard]] bool shows(const Row& row) const;
    void refilter();
    void tally(const Row& row, quint64 count, bool add);
    bool repeat(const LogRecord& record);
    void dropOldest();

    std::deque<Row> m_rows;
    quint64 m_base = 0;            // absolute number of the first row
    std::deque<quint64> m_visible; // absolute numbers of the rows shown
    quint64 m_latest = 0;
    quint64 m_cleared = 0; // sequence up to which rows were cleared

    std::array<bool, LogSeverityCount> m_severities{};
    QSet<QString> m_hiddenChannels;
    QString m_text;
    QRegularExpression m_expression;
    bool m_isExpression = false;

    std::array<quint64, LogSeverityCount> m_counts{};
    QMap<QString, quint64> m_channels;
};

} // namespace sbx::ui
