#include "core/model/plan/stage_planner.h"

#include <algorithm>
#include <limits>
#include <mutex>
#include <tuple>

#include "core/base/hash.h"
#include "core/base/parallel.h"
#include "core/model/graph/work.h"

namespace iosx {
namespace {

constexpr std::size_t kStagesAtOnce = 16;  // that a thread takes of many
constexpr std::uint32_t kNextStep = std::numeric_limits<std::uint32_t>::max();

// A group of the current stage.
struct Member {
  const LoweredGroup* lowered = nullptr;
  Group* group = nullptr;
  std::vector<std::uint64_t> colours = {};  // of its tensors: who else names them, and as what

  // The most work first, then as they lie: an order that people can follow. The hash settles what is left.
  auto structure() const {
    return std::tuple<double, std::int64_t, std::uint64_t, std::uint64_t, const std::vector<std::uint64_t>&>(
        -lowered->flops, lowered->first_channel, lowered->hash.high, lowered->hash.low, colours);
  }
  UnitId first_unit() const {
    UnitId first = group->steps.front().units.front();
    for (const Step& step : group->steps) first = std::min(first, *std::ranges::min_element(step.units));
    return first;
  }
};

std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  std::uint64_t h = (a ^ (b + 0x9E3779B97F4A7C15ULL)) * 0xBF58476D1CE4E5B9ULL;
  return h ^ (h >> 31);
}

// Colours a tensor by the groups that name it, so that groups alike in themselves are told apart by what they share. It
// decides only the order of the groups.
void colour_tensors(std::vector<Member>& members) {
  struct Naming {
    RegionId region;
    std::uint64_t as;
  };
  std::vector<Naming> namings;
  for (const Member& member : members) {
    const auto& tensors = member.lowered->tensors;
    for (std::size_t t = 0; t < tensors.size(); ++t) {
      if (tensors[t].region.valid()) namings.push_back({tensors[t].region, mix(member.lowered->hash.low, t)});
    }
  }
  for (Member& member : members) {
    for (const LoweredGroup::Tensor& tensor : member.lowered->tensors) {
      std::uint64_t colour = 0;  // a sum: the same in any order of the groups
      if (tensor.region.valid()) {
        for (const Naming& naming : namings) colour += naming.region == tensor.region ? naming.as : 0;
      }
      member.colours.push_back(colour);
    }
  }
}

// The stage's tensors, numbered as the groups in order name them. Scratch has no number.
class TensorNumbers {
 public:
  std::size_t find(RegionId id) const {
    return static_cast<std::size_t>(std::ranges::find(known_, id) - known_.begin());
  }
  std::size_t number(RegionId id) {
    const std::size_t at = find(id);
    if (at == known_.size()) known_.push_back(id);
    return at;
  }
  // Between two equal groups: the one that names earlier tensors comes first.
  bool before(const Member& a, const Member& b) const {
    const auto number = [&](const LoweredGroup::Tensor& tensor) { return find(tensor.region); };
    return std::ranges::lexicographical_compare(a.lowered->tensors, b.lowered->tensors, {}, number, number);
  }

 private:
  std::vector<RegionId> known_;
};

// Puts the groups into canonical order. What is still alike then is ordered by the units, so that the result does not
// depend on the order given. The text says which tensors the groups share.
std::string sort(std::vector<Member>& members) {
  if (members.size() > 1) {
    colour_tensors(members);
    std::ranges::sort(members, [](const Member& a, const Member& b) {
      if (a.structure() != b.structure()) return a.structure() < b.structure();
      return a.first_unit() < b.first_unit();
    });
  }
  TensorNumbers numbers;
  std::string text;
  const auto put = [&](std::uint64_t number) {
    for (int byte = 0; byte < 8; ++byte) text += static_cast<char>(number >> (8 * byte));
  };
  for (auto next = members.begin(); next != members.end(); ++next) {
    const auto alike =
        std::find_if(next, members.end(), [&](const Member& other) { return other.structure() != next->structure(); });
    const auto first =
        std::min_element(next, alike, [&](const Member& a, const Member& b) { return numbers.before(a, b); });
    std::rotate(next, first, first + 1);
    put(next->lowered->hash.high);
    put(next->lowered->hash.low);
    for (const LoweredGroup::Tensor& tensor : next->lowered->tensors) {
      if (tensor.region.valid()) put(numbers.number(tensor.region));
    }
  }
  return text;
}

// Joins lowered groups to a plan.
class Assembly {
 public:
  Assembly(const Graph& graph, const TensorPlaces& places, std::int64_t batch, bool cold_weights, bool whole_run)
      : graph_(graph), places_(places), whole_run_(whole_run), buffers_(places.region_count(), kNowhere) {
    plan_.batch = batch;
    plan_.cold_weights = cold_weights;
    plan_.parameters = graph.parameters();
  }

