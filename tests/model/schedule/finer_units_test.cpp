#include "core/model/schedule/finer_units.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/model/graph/builder.h"
#include "core/model/plan/stage_planner.h"
#include "core/model/schedule/baselines.h"
#include "core/model/schedule/legality.h"
#include "core/search/prepare.h"
#include "models/networks/zoo.h"

namespace iosx {
namespace {

std::vector<std::string> unit_names(const Graph& graph) {
  std::vector<std::string> names;
  for (const Unit& unit : graph.units()) names.push_back(unit.name);
  return names;
}

Conv convolution(std::int64_t channels) {
  Conv conv;
  conv.out_channels = channels;
  return conv;
}

TEST(FinerUnits, PartAConcatenationFromTheSumsThatItJoins) {
  GraphBuilder builder("cell");
  const Value x = builder.input("x", Shape{4, 8, 8});
  const Value a = builder.add("a", convolution(4), {x});
  const Value b = builder.add("b", convolution(4), {x});
  builder.begin_unit("join", "Join");
  const Value sum = builder.add("sum", Add{}, {a, b});
  const Value active = builder.add("active", Activate{Activation::kRelu}, {sum});
  const Value other = builder.add("other", Add{}, {x, b});
  builder.add("join", Concat{}, {active, other});
  const Value join = builder.end_unit();
  builder.add("last", convolution(4), {join});
  const Graph graph = std::move(builder).build().value();

  const std::optional<Graph> finer = finer_units(graph);
  ASSERT_TRUE(finer);
  EXPECT_EQ(unit_names(*finer), (std::vector<std::string>{"a", "b", "active", "other", "join", "last"}));
  EXPECT_EQ(finer->unit(UnitId(2)).operators.size(), 2U) << "the activation is all that reads the sum";
  EXPECT_EQ(finer->unit(UnitId(4)).hint, "Join");
  EXPECT_EQ(std::vector(finer->predecessors(UnitId(4)).begin(), finer->predecessors(UnitId(4)).end()),
            (std::vector{UnitId(2), UnitId(3)}));
  EXPECT_EQ(std::vector(finer->outputs().begin(), finer->outputs().end()), std::vector{UnitId(5)});
  EXPECT_FALSE(finer_units(*finer)) << "nothing is left to part";
}

TEST(FinerUnits, LeaveWhatBeginsWithOneOperator) {
  GraphBuilder builder("fork");
  const Value x = builder.input("x", Shape{4, 8, 8});
  builder.begin_unit("fork");
  const Value first = builder.add("first", Activate{Activation::kRelu}, {x});
  const Value a = builder.add("a", convolution(4), {first});
  const Value b = builder.add("b", convolution(4), {first});
  builder.add("sum", Add{}, {a, b});
  builder.end_unit();
  EXPECT_FALSE(finer_units(std::move(builder).build().value()));
  EXPECT_FALSE(finer_units(zoo_network("squeezenet").value()));
}

// What a kernel computes and where, without the unit that it is counted to.
std::vector<Kernel> without_units(ExecutionPlan plan) {
  for (Kernel& kernel : plan.kernels) kernel.units.clear();
  return std::move(plan.kernels);
}

TEST(FinerUnits, OfASchedulesUnitsAreTheSameKernels) {
  for (const char* network : {"nasnet", "nasnet_mobile", "mixture_of_experts", "parallel_vit_s16", "efficientdet_d0"}) {
    const Graph graph = prepare(zoo_network(network).value(), {}).value();
    const std::optional<Graph> finer = finer_units(graph);
    if (!finer) continue;
    EXPECT_EQ(finer->parts().size(), graph.parts().size());
    EXPECT_GT(finer->units().size(), graph.units().size());
    for (const LowerOptions& lowering : {LowerOptions{}, LowerOptions{.fuse = true, .concat_in_place = true}}) {
      StagePlanner planner(graph, 1, lowering);
      StagePlanner finer_planner(*finer, 1, lowering);
      for (const Schedule& schedule :
           {sequential_schedule(graph), greedy_schedule(graph), one_by_one_schedule(graph)}) {
        const Schedule same = on_finer_units(schedule, graph, *finer);
        ASSERT_TRUE(check_legal(*finer, same)) << network << ' ' << schedule.name;
        EXPECT_EQ(without_units(finer_planner.plan(same)), without_units(planner.plan(schedule)))
            << network << ' ' << schedule.name;
      }
    }
  }
}

// A cell of the benchmarked NASNet joins five sums, of which its concatenation's unit held all.
TEST(FinerUnits, OfNasnetAreItsSums) {
  const Graph graph = zoo_network("nasnet").value();
  const std::optional<Graph> finer = finer_units(graph);
  ASSERT_TRUE(finer);
  const std::optional<UnitId> join = finer->find_unit("cell_stem_0.concat");
  ASSERT_TRUE(join) << "the last piece keeps the name";
  EXPECT_EQ(finer->unit(*join).operators.size(), 1U);
}

}  // namespace
}  // namespace iosx
