#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/model/graph/tensor.h"
#include "core/model/plan/execution_plan.h"
#include "gpu/exec/context.h"
#include "gpu/exec/steps.h"
#include "gpu/exec/way.h"

namespace iosx::gpu {

struct PreparedKernel {
  KernelId id;
  std::vector<Step> steps;
  std::string implementation;  // name of a convolution's way; empty: a kernel of our own
};

// For each kernel of a plan, the index into WayChooser::ways(); missing ones and other kernels count as 0.
using WayRanks = std::vector<std::size_t>;

// A plan ready to be enqueued: buffers are placed, weights are on the device, ways are chosen, and lanes have
// separate scratch memory. It allocates nothing afterwards.
class PreparedPlan {
 public:
  // The exec_context must outlive the plan and serves one plan at a time: preparing or entering another plan takes
  // over this one's memory. Errors: a kernel that cannot be executed, or a stop. Throws the exceptions of errors.h.
  static Result<PreparedPlan> prepare(const ExecutionPlan& plan, ExecContext& exec_context, const WayRanks& ranks,
                                      const JobContext& job);

  const ExecutionPlan& plan() const { return plan_; }
  const std::vector<PreparedKernel>& kernels() const { return kernels_; }  // by KernelId
  // Returns the kernels for one of several copies that are enqueued one after another.
  const std::vector<PreparedKernel>& kernels(int copy) const {
    return spread_.empty() ? kernels_ : spread_[static_cast<std::size_t>(copy) % spread_.size()];
  }
  // Makes that many copies each read weights from another place outside the GPU's cache, as far as ColdWeights has
  // room; then places repeat. Where it has none, copies read their own weights, which exceed the cache. The copies'
  // results are meaningless. Not during a capture unless the context's cold weights exist.
  void spread_weights(int copies);
  // Returns the problems for a library, by KernelId; none for other kernels.
  const std::vector<std::optional<Problem>>& problems() const { return problems_; }
  // Returns the bytes of tensors and scratch memory, without weights.
  std::int64_t peak_bytes() const { return peak_bytes_; }

  // Returns whether it can run: false once the exec_context's memory was replaced.
  bool usable() const { return arena_number_ == exec_context_->arena_number(); }
  // Takes over the exec_context's memory before a run. Returns true if another plan used it since: constants were
  // then filled again, and inputs have to be set. Synchronous.
  bool enter();

  // Takes one tensor per plan input, batch × filled_shape(), row-major, float32, after enter(). Synchronous. Returns
  // an error where the count or dims differ.
  Result<void> set_inputs(const std::vector<Tensor>& inputs);
  // Fills everything that the plan must write with a NaN pattern, so that a missing write shows. Synchronous.
  void poison();
  // Returns one tensor per plan output, batch × shape, row-major, float32. Synchronous.
  std::vector<Tensor> outputs() const;

 private:
  PreparedPlan(ExecutionPlan plan, ExecContext& exec_context)
      : plan_(std::move(plan)), exec_context_(&exec_context), number_(exec_context.new_plan()) {}

  Result<void> choose_ways(const WayRanks& ranks, const JobContext& job);
  Result<void> place();
  std::vector<std::int64_t> lane_scratch_bytes() const;
  std::int64_t staging_bytes() const;
  void place_constant(std::size_t index);
  Result<std::vector<PreparedKernel>> make_steps(const Weights& weights) const;
  void fill_externals();
  void clear_blank(std::size_t index);
  TensorRef view(const TensorView& view) const;
  KernelSite site(const Kernel& kernel) const;
  TensorRef output(const PlanOutput& output) const;

  ExecutionPlan plan_;
  ExecContext* exec_context_;
  std::int64_t number_;  // see ExecContext::new_plan()
  std::int64_t arena_number_ = 0;
  std::vector<PreparedKernel> kernels_;
  std::vector<std::vector<PreparedKernel>> spread_;  // see spread_weights(); empty: all copies are kernels_
  std::int64_t weight_bytes_ = 0;                    // each aligned
  std::vector<std::optional<Problem>> problems_;
  std::vector<Way> ways_;            // by KernelId; for those with a problem
  std::vector<std::byte*> buffers_;  // null where no kernel uses it
  // The memory after the buffers: the lanes' scratch memory during a run, otherwise tensors being copied in and out.
  std::byte* work_ = nullptr;
  std::vector<std::byte*> scratch_;  // there, by lane
  std::int64_t work_bytes_ = 0;
  std::int64_t peak_bytes_ = 0;
};

}  // namespace iosx::gpu
