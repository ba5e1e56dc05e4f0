#pragma once

#include <QColor>
#include <QPointF>
#include <QSizeF>
#include <QString>
#include <vector>

#include "views/style/theme.h"

class QAbstractItemModel;
class QPainter;

namespace iosx {

struct FigureCell {
  QString text;
  bool right = false;  // right-aligned
  bool bold = false;
  QColor ink = {};   // invalid: the theme's, like the next
  QColor fill = {};  // invalid: none
};

// A table for figures. Every row has a cell per column.
struct FigureTable {
  std::vector<FigureCell> header;  // texts of one or several lines
  std::vector<std::vector<FigureCell>> rows;
  // For narrowing, with `below`: how many leading columns every block repeats.
  std::size_t keys = 1;
  // Columns of words that may move below their row, each group of them on a line.
  std::vector<std::vector<std::size_t>> below = {};
};

// Returns the cells of a model with their colours and alignments.
FigureTable figure_table(const QAbstractItemModel& model);

// Lays out a table for a width in pixels: columns are as wide as their widest text. Where they do not fit, words move
// below their rows, columns without any value disappear, and the rest is cut into blocks below one another. Text keeps
// its size for any width; names that do not fit are elided.
class TableLayout {
 public:
  // The table must outlive it. Without a width it takes its natural one.
  explicit TableLayout(const FigureTable& table);
  TableLayout(const FigureTable& table, double width);

  QSizeF size() const { return size_; }
  void paint(QPainter& painter, QPointF at, const Theme& theme) const;

 private:
  struct Column {
    std::size_t index;
    double width;
  };
  using Block = std::vector<Column>;

  void lay_out(double width);
  static void narrow(Block& block, double width);
  static double width_of(const Block& block);
  std::vector<double> natural_widths() const;
  QString line_text(const std::vector<FigureCell>& row, const std::vector<std::size_t>& group) const;
  double header_height(const Block& block) const;
  double row_height(const std::vector<FigureCell>& row, bool with_lines) const;
  double paint_row(QPainter& painter, QPointF at, const Block& block, const std::vector<FigureCell>& row,
                   bool with_lines, const Theme& theme) const;  // its height

  const FigureTable& table_;
  std::vector<Block> blocks_;  // the first one has the lines below rows
  bool lines_below_ = false;
  QSizeF size_;
};

}  // namespace iosx
