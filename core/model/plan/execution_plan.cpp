#include "core/model/plan/execution_plan.h"

#include <algorithm>

namespace iosx {

std::size_t ExecutionPlan::lane_count() const {
  std::size_t lanes = 0;
  for (const PlanStage& stage : stages) lanes = std::max(lanes, stage.lanes.size());
  return lanes;
}

Shape filled_shape(const Buffer& buffer) {
  return buffer.blank == 0 ? buffer.shape : buffer.shape.with(0, buffer.shape.channels() - buffer.blank);
}

}  // namespace iosx
