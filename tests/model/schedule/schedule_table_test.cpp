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

TEST(ScheduleTable, NamesEveryRecipeOnce) {
  std::set<std::string_view> ids;
  std::set<std::string_view> titles;
  for (const RecipeRow& row : schedule_table()) {
    EXPECT_EQ(&row_of(row.recipe), &row);
    EXPECT_EQ(parse_recipe(row.id), row.recipe);
    EXPECT_TRUE(ids.insert(row.id).second) << row.id;
    EXPECT_TRUE(titles.insert(row.title).second) << row.title;
    EXPECT_EQ(row.strategies.has_value(), !row.strategy_word.empty());
    EXPECT_EQ(row.baseline() + row.given() + row.strategies.has_value(), 1);
  }
  EXPECT_EQ(ids.size(), 7U);
}

// What command lines and documents have said since the first version.
TEST(ScheduleTable, HasTheKnownNames) {
  std::vector<std::string_view> ids;
  for (const Recipe recipe : made_recipes()) ids.push_back(row_of(recipe).id);
  EXPECT_THAT(ids, ElementsAre("sequential", "greedy", "ios-merge", "ios-parallel", "ios-both"));
  EXPECT_EQ(parse_strategies("merge"), StrategySet::kMerge);
  EXPECT_EQ(row_of(StrategySet::kParallel).title, "IOS-Parallel");
  EXPECT_THAT(recipes_within(StrategySet::kMerge),
              ElementsAre(Recipe::kSequential, Recipe::kGreedy, Recipe::kIosMerge));
}

TEST(ScheduleTable, NamesTheBaselinesThatAreMade) {
  EXPECT_EQ(sequential_schedule(test::diamond()).name, row_of(Recipe::kSequential).id);
  EXPECT_EQ(greedy_schedule(test::diamond()).name, row_of(Recipe::kGreedy).id);
}

TEST(ScheduleTable, AnUnknownNameIsAnErrorThatListsTheKnownOnes) {
  ASSERT_FALSE(parse_recipe("ios-bth"));
  EXPECT_THAT(parse_recipe("ios-bth").error().text(), AllOf(HasSubstr("ios-bth"), HasSubstr("ios-both, file")));
  ASSERT_FALSE(parse_strategies(""));
  EXPECT_THAT(parse_strategies("").error().text(), HasSubstr("both, parallel, merge"));
}

class ScheduleIds : public testing::Test {
 protected:
  std::string next(Recipe recipe, std::string_view name = {}) {
    const ScheduleId id = unused_id(recipe, name, [&](const ScheduleId& other) { return taken_.contains(other); });
    EXPECT_TRUE(taken_.insert(id).second) << id.text();
    return id.text();
  }
  std::set<ScheduleId> taken_;
};

TEST_F(ScheduleIds, NumberRunsOfOneRecipe) {
  EXPECT_EQ(next(Recipe::kIosBoth), "ios-both");
  EXPECT_EQ(next(Recipe::kIosBoth), "ios-both-2");
  EXPECT_EQ(next(Recipe::kIosBoth), "ios-both-3");
  EXPECT_EQ(next(Recipe::kGreedy), "greedy");
}

TEST_F(ScheduleIds, SayTheNameOfAGivenScheduleAsAFileNameCan) {
  EXPECT_EQ(next(Recipe::kFile, "my/plan"), "my-plan");
  EXPECT_EQ(next(Recipe::kByHand, "my plan"), "my-plan-2");
  EXPECT_EQ(next(Recipe::kFile, ".."), "schedule..");
  EXPECT_EQ(next(Recipe::kFile), "file");
  EXPECT_EQ(next(Recipe::kFile, "file"), "file-2");
}

TEST_F(ScheduleIds, OfAGivenScheduleAreNeverAnotherRecipes) {
  EXPECT_EQ(next(Recipe::kFile, "ios-both"), "ios-both-2");
  EXPECT_EQ(next(Recipe::kIosBoth), "ios-both");
  EXPECT_EQ(next(Recipe::kIosBoth), "ios-both-3");
}

TEST(ScheduleTitle, IsTheTablesOrTheGivenName) {
  EXPECT_EQ(schedule_title(Recipe::kIosBoth, "ios-both", ScheduleId("ios-both")), "IOS-Both");
  EXPECT_EQ(schedule_title(Recipe::kIosBoth, "ios-both", ScheduleId("ios-both-2")), "IOS-Both 2");
  EXPECT_EQ(schedule_title(Recipe::kFile, "my plan", ScheduleId("my-plan")), "my plan");
  EXPECT_EQ(schedule_title(Recipe::kFile, "my plan", ScheduleId("my-plan-2")), "my plan 2");
  EXPECT_EQ(schedule_title(Recipe::kByHand, "", {}), "By hand");
}

}  // namespace
}  // namespace iosx
