#include "core/formats/onnx/convert/model_converter.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include "core/base/check.h"
#include "core/formats/onnx/draft/draft.h"
#include "core/formats/onnx/draft/fuse.h"
#include "core/formats/onnx/fold/fold.h"
#include "core/model/graph/work.h"

namespace iosx::onnx_import {
namespace {

constexpr std::int64_t kExact = std::int64_t{1} << 24;  // float32 holds all integers up to it

// Makes a model of the node alone. Its first input stays open, the others are constants, as converters want axes, pads
// and weights.
OnnxModel model_of(const Node& node, std::span<const HostTensor* const> inputs, const OnnxModel& model) {
  OnnxModel alone;
  alone.ir_version = model.ir_version;
  alone.opsets = model.opsets;
  alone.nodes.push_back(node);
  const HostTensor& first = *inputs.front();
  std::vector<Dim> dims;
  for (const std::int64_t size : first.dims()) dims.push_back({.size = size, .symbol = {}});
  alone.inputs.push_back({.name = node.inputs.front(), .type = first.type(), .dims = std::move(dims)});
  for (std::size_t i = 1; i < inputs.size(); ++i) {
    if (inputs[i] != nullptr && node.inputs[i] != node.inputs.front()) {
      alone.initializers.insert_or_assign(node.inputs[i], *inputs[i]);
    }
  }
  for (const std::string& output : node.outputs) {
    if (!output.empty()) alone.outputs.push_back({.name = output, .dims = {}});
  }
  return alone;
}

// Returns the largest magnitude of integers; 0 of floating-point numbers.
double magnitude(const HostTensor& tensor) {
  double most = 0;
  for (const std::int64_t value : tensor.integers()) most = std::max(most, std::abs(static_cast<double>(value)));
  return most;
}

// Returns whether this is a bound of Clip beyond all integers that float32 holds, which changes none of them.
bool bounds_nothing(const Node& node, std::size_t input, const HostTensor& tensor) {
  if (node.op_type != "Clip" || input == 0) return false;
  return std::ranges::all_of(tensor.integers(),
                             [&](std::int64_t value) { return input == 1 ? value < -kExact : value > kExact; });
}

// Returns a bound of the sums of integers that the node makes; 0 of nodes that add none.
double largest_sum(const Node& node, std::span<const HostTensor* const> inputs) {
  constexpr std::array<std::string_view, 3> kTwoFactors{"MatMul", "MatMulInteger", "ConvInteger"};
  constexpr std::array<std::string_view, 5> kOthers{"Conv", "ConvTranspose", "CumSum", "Einsum", "Gemm"};
  const HostTensor& first = *inputs.front();
  const auto largest = [&](std::size_t i) {
    return i < inputs.size() && inputs[i] != nullptr ? magnitude(*inputs[i]) : 0;
  };
  if (std::ranges::find(kTwoFactors, node.op_type) != kTwoFactors.end() && inputs.size() > 1 && inputs[1] != nullptr) {
    const HostTensor& second = *inputs[1];
    double terms = static_cast<double>(first.dims().empty() ? 1 : first.dims().back());
    if (node.op_type == "ConvInteger" && !second.dims().empty())
      terms = static_cast<double>(second.elements()) / static_cast<double>(second.dims().front());
    return terms * (largest(0) + largest(2)) * (largest(1) + largest(3));  // the others are the zero points
  }
  if (std::ranges::find(kOthers, node.op_type) == kOthers.end()) return 0;
  double most = static_cast<double>(first.elements());
  for (std::size_t i = 0; i < inputs.size(); ++i) most *= std::max(largest(i), 1.0);
  return most;
}

// Returns whether float32 holds all occurring integers, with intermediate sums and products.
bool holds_exactly(const Node& node, std::span<const HostTensor* const> inputs) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i] == nullptr || !inputs[i]->holds_integers() || bounds_nothing(node, i, *inputs[i])) continue;
    if (magnitude(*inputs[i]) > kExact) return false;
  }
  return !inputs.front()->holds_integers() || largest_sum(node, inputs) <= kExact;
}

