#include "views/figures/figure_table.h"

#include <QAbstractItemModel>
#include <QFont>
#include <QFontMetricsF>
#include <QGuiApplication>
#include <QPainter>
#include <QStringList>
#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

namespace iosx {
namespace {

constexpr int kTextSize = 12;  // pixels
constexpr double kRowHeight = 22;
constexpr double kLineHeight = 16;  // of a header, and of words below a row
constexpr double kCellPadding = 8;  // on both sides of a text
constexpr double kLeastText = 24;
constexpr double kWidestCell = 340;
constexpr double kWidestKeys = 0.45;  // of the width, where there are several blocks
constexpr double kBlockGap = 14;
constexpr qsizetype kMostLetters = 400;  // that are measured and drawn: names may have any length

QFont font_of(bool bold) { return sized(QGuiApplication::font(), kTextSize, bold); }

QString bounded(const QString& text) { return text.left(kMostLetters); }

bool aligned_right(const QVariant& alignment) {
  return alignment.isValid() && alignment.value<Qt::Alignment>().testFlag(Qt::AlignRight);
}

bool has_nothing(const QString& text) { return text.isEmpty() || text == QString::fromUtf8("\u2013"); }

int flags_of(bool right, Qt::AlignmentFlag vertical) { return (right ? Qt::AlignRight : Qt::AlignLeft) | vertical; }

}  // namespace

FigureTable figure_table(const QAbstractItemModel& model) {
  FigureTable table;
  for (int column = 0; column < model.columnCount(); ++column) {
    table.header.push_back({.text = bounded(model.headerData(column, Qt::Horizontal).toString()),
                            .right = aligned_right(model.headerData(column, Qt::Horizontal, Qt::TextAlignmentRole)),
                            .bold = true});
  }
  for (int row = 0; row < model.rowCount(); ++row) {
    std::vector<FigureCell>& cells = table.rows.emplace_back();
    for (int column = 0; column < model.columnCount(); ++column) {
      const QModelIndex index = model.index(row, column);
      const QVariant font = index.data(Qt::FontRole);
      const QVariant ink = index.data(Qt::ForegroundRole);
      const QVariant fill = index.data(Qt::BackgroundRole);
      cells.push_back({.text = bounded(index.data().toString()),
                       .right = aligned_right(index.data(Qt::TextAlignmentRole)),
                       .bold = font.isValid() && font.value<QFont>().bold(),
                       .ink = ink.isValid() ? ink.value<QColor>() : QColor(),
                       .fill = fill.isValid() ? fill.value<QColor>() : QColor()});
    }
  }
  return table;
}

TableLayout::TableLayout(const FigureTable& table) : TableLayout(table, std::numeric_limits<double>::infinity()) {}

TableLayout::TableLayout(const FigureTable& table, double width) : table_(table) {
  lay_out(width);
  double widest = 0;
  double height = 0;
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    widest = std::max(widest, width_of(blocks_[i]));
    height += header_height(blocks_[i]) + (i > 0 ? kBlockGap : 0);
    for (const auto& row : table_.rows) height += row_height(row, i == 0);
  }
  size_ = {widest, height};
}

double TableLayout::width_of(const Block& block) {
  return std::transform_reduce(block.begin(), block.end(), 0.0, std::plus(), [](const Column& c) { return c.width; });
}

std::vector<double> TableLayout::natural_widths() const {
  std::vector<double> widths;
  const QFontMetricsF bold(font_of(true));
  for (std::size_t column = 0; column < table_.header.size(); ++column) {
    double width = kLeastText;
    for (const QString& line : table_.header[column].text.split(QLatin1Char('\n'))) {
      width = std::max(width, bold.horizontalAdvance(line));
    }
    for (const auto& row : table_.rows) width = std::max(width, bold.horizontalAdvance(row[column].text));
    widths.push_back(std::min(std::ceil(width), kWidestCell) + 2 * kCellPadding);
  }
  return widths;
}

void TableLayout::lay_out(double width) {
  const std::vector<double> widths = natural_widths();
  std::vector<std::size_t> columns(widths.size());
  std::iota(columns.begin(), columns.end(), 0U);
  const auto block_of = [&](const std::vector<std::size_t>& chosen) {
    Block block;
    for (const std::size_t column : chosen) block.push_back({column, widths[column]});
    return block;
  };
  const auto fit = [&] {
    Block all = block_of(columns);
    if (width_of(all) > width) return false;
    blocks_.push_back(std::move(all));
    return true;
  };
  if (fit()) return;
  lines_below_ = !table_.below.empty();
  for (const auto& group : table_.below) {
    for (const std::size_t column : group) std::erase(columns, column);
  }
  if (fit()) return;
  std::erase_if(columns, [&](std::size_t column) {
    return column >= table_.keys && !table_.rows.empty() &&
           std::ranges::all_of(table_.rows, [&](const auto& row) { return has_nothing(row[column].text); });
  });
  if (fit()) return;
  const std::size_t keys = std::min(table_.keys, columns.size());
  const std::vector<std::size_t> key_columns(columns.begin(), columns.begin() + static_cast<std::ptrdiff_t>(keys));
  Block keys_of_block = block_of(key_columns);
  narrow(keys_of_block, kWidestKeys * width);
  const double room = std::max(width - width_of(keys_of_block), 1.0);
  double left = 0;
  for (std::size_t i = keys; i < columns.size(); ++i) {
    const double needed = std::min(widths[columns[i]], room);
    if (blocks_.empty() || needed > left) {
      blocks_.push_back(keys_of_block);
      left = room;
    }
    blocks_.back().push_back({columns[i], needed});
    left -= needed;
  }
  if (blocks_.empty()) blocks_.push_back(std::move(keys_of_block));
}

