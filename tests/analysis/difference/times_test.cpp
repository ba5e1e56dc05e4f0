#include "tests/support/graphs.h"
#include "tests/support/made_up_comparison.h"
#include "tests/support/prelude.h"

namespace iosx {
namespace {

using test::schedule_of;
using test::subject_of;

struct Ran {
  std::size_t unit;
  std::size_t stage;
  double begin;  // µs
  double end;
};

// A kernel a unit, each on a lane of its own.
void trace(ScheduleResult& result, const std::vector<Ran>& ran, double duration) {
  result.plan = {};
  result.trace = {};
  for (const Ran& each : ran) {
    Kernel kernel{.units = {UnitId(each.unit)}, .stage = each.stage, .lane = result.plan.kernels.size()};
    const KernelId id(result.plan.kernels.size());
    result.plan.kernels.push_back(kernel);
    result.trace.kernels.push_back({"k", id, kernel.lane, each.stage, Micros(each.begin), Micros(each.end)});
  }
  result.trace.duration = Micros(duration);
}

// One that can be changed.
struct Changeable {
  std::shared_ptr<Comparison> comparison;
  Subject subject;
  explicit Changeable(const Subject& made)
      : comparison(std::make_shared<Comparison>(*made.comparison)), subject{comparison, 0} {}
  ScheduleResult& result() const { return comparison->results[0]; }
};

Changeable four_units(const std::vector<std::vector<std::vector<std::size_t>>>& stages, const test::MadeUpRun& run) {
  return Changeable(subject_of(std::make_shared<const Graph>(test::two_parts()), schedule_of(stages), run));
}

std::vector<double> micros(const std::vector<Micros>& times) {
  std::vector<double> plain;
  plain.reserve(times.size());
  for (const Micros time : times) plain.push_back(time.count());
  return plain;
}

TEST(KernelShares, ThoseThatRunAtTheSameTimeShareIt) {
  const Changeable made = four_units({{{0}}, {{1}}, {{2}}, {{3}}}, {.stages = {1, 1, 1, 1}});
  trace(made.result(), {{0, 0, 0, 4}, {1, 1, 2, 6}, {2, 2, 7, 8}}, 8);
  made.result().lanes = LaneSchedule{};
  EXPECT_THAT(micros(kernel_shares(made.result())), ElementsAre(3, 3, 2));
}

TEST(KernelShares, WhatABarrierTakesIsNoKernels) {
  const Changeable made = four_units({{{0}, {1}}, {{2, 3}}}, {.stages = {1, 1}});
  trace(made.result(), {{0, 0, 1, 4}, {1, 0, 1, 3}, {2, 1, 6, 8}, {3, 1, 9, 10}}, 10);
  EXPECT_THAT(micros(kernel_shares(made.result())), ElementsAre(2, 1, 2, 2));  // µs 8 to 9 are the last one's
}

// A device's launch, say: a stage's latency has it too.
TEST(KernelShares, WhatAStageTakesBeforeItsFirstKernelIsThatKernels) {
  const Changeable made = four_units({{{0}, {1}}, {{2, 3}}}, {.stages = {1, 1}});
  trace(made.result(), {{0, 0, 1, 4}, {1, 0, 1, 3}, {2, 1, 6, 8}, {3, 1, 9, 10}}, 10);
  made.result().trace.stages = {{.begin = Micros(0), .end = Micros(4)}, {.begin = Micros(5.5), .end = Micros(10)}};
  EXPECT_THAT(micros(kernel_shares(made.result())), ElementsAre(3, 1, 2.5, 2));  // µs 4 to 5.5 are a barrier's
}

TEST(KernelShares, AreNoneWithoutATrace) {
  const Changeable made = four_units({{{0, 1}}, {{2, 3}}}, {.stages = {1, 1}});
  EXPECT_THAT(kernel_shares(made.result()), IsEmpty());
}

TEST(StageTimes, AreLatenciesWhereStagesRun) {
  const Changeable made = four_units({{{0, 1}}, {{2, 3}}}, {.stages = {1, 2}, .between = 0.5});
  EXPECT_EQ(stage_times(made.subject), made.result().stage_latencies);
}

TEST(StageTimes, WithoutBarriersAddUpToTheRun) {
  const Changeable made = four_units({{{0, 1}}, {{2, 3}}}, {.stages = {1, 2}});
  trace(made.result(), {{0, 0, 0, 4}, {2, 1, 0, 4}, {1, 0, 4, 6}, {3, 1, 7, 10}}, 10);
  made.result().lanes = LaneSchedule{};
  made.result().latency.value = Millis(20);  // the trace is half as long in its own time
  const auto times = stage_times(made.subject);
  ASSERT_EQ(times.size(), 2U);
  EXPECT_DOUBLE_EQ(times[0].value.count(), 8);
  EXPECT_DOUBLE_EQ(times[1].value.count(), 12);
  made.result().trace = {};
  EXPECT_THAT(stage_times(made.subject), IsEmpty());
}

TEST(TimesOfSets, PartAStageAsItsKernelsWere) {
  const Changeable made = four_units({{{0, 1}}, {{2, 3}}}, {.stages = {3, 4}});
  const std::vector<std::optional<std::size_t>> sets{0, 1, 1, std::nullopt};
  auto times = times_of_sets(made.subject, sets, 2);
  EXPECT_FALSE(times[0]);  // nobody knows how long each unit of a stage took
  EXPECT_FALSE(times[1]);
  trace(made.result(), {{0, 0, 0, 1}, {1, 0, 1, 3}, {2, 1, 4, 7}, {3, 1, 7, 8}}, 8);
  times = times_of_sets(made.subject, sets, 2);
  ASSERT_TRUE(times[0] && times[1]);
  ASSERT_EQ(times[0]->size(), 1U);
  ASSERT_EQ(times[1]->size(), 2U);
  EXPECT_DOUBLE_EQ(times[0]->at(0).value.count(), 1);
  EXPECT_DOUBLE_EQ(times[1]->at(0).value.count(), 2);
  EXPECT_DOUBLE_EQ(times[1]->at(1).value.count(), 3);
}

TEST(TimesOfSets, KnowNothingOfAKernelOfSeveralSets) {
  const Changeable made = four_units({{{0, 1}}, {{2, 3}}}, {.stages = {3, 4}});
  trace(made.result(), {{0, 0, 0, 1}, {2, 1, 4, 7}, {3, 1, 7, 8}}, 8);
  made.result().plan.kernels[0].units = {UnitId(0), UnitId(1)};
  const auto times = times_of_sets(made.subject, std::vector<std::optional<std::size_t>>{0, 1, 2, 2}, 3);
  EXPECT_FALSE(times[0]);
  EXPECT_FALSE(times[1]);
  ASSERT_TRUE(times[2]);
  EXPECT_DOUBLE_EQ(times[2]->at(0).value.count(), 4);
}

std::vector<std::string> labels(std::vector<Subject> subjects) {
  label_subjects(subjects);
  return mapped<std::string>(subjects, &Subject::label);
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

Latency measured(double value, double spread, std::int64_t samples = 100) {
  return {Millis(value), Millis(spread), samples, Origin::kMeasured};
}

TEST(Delta, ClaimsNothingInsideItsNoise) {
  EXPECT_EQ((Delta{Millis(-0.2), Millis(0.1)}).verdict(), Verdict::kFaster);
  EXPECT_EQ((Delta{Millis(0.2), Millis(0.1)}).verdict(), Verdict::kSlower);
  EXPECT_EQ((Delta{Millis(-0.1), Millis(0.1)}).verdict(), Verdict::kSame);
  EXPECT_EQ((Delta{Millis(-0.2), std::nullopt}).verdict(), Verdict::kUnknown);
  EXPECT_EQ((Delta{Millis(0), std::nullopt}).verdict(), Verdict::kSame);
  EXPECT_EQ((Delta{Millis(1e-9), Millis(0)}).verdict(), Verdict::kSame);  // what sums are off by
}

TEST(DeltaSum, OfExactLatenciesHasNoNoise) {
  DeltaSum sum;
  sum.add({Millis(1.5), Millis(0), 1, Origin::kSimulated}, -1);
  sum.add({Millis(1.0), Millis(0), 1, Origin::kSimulated});
  EXPECT_DOUBLE_EQ(sum.delta().value.count(), -0.5);
  EXPECT_EQ(sum.delta().noise, Millis(0));
}

TEST(DeltaSum, AddsUnlikeErrorsAsIndependentOnes) {
  DeltaSum sum;
  sum.add(measured(1, 0.3), -1);
  sum.add(measured(2, 0.4));
  EXPECT_DOUBLE_EQ(sum.delta().noise->count(), std::hypot(0.3, 0.4) * 1.2533 / 10);
}

TEST(DeltaSum, OfOneMeasurementErrsOnceForEachTimeItIsThere) {
  DeltaSum sum;
  sum.add(measured(1, 0.3));
  sum.add(measured(1, 0.3));
  EXPECT_DOUBLE_EQ(sum.delta().noise->count(), 2 * 0.3 * 1.2533 / 10);
  sum.add(measured(1, 0.3), -2);  // both sides have it: nothing is left of its error
  EXPECT_EQ(sum.delta().noise, Millis(0));
  EXPECT_EQ(sum.delta().verdict(), Verdict::kSame);
}

TEST(DeltaSum, OfTooFewSamplesIsOfUnknownNoise) {
  DeltaSum sum;
  sum.add(measured(1, 0, 1), -1);
  sum.add(measured(2, 0.1));
  EXPECT_FALSE(sum.delta().noise);
}

TEST(WholeDifference, SaysTheSameAsTheSpeedup) {
  const auto graph = std::make_shared<const Graph>(test::chain(1));
  const Schedule schedule = test::schedule_of({{{0}}});
  const auto subject = [&](double ms, double spread, std::int64_t samples = 50) {
    return test::subject_of(graph, schedule,
                            {.stages = {ms}, .spread = spread, .samples = samples, .origin = Origin::kMeasured});
  };
  for (const double b : {1.0, 1.9, 1.96, 2.0, 2.05, 2.2, 9.0}) {
    for (const double spread : {0.01, 0.05, 0.5}) {
      const WholeDifference whole = whole_difference(subject(2, spread), subject(b, spread));
      EXPECT_EQ(whole.delta.verdict() == Verdict::kSame, whole.speedup.within_noise() || b == 2.0)
          << b << ' ' << spread;
      if (whole.delta.outside_noise()) {
        EXPECT_EQ(whole.delta.verdict() == Verdict::kFaster, b < 2);
      }
    }
  }
  EXPECT_EQ(whole_difference(subject(2, 0, 1), subject(1, 0, 1)).delta.verdict(), Verdict::kUnknown);
}

TEST(WholeDifference, HeedsRoundsOnlyWithinOneComparison) {
  const auto graph = std::make_shared<const Graph>(test::chain(1));
  auto comparison = std::make_shared<Comparison>();
  comparison->graph = graph;
  comparison->device.origin = Origin::kMeasured;
  for (const double ms : {2.0, 1.9}) {
    ScheduleResult& result = comparison->add(ScheduleKind::kByHand, test::schedule_of({{{0}}}));
    result.latency = measured(ms, 0.3);
    result.stage_latencies = {measured(ms, 0.3)};
    // Both drift by as much as ten times their difference.
    for (int round = 0; round < 9; ++round) result.rounds.emplace_back(ms * (1 + 0.05 * round));
  }
  auto copy = std::make_shared<Comparison>(*comparison);
  EXPECT_EQ(whole_difference({comparison, 0}, {comparison, 1}).delta.verdict(), Verdict::kFaster);
  EXPECT_EQ(whole_difference({comparison, 0}, {copy, 1}).delta.verdict(), Verdict::kSame);
}

TEST(WholeDifference, OfSumsThatNobodyRanHasTheNoiseOfTheirStages) {
  const auto graph = std::make_shared<const Graph>(test::chain(2));
  const auto replayed = [&](double ms) {
    const Subject made =
        test::subject_of(graph, test::schedule_of({{{0}}, {{1}}}),
                         {.stages = {1, ms}, .spread = 0.1, .samples = 100, .origin = Origin::kRecorded});
    auto comparison = std::make_shared<Comparison>(*made.comparison);
    comparison->results[0].latency = {Millis(1 + ms), Millis(0), 0, Origin::kRecorded};
    return Subject{comparison, 0};
  };
  const WholeDifference whole = whole_difference(replayed(3), replayed(2));
  // The first stage is one measurement, which both have.
  EXPECT_DOUBLE_EQ(whole.delta.noise->count(), std::hypot(0.1, 0.1) * 1.2533 / 10);
  EXPECT_EQ(whole.delta.verdict(), Verdict::kFaster);
  EXPECT_TRUE(whole.speedup.known());
  EXPECT_FALSE(whole.speedup.within_noise());
}

}  // namespace

}  // namespace iosx
