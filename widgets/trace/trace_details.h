#pragma once
// One record explained: envelope, fields with units and docs, every handler in priority order with what it
// did, the causes above it and what it caused. Links go to entities and records. GUI thread; the model
// must outlive it.

#include <QTextBrowser>

#include <cstdint>

class QMenu;

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
    // The menu is about to open on a field of the message: its entries go there now.
    void menuOfField(QMenu& menu, const QString& field);

protected:
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    // The field whose row in the table of fields is there; empty: none is.
    [[nodiscard]] QString fieldAt(const QPoint& point) const;
    void rebuild();
    [[nodiscard]] QString html();

    const Theme& m_theme;
    const TraceModel& m_model;
    std::uint64_t m_sequence = 0;
    QString m_comment;      // as it is shown
    bool m_complete = true; // else the rest of the page is being read from the disk
};

} // namespace sbx::ui
