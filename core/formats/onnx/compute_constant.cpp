#include "core/formats/onnx/compute_constant.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "core/formats/onnx/emit.h"
#include "core/formats/onnx/fuse.h"
#include "core/formats/onnx/model_converter.h"

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

Result<HostTensor> host_tensor(const Tensor& computed, ElementType type) {
  const auto dims = computed.dims().subspan(1);  // without the batch, which is 1
  const auto values = computed.elements();
  std::vector<std::int64_t> shape(dims.begin(), dims.end());
  if (is_float(type)) return HostTensor::of_floats(std::move(shape), {values.begin(), values.end()}, type);
  std::vector<std::int64_t> integers;
  integers.reserve(values.size());
  for (const float value : values) {
    if (!(std::abs(value) <= static_cast<float>(kExact))) return fail(message("its result has integers beyond 2^24"));
    integers.push_back(std::llround(value));
  }
  return HostTensor::of_integers(std::move(shape), std::move(integers), type);
}

bool is_exact(const HostTensor& tensor) {
  return std::ranges::all_of(tensor.integers(), [](std::int64_t value) { return std::abs(value) <= kExact; });
}

}  // namespace

Result<std::vector<HostTensor>> compute_constant(const Node& node, std::span<const HostTensor* const> inputs,
                                                 const OnnxModel& model, const OnnxOptions& options) {
  if (!options.compute) return fail(message("nothing here computes it"));
  if (inputs.empty() || inputs.front() == nullptr || inputs.front()->elements() == 0) {
    return fail(message("it has no first input"));
  }
  if (!is_exact(*inputs.front())) return fail(message("its input has integers beyond 2^24"));
  const OnnxModel alone = model_of(node, inputs, model);
  const std::span<const std::int64_t> dims = inputs.front()->dims();
  const Sizes sizes{.inputs = {{node.inputs.front(), {dims.begin(), dims.end()}}}, .symbols = {}};
  auto walked = walk(alone, options, sizes, std::nullopt);
  if (!walked) return tl::unexpected(std::move(walked.error().error));
  std::vector<ElementType> types;
  for (const auto& [name, value] : walked->draft.outputs) types.push_back(value.type);
  IOS_TRY(fuse(walked->draft));
  std::vector<OnnxOutput> outputs;
  IOS_TRY(const auto graph, emit(std::move(walked->draft), node.where(), outputs));

  Tensor fed = inputs.front()->to_tensor();
  std::vector<std::int64_t> with_batch{1};
  with_batch.insert(with_batch.end(), dims.begin(), dims.end());
  IOS_TRY(const auto computed,
          options.compute(graph, {Tensor(with_batch, {fed.elements().begin(), fed.elements().end()})}));
  if (computed.size() != types.size()) return fail(message("it has {} results", computed.size()));
  std::vector<HostTensor> results(node.outputs.size());
  for (std::size_t i = 0, next = 0; i < results.size(); ++i) {
    if (node.outputs[i].empty()) continue;
    IOS_TRY(results[i], host_tensor(computed[next], types[next]));
    ++next;
  }
  return results;
}

}  // namespace iosx::onnx_import
