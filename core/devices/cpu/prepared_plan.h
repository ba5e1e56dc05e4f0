#pragma once

#include <dnnl.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/devices/cpu/convolution_trials.h"
#include "core/devices/cpu/lane_teams.h"
#include "core/devices/cpu/memory.h"
#include "core/devices/cpu/onednn.h"
#include "core/devices/cpu/team.h"
#include "core/devices/cpu/weight_store.h"
#include "core/devices/cpu/winograd_error.h"
#include "core/model/graph/tensor.h"
#include "core/model/plan/execution_plan.h"

namespace iosx::cpu {

// Plans are prepared in a workplace: it owns memory and weights that outlast them. Any number of plans may be prepared
// in it, one at a time uses it: their buffers lie in the same block.
class Workplace {
 public:
  Workplace(DataType type, int cores, std::int64_t memory_limit, std::int64_t weight_cache);

  // Returns a block of at least so many bytes, the same for every plan as long as it is large enough.
  std::byte* arena(std::int64_t bytes);
  // Returns the block's number: another one after it was replaced or given back, so that plans prepared before cannot
  // run any more.
  std::int64_t arena_number() const { return arena_number_; }
  // Gives back all that is kept for later plans. No plan prepared before can run any more.
  void clear();

  // Returns a number for a plan that is being prepared, no other plan's.
  std::int64_t new_plan() { return ++plans_; }
  // Makes the arena's contents this plan's from now on. Returns false if they were before.
  bool hand_over(std::int64_t plan) { return std::exchange(occupant_, plan) != plan; }

  const DataType type;
  dnnl::engine engine;
  MemoryBudget budget;
  WeightStore weights;
  ConvolutionTrials trials;
  WinogradLayers winograd_layers;
  std::vector<Scratch> scratch;  // by the first core of a team

 private:
  std::unique_ptr<Block> arena_;
  std::int64_t arena_number_ = 0;
  std::int64_t plans_ = 0;
  std::int64_t occupant_ = 0;  // the number of the plan that used the arena last
};

struct PreparedKernel {
  KernelId id;
  std::vector<Step> steps;
  std::string implementation;  // as KernelContext's
};

struct PreparedStage {
  LaneTeams teams;
  std::vector<std::vector<PreparedKernel>> lanes;
};

// A prepared plan is ready to run: buffers are placed, weights packed, primitives made for the teams that will execute
// them.
class PreparedPlan {
 public:
  // Errors are what cannot be executed, or a stop, which is looked for before every kernel. It throws OutOfMemory. The
  // workplace must outlive the plan. It is called by the thread that may call the pool's run().
  //
  // A `careful` plan computes NaN and infinities as IEEE 754 and NumPy have them. Others are faster: activations that
  // are applied inside oneDNN's kernels make 0 of NaN, and Winograd's method spreads it.
  static Result<PreparedPlan> prepare(const ExecutionPlan& plan, Workplace& workplace, TeamPool& pool,
                                      const JobContext& job, bool careful = false);

  const ExecutionPlan& plan() const { return plan_; }
  const std::vector<PreparedStage>& stages() const { return stages_; }
  // Returns the bytes of tensors, temporary ones included, without weights.
  std::int64_t peak_bytes() const { return peak_bytes_; }

  // Says whether it can run: false once the workplace's memory was replaced.
  bool usable() const { return arena_number_ == workplace_->arena_number(); }
  // Makes the workplace's memory this plan's, before it runs. Returns true if another plan used it since: then what
  // comes from elsewhere was filled again, and inputs have to be set.
  bool enter();

  // Copies the inputs in, once the plan was entered: one tensor a plan input, batch × filled_shape(), row-major.
  Result<void> set_inputs(const std::vector<Tensor>& inputs);
  std::vector<Tensor> outputs() const;

 private:
  PreparedPlan(ExecutionPlan plan, Workplace& workplace, bool careful)
      : plan_(std::move(plan)), workplace_(&workplace), careful_(careful), number_(workplace.new_plan()) {}
  void place_buffers();
  void place_constant(std::size_t index);
  void fill_externals();
  Result<void> prepare_stage(std::size_t index, TeamPool& pool, const JobContext& job);
  Result<PreparedKernel> prepare_kernel(KernelId id, Scratch& scratch, const JobContext& job);
  TensorRef view(const TensorView& view) const;

  ExecutionPlan plan_;
  Workplace* workplace_;
  bool careful_;
  std::int64_t number_;  // see Workplace::new_plan()
  std::int64_t arena_number_ = 0;
  std::vector<std::byte*> buffers_;  // null for what no kernel touches
  std::vector<WeightStore::Packed> constants_;
  std::vector<PreparedStage> stages_;
  std::int64_t peak_bytes_ = 0;
};

}  // namespace iosx::cpu