Result<HostTensor> host_tensor(const Tensor& computed, ElementType type) {
  const auto dims = computed.dims().subspan(1);  // without the batch, which is 1
  const auto values = computed.elements();
  std::vector<std::int64_t> shape(dims.begin(), dims.end());
  if (is_float(type)) {
    std::vector<float> rounded;
    rounded.reserve(values.size());
    for (const float value : values) rounded.push_back(folding::narrowed(value, type));
    return HostTensor::of_floats(std::move(shape), std::move(rounded), type);
  }
  std::vector<std::int64_t> integers;
  integers.reserve(values.size());
  for (const float value : values) {
    if (!(std::abs(value) <= static_cast<float>(kExact))) return fail(message("its result has integers beyond 2^24"));
    integers.push_back(std::llround(value));
  }
  return HostTensor::of_integers(std::move(shape), std::move(integers), type);
}

// Returns the outputs that the file names, with their types; none where the node cannot be computed.
struct Computed {
  std::vector<Tensor> outputs;
  std::vector<ElementType> types;
};
std::optional<Computed> computed(const Node& node, std::span<const HostTensor* const> inputs, const OnnxModel& model,
                                 const OnnxOptions& options, double& flops_left) {
  const OnnxModel alone = model_of(node, inputs, model);
  const std::span<const std::int64_t> dims = inputs.front()->dims();
  const Sizes sizes{.inputs = {{node.inputs.front(), {dims.begin(), dims.end()}}}, .symbols = {}};
  auto walked = walk(alone, options, sizes, std::nullopt);
  if (!walked) return std::nullopt;
  Computed made;
  for (const auto& [name, value] : walked->draft.outputs) made.types.push_back(value.type);
  if (!fuse(walked->draft)) return std::nullopt;
  std::vector<OnnxOutput> names;
  const auto graph = emit(std::move(walked->draft), node.where(), names);
  if (!graph) return std::nullopt;
  const double flops = total_work(*graph, 1).flops;
  if (flops > flops_left) return std::nullopt;
  flops_left -= flops;
  const Tensor first = inputs.front()->to_tensor();
  std::vector<std::int64_t> with_batch{1};
  with_batch.insert(with_batch.end(), dims.begin(), dims.end());
  auto outputs = options.compute(*graph, {Tensor(with_batch, {first.elements().begin(), first.elements().end()})});
  if (!outputs || outputs->size() != made.types.size()) return std::nullopt;
  for (const OnnxOutput& output : names) {  // the graph has them in its own order
    const auto has_name = [&](OperatorId id) { return graph->op(id).name == output.op; };
    const auto at = std::ranges::find_if(graph->outputs(), has_name);
    IOS_CHECK(at != graph->outputs().end());
    made.outputs.push_back((*outputs)[static_cast<std::size_t>(at - graph->outputs().begin())]);
  }
  return made;
}

}  // namespace

Result<std::optional<std::vector<HostTensor>>> compute_constant(const Node& node,
                                                                std::span<const HostTensor* const> inputs,
                                                                const OnnxModel& model, const OnnxOptions& options,
                                                                double& flops_left) {
  if (!options.compute || inputs.empty() || inputs.front() == nullptr || inputs.front()->elements() == 0)
    return std::nullopt;
  if (!holds_exactly(node, inputs)) return fail(message("it computes integers that may lie beyond 2^24"));
  const auto made = computed(node, inputs, model, options, flops_left);
  if (!made) return std::nullopt;
  std::vector<HostTensor> results(node.outputs.size());
  for (std::size_t i = 0, next = 0; i < results.size(); ++i) {
    if (node.outputs[i].empty()) continue;
    IOS_TRY(results[i], host_tensor(made->outputs[next], made->types[next]));
    ++next;
  }
  return results;
}

}  // namespace iosx::onnx_import
