#include "core/plan/lower.h"

#include <fmt/format.h>

#include <limits>
#include <optional>
#include <utility>

#include "core/base/check.h"
#include "core/graph/concat_places.h"
#include "core/plan/fusion.h"
#include "core/schedule/merge.h"

namespace iosx {
namespace {

constexpr std::uint32_t kNowhere = std::numeric_limits<std::uint32_t>::max();

// Where what ConcatPlaces calls a root lies: its channel 0 is channel `begin` of the buffer.
struct Location {
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
  Lowering(const Graph& graph, std::int64_t batch, const LowerOptions& options)
      : graph_(graph),
        fuse_(options.fuse),
        places_(options.concat_in_place ? ConcatPlaces(graph) : ConcatPlaces()),
        roots_(graph.operators().size()),
        made_(graph.operators().size(), false) {
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
      plan_.stages.back().lanes.emplace_back();
      const std::size_t first = plan_.kernels.size();
      add_group(group);
      if (plan_.kernels.size() > first) {
        plan_.kernels[first].waits = ends_on_other_lanes();
      } else {
        plan_.stages.back().lanes.pop_back();
      }
    }
    if (plan_.stages.back().lanes.empty()) return;  // the next stage waits for the one before this
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

  void add_group(const Group& group) {
    if (fuse_) fusion_.emplace(graph_, group);
    for (const Step& step : group.steps) {
      IOS_CHECK(!step.units.empty());
      if (step.merged()) {
        add_merged(step);
      } else {
        for (const OperatorId op : graph_.unit(step.units.front()).operators) add_operator(op);
      }
    }
  }

  Kernel& new_kernel(std::string name, OperatorId op) {
    const KernelId id(plan_.kernels.size());
    Kernel& kernel = plan_.kernels.emplace_back();
    kernel.name = std::move(name);
    kernel.operators.assign(1, op);
    kernel.units.assign(1, graph_.op(op).unit);
    kernel.stage = plan_.stages.size() - 1;
    kernel.lane = lane();
    plan_.stages.back().lanes.back().push_back(id);
    return kernel;
  }

  void add_operator(OperatorId id) {
    if (fusion_ && fusion_->taken(id)) return;
    if (copy_what_is_not_in_place(id)) return;
    const Operator& op = graph_.op(id);
    Kernel& kernel = new_kernel(op.name, id);
    kernel.attributes = op.attributes;
    kernel.output = op.output;
    kernel.work = work(graph_, id, plan_.batch);
    kernel.reads.reserve(op.inputs.size());
    for (const Value& value : op.inputs) kernel.reads.push_back(view(value));
    if (fusion_) fuse(kernel, fusion_->take(id));
    kernel.writes = output(kernel.fused.empty() ? id : kernel.fused.back());
  }

  void fuse(Kernel& kernel, Fusion fusion) {
    if (fusion.fused.empty()) return;
    if (fusion.residual) kernel.reads.push_back(view(*fusion.residual));
    if (auto* conv = std::get_if<Conv>(&kernel.attributes)) conv->activation = fusion.activation;
    if (auto* linear = std::get_if<Linear>(&kernel.attributes)) linear->activation = fusion.activation;
    for (const OperatorId id : fusion.fused) {
      kernel.work += work(graph_, id, plan_.batch);
      const UnitId unit = graph_.op(id).unit;
      if (unit != kernel.units.back()) kernel.units.push_back(unit);
    }
    kernel.fused = std::move(fusion.fused);
  }

  // True for a concatenation of which at least one input lies in place.
  bool copy_what_is_not_in_place(OperatorId id) {
    const Operator& op = graph_.op(id);
    if (op.as<Concat>() == nullptr) return false;
    std::vector<bool> in_place;
    bool any = false;
    for (std::size_t i = 0; i < op.inputs.size(); ++i) {
      in_place.push_back(places_.in_place(graph_, id, i));
      any = any || in_place.back();
    }
    if (!any) return false;
    Value slice{id, 0, 0};
    for (std::size_t i = 0; i < op.inputs.size(); ++i) {
      slice.begin = std::exchange(slice.end, slice.end + op.inputs[i].channels());
      const TensorView from = view(op.inputs[i]);  // even in place: it may come from outside the plan
      if (!in_place[i]) add_copy(fmt::format("copy into {}", op.name), from, slice);
    }
    made_[id.index()] = true;
    return true;
  }

  // `to` is part of what its producer, an operator of the step being lowered, puts out.
  void add_copy(const std::string& name, const TensorView& from, const Value& to) {
    Kernel& kernel = new_kernel(name, to.producer);
    kernel.attributes = Identity{};
    kernel.output = graph_.shape(to);
    kernel.reads.push_back(from);
    kernel.writes = output(to.producer);
    kernel.writes.begin += to.begin;
    kernel.writes.end = kernel.writes.begin + to.channels();
    const std::int64_t sample = kernel.output.elements() * kFloat32Bytes;
    kernel.work.bytes_read = plan_.buffers[from.buffer.index()].constant ? sample : sample * plan_.batch;
    kernel.work.bytes_written = sample * plan_.batch;
  }

