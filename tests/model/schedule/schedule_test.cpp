#include "core/model/schedule/schedule.h"
#include "core/model/schedule/baselines.h"
#include "core/model/schedule/schedule_table.h"
#include "tests/support/graphs.h"
#include "tests/support/prelude.h"

namespace iosx {
namespace {

TEST(Stage, ListsUnitsById) {
  Stage stage = merge_stage({UnitId(4), UnitId(1)});
  stage.groups.push_back(Group{{Step{{UnitId(2)}}, Step{{UnitId(3)}}}});
  EXPECT_EQ(stage.units(), (std::vector{UnitId(1), UnitId(2), UnitId(3), UnitId(4)}));
}

TEST(Stage, StrategyIsMergeForOneMergedStepAlone) {
  const Graph graph = test::fork(3);
  EXPECT_EQ(strategy_of(graph, merge_stage({UnitId(0), UnitId(1)})), Strategy::kMerge);
  EXPECT_EQ(strategy_of(graph, single_unit_stage(UnitId(0))), Strategy::kConcurrent);
  Stage with_neighbour = merge_stage({UnitId(0), UnitId(1)});
  with_neighbour.groups.push_back(Group{{Step{{UnitId(2)}}}});
  EXPECT_EQ(strategy_of(graph, with_neighbour), Strategy::kConcurrent);
  const Stage two_steps{{Group{{Step{{UnitId(0), UnitId(1)}}, Step{{UnitId(2)}}}}}};
  EXPECT_EQ(strategy_of(graph, two_steps), Strategy::kConcurrent);
  EXPECT_EQ(strategy_of(graph, Stage{}), Strategy::kConcurrent);
}

TEST(Stage, StrategyIsMergeForAConvolutionMergedInItsFile) {
  auto [builder, in] = test::sketch("merged", Shape{4, 8, 8});
  Conv conv{.out_channels = 4};
  builder.add("plain", conv, {in});
  conv.merged_from = {"x", "y"};
  builder.add("merged", conv, {in});
  const auto graph = must(std::move(builder).build());
  EXPECT_EQ(strategy_of(graph, single_unit_stage(UnitId(0))), Strategy::kConcurrent);
  EXPECT_EQ(strategy_of(graph, single_unit_stage(UnitId(1))), Strategy::kMerge);
}

TEST(Stage, StrategiesHaveNames) {
  EXPECT_EQ(strategy_name(Strategy::kConcurrent), "concurrent");
  EXPECT_EQ(strategy_name(Strategy::kMerge), "merge");
}

TEST(ScheduleTable, NamesEveryScheduleKindOnce) {
  std::set<std::string_view> ids;
  std::set<std::string_view> titles;
  for (const ScheduleKindRow& row : schedule_table()) {
    EXPECT_EQ(&row_of(row.schedule_kind), &row);
    EXPECT_EQ(parse_schedule_kind(row.id), row.schedule_kind);
    EXPECT_TRUE(ids.insert(row.id).second) << row.id;
    EXPECT_TRUE(titles.insert(row.title).second) << row.title;
    EXPECT_EQ(row.strategies.has_value(), !row.strategy_word.empty());
    EXPECT_EQ(row.baseline() + row.given() + row.strategies.has_value() + row.barrier_free, 1);
  }
  EXPECT_EQ(ids.size(), 11U);
}

// What command lines and documents have said since the first version.
TEST(ScheduleTable, HasTheKnownNames) {
  const auto ids = mapped<std::string_view>(made_schedule_kinds(),
                                            [&](const ScheduleKind schedule_kind) { return row_of(schedule_kind).id; });
  EXPECT_THAT(ids, ElementsAre("sequential", "greedy", "ios-merge", "ios-parallel", "ios-both", "list", "ios-flow"));
  EXPECT_EQ(parse_strategies("merge"), StrategySet::kMerge);
  EXPECT_EQ(row_of(StrategySet::kParallel).title, "IOS-Parallel");
  EXPECT_THAT(schedule_kinds_within(StrategySet::kMerge),
              ElementsAre(ScheduleKind::kSequential, ScheduleKind::kGreedy, ScheduleKind::kIosMerge,
                          ScheduleKind::kList, ScheduleKind::kIosFlow));
}

TEST(ScheduleTable, NamesTheBaselinesThatAreMade) {
  EXPECT_EQ(side_by_side_schedule(test::diamond()).name, row_of(ScheduleKind::kSideBySide).id);
  EXPECT_EQ(sequential_schedule(test::diamond()).name, row_of(ScheduleKind::kSequential).id);
  EXPECT_EQ(one_by_one_schedule(test::diamond()).name, row_of(ScheduleKind::kOneByOne).id);
  EXPECT_EQ(greedy_schedule(test::diamond()).name, row_of(ScheduleKind::kGreedy).id);
}

TEST(ScheduleTable, AnUnknownNameIsAnErrorThatListsTheKnownOnes) {
  ASSERT_FALSE(parse_schedule_kind("ios-bth"));
  EXPECT_THAT(parse_schedule_kind("ios-bth").error().text(), AllOf(HasSubstr("ios-bth"), HasSubstr("ios-flow, file")));
  ASSERT_FALSE(parse_strategies(""));
  EXPECT_THAT(parse_strategies("").error().text(), HasSubstr("both, parallel, merge"));
}

class ScheduleIds : public testing::Test {
 protected:
  std::string next(ScheduleKind schedule_kind, std::string_view name = {}) {
    const ScheduleId id =
        unused_id(schedule_kind, name, [&](const ScheduleId& other) { return taken_.contains(other); });
    EXPECT_TRUE(taken_.insert(id).second) << id.text();
    return id.text();
  }
  std::set<ScheduleId> taken_;
};

TEST_F(ScheduleIds, NumberRunsOfOneScheduleKind) {
  EXPECT_EQ(next(ScheduleKind::kIosBoth), "ios-both");
  EXPECT_EQ(next(ScheduleKind::kIosBoth), "ios-both-2");
  EXPECT_EQ(next(ScheduleKind::kIosBoth), "ios-both-3");
  EXPECT_EQ(next(ScheduleKind::kGreedy), "greedy");
}

TEST_F(ScheduleIds, SayTheNameOfAGivenScheduleAsAFileNameCan) {
  EXPECT_EQ(next(ScheduleKind::kFile, "my/plan"), "my-plan");
  EXPECT_EQ(next(ScheduleKind::kByHand, "my plan"), "my-plan-2");
  EXPECT_EQ(next(ScheduleKind::kFile, ".."), "schedule..");
  EXPECT_EQ(next(ScheduleKind::kFile), "file");
  EXPECT_EQ(next(ScheduleKind::kFile, "file"), "file-2");
}

TEST_F(ScheduleIds, OfAGivenScheduleAreNeverAnotherScheduleKinds) {
  EXPECT_EQ(next(ScheduleKind::kFile, "ios-both"), "ios-both-2");
  EXPECT_EQ(next(ScheduleKind::kIosBoth), "ios-both");
  EXPECT_EQ(next(ScheduleKind::kIosBoth), "ios-both-3");
}

TEST(ScheduleTitle, IsTheTablesOrTheGivenName) {
  EXPECT_EQ(schedule_title(ScheduleKind::kIosBoth, "ios-both", ScheduleId("ios-both")), "IOS-Both");
  EXPECT_EQ(schedule_title(ScheduleKind::kIosBoth, "ios-both", ScheduleId("ios-both-2")), "IOS-Both 2");
  EXPECT_EQ(schedule_title(ScheduleKind::kFile, "my plan", ScheduleId("my-plan")), "my plan");
  EXPECT_EQ(schedule_title(ScheduleKind::kFile, "my plan", ScheduleId("my-plan-2")), "my plan 2");
  EXPECT_EQ(schedule_title(ScheduleKind::kByHand, "", {}), "By hand");
}

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
  EXPECT_THAT(text, AllOf(HasSubstr("stage 2, group 2"), HasSubstr("'b' already runs in stage 2, group 1")));
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
  auto [builder, in] = test::sketch("queue", Shape{4, 8, 8});
  Conv conv{.out_channels = 4};
  const Value a = builder.add("a", conv, {in});
  builder.add("b", conv, {in});
  const Value c = builder.add("c", conv, {a});
  builder.add("d", conv, {in});
  builder.add("e", conv, {c});
  const auto graph = must(std::move(builder).build());
  EXPECT_EQ(stages_of(greedy_schedule(graph, 2)), (Stages{{0, 1}, {2, 3}, {4}}));
  EXPECT_EQ(stages_of(greedy_schedule(graph, 1)), (Stages{{0}, {1}, {3}, {2}, {4}}));
  EXPECT_EQ(stages_of(greedy_schedule(graph)), (Stages{{0, 1, 3}, {2}, {4}}));
}

TEST(Greedy, RunsTenStreamsByDefault) {
  const auto stages = stages_of(greedy_schedule(test::fork(12)));
  ASSERT_EQ(stages.size(), 2U);
  EXPECT_EQ(stages[0].size(), 10U);
  EXPECT_EQ(stages[1], (std::vector<std::size_t>{10, 11}));
}

TEST(Greedy, DoesNotRunAheadIntoTheNextPart) {
  auto [builder, in] = test::sketch("parts", Shape{4, 8, 8});
  Conv conv{.out_channels = 4};
  builder.begin_part("one");
  builder.add("a", conv, {builder.add("b", conv, {in})});
  builder.begin_part("two");
  builder.add("c", conv, {in});
  EXPECT_EQ(stages_of(greedy_schedule(must(std::move(builder).build()))), (Stages{{0}, {1}, {2}}));
}

}  // namespace

}  // namespace iosx
