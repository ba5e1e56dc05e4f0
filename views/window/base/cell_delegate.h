#pragma once

#include <QStyledItemDelegate>

namespace iosx {

// Draws what the cells of a table have beside their text (views/tables/cell_roles.h): a bar under a number, pieces in
// frames, a glyph before a word. Cells without any of that look as they always do. It draws vectors only, so that all
// is sharp at any scale.
class CellDelegate final : public QStyledItemDelegate {
  Q_OBJECT

 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

// Draws text that takes as many lines as it needs, breaking within a word where that is longer than the column: nothing
// is ever elided, but beside a bar (cell::kCost), where the tool tip has all of it.
class WrapDelegate final : public QStyledItemDelegate {
  Q_OBJECT

 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  // Returns the height of the text in a column of this width, with the space around it, in pixels.
  static int heightFor(const QString& text, const QFont& font, int width);

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

 private:
  static void paintCost(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index);
};

}  // namespace iosx