  void add_inputs() {
    for (const OperatorId input : graph_.inputs()) plan_.inputs.emplace_back(buffer(places_.of(input).region));
  }

  void add_outputs() {
    for (const OperatorId op : graph_.outputs()) {
      const Place place = places_.of(op);
      plan_.outputs.push_back({graph_.op(op).name, TensorView{BufferId(buffer(place.region)), place.begin,
                                                              place.begin + places_.channels(graph_.whole(op))}});
    }
  }

  void add_stage(std::span<const LoweredGroup* const> groups) {
    plan_.stages.emplace_back();
    PlanStage& stage = plan_.stages.back();
    stage.lanes.reserve(groups.size());
    std::size_t kernels = plan_.kernels.size();
    for (const LoweredGroup* group : groups) kernels += group->kernels.size();
    if (!whole_run_) plan_.kernels.reserve(kernels);
    for (const LoweredGroup* group : groups) add_group(*group, stage);
    if (stage.lanes.empty()) return;  // the next stage waits for the one before this
    ends_.clear();
    for (const auto& lane : stage.lanes) ends_.push_back(lane.back());
  }

  ExecutionPlan take() && { return std::move(plan_); }

 private:
  static constexpr std::uint32_t kNowhere = std::numeric_limits<std::uint32_t>::max();

  std::size_t add_buffer(Buffer buffer) {
    plan_.buffers.push_back(std::move(buffer));
    return plan_.buffers.size() - 1;
  }

  std::size_t buffer(RegionId id) {
    std::uint32_t& known = buffers_[id.index()];
    if (known == kNowhere) {
      const Region& region = places_.region(id);
      const bool source = graph_.op(region.owner).is_source();
      known = static_cast<std::uint32_t>(
          add_buffer({region.name, region.shape, source, region.constant, source ? region.owner : OperatorId{},
                      region.row_major, region.blank, region.axis}));
    }
    return known;
  }

  std::size_t buffer(const LoweredGroup::Tensor& tensor) {
    if (!tensor.region.valid()) {
      return add_buffer(
          {tensor.scratch_name, tensor.shape, false, false, OperatorId{}, tensor.row_major, 0, tensor.axis});
    }
    const std::size_t at = buffer(tensor.region);
    if (tensor.filled_before && !whole_run_) {
      plan_.buffers[at].external = true;
      plan_.buffers[at].source = places_.region(tensor.region).owner;
    }
    return at;
  }

  void add_group(const LoweredGroup& group, PlanStage& stage) {
    std::vector<BufferId> buffers;  // by tensor of the group
    buffers.reserve(group.tensors.size());
    for (const LoweredGroup::Tensor& tensor : group.tensors) buffers.emplace_back(buffer(tensor));
    if (group.kernels.empty()) return;
    const std::size_t lane = stage.lanes.size();
    stage.lanes.emplace_back().reserve(group.kernels.size());
    for (const Kernel& lowered : group.kernels) {
      stage.lanes.back().emplace_back(plan_.kernels.size());
      Kernel& kernel = plan_.kernels.emplace_back(lowered);
      kernel.stage = plan_.stages.size() - 1;
      kernel.lane = lane;
      kernel.writes.buffer = buffers[lowered.writes.buffer.index()];
      for (TensorView& read : kernel.reads) read.buffer = buffers[read.buffer.index()];
    }
    // The stage before ended when each of its lanes has; what came before that had ended before it began.
    Kernel& first = plan_.kernels[stage.lanes.back().front().index()];
    for (std::size_t i = 0; i < ends_.size(); ++i) {
      if (i != lane) first.waits.push_back(ends_[i]);
    }
  }

  const Graph& graph_;
  const TensorPlaces& places_;
  const bool whole_run_;
  ExecutionPlan plan_;
  std::vector<std::uint32_t> buffers_;  // by region
  std::vector<KernelId> ends_;          // last kernel of each lane of the last stage with kernels
};

}  // namespace

