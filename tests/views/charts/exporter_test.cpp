#include "views/figures/exporter.h"

#include <gtest/gtest.h>

#include <QBuffer>
#include <QFile>
#include <QImage>
#include <QPainter>
#include <QRegularExpression>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QXmlStreamReader>
#include <set>

#include "tests/support/made_up_comparison.h"
#include "views/compare/comparison_chart.h"
#include "views/compare/stage_latency_chart.h"
#include "views/explore/saving/saving_view.h"
#include "views/explore/timeline/timeline_figure.h"
#include "views/explore/utilization/utilization_view.h"
#include "views/figures/csv.h"

namespace iosx {
namespace {

std::vector<std::unique_ptr<Figure>> all_figures(const std::shared_ptr<const Comparison>& comparison) {
  std::vector<std::unique_ptr<Figure>> figures;
  figures.push_back(make_comparison_figure(comparison));
  figures.push_back(make_stage_latency_figure(comparison));
  figures.push_back(make_timeline_figure(comparison, {0, 1, 2}, {}));
  figures.push_back(make_utilization_figure(comparison, {0, 1, 2}, {}));
  // Of nothing there is none.
  auto saving = make_saving_figure(saving_of(Subject{comparison, 0, {}}, {comparison, 1, {}}));
  if (saving) figures.push_back(std::move(saving));
  return figures;
}

// A small RFC 4180 reader.
std::vector<QStringList> parse_csv(const QString& text) {
  std::vector<QStringList> records{{QString()}};
  bool quoted = false;
  for (qsizetype i = 0; i < text.size(); ++i) {
    const QChar c = text[i];
    QString& field = records.back().back();
    if (quoted && c == '"' && i + 1 < text.size() && text[i + 1] == '"') {
      field += text[++i];
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && c == ',') {
      records.back() << QString();
    } else if (!quoted && c == '\n') {
      records.push_back({QString()});
    } else if (quoted || c != '\r') {
      field += c;
    }
  }
  records.pop_back();  // after the last line end
  return records;
}

std::set<QString> svg_texts(const QByteArray& svg) {
  std::set<QString> texts;
  QXmlStreamReader reader(svg);
  while (!reader.atEnd()) {
    if (reader.readNext() == QXmlStreamReader::StartElement && reader.name() == QLatin1String("text")) {
      texts.insert(reader.readElementText().trimmed());
    }
  }
  EXPECT_FALSE(reader.hasError()) << reader.errorString().toStdString();
  return texts;
}

TEST(Csv, QuotesWhatNeedsIt) {
  EXPECT_EQ(csv_record({"a", "b,c", "say \"x\"", "two\nlines"}), "a,\"b,c\",\"say \"\"x\"\"\",two\\nlines\n");
  EXPECT_EQ(parse_csv(csv_record({"a", "b,c", "say \"x\""})).front(), (QStringList{"a", "b,c", "say \"x\""}));
}

TEST(Csv, GetsOneMoreColumn) {
  EXPECT_EQ(csv_with_column("a,b\n1,\"x, y\"\n2,z\n", "recorded", "here, then"),
            "a,b,recorded\n1,\"x, y\",\"here, then\"\n2,z,\"here, then\"\n");
}

TEST(Exporter, CsvOfWhatWasRecordedSaysSo) {
  const auto recorded = test::made_up_comparison();
  recorded->recorded = verbatim("recorded on server, 2026-03-01 12:00 UTC");
  for (const auto& figure : all_figures(recorded)) {
    const auto csv = render_figure(*figure, FigureFormat::kCsv);
    ASSERT_TRUE(csv);
    const auto rows = parse_csv(QString::fromUtf8(*csv));
    const auto column = rows.front().indexOf("recorded");
    ASSERT_GE(column, 0) << figure->fileStem().toStdString();
    EXPECT_EQ(rows.back().at(column), "recorded on server, 2026-03-01 12:00 UTC") << figure->fileStem().toStdString();
  }
}

TEST(Exporter, EveryFigureHasTextInItsSvg) {
  for (const auto& figure : all_figures(test::made_up_comparison())) {
    const auto svg = render_figure(*figure, FigureFormat::kSvg);
    ASSERT_TRUE(svg);
    EXPECT_TRUE(QSvgRenderer(*svg).isValid());
    const std::set<QString> texts = svg_texts(*svg);
    EXPECT_TRUE(texts.contains(figure->title())) << figure->title().toStdString();
    EXPECT_TRUE(texts.contains("Sequential")) << figure->fileStem().toStdString();
    EXPECT_TRUE(figure->title().contains("simulated"));
  }
}

// Control characters have no place in XML; none of these may reach a figure raw.
TEST(Exporter, AnyNameGivesAWellFormedSvg) {
  const auto comparison = test::made_up_comparison();
  comparison->device.name = "A\x01\x1b[2J\xff\xe2\x80\xae";
  comparison->recorded = verbatim("recorded\x02");
  for (const auto& figure : all_figures(comparison)) {
    const auto svg = render_figure(*figure, FigureFormat::kSvg);
    ASSERT_TRUE(svg);
    EXPECT_FALSE(svg_texts(*svg).empty());  // reads it as XML
    EXPECT_FALSE(svg->contains('\x01') || svg->contains('\x1b') || svg->contains('\x02'));
    EXPECT_FALSE(svg->contains("\xe2\x80\xae"));
    EXPECT_TRUE(figure->title().contains("\\x01\\x1B[2J\\xFF\\u{202E}")) << figure->title().toStdString();
  }
}

// A name is text in a figure, whatever it looks like: also where Qt writes what it is given, as the document's title.
TEST(Exporter, NoNameIsMarkup) {
  for (const char* const name : {"<script>alert(1)</script>", "R&D", "</title><script>x</script>", "a\"b'c", "]]>",
                                 "<!--", "&#0;", "<title>ios-explorer-title</title>"}) {
    const auto comparison = test::made_up_comparison();
    comparison->device.name = name;
    comparison->recorded = verbatim(std::string("recorded ") + name);
    for (const auto& figure : all_figures(comparison)) {
      ASSERT_TRUE(figure->title().contains(QString::fromUtf8(name)));
      const auto svg = render_figure(*figure, FigureFormat::kSvg);
      ASSERT_TRUE(svg);
      QXmlStreamReader reader(*svg);
      QStringList titles;
      while (!reader.atEnd()) {
        if (reader.readNext() != QXmlStreamReader::StartElement) continue;
        EXPECT_NE(reader.name(), QLatin1String("script")) << name;
        if (reader.name() == QLatin1String("title")) titles << reader.readElementText();
      }
      EXPECT_FALSE(reader.hasError()) << name << ": " << reader.errorString().toStdString();
      EXPECT_EQ(titles, QStringList{figure->title()}) << name;
    }
  }
}

TEST(Csv, HasNoFormulas) { EXPECT_EQ(csv_record({"=1+1", "-1.5", "@x", "+y"}), "'=1+1,-1.5,'@x,'+y\n"); }

// What is not background, in device-independent pixels.
QRect inked(const QImage& image) {
  QRect box;
  for (int y = 0; y < image.height(); ++y) {
    for (int x = 0; x < image.width(); ++x) {
      if (image.pixel(x, y) != image.pixel(0, 0)) box |= QRect(x, y, 1, 1);
    }
  }
  return box;
}

TEST(Exporter, SvgAndPngShowTheSameAtTheSameSize) {
  for (const auto& figure : all_figures(test::made_up_comparison())) {
    const QImage png = QImage::fromData(*render_figure(*figure, FigureFormat::kPng), "PNG");
    const QSize page = png.size() / 2;
    QImage svg(page, QImage::Format_ARGB32_Premultiplied);
    svg.fill(Qt::white);
    QSvgRenderer renderer(*render_figure(*figure, FigureFormat::kSvg));
    QPainter painter(&svg);
    renderer.render(&painter);
    painter.end();
    const QRect expected = inked(png.convertToFormat(QImage::Format_ARGB32_Premultiplied).scaled(page));
    const QRect actual = inked(svg);
    EXPECT_NEAR(actual.right(), expected.right(), 6) << figure->fileStem().toStdString();
    EXPECT_NEAR(actual.bottom(), expected.bottom(), 6) << figure->fileStem().toStdString();
  }
}

TEST(Exporter, PdfHasOneVectorPageOfTheFiguresSize) {
  for (const auto& figure : all_figures(test::made_up_comparison())) {
    const auto pdf = render_figure(*figure, FigureFormat::kPdf);
    ASSERT_TRUE(pdf);
    EXPECT_TRUE(pdf->startsWith("%PDF-"));
    EXPECT_EQ(pdf->count("/Type /Page\n"), 1);
    EXPECT_FALSE(pdf->contains("/Subtype /Image")) << figure->fileStem().toStdString();
  }
}

TEST(Exporter, ALargePdfIsScaledToPaper) {
  class Large final : public Figure {
   public:
    QString title() const override { return "large"; }
    QString fileStem() const override { return "large"; }
    QSizeF size() const override { return {5000, 900}; }
    void paint(QPainter& painter, const QRectF& area, const Theme&) const override { painter.drawRect(area); }
    QString csv() const override { return {}; }
  };
  const auto pdf = render_figure(Large(), FigureFormat::kPdf);
  ASSERT_TRUE(pdf);
  const auto box = QRegularExpression("/MediaBox \\[0 0 ([0-9.]+) ([0-9.]+)").match(QString::fromLatin1(*pdf));
  ASSERT_TRUE(box.hasMatch());
  EXPECT_NEAR(box.captured(1).toDouble(), 1190, 2);  // points: the long side of A3
  EXPECT_NEAR(box.captured(2).toDouble() / box.captured(1).toDouble(), 954.0 / 5024, 0.003);
}

TEST(Exporter, PngHasTwoPixelsADeviceIndependentOneAndIsNotBlank) {
  for (const auto& figure : all_figures(test::made_up_comparison())) {
    const auto png = render_figure(*figure, FigureFormat::kPng);
    ASSERT_TRUE(png);
    const QImage image = QImage::fromData(*png, "PNG");
    EXPECT_GE(image.width(), 2 * static_cast<int>(figure->size().width()));
    std::set<QRgb> colors;
    for (int y = 0; y < image.height(); y += 3) {
      for (int x = 0; x < image.width(); x += 3) colors.insert(image.pixel(x, y));
    }
    EXPECT_GT(colors.size(), 8U) << figure->fileStem().toStdString();
  }
}

TEST(Exporter, TimelineCsvHoldsEverySpan) {
  const auto comparison = test::made_up_comparison();
  const auto records = parse_csv(make_timeline_figure(comparison, {0, 1, 2}, {})->csv());
  const auto kernel = records.front().indexOf("kernel");
  const auto spans =
      std::ranges::count_if(records, [&](const QStringList& record) { return !record[kernel].isEmpty(); });
  ASSERT_EQ(spans, 1 + 5 + 5 + 4);
  for (const QStringList& record : records) EXPECT_EQ(record.size(), records.front().size());
  // What follows is what of the machine is in use, of the best and of the baseline.
  const auto percent = records.front().indexOf("in_use_percent");
  const auto kind = records.front().indexOf("kind");
  ASSERT_GE(percent, 0);
  EXPECT_EQ(records[15][kind], "mean of active warps");
  const Trace& best = comparison->results[2].trace;
  EXPECT_NEAR(records[15][percent].toDouble(), 100 * best.counters[0].mean(Micros(0), best.duration) / 5120, 1e-3);
  EXPECT_EQ(records[16][kind], "active warps");
  const auto begin = records.front().indexOf("begin_us");
  EXPECT_DOUBLE_EQ(records[1][begin].toDouble(), 4.0);
  EXPECT_EQ(records[14][records.front().indexOf("schedule")], "ios-both");
  EXPECT_EQ(records.back()[records.front().indexOf("schedule")], "sequential");
}

TEST(Exporter, UtilizationCsvCoversTheRunWithoutGaps) {
  const auto comparison = test::made_up_comparison();
  const auto records = parse_csv(make_utilization_figure(comparison, {1}, {})->csv());
  ASSERT_GT(records.size(), 3U);
  for (std::size_t i = 2; i < records.size(); ++i) EXPECT_EQ(records[i][2], records[i - 1][3]);
  EXPECT_DOUBLE_EQ(records.back()[3].toDouble(), comparison->results[1].trace.duration.count());
}

TEST(Exporter, WritesEveryFormatAndReportsWhatCannotBeWritten) {
  QTemporaryDir folder;
  const auto figure = make_comparison_figure(test::made_up_comparison());
  const auto paths = write_figure_files(*figure, folder.filePath("new/deep"));
  ASSERT_TRUE(paths) << paths.error().text();
  EXPECT_EQ(paths->size(), 4);
  for (const QString& path : *paths) EXPECT_GT(QFile(path).size(), 100) << path.toStdString();

  const auto missing = write_figure(*figure, folder.filePath("absent/x.svg"), FigureFormat::kSvg);
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().where.find("absent/x.svg"), std::string::npos);
  EXPECT_FALSE(write_figure_files(*figure, "/proc/nowhere"));
}

TEST(Exporter, FormatIsTakenFromTheName) {
  EXPECT_EQ(format_of("a/b.PDF").value(), FigureFormat::kPdf);
  ASSERT_FALSE(format_of("picture.jpeg"));
  EXPECT_NE(format_of("picture.jpeg").error().remedy.text().find(".svg"), std::string::npos);
}

TEST(Exporter, EmptyComparisonsGiveFilesToo) {
  for (const auto& comparison : {std::shared_ptr<const Comparison>(), std::make_shared<const Comparison>()}) {
    for (const auto& figure : all_figures(comparison)) {
      for (const FigureFormat format : kFigureFormats) EXPECT_TRUE(render_figure(*figure, format));
    }
  }
}

}  // namespace
}  // namespace iosx
