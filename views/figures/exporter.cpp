#include "views/figures/exporter.h"

#include <fmt/format.h>

#include <QBuffer>
#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QFont>
#include <QFontMetricsF>
#include <QGuiApplication>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QRegularExpression>
#include <QSaveFile>
#include <QSvgGenerator>
#include <algorithm>
#include <cmath>
#include <string_view>

#include "core/base/text.h"

namespace iosx {
namespace {

struct Text {
  Q_DECLARE_TR_FUNCTIONS(iosx)
};

constexpr std::array kSuffixes{"svg", "pdf", "png", "csv"};  // by FigureFormat
constexpr double kMargin = 12;
constexpr double kTitleHeight = 30;
constexpr double kPngScale = 2;
constexpr double kMaxPngPixels = 16384;  // on either side
constexpr int kPdfDotsPerInch = 96;      // one dot a device-independent pixel
const QSizeF kLargestPage(1587, 1123);   // in the same pixels: A3, either way round; what is larger is scaled down

constexpr double kPaperMargin = 2;
constexpr double kPaperTitleGap = 6;
constexpr double kTextPixels = 12;       // of ordinary text in every figure
constexpr double kLeastPageWidth = 120;  // pixels: no figure can be drawn on less
constexpr int kAttempts = 6;             // to find a scale that makes all text large enough

// The surface of a figure, in its own pixels.
struct Page {
  Theme theme;
  QSizeF size = {};
  double margin = kMargin;
  double title_height = kTitleHeight;  // with the gap below it
  bool wrapped_title = false;
  double points = 72.0 / kPdfDotsPerInch;  // of one pixel
};

QFont title_font(double pixels) {
  QFont font = QGuiApplication::font();
  font.setPixelSize(static_cast<int>(pixels));
  font.setBold(true);
  return font;
}

Page screen_page(const Figure& figure) {
  Page page{.theme = Theme::light()};
  const QSizeF size = figure.size();
  page.size = {std::ceil(std::max(size.width(), 64.0)) + 2 * kMargin,
               std::ceil(std::max(size.height(), 32.0)) + kTitleHeight + 2 * kMargin};
  return page;
}

// Returns the scale that makes a page fit on paper of usual size; at most 1.
double page_scale(const QSizeF& page) {
  const QSizeF largest = page.width() >= page.height() ? kLargestPage : kLargestPage.transposed();
  return std::min({1.0, largest.width() / page.width(), largest.height() / page.height()});
}

void paint_title(QPainter& painter, const Figure& figure, const Page& page) {
  const QRectF area(page.margin, page.margin, page.size.width() - 2 * page.margin, page.title_height - 6);
  painter.setPen(page.theme.text);
  if (page.wrapped_title) {
    painter.setFont(title_font(kTextPixels));
    painter.drawText(area, Qt::AlignLeft | Qt::TextWordWrap, figure.title());
    return;
  }
  QFont font = title_font(15);
  const double width = QFontMetricsF(font).horizontalAdvance(figure.title());
  if (width > area.width()) font.setPixelSize(std::max(9, static_cast<int>(15 * area.width() / width)));
  painter.setFont(font);
  painter.drawText(area, Qt::AlignLeft | Qt::AlignVCenter,
                   QFontMetricsF(font).elidedText(figure.title(), Qt::ElideRight, area.width()));
}

void paint_page(QPainter& painter, const Figure& figure, const Page& page) {
  painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
  painter.fillRect(QRectF(QPointF(0, 0), page.size), page.theme.canvas);
  paint_title(painter, figure, page);
  const QRectF area(page.margin, page.margin + page.title_height, page.size.width() - 2 * page.margin,
                    page.size.height() - 2 * page.margin - page.title_height);
  painter.save();
  figure.paint(painter, area, page.theme);
  painter.restore();
}

// Returns a page as wide as the paper's column, with a pixel of `points`.
Page paper_page(const Figure& figure, const PaperFormat& paper, double points) {
  Page page{.theme = Theme::paperTheme(), .margin = kPaperMargin, .wrapped_title = true, .points = points};
  const double width = paper.width_mm * kPointsPerMm / points;
  const double room = std::max(width - 2 * kPaperMargin, 1.0);
  const QRectF title = QFontMetricsF(title_font(kTextPixels))
                           .boundingRect(QRectF(0, 0, room, 1e5), Qt::AlignLeft | Qt::TextWordWrap, figure.title());
  page.title_height = std::ceil(title.height()) + kPaperTitleGap;
  const double height = std::max(figure.sizeWithin(room).height(), 32.0);
  page.size = {width, std::ceil(height + page.title_height + 2 * kPaperMargin)};
  return page;
}

// Returns a page with larger pixels where some text would be too small, which leaves the figure fewer of them.
Result<Page> paper_page(const Figure& figure, const PaperFormat& paper) {
  IOS_TRY(check(paper));
  double points = paper.font_points / kTextPixels;
  double needed = 0;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    Page page = paper_page(figure, paper, points);
    if (page.size.width() < kLeastPageWidth) break;
    const auto smallest = smallest_text([&](QPainter& painter) { paint_page(painter, figure, page); });
    if (!smallest || *smallest * points >= kLeastTextPoints * 0.9999) return page;
    if (attempt == 0) needed = paper.width_mm * kLeastTextPoints / (*smallest * points);
    points = kLeastTextPoints / *smallest;
  }
  return fail(message("its text would be smaller than 6 pt at this width"), figure.fileStem().toStdString(),
              message("give {:.0f} mm or more", std::ceil(needed)));
}

Result<Page> page_of(const Figure& figure, const std::optional<PaperFormat>& paper) {
  return paper ? paper_page(figure, *paper) : screen_page(figure);
}

tl::unexpected<Error> cannot_draw(const Figure& figure, Message what) {
  return fail(std::move(what), figure.fileStem().toStdString(), message("export it as SVG instead"));
}

// Writes the size on paper; Qt writes that of whole pixels.
void set_size(QByteArray& svg, const Page& page) {
  static const QRegularExpression kSize(QStringLiteral("<svg width=\"[^\"]*\" height=\"[^\"]*\""));
  const QSizeF mm = page.size * (page.points / kPointsPerMm);
  QString text = QString::fromUtf8(svg);
  const auto found = kSize.match(text);
  if (!found.hasMatch()) return;
  text.replace(
      found.capturedStart(), found.capturedLength(),
      QStringLiteral("<svg width=\"%1mm\" height=\"%2mm\"").arg(mm.width(), 0, 'f', 3).arg(mm.height(), 0, 'f', 3));
  svg = text.toUtf8();
}

// Replaces the title, which Qt 6.4 would write as markup.
constexpr QLatin1String kTitle("ios-explorer-title");
constexpr QLatin1String kTitleMark("<title>ios-explorer-title</title>");

void set_title(QByteArray& svg, const Figure& figure) {
  const QByteArray title = QByteArray::fromStdString(printable_markup(figure.title().toStdString()));
  const qsizetype at = svg.indexOf(kTitleMark);
  if (at >= 0) svg.replace(at, kTitleMark.size(), "<title>" + title + "</title>");
}

Result<QByteArray> render_svg(const Figure& figure, const Page& page, bool on_paper) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  QSvgGenerator svg;
  svg.setOutputDevice(&buffer);
  svg.setSize(page.size.toSize());
  svg.setViewBox(QRectF(QPointF(0, 0), page.size));
  svg.setTitle(kTitle);
  svg.setDescription(QStringLiteral("IOS Explorer"));
  QPainter painter(&svg);
  paint_page(painter, figure, page);
  painter.end();
  set_title(bytes, figure);
  if (on_paper) set_size(bytes, page);
  // XML has no way at all to say most control characters.
  return QByteArray::fromStdString(printable_lines(std::string_view(bytes.constData(), bytes.size())));
}