StagePlanner::StagePlanner(const Graph& graph, std::int64_t batch, const LowerOptions& wishes)
    : graph_(graph),
      batch_(batch),
      wishes_(wishes),
      places_(graph, batch, wishes),
      cold_weights_(wishes.cached_weights > 0 && total_work(graph, batch).parameters > wishes.cached_weights) {}

std::size_t StagePlanner::Hash::operator()(const GroupText& text) const {
  return hash64({reinterpret_cast<const char*>(text.data()), text.size() * sizeof(text.front())});
}

const LoweredGroup& StagePlanner::lowered(const Group& group) {
  static thread_local GroupText text;  // kept for its memory
  text.clear();
  for (const Step& step : group.steps) {
    for (const UnitId unit : step.units) text.push_back(static_cast<std::uint32_t>(unit.index()));
    text.push_back(kNextStep);
  }
  {
    const std::shared_lock lock(mutex_);
    const auto known = groups_.find(text);
    if (known != groups_.end()) return known->second;
  }
  LoweredGroup made = lower_group(graph_, places_, wishes_, batch_, group);
  const std::unique_lock lock(mutex_);
  return groups_.try_emplace(text, std::move(made)).first->second;  // another thread's, if it was faster: the same
}

void StagePlanner::order_by_places(Group& group) const {
  for (Step& step : group.steps) {
    if (!step.merged()) continue;
    std::ranges::sort(step.units, {}, [&](UnitId unit) {
      const Place place = places_.of(graph_.unit(unit).operators.front());
      return std::tuple(place.region, place.begin, unit);
    });
  }
}

StagePlanner::Canonical StagePlanner::canonical(const Stage& stage) {
  std::vector<Group> groups = stage.groups;
  std::vector<Member> members;
  members.reserve(groups.size());
  for (Group& group : groups) {
    order_by_places(group);
    members.push_back({&lowered(group), &group});
  }
  std::string text = sort(members);
  text += static_cast<char>(kStageKeyVersion);
  if (cold_weights_) text += "cold weights";
  const Hash128 hash = hash128(text + std::to_string(batch_));
  Canonical result{{hash.high, hash.low}, {}};
  result.stage.groups.reserve(members.size());
  for (const Member& member : members) result.stage.groups.push_back(std::move(*member.group));
  return result;
}

std::vector<StagePlanner::Canonical> StagePlanner::canonical(std::span<const Stage> stages) {
  std::vector<Canonical> result(stages.size());
  parallel_for(
      stages.size(), [&](std::size_t i) { result[i] = canonical(stages[i]); }, kStagesAtOnce);
  return result;
}

std::vector<ExecutionPlan> StagePlanner::plans(std::span<const Canonical> stages) {
  std::vector<ExecutionPlan> result(stages.size());
  parallel_for(
      stages.size(), [&](std::size_t i) { result[i] = plan_canonical(stages[i].stage); }, kStagesAtOnce);
  return result;
}

Schedule StagePlanner::canonical(const Schedule& schedule) {
  Schedule result = schedule;
  for (Stage& stage : result.stages) stage = canonical(stage).stage;
  return result;
}

PlannedStage StagePlanner::plan(const Stage& stage) {
  auto [key, canonical_stage] = canonical(stage);
  ExecutionPlan plan = plan_canonical(canonical_stage);
  return {key, std::move(canonical_stage), std::move(plan)};
}

ExecutionPlan StagePlanner::plan_canonical(const Stage& stage) {
  std::vector<const LoweredGroup*> groups;
  groups.reserve(stage.groups.size());
  for (const Group& group : stage.groups) groups.push_back(&lowered(group));
  Assembly assembly(graph_, places_, batch_, cold_weights_, false);
  assembly.add_stage(groups);
  return std::move(assembly).take();
}

ExecutionPlan StagePlanner::plan(const Schedule& schedule) {
  Assembly assembly(graph_, places_, batch_, cold_weights_, true);
  assembly.add_inputs();
  std::vector<const LoweredGroup*> groups;
  for (const Stage& stage : schedule.stages) {
    groups.clear();
    const Stage same = canonical(stage).stage;
    for (const Group& group : same.groups) groups.push_back(&lowered(group));
    assembly.add_stage(groups);
  }
  assembly.add_outputs();
  return std::move(assembly).take();
}

}  // namespace iosx
