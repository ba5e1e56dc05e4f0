#pragma once

#include <shared_mutex>
#include <unordered_map>

#include "core/model/plan/execution_plan.h"
#include "core/model/plan/lower_options.h"
#include "core/model/plan/lowered_group.h"
#include "core/model/plan/stage_key.h"
#include "core/model/plan/tensor_places.h"
#include "core/model/schedule/schedule.h"

namespace iosx {

// Part of every key. It rises when equal text no longer means equal plans: stored measurements are then not found.
inline constexpr int kStageKeyVersion = 1;

// A stage as a device sees it.
struct PlannedStage {
  StageKey key;
  Stage stage;  // canonical
  ExecutionPlan plan;
};

// The one place where stages become plans. It is bound to a graph, a batch and a device's requirements, so that no
// caller can forget one of them.
//
// A stage is lowered in one canonical form: its groups in an order that depends on their structure (the most work
// first) and on what they share, the units of a merged step in the order of their outputs. A run of a schedule is
// composed of the same lowered groups in the same order. So a stage is the same in every run as in its own
// measurement, whatever the other stages are.
//
// Example: two fire modules, the first one on 16 channels. Each squeezes to 16, then runs expand1x1 and expand3x3, both
// to 64 channels, and concatenates to 128.
//
//   stage                         plan
//   expand1x1 | expand3x3         two kernels on two lanes, expand3x3 first because it has nine times the work; both
//                                 read one external buffer, the squeezed tensor
//   expand3x3 | expand1x1         the same plan under the same key: the order of groups is the planner's
//   those of the second module    the same key, and so the same measurement: kernels, shapes and what is shared agree
//   the two squeezes              two keys: they read 16 and 128 channels
//
// The key is a hash of the hashes of the groups' kernels, in order, and of numbers for the tensors that they share;
// it contains no names and ids.
//
// It remembers lowered groups. Several threads may use it at once. The graph must outlive it.
class StagePlanner {
 public:
  StagePlanner(const Graph& graph, std::int64_t batch, const LowerOptions& wishes);

  const Graph& graph() const { return graph_; }
  std::int64_t batch() const { return batch_; }
  const LowerOptions& wishes() const { return wishes_; }

  // Returns the plan of a stage by itself: its inputs from other stages lie in external buffers. It has no kernels if
  // the stage has only concatenations in place.
  PlannedStage plan(const Stage& stage);
  // Its canonical form with its key; much cheaper than the plan.
  struct Canonical {
    StageKey key;
    Stage stage;
  };
  Canonical canonical(const Stage& stage);
  // Do the same for many stages, in order, on all cores: the canonical forms, and their plans.
  std::vector<Canonical> canonical(std::span<const Stage> stages);
  std::vector<ExecutionPlan> plans(std::span<const Canonical> stages);
  Schedule canonical(const Schedule& schedule);

  // Returns the plan of a whole schedule, which must be legal for the graph, with every stage in canonical form.
  // Group i of a stage runs on lane i, not counting groups without kernels. A stage waits for the previous one with
  // kernels through the waits of each lane's first kernel. Two consecutive stages of one lane need no wait: the
  // lane's order suffices.
  ExecutionPlan plan(const Schedule& schedule);

 private:
  using GroupText = std::vector<std::uint32_t>;  // units, and separators of steps
  struct Hash {
    std::size_t operator()(const GroupText& text) const;
  };

  const LoweredGroup& lowered(const Group& group);
  void order_by_places(Group& group) const;
  ExecutionPlan plan_canonical(const Stage& stage);

  const Graph& graph_;
  std::int64_t batch_;
  LowerOptions wishes_;
  TensorPlaces places_;
  bool cold_weights_;
  std::shared_mutex mutex_;  // of groups_; its values never change
  std::unordered_map<GroupText, LoweredGroup, Hash> groups_;
};

}  // namespace iosx
