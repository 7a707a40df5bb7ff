#include "widgets/common/theme_icon.h"

#include <QDir>
#include <QFile>
#include <QPaintDevice>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>

#include <algorithm>

namespace sbx::ui {

namespace {

QString resourceOf(const QString& name) { return QStringLiteral(":/sbx/icons/%1.svg").arg(name); }

} // namespace

ThemeIconEngine::ThemeIconEngine(const Theme& theme, QString name, Tint tint)
    : m_theme(&theme), m_name(std::move(name)), m_tint(std::move(tint)) {
    if (!QFile::exists(resourceOf(m_name)))
        m_name = QStringLiteral("unknown");
}

QColor ThemeIconEngine::color(QIcon::Mode mode) const {
    if (mode == QIcon::Disabled)
        return m_theme->color(Token::Disabled);
    if (const auto* token = std::get_if<Token>(&m_tint))
        return m_theme->color(*token);
    if (const auto* fixed = std::get_if<QColor>(&m_tint))
        return *fixed;
    // A little quieter than text until pointed at.
    const QColor text = m_theme->color(Token::Text);
    return mode == QIcon::Normal ? mix(text, m_theme->color(Token::Muted), 0.35) : text;
}

QPixmap ThemeIconEngine::draw(const QSize& pixels, const QColor& color) const {
    const QString key = QStringLiteral("sbx/%1/%2/%3x%4")
                            .arg(m_name, color.name(QColor::HexArgb), QString::number(pixels.width()),
                                 QString::number(pixels.height()));
    QPixmap pixmap;
    if (QPixmapCache::find(key, &pixmap))
        return pixmap;
    QFile file(resourceOf(m_name));
    QImage image(pixels, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    if (file.open(QIODevice::ReadOnly)) {
        QByteArray svg = file.readAll();
        svg.replace("currentColor", color.name().toLatin1());
        QSvgRenderer renderer(svg);
        QPainter painter(&image);
        const int side = std::min(pixels.width(), pixels.height());
        renderer.render(&painter,
                        QRectF((pixels.width() - side) / 2.0, (pixels.height() - side) / 2.0, side, side));
    }
    pixmap = QPixmap::fromImage(image);
    QPixmapCache::insert(key, pixmap);
    return pixmap;
}

void ThemeIconEngine::paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) {
    if (m_theme.isNull())
        return;
    const qreal scale = painter->device() != nullptr ? painter->device()->devicePixelRatioF() : 1.0;
    painter->drawPixmap(rect, draw((QSizeF(rect.size()) * scale).toSize(), color(mode)));
}

QPixmap ThemeIconEngine::pixmap(const QSize& size, QIcon::Mode mode, QIcon::State) {
    return m_theme.isNull() || size.isEmpty() ? QPixmap() : draw(size, color(mode));
}

QPixmap ThemeIconEngine::scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State state, qreal) {
    // Qt 6.4 asks in pixels here.
    return pixmap(size, mode, state);
}

QSize ThemeIconEngine::actualSize(const QSize& size, QIcon::Mode, QIcon::State) { return size; }

QList<QSize> ThemeIconEngine::availableSizes(QIcon::Mode, QIcon::State) {
    return {QSize(measure::IconSize, measure::IconSize), QSize(24, 24), QSize(32, 32), QSize(48, 48)};
}

QString ThemeIconEngine::iconName() { return m_name; }

bool ThemeIconEngine::isNull() { return false; }

QString ThemeIconEngine::key() const { return QStringLiteral("sbx::ThemeIconEngine"); }

QIconEngine* ThemeIconEngine::clone() const { return new ThemeIconEngine(*this); }

QStringList ThemeIconEngine::names() {
    QStringList names =
        QDir(QStringLiteral(":/sbx/icons")).entryList({QStringLiteral("*.svg")}, QDir::Files, QDir::Name);
    for (QString& name : names)
        name.chop(4);
    return names;
}

} // namespace sbx::ui
