#pragma once

#include <memory>
#include <vector>

#include "core/analysis/difference/difference_report.h"
#include "views/compare/comparison_data.h"
#include "views/compare/latency_bar.h"
#include "views/tables/table_model.h"

namespace iosx {

// Shows what is known of each schedule's end-to-end latency: one row a schedule, and below them what others recorded.
// It is statistics_table() with tool tips.
class StatisticsModel final : public TableModel {
  Q_OBJECT

 public:
  using TableModel::TableModel;

  void setRuns(std::shared_ptr<const RunMatrix> data, std::vector<LatencyBar> external = {});  // null: no rows

 protected:
  QVariant painted(int row, std::string_view id, int role) const override;

 private:
  RunStatistics statisticsOf(std::size_t subject) const;
  RunStatistics externalOf(const LatencyBar& bar) const;
  QString remarks(std::size_t subject, const SubjectStatistics& statistics) const;

  std::shared_ptr<const RunMatrix> data_;
  std::vector<LatencyBar> external_;
};

}  // namespace iosx
