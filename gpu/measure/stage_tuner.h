#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/model/plan/execution_plan.h"
#include "gpu/exec/prepared_plan.h"
#include "gpu/measure/replay.h"
#include "gpu/ops/conv/plan_store.h"

namespace iosx::gpu {

// Chooses ways by their speed side by side: a way that is fastest alone may fill the GPU and leave its neighbours
// nothing. For every stage with convolutions on two or more lanes it tries, one convolution after another, the other
// kept ways with all of the stage's lanes running, and keeps a change that is faster beyond the noise. The final
// choice has to beat the ways that are fastest alone once more, otherwise those stay. Stages of one lane keep rank 0.
//
// A stage is identified by the problems of its lanes and their kept ways, so that each is tuned once and its result
// is stored. It takes at most half a second of measured work, or one comparison where that takes longer.
class StageTuner {
 public:
  StageTuner(ExecContext& exec_context, ReplayTimer& timer, PlanStore& store)
      : exec_context_(exec_context), timer_(timer), store_(store) {}

  // Returns ranks for the plan, one per kernel; on a stop those found so far. Errors are those of
  // PreparedPlan::prepare(). All plans prepared in the exec_context become invalid.
  Result<WayRanks> tune(const ExecutionPlan& plan, const JobContext& job);
  std::int64_t tuned_stages() const { return tuned_; }  // by measuring, so far

 private:
  // Sets the ranks of the stage's convolutions. Returns false if stopped.
  Result<bool> tune_stage(const ExecutionPlan& plan, std::size_t index, WayRanks& ranks, const JobContext& job);

  ExecContext& exec_context_;
  ReplayTimer& timer_;
  PlanStore& store_;
  std::int64_t tuned_ = 0;
};

// One stage of a plan as its own plan, with a lane for each group, also for a barrier-free one. Buffers that other
// stages write become external ones of the same shape, so that views keep their strides.
struct StagePlan {
  ExecutionPlan plan;             // has one stage
  std::vector<KernelId> kernels;  // by KernelId of `plan`: the original kernel
};
StagePlan stage_of(const ExecutionPlan& plan, std::size_t stage);

}  // namespace iosx::gpu
