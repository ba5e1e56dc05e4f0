#pragma once

#include <cstddef>
#include <dnnl.hpp>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/devices/cpu/convolution_trials.h"
#include "core/devices/cpu/memory.h"
#include "core/devices/cpu/onednn.h"
#include "core/devices/cpu/team.h"
#include "core/model/graph/tensor.h"
#include "core/model/plan/execution_plan.h"

namespace iosx::cpu {

// An estimate of a lane's time, for sharing cores; only ratios matter.
struct LaneLoad {
  double seconds = 0;       // on one core
  std::size_t kernels = 0;  // each costs a fork and a join on a team of several cores
};
LaneLoad load_of(const ExecutionPlan& plan, std::span<const KernelId> lane);

// The teams that run the lanes of one stage. A team runs its lanes one after another, in this order.
struct LaneTeams {
  std::vector<int> sizes;                       // cores per team, at least 1; their sum is at most the number of cores
  std::vector<std::vector<std::size_t>> lanes;  // per team, at least one
};

// Assigns lanes to teams, the longest first, and cores to teams by load. It chooses the number of teams with the
// earliest expected end: where one lane has nearly all the work, one team of all cores beats a team per lane.
LaneTeams share_cores(std::span<const LaneLoad> lanes, int cores);

// Owns memory and weights that outlast the plans prepared in it. Any number of plans may be prepared in it; one at a
// time uses it, because their buffers lie in the same block.
class Workplace {
 public:
  Workplace(DataType type, int cores, std::int64_t memory_limit, std::int64_t weight_cache);

  // Returns a block of at least `bytes`, the same one for every plan while it is large enough.
  std::byte* arena(std::int64_t bytes);
  // Returns the block's number. It changes when the block is replaced or freed; older plans then cannot run any more.
  std::int64_t arena_number() const { return arena_number_; }
  // Frees everything kept for later plans. Plans prepared before cannot run any more.
  void clear();

  // Returns a unique number for a new plan.
  std::int64_t new_plan() { return ++plans_; }
  // Makes the arena's content this plan's. Returns false if it already was.
  bool hand_over(std::int64_t plan) { return std::exchange(occupant_, plan) != plan; }

  const DataType type;
  dnnl::engine engine;
  MemoryBudget budget;
  WeightStore weights;
  ConvolutionTrials trials;
  WinogradLayers winograd_layers;
  std::vector<Scratch> scratch;  // by a team's first core

 private:
  std::unique_ptr<Block> arena_;
  std::int64_t arena_number_ = 0;
  std::int64_t plans_ = 0;
  std::int64_t occupant_ = 0;  // number of the plan that used the arena last
};

struct PreparedKernel {
  KernelId id;
  std::vector<Step> steps;
  std::string implementation;  // as in KernelContext
};

struct PreparedStage {
  LaneTeams teams;
  std::vector<std::vector<PreparedKernel>> lanes;
};

// A plan ready to run: buffers are placed, weights packed, and primitives made for the teams that will execute them.
class PreparedPlan {
 public:
  // Errors: a kernel that cannot be executed, or a stop, checked before every kernel. Throws OutOfMemory. The
  // workplace must outlive the plan. Call it on the thread that may call the pool's run().
  //
  // A `careful` plan treats NaN and infinities as IEEE 754 and NumPy do. Other plans are faster: activations inside
  // oneDNN's kernels turn NaN into 0, and Winograd's method spreads it.
  static Result<PreparedPlan> prepare(const ExecutionPlan& plan, Workplace& workplace, TeamPool& pool,
                                      const JobContext& job, bool careful = false);

  const ExecutionPlan& plan() const { return plan_; }
  const std::vector<PreparedStage>& stages() const { return stages_; }
  // Returns the bytes of tensors with temporary ones, without weights.
  std::int64_t peak_bytes() const { return peak_bytes_; }

  // Returns whether it can run: false once the workplace's memory was replaced.
  bool usable() const { return arena_number_ == workplace_->arena_number(); }
  // Takes over the workplace's memory before a run. Returns true if another plan used it since: constants were then
  // filled again, and inputs have to be set.
  bool enter();

  // Copies the inputs in after enter(): one tensor per plan input, batch × filled_shape(), row-major.
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
  std::vector<std::byte*> buffers_;  // null where no kernel uses it
  std::vector<WeightStore::Packed> constants_;
  std::vector<PreparedStage> stages_;
  std::int64_t peak_bytes_ = 0;
};

}  // namespace iosx::cpu
