#include "core/formats/scheduled_onnx.h"

#include "core/model/graph/networks.h"
#include "core/model/schedule/baselines.h"
#include "tests/support/graphs.h"
#include "tests/support/lower.h"
#include "tests/support/prelude.h"
#include "tests/support/random_plans.h"
#include "tests/support/reference.h"

namespace iosx {
namespace {

constexpr std::int64_t kSamples = 2;

std::map<std::string, Tensor> outputs_by_name(const Graph& graph) {
  std::vector<Tensor> inputs;
  for (const OperatorId id : graph.inputs()) {
    const Shape& shape = graph.op(id).output;
    std::vector<std::int64_t> dims{kSamples};
    dims.insert(dims.end(), shape.dims().begin(), shape.dims().end());
    inputs.emplace_back(std::move(dims), synthetic_values(synthetic_seed(graph.op(id).name),
                                                          kSamples * shape.elements(), ParameterInit::kScaled));
  }
  const auto outputs = test::reference_outputs(graph, inputs, kSamples);
  std::map<std::string, Tensor> named;
  for (std::size_t i = 0; i < outputs.size(); ++i) named.emplace(graph.op(graph.outputs()[i]).name, outputs[i]);
  return named;
}

void expect_same_outputs(const Graph& graph, const ScheduledGraph& scheduled) {
  const auto expected = outputs_by_name(graph);
  const auto actual = outputs_by_name(scheduled.graph);
  ASSERT_EQ(actual.size(), expected.size());
  for (const auto& [name, tensor] : expected) {
    ASSERT_TRUE(actual.contains(name)) << name;
    EXPECT_LT(test::largest_error(tensor, actual.at(name)), 1e-5) << name;
  }
}

// An operator comes after those before it on its lane, and stages come one after another.
void expect_in_launch_order(const ScheduledGraph& scheduled) {
  ASSERT_EQ(scheduled.stages.size(), scheduled.graph.operators().size());
  ASSERT_EQ(scheduled.lanes.size(), scheduled.stages.size());
  EXPECT_TRUE(std::ranges::is_sorted(scheduled.stages));
}

TEST(ScheduledGraph, ComputesWhatTheNetworkDoesUnderRandomSchedules) {
  std::mt19937 random(7);
  std::size_t merged = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Graph graph = test::random_concat_graph(seed, 12);
    const Schedule schedule = test::random_schedule(graph, random);
    const auto scheduled = must(scheduled_graph(graph, lower(graph, schedule, 1)));
    expect_in_launch_order(scheduled);
    expect_same_outputs(graph, scheduled);
    for (const Operator& op : scheduled.graph.operators()) {
      const auto* const conv = op.as<Conv>();
      merged += conv != nullptr && conv->merged_from.size() > 1 ? 1 : 0;
    }
  }
  EXPECT_GT(merged, 20U);
}

TEST(ScheduledGraph, ComputesWhatTheNetworkDoesOnRandomLanes) {
  constexpr LowerOptions kInPlace{.fuse = true, .concat_in_place = true, .free_slices = FreeSlices::kAlways};
  std::mt19937 random(11);
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Graph graph = test::random_concat_graph(seed, 12);
    const ExecutionPlan staged = lower(graph, test::random_schedule(graph, random), 1, kInPlace);
    const LaneSchedule lanes = test::random_lanes(staged, 3, random);
    const auto scheduled = must(scheduled_graph(graph, on_lanes(staged, needs_of(staged), lanes)));
    expect_same_outputs(graph, scheduled);
  }
}

TEST(ScheduledGraph, SlicesMergedLinearLayersAlongTheirFeatures) {
  const Graph graph = test::linear_siblings();
  Schedule schedule = one_by_one_schedule(graph);
  const auto merge = [&](std::vector<std::string> names) {
    auto units = mapped<UnitId>(names, [&](const std::string& name) { return unit(graph, name); });
    std::erase_if(schedule.stages,
                  [&](const Stage& stage) { return std::ranges::find(units, stage.units().front()) != units.end(); });
    schedule.stages.insert(schedule.stages.begin(), merge_stage(units));
  };
  merge({"query", "key", "value"});
  const auto scheduled = must(scheduled_graph(graph, lower(graph, schedule, 1)));
  expect_same_outputs(graph, scheduled);
  const auto whole = must(scheduled.graph.find_operator("query.linear+key.linear+value"));
  EXPECT_TRUE(scheduled.graph.op(whole).as<Linear>());
  EXPECT_TRUE(scheduled.graph.op(*scheduled.graph.find_operator("key.linear")).as<Slice>());
}

TEST(ScheduledGraph, ReadsAMergedConvolutionInPlaceOfAConcatenation) {
  const Graph graph = test::sample();
  const Schedule schedule{
      "merged",
      {single_unit_stage(unit(graph, "a")), single_unit_stage(unit(graph, "d")),
       merge_stage({unit(graph, "b"), unit(graph, "c")}), single_unit_stage(unit(graph, "concat"))}};
  const auto scheduled = must(scheduled_graph(graph, lower(graph, schedule, 1)));
  const Operator& concat = scheduled.graph.op(*scheduled.graph.find_operator("concat"));
  EXPECT_EQ(concat.inputs.size(), 2U);  // b and c as one, and d
  EXPECT_FALSE(scheduled.graph.find_operator("b"));
  EXPECT_EQ(scheduled.stages.back(), 3U);
}

TEST(ScheduledGraph, KeepsSeveralNetworks) {
  const Graph one = test::diamond();
  const Graph* const both[] = {&one, &one};
  const Graph graph = unite(both).value();
  const auto scheduled = must(scheduled_graph(graph, lower(graph, sequential_schedule(graph), 1)));
  EXPECT_THAT(scheduled.graph.networks(), testing::ElementsAreArray(graph.networks()));
  expect_same_outputs(graph, scheduled);
}

}  // namespace
}  // namespace iosx
