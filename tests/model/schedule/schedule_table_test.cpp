#include "core/model/schedule/schedule_table.h"

#include <gmock/gmock.h>

#include <set>

#include "core/model/schedule/baselines.h"
#include "tests/support/graphs.h"

namespace iosx {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

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
  std::vector<std::string_view> ids;
  for (const ScheduleKind schedule_kind : made_schedule_kinds()) ids.push_back(row_of(schedule_kind).id);
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

}  // namespace
}  // namespace iosx
