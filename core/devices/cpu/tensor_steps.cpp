// Makes the steps of our own kernels, and chooses the code for a kernel.
#include <algorithm>
#include <array>
#include <span>

#include "core/devices/checks.h"
#include "core/devices/cpu/kernel_context.h"
#include "core/devices/cpu/kernels/kernels.h"
#include "core/model/graph/operator_table.h"
#include "core/model/layout/views.h"

namespace iosx::cpu {
namespace {

TensorRef broadcast_to(const TensorRef& in, const TensorRef& out) {
  return broadcast(in, std::span(out.dims.data(), out.rank));
}

struct Steps {
  KernelContext& context;
  bool executable = true;
  bool exact = true;  // indices are

  const TensorRef& in() const { return context.read(); }
  const TensorRef& out() const { return context.write; }
  template <typename Function>
  void step(const Function& function) const {
    context.steps.emplace_back([in = in(), out = out(), function] { function(in, out); });
  }

  void combined(BinaryFunction op) const {
    std::vector<TensorRef> inputs;
    for (const TensorRef& read : context.reads) inputs.push_back(broadcast_to(read, out()));
    context.steps.emplace_back([op, inputs = std::move(inputs), out = out()] { combine(op, inputs, out); });
  }

  void operator()(const Add&) const { combined(BinaryFunction::kAdd); }
  void operator()(const Mul&) const { combined(BinaryFunction::kMul); }
  void operator()(const Binary& binary) const { combined(binary.function); }
  void operator()(const Where&) const {
    context.steps.emplace_back([condition = broadcast_to(context.reads[0], out()),
                                yes = broadcast_to(context.reads[1], out()), no = broadcast_to(context.reads[2], out()),
                                out = out()] { select(condition, yes, no, out); });
  }
  void operator()(const Activate& activate) const {
    if (context.reads.size() > 1) {  // of their sum
      combined(BinaryFunction::kAdd);
      context.steps.emplace_back([activate, out = out()] { cpu::activate(out, out, activate.function); });
      return;
    }
    step([activate](const auto& in, const auto& out) { cpu::activate(in, out, activate.function); });
  }
  void operator()(const Affine& affine) const {
    const OperatorId id = context.kernel.operators.front();
    step([affine, scale = context.parameters->weights(id), shift = context.parameters->bias(id)](
             const auto& in, const auto& out) { cpu::affine(in, scale.elements(), shift.elements(), out, affine); });
  }
  void operator()(const Concat& concat) const {
    const std::size_t axis = concat.axis + 1;
    std::int64_t begin = 0;
    for (const TensorRef& read : context.reads) {
      const TensorRef part = narrowed(out(), axis, begin, read.dims[axis]);
      context.steps.emplace_back([read, part] { copy(read, part); });
      begin += read.dims[axis];
    }
  }
  void operator()(const Identity&) const {
    step([](const auto& in, const auto& out) { copy(in, out); });
  }
  void operator()(const Reshape&) const {
    const auto dims = [](const TensorRef& tensor) { return std::span(tensor.dims.data(), tensor.rank); };
    if (std::ranges::equal(dims(in()), dims(out()))) return (*this)(Identity{});
    step([](const auto& in, const auto& out) { reshape_copy(in, out); });
  }
  void operator()(const Transpose& transpose) const {
    step([from = transposed(in(), transpose)](const auto&, const auto& out) { copy(from, out); });
  }
  void operator()(const Slice& slice) const {
    step([from = sliced(in(), slice)](const auto&, const auto& out) { copy(from, out); });
  }
  void operator()(const Pad& pad) const {
    step([pad](const auto& in, const auto& out) { cpu::pad(in, out, pad); });
  }
  void operator()(const Resize& resize) const {
    step([resize](const auto& in, const auto& out) { cpu::resize(in, out, resize); });
  }
  void operator()(const TopK& top) const {
    step([top](const auto& in, const auto& out) { top_k(in, out, top); });
  }
  void operator()(const GridSample& sample) const {
    step([sample, grid = context.reads[1]](const auto& in, const auto& out) { grid_sample(in, grid, out, sample); });
  }
  void operator()(const Recurrent& recurrent) const { add_steps(context, recurrent); }
  void operator()(const Softmax& softmax) const {
    step([softmax](const auto& in, const auto& out) { cpu::softmax(in, out, softmax); });
  }
  void operator()(const Lrn& lrn) const {
    step([lrn](const auto& in, const auto& out) { cpu::lrn(in, out, lrn); });
  }
  void operator()(const Expand&) const {
    step([from = broadcast_to(in(), out())](const auto&, const auto& out) { copy(from, out); });
  }
  void operator()(const Gather& gather) {
    exact = in().dims[gather.axis + 1] <= largest_integer(in().type);
    context.steps.emplace_back([gather, data = context.reads[0], indices = context.reads[1], out = out()] {
      cpu::gather(data, indices, out, gather);
    });
  }
  void operator()(const Normalize& normalize) const {
    const OperatorId id = context.kernel.operators.front();
    step([normalize, scale = context.parameters->weights(id), shift = context.parameters->bias(id)](const auto& in,
                                                                                                    const auto& out) {
      cpu::normalize(in, scale.elements(), shift.elements(), out, normalize);
    });
  }
  void operator()(const Reduce& reduce) const {
    if (is_arg(reduce.kind)) {
      step([reduce](const auto& in, const auto& out) { arg_reduce(in, out, reduce); });
    } else {
      step([reduce](const auto& in, const auto& out) { cpu::reduce(in, out, reduce); });
    }
  }
  void operator()(const OneOf<Conv, ConvTranspose, Linear, Pool, MatMul> auto& large) const {
    add_steps(context, large);
  }
  void otherwise() { executable = false; }
};

// Adds axes of size 1 after the batch, so that the rank fits.
TensorRef with_rank(const TensorRef& tensor, std::size_t rank) {
  TensorRef other = tensor;
  const std::size_t missing = rank - tensor.rank;
  other.rank = rank;
  for (std::size_t axis = 1; axis < rank; ++axis) {
    other.dims[axis] = axis <= missing ? 1 : tensor.dims[axis - missing];
    other.strides[axis] = axis <= missing ? tensor.strides[0] : tensor.strides[axis - missing];
  }
  return other;
}

// Takes the outer axes of the output and the last two of the input.
TensorRef broadcast_outer(const TensorRef& in, const TensorRef& out) {
  TensorRef like = out;
  for (std::size_t from_end = 1; from_end <= 2; ++from_end) {
    like.dims[out.rank - from_end] = in.dims[in.rank - from_end];
  }
  return broadcast_to(in, like);
}

// The window along one axis, in oneDNN's terms.
struct Window {
  std::int64_t kernel;
  std::int64_t stride;
  std::int64_t begin;  // padding
  std::int64_t end;
  std::int64_t needed_end;  // padding that the last window reaches into
};

Window window_of(std::int64_t in, std::int64_t out, std::int64_t kernel, std::int64_t stride, std::int64_t padding,
                 std::int64_t end_padding) {
  return {kernel, stride, padding, padding + end_padding, (out - 1) * stride + kernel - in - padding};
}

bool is_global(const Pool& pool) { return pool.kind == PoolKind::kGlobalMax || pool.kind == PoolKind::kGlobalAverage; }

dnnl::algorithm algorithm_of(const Pool& pool) {
  if (pool.kind == PoolKind::kMax || pool.kind == PoolKind::kGlobalMax) return dnnl::algorithm::pooling_max;
  return pool.count_padding ? dnnl::algorithm::pooling_avg_include_padding
                            : dnnl::algorithm::pooling_avg_exclude_padding;
}

// oneDNN counts windows by the padding and, where it counts padding, divides by the whole kernel.
bool means_the_same(const Pool& pool, const Window& window) {
  if (pool.dilation != Extent{1, 1}) return false;
  if (window.needed_end >= window.kernel) return false;
  const bool reaches_beyond = window.needed_end > window.end;
  return !(reaches_beyond && pool.kind == PoolKind::kAverage && pool.count_padding);
}

}  // namespace

void add_steps(KernelContext& context, const MatMul& matmul) {
  const TensorRef a = with_rank(context.reads[0], context.write.rank);
  const TensorRef b = with_rank(context.reads[1], context.write.rank);
  const TensorRef& out = context.write;
  const auto own = [&](const auto& multiply) {
    context.steps.emplace_back(
        [multiply, a = broadcast_outer(a, out), b = broadcast_outer(b, out), out] { multiply(a, b, out); });
  };
  if (context.shop.careful && matmul.sparse) return own(sparse_matmul);
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  if (a.dims[0] == out.dims[0] || b.dims[0] == out.dims[0]) {
    const auto description = describe<dnnl::matmul>(dnnl::matmul::desc(desc_of(a), desc_of(b), desc_of(out)),
                                                    attributes, context.shop.engine);
    if (description && !is_reference(description->impl_info_str())) {
      return context.add(dnnl::matmul(*description), *description,
                         {{DNNL_ARG_SRC, context.memory(a)},
                          {DNNL_ARG_WEIGHTS, context.memory(b)},
                          {DNNL_ARG_DST, context.memory(out)}});
    }
  }
  own(cpu::matmul);
}

namespace {

// Computes attention in steps, with scores in scratch memory.
void add_attention_steps(KernelContext& context) {
  const std::vector<TensorRef> reads = context.reads;  // q, k, v
  const TensorRef out = context.write;
  TensorRef scores = out;
  scores.dims[out.rank - 1] = reads[1].dims[reads[1].rank - 1];
  scores = context.scratch.take_like(scores);
  context.write = scores;
  context.reads = {reads[0], reads[1]};
  add_steps(context, MatMul{});
  const std::vector<float> scale(static_cast<std::size_t>(scores.dims[1]), context.kernel.scale);
  context.steps.emplace_back([scores, scale, none = std::vector<float>(scale.size(), 0)] {
    affine(scores, scale, none, scores, Affine{});
    softmax(scores, scores, Softmax{scores.rank - 2});
  });
  context.write = out;
  context.reads = {scores, reads[2]};
  add_steps(context, MatMul{});
}

// Computes squeeze and excitation, with the gates in scratch memory.
void add_excitation_steps(KernelContext& context) {
  const Excitation& excitation = context.kernel.excitation;
  const TensorRef in = context.read();
  TensorRef means = in;
  means.dims = {in.dims[0], in.dims[1], 1, 1};
  means = context.scratch.take_like(means);
  const auto layer = [&](OperatorId id) {
    return std::pair(context.parameters->weights(id), context.parameters->bias(id));
  };
  context.steps.emplace_back([excitation, in, means, out = context.write, squeeze = layer(excitation.squeeze),
                              excite = layer(excitation.excite)] {
    cpu::reduce(in, means, Reduce{ReduceKind::kMean, {1, 2}, true});
    const auto apply_layer = [](const auto& weights_and_bias, std::span<const float> x, const Activation& function) {
      const auto weights = weights_and_bias.first.elements();
      const auto bias = weights_and_bias.second.elements();
      std::vector<float> y(bias.begin(), bias.end());
      for (std::size_t row = 0; row < y.size(); ++row) {
        for (std::size_t i = 0; i < x.size(); ++i) y[row] += weights[row * x.size() + i] * x[i];
        y[row] = apply(function, y[row]);
      }
      return y;
    };
    auto* const numbers = static_cast<float*>(means.data);
    const auto channels = static_cast<std::size_t>(in.dims[1]);
    for (std::int64_t sample = 0; sample < in.dims[0]; ++sample) {
      const std::span<float> own(numbers + sample * in.dims[1], channels);
      const std::vector<float> hidden = apply_layer(squeeze, own, excitation.inner);
      std::ranges::copy(apply_layer(excite, hidden, excitation.gate), own.begin());
    }
    combine(BinaryFunction::kMul, std::array{in, broadcast_to(means, out)}, out);
  });
}

}  // namespace

Result<void> add_kernel_steps(KernelContext& context) {
  const auto& attributes = context.kernel.attributes;
  if (!std::holds_alternative<MatMul>(attributes)) {
    // A constant is repeated for every sample.
    for (TensorRef& read : context.reads) {
      std::array<std::int64_t, TensorRef::kMaxRank> dims = read.dims;
      dims[0] = context.write.dims[0];
      read = broadcast(read, std::span(dims.data(), read.rank));
    }
  }
  context.scratch.next_kernel();
  if (const Activation& before = context.kernel.before; before != Activation::kIdentity) {
    const TensorRef from = context.read();
    const TensorRef activated = context.scratch.take_like(from);
    context.steps.emplace_back([=] { activate(from, activated, before); });
    context.reads.front() = activated;
  }
  Steps steps{context};
  if (context.kernel.is_attention()) {
    add_attention_steps(context);
  } else if (context.kernel.excitation.squeeze.valid()) {
    add_excitation_steps(context);
  } else {
    visit_kind(steps, attributes);
  }
  if (!steps.executable) return cannot_execute(context.kernel, kCpuDevice);
  if (!steps.exact) return inexact_indices(context.kernel, kCpuDevice);
  return {};
}

void add_steps(KernelContext& context, const Pool& pool) {
  const TensorRef& in = context.read();
  const TensorRef& out = context.write;
  const auto own = [&] { context.steps.emplace_back([in, out, pool] { cpu::pool(in, out, pool); }); };
  const bool max = algorithm_of(pool) == dnnl::algorithm::pooling_max;
  if (max && context.shop.careful) return own();  // oneDNN's loses NaN
  Window y = window_of(in.dims[2], out.dims[2], pool.kernel.height, pool.stride.height, pool.padding.height,
                       pool.end_padding.height);
  Window x = window_of(in.dims[3], out.dims[3], pool.kernel.width, pool.stride.width, pool.padding.width,
                       pool.end_padding.width);
  if (is_global(pool)) {
    y = {in.dims[2], 1, 0, 0, 0};
    x = {in.dims[3], 1, 0, 0, 0};
  } else if (!means_the_same(pool, y) || !means_the_same(pool, x)) {
    return own();
  }
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  const dnnl::pooling_forward::desc operation(
      dnnl::prop_kind::forward_inference, algorithm_of(pool), desc_of(in), desc_of(out), {y.stride, x.stride},
      {y.kernel, x.kernel}, {y.begin, x.begin}, {std::max(y.end, y.needed_end), std::max(x.end, x.needed_end)});
  const auto description = describe<dnnl::pooling_forward>(operation, attributes, context.shop.engine);
  if (!description || is_reference(description->impl_info_str())) return own();
  context.add(dnnl::pooling_forward(*description), *description,
              {{DNNL_ARG_SRC, context.memory(in)}, {DNNL_ARG_DST, context.memory(out)}});
}

}  // namespace iosx::cpu
