#pragma once
// One record explained: envelope, fields with units and docs, every handler in priority order with what it
// did, the causes above it and what it caused. Links go to entities and records. GUI thread; the model
// must outlive it.

#include <QTextBrowser>

#include <cstdint>

namespace sbx::ui {

class Theme;
class TraceModel;

class TraceDetails : public QTextBrowser {
    Q_OBJECT

public:
    TraceDetails(const Theme& theme, const TraceModel& model, QWidget* parent = nullptr);

    // 0: none. For a record that is no longer held a line says that.
    void show(std::uint64_t sequence);
    [[nodiscard]] std::uint64_t sequence() const { return m_sequence; }

signals:
    void sequencePicked(quint64 sequence);
    void entityPicked(const QString& entity);
    // Messages of this type are to be recorded from now on.
    void recordWanted(const QString& type);

protected:
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    void rebuild();
    void addIcons();
    [[nodiscard]] QString html() const;

    const Theme& m_theme;
    const TraceModel& m_model;
    std::uint64_t m_sequence = 0;
    QString m_comment; // as it is shown
};

} // namespace sbx::ui
