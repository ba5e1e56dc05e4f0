#include "core/model/schedule/legality.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/model/schedule/baselines.h"
#include "tests/support/graphs.h"

namespace iosx {
namespace {

using ::testing::HasSubstr;

// a group of single units
Group group(std::initializer_list<std::size_t> units) {
  Group made;
  for (const std::size_t unit : units) made.steps.push_back(Step{{UnitId(unit)}});
  return made;
}

Schedule schedule(std::vector<Stage> stages) { return Schedule{"test", std::move(stages)}; }

std::string error(const Graph& graph, const Schedule& schedule) {
  const auto legal = check_legal(graph, schedule);
  EXPECT_FALSE(legal.has_value());
  return legal ? "" : legal.error().text();
}

// diamond(): a → {b, c} → d, units 0 to 3.

TEST(Legality, AcceptsEveryFormOfStage) {
  const Graph graph = test::diamond();
  EXPECT_TRUE(check_legal(graph, schedule({{{group({0})}}, {{group({1}), group({2})}}, {{group({3})}}})));
  EXPECT_TRUE(check_legal(graph, schedule({{{group({0, 2, 1, 3})}}})));
  EXPECT_TRUE(check_legal(graph, schedule({{{group({0})}}, merge_stage({UnitId(2), UnitId(1)}), {{group({3})}}})));
  const Group with_merge{{Step{{UnitId(0)}}, Step{{UnitId(1), UnitId(2)}}, Step{{UnitId(3)}}}};
  EXPECT_TRUE(check_legal(graph, schedule({{{with_merge}}})));
}

TEST(Legality, AcceptsBaselinesOfRandomGraphs) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Graph graph = test::random_dag(seed, 12);
    EXPECT_TRUE(check_legal(graph, one_by_one_schedule(graph))) << seed;
    EXPECT_TRUE(check_legal(graph, greedy_schedule(graph))) << seed;
    EXPECT_TRUE(check_legal(graph, greedy_schedule(graph, 2))) << seed;
  }
}

TEST(Legality, NamesAUnitThatIsLeftOut) {
  const std::string text = error(test::diamond(), schedule({{{group({0})}}, {{group({1})}}, {{group({2})}}}));
  EXPECT_THAT(text, HasSubstr("'d' is in no stage"));
}

TEST(Legality, NamesAUnitThatStandsTwice) {
  const std::string text =
      error(test::diamond(), schedule({{{group({0})}}, {{group({1}), group({2, 1})}}, {{group({3})}}}));
  EXPECT_THAT(text, HasSubstr("stage 2, group 2"));
  EXPECT_THAT(text, HasSubstr("'b' already runs in stage 2, group 1"));
}

TEST(Legality, NamesAUnitThatRunsTooEarly) {
  const std::string text =
      error(test::diamond(), schedule({{{group({1})}}, {{group({0})}}, {{group({2})}}, {{group({3})}}}));
  EXPECT_THAT(text, HasSubstr("stage 1, group 1: unit 'b' reads 'a', which runs in stage 2, group 1"));
}

TEST(Legality, RefusesADependencyBetweenGroupsOfAStage) {
  const std::string text = error(test::diamond(), schedule({{{group({0})}}, {{group({1}), group({2, 3})}}}));
  EXPECT_THAT(text, HasSubstr("stage 2, group 2: unit 'd' reads 'b', which runs in stage 2, group 1"));
}

TEST(Legality, RefusesAWrongOrderInsideAGroup) {
  EXPECT_THAT(error(test::diamond(), schedule({{{group({0, 1, 3, 2})}}})), HasSubstr("unit 'd' reads 'c'"));
}

TEST(Legality, RefusesEmptyStagesGroupsAndSteps) {
  const Graph graph = test::diamond();
  EXPECT_THAT(error(graph, schedule({Stage{}})), HasSubstr("stage 1: the stage is empty"));
  EXPECT_THAT(error(graph, schedule({{{group({0})}}, {{group({1}), Group{}}}})), HasSubstr("stage 2, group 2"));
  EXPECT_THAT(error(graph, schedule({{{Group{{Step{}}}}}})), HasSubstr("a step has no unit"));
  EXPECT_THAT(error(graph, schedule({})), HasSubstr("'a' is in no stage"));
}

TEST(Legality, RefusesUnitsThatTheGraphDoesNotHave) {
  const Graph graph = test::diamond();
  EXPECT_THAT(error(graph, schedule({{{group({0, 1, 2, 3, 4})}}})), HasSubstr("does not have"));
  EXPECT_THAT(error(graph, schedule({{{Group{{Step{{UnitId{}}}}}}}})), HasSubstr("does not have"));
}

TEST(Legality, RefusesAMergeThatMergeRefuses) {
  const Graph graph = test::sample();  // c is a 3×3 convolution of the input, d of a
  const std::string text =
      error(graph, schedule({{{group({0})}}, merge_stage({UnitId(1), UnitId(3)}), {{group({2})}}, {{group({4})}}}));
  EXPECT_THAT(text, HasSubstr("stage 2, group 1: units 'b', 'd' cannot be merged: they do not all read the same"));
}

TEST(Legality, RefusesAMergeOfDependentUnits) {
  const Graph graph = test::chain(2);
  EXPECT_THAT(error(graph, schedule({merge_stage({UnitId(0), UnitId(1)})})), HasSubstr("unit 'b' reads 'a'"));
}

}  // namespace
}  // namespace iosx
