#pragma once

#include <QHash>
#include <QTableView>

namespace iosx {

// A table of the page: every row has the same height, columns are as wide as their contents, Ctrl+C copies the
// selected cells as tab-separated text.
class CompareTable final : public QTableView {
  Q_OBJECT

 public:
  explicit CompareTable(const QString& accessible_name, QWidget* parent = nullptr);

  // Makes columns as wide as their header and their first hundred cells, up to a limit; the last one may take the
  // rest.
  void fitColumns(bool stretch_last);
  void setWidest(int column, int pixels) { widest_[column] = pixels; }  // the limit of one
  // Returns the height in pixels of the header and that many rows.
  int heightOf(int rows) const;

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  QHash<int, int> widest_;
};

}  // namespace iosx
