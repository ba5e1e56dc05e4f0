#include "core/analysis/difference/subject.h"

#include <gtest/gtest.h>

#include "tests/support/graphs.h"
#include "tests/support/subjects.h"

namespace iosx {
namespace {

std::vector<std::string> labels(std::vector<Subject> subjects) {
  label_subjects(subjects);
  std::vector<std::string> list;
  for (const Subject& subject : subjects) list.push_back(subject.label);
  return list;
}

using Labels = std::vector<std::string>;

Subject run(const test::MadeUpRun& made_up, ScheduleKind schedule_kind = ScheduleKind::kSequential) {
  static const auto graph = std::make_shared<const Graph>(test::chain(1));
  return test::subject_of(graph, test::schedule_of({{{0}}}), made_up, schedule_kind);
}

TEST(SubjectLabels, SayOnlyWhatTellsThemApart) {
  EXPECT_EQ(labels({run({.stages = {1}}), run({.stages = {1}}, ScheduleKind::kGreedy)}),
            (Labels{"Sequential", "Greedy"}));
  EXPECT_EQ(labels({run({.stages = {1}, .device = "V100"}), run({.stages = {1}, .device = "H200"})}),
            (Labels{"Sequential, V100", "Sequential, H200"}));
  EXPECT_EQ(labels({run({.stages = {1}, .batch = 1}), run({.stages = {1}, .batch = 32})}),
            (Labels{"Sequential, batch 1", "Sequential, batch 32"}));
  EXPECT_EQ(labels({run({.stages = {1}}), run({.stages = {1}})}), (Labels{"Sequential", "Sequential, run 2"}));
  EXPECT_EQ(labels({}), Labels{});
}

TEST(SubjectStatistics, AreOfTheRounds) {
  const Subject made = run({.stages = {2}, .spread = 0.5, .samples = 70, .origin = Origin::kMeasured});
  auto comparison = std::make_shared<Comparison>(*made.comparison);
  comparison->results[0].rounds = {Millis(1), Millis(2), Millis(2), Millis(2), Millis(2), Millis(3), Millis(9)};
  comparison->results[0].discarded = 4;
  const SubjectStatistics statistics = statistics_of({comparison, 0});
  EXPECT_DOUBLE_EQ(statistics.mean->count(), 3);
  EXPECT_EQ(statistics.lowest, Millis(1));
  EXPECT_EQ(statistics.highest, Millis(9));
  ASSERT_TRUE(statistics.interval);
  EXPECT_LE(statistics.interval->low, Millis(2));
  EXPECT_GE(statistics.interval->high, Millis(2));
  EXPECT_EQ(statistics.rounds, 7U);
  EXPECT_EQ(statistics.discarded, 4);
  EXPECT_FALSE(statistics_of(made).mean);
}

}  // namespace
}  // namespace iosx
