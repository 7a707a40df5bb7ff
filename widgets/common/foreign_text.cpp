#include "widgets/common/foreign_text.h"

#include <QTextDocument>

#include "engine/core/printable.h"

namespace sbx::ui {

namespace {

std::string_view viewOf(const QByteArray& bytes) {
    return {bytes.constData(), static_cast<std::size_t>(bytes.size())};
}

} // namespace

QString shownText(std::string_view text) { return QString::fromStdString(printable(text)); }

QString shownText(const QString& text) { return shownText(viewOf(text.toUtf8())); }

QString shownLine(std::string_view text) { return QString::fromStdString(printableLine(text)); }

QString shownLine(const QString& text) { return shownLine(viewOf(text.toUtf8())); }

QString menuText(const QString& text) { return shownLine(text).replace(QLatin1Char('&'), QLatin1String("&&")); }

QString tipText(std::string_view text) {
    const QString shown = shownText(text);
    return Qt::mightBeRichText(shown)
               ? QStringLiteral("<p style='white-space:pre-wrap'>%1</p>").arg(shown.toHtmlEscaped())
               : shown;
}

QString tipText(const QString& text) { return tipText(viewOf(text.toUtf8())); }

QString htmlText(std::string_view text) { return shownText(text).toHtmlEscaped(); }

QString htmlText(const QString& text) { return htmlText(viewOf(text.toUtf8())); }

} // namespace sbx::ui
