#include "views/app_model/run_settings.h"

#include <algorithm>

namespace iosx {

RunSettings settings_of(const Run& run) {
  return {.device = run.comparison.device.id,
          .batch = run.comparison.batch,
          .recipes = run.options.recipes,
          .search = run.options.search,
          .max_part_size = run.options.max_part_size,
          .timing = run.options.timing};
}

std::optional<StrategySet> strategies_of(const std::vector<Recipe>& recipes) {
  const auto found = std::ranges::find(kStrategySets, recipes, recipes_within);
  return found == kStrategySets.end() ? std::nullopt : std::optional(*found);
}

}  // namespace iosx
