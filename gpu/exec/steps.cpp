#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>

#include "core/base/check.h"
#include "core/devices/checks.h"
#include "core/model/graph/operator_table.h"
#include "core/model/layout/kernel_weights.h"
#include "core/model/layout/views.h"
#include "gpu/exec/problem_of.h"
#include "gpu/exec/steps.h"
#include "gpu/ops/kernels/reduce_parts.h"

namespace iosx::gpu {
namespace {

std::span<const std::int64_t> dims_of(const TensorRef& tensor) { return {tensor.dims.data(), tensor.rank}; }

// Returns the samples' elements as rows in row-major order, none where they do not lie so.
std::optional<TensorRef> flat(const TensorRef& tensor) {
  std::int64_t elements = 1;
  for (std::size_t axis = tensor.rank; axis-- > 1;) {
    if (tensor.dims[axis] != 1 && tensor.strides[axis] != elements) return std::nullopt;
    elements *= tensor.dims[axis];
  }
  TensorRef row{.data = tensor.data, .type = tensor.type, .rank = 2};
  row.dims = {tensor.dims[0], elements};
  row.strides = {tensor.strides[0], 1};
  return row;
}

// Returns `out` with axes of size 1 where the input was reduced.
TensorRef with_reduced_axes(const TensorRef& out, std::size_t rank, const std::vector<std::size_t>& axes) {
  TensorRef other{.data = out.data, .type = out.type, .rank = rank};
  std::size_t next = 0;
  for (std::size_t axis = 0; axis < rank; ++axis) {
    const bool reduced = axis > 0 && std::ranges::find(axes, axis - 1) != axes.end();
    other.dims[axis] = reduced ? 1 : out.dims[next];
    other.strides[axis] = reduced ? 0 : out.strides[next++];
  }
  return other;
}

bool is_global(const Pool& pool) { return pool.kind == PoolKind::kGlobalMax || pool.kind == PoolKind::kGlobalAverage; }

// Returns the output of a reduction with axes of size 1 where the input is reduced.
TensorRef reduced_output(const Reduce& reduce, const KernelSite& site) {
  return reduce.keep_dims ? site.write : with_reduced_axes(site.write, site.reads.front().rank, reduce.axes);
}

// Returns the reduction to numbers of its input that a kernel is, if it is one.
std::optional<ReduceCall> reduction_of(const KernelSite& site) {
  if (const auto* reduce = std::get_if<Reduce>(&site.kernel.attributes); reduce != nullptr && !is_arg(reduce->kind)) {
    return ReduceCall{reduce->kind, repeated(site.reads.front(), site.batch), reduced_output(*reduce, site)};
  }
  if (const auto* pool = std::get_if<Pool>(&site.kernel.attributes); pool != nullptr && is_global(*pool)) {
    const ReduceKind kind = pool->kind == PoolKind::kGlobalMax ? ReduceKind::kMax : ReduceKind::kMean;
    return ReduceCall{kind, repeated(site.reads.front(), site.batch), site.write};
  }
  return std::nullopt;
}

// Returns the first step of squeeze and excitation: sums of each channel's pixels, in two parts at least.
ReduceCall channel_sums(const KernelSite& site, void* scratch) {
  ReduceCall mean{ReduceKind::kMean, repeated(site.reads.front(), site.batch), site.write};
  mean.out.dims = {mean.in.dims[0], mean.in.dims[1], 1, 1};
  return in_parts(mean, std::max<std::int64_t>(reduce_parts(mean, site.multiprocessors), 2), scratch)[0];
}

struct Steps {
  const KernelSite& site;
  const Weights& weights;
  std::byte* scratch;
  std::vector<Step> steps = {};
  bool executable = true;
  bool exact = true;  // indices are

  TensorRef in(std::size_t index = 0) const { return repeated(site.reads[index], site.batch); }
  const TensorRef& out() const { return site.write; }
  void add(const KernelCall& call) { steps.emplace_back(call); }
  void copy(const TensorRef& from, const TensorRef& to) { add(CopyCall{from, to}); }

  // Gives a call as many inputs as it takes, then the next one the result so far and the next inputs.
  void combine(BinaryFunction op, const Activation& activation = Activation::kIdentity) {
    CombineCall call;
    call.op = op;
    call.out = out();
    for (std::size_t i = 0; i < site.reads.size(); ++i) {
      if (call.count == CombineCall::kMaxInputs) {
        add(call);
        call.in = {out()};
        call.count = 1;
      }
      call.in[call.count++] = broadcast(in(i), dims_of(out()));
    }
    call.activation = activation;
    add(call);
  }

