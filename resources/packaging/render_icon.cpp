// render_icon DRAWING.svg PIXELS PICTURE.png: renders the drawing as a square picture, for desktops without SVG
// support.
#include <QImage>
#include <QPainter>
#include <QString>
#include <QSvgRenderer>
#include <cstdio>

int main(int argc, char** argv) {
  const int size = argc == 4 ? QString::fromLocal8Bit(argv[2]).toInt() : 0;
  if (size <= 0) {
    std::fputs("usage: render_icon DRAWING.svg PIXELS PICTURE.png\n", stderr);
    return 2;
  }
  QSvgRenderer drawing(QString::fromLocal8Bit(argv[1]));
  QImage picture(size, size, QImage::Format_ARGB32_Premultiplied);
  picture.fill(Qt::transparent);
  {
    QPainter painter(&picture);
    drawing.render(&painter);
  }
  if (drawing.isValid() && picture.save(QString::fromLocal8Bit(argv[3]), "PNG")) return 0;
  std::fprintf(stderr, "render_icon: %s could not be drawn\n", argv[1]);
  return 1;
}
