#pragma once

#include <QTableView>
#include <functional>
#include <vector>

class QLineEdit;
class QMenu;

namespace iosx {

// This property of an item view says that Space means something in it.
inline constexpr const char* kKeepsSpace = "keepsSpace";

class WordFilter;

// Shows a table as all panels of the window do: whole rows of one height, sorted by a click on a header, Ctrl+C copies
// the selected rows as tab-separated text, a right click offers what can be done with them.
class TableView final : public QTableView {
  Q_OBJECT

 public:
  // `stretched` is the column that takes what width is left, but at least some; −1: none.
  explicit TableView(const QString& accessible_name, int stretched, QWidget* parent = nullptr);

  void copy() const;       // the selected cells as tab-separated text
  void copyAsCsv() const;  // with the header line, after RFC 4180
  // Selects exactly these rows and shows the first; rowsChosen() is not emitted.
  void selectRows(const std::vector<int>& rows);
  // Makes columns as wide as their header and their cells, of which only the first hundred are looked at.
  void fitColumns(int widest);
  // Sets the columns to hide, the first one first, where the table is too narrow for all.
  void setOptionalColumns(std::vector<int> columns);
  // Makes rows as high as their text needs, which is broken and never elided. This is for few rows.
  void setWrapping();
  // Sets what the menu of a right click holds besides copying.
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

// Returns the rows of a table sorted and filtered; `parent` owns them.
WordFilter* sorted(QAbstractItemModel* model, QObject* parent);
// Makes a line that filters the proxy's rows by words, all of which a row must have; Ctrl+F in the table goes there,
// Escape empties it.
QLineEdit* filter_line(WordFilter* proxy, TableView* table, const QString& what);

}  // namespace iosx
