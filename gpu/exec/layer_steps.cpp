#include "gpu/exec/layer_steps.h"

#include <fmt/format.h>

#include <cstddef>
#include <optional>
#include <span>
#include <utility>

#include "core/base/check.h"
#include "core/model/graph/operator_table.h"
#include "core/model/layout/kernel_weights.h"
#include "gpu/exec/layer_tensors.h"

namespace iosx::gpu {
namespace {

// Converts filters × channels × kernel, as in files, to filters × kernel × channels.
Tensor channels_last(const Tensor& weights) {
  const auto dims = weights.dims();
  return columns_in_device_order(weights, Shape{dims[1], dims[2], dims[3]});
}

// Turns filters of one channel each to kernel × channels.
Tensor taps_first(const Tensor& weights) {
  const auto dims = weights.dims();
  IOS_CHECK(dims[1] == 1);
  return columns_in_device_order(weights, Shape{dims[0], dims[2], dims[3]});
}

struct LayerWeights {
  const KernelSite& site;
  const Weights& weights;
  bool depthwise;  // for our own kernel

  const void* get(std::string_view form, DataType type, FunctionRef<Tensor()> make) const {
    return weights.get(site.kernel.operators, form, type, make);
  }
  DataType type() const { return data_type(site.math); }

  const void* operator()(const Conv& conv) const {
    // Several operators' kernels lie in one of the merged size, and channels may be blank.
    const std::int64_t channels = site.reads.front().dims[1];
    const std::string form = fmt::format("{} {}x{}x{}", depthwise ? "kernel, channels" : "filter, kernel, channels",
                                         conv.kernel.height, conv.kernel.width, channels);
    return get(form, type(), [&] {
      const Tensor plain = conv_weights(*weights.parameters, site.kernel.operators, conv, channels);
      return depthwise ? taps_first(plain) : channels_last(plain);
    });
  }
  const void* operator()(const ConvTranspose& /*conv*/) const {
    return get("filter, kernel, channels", type(),
               [&] { return channels_last(weights.parameters->weights(site.kernel.operators.front())); });
  }
  const void* operator()(const Linear& linear) const {
    const TensorRef& x = site.reads.front();
    const bool map = x.rank == 4 && linear.axis == 0;
    return get(map ? "columns of a map" : "columns", type(), [&] {
      Tensor plain = linear_weights(*weights.parameters, site.kernel.operators);
      return map ? columns_in_device_order(plain, Shape{x.dims[1], x.dims[2], x.dims[3]}) : plain;
    });
  }
  // The table's other kinds are no layers: no problem, and so no steps of this file.
  const void* otherwise() const { return nullptr; }

  const void* bias(DataType bias_type) const {
    return get("bias", bias_type, [&] { return joined_bias(*weights.parameters, site.kernel.operators); });
  }
};

// A layer without its weights.
struct Layer {
  std::vector<Detour> inputs;
  std::optional<Detour> output;
  ConvTask task;
  std::byte* rest = nullptr;  // of the scratch memory
  std::int64_t copied_bytes = 0;

  Layer(const KernelSite& site, const ConvProblem& problem, std::byte* scratch) : rest(scratch) {
    const auto input = [&](const TensorRef& tensor) {
      const LayerTensor seen = take(site, tensor);
      if (seen.detour) inputs.push_back(*seen.detour);
      return seen.tensor;
    };
    task.problem = problem;
    task.x = input(site.reads[0]);
    if (site.reads.size() > 1) task.residual = input(site.reads[1]);
    const LayerTensor seen = take(site, site.write);
    task.y = seen.tensor;
    output = seen.detour;
  }

 private:
  LayerTensor take(const KernelSite& site, const TensorRef& tensor) {
    LayerTensor seen = layer_tensor(site.kernel, tensor, site.batch, rest);
    if (seen.detour) {
      const std::int64_t bytes = dense_bytes(seen.detour->dense);
      copied_bytes += bytes;
      rest += bytes;
    }
    return seen;
  }
};

}  // namespace

std::int64_t layer_scratch_bytes(const KernelSite& site, const ConvProblem& problem, const ConvWay& way) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): any aligned address; nothing is read there
  auto* const aligned = reinterpret_cast<std::byte*>(static_cast<std::uintptr_t>(kAlignment));
  const Layer layer(site, problem, aligned);
  return layer.copied_bytes + scratch_bytes(way, layer.task);
}

std::vector<Step> layer_steps(const KernelSite& site, const ConvProblem& problem, const ConvWay& way,
                              const Weights& weights, std::byte* scratch) {
  Layer layer(site, problem, scratch);
  const LayerWeights of_layer{site, weights, way.kind == ConvWay::Kind::kDepthwise};
  layer.task.weights = visit_kind(of_layer, site.kernel.attributes);
  layer.task.bias = of_layer.bias(data_type(site.math));
  layer.task.bias_float = static_cast<const float*>(of_layer.bias(DataType::kFloat32));
  std::vector<Step> steps;
  for (const Detour& input : layer.inputs) steps.emplace_back(CopyCall{input.tensor, input.dense});
  for (Step& step : steps_of(way, layer.task, layer.rest)) steps.push_back(std::move(step));
  if (layer.output) steps.emplace_back(CopyCall{layer.output->dense, layer.output->tensor});
  return steps;
}

}  // namespace iosx::gpu
