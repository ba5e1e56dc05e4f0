#include "core/model/cost/latency.h"

#include <algorithm>
#include <cmath>

namespace iosx {

std::string_view origin_name(Origin origin) {
  constexpr std::string_view kNames[]{"simulated", "measured", "recorded", "predicted"};
  return kNames[static_cast<std::size_t>(origin)];
}

Millis error_of_median(const Latency& latency) {
  const auto samples = static_cast<double>(std::max<std::int64_t>(latency.samples, 1));
  return latency.spread * 1.2533 / std::sqrt(samples);
}

StageWidth width_of(const Stage& stage) {
  return stage.groups.size() > 1 ? StageWidth::kSeveralLanes : StageWidth::kOneLane;
}

Millis InterStageOverhead::before(std::optional<StageWidth> last, StageWidth next) const {
  const ByWidth& overhead = last ? between[static_cast<std::size_t>(*last)] : first;
  return overhead[static_cast<std::size_t>(next)];
}

Millis InterStageOverhead::sum(const Schedule& schedule) const {
  Millis sum{0};
  std::optional<StageWidth> last;
  for (const Stage& stage : schedule.stages) {
    sum += before(last, width_of(stage));
    last = width_of(stage);
  }
  return sum;
}

}  // namespace iosx
