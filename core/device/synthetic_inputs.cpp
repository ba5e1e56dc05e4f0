#include <fmt/format.h>

#include "core/device/device.h"
#include "core/device/plan_checks.h"

namespace iosx {

std::vector<Tensor> synthetic_inputs(const ExecutionPlan& plan, ParameterInit init) {
  std::vector<Tensor> tensors;
  for (const BufferId id : plan.inputs) {
    const Buffer& buffer = plan.buffers[id.index()];
    const std::uint64_t seed = synthetic_seed(fmt::format("input {}", buffer.name));
    tensors.emplace_back(tensor_dims(buffer.shape, plan.batch),
                         synthetic_values(seed, plan.batch * buffer.shape.elements(), init));
  }
  return tensors;
}

}  // namespace iosx
