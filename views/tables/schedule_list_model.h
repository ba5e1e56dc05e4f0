#pragma once

#include <memory>

#include "core/analysis/compare/comparison.h"
#include "views/style/theme.h"
#include "views/tables/table_model.h"

namespace iosx {

// Shows the schedules of a comparison, one a row, in its order: it is schedule_comparison() with swatches, bars and
// tool tips.
class ScheduleListModel final : public TableModel {
  Q_OBJECT

 public:
  explicit ScheduleListModel(QObject* parent = nullptr);

  void setComparison(std::shared_ptr<const Comparison> comparison);  // null: no rows
  void setTheme(const Theme& theme);                                 // colours of the swatches

 protected:
  QVariant painted(int row, std::string_view id, int role) const override;

 private:
  QString toolTip(const ScheduleResult& result, std::string_view id) const;

  std::shared_ptr<const Comparison> comparison_;
  Theme theme_ = Theme::light();
};

}  // namespace iosx
