// Pooling uses oneDNN's kernels where they are fast and equivalent, our own otherwise.

#include <algorithm>

#include "core/devices/cpu/kernel_context.h"
#include "core/devices/cpu/kernels/kernels.h"

namespace iosx::cpu {
namespace {

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
