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
  bool right = false;  // aligned so
  bool bold = false;
  QColor ink = {};   // not valid: the theme's, as the next
  QColor fill = {};  // not valid: none
};

// Holds a table that figures draw. Every row has a cell a column.
struct FigureTable {
  std::vector<FigureCell> header;  // texts of one or several lines
  std::vector<std::vector<FigureCell>> rows;
  // This and `below` say how it becomes narrow. So many leading columns every block repeats.
  std::size_t keys = 1;
  // These columns of words may stand below their row instead of in it, each group of them on a line.
  std::vector<std::vector<std::size_t>> below = {};
};

// Returns the cells of a model with their colours and alignments.
FigureTable figure_table(const QAbstractItemModel& model);

// Lays a table out for a width in pixels: columns are as wide as their widest text; where they do not fit, words go
// below their rows, columns without any value go, and what is still too wide is cut into blocks below one another. Text
// keeps its size whatever the width; names that do not fit are elided.
class TableLayout {
 public:
  // The table must outlive it. Without a width it is as wide as it likes.
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
  std::vector<double> natural_widths() const;
  double line_width() const;  // of what stands below rows
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
