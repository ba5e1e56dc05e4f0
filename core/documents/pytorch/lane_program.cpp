#include "core/documents/pytorch/network_source.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <utility>

#include "core/model/graph/operator_table.h"
#include "core/model/plan/execution_plan.h"
#include "core/model/plan/lanes/lane_schedule.h"

namespace iosx::pytorch {
namespace {

// Whether PyTorch surely makes a tensor with its own memory, and no view of the operator's input.
struct HasOwnMemory {
  std::size_t inputs = 0;
  bool operator()(const OneOf<Conv, ConvTranspose, Linear, Pool, Affine, Concat, Softmax, Normalize, Lrn, Binary,
                              Where> auto& /*made anew*/) const {
    return true;
  }
  bool operator()(const Activate& op) const { return op.function != Activation::kIdentity; }
  bool operator()(const OneOf<Add, Mul, MatMul> auto& /*combines*/) const { return inputs > 1; }
  bool otherwise() const { return false; }
};

bool has_own_memory(const Operator& op) { return visit_kind(HasOwnMemory{op.inputs.size()}, op.attributes); }

class ProgramMaker {
 public:
  ProgramMaker(const Graph& graph, const ExecutionPlan& plan, std::span<const OperatorId> outputs)
      : graph_(graph), step_of_(graph.operators().size(), 0), readers_(graph.operators().size()) {
    for (OperatorStep& step : operator_steps(graph, plan)) steps_.push_back(LaneStep{std::move(step)});
    for (std::size_t s = 0; s < steps_.size(); ++s) {
      for (const OperatorId id : steps_[s].operators) {
        step_of_[id.index()] = s;
        for (const Value& value : graph.op(id).inputs) {
          if (!graph.op(value.producer).is_source()) readers_[value.producer.index()].push_back(s);
        }
      }
    }
    returned_.assign(graph.operators().size(), false);
    for (const OperatorId id : outputs) returned_[id.index()] = true;
  }

  LaneProgram run() && {
    set_waits();
    LaneProgram program;
    for (const Kernel& kernel : ordered_.kernels) program.lanes = std::max(program.lanes, kernel.lane + 1);
    const LaneClocks clocks(ordered_);
    const std::vector<bool> shared = share_memory();
    for (std::size_t i = 0; i < graph_.operators().size(); ++i) {
      const OperatorId id(i);
      if (graph_.op(id).is_source()) continue;
      if (!drop(id, clocks, shared[i]) && steps_[step_of_[id.index()]].lane > 0) program.kept.push_back(id);
    }
    program.steps = std::move(steps_);
    return program;
  }

 private:
  // Waits are reduced as for any barrier-free plan.
  void set_waits() {
    ExecutionPlan plain;
    LaneSchedule lanes;
    std::vector<std::vector<KernelId>> needs(steps_.size());
    std::unordered_map<UnitId, std::size_t> last_of;  // step of each whole unit, whose steps run in order
    plain.kernels.resize(steps_.size());
    for (std::size_t s = 0; s < steps_.size(); ++s) {
      lanes.launches.push_back({KernelId(s), steps_[s].lane, {}});
      for (const OperatorId id : steps_[s].operators) {
        for (const Value& value : graph_.op(id).inputs) {
          const std::size_t made = graph_.op(value.producer).is_source() ? s : step_of_[value.producer.index()];
          if (made != s) needs[s].emplace_back(made);
        }
        const UnitId unit = graph_.op(id).unit;
        if (!graph_.unit(unit).whole) continue;
        const std::size_t before = std::exchange(last_of.try_emplace(unit, s).first->second, s);
        if (before != s) needs[s].emplace_back(before);
      }
      std::ranges::sort(needs[s]);
      needs[s].erase(std::unique(needs[s].begin(), needs[s].end()), needs[s].end());
    }
    ordered_ = on_lanes(plain, needs, lanes);
    for (std::size_t s = 0; s < steps_.size(); ++s) {
      steps_[s].lane = ordered_.kernels[s].lane;
      for (const KernelId wait : ordered_.kernels[s].waits) {
        steps_[s].waits.push_back(wait.index());
        steps_[wait.index()].awaited = true;
      }
    }
  }

  // Returns for each operator whether its tensor may share memory with another one that is made or read on another
  // lane: then no lane alone knows when that is free.
  std::vector<bool> share_memory() const {
    std::vector<std::size_t> family(graph_.operators().size());
    std::iota(family.begin(), family.end(), std::size_t{0});
    const auto head = [&](std::size_t i) {
      while (family[i] != i) i = family[i] = family[family[i]];
      return i;
    };
    for (std::size_t i = 0; i < family.size(); ++i) {
      const Operator& op = graph_.operators()[i];
      if (op.is_source() || has_own_memory(op)) continue;
      for (const Value& value : op.inputs) {
        if (!graph_.op(value.producer).is_source()) family[head(i)] = head(value.producer.index());
      }
    }
    std::vector<std::size_t> members(family.size(), 0);
    std::vector<std::optional<std::size_t>> lane(family.size());
    std::vector<bool> across(family.size(), false);
    for (std::size_t i = 0; i < family.size(); ++i) {
      if (graph_.operators()[i].is_source()) continue;
      const std::size_t of = head(i);
      ++members[of];
      const auto on = [&](std::size_t step) {
        if (!lane[of]) lane[of] = steps_[step].lane;
        if (*lane[of] != steps_[step].lane) across[of] = true;
      };
      on(step_of_[i]);
      for (const std::size_t reader : readers_[i]) on(reader);
    }
    std::vector<bool> shared(family.size(), false);
    for (std::size_t i = 0; i < family.size(); ++i) shared[i] = members[head(i)] > 1 && across[head(i)];
    return shared;
  }

  // False where the tensor has to be kept until all lanes have ended.
  bool drop(OperatorId id, const LaneClocks& clocks, bool shared) {
    if (returned_[id.index()] || shared) return false;
    const std::size_t made = step_of_[id.index()];
    const std::size_t lane = steps_[made].lane;
    const std::vector<std::size_t>& readers = readers_[id.index()];
    const std::size_t last = readers.empty() ? made : std::ranges::max(readers);
    if (std::ranges::all_of(readers, [&](std::size_t reader) { return steps_[reader].lane == lane; })) {
      steps_[last].dropped_after.push_back(id);
      return true;
    }
    for (std::size_t s = last + 1; s < steps_.size(); ++s) {
      if (steps_[s].lane != lane) continue;
      const bool all = std::ranges::all_of(
          readers, [&](std::size_t reader) { return clocks.before(KernelId(reader), KernelId(s)); });
      if (!all) continue;
      steps_[s].dropped_before.push_back(id);
      return true;
    }
    return false;
  }

  const Graph& graph_;
  std::vector<LaneStep> steps_;
  std::vector<std::size_t> step_of_;               // by operator; of a source 0
  std::vector<std::vector<std::size_t>> readers_;  // by operator: steps
  std::vector<bool> returned_;                     // by operator
  ExecutionPlan ordered_;                          // a kernel for each step, with lane and waits
};

}  // namespace

LaneProgram lane_program(const Graph& graph, const ExecutionPlan& plan, std::span<const OperatorId> outputs) {
  return ProgramMaker(graph, plan, outputs).run();
}

}  // namespace iosx::pytorch
