#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/exec/prepared_plan.h"
#include "gpu/measure/replay_timer.h"
#include "gpu/ops/conv/plan_store.h"

namespace iosx::gpu {

// What is fastest alone may not be fastest side by side: a way that fills the GPU leaves its neighbours nothing. For
// every stage with convolutions on two lanes or more, tries for one convolution after another the other ways that were
// kept, with the stage's lanes all running, and keeps a change that is faster beyond the noise. In the end what came
// out has to win once more against the ways that are fastest alone, otherwise those stay. Stages of one lane keep rank
// 0.
//
// Stages are recognised by the problems of their lanes and the ways kept for them, so that each is tuned once and the
// result is stored. A stage costs half a second of measured work at most, or one comparison where that takes longer.
class StageTuner {
 public:
  StageTuner(ExecContext& exec_context, ReplayTimer& timer, PlanStore& store)
      : exec_context_(exec_context), timer_(timer), store_(store) {}

  // Returns ranks for the plan, one a kernel; on a stop those that were found so far. It fails as
  // PreparedPlan::prepare() does. No plan prepared in the exec_context is valid afterwards.
  Result<ConvRanks> tune(const ExecutionPlan& plan, const JobContext& job);
  std::int64_t tuned_stages() const { return tuned_; }  // by measuring, so far

 private:
  // Sets the ranks of the stage's convolutions. It returns false if stopped.
  Result<bool> tune_stage(const ExecutionPlan& plan, std::size_t index, ConvRanks& ranks, const JobContext& job);

  ExecContext& exec_context_;
  ReplayTimer& timer_;
  PlanStore& store_;
  std::int64_t tuned_ = 0;
};

}  // namespace iosx::gpu
