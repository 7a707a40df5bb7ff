#include "widgets/common/application_icon.h"

#include <QPainter>
#include <QPixmap>
#include <QSvgRenderer>

namespace sbx::ui {

QIcon applicationIcon() {
    QIcon icon;
    QSvgRenderer renderer(QStringLiteral(":/sbx/app/signalbox.svg"));
    if (!renderer.isValid())
        return icon;
    for (const int side : {16, 24, 32, 48, 64, 128, 256}) {
        QPixmap picture(side, side);
        picture.fill(Qt::transparent);
        QPainter painter(&picture);
        renderer.render(&painter);
        painter.end();
        icon.addPixmap(picture);
    }
    return icon;
}

} // namespace sbx::ui