  void operator()(const Add&) { combine(BinaryFunction::kAdd); }
  void operator()(const Mul&) {
    if (!site.kernel.excitation.squeeze.valid()) return combine(BinaryFunction::kMul);
    const Excitation& excitation = site.kernel.excitation;
    const ReduceCall sums = channel_sums(site, scratch);
    add(sums);
    const DataType type = out().type;
    const auto rows = [&](const OperatorId& layer) {
      return weights.get({&layer, 1}, "rows", type, [&] { return weights.parameters->weights(layer); });
    };
    const auto bias = [&](const OperatorId& layer) {
      return static_cast<const float*>(
          weights.get({&layer, 1}, "bias", DataType::kFloat32, [&] { return weights.parameters->bias(layer); }));
    };
    add(ExciteCall{.sums = sums.out,
                   .parts = sums.parts,
                   .squeeze = rows(excitation.squeeze),
                   .squeeze_bias = bias(excitation.squeeze),
                   .excite = rows(excitation.excite),
                   .excite_bias = bias(excitation.excite),
                   .squeezed = excitation.squeezed,
                   .inner = excitation.inner,
                   .gate = excitation.gate,
                   .in = in(),
                   .out = out()});
  }
  void operator()(const Binary& binary) { combine(binary.function); }
  void operator()(const Where&) {
    const auto input = [&](std::size_t i) { return broadcast(in(i), dims_of(out())); };
    add(WhereCall{input(0), input(1), input(2), out()});
  }
  void operator()(const Activate& activate) { combine(BinaryFunction::kAdd, activate.function); }
  void operator()(const Affine& affine) {
    const auto [scale, shift] = scale_and_shift();
    add(AffineCall{.in = in(),
                   .scale = scale,
                   .shift = shift,
                   .out = out(),
                   .activation = affine.activation,
                   .shift_first = affine.shift_first});
  }
  void operator()(const Normalize& normalize) {
    const auto [scale, shift] = normalize.scaled ? scale_and_shift() : std::pair<const float*, const float*>{};
    add(NormalizeCall{.in = in(),
                      .scale = scale,
                      .shift = shift,
                      .out = out(),
                      .axis = normalize.axis + 1,
                      .epsilon = normalize.epsilon,
                      .centred = normalize.centred});
  }
  // Returns the device addresses of the operator's weights and bias.
  std::pair<const float*, const float*> scale_and_shift() const {
    const OperatorId id = site.kernel.operators.front();
    const std::span<const OperatorId> operators(&id, 1);
    const auto floats = [&](std::string_view form, FunctionRef<Tensor()> make) {
      return static_cast<const float*>(weights.get(operators, form, DataType::kFloat32, make));
    };
    return {floats("weights", [&] { return weights.parameters->weights(id); }),
            floats("bias", [&] { return weights.parameters->bias(id); })};
  }
  // Gives a launch as many inputs as it takes.
  void operator()(const Concat& concat) {
    const std::size_t axis = concat.axis + 1;
    std::int64_t begin = 0;
    for (std::size_t first = 0; first < site.reads.size(); first += ConcatCall::kMaxInputs) {
      ConcatCall call{
          .count = std::min(site.reads.size() - first, ConcatCall::kMaxInputs), .in = {}, .out = {}, .axis = axis};
      std::int64_t size = 0;
      for (std::size_t i = 0; i < call.count; ++i) {
        call.in[i] = in(first + i);
        size += call.in[i].dims[axis];
      }
      call.out = narrowed(out(), axis, begin, size);
      begin += size;
      add(call);
    }
  }
  void operator()(const Identity&) { copy(in(), out()); }
  void operator()(const Reshape&) {
    if (std::ranges::equal(dims_of(in()), dims_of(out()))) return copy(in(), out());
    const auto from = flat(in());
    const auto to = flat(out());
    if (from && to) return copy(*from, *to);
    add(ReshapeCall{in(), out()});
  }
  void operator()(const Expand&) { copy(broadcast(in(), dims_of(out())), out()); }
  void operator()(const Gather& gather) {
    exact = in().dims[gather.axis + 1] <= largest_integer(in().type);
    add(GatherCall{gather_views(gather, in(0), in(1), out()), out()});
  }
  void operator()(const Transpose& transpose) { copy(transposed(in(), transpose), out()); }
  void operator()(const Slice& slice) { copy(sliced(in(), slice), out()); }
  void operator()(const Pad& pad) {
    PadCall call{.in = in(), .out = out(), .mode = pad.mode, .value = pad.value};
    std::ranges::copy(pad.begins, call.begins.begin() + 1);
    add(call);
  }
  void operator()(const Resize& resize) {
    ResizeCall call{
        .in = in(), .out = out(), .mode = resize.mode, .coordinates = resize.coordinates, .rounding = resize.rounding};
    call.scales.fill(1);
    std::ranges::copy(resize.scales, call.scales.begin() + 1);
    add(call);
  }
  void operator()(const Softmax& softmax) { add(SoftmaxCall{in(), out(), softmax.axis + 1}); }
  void operator()(const Lrn& lrn) { add(LrnCall{in(), out(), lrn}); }
  void operator()(const Reduce& reduce) {
    if (const auto call = reduction_of(site)) return add_reduction(*call);
    const TensorRef to = reduced_output(reduce, site);
    add(ArgCall{in(), to, reduce.axes.front() + 1, reduce.kind == ReduceKind::kArgMax, reduce.last});
  }
  void operator()(const Pool& pool) {
    if (const auto call = reduction_of(site)) return add_reduction(*call);
    add(PoolCall{in(), out(), pool});
  }
  void add_reduction(const ReduceCall& call) {
    const std::int64_t parts = reduce_parts(call, site.multiprocessors);
    if (parts == 1) return add(call);
    for (const ReduceCall& each : in_parts(call, parts, scratch)) add(each);
  }
  void operator()(const MatMul&) {
    if (!site.kernel.is_attention()) return multiply(in(0), in(1), out());
    const TensorRef scores = scores_of(in(1), out(), scratch);
    multiply(in(0), in(1), scores, site.kernel.scale);
    add(SoftmaxCall{.in = scores, .out = scores, .axis = scores.rank - 1});
    multiply(scores, in(2), out());
  }
  void multiply(const TensorRef& a, const TensorRef& b, const TensorRef& to, float scale = 1) {
    add(MatMulCall{factor_of(a, to), factor_of(b, to), to, scale});
  }
  // Layers have steps of their own (steps.h); the others are not here yet, or there is nothing to run.
  void otherwise() { executable = false; }
};

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

// Returns the task of a kernel whose problem is a product or attention.
Task product_at(const KernelSite& site) {
  const auto factors = [&](std::size_t i) { return repeated(site.reads[i], site.batch); };
  if (site.kernel.is_attention()) {
    return attention_of(factors(0), factors(1), factors(2), site.write, site.kernel.scale, site.math).value();
  }
  return product_of(factors(0), factors(1), site.write, site.math).value();
}

}  // namespace

std::int64_t kernel_scratch_bytes(const KernelSite& site) {
  if (site.kernel.is_attention()) {
    const TensorRef scores = scores_of(site.reads[1], site.write, nullptr);
    return aligned(scores.dims[0] * scores.strides[0] * bytes_of(scores.type));
  }
  if (site.kernel.excitation.squeeze.valid()) {
    const ReduceCall sums = channel_sums(site, nullptr);
    return aligned(sums.parts * sums.out.elements() * bytes_of(sums.out.type));
  }
  const auto reduction = reduction_of(site);
  if (!reduction) return 0;
  const std::int64_t parts = reduce_parts(*reduction, site.multiprocessors);
  return parts == 1 ? 0 : aligned(partial_bytes(*reduction, parts));
}

Result<std::vector<Step>> kernel_steps(const KernelSite& site, const Weights& weights, std::byte* scratch) {
  Steps steps{site, weights, scratch};
  visit_kind(steps, site.kernel.attributes);
  if (!steps.executable) return cannot_execute(site.kernel, kGpuDevice);
  if (!steps.exact) return inexact_indices(site.kernel, kGpuDevice);
  return std::move(steps.steps);
}

std::int64_t layer_scratch_bytes(const KernelSite& site, const Problem& problem, const Way& way) {
  const auto* const conv = std::get_if<ConvProblem>(&problem);
  if (conv == nullptr) return scratch_bytes(way, product_at(site));
  // NOLINTNEXTLINE(performance-no-int-to-ptr): any aligned address; nothing is read there
  auto* const aligned = reinterpret_cast<std::byte*>(static_cast<std::uintptr_t>(kAlignment));
  const Layer layer(site, *conv, aligned);
  return layer.copied_bytes + scratch_bytes(way, layer.task);
}

std::vector<Step> layer_steps(const KernelSite& site, const Problem& problem, const Way& way, const Weights& weights,
                              std::byte* scratch) {
  const auto* const conv = std::get_if<ConvProblem>(&problem);
  if (conv == nullptr) return steps_of(way, product_at(site), scratch);
  Layer layer(site, *conv, scratch);
  const LayerWeights of_layer{site, weights, way.kind == Way::Kind::kDepthwise};
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
