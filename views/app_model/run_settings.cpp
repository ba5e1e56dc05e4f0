#include "views/app_model/run_settings.h"

#include <algorithm>

namespace iosx {

CompareOptions options_of(const RunSettings& settings) {
  CompareOptions options;
  options.batch = settings.batch;
  options.schedule_kinds = settings.schedule_kinds;
  options.search = settings.search;
  options.max_part_size = settings.max_part_size;
  options.timing = settings.timing;
  options.memory_limit = settings.memory_limit;
  return options;
}

RunSettings settings_of(const Run& run) {
  return {.device = run.comparison.device.id,
          .batch = run.comparison.batch,
          .schedule_kinds = run.options.schedule_kinds,
          .search = run.options.search,
          .max_part_size = run.options.max_part_size,
          .timing = run.options.timing,
          .memory_limit = run.options.memory_limit};
}

std::optional<StrategySet> strategies_of(const std::vector<ScheduleKind>& schedule_kinds) {
  const auto found = std::ranges::find(kStrategySets, schedule_kinds, schedule_kinds_within);
  return found == kStrategySets.end() ? std::nullopt : std::optional(*found);
}

}  // namespace iosx
