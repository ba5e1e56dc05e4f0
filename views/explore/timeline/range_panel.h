#pragma once

#include <QFrame>

#include "views/explore/timeline/range_statistics.h"
#include "views/style/theme.h"

class QLabel;
class QTableWidget;

namespace iosx {

// Shows the statistics of a range over a corner of the timeline: a small table that can be copied and exported.
class RangePanel final : public QFrame {
  Q_OBJECT

 public:
  explicit RangePanel(QWidget* parent);

  void show(StatisticsTable table);  // and fits its size to it
  void setTheme(const Theme& theme);
  const StatisticsTable& table() const { return table_; }
  void copy() const;  // as tab-separated text

 signals:
  void exportWanted();
  void closed();

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  StatisticsTable table_;
  QLabel* title_;
  QTableWidget* cells_;
};

}  // namespace iosx