Result<QByteArray> render_pdf(const Figure& figure, const Page& page, bool on_paper) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  QPdfWriter pdf(&buffer);
  pdf.setTitle(QString::fromStdString(printable(figure.title().toStdString())));
  pdf.setCreator(QStringLiteral("IOS Explorer"));
  pdf.setResolution(kPdfDotsPerInch);
  pdf.setPageMargins(QMarginsF(0, 0, 0, 0));
  const double shrunk = on_paper ? 1 : page_scale(page.size);
  pdf.setPageSize(QPageSize(page.size * shrunk * page.points, QPageSize::Point, {}, QPageSize::ExactMatch));
  QPainter painter;
  if (!painter.begin(&pdf)) return cannot_draw(figure, message("the figure could not be drawn as PDF"));
  const double dots = shrunk * page.points * kPdfDotsPerInch / 72;
  painter.scale(dots, dots);
  paint_page(painter, figure, page);
  painter.end();
  return bytes;
}

Result<QByteArray> render_png(const Figure& figure, const Page& page, const std::optional<PaperFormat>& paper) {
  const double wanted = paper ? page.points / 72 * paper->png_dpi : kPngScale;
  const double scale = std::min(wanted, kMaxPngPixels / std::max(page.size.width(), page.size.height()));
  QImage image((page.size * scale).toSize(), QImage::Format_ARGB32_Premultiplied);
  if (image.isNull()) return cannot_draw(figure, message("the figure is too large for a picture"));
  image.setDevicePixelRatio(scale);
  QPainter painter(&image);
  paint_page(painter, figure, page);
  painter.end();
  if (paper) {
    const auto dots = static_cast<int>(std::lround(scale * 72 / page.points / 0.0254));
    image.setDotsPerMeterX(dots);
    image.setDotsPerMeterY(dots);
  }
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  if (!image.save(&buffer, "PNG")) return cannot_draw(figure, message("the picture could not be encoded"));
  return bytes;
}

