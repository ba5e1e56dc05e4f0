#include "views/export/exporter.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QFont>
#include <QFontMetricsF>
#include <QGuiApplication>
#include <QImage>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgGenerator>
#include <algorithm>
#include <cmath>
#include <string_view>

#include "core/base/printable.h"
#include "views/export/csv.h"

namespace iosx {
namespace {

struct Text {
  Q_DECLARE_TR_FUNCTIONS(iosx)
};

constexpr double kMargin = 12;
constexpr double kTitleHeight = 30;
constexpr double kPngScale = 2;
constexpr double kMaxPngPixels = 16384;  // on either side
constexpr int kPdfDotsPerInch = 96;      // one dot a device-independent pixel
const QSizeF kLargestPage(1587, 1123);   // in the same pixels: A3, either way round; what is larger is scaled down

QSizeF page_size(const Figure& figure) {
  const QSizeF size = figure.size();
  return {std::ceil(std::max(size.width(), 64.0)) + 2 * kMargin,
          std::ceil(std::max(size.height(), 32.0)) + kTitleHeight + 2 * kMargin};
}

// That makes a page fit on paper; at most 1.
double page_scale(const QSizeF& page) {
  const QSizeF largest = page.width() >= page.height() ? kLargestPage : kLargestPage.transposed();
  return std::min({1.0, largest.width() / page.width(), largest.height() / page.height()});
}

void paint_page(QPainter& painter, const Figure& figure, const QSizeF& page) {
  const Theme theme = Theme::light();
  painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
  painter.fillRect(QRectF(QPointF(0, 0), page), theme.canvas);
  QFont font = QGuiApplication::font();
  font.setPixelSize(15);
  font.setBold(true);
  const QRectF title(kMargin, kMargin, page.width() - 2 * kMargin, kTitleHeight - 6);
  const double width = QFontMetricsF(font).horizontalAdvance(figure.title());
  if (width > title.width()) font.setPixelSize(std::max(9, static_cast<int>(15 * title.width() / width)));
  painter.setFont(font);
  painter.setPen(theme.text);
  painter.drawText(title, Qt::AlignLeft | Qt::AlignVCenter,
                   QFontMetricsF(font).elidedText(figure.title(), Qt::ElideRight, title.width()));
  const QRectF area(kMargin, kMargin + kTitleHeight, page.width() - 2 * kMargin,
                    page.height() - 2 * kMargin - kTitleHeight);
  painter.save();
  figure.paint(painter, area, theme);
  painter.restore();
}

tl::unexpected<Error> cannot_draw(const Figure& figure, const QString& what) {
  return fail(what.toStdString(), figure.fileStem().toStdString(), Text::tr("export it as SVG instead").toStdString());
}

Result<QByteArray> render_svg(const Figure& figure) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  const QSizeF page = page_size(figure);
  QSvgGenerator svg;
  svg.setOutputDevice(&buffer);
  svg.setSize(page.toSize());
  svg.setViewBox(QRectF(QPointF(0, 0), page));
  svg.setTitle(figure.title());
  svg.setDescription(QStringLiteral("IOS Explorer"));
  QPainter painter(&svg);
  paint_page(painter, figure, page);
  painter.end();
  // XML has no way at all to say most control characters.
  return QByteArray::fromStdString(printable_lines(std::string_view(bytes.constData(), bytes.size())));
}

Result<QByteArray> render_pdf(const Figure& figure) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  const QSizeF page = page_size(figure);
  QPdfWriter pdf(&buffer);
  pdf.setTitle(figure.title());
  pdf.setCreator(QStringLiteral("IOS Explorer"));
  pdf.setResolution(kPdfDotsPerInch);
  pdf.setPageMargins(QMarginsF(0, 0, 0, 0));
  const double shrunk = page_scale(page);
  pdf.setPageSize(QPageSize(page * shrunk * 72.0 / kPdfDotsPerInch, QPageSize::Point, {}, QPageSize::ExactMatch));
  QPainter painter;
  if (!painter.begin(&pdf)) return cannot_draw(figure, Text::tr("the figure could not be drawn as PDF"));
  painter.scale(shrunk, shrunk);
  paint_page(painter, figure, page);
  painter.end();
  return bytes;
}

Result<QByteArray> render_png(const Figure& figure) {
  const QSizeF page = page_size(figure);
  const double scale = std::min(kPngScale, kMaxPngPixels / std::max(page.width(), page.height()));
  QImage image((page * scale).toSize(), QImage::Format_ARGB32_Premultiplied);
  if (image.isNull()) return cannot_draw(figure, Text::tr("the figure is too large for a picture"));
  image.setDevicePixelRatio(scale);
  QPainter painter(&image);
  paint_page(painter, figure, page);
  painter.end();
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  if (!image.save(&buffer, "PNG")) return cannot_draw(figure, Text::tr("the picture could not be encoded"));
  return bytes;
}

}  // namespace

QString suffix(FigureFormat format) {
  switch (format) {
    case FigureFormat::kSvg: return QStringLiteral("svg");
    case FigureFormat::kPdf: return QStringLiteral("pdf");
    case FigureFormat::kPng: return QStringLiteral("png");
    case FigureFormat::kCsv: break;
  }
  return QStringLiteral("csv");
}

QString file_filter(FigureFormat format) {
  switch (format) {
    case FigureFormat::kSvg: return Text::tr("SVG drawing (*.svg)");
    case FigureFormat::kPdf: return Text::tr("PDF document (*.pdf)");
    case FigureFormat::kPng: return Text::tr("PNG picture (*.png)");
    case FigureFormat::kCsv: break;
  }
  return Text::tr("Data as CSV (*.csv)");
}

Result<FigureFormat> format_of(const QString& path) {
  const QString ending = QFileInfo(path).suffix().toLower();
  for (const FigureFormat format : kFigureFormats) {
    if (ending == suffix(format)) return format;
  }
  return fail("unknown kind of figure file", path.toStdString(), "use a name that ends in .svg, .pdf, .png or .csv");
}

Result<QByteArray> render_figure(const Figure& figure, FigureFormat format) {
  switch (format) {
    case FigureFormat::kSvg: return render_svg(figure);
    case FigureFormat::kPdf: return render_pdf(figure);
    case FigureFormat::kPng: return render_png(figure);
    case FigureFormat::kCsv: break;
  }
  if (figure.recorded().isEmpty()) return figure.csv().toUtf8();
  return csv_with_column(figure.csv(), QStringLiteral("recorded"), figure.recorded()).toUtf8();
}

Result<void> write_figure(const Figure& figure, const QString& path, FigureFormat format) {
  const Result<QByteArray> bytes = render_figure(figure, format);
  if (!bytes) return tl::unexpected<Error>(bytes.error());
  QSaveFile file(path);
  if (!file.open(QIODevice::WriteOnly) || file.write(*bytes) != bytes->size() || !file.commit()) {
    return fail("the figure could not be written: " + file.errorString().toStdString(), path.toStdString(),
                "choose a folder that exists and may be written to");
  }
  return {};
}

Result<QStringList> write_figure_files(const Figure& figure, const QString& folder) {
  if (!QDir().mkpath(folder)) {
    return fail("the folder could not be made", folder.toStdString(), "choose a folder that may be written to");
  }
  QStringList paths;
  for (const FigureFormat format : kFigureFormats) {
    const QString path = QDir(folder).filePath(figure.fileStem() + QLatin1Char('.') + suffix(format));
    if (auto written = write_figure(figure, path, format); !written) return tl::unexpected<Error>(written.error());
    paths << path;
  }
  return paths;
}

}  // namespace iosx
