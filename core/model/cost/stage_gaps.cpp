#include "core/model/cost/stage_gaps.h"

#include <cstddef>

namespace iosx {

StageWidth width_of(const Stage& stage) {
  return stage.groups.size() > 1 ? StageWidth::kSeveralLanes : StageWidth::kOneLane;
}

Millis StageGaps::before(std::optional<StageWidth> last, StageWidth next) const {
  const ByWidth& gaps = last ? between[static_cast<std::size_t>(*last)] : first;
  return gaps[static_cast<std::size_t>(next)];
}

Millis StageGaps::sum(const Schedule& schedule) const {
  Millis sum{0};
  std::optional<StageWidth> last;
  for (const Stage& stage : schedule.stages) {
    sum += before(last, width_of(stage));
    last = width_of(stage);
  }
  return sum;
}

}  // namespace iosx
