#pragma once

#include <QHash>
#include <QTableView>

namespace iosx {

// This is a table of the page: every row has the same height, columns are as wide as their contents, Ctrl+C copies the
// selected cells as tab-separated text.
class CompareTable final : public QTableView {
  Q_OBJECT

 public:
  explicit CompareTable(const QString& accessible_name, QWidget* parent = nullptr);

  // Makes columns as wide as their header and their cells, of which only the first hundred are looked at, up to a
  // limit; the last one may take what is left.
  void fitColumns(bool stretch_last);
  void setWidest(int column, int pixels) { widest_[column] = pixels; }  // the limit of one
  // Returns the height in pixels that the header and so many rows take.
  int heightOf(int rows) const;

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  QHash<int, int> widest_;
};

}  // namespace iosx
