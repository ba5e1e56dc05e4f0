#include "core/devices/cpu/layer_steps.h"

#include <utility>

#include "core/base/check.h"
#include "core/model/layout/kernel_weights.h"

namespace iosx::cpu {

using dnnl::memory;

bool fuses(const KernelContext& context, const Activation& activation) {
  if (activation.kind == ActivationKind::kClip && !(activation.alpha <= activation.beta)) return false;
  return !context.shop.careful || activation.kind == ActivationKind::kIdentity;
}

void add_activation(KernelContext& context, const TensorRef& out, const Activation& activation) {
  if (fuses(context, activation)) return;
  context.steps.emplace_back([out, activation] { activate(out, out, activation); });
}

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

}  // namespace iosx::cpu
