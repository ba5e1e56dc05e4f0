// Tables of figures at any width.
#include <gtest/gtest.h>

#include <QImage>
#include <QPainter>

#include "views/figures/figure_table.h"
#include "views/figures/text_meter.h"

namespace iosx {
namespace {

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
  const FigureTable table = numbers(3);
  EXPECT_LE(TableLayout(table, 1).size().width(), 3);
  FigureTable endless = numbers(1);
  endless.rows.front().front().text = QString(100000, QLatin1Char('x'));
  EXPECT_LE(TableLayout(endless, 300).size().width(), 300);
}

}  // namespace
}  // namespace iosx
