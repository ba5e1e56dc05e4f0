// Makes the steps of linear layers.

#include <utility>

#include "core/devices/cpu/kernels/row_products.h"
#include "core/devices/cpu/kernels/rows.h"
#include "core/devices/cpu/kernels/split.h"
#include "core/devices/cpu/layer_steps.h"
#include "core/model/layout/kernel_weights.h"

namespace iosx::cpu {

namespace {

using dnnl::memory;

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
