// render_icon SOURCE.svg SIZE TARGET.png: one size of the application icon, for launchers that take no SVG.

#include <QCoreApplication>
#include <QImage>
#include <QPainter>
#include <QSvgRenderer>
#include <QTextStream>

int main(int argc, char** argv) {
    const QCoreApplication application(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    QTextStream errors(stderr);
    if (arguments.size() != 4) {
        errors << "usage: render_icon SOURCE.svg SIZE TARGET.png\n";
        return 2;
    }
    QSvgRenderer renderer(arguments[1]);
    const int size = arguments[2].toInt();
    if (!renderer.isValid() || size < 1) {
        errors << arguments[1] << ": not an SVG, or no size\n";
        return 2;
    }
    QImage image(size, size, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    renderer.render(&painter);
    painter.end();
    if (!image.save(arguments[3])) {
        errors << arguments[3] << ": cannot be written\n";
        return 1;
    }
    return 0;
}
