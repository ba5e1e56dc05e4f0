#include "core/analysis/explain/changes.h"

#include <gmock/gmock.h>

#include <set>

#include "core/analysis/compare/report.h"
#include "core/model/schedule/baselines.h"
#include "core/model/schedule/legality.h"
#include "models/networks/zoo.h"
#include "tests/support/graphs.h"

namespace iosx::test {
namespace {

using testing::Contains;
using testing::Not;
using testing::UnorderedElementsAre;

Stage stage_of(std::vector<std::vector<std::vector<std::size_t>>> groups) {
  Stage stage;
  for (const auto& steps : groups) {
    Group& group = stage.groups.emplace_back();
    for (const auto& units : steps) {
      Step& step = group.steps.emplace_back();
      for (const std::size_t unit : units) step.units.emplace_back(unit);
    }
  }
  return stage;
}

// "split: [a] | [b c]", one a change.
std::vector<std::string> texts(const Graph& graph, const Schedule& schedule, std::size_t stage) {
  std::vector<std::string> texts;
  for (const Change& change : changes_at(graph, schedule, stage)) {
    std::string text = std::string(change_name(change.kind)) + ":";
    for (std::size_t i = 0; i < change.stages.size(); ++i) {
      text += (i == 0 ? " " : " | ") + groups_text(graph, change.stages[i]);
    }
    texts.push_back(text);
  }
  return texts;
}

TEST(Changes, SplitAChainBetweenEachTwoOfItsUnits) {
  const Graph graph = chain(3);
  EXPECT_THAT(texts(graph, {"", {stage_of({{{0}, {1}, {2}}})}}, 0),
              UnorderedElementsAre("split: [a] | [b c]", "split: [a b] | [c]"));
}

TEST(Changes, SplitMergeableConvolutionsInEveryWay) {
  const Graph graph = fork(3);
  EXPECT_THAT(
      texts(graph, {"", {stage_of({{{0}}, {{1}}, {{2}}})}}, 0),
      UnorderedElementsAre("split: [a] | [b] [c]", "split: [a] | [b+c]", "split: [b] | [a] [c]", "split: [b] | [a+c]",
                           "split: [c] | [a] [b]", "split: [c] | [a+b]", "split: [a] [b] | [c]", "split: [a+b] | [c]",
                           "split: [a] [c] | [b]", "split: [a+c] | [b]", "split: [b] [c] | [a]", "split: [b+c] | [a]",
                           "merge: [a+b+c]"));
}

TEST(Changes, TakeAMergedConvolutionApart) {
  const Graph graph = fork(2);
  EXPECT_THAT(texts(graph, {"", {stage_of({{{0, 1}}})}}, 0),
              UnorderedElementsAre("split: [a] | [b]", "split: [b] | [a]", "unmerge: [a] [b]"));
}

TEST(Changes, JoinMoveAndTake) {
  const Graph graph = diamond();
  const Schedule schedule{"", {stage_of({{{0}}}), stage_of({{{1}}, {{2}}}), stage_of({{{3}}})}};
  EXPECT_THAT(texts(graph, schedule, 1),
              UnorderedElementsAre("split: [b] | [c]", "split: [c] | [b]", "join-before: [a b c]",
                                   "join-after: [b c d]", "merge: [b+c]", "move-before: [a b] | [c]",
                                   "move-before: [a c] | [b]", "move-after: [b] | [c d]", "move-after: [c] | [b d]"));
  EXPECT_THAT(texts(graph, schedule, 2),
              UnorderedElementsAre("join-before: [b c d]", "take-before: [b] | [c d]", "take-before: [c] | [b d]"));
  EXPECT_THAT(texts(graph, schedule, 0), Contains("take-after: [a b] | [c]"));
}

TEST(Changes, KeepUnconnectedUnitsOfAGroupTogether) {
  const Graph graph = fork(3);
  const Schedule schedule{"", {stage_of({{{0}, {1}}}), stage_of({{{2}}})}};
  EXPECT_THAT(texts(graph, schedule, 1), Contains("join-before: [a b] [c]"));
  EXPECT_THAT(texts(graph, schedule, 1), Not(Contains("join-before: [a] [b] [c]")));
}

TEST(Changes, KeepTheOrderOfAGroup) {
  const Graph graph = fork(3);
  const Schedule schedule{"", {stage_of({{{1}, {0}}}), stage_of({{{2}}})}};
  EXPECT_THAT(texts(graph, schedule, 1), Contains("join-before: [b a] [c]"));
}

TEST(Changes, KeepMergedConvolutionsOfAGroup) {
  const Graph graph = sample();  // a, b and c read the input, d reads a
  const Schedule schedule{"", {stage_of({{{0, 1, 2}}}), stage_of({{{3}, {4}}})}};
  EXPECT_THAT(texts(graph, schedule, 1), Contains("take-before: [a+b] | [c d concat]"));
  EXPECT_THAT(texts(graph, schedule, 0), Contains("take-after: [a+b+c d] | [concat]"));
}

TEST(Changes, SayWhatTheyDo) {
  const Graph graph = sample();
  const Schedule schedule{"", {stage_of({{{0}}, {{1}}, {{2}}}), stage_of({{{3}, {4}}})}};
  std::vector<std::string> words;
  for (const Change& change : changes_at(graph, schedule, 0)) words.push_back(change_text(graph, schedule, change));
  EXPECT_THAT(words, testing::IsSupersetOf({"split off [a] first", "split off [a] first, merging [b c]",
                                            "split off [a] last", "join with stage 2", "merge [a b c]",
                                            "move [b] to stage 2, merging [a c]", "take [d] from stage 2"}));
  EXPECT_EQ(std::set<std::string>(words.begin(), words.end()).size(), words.size());
}

// Every change of every stage of a schedule is another legal schedule of the same units.
void check_all(const Graph& graph, const Schedule& schedule) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < schedule.stages.size(); ++i) {
    std::set<std::string> seen;
    for (const Change& change : changes_at(graph, schedule, i)) {
      ++count;
      const Schedule other = changed(schedule, change);
      const auto legal = check_legal(graph, other);
      ASSERT_TRUE(legal) << change_text(graph, schedule, change) << " at stage " << i + 1 << ": "
                         << legal.error().text();
      EXPECT_TRUE(change.begin <= i && i < change.end);
      std::string text = std::to_string(change.begin);
      for (const Stage& stage : change.stages) text += '|' + groups_text(graph, stage);
      EXPECT_TRUE(seen.insert(text).second) << text;
      EXPECT_NE(other, schedule);
    }
  }
  EXPECT_GT(count, schedule.stages.size());
}

TEST(Changes, AreLegalForEveryBaselineOfTheZoo) {
  for (const char* name : {"squeezenet", "inception_v3", "randwire"}) {
    const Graph graph = *zoo_network(name);
    SCOPED_TRACE(name);
    check_all(graph, one_by_one_schedule(graph));
    check_all(graph, greedy_schedule(graph));
  }
}

TEST(Changes, AreLegalForRandomGraphs) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Graph graph = random_dag(seed, 12);
    SCOPED_TRACE(seed);
    const Schedule greedy = greedy_schedule(graph, 4);
    check_all(graph, greedy);
    // And of what one change makes of it: merged convolutions beside and inside groups.
    const std::vector<Change> first = changes_at(graph, greedy, 0);
    for (std::size_t i = 0; i < first.size(); i += 5) check_all(graph, changed(greedy, first[i]));
  }
}

}  // namespace
}  // namespace iosx::test
