// Makes the steps of layers with weights: convolutions, transposed convolutions and linear layers. Weights are packed
// once; bias, residual and activation are fused.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "core/base/check.h"
#include "core/devices/cpu/kernel_context.h"
#include "core/devices/cpu/kernels/kernels.h"
#include "core/devices/cpu/kernels/loops.h"
#include "core/devices/cpu/kernels/rows.h"
#include "core/devices/cpu/kernels/winograd.h"
#include "core/devices/cpu/team.h"
#include "core/model/layout/kernel_weights.h"
#include "core/model/layout/layout.h"

namespace iosx::cpu {
namespace {

using dnnl::memory;

// Returns whether primitives apply this activation. Careful ones do not, because oneDNN's lose NaN; none clips to
// bounds that exclude each other.
bool fuses(const KernelContext& context, const Activation& activation) {
  if (activation.kind == ActivationKind::kClip && !(activation.alpha <= activation.beta)) return false;
  return !context.shop.careful || activation.kind == ActivationKind::kIdentity;
}

// Adds the step that applies an activation that fuses() refuses to `out`.
void add_activation(KernelContext& context, const TensorRef& out, const Activation& activation) {
  if (fuses(context, activation)) return;
  context.steps.emplace_back([out, activation] { activate(out, out, activation); });
}

// Returns a primitive's attributes: it adds to the target if `residual`, and applies the activation if it fuses.
dnnl::primitive_attr fused(const KernelContext& context, const Activation& activation, bool residual) {
  dnnl::post_ops post_ops;
  if (residual) post_ops.append_sum(1.0F);
  if (fuses(context, activation)) append(post_ops, activation);
  dnnl::primitive_attr attributes;
  attributes.set_post_ops(post_ops);
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  return attributes;
}

memory::desc row_major(const memory::dims& dims) {
  memory::dims strides(dims.size());
  std::int64_t step = 1;
  for (std::size_t axis = dims.size(); axis-- > 0;) {
    strides[axis] = step;
    step *= dims[axis];
  }
  return {dims, memory::data_type::f32, strides};
}

memory::desc any_weights(const memory::dims& dims, DataType type) {
  return {dims, data_type(type), memory::format_tag::any};
}

memory::desc bias_desc(std::int64_t channels) { return {{channels}, memory::data_type::f32, memory::format_tag::x}; }

// Packs the biases of the kernel's operators one after another.
WeightStore::Packed packed_bias(KernelContext& context, std::int64_t channels) {
  const memory::desc desc = bias_desc(channels);
  return context.shop.weights.packed({context.parameters, context.kernel.operators, "bias"}, desc, [&] {
    Tensor bias = joined_bias(*context.parameters, context.kernel.operators);
    IOS_CHECK(bias.dims()[0] == channels);
    return WeightStore::Plain{std::move(bias), desc};
  });
}

const float* floats_of(const WeightStore::Packed& packed) {
  return static_cast<const float*>(packed.memory.get_data_handle());
}

// A primitive with one source and one destination. Its best implementation may need other formats than the
// device's.
template <typename Primitive>
struct Choice {
  typename Primitive::primitive_desc description;
  bool own_formats;
};

// `operation` makes the operation from the descriptions of source and destination. The formats are the device's, or
// oneDNN's own where it has only a reference implementation for the device's.
template <typename Primitive, typename Operation>
Choice<Primitive> choose(const KernelContext& context, const TensorRef& source, const TensorRef& target,
                         const dnnl::primitive_attr& attributes, const Operation& operation) {
  const dnnl::memory::desc from = desc_of(source);
  const dnnl::memory::desc to = desc_of(target);
  auto plain = describe<Primitive>(operation(from, to), attributes, context.shop.engine);
  if (plain && !is_reference(plain->impl_info_str())) return {*plain, false};
  auto own = describe<Primitive>(operation(any_format(from), any_format(to)), attributes, context.shop.engine);
  if (own && (!plain || !is_reference(own->impl_info_str()))) return {*own, true};
  if (!plain) throw dnnl::error(dnnl_unimplemented, "oneDNN cannot compute this");
  return {*plain, false};
}

struct Operands {
  TensorRef source;
  TensorRef target;
  std::optional<TensorRef> residual;
  WeightStore::Packed weights;
  WeightStore::Packed bias;
};

// Adds the primitive, with reorders where it has formats of its own.
template <typename Primitive>
void add_layer(KernelContext& context, const Choice<Primitive>& choice, const Operands& operands) {
  const auto& description = choice.description;
  dnnl::memory source = context.memory(operands.source);
  dnnl::memory target = context.memory(operands.target);
  const dnnl::memory device_target = target;
  if (choice.own_formats && description.src_desc() != source.get_desc()) {
    const dnnl::memory other = context.scratch_memory(description.src_desc());
    context.reorder(source, other);
    source = other;
  }
  const bool reorder_target = choice.own_formats && description.dst_desc() != target.get_desc();
  if (reorder_target) target = context.scratch_memory(description.dst_desc());
  if (operands.residual) {
    if (reorder_target) {
      context.reorder(context.memory(*operands.residual), target);
    } else if (!same_place(*operands.residual, operands.target)) {
      context.steps.emplace_back([from = *operands.residual, to = operands.target] { copy(from, to); });
    }
  }
  context.add(Primitive(description), description,
              {{DNNL_ARG_SRC, source},
               {DNNL_ARG_WEIGHTS, operands.weights.memory, operands.weights.block},
               {DNNL_ARG_BIAS, operands.bias.memory, operands.bias.block},
               {DNNL_ARG_DST, target}});
  if (reorder_target) context.reorder(target, device_target);
}

constexpr std::int64_t kFloatBytes = bytes_of(DataType::kFloat32);

memory::dims with_groups(std::int64_t groups, memory::dims dims) {
  if (groups > 1) {
    dims[0] /= groups;
    dims.insert(dims.begin(), groups);
  }
  return dims;
}

WeightStore::Packed packed_weights(KernelContext& context, const Conv& conv, const memory::desc& wanted) {
  const auto& operators = context.kernel.operators;
  const memory::dims dims{conv.out_channels, context.read().dims[1] / conv.groups, conv.kernel.height,
                          conv.kernel.width};
  const std::string form = fmt::format("conv {} {} {}", conv.groups, conv.kernel.height, conv.kernel.width);
  return context.shop.weights.packed({context.parameters, operators, form}, wanted, [&] {
    return WeightStore::Plain{conv_weights(*context.parameters, operators, conv, context.read().dims[1]),
                              row_major(with_groups(conv.groups, dims))};
  });
}

memory::dims pair(const Extent& extent) { return {extent.height, extent.width}; }
memory::dims sum(const Extent& a, const Extent& b) { return {a.height + b.height, a.width + b.width}; }
memory::dims less_one(const Extent& extent) { return {extent.height - 1, extent.width - 1}; }

// Returns the problem without the tensors' places: the key of remembered and stored trials.
std::string problem_text(const KernelContext& context, const Conv& conv, const TensorRef& source, bool residual) {
  const auto both = [](const Extent& extent) { return fmt::format("{}x{}", extent.height, extent.width); };
  return fmt::format("{} {} of {}, {} groups, kernel {}, stride {}, padding {} {}, dilation {}, {}{}",
                     conv.out_channels, static_cast<int>(context.shop.type),
                     fmt::join(source.dims.begin(), source.dims.begin() + 4, "x"), conv.groups, both(conv.kernel),
                     both(conv.stride), both(conv.padding), both(conv.end_padding), both(conv.dilation),
                     activation_name(conv.activation), residual ? " of a sum" : "");
}

struct ConvolutionChoice {
  ConvolutionWay way;
  Choice<dnnl::convolution_forward> primitive;  // for the ways of oneDNN
};

// Whole-number weights come from a quantised model: its integer sums are exact, Winograd's are not.
bool has_whole_weights(const KernelContext& context) {
  return std::ranges::any_of(context.kernel.operators, [&](OperatorId id) {
    const auto weights = context.parameters->given_weights(id).elements();
    return !weights.empty() && std::ranges::all_of(weights, [](float weight) { return weight == std::trunc(weight); });
  });
}

bool winograd_can(const KernelContext& context, const Conv& conv) {
  return winograd_fits(conv) && winograd_fits(context.write) && !has_whole_weights(context) &&
         std::ranges::all_of(context.reads, [](const auto& read) { return winograd_fits(read); });
}

// With fewer channels the transforms take about as long as the products that they save.
bool winograd_may_gain(const KernelContext& context, const Conv& conv) {
  constexpr std::int64_t kFewest = 32;
  return std::min(conv.out_channels, context.read().dims[1]) >= kFewest;
}

// Returns whether a trial would most likely find Winograd's method the fastest, for use without a keeper.
bool winograd_likely_gains(const KernelContext& context, const Conv& conv) {
  constexpr std::int64_t kFewestChannels = 64;
  constexpr std::int64_t kFewestPixels = 196;
  const TensorRef& out = context.write;
  return std::min(conv.out_channels, context.read().dims[1]) >= kFewestChannels &&
         out.dims[2] * out.dims[3] >= kFewestPixels;
}

// Returns whether Winograd's method is as accurate as direct sums for this layer's weights, except for a few
// millionths of the largest output.
bool winograd_is_accurate(const KernelContext& context, const Conv& conv) {
  constexpr double kMostError = 3e-6;
  const auto& operators = context.kernel.operators;
  return context.shop.winograd_layers.accurate(context.parameters, operators, [&] {
    const std::int64_t in_channels = context.read().dims[1];
    const Reservation taps(context.shop.weights.budget(), 5 * conv.out_channels * in_channels * 9 * kFloatBytes,
                           Sentence{"unpacked weights"});
    const Tensor weights = conv_weights(*context.parameters, operators, conv, in_channels);
    return winograd_error(weights.elements(), conv.out_channels, in_channels) <= kMostError;
  });
}

// Returns another way than the plain one if a trial showed that it is faster. It ignores whether tensors are slices.
template <typename Operation>
ConvolutionChoice choose_way(const KernelContext& context, const Conv& conv, const dnnl::primitive_attr& attributes,
                             const Operation& operation) {
  using Convolution = dnnl::convolution_forward;
  Workshop& shop = context.shop;
  const TensorRef source = dense_like(context.read(), nullptr);
  const TensorRef target = dense_like(context.write, nullptr);
  const auto choice = choose<Convolution>(context, source, target, attributes, operation);
  const bool winograd_fits = !shop.careful && winograd_can(context, conv);  // NaN would spread over a tile
  if (winograd_fits && shop.trials.decided() == ConvolutionWay::kWinograd) return {ConvolutionWay::kWinograd, choice};
  ConvolutionChoice plain{choice.own_formats ? ConvolutionWay::kOwnFormats : ConvolutionWay::kPlain, choice};
  const char* const name = choice.description.impl_info_str();
  if (choice.own_formats || is_reference(name) || shop.trials.decided() || shop.careful) return plain;
  const memory::desc from = desc_of(source);
  const memory::desc to = desc_of(target);
  std::optional<Convolution::primitive_desc> own;
  if (may_gain_from_formats(name)) {
    own = describe<Convolution>(operation(any_format(from), any_format(to)), attributes, shop.engine);
    if (own && own->src_desc() == from && own->dst_desc() == to) own.reset();
  }
  const bool winograd = winograd_fits && winograd_may_gain(context, conv);
  if (!own && !winograd) return plain;
  const bool residual = context.reads.size() > 1;
  const ConvolutionWay rule = winograd && winograd_likely_gains(context, conv) ? ConvolutionWay::kWinograd : plain.way;
  const ConvolutionWay way = shop.trials.way(problem_text(context, conv, source, residual), rule, [&] {
    return fastest_way({source, target, choice.description, own, winograd ? &conv : nullptr, residual}, shop.engine,
                       shop.stream, shop.weights.budget(), shop.job);
  });
  if (way == ConvolutionWay::kOwnFormats && own) return {way, {*own, true}};
  if (way == ConvolutionWay::kWinograd && winograd && winograd_is_accurate(context, conv)) return {way, choice};
  return plain;
}

WeightStore::Packed packed_winograd_weights(KernelContext& context, const Conv& conv) {
  const auto& operators = context.kernel.operators;
  const std::int64_t in_channels = context.read().dims[1];
  const std::int64_t count = winograd_weight_count(conv.out_channels, in_channels);
  const memory::desc desc({count}, memory::data_type::f32, memory::format_tag::x);
  return context.shop.weights.packed({context.parameters, operators, "winograd"}, desc, [&] {
    const Reservation taps(context.shop.weights.budget(), conv.out_channels * in_channels * 9 * kFloatBytes,
                           Sentence{"unpacked weights"});
    const Tensor plain = conv_weights(*context.parameters, operators, conv, in_channels);
    return WeightStore::Plain{Tensor({count}, winograd_weights(plain.elements(), conv.out_channels, in_channels)),
                              desc};
  });
}

// Reads and writes slices where they are.
void add_winograd(KernelContext& context, const Conv& conv) {
  const WeightStore::Packed weights = packed_winograd_weights(context, conv);
  const WeightStore::Packed bias = packed_bias(context, conv.out_channels);
  const std::int64_t scratch = winograd_scratch(context.read().dims[1], Team::current().size());
  const std::optional<TensorRef> residual = context.reads.size() > 1 ? std::optional(context.reads[1]) : std::nullopt;
  const WinogradConv work{floats_of(weights), floats_of(bias), conv.padding, conv.activation};
  context.implementation = kWinogradName;
  context.steps.emplace_back(
      [work, residual, in = context.read(), out = context.write,
       scratch = reinterpret_cast<float*>(context.scratch.take(scratch * kFloatBytes)),
       owners = std::pair(weights.block, bias.block)] { winograd(in, work, residual, out, scratch); });
}

// Dense rows of features: of the tensor itself, or of temporary memory in its form.
struct Rows {
  TensorRef tensor;
  TensorRef rows;
};
Rows dense_rows(KernelContext& context, const TensorRef& tensor, std::size_t axis) {
  if (const auto rows = feature_rows(tensor, axis); rows && is_dense(*rows)) return {tensor, *rows};
  const TensorRef dense = dense_feature_rows(tensor, axis, context.scratch.take_like(tensor).data);
  return {dense, feature_rows(dense, axis).value()};
}

// Rows are the pixels of an image of one row: oneDNN's 1 x 1 convolutions are up to 1.4 times as fast as its inner
// products, and sum up in the same order on a team of any size, which those do not.
TensorRef as_pixels(const TensorRef& rows) {
  TensorRef pixels = rows;
  pixels.rank = 4;
  pixels.dims = {1, rows.dims[1], 1, rows.dims[0]};
  pixels.strides = {rows.elements(), 1, rows.elements(), rows.strides[0]};
  return pixels;
}

// With few rows all time goes into reading the weights, once, as they lie.
void add_row_steps(KernelContext& context, const Linear& linear, const Rows& source, const Rows& target, bool residual,
                   const WeightStore::Packed& weights, const WeightStore::Packed& bias) {
  context.steps.emplace_back([=, activation = linear.activation, in = source.rows, out = target.rows,
                              matrix = floats_of(weights), shift = floats_of(bias),
                              owners = std::pair(weights.block, bias.block)] {
    const std::int64_t features = in.dims[1];
    split(out.dims[1], out.dims[1] * features, [&](std::int64_t begin, std::int64_t end) {
      const std::int64_t count = end - begin;
      auto* const first = static_cast<float*>(out.data) + begin;
      for (std::int64_t row = 0; row < out.dims[0]; ++row) {
        float* const to = first + row * out.strides[0];
        for (std::int64_t i = 0; i < count; ++i) to[i] = shift[begin + i] + (residual ? to[i] : 0);
      }
      add_row_products(matrix + begin * features, features, count, static_cast<const float*>(in.data), in.strides[0],
                       out.dims[0], features, first, out.strides[0]);
      if (activation.kind == ActivationKind::kIdentity) return;
      for (std::int64_t row = 0; row < out.dims[0]; ++row) {
        activate_row(activation, first + row * out.strides[0], first + row * out.strides[0], count);
      }
    });
  });
}

}  // namespace

void add_steps(KernelContext& context, const Conv& conv) {
  const bool residual = context.reads.size() > 1;
  const memory::desc weights = any_weights(
      with_groups(conv.groups,
                  {conv.out_channels, context.read().dims[1] / conv.groups, conv.kernel.height, conv.kernel.width}),
      context.shop.type);
  const auto choice = choose_way(
      context, conv, fused(context, conv.activation, residual), [&](const memory::desc& from, const memory::desc& to) {
        return dnnl::convolution_forward::desc(dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct,
                                               from, weights, bias_desc(conv.out_channels), to, pair(conv.stride),
                                               less_one(conv.dilation), pair(conv.padding),
                                               sum(conv.padding, conv.end_padding));
      });
  if (choice.way == ConvolutionWay::kWinograd) return add_winograd(context, conv);
  const TensorRef source = context.dense_source(context.read());
  const TensorRef target = context.dense_target();
  add_layer(context, choice.primitive,
            {source, target, residual ? std::optional(context.reads[1]) : std::nullopt,
             packed_weights(context, conv, choice.primitive.description.weights_desc()),
             packed_bias(context, conv.out_channels)});
  add_activation(context, target, conv.activation);
  context.deliver(target);
}

void add_steps(KernelContext& context, const ConvTranspose& conv) {
  const TensorRef source = context.dense_source(context.read());
  const TensorRef target = context.dense_target();
  const std::int64_t in_group = source.dims[1] / conv.groups;
  const std::int64_t out_group = conv.out_channels / conv.groups;
  const std::int64_t taps = conv.kernel.height * conv.kernel.width;
  const memory::dims dims =
      with_groups(conv.groups, {conv.out_channels, in_group, conv.kernel.height, conv.kernel.width});
  memory::dims strides{taps, out_group * taps, conv.kernel.width, 1};  // the file's: input channels first
  if (conv.groups > 1) strides.insert(strides.begin(), in_group * out_group * taps);
  const memory::dims end{conv.padding.height + conv.end_padding.height - conv.output_padding.height,
                         conv.padding.width + conv.end_padding.width - conv.output_padding.width};
  const auto choice = choose<dnnl::deconvolution_forward>(
      context, source, target, fused(context, Activation::kIdentity, false),
      [&](const memory::desc& from, const memory::desc& to) {
        return dnnl::deconvolution_forward::desc(dnnl::prop_kind::forward_inference,
                                                 dnnl::algorithm::deconvolution_direct, from,
                                                 any_weights(dims, context.shop.type), bias_desc(conv.out_channels), to,
                                                 pair(conv.stride), less_one(conv.dilation), pair(conv.padding), end);
      });
  auto weights = context.shop.weights.packed(
      {context.parameters, context.kernel.operators, "transposed conv"}, choice.description.weights_desc(), [&] {
        return WeightStore::Plain{context.parameters->weights(context.kernel.operators.front()),
                                  memory::desc(dims, memory::data_type::f32, strides)};
      });
  add_layer(context, choice, {source, target, {}, std::move(weights), packed_bias(context, conv.out_channels)});
  context.deliver(target);
  // oneDNN would compute it and the activation several times slower than one after the other.
  if (conv.activation.kind == ActivationKind::kIdentity) return;
  context.steps.emplace_back([out = context.write, activation = conv.activation] { activate(out, out, activation); });
}

void add_steps(KernelContext& context, const Linear& linear) {
  const Rows source = dense_rows(context, context.read(), linear.axis);
  const Rows target = dense_rows(context, context.write, linear.axis);
  const auto copy_unless_same = [&](const TensorRef& from, const TensorRef& to) {
    if (!same_place(from, to)) context.steps.emplace_back([from, to] { copy(from, to); });
  };
  copy_unless_same(context.read(), source.tensor);
  const bool residual = context.reads.size() > 1;
  if (residual) copy_unless_same(context.reads[1], target.tensor);
  const std::int64_t features = source.rows.dims[1];
  const TensorRef& read = context.read();
  const bool map = linear.axis == 0 && read.rank == 4 && read.dims[2] * read.dims[3] > 1;
  const memory::desc plain = row_major({linear.out_features, features, 1, 1});
  const auto packed = [&](const memory::desc& wanted) {
    return context.shop.weights.packed({context.parameters, context.kernel.operators, map ? "linear map" : "linear"},
                                       wanted, [&] {
                                         Tensor weights = linear_weights(*context.parameters, context.kernel.operators);
                                         if (map) {
                                           const Shape sample{read.dims[1], read.dims[2], read.dims[3]};
                                           weights = columns_in_device_order(weights, sample);
                                         }
                                         return WeightStore::Plain{std::move(weights), plain};
                                       });
  };
  if (context.shop.type == DataType::kFloat32 && source.rows.dims[0] <= kMostVectors) {
    add_row_steps(context, linear, source, target, residual, packed(plain), packed_bias(context, linear.out_features));
    return context.deliver(target.tensor);
  }
  const TensorRef from = as_pixels(source.rows);
  const TensorRef to = as_pixels(target.rows);
  const auto choice =
      choose<dnnl::convolution_forward>(context, from, to, fused(context, linear.activation, residual),
                                        [&](const memory::desc& in, const memory::desc& out) {
                                          return dnnl::convolution_forward::desc(
                                              dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct,
                                              in, any_weights({linear.out_features, features, 1, 1}, context.shop.type),
                                              bias_desc(linear.out_features), out, {1, 1}, {0, 0}, {0, 0});
                                        });
  add_layer(context, choice,
            {from, to, residual ? std::optional(to) : std::nullopt, packed(choice.description.weights_desc()),
             packed_bias(context, linear.out_features)});
  add_activation(context, target.tensor, linear.activation);
  context.deliver(target.tensor);
}

}  // namespace iosx::cpu
