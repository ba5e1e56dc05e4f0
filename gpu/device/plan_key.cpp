#include "gpu/device/plan_key.h"

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace iosx::gpu {
namespace {

class Writer {
 public:
  template <typename Number>
  void number(Number value) {
    static_assert(std::is_trivially_copyable_v<Number>);
    char bytes[sizeof(Number)];
    std::memcpy(bytes, &value, sizeof(Number));
    text_.append(bytes, sizeof(Number));
  }
  void count(std::size_t value) { number(static_cast<std::uint64_t>(value)); }
  template <typename Tag>
  void ids(const std::vector<Id<Tag>>& list) {
    count(list.size());
    for (const Id<Tag> id : list) number(id);
  }
  void view(const TensorView& view) {
    number(view.buffer);
    number(view.begin);
    number(view.end);
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

void write_buffer(Writer& out, const Buffer& buffer) {
  out.count(buffer.shape.dims().size());
  for (const std::int64_t dim : buffer.shape.dims()) out.number(dim);
  out.number(buffer.external);
  out.number(buffer.constant);
  out.number(buffer.source);
}

// Operators and their parameters object say what a kernel computes; a merged convolution's too.
void write_kernel(Writer& out, const Kernel& kernel) {
  out.count(kernel.attributes.index());  // a copy of an operator's output is no second run of the operator
  out.ids(kernel.operators);
  out.ids(kernel.fused);
  out.count(kernel.reads.size());
  for (const TensorView& view : kernel.reads) out.view(view);
  out.view(kernel.writes);
  out.count(kernel.stage);
  out.count(kernel.lane);
  out.ids(kernel.waits);
}

}  // namespace

std::string plan_key(const ExecutionPlan& plan) {
  Writer out;
  out.number(plan.batch);
  out.number(reinterpret_cast<std::uintptr_t>(plan.parameters.get()));
  out.ids(plan.inputs);
  out.count(plan.outputs.size());
  for (const PlanOutput& output : plan.outputs) out.view(output.view);
  out.count(plan.buffers.size());
  for (const Buffer& buffer : plan.buffers) write_buffer(out, buffer);
  out.count(plan.kernels.size());
  for (const Kernel& kernel : plan.kernels) write_kernel(out, kernel);
  return out.take();
}

}  // namespace iosx::gpu
