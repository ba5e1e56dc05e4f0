#include "core/model/plan/operator_steps.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"

namespace iosx {
namespace {

constexpr std::size_t kNotYet = static_cast<std::size_t>(-1);

class StepMaker {
 public:
  explicit StepMaker(const Graph& graph)
      : graph_(graph), step_of_(graph.operators().size(), kNotYet), kernel_(graph.operators().size(), false) {}

  std::vector<OperatorStep> run(const ExecutionPlan& plan) && {
    for (const Kernel& kernel : plan.kernels) {
      if (is_copy(kernel)) continue;
      for (const OperatorId id : kernel.operators) kernel_[id.index()] = true;
      for (const OperatorId id : kernel.fused) kernel_[id.index()] = true;
    }
    std::vector<OperatorStep> late;
    for (const Kernel& kernel : plan.kernels) {
      if (is_copy(kernel)) continue;
      late.push_back(step_of(kernel));
      for (auto next = late.begin(); next != late.end();) {
        if (!is_ready(next->operators)) {
          ++next;
          continue;
        }
        OperatorStep step = std::move(*next);
        late.erase(next);
        add(std::move(step));
        next = late.begin();
      }
    }
    IOS_CHECK(late.empty());
    for (std::size_t i = 0; i < graph_.operators().size(); ++i) {  // concatenations that nobody reads
      if (step_of_[i] != kNotYet || graph_.operators()[i].is_source()) continue;
      const OperatorStep* const last = last_input(OperatorId(i));
      add_without_kernel(OperatorId(i), last == nullptr ? OperatorStep{} : *last);
    }
    return std::move(steps_);
  }

 private:
  // Into the place of a concatenation, or out of a merged layer.
  bool is_copy(const Kernel& kernel) const {
    return std::holds_alternative<Identity>(kernel.attributes) &&
           graph_.op(kernel.operators.front()).as<Identity>() == nullptr;
  }

  static OperatorStep step_of(const Kernel& kernel) {
    OperatorStep step{kernel.operators, kernel.operators.size() > 1, kernel.stage, kernel.lane};
    step.operators.insert(step.operators.end(), kernel.fused.begin(), kernel.fused.end());
    IOS_CHECK(!step.merged || kernel.fused.empty());
    return step;
  }

  // Returns whether their inputs exist. A kernel may read some channels of a concatenation in place before the others
  // are made; here the concatenation is made at once.
  bool is_ready(const std::vector<OperatorId>& operators) const {
    return std::ranges::all_of(operators, [&](OperatorId id) {
      return std::ranges::all_of(graph_.op(id).inputs, [&](const Value& value) {
        const OperatorId read = value.producer;
        if (graph_.op(read).is_source() || step_of_[read.index()] != kNotYet) return true;
        if (std::ranges::find(operators, read) != operators.end()) return true;
        return !kernel_[read.index()] && is_ready({read});
      });
    });
  }

  void add(OperatorStep step) {
    for (const OperatorId id : step.operators) {
      for (const Value& value : graph_.op(id).inputs) {
        const OperatorId read = value.producer;
        if (graph_.op(read).is_source() || step_of_[read.index()] != kNotYet || kernel_[read.index()]) continue;
        add_without_kernel(read, step);
      }
    }
    for (const OperatorId id : step.operators) step_of_[id.index()] = steps_.size();
    steps_.push_back(std::move(step));
  }

  void add_without_kernel(OperatorId id, const OperatorStep& beside) {
    add(OperatorStep{{id}, false, beside.stage, beside.lane});
  }

  const OperatorStep* last_input(OperatorId id) const {
    std::size_t last = kNotYet;
    for (const Value& value : graph_.op(id).inputs) {
      const std::size_t step = step_of_[value.producer.index()];
      if (step != kNotYet && (last == kNotYet || step > last)) last = step;
    }
    return last == kNotYet ? nullptr : &steps_[last];
  }

  const Graph& graph_;
  std::vector<std::size_t> step_of_;  // by operator
  std::vector<bool> kernel_;          // by operator: a kernel computes it
  std::vector<OperatorStep> steps_;
};

}  // namespace

std::vector<OperatorStep> operator_steps(const Graph& graph, const ExecutionPlan& plan) {
  return StepMaker(graph).run(plan);
}

}  // namespace iosx
