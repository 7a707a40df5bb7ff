#pragma once
// Names of settings at the lines between entities: small plates over the picture. Takes no mouse. GUI thread; the view owns it.

#include <QFont>
#include <QRect>
#include <QSize>
#include <QString>
#include <QWidget>

#include <vector>

namespace sbx::ui {

class Theme;

class LinkLabels : public QWidget {
    Q_OBJECT

public:
    struct Label {
        QRect area; // in this widget
        QString text;
        bool broken = false; // it warns
        friend bool operator==(const Label&, const Label&) = default;
    };

    // Fills its parent.
    LinkLabels(const Theme& theme, QWidget* parent);

    [[nodiscard]] QSize sizeOf(const QString& text) const;
    void show(std::vector<Label> labels);
    [[nodiscard]] const std::vector<Label>& labels() const { return m_labels; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] QFont labelFont() const;

    const Theme& m_theme;
    std::vector<Label> m_labels;
};

} // namespace sbx::ui
