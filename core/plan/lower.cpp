#include "core/plan/lower.h"

#include <limits>
#include <utility>

#include "core/base/check.h"
#include "core/schedule/merge.h"

namespace iosx {
namespace {

constexpr std::uint32_t kNowhere = std::numeric_limits<std::uint32_t>::max();

// Where an operator's output lies: its channel 0 is channel `begin` of the buffer.
struct Place {
  std::uint32_t buffer = kNowhere;
  std::uint32_t begin = 0;
};

std::size_t operator_count(const Graph& graph, const Stage& stage) {
  std::size_t count = 0;
  for (const Group& group : stage.groups) {
    for (const Step& step : group.steps) {
      for (const UnitId id : step.units) count += graph.unit(id).operators.size();
    }
  }
  return count;
}

class Lowering {
 public:
  Lowering(const Graph& graph, std::int64_t batch) : graph_(graph), places_(graph.operators().size()) {
    plan_.batch = batch;
    plan_.parameters = graph.parameters();
  }

  void add_inputs() {
    for (const OperatorId input : graph_.inputs()) plan_.inputs.push_back(view(graph_.whole(input)).buffer);
  }

  void add_outputs() {
    for (const UnitId unit : graph_.outputs()) {
      const OperatorId op = graph_.unit(unit).output();
      plan_.outputs.push_back({graph_.op(op).name, view(graph_.whole(op))});
    }
  }

  void add_stage(const Stage& stage) {
    plan_.stages.emplace_back();
    plan_.stages.back().lanes.reserve(stage.groups.size());
    for (const Group& group : stage.groups) {
      if (group.steps.empty()) continue;
      plan_.stages.back().lanes.emplace_back();
      const std::size_t first = plan_.kernels.size();
      for (const Step& step : group.steps) add_step(step);
      if (plan_.kernels.size() > first) plan_.kernels[first].waits = ends_on_other_lanes();
    }
    ends_.clear();
    for (const auto& lane : plan_.stages.back().lanes) ends_.push_back(lane.back());
  }

  void expect(std::size_t kernels) {
    plan_.kernels.reserve(kernels);
    plan_.buffers.reserve(kernels * 2);
  }

  ExecutionPlan take() && { return std::move(plan_); }

 private:
  std::size_t lane() const { return plan_.stages.back().lanes.size() - 1; }

  // The stage before ended when each of its lanes has; what came before that had ended before it began.
  std::vector<KernelId> ends_on_other_lanes() const {
    std::vector<KernelId> waits;
    for (std::size_t i = 0; i < ends_.size(); ++i) {
      if (i != lane()) waits.push_back(ends_[i]);
    }
    return waits;
  }

  void add_step(const Step& step) {
    IOS_CHECK(!step.units.empty());
    if (step.merged()) {
      add_merged(step);
    } else {
      for (const OperatorId op : graph_.unit(step.units.front()).operators) add_operator(op, step.units.front());
    }
  }

  Kernel& new_kernel() {
    const KernelId id(plan_.kernels.size());
    Kernel& kernel = plan_.kernels.emplace_back();
    kernel.stage = plan_.stages.size() - 1;
    kernel.lane = lane();
    plan_.stages.back().lanes.back().push_back(id);
    return kernel;
  }

  void add_operator(OperatorId id, UnitId unit) {
    const Operator& op = graph_.op(id);
    Kernel& kernel = new_kernel();
    kernel.name = op.name;
    kernel.attributes = op.attributes;
    kernel.operators.assign(1, id);
    kernel.units.assign(1, unit);
    kernel.output = op.output;
    kernel.work = work(graph_, id, plan_.batch);
    kernel.reads.reserve(op.inputs.size());
    for (const Value& value : op.inputs) kernel.reads.push_back(view(value));
    kernel.writes = new_buffer(op.name, op.output);
    place(id, kernel.writes.buffer, 0);
  }

  void add_merged(const Step& step) {
    auto merged = merge(graph_, step.units);
    IOS_CHECK(merged.has_value());
    Kernel& kernel = new_kernel();
    for (const MergedSource& source : merged->sources) {
      if (!kernel.name.empty()) kernel.name += " + ";
      kernel.name += graph_.op(source.op).name;
      kernel.operators.push_back(source.op);
    }
    kernel.units = step.units;
    kernel.output = merged->output;
    kernel.work = convolution_work(merged->attributes, graph_.shape(merged->input), merged->output, plan_.batch);
    kernel.reads.push_back(view(merged->input));
    kernel.writes = new_buffer(kernel.name, merged->output);
    for (const MergedSource& source : merged->sources) place(source.op, kernel.writes.buffer, source.channel_begin);
    kernel.attributes = std::move(merged->attributes);
  }

  TensorView new_buffer(const std::string& name, const Shape& shape) {
    const BufferId id(plan_.buffers.size());
    plan_.buffers.push_back(Buffer{name, shape, false, false, OperatorId{}});
    return TensorView{id, 0, shape.channels()};
  }

  BufferId external_buffer(OperatorId id) {
    const Operator& op = graph_.op(id);
    plan_.buffers.push_back(Buffer{op.name, op.output, true, op.is_constant(), id});
    return BufferId(plan_.buffers.size() - 1);
  }

  void place(OperatorId op, BufferId buffer, std::int64_t begin) {
    places_[op.index()] = Place{static_cast<std::uint32_t>(buffer.index()), static_cast<std::uint32_t>(begin)};
  }

  TensorView view(const Value& value) {
    Place& at = places_[value.producer.index()];
    if (at.buffer == kNowhere) place(value.producer, external_buffer(value.producer), 0);
    return TensorView{BufferId(at.buffer), at.begin + value.begin, at.begin + value.end};
  }

  const Graph& graph_;
  ExecutionPlan plan_;
  std::vector<Place> places_;   // by operator
  std::vector<KernelId> ends_;  // last kernel of each lane of the stage before
};

}  // namespace

ExecutionPlan lower(const Graph& graph, const Schedule& schedule, std::int64_t batch, const LowerOptions& /*options*/) {
  Lowering lowering(graph, batch);
  lowering.add_inputs();
  for (const Stage& stage : schedule.stages) lowering.add_stage(stage);
  lowering.add_outputs();
  return std::move(lowering).take();
}

ExecutionPlan lower_stage(const Graph& graph, const Stage& stage, std::int64_t batch, const LowerOptions& /*options*/) {
  Lowering lowering(graph, batch);
  lowering.expect(operator_count(graph, stage));
  lowering.add_stage(stage);
  return std::move(lowering).take();
}

}  // namespace iosx
