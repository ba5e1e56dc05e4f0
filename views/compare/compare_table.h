#pragma once

#include <QHash>
#include <QTableView>

namespace iosx {

// A table of the page: one height for every row, columns as wide as their contents, Ctrl+C copies the selected cells as
// tab-separated text.
class CompareTable final : public QTableView {
  Q_OBJECT

 public:
  explicit CompareTable(const QString& accessible_name, QWidget* parent = nullptr);

  // As wide as their header and their cells, of which only the first hundred are looked at, up to a limit; the last one
  // may take what is left.
  void fitColumns(bool stretch_last);
  void setWidest(int column, int pixels) { widest_[column] = pixels; }  // the limit of one
  // As high as the header and these rows.
  int heightOf(int rows) const;

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  QHash<int, int> widest_;
};

}  // namespace iosx
