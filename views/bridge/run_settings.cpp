#include "views/bridge/run_settings.h"

namespace iosx {

RunSettings settings_of(const Run& run) {
  return {.device = run.comparison.device.id,
          .batch = run.comparison.batch,
          .recipes = run.options.recipes,
          .search = run.options.search,
          .max_part_size = run.options.max_part_size,
          .timing = run.options.timing};
}

}  // namespace iosx
