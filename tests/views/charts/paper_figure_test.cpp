// Figures for papers: their size, and what poppler's tools find in the PDF.

#include <QSvgRenderer>
#include <QtWidgets>

#include "tests/support/made_up_comparison.h"
#include "tests/support/prelude.h"
#include "views/compare/comparison_chart.h"
#include "views/compare/difference_tables.h"
#include "views/compare/stage_latency_chart.h"
#include "views/explore/saving/saving_view.h"
#include "views/explore/timeline/timeline_figure.h"
#include "views/explore/utilization/utilization_figure.h"
#include "views/explore/utilization/why_view.h"
#include "views/figures/exporter.h"
#include "views/figures/figure_table.h"

namespace iosx {
namespace {

std::vector<std::unique_ptr<Figure>> paper_figures() {
  const auto comparison = test::made_up_comparison();
  std::vector<std::unique_ptr<Figure>> figures;
  figures.push_back(make_comparison_figure(comparison));
  figures.push_back(make_stage_latency_figure(comparison));
  figures.push_back(make_timeline_figure(comparison, {0, 1, 2}, {}));
  figures.push_back(make_utilization_figure(comparison, {0, 1, 2}, {}));
  figures.push_back(make_why_figure(comparison));
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
      const auto pdf =
          must(render_figure(*figure, FigureFormat::kPdf, PaperFormat{.width_mm = width, .font_points = 6}));
      const QString boxes = said(tool, {"-bbox"}, pdf);
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
    const auto pdf =
        must(render_figure(*figure, FigureFormat::kPdf, PaperFormat{.width_mm = 174, .font_points = points}));
    bool found = false;
    for (const Word& word : words_of(said(tool, {"-bbox"}, pdf))) {
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
    const auto pdf = must(render_figure(*figure, FigureFormat::kPdf, kColumn));
    QStringList lines = said(tool, {}, pdf).split('\n', Qt::SkipEmptyParts);
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
    const auto svg = must(render_figure(*figure, FigureFormat::kSvg, kColumn));
    const auto size = must(size_on_paper(*figure, kColumn));
    EXPECT_NEAR(size.width(), 84, 0.01);
    EXPECT_TRUE(svg.contains("<svg width=\"84.000mm\" height=\"" + QByteArray::number(size.height(), 'f', 3) + "mm\""));
  }
}

TEST(PaperFigure, PngHasTheDotsThatWereAskedFor) {
  const auto figure = make_comparison_figure(test::made_up_comparison());
  for (const int dpi : {150, 600}) {
    const auto png = must(render_figure(*figure, FigureFormat::kPng, PaperFormat{.width_mm = 84, .png_dpi = dpi}));
    const QImage image = QImage::fromData(png, "PNG");
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
  const auto found = must(smallest_text([&](QPainter& painter) {
    size(painter, 20, "a");
    size(painter, 2, "  ");  // nothing to read
    painter.save();
    painter.scale(0.5, 0.5);
    size(painter, 16, "b");
    painter.restore();
    size(painter, 11, "c");
  }));
  EXPECT_NEAR(found, 8, 1e-9);
}

// Tables of figures at any width.

// A column of names and `columns` of numbers, of three rows.
FigureTable numbers(std::size_t columns) {
  FigureTable table;
  table.header.push_back({.text = QStringLiteral("Part")});
  for (std::size_t i = 0; i < columns; ++i) {
    table.header.push_back({.text = QStringLiteral("Schedule %1\n[ms]").arg(i), .right = true});
  }
  for (int row = 0; row < 3; ++row) {
    auto& cells = table.rows.emplace_back();
    cells.push_back({.text = QStringLiteral("a part with a rather long name %1").arg(row)});
    for (std::size_t i = 0; i < columns; ++i) cells.push_back({.text = QStringLiteral("1.234"), .right = true});
  }
  return table;
}

// What it draws, every letter of it; painted on more than it asked for, so that what is drawn beyond that can be seen.
QImage drawn(const TableLayout& layout, const QSize& size) {
  QImage image(size, QImage::Format_RGB32);
  image.fill(Qt::white);
  QPainter painter(&image);
  layout.paint(painter, {0, 0}, Theme::light());
  return image;
}

bool white_beyond(const QImage& image, int width, int height) {
  for (int y = 0; y < image.height(); ++y) {
    for (int x = 0; x < image.width(); ++x) {
      if ((x > width || y > height) && image.pixel(x, y) != qRgb(255, 255, 255)) return false;
    }
  }
  return true;
}

TEST(TableLayout, HasEverythingInRowsWhereThereIsRoom) {
  const FigureTable table = numbers(4);
  const TableLayout wide(table);
  EXPECT_GT(wide.size().width(), 500);
  EXPECT_NEAR(wide.size().height(), 2 * 16 + 8 + 3 * 22, 1e-9);
  const TableLayout enough(table, wide.size().width());
  EXPECT_EQ(enough.size(), wide.size());
}

TEST(TableLayout, IsCutIntoBlocksWhereItIsTooWide) {
  const FigureTable table = numbers(6);
  const TableLayout wide(table);
  for (const double width : {400.0, 250.0, 120.0}) {
    const TableLayout narrow(table, width);
    EXPECT_LE(narrow.size().width(), width + 1e-6);
    EXPECT_GT(narrow.size().height(), 1.9 * wide.size().height());
    const QImage image = drawn(narrow, {700, static_cast<int>(narrow.size().height()) + 200});
    EXPECT_TRUE(white_beyond(image, static_cast<int>(width), static_cast<int>(narrow.size().height()))) << width;
    EXPECT_EQ(smallest_text([&](QPainter& painter) { narrow.paint(painter, {0, 0}, Theme::light()); }), 12.0);
  }
}

TEST(TableLayout, PutsWordsBelowTheirRowsFirst) {
  FigureTable table = numbers(2);
  table.header.push_back({.text = QStringLiteral("What changed")});
  for (auto& row : table.rows) row.push_back({.text = QStringLiteral("the first three of them moved to stage 12")});
  table.rows.back().back().text.clear();
  table.keys = 1;
  table.below = {{3}};
  const double wide = TableLayout(table).size().width();
  const TableLayout narrow(table, wide - 10);
  EXPECT_NEAR(narrow.size().height(), 2 * 16 + 8 + 3 * 22 + 2 * 16, 1e-9) << "a line only where there are words";
  EXPECT_LT(narrow.size().width(), wide - 100);
}

TEST(TableLayout, LeavesOutWhatHasNoValueOnlyWhereItIsNarrow) {
  FigureTable table = numbers(3);
  for (auto& row : table.rows) row[2].text = QString::fromUtf8("\u2013");
  const TableLayout wide(table);
  const TableLayout narrow(table, wide.size().width() - 5);
  EXPECT_EQ(narrow.size().height(), wide.size().height()) << "one block of what is left";
  EXPECT_LT(narrow.size().width(), wide.size().width() - 50);
}

TEST(TableLayout, SurvivesWhatHasNoColumnsNoRowsOrNoRoom) {
  EXPECT_EQ(TableLayout(FigureTable{}).size().width(), 0);
  FigureTable headers;
  headers.header.push_back({.text = QStringLiteral("alone")});
  EXPECT_LE(TableLayout(headers, 10).size().width(), 100);
  EXPECT_LE(TableLayout(numbers(3), 1).size().width(), 3);
  FigureTable endless = numbers(1);
  endless.rows.front().front().text = QString(100000, QLatin1Char('x'));
  EXPECT_LE(TableLayout(endless, 300).size().width(), 300);
}

std::vector<std::unique_ptr<Figure>> all_figures(const std::shared_ptr<const Comparison>& comparison) {
  std::vector<std::unique_ptr<Figure>> figures;
  figures.push_back(make_comparison_figure(comparison));
  figures.push_back(make_stage_latency_figure(comparison));
  figures.push_back(make_timeline_figure(comparison, {0, 1, 2}, {}));
  figures.push_back(make_utilization_figure(comparison, {0, 1, 2}, {}));
  // Of nothing there is none.
  if (auto why = make_why_figure(comparison)) figures.push_back(std::move(why));
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
    const auto csv = must(render_figure(*figure, FigureFormat::kCsv));
    const auto rows = parse_csv(QString::fromUtf8(csv));
    const auto column = rows.front().indexOf("recorded");
    ASSERT_GE(column, 0) << figure->fileStem().toStdString();
    EXPECT_EQ(rows.back().at(column), "recorded on server, 2026-03-01 12:00 UTC") << figure->fileStem().toStdString();
  }
}

TEST(Exporter, EveryFigureHasTextInItsSvg) {
  for (const auto& figure : all_figures(test::made_up_comparison())) {
    const auto svg = must(render_figure(*figure, FigureFormat::kSvg));
    EXPECT_TRUE(QSvgRenderer(svg).isValid());
    const std::set<QString> texts = svg_texts(svg);
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
    const auto svg = must(render_figure(*figure, FigureFormat::kSvg));
    EXPECT_FALSE(svg_texts(svg).empty());  // reads it as XML
    EXPECT_FALSE(svg.contains('\x01') || svg.contains('\x1b') || svg.contains('\x02'));
    EXPECT_FALSE(svg.contains("\xe2\x80\xae"));
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
      const auto svg = must(render_figure(*figure, FigureFormat::kSvg));
      QXmlStreamReader reader(svg);
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
    const auto pdf = must(render_figure(*figure, FigureFormat::kPdf));
    EXPECT_TRUE(pdf.startsWith("%PDF-"));
    EXPECT_EQ(pdf.count("/Type /Page\n"), 1);
    EXPECT_FALSE(pdf.contains("/Subtype /Image")) << figure->fileStem().toStdString();
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
  const auto pdf = must(render_figure(Large(), FigureFormat::kPdf));
  const auto box = QRegularExpression("/MediaBox \\[0 0 ([0-9.]+) ([0-9.]+)").match(QString::fromLatin1(pdf));
  ASSERT_TRUE(box.hasMatch());
  EXPECT_NEAR(box.captured(1).toDouble(), 1190, 2);  // points: the long side of A3
  EXPECT_NEAR(box.captured(2).toDouble() / box.captured(1).toDouble(), 954.0 / 5024, 0.003);
}

TEST(Exporter, PngHasTwoPixelsADeviceIndependentOneAndIsNotBlank) {
  for (const auto& figure : all_figures(test::made_up_comparison())) {
    const auto png = must(render_figure(*figure, FigureFormat::kPng));
    const QImage image = QImage::fromData(png, "PNG");
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
  const auto begin = records.front().indexOf("begin_us");
  EXPECT_DOUBLE_EQ(records[1][begin].toDouble(), 4.0);
  EXPECT_EQ(records.back()[records.front().indexOf("schedule")], "ios-both");
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
  const auto paths = must(write_figure_files(*figure, folder.filePath("new/deep")));
  EXPECT_EQ(paths.size(), 4);
  for (const QString& path : paths) EXPECT_GT(QFile(path).size(), 100) << path.toStdString();

  const Error error = refused(write_figure(*figure, folder.filePath("absent/x.svg"), FigureFormat::kSvg));
  EXPECT_NE(error.where.find("absent/x.svg"), std::string::npos);
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
