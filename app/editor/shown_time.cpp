#include "app/editor/shown_time.h"

#include <QLocale>
#include <QObject>

namespace sbx::editor {

QString shownTime(const QDateTime& time) {
    const QDateTime local = time.toLocalTime();
    const QLocale locale;
    return local.date() == QDate::currentDate() ? QObject::tr("today, %1").arg(locale.toString(local.time(), QStringLiteral("HH:mm:ss")))
                                                : locale.toString(local, QStringLiteral("d MMM yyyy, HH:mm:ss"));
}

} // namespace sbx::editor
