#pragma once
// Who changed one value of an entity, newest first, as FieldHistory kept it; renewed while the world runs. Links go to messages. GUI
// thread.

#include <QDialog>

#include "engine/session/field_history.h"

class QTextBrowser;
class QTimer;

namespace sbx::ui {
class SessionFeed;
class Theme;
} // namespace sbx::ui

namespace sbx::editor {

class FieldChangesWindow : public QDialog {
    Q_OBJECT

public:
    FieldChangesWindow(ui::SessionFeed& feed, const ui::Theme& theme, QWidget* parent);

    // `component` empty: the entity's place.
    void ask(const QString& entity, const QString& component, const QString& field);

signals:
    void recordPicked(qulonglong sequence);
    void entityPicked(const QString& entity);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void request();
    void show(const ValueChanges& changes);
    using QDialog::show;
    [[nodiscard]] QString line(const ValueChange& change) const;

    ui::SessionFeed& m_feed;
    const ui::Theme& m_theme;
    QTextBrowser* m_text;
    QTimer* m_timer;
    QString m_entity;
    QString m_component;
    QString m_field;
    QString m_html;
};

} // namespace sbx::editor