  void add_merged(const Step& step) {
    auto merged = merge(graph_, step.units);
    IOS_CHECK(merged.has_value());
    const auto& sources = merged->sources;
    std::string name = graph_.op(sources.front().op).name;
    for (std::size_t i = 1; i < sources.size(); ++i) name += fmt::format(" + {}", graph_.op(sources[i].op).name);
    Kernel& kernel = new_kernel(name, sources.front().op);
    for (std::size_t i = 1; i < sources.size(); ++i) kernel.operators.push_back(sources[i].op);
    kernel.units = step.units;
    kernel.output = merged->output;
    kernel.work = convolution_work(merged->attributes, graph_.shape(merged->input), merged->output, plan_.batch);
    kernel.reads.push_back(view(merged->input));
    kernel.attributes = merged->attributes;
    if (side_by_side(sources)) {
      kernel.writes = output(sources.front().op);
      kernel.writes.end = kernel.writes.begin + merged->output.channels();
      for (const MergedSource& source : sources) made_[source.op.index()] = true;
      return;
    }
    const BufferId buffer = new_buffer(Buffer{std::move(name), merged->output, false, false, OperatorId{}});
    kernel.writes = TensorView{buffer, 0, merged->output.channels()};
    for (const MergedSource& source : sources) place_source(source, buffer);
  }

  // Whether the sources lie in one buffer in the order in which the merged convolution writes them.
  bool side_by_side(const std::vector<MergedSource>& sources) const {
    ChannelPlace next = places_.of(sources.front().op);
    for (const MergedSource& source : sources) {
      if (places_.of(source.op) != next) return false;
      next.begin += source.channel_end - source.channel_begin;
    }
    return true;
  }

  void place_source(const MergedSource& source, BufferId merged) {
    if (places_.of(source.op).root == source.op) {
      roots_[source.op.index()] = location(merged, source.channel_begin);
      made_[source.op.index()] = true;
    } else {
      const TensorView from{merged, source.channel_begin, source.channel_end};
      add_copy(fmt::format("copy of {}", graph_.op(source.op).name), from, graph_.whole(source.op));
    }
  }

  BufferId new_buffer(Buffer buffer) {
    plan_.buffers.push_back(std::move(buffer));
    return BufferId(plan_.buffers.size() - 1);
  }

  static Location location(BufferId buffer, std::int64_t begin) {
    return Location{static_cast<std::uint32_t>(buffer.index()), static_cast<std::uint32_t>(begin)};
  }

  TensorView located(const Value& value) {
    const ChannelPlace place = places_.of(value);
    Location& root = roots_[place.root.index()];
    if (root.buffer == kNowhere) {
      const Operator& op = graph_.op(place.root);
      root = location(new_buffer(Buffer{op.name, op.output, false, op.is_constant(), OperatorId{}}), 0);
    }
    const std::int64_t begin = root.begin + place.begin;
    return TensorView{BufferId(root.buffer), begin, begin + value.channels()};
  }

  TensorView output(OperatorId id) {
    made_[id.index()] = true;
    return located(graph_.whole(id));
  }

  // What is read before the plan has made it comes from outside.
  TensorView view(const Value& value) {
    const TensorView found = located(value);
    if (!made_[value.producer.index()]) {
      Buffer& buffer = plan_.buffers[found.buffer.index()];
      buffer.external = true;
      buffer.source = places_.of(value).root;
    }
    return found;
  }

  const Graph& graph_;
  const bool fuse_;
  const ConcatPlaces places_;
  ExecutionPlan plan_;
  std::vector<Location> roots_;        // by operator
  std::vector<bool> made_;             // by operator: a kernel added so far writes it, or all of it lies in place
  std::optional<GroupFusion> fusion_;  // of the group being lowered
  std::vector<KernelId> ends_;         // last kernel of each lane of the last stage with kernels
};

}  // namespace

ExecutionPlan lower(const Graph& graph, const Schedule& schedule, std::int64_t batch, const LowerOptions& options) {
  Lowering lowering(graph, batch, options);
  lowering.add_inputs();
  for (const Stage& stage : schedule.stages) lowering.add_stage(stage);
  lowering.add_outputs();
  return std::move(lowering).take();
}

ExecutionPlan lower_stage(const Graph& graph, const Stage& stage, std::int64_t batch, const LowerOptions& options) {
  Lowering lowering(graph, batch, options);
  lowering.expect(operator_count(graph, stage));
  lowering.add_stage(stage);
  return std::move(lowering).take();
}

}  // namespace iosx
