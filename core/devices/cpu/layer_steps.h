#pragma once

#include <dnnl.hpp>
#include <optional>

#include "core/devices/cpu/kernel_context.h"
#include "core/devices/cpu/kernels/kernels.h"
#include "core/model/layout/layout.h"

// Shared steps of layers with weights: convolutions, transposed convolutions and linear layers. Weights are packed
// once; bias, residual and activation are fused.
namespace iosx::cpu {

// Returns whether primitives apply this activation. Careful ones do not, because oneDNN's lose NaN; none clips to
// bounds that exclude each other.
bool fuses(const KernelContext& context, const Activation& activation);
// Adds the step that applies an activation that fuses() refuses to `out`.
void add_activation(KernelContext& context, const TensorRef& out, const Activation& activation);

// Returns a primitive's attributes: it adds to the target if `residual`, and applies the activation if it fuses.
dnnl::primitive_attr fused(const KernelContext& context, const Activation& activation, bool residual);

dnnl::memory::desc row_major(const dnnl::memory::dims& dims);
dnnl::memory::desc any_weights(const dnnl::memory::dims& dims, DataType type);
dnnl::memory::desc bias_desc(std::int64_t channels);

// Packs the biases of the kernel's operators one after another.
WeightStore::Packed packed_bias(KernelContext& context, std::int64_t channels);
const float* floats_of(const WeightStore::Packed& packed);

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

}  // namespace iosx::cpu
