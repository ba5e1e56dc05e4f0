#include "views/bridge/selection.h"

#include <algorithm>
#include <utility>

namespace iosx {

bool Selection::contains(UnitId unit) const { return std::binary_search(units.begin(), units.end(), unit); }

Selection stage_selection(const ScheduleResult& result, std::size_t stage) {
  if (stage >= result.schedule.stages.size()) return {};
  return {result.schedule.stages[stage].units(), result.id, stage};
}

void SelectionModel::select(Selection selection) {
  std::sort(selection.units.begin(), selection.units.end());
  if (selection == current_) return;
  current_ = std::move(selection);
  emit changed(current_);
}

}  // namespace iosx
