#include "core/plan/execution_plan.h"

#include <algorithm>

namespace iosx {

std::size_t ExecutionPlan::lane_count() const {
  std::size_t lanes = 0;
  for (const PlanStage& stage : stages) lanes = std::max(lanes, stage.lanes.size());
  return lanes;
}

}  // namespace iosx
