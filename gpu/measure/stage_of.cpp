#include "gpu/measure/stage_of.h"

#include "core/base/check.h"

namespace iosx::gpu {
namespace {

class Cut {
 public:
  Cut(const ExecutionPlan& plan, std::size_t stage)
      : plan_(plan), stage_(stage), kernels_(plan.kernels.size()), buffers_(plan.buffers.size()) {
    result_.plan.batch = plan.batch;
    result_.plan.parameters = plan.parameters;
    result_.plan.stages.emplace_back();
  }

  StagePlan make() {
    for (const auto& lane : plan_.stages[stage_].lanes) {
      auto& copy = result_.plan.stages.front().lanes.emplace_back();
      for (const KernelId id : lane) copy.push_back(add(id));
    }
    mark_external();
    return std::move(result_);
  }

 private:
  KernelId add(KernelId id) {
    Kernel kernel = plan_.kernel(id);
    kernel.stage = 0;
    kernel.lane = result_.plan.stages.front().lanes.size() - 1;
    for (TensorView& view : kernel.reads) view.buffer = buffer(view.buffer);
    kernel.writes.buffer = buffer(kernel.writes.buffer);
    kernel.waits.clear();  // the lanes of a stage do not wait for one another
    kernels_[id.index()] = KernelId(result_.plan.kernels.size());
    result_.plan.kernels.push_back(std::move(kernel));
    result_.kernels.push_back(id);
    return kernels_[id.index()];
  }

  BufferId buffer(BufferId id) {
    BufferId& copy = buffers_[id.index()];
    if (!copy.valid()) {
      copy = BufferId(result_.plan.buffers.size());
      result_.plan.buffers.push_back(plan_.buffers[id.index()]);
    }
    return copy;
  }

  void mark_external() {
    for (const Kernel& kernel : plan_.kernels) {
      const BufferId copy = buffers_[kernel.writes.buffer.index()];
      if (kernel.stage == stage_ || !copy.valid()) continue;
      Buffer& made_elsewhere = result_.plan.buffers[copy.index()];
      if (made_elsewhere.external) continue;
      made_elsewhere.external = true;
      made_elsewhere.source = kernel.fused.empty() ? kernel.operators.front() : kernel.fused.back();
    }
  }

  const ExecutionPlan& plan_;
  std::size_t stage_;
  std::vector<KernelId> kernels_;  // by KernelId of the whole plan; invalid: not in the stage
  std::vector<BufferId> buffers_;
  StagePlan result_;
};

}  // namespace

StagePlan stage_of(const ExecutionPlan& plan, std::size_t stage) {
  IOS_CHECK(stage < plan.stages.size());
  return Cut(plan, stage).make();
}

}  // namespace iosx::gpu
