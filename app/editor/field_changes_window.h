#pragma once
// Who changed one value of an entity, newest first, as FieldHistory kept it, and what caused that, as the trace has it; renewed while the
// world runs. Links go to messages. GUI thread.

#include <QDialog>

#include "engine/session/field_history.h"

#include <map>

class QTextBrowser;
class QTimer;

namespace sbx::ui {
class RecordPage;
class SessionFeed;
class Theme;
class TraceModel;
} // namespace sbx::ui

namespace sbx::editor {

class FieldChangesWindow : public QDialog {
    Q_OBJECT

public:
    FieldChangesWindow(ui::SessionFeed& feed, const ui::Theme& theme, ui::TraceModel& trace, QWidget* parent);

    // `component` empty: the entity's place.
    void ask(const QString& entity, const QString& component, const QString& field);

signals:
    void recordPicked(qulonglong sequence);
    void entityPicked(const QString& entity);
    // Messages of this type are to be recorded from now on.
    void recordWanted(const QString& type);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void request();
    void show(const ValueChanges& changes);
    using QDialog::show;
    void write();
    void follow(const QUrl& link);
    [[nodiscard]] QString line(const ValueChange& change, bool open) const;
    [[nodiscard]] static QString who(const ui::RecordPage& page, const ValueChange& change);

    ui::SessionFeed& m_feed;
    const ui::Theme& m_theme;
    ui::TraceModel& m_trace;
    QTextBrowser* m_text;
    QTimer* m_timer;
    QString m_entity;
    QString m_component;
    QString m_field;
    ValueChanges m_changes;
    std::map<std::uint64_t, bool> m_causesShown; // by sequence: what a person opened or closed
    QString m_html;
};

} // namespace sbx::editor
