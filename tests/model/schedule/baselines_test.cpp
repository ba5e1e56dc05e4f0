#include "core/model/schedule/baselines.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "core/model/graph/builder.h"
#include "core/model/schedule/legality.h"
#include "tests/support/graphs.h"

namespace iosx {
namespace {

// The units of each stage, every group being one unit.
std::vector<std::vector<std::size_t>> stages_of(const Schedule& schedule) {
  std::vector<std::vector<std::size_t>> all;
  for (const Stage& stage : schedule.stages) {
    all.emplace_back();
    for (const Group& group : stage.groups) {
      EXPECT_EQ(group.steps.size(), 1U);
      EXPECT_EQ(group.steps.front().units.size(), 1U);
      all.back().push_back(group.steps.front().units.front().index());
    }
  }
  return all;
}

using Stages = std::vector<std::vector<std::size_t>>;

TEST(OneByOne, RunsOneUnitAStage) {
  const Schedule schedule = one_by_one_schedule(test::diamond());
  EXPECT_EQ(schedule.name, "one-by-one");
  EXPECT_EQ(stages_of(schedule), (Stages{{0}, {1}, {2}, {3}}));
}

TEST(Sequential, RunsAPartInOneGroup) {
  const Graph whole = test::diamond();
  const Graph graph = whole.with_parts({{"ab", {UnitId(0), UnitId(1)}}, {"cd", {UnitId(2), UnitId(3)}}});
  const Schedule schedule = sequential_schedule(graph);
  EXPECT_EQ(schedule.name, "sequential");
  ASSERT_EQ(schedule.stages.size(), 2U);
  for (std::size_t p = 0; p < 2; ++p) {
    ASSERT_EQ(schedule.stages[p].groups.size(), 1U);
    EXPECT_EQ(schedule.stages[p].groups[0].steps, (std::vector{Step{{UnitId(2 * p)}}, Step{{UnitId(2 * p + 1)}}}));
  }
  EXPECT_TRUE(check_legal(graph, schedule));
  EXPECT_EQ(sequential_schedule(whole).stages.size(), whole.parts().size());
}

TEST(Greedy, RunsEveryReadyUnitAtOnce) {
  const Schedule schedule = greedy_schedule(test::diamond());
  EXPECT_EQ(schedule.name, "greedy");
  EXPECT_EQ(stages_of(schedule), (Stages{{0}, {1, 2}, {3}}));
  EXPECT_EQ(stages_of(greedy_schedule(test::chain(3))), (Stages{{0}, {1}, {2}}));
  EXPECT_EQ(stages_of(greedy_schedule(test::fork(4))), (Stages{{0, 1, 2, 3}}));
  EXPECT_EQ(stages_of(greedy_schedule(test::clique(3))), (Stages{{0}, {1}, {2}}));
}

TEST(Greedy, RunsTheSampleNetworkInThreeStages) {
  EXPECT_EQ(stages_of(greedy_schedule(test::sample())), (Stages{{0, 1, 2}, {3}, {4}}));
}

TEST(Greedy, KeepsWhatDoesNotFitAheadOfNewlyReadyUnits) {
  // a, b and d read the input, c reads a, e reads c. On two streams d has waited longer than c.
  GraphBuilder builder("queue");
  Conv conv;
  conv.out_channels = 4;
  const Value in = builder.input("in", {4, 8, 8});
  const Value a = builder.add("a", conv, {in});
  builder.add("b", conv, {in});
  const Value c = builder.add("c", conv, {a});
  builder.add("d", conv, {in});
  builder.add("e", conv, {c});
  const auto graph = std::move(builder).build();
  ASSERT_TRUE(graph.has_value());
  EXPECT_EQ(stages_of(greedy_schedule(*graph, 2)), (Stages{{0, 1}, {2, 3}, {4}}));
  EXPECT_EQ(stages_of(greedy_schedule(*graph, 1)), (Stages{{0}, {1}, {3}, {2}, {4}}));
  EXPECT_EQ(stages_of(greedy_schedule(*graph)), (Stages{{0, 1, 3}, {2}, {4}}));
}

TEST(Greedy, RunsTenStreamsByDefault) {
  const auto stages = stages_of(greedy_schedule(test::fork(12)));
  ASSERT_EQ(stages.size(), 2U);
  EXPECT_EQ(stages[0].size(), 10U);
  EXPECT_EQ(stages[1], (std::vector<std::size_t>{10, 11}));
}

TEST(Greedy, DoesNotRunAheadIntoTheNextPart) {
  GraphBuilder builder("parts");
  Conv conv;
  conv.out_channels = 4;
  const Value in = builder.input("in", {4, 8, 8});
  builder.begin_part("one");
  builder.add("a", conv, {builder.add("b", conv, {in})});
  builder.begin_part("two");
  builder.add("c", conv, {in});
  const auto graph = std::move(builder).build();
  ASSERT_TRUE(graph.has_value());
  EXPECT_EQ(stages_of(greedy_schedule(*graph)), (Stages{{0}, {1}, {2}}));
}

}  // namespace
}  // namespace iosx
