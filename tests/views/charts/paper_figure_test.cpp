// Figures for papers: their size, and what poppler's tools find in the PDF.
#include <gtest/gtest.h>

#include <QFile>
#include <QFontInfo>
#include <QFontMetricsF>
#include <QGuiApplication>
#include <QPainter>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QXmlStreamReader>
#include <algorithm>

#include "tests/support/made_up_comparison.h"
#include "views/compare/comparison_chart.h"
#include "views/compare/comparison_data.h"
#include "views/compare/difference_figures.h"
#include "views/compare/stage_latency_chart.h"
#include "views/explore/timeline/timeline_figure.h"
#include "views/explore/utilization/utilization_view.h"
#include "views/figures/exporter.h"
#include "views/figures/text_meter.h"

namespace iosx {
namespace {

std::vector<std::unique_ptr<Figure>> paper_figures() {
  const auto comparison = test::made_up_comparison();
  std::vector<std::unique_ptr<Figure>> figures;
  figures.push_back(make_comparison_figure(comparison));
  figures.push_back(make_stage_latency_figure(comparison));
  figures.push_back(make_timeline_figure(comparison, {0, 1, 2}, {}));
  figures.push_back(make_utilization_figure(comparison, {0, 1, 2}, {}));
  std::vector<Subject> subjects;
  for (std::size_t i = 0; i < comparison->results.size(); ++i) subjects.push_back({comparison, i, {}});
  const auto runs = make_run_matrix(std::move(subjects), 0);
  figures.push_back(make_part_matrix_figure(runs));
  figures.push_back(make_run_statistics_figure(runs));
  return figures;
}

constexpr PaperFormat kColumn{.width_mm = 84, .font_points = 7, .png_dpi = 300};

// What a tool says of a PDF; empty where it ended badly.
QString said(const QString& tool, const QStringList& options, const QByteArray& pdf) {
  QTemporaryDir folder;
  const QString path = folder.filePath(QStringLiteral("figure.pdf"));
  QFile file(path);
  if (!file.open(QIODevice::WriteOnly) || file.write(pdf) != pdf.size()) return {};
  file.close();
  QProcess process;
  process.start(tool, QStringList(options)
                          << path << (tool.endsWith(QLatin1String("pdftotext")) ? QStringList{"-"} : QStringList{}));
  process.waitForFinished(30000);
  return process.exitCode() == 0 ? QString::fromUtf8(process.readAllStandardOutput()) : QString();
}

struct Word {
  QString text;
  double points = 0;  // size of its font
};

// A word's box is as high as its font's ascent and descent together.
std::vector<Word> words_of(const QString& boxes) {
  QFont font = QGuiApplication::font();
  font.setPixelSize(100);
  const double ratio = (QFontMetricsF(font).ascent() + QFontMetricsF(font).descent()) / 100;
  std::vector<Word> words;
  QXmlStreamReader reader(boxes);
  while (!reader.atEnd()) {
    if (reader.readNext() != QXmlStreamReader::StartElement || reader.name() != QLatin1String("word")) continue;
    const auto box = reader.attributes();
    const double width = box.value("xMax").toDouble() - box.value("xMin").toDouble();
    const double height = box.value("yMax").toDouble() - box.value("yMin").toDouble();
    const QString text = reader.readElementText();
    if (text.size() > 1 && width > 0) words.push_back({text, height / ratio});
  }
  return words;
}

TEST(PaperFigure, TextIsTextAndNotUnderSixPoints) {
  const QString tool = QStandardPaths::findExecutable("pdftotext");
  if (tool.isEmpty()) GTEST_SKIP() << "pdftotext is not installed (package poppler-utils)";
  for (const double width : {60.0, kSingleColumnMm, kDoubleColumnMm}) {
    for (const auto& figure : paper_figures()) {
      SCOPED_TRACE(figure->fileStem().toStdString() + " at " + std::to_string(width));
      const auto pdf = render_figure(*figure, FigureFormat::kPdf, PaperFormat{.width_mm = width, .font_points = 6});
      ASSERT_TRUE(pdf) << pdf.error().text();
      const QString boxes = said(tool, {"-bbox"}, *pdf);
      const auto page = QRegularExpression("<page width=\"([0-9.]+)\"").match(boxes);
      ASSERT_TRUE(page.hasMatch());
      EXPECT_NEAR(page.captured(1).toDouble(), width * kPointsPerMm, 0.5);
      const std::vector<Word> words = words_of(boxes);
      EXPECT_TRUE(std::ranges::any_of(words, [](const Word& word) { return word.text.contains("Sequential"); }));
      for (const Word& word : words) EXPECT_GT(word.points, 5.9) << word.text.toStdString();
    }
  }
}

TEST(PaperFigure, TheSizeOfTextIsTheOneThatWasAskedFor) {
  const QString tool = QStandardPaths::findExecutable("pdftotext");
  if (tool.isEmpty()) GTEST_SKIP() << "pdftotext is not installed (package poppler-utils)";
  const auto figure = make_comparison_figure(test::made_up_comparison());
  for (const double points : {8.0, 10.0}) {
    const auto pdf = render_figure(*figure, FigureFormat::kPdf, PaperFormat{.width_mm = 174, .font_points = points});
    ASSERT_TRUE(pdf);
    bool found = false;
    for (const Word& word : words_of(said(tool, {"-bbox"}, *pdf))) {
      if (word.text != QLatin1String("(ms),")) continue;  // of the axis
      EXPECT_NEAR(word.points, points, 0.2);
      found = true;
    }
    EXPECT_TRUE(found);
  }
}

TEST(PaperFigure, FontsAreEmbeddedOutlines) {
  const QString tool = QStandardPaths::findExecutable("pdffonts");
  if (tool.isEmpty()) GTEST_SKIP() << "pdffonts is not installed (package poppler-utils)";
  for (const auto& figure : paper_figures()) {
    const auto pdf = render_figure(*figure, FigureFormat::kPdf, kColumn);
    ASSERT_TRUE(pdf);
    QStringList lines = said(tool, {}, *pdf).split('\n', Qt::SkipEmptyParts);
    ASSERT_GT(lines.size(), 2) << figure->fileStem().toStdString();
    lines.remove(0, 2);  // the heading
    for (const QString& line : lines) {
      EXPECT_TRUE(line.contains("TrueType") || line.contains("CID") || line.contains("Type 1")) << line.toStdString();
      EXPECT_FALSE(line.contains("Type 3")) << line.toStdString();
      EXPECT_TRUE(QRegularExpression("\\s(yes)\\s+(yes|no)\\s+(yes|no)\\s").match(line).hasMatch())
          << line.toStdString();
    }
  }
}

TEST(PaperFigure, SvgSaysItsSizeInMillimetres) {
  for (const auto& figure : paper_figures()) {
    const auto svg = render_figure(*figure, FigureFormat::kSvg, kColumn);
    ASSERT_TRUE(svg);
    const auto size = size_on_paper(*figure, kColumn);
    ASSERT_TRUE(size);
    EXPECT_NEAR(size->width(), 84, 0.01);
    EXPECT_TRUE(
        svg->contains("<svg width=\"84.000mm\" height=\"" + QByteArray::number(size->height(), 'f', 3) + "mm\""));
  }
}

TEST(PaperFigure, PngHasTheDotsThatWereAskedFor) {
  const auto figure = make_comparison_figure(test::made_up_comparison());
  for (const int dpi : {150, 600}) {
    const auto png = render_figure(*figure, FigureFormat::kPng, PaperFormat{.width_mm = 84, .png_dpi = dpi});
    ASSERT_TRUE(png);
    const QImage image = QImage::fromData(*png, "PNG");
    EXPECT_NEAR(image.width(), 84 / 25.4 * dpi, 1);
    EXPECT_NEAR(image.dotsPerMeterX() * 0.0254, dpi, 0.5);
  }
}

TEST(PaperFigure, DataIsTheSameOnPaper) {
  for (const auto& figure : paper_figures()) {
    EXPECT_EQ(render_figure(*figure, FigureFormat::kCsv, kColumn).value(),
              render_figure(*figure, FigureFormat::kCsv).value());
  }
}

TEST(PaperFigure, NothingIsDrawnBeyondThePage) {
  for (const auto& figure : paper_figures()) {
    const QImage page = *figure_preview(*figure, kColumn, {1000, 4000});
    for (int y = 0; y < page.height(); ++y) {
      EXPECT_EQ(page.pixelColor(page.width() - 1, y).lightness(), 255) << figure->fileStem().toStdString();
      if (page.pixelColor(page.width() - 1, y).lightness() != 255) break;
    }
  }
}

TEST(PaperWidth, IsReadInMillimetresInchesAndColumns) {
  EXPECT_DOUBLE_EQ(parse_paper_width("84mm").value(), 84);
  EXPECT_DOUBLE_EQ(parse_paper_width(" 3.5 in").value_or(0), 88.9);
  EXPECT_DOUBLE_EQ(parse_paper_width("single").value(), kSingleColumnMm);
  EXPECT_DOUBLE_EQ(parse_paper_width("Double").value(), kDoubleColumnMm);
  for (const char* wrong : {"", "84", "84cm", "mm", "wide", "1mm", "-84mm", "nanmm", "1e9mm"}) {
    const auto width = parse_paper_width(QString::fromLatin1(wrong));
    EXPECT_FALSE(width) << wrong;
    EXPECT_TRUE(width || !width.error().remedy.empty());
  }
  EXPECT_FALSE(check({.width_mm = 84, .font_points = 5}));
  EXPECT_FALSE(check({.width_mm = 84, .font_points = 8, .png_dpi = 5000}));
}

TEST(TextMeter, KnowsTheSmallestTextUnderEveryScale) {
  const auto size = [](QPainter& painter, int pixels, const char* text) {
    QFont font = painter.font();
    font.setPixelSize(pixels);
    painter.setFont(font);
    painter.drawText(QPointF(10, 20), QString::fromLatin1(text));
  };
  EXPECT_FALSE(smallest_text([](QPainter& painter) { painter.drawRect(0, 0, 5, 5); }));
  const auto found = smallest_text([&](QPainter& painter) {
    size(painter, 20, "a");
    size(painter, 2, "  ");  // nothing to read
    painter.save();
    painter.scale(0.5, 0.5);
    size(painter, 16, "b");
    painter.restore();
    size(painter, 11, "c");
  });
  ASSERT_TRUE(found);
  EXPECT_NEAR(*found, 8, 1e-9);
}

}  // namespace
}  // namespace iosx
