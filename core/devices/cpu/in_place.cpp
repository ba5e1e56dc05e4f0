#include "core/devices/cpu/in_place.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "core/model/graph/operator_table.h"

namespace iosx::cpu {
namespace {

class InPlace {
 public:
  explicit InPlace(ExecutionPlan plan)
      : plan_(std::move(plan)),
        of_a_stage_(plan_.outputs.empty()),
        accesses_(plan_.buffers.size()),
        kept_(plan_.buffers.size(), false) {
    for (std::size_t k = 0; k < plan_.kernels.size(); ++k) {
      for (const TensorView& view : plan_.kernels[k].reads) accesses_[view.buffer.index()].push_back(k);
      accesses_[plan_.kernels[k].writes.buffer.index()].push_back(k);
    }
    for (const PlanOutput& output : plan_.outputs) kept_[output.view.buffer.index()] = true;
  }

  ExecutionPlan run() && {
    for (std::size_t k = 0; k < plan_.kernels.size(); ++k) {
      if (possible(k)) move(k);
    }
    return std::move(plan_);
  }

 private:
  bool whole(const TensorView& view) const { return is_whole(plan_.buffers[view.buffer.index()], view); }

  // Returns whether kernel a ends before b starts.
  bool before(std::size_t a, std::size_t b) const {
    const Kernel& first = plan_.kernels[a];
    const Kernel& second = plan_.kernels[b];
    if (first.stage != second.stage) return first.stage < second.stage;
    return first.lane == second.lane && a < b;
  }

  bool possible(std::size_t k) const {
    const Kernel& kernel = plan_.kernels[k];
    if (!operator_row(kernel.attributes).takes_residual || kernel.reads.size() != 2) return false;
    const TensorView& residual = kernel.reads[1];
    const Buffer& buffer = plan_.buffers[residual.buffer.index()];
    if (buffer.constant || kept_[residual.buffer.index()]) return false;
    // External buffers of a stage's plan stay usable for measuring when overwritten.
    if (buffer.external && !of_a_stage_) return false;
    if (kernel.reads[0].buffer == residual.buffer || !whole(residual) || !whole(kernel.writes)) return false;
    const Buffer& written = plan_.buffers[kernel.writes.buffer.index()];
    if (written.external || written.shape != buffer.shape || written.row_major != buffer.row_major ||
        written.axis != buffer.axis) {
      return false;
    }
    const auto& others = accesses_[residual.buffer.index()];
    return std::ranges::all_of(others, [&](std::size_t other) { return other == k || before(other, k); });
  }

  void move(std::size_t k) {
    const BufferId from = plan_.kernels[k].writes.buffer;
    const BufferId to = plan_.kernels[k].reads[1].buffer;
    for (const std::size_t user : accesses_[from.index()]) {
      for (TensorView& view : plan_.kernels[user].reads) {
        if (view.buffer == from) view.buffer = to;
      }
      if (plan_.kernels[user].writes.buffer == from) plan_.kernels[user].writes.buffer = to;
    }
    for (PlanOutput& output : plan_.outputs) {
      if (output.view.buffer == from) output.view.buffer = to;
    }
    auto& users = accesses_[to.index()];
    users.insert(users.end(), accesses_[from.index()].begin(), accesses_[from.index()].end());
    accesses_[from.index()].clear();
    kept_[to.index()] = kept_[from.index()];
  }

  ExecutionPlan plan_;
  bool of_a_stage_;
  std::vector<std::vector<std::size_t>> accesses_;  // kernels, by buffer
  std::vector<bool> kept_;                          // by buffer: an output of the plan
};

}  // namespace

ExecutionPlan with_residuals_in_place(ExecutionPlan plan) { return InPlace(std::move(plan)).run(); }

}  // namespace iosx::cpu
