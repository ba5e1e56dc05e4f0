#pragma once

#include <QTableView>
#include <vector>

namespace iosx {

// A table as all panels of the window show it: whole rows, comfortable height, Ctrl+C copies the selected cells as
// tab-separated text.
class TableView final : public QTableView {
  Q_OBJECT

 public:
  // `stretched` is the column that takes what width is left, but at least some; −1: none.
  explicit TableView(const QString& accessible_name, int stretched, QWidget* parent = nullptr);

  void copy() const;
  // Selects exactly these rows and shows the first; rowsChosen() is not emitted.
  void selectRows(const std::vector<int>& rows);
  // Columns as wide as their header and their cells, of which only the first hundred are looked at.
  void fitColumns(int widest);
  // Columns to hide, the first one first, where the table is too narrow for all.
  void setOptionalColumns(std::vector<int> columns);
  // The stretched column's text takes as many lines as it needs, up to a few, where the column is wide enough for that
  // to be read.
  void wrapStretched() { wrap_ = true; }

 signals:
  void rowsChosen(const std::vector<int>& rows);  // by the user, ascending

 protected:
  void selectionChanged(const QItemSelection& selected, const QItemSelection& deselected) override;
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void stretch();
  void dropColumns();
  void wrapRows();

  int stretched_;
  std::vector<int> optional_;
  bool wrap_ = false;
  bool selecting_ = false;  // by the program
};

}  // namespace iosx
