#include <fmt/format.h>

#include "core/device/device.h"

namespace iosx {

std::vector<Tensor> synthetic_inputs(const ExecutionPlan& plan, ParameterInit init) {
  std::vector<Tensor> tensors;
  for (const BufferId id : plan.inputs) {
    const Buffer& buffer = plan.buffers[id.index()];
    std::vector<std::int64_t> dims{plan.batch};
    dims.insert(dims.end(), buffer.shape.dims().begin(), buffer.shape.dims().end());
    const std::uint64_t seed = synthetic_seed(fmt::format("input {}", buffer.name));
    tensors.emplace_back(std::move(dims), synthetic_values(seed, plan.batch * buffer.shape.elements(), init));
  }
  return tensors;
}

}  // namespace iosx
