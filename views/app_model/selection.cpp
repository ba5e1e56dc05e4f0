#include "views/app_model/selection.h"

#include <algorithm>
#include <utility>

namespace iosx {

bool Selection::contains(UnitId unit) const { return std::binary_search(units.begin(), units.end(), unit); }

bool Selection::isIn(const ScheduleId& id, const std::string& key) const {
  return schedule == id && (key.empty() || !run.valid() || run_key(run) == key);
}

std::string run_key(RunId run) { return run.valid() ? std::to_string(run.index()) : std::string(); }

Selection stage_selection(const ScheduleResult& result, std::size_t stage) {
  if (stage >= result.schedule.stages.size()) return {};
  return {result.schedule.stages[stage].units(), result.id, stage};
}

void SelectionModel::select(Selection selection) {
  std::sort(selection.units.begin(), selection.units.end());
  if (selection.schedule != ScheduleId() && !selection.run.valid()) selection.run = run_;
  if (selection == current_) return;
  current_ = std::move(selection);
  emit changed(current_);
}

void SelectionModel::setRun(RunId shown) {
  run_ = shown;
  if (current_.run.valid() && current_.run != shown) select({current_.units, {}, {}});
}

}  // namespace iosx

#include "moc_selection.cpp"
