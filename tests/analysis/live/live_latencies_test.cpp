#include "core/analysis/live/live_latencies.h"

#include "core/analysis/compare/compare.h"
#include "core/model/edit/connect.h"
#include "core/model/edit/operators.h"
#include "models/networks/zoo.h"
#include "tests/support/prelude.h"
#include "tests/support/simulated.h"

namespace iosx {
namespace {

std::unique_ptr<Device> device() { return test::simulated("tesla-v100"); }

LiveFigures shown(LiveLatencies& live, const EditableGraph& graph) {
  return live.show(graph, check(graph), {}, {}).value();
}

OperatorKey named(const EditableGraph& graph, const std::string& name) { return graph.find_operator(name).value(); }

// The kernel of a convolution, everything else as it was: padded so that shapes stay.
Patch with_kernel(const EditableGraph& graph, OperatorKey key, std::int64_t size) {
  Conv conv = std::get<Conv>(graph.op(key).attributes);
  conv.kernel = {size, size};
  conv.padding = {size / 2, size / 2};
  return set_attributes(graph, key, conv).value();
}

TEST(LiveLatencies, FiguresAreThoseOfAComparison) {
  const Graph graph = zoo_network("sample").value();
  LiveLatencies live(device(), 1);
  const EditableGraph drawn = editable(graph);
  const LiveFigures figures = shown(live, drawn);
  EXPECT_FALSE(figures.found);
  const FoundFigures found = live.search({}, {}).value();

  CompareOptions options{.schedule_kinds = {ScheduleKind::kSequential, ScheduleKind::kGreedy, ScheduleKind::kIosBoth,
                                            ScheduleKind::kList}};
  const auto on = device();
  const Comparison compared = compare(graph, *on, options, {}).value();
  const auto is = [&](const Latency& latency, ScheduleKind kind) {
    EXPECT_DOUBLE_EQ(latency.value.count(), compared.find(kind)->latency.value.count());
  };
  is(figures.sequential, ScheduleKind::kSequential);
  is(figures.greedy, ScheduleKind::kGreedy);
  is(found.ios, ScheduleKind::kIosBoth);
  is(found.list.value(), ScheduleKind::kList);
  EXPECT_EQ(figures.sequential.origin, Origin::kSimulated);
}

TEST(LiveLatencies, AnEditSearchesOnlyThePartsThatItChanged) {
  EditHistory history(editable(zoo_network("squeezenet").value()));
  LiveLatencies live(device(), 1);
  const LiveFigures first = shown(live, history.graph());
  ASSERT_TRUE(live.search({}, {}).has_value());
  ASSERT_GT(live.parts(), 3U);
  EXPECT_EQ(live.searched_parts(), live.parts());

  OperatorKey conv;  // the last 3 x 3 convolution
  for (const auto& [key, op] : history.graph().operators()) {
    const auto* own = std::get_if<Conv>(&op->attributes);
    if (own != nullptr && own->kernel == Extent{3, 3} && own->stride == Extent{1, 1}) conv = key;
  }
  history.push(with_kernel(history.graph(), conv, 5));
  const LiveFigures second = shown(live, history.graph());
  EXPECT_GT(second.sequential.value, first.sequential.value);
  EXPECT_FALSE(second.found);
  const FoundFigures kept = live.search({}, {}).value();
  EXPECT_EQ(live.searched_parts(), 1U);

  LiveLatencies anew(device(), 1);
  shown(anew, history.graph());
  EXPECT_NEAR(kept.ios.value.count(), anew.search({}, {}).value().ios.value.count(), 1e-9);
  EXPECT_EQ(anew.searched_parts(), anew.parts());
}

TEST(LiveLatencies, ABranchThatIsAddedIsSearchedWithItsPart) {
  EditHistory history(editable(zoo_network("sample").value()));
  LiveLatencies live(device(), 1);
  shown(live, history.graph());
  ASSERT_TRUE(live.search({}, {}).has_value());
  const OperatorKey input = named(history.graph(), "input");
  AddedOperator added =
      add_operator(history.graph(), history.graph().op(named(history.graph(), "sample.conv_a")).attributes);
  history.push(std::move(added.patch));
  history.push(connect(history.graph(), check(history.graph()), {input, std::nullopt}, added.key, 0).value());
  shown(live, history.graph());
  const FoundFigures found = live.search({}, {}).value();
  LiveLatencies anew(device(), 1);
  shown(anew, history.graph());
  EXPECT_NEAR(found.ios.value.count(), anew.search({}, {}).value().ios.value.count(), 1e-9);
}

TEST(LiveLatencies, WhatWasSearchedIsKnownAgainAfterAnUndo) {
  EditHistory history(editable(zoo_network("sample").value()));
  LiveLatencies live(device(), 1);
  const LiveFigures first = shown(live, history.graph());
  const FoundFigures ios = live.search({}, {}).value();
  history.push(with_kernel(history.graph(), named(history.graph(), "sample.conv_a"), 5));
  shown(live, history.graph());
  ASSERT_TRUE(live.search({}, {}).has_value());
  const std::size_t stages = live.stages().size();
  history.undo();
  const LiveFigures back = shown(live, history.graph());
  EXPECT_EQ(back.sequential, first.sequential);
  EXPECT_EQ(back.greedy, first.greedy);
  ASSERT_TRUE(back.found);
  EXPECT_EQ(*back.found, ios);
  EXPECT_EQ(live.stages().size(), stages);

  live.turn();
  EXPECT_FALSE(shown(live, history.graph()).found);  // other graphs, other keys
}

TEST(LiveLatencies, OtherLimitsAreAnotherSearch) {
  const EditableGraph graph = editable(zoo_network("sample").value());
  LiveLatencies live(device(), 1);
  shown(live, graph);
  ASSERT_TRUE(live.search({}, {}).has_value());
  LiveLimits narrow;
  narrow.options.pruning = {1, 1};
  EXPECT_FALSE(live.show(graph, check(graph), narrow, {}).value().found);
  const FoundFigures found = live.search(narrow, {}).value();
  EXPECT_GE(found.ios.value, shown(live, graph).found->ios.value);
}

TEST(LiveLatencies, AStopLeavesNothingThatCouldBeTakenForAnAnswer) {
  const EditableGraph graph = editable(zoo_network("sample").value());
  LiveLatencies live(device(), 1);
  shown(live, graph);
  EXPECT_FALSE(live.search({}, {stopped_token(), {}}).has_value());
  EXPECT_FALSE(shown(live, graph).found);
  LiveLatencies other(device(), 1);
  EXPECT_FALSE(other.show(graph, check(graph), {}, {stopped_token(), {}}).has_value());
}

TEST(LiveLatencies, AMistakeThatLeavesOperatorsOutIsNamed) {
  EditableGraph graph = editable(zoo_network("sample").value());
  EXPECT_EQ(what_leaves_out(check(graph)), nullptr);
  apply(graph, disconnect(graph, named(graph, "sample.conv_d"), 0).value());
  const GraphCheck broken = check(graph);
  const Problem* problem = must(what_leaves_out(broken));
  EXPECT_EQ(problem->kind, ProblemKind::kOpenInput);
  EXPECT_EQ(problem->operators.front(), named(graph, "sample.conv_d"));
}

}  // namespace
}  // namespace iosx
