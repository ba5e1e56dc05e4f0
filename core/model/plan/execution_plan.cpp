#include "core/model/plan/execution_plan.h"

#include <algorithm>

namespace iosx {

std::size_t ExecutionPlan::lane_count() const {
  std::size_t lanes = 0;
  if (barrier_free) {
    for (const Kernel& kernel : kernels) lanes = std::max(lanes, kernel.lane + 1);
  } else {
    for (const PlanStage& stage : stages) lanes = std::max(lanes, stage.lanes.size());
  }
  return lanes;
}

Shape filled_shape(const Buffer& buffer) {
  return buffer.blank == 0 ? buffer.shape : buffer.shape.with(0, buffer.shape.channels() - buffer.blank);
}

std::int64_t channels_of(const Buffer& buffer) {
  return buffer.axis == 0 ? buffer.shape.channels() : buffer.shape[buffer.axis];
}

Shape shape_of(const Buffer& buffer, const TensorView& view) {
  return buffer.shape.rank() == 0 ? buffer.shape : buffer.shape.with(buffer.axis, view.end - view.begin);
}

bool is_whole(const Buffer& buffer, const TensorView& view) {
  return view.begin == 0 && view.end == channels_of(buffer);
}

}  // namespace iosx
