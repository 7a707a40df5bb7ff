#pragma once
// One record explained: envelope, fields with units and docs, every handler in priority order with what it
// did, the causes above it and what it caused; its bytes as the network carries them, which light with their fields. Links go to entities and
// records. GUI thread; the model must outlive it.

#include <QTextBrowser>

#include "widgets/trace/byte_lights.h"

#include <cstdint>

class QMenu;
class QTextTable;

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
    [[nodiscard]] const ByteLights& lights() const { return m_lights; }

signals:
    void sequencePicked(quint64 sequence);
    void entityPicked(const QString& entity);
    // A line of source code, counted from 1.
    void codePicked(const QString& file, int line);
    // Messages of this type are to be recorded from now on.
    void recordWanted(const QString& type);
    // The menu is about to open on a field of the message: its entries go there now.
    void menuOfField(QMenu& menu, const QString& field);

protected:
    void contextMenuEvent(QContextMenuEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    bool viewportEvent(QEvent* event) override;

private:
    // The table of fields in the document; null: the message has none.
    [[nodiscard]] const QTextTable* fieldTable() const;
    // Whose row or byte is there.
    [[nodiscard]] std::optional<std::size_t> litAt(const QPoint& point) const;
    [[nodiscard]] std::optional<std::size_t> rowAt(const QPoint& point) const;
    // The field whose row in the table of fields is there; empty: none is.
    [[nodiscard]] QString fieldAt(const QPoint& point) const;
    void rebuild();
    [[nodiscard]] bool isIgnored() const;
    [[nodiscard]] QString html();

    const Theme& m_theme;
    const TraceModel& m_model;
    std::uint64_t m_sequence = 0;
    QString m_comment;      // as it is shown
    bool m_ignored = false; // the same
    bool m_complete = true; // else the rest of the page is being read from the disk
    ByteLights m_lights{*this};
    QPoint m_pressed;
};

} // namespace sbx::ui
