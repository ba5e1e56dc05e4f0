#pragma once

#include <QStyledItemDelegate>
#include <QTableView>
#include <functional>
#include <vector>

class QLineEdit;
class QMenu;

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

// This property of an item view reserves Space for it.
inline constexpr const char* kKeepsSpace = "keepsSpace";

class WordFilter;

// A table in the style of all panels: whole rows of one height, sorted by a click on a header; Ctrl+C copies the
// selected rows as tab-separated text, a right click opens their menu.
class TableView final : public QTableView {
  Q_OBJECT

 public:
  // `stretched` is the column that takes the remaining width, with a minimum; −1: none.
  explicit TableView(const QString& accessible_name, int stretched, QWidget* parent = nullptr);

  void copy() const;       // the selected cells as tab-separated text
  void copyAsCsv() const;  // with the header line, by RFC 4180
  // Selects exactly these rows and shows the first; does not emit rowsChosen().
  void selectRows(const std::vector<int>& rows);
  // Makes columns as wide as their header and their first hundred cells.
  void fitColumns(int widest);
  // Sets the columns to hide, in order, where the table is too narrow for all.
  void setOptionalColumns(std::vector<int> columns);
  // Makes rows as high as their wrapped text, without eliding. For few rows.
  void setWrapping();
  // Sets the additional content of the right-click menu.
  void setFurtherMenu(std::function<void(QMenu&)> fill) { further_ = std::move(fill); }
  void fillMenu(QMenu& menu);

 signals:
  void rowsChosen(const std::vector<int>& rows);  // by the user, ascending
  void findAsked();                               // Ctrl+F

 protected:
  void selectionChanged(const QItemSelection& selected, const QItemSelection& deselected) override;
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  bool event(QEvent* event) override;

 private:
  void tellRows();
  void stretch();
  void dropColumns();
  void wrapRows();
  void setRowHeightOfFont();

  int stretched_;
  std::vector<int> optional_;
  std::function<void(QMenu&)> further_;
  bool wrap_ = false;
  bool selecting_ = false;  // by the program
};

// Returns a table's rows sorted and filtered; `parent` owns them.
WordFilter* sorted(QAbstractItemModel* model, QObject* parent);
// Makes a line that filters the proxy's rows by words, all of which must occur; Ctrl+F in the table focuses it,
// Escape clears it.
QLineEdit* filter_line(WordFilter* proxy, TableView* table, const QString& what);

}  // namespace iosx
