#pragma once

#include <dnnl.hpp>
#include <memory>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/cpu/lane_teams.h"
#include "core/cpu/memory.h"
#include "core/cpu/onednn.h"
#include "core/cpu/team.h"
#include "core/cpu/weight_store.h"
#include "core/graph/tensor.h"
#include "core/plan/execution_plan.h"

namespace iosx::cpu {

// What plans are prepared in: memory and weights that outlast them. One plan at a time uses it.
class Workplace {
 public:
  Workplace(DataType type, int cores, std::int64_t memory_limit, std::int64_t weight_cache);

  // A block of at least so many bytes, the same for every plan as long as it is large enough.
  std::byte* arena(std::int64_t bytes);
  // Gives back all that is kept for later plans; there is no prepared plan now.
  void clear();

  const DataType type;
  dnnl::engine engine;
  MemoryBudget budget;
  WeightStore weights;
  std::vector<Scratch> scratch;  // by the first core of a team

 private:
  std::unique_ptr<Block> arena_;
};

struct PreparedKernel {
  KernelId id;
  std::vector<Step> steps;
  std::string implementation;  // oneDNN's name of what computes it; empty: a kernel of our own
};

struct PreparedStage {
  LaneTeams teams;
  std::vector<std::vector<PreparedKernel>> lanes;
};

// A plan ready to run: buffers placed, weights packed, primitives made for the teams that will execute them.
class PreparedPlan {
 public:
  // Errors: what cannot be executed, or a stop, which is looked for before every kernel. Throws OutOfMemory. The
  // workplace must outlive the plan. Called by the thread that may call the pool's run().
  static Result<PreparedPlan> prepare(const ExecutionPlan& plan, Workplace& workplace, TeamPool& pool,
                                      const JobContext& job);

  const ExecutionPlan& plan() const { return plan_; }
  const std::vector<PreparedStage>& stages() const { return stages_; }
  // Of tensors, temporary ones included, without weights.
  std::int64_t peak_bytes() const { return peak_bytes_; }

  // One tensor a plan input, batch × shape, row-major.
  Result<void> set_inputs(const std::vector<Tensor>& inputs);
  std::vector<Tensor> outputs() const;

 private:
  PreparedPlan(ExecutionPlan plan, Workplace& workplace) : plan_(std::move(plan)), workplace_(&workplace) {}
  void place_buffers();
  void place_constant(std::size_t index);
  void fill_externals();
  void prepare_stage(std::size_t index, TeamPool& pool, const JobContext& job);
  PreparedKernel prepare_kernel(KernelId id, Scratch& scratch);
  TensorRef view(const TensorView& view) const;

  ExecutionPlan plan_;
  Workplace* workplace_;
  std::vector<std::byte*> buffers_;  // null for what no kernel touches
  std::vector<WeightStore::Packed> constants_;
  std::vector<PreparedStage> stages_;
  std::int64_t peak_bytes_ = 0;
};

}  // namespace iosx::cpu
