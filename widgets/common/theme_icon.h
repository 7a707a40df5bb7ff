#pragma once
// Draws one SVG of our set in the theme's colours at the size asked for, in device pixels. Made by Theme::icon; owned
// by the QIcon.

#include <QIconEngine>
#include <QPointer>

#include "widgets/common/theme.h"

#include <optional>
#include <variant>

namespace sbx::ui {

class ThemeIconEngine : public QIconEngine {
public:
    using Tint = std::variant<std::monostate, Token, QColor>;

    ThemeIconEngine(const Theme& theme, QString name, Tint tint = {});

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override;
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override;
    QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State state, qreal scale) override;
    QSize actualSize(const QSize& size, QIcon::Mode mode, QIcon::State state) override;
    QList<QSize> availableSizes(QIcon::Mode mode, QIcon::State state) override;
    QString iconName() override;
    bool isNull() override;
    QString key() const override;
    QIconEngine* clone() const override;

    [[nodiscard]] static QStringList names();

private:
    // On or off look alike: item views ask for On where a row is merely expanded. Buttons tint what is on
    // themselves.
    [[nodiscard]] QColor color(QIcon::Mode mode) const;
    [[nodiscard]] QPixmap draw(const QSize& pixels, const QColor& color) const;

    QPointer<const Theme> m_theme;
    QString m_name;
    Tint m_tint;
};

} // namespace sbx::ui