QByteArray csv_of(const Figure& figure) {
  if (figure.recorded().isEmpty()) return figure.csv().toUtf8();
  return csv_with_column(figure.csv(), QStringLiteral("recorded"), figure.recorded()).toUtf8();
}

}  // namespace

QString suffix(FigureFormat format) { return QString::fromLatin1(kSuffixes.at(static_cast<std::size_t>(format))); }

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
  return fail(message("unknown kind of figure file"), path.toStdString(),
              message("use a name that ends in .svg, .pdf, .png or .csv"));
}

Result<QByteArray> render_figure(const Figure& figure, FigureFormat format, const std::optional<PaperFormat>& paper) {
  if (format == FigureFormat::kCsv) return csv_of(figure);
  IOS_TRY(const auto page, page_of(figure, paper));
  if (format == FigureFormat::kSvg) return render_svg(figure, page, paper.has_value());
  if (format == FigureFormat::kPdf) return render_pdf(figure, page, paper.has_value());
  return render_png(figure, page, paper);
}

Result<QImage> figure_preview(const Figure& figure, const std::optional<PaperFormat>& paper, const QSize& most) {
  IOS_TRY(const auto page, page_of(figure, paper));
  const double scale = std::min(most.width() / page.size.width(), most.height() / page.size.height());
  QImage image((page.size * scale).toSize().expandedTo({1, 1}), QImage::Format_ARGB32_Premultiplied);
  image.fill(page.theme.canvas);
  QPainter painter(&image);
  painter.scale(scale, scale);
  paint_page(painter, figure, page);
  return image;
}

Result<QSizeF> size_on_paper(const Figure& figure, const PaperFormat& paper) {
  IOS_TRY(const auto page, paper_page(figure, paper));
  return page.size * (page.points / kPointsPerMm);
}

Result<void> write_figure(const Figure& figure, const QString& path, FigureFormat format,
                          const std::optional<PaperFormat>& paper) {
  IOS_TRY(const auto bytes, render_figure(figure, format, paper));
  QSaveFile file(path);
  if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit()) {
    return fail(message("the figure could not be written: {}", file.errorString().toStdString()), path.toStdString(),
                message("choose an existing, writable folder"));
  }
  return {};
}

Result<QStringList> write_figure_files(const Figure& figure, const QString& folder,
                                       const std::optional<PaperFormat>& paper) {
  if (!QDir().mkpath(folder)) {
    return fail(message("the folder could not be created"), folder.toStdString(), message("choose a writable folder"));
  }
  QStringList paths;
  for (const FigureFormat format : kFigureFormats) {
    const QString path = QDir(folder).filePath(figure.fileStem() + QLatin1Char('.') + suffix(format));
    IOS_TRY(write_figure(figure, path, format, paper));
    paths << path;
  }
  return paths;
}

}  // namespace iosx