// The widest give way first.
void TableLayout::narrow(Block& block, double width) {
  double total = width_of(block);
  while (total > width) {
    const auto widest = std::ranges::max_element(block, {}, &Column::width);
    double second = 0;
    for (const Column& column : block) {
      if (&column != &*widest) second = std::max(second, column.width);
    }
    // All are equal: the same share of each.
    if (widest->width - second < 1) {
      for (Column& column : block) column.width *= width / total;
      return;
    }
    const double cut = std::min(total - width, widest->width - second);
    widest->width -= cut;
    total -= cut;
  }
}

QString TableLayout::line_text(const std::vector<FigureCell>& row, const std::vector<std::size_t>& group) const {
  QStringList words;
  for (const std::size_t column : group) {
    if (!row[column].text.isEmpty()) words << row[column].text;
  }
  return words.join(QString::fromUtf8(" \u00B7 "));
}

double TableLayout::header_height(const Block& block) const {
  qsizetype lines = 1;
  for (const Column& column : block) {
    lines = std::max(lines, table_.header[column.index].text.count(QLatin1Char('\n')) + 1);
  }
  return static_cast<double>(lines) * kLineHeight + 8;
}

double TableLayout::row_height(const std::vector<FigureCell>& row, bool with_lines) const {
  double height = kRowHeight;
  if (!with_lines || !lines_below_) return height;
  for (const auto& group : table_.below) height += line_text(row, group).isEmpty() ? 0 : kLineHeight;
  return height;
}

void TableLayout::paint(QPainter& painter, QPointF at, const Theme& theme) const {
  double top = at.y();
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const Block& block = blocks_[i];
    if (i > 0) top += kBlockGap;
    const double head = header_height(block);
    double left = at.x();
    for (const Column& column : block) {
      const FigureCell& title = table_.header[column.index];
      painter.setFont(font_of(true));
      painter.setPen(theme.mutedText);
      const QFontMetricsF metrics(painter.font());
      const QRectF box(left + kCellPadding, top, column.width - 2 * kCellPadding, head - 6);
      QStringList lines = title.text.split(QLatin1Char('\n'));
      for (QString& line : lines) line = metrics.elidedText(line, Qt::ElideRight, box.width() + 1);
      painter.drawText(box, flags_of(title.right, Qt::AlignBottom), lines.join(QLatin1Char('\n')));
      left += column.width;
    }
    top += head;
    painter.setPen(theme.outline);
    painter.drawLine(QPointF(at.x(), top - 2), QPointF(left, top - 2));
    for (const auto& row : table_.rows) top += paint_row(painter, {at.x(), top}, block, row, i == 0, theme);
  }
}

double TableLayout::paint_row(QPainter& painter, QPointF at, const Block& block, const std::vector<FigureCell>& row,
                              bool with_lines, const Theme& theme) const {
  double left = at.x();
  for (const Column& column : block) {
    const FigureCell& cell = row[column.index];
    const QRectF box(left, at.y(), column.width, kRowHeight);
    if (cell.fill.isValid()) painter.fillRect(box.adjusted(0.5, 0.5, -0.5, -0.5), cell.fill);
    painter.setPen(cell.ink.isValid() ? cell.ink : theme.text);
    painter.setFont(font_of(cell.bold));
    const QRectF inner = box.adjusted(kCellPadding, 0, -kCellPadding, 0);
    painter.drawText(inner, flags_of(cell.right, Qt::AlignVCenter),
                     QFontMetricsF(painter.font()).elidedText(cell.text, Qt::ElideRight, inner.width() + 1));
    left += column.width;
  }
  double height = kRowHeight;
  if (!with_lines || !lines_below_) return height;
  painter.setPen(theme.mutedText);
  painter.setFont(font_of(false));
  for (const auto& group : table_.below) {
    const QString text = line_text(row, group);
    if (text.isEmpty()) continue;
    const QRectF box(at.x() + kCellPadding, at.y() + height - 3, width_of(blocks_.front()) - 2 * kCellPadding,
                     kLineHeight);
    painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetricsF(painter.font()).elidedText(text, Qt::ElideRight, box.width()));
    height += kLineHeight;
  }
  return height;
}

}  // namespace iosx
