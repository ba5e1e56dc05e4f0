#include "views/app_model/run_settings.h"

#include <algorithm>

namespace iosx {

RunSettings settings_of(const Run& run) {
  RunSettings settings{.device = run.comparison.device.id, .options = run.options};
  settings.options.batch = run.comparison.batch;
  settings.options.given.clear();
  settings.options.warm_start.reset();
  return settings;
}

std::optional<StrategySet> strategies_of(const std::vector<ScheduleKind>& schedule_kinds) {
  const auto found = std::ranges::find(kStrategySets, schedule_kinds, schedule_kinds_within);
  return found == kStrategySets.end() ? std::nullopt : std::optional(*found);
}

}  // namespace iosx
