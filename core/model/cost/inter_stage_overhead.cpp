#include "core/model/cost/inter_stage_overhead.h"

#include <cstddef>

namespace iosx {

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
