#pragma once

#include <QStyledItemDelegate>

namespace iosx {

// Draws cells of a table with extras (views/tables/cell_roles.h): a bar under a number, framed pieces, a glyph before
// a word. Other cells look as usual. It draws vectors only, so that all is sharp at any scale.
class CellDelegate final : public QStyledItemDelegate {
  Q_OBJECT

 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

// Draws text in as many lines as it needs, also broken within a word longer than the column. Text is elided only beside
// a bar (cell::kCost), with the full text in the tool tip.
class WrapDelegate final : public QStyledItemDelegate {
  Q_OBJECT

 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  // Returns the height of the text in a column of this width, with its margins, in pixels.
  static int heightFor(const QString& text, const QFont& font, int width);

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

 private:
  static void paintCost(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index);
};

}  // namespace iosx
