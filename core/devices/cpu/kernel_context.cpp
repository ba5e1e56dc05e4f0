#include "core/devices/cpu/kernel_context.h"

#include "core/devices/cpu/kernels/kernels.h"
#include "core/model/layout/layout.h"

namespace iosx::cpu {

TensorRef KernelContext::dense_source(const TensorRef& tensor) {
  if (is_dense(tensor)) return tensor;
  const TensorRef dense = scratch.take_like(tensor);
  steps.emplace_back([tensor, dense] { copy(tensor, dense); });
  return dense;
}

TensorRef KernelContext::dense_target() { return is_dense(write) ? write : scratch.take_like(write); }

void KernelContext::deliver(const TensorRef& target) {
  if (target.data != write.data) steps.emplace_back([target, out = write] { copy(target, out); });
}

dnnl::memory KernelContext::scratch_memory(const dnnl::memory::desc& desc) {
  return {desc, shop.engine, scratch.take(static_cast<std::int64_t>(desc.get_size()))};
}

void KernelContext::reorder(const dnnl::memory& from, const dnnl::memory& to) {
  check_room_for_primitive();
  steps.push_back(call(dnnl::reorder(from, to), shop.stream, {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}}));
}

}  // namespace iosx::cpu
