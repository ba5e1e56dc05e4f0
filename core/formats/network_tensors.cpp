#include "core/formats/network_tensors.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/check.h"

namespace iosx {
namespace {

Result<void> check_whole(const Tensor& tensor, const FileTensor& input) {
  if (!input.type.starts_with("int") && !input.type.starts_with("uint")) return {};
  const auto found =
      std::ranges::find_if(tensor.elements(), [](float x) { return !std::isfinite(x) || std::nearbyint(x) != x; });
  if (found == tensor.elements().end()) return {};
  return fail(message("has {}, but '{}' accepts only whole numbers ({})", *found, input.name, input.type), {},
              message("give it an integer type"));
}

}  // namespace

Result<std::vector<Tensor>> network_inputs(const ExecutionPlan& plan, const FileInterface& network, InputReader read) {
  IOS_CHECK(network.inputs.size() == plan.inputs.size());
  std::vector<Tensor> tensors;
  for (std::size_t i = 0; i < network.inputs.size(); ++i) {
    IOS_TRY(auto tensor, read(network.inputs[i], i));
    IOS_TRY(check_whole(tensor, network.inputs[i]));
    const Shape shape = filled_shape(plan.buffers[plan.inputs[i].index()]);
    std::vector<std::int64_t> dims{plan.batch};
    dims.insert(dims.end(), shape.dims().begin(), shape.dims().end());
    tensors.emplace_back(std::move(dims), std::vector<float>(tensor.elements().begin(), tensor.elements().end()));
  }
  return tensors;
}

std::vector<NetworkOutput> network_outputs(const ExecutionPlan& plan, std::span<const Tensor> outputs,
                                           const FileInterface& network) {
  IOS_CHECK(outputs.size() == plan.outputs.size());
  std::vector<NetworkOutput> ordered;
  for (const FileTensor& output : network.outputs) {
    const auto found = std::ranges::find(plan.outputs, output.op, &PlanOutput::name);
    IOS_CHECK(found != plan.outputs.end());
    ordered.push_back({output, outputs[static_cast<std::size_t>(found - plan.outputs.begin())]});
  }
  return ordered;
}

}  // namespace iosx
