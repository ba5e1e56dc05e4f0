#include "core/workbench/user_options.h"

namespace iosx {

void choose_method(SearchOptions& search) {
  if (search.method == SearchMethod::kAutomatic && search.effort.lazy()) search.method = SearchMethod::kLazy;
}

void repeat_times(TimingOptions& timing, int times) { timing.repeats = timing.max_repeats = times; }

void time_at_least(TimingOptions& timing, Millis time) {
  timing.min_time = time;
  if (time > Millis(0)) timing.max_repeats = static_cast<int>(kRepeatBounds.most);  // so that short runs fill it
}

}  // namespace iosx
