#pragma once
// One severity's switch above the log: icon and count. On is the usual state and stays quiet; off is dimmed and struck through,
// because hidden lines must not go unnoticed. GUI thread; parent owns it.

#include <QAbstractButton>

#include "engine/core/log.h"

namespace sbx::ui {

class Theme;

class SeverityPill : public QAbstractButton {
    Q_OBJECT

public:
    // `label` names the lines: "Errors".
    SeverityPill(const Theme& theme, LogSeverity severity, const QString& label, QWidget* parent = nullptr);

    void setCount(quint64 count);
    [[nodiscard]] LogSeverity severity() const { return m_severity; }
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    const Theme& m_theme;
    LogSeverity m_severity;
    QString m_label;
    quint64 m_count = 0;
};

} // namespace sbx::ui
