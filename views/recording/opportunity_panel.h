#pragma once

#include <QWidget>
#include <cstddef>
#include <memory>

#include "core/analysis/recording/opened_recording.h"

class QLabel;
class QSortFilterProxyModel;
class QTableView;

namespace iosx {

class RecordingLines;
class TableModel;

// Lists which kernels of a recording could run at the same time, with the largest gain first, and says what is known of
// them. Gains are predicted, and told twice: launched as one CUDA graph, and launched as recorded. Where no dependency
// is known and nothing may be independent, it shows how to record them.
class OpportunityPanel final : public QWidget {
  Q_OBJECT

 public:
  explicit OpportunityPanel(QWidget* parent = nullptr);

  void setRecording(std::shared_ptr<const OpenedRecording> opened);  // null: none
  QTableView* table() const { return table_; }
  QString sentence() const;

 signals:
  void chosen(std::size_t opportunity);  // by the user, an index of the recording's

 private:
  std::shared_ptr<const OpenedRecording> opened_;
  QLabel* sentence_;
  TableModel* model_;
  QSortFilterProxyModel* sorted_;
  QTableView* table_;
  RecordingLines* lines_;  // in place of the table where they help
};

// Returns what the panel says above the table: whether the groups are independent, and how good the predictions are.
QString opportunity_text(const OpenedRecording& opened);

}  // namespace iosx
