#include "core/analysis/compare/end_to_end.h"

#include "core/analysis/compare/compare.h"
#include "core/devices/measure/statistics.h"
#include "core/model/schedule/baselines.h"
#include "tests/support/fake_devices.h"
#include "tests/support/graphs.h"
#include "tests/support/lower.h"
#include "tests/support/prelude.h"

namespace iosx {
namespace {

using test::FakeDevice;

class EndToEndTest : public testing::Test {
 protected:
  EndToEndTest()
      : graph_(test::fork_join(3)),
        first_(lower(graph_, one_by_one_schedule(graph_), 1)),
        second_(lower(graph_, greedy_schedule(graph_), 1)) {}

  LoadedPlans load(Device& device) const {
    LoadedPlans loaded;
    for (const ExecutionPlan* plan : {&first_, &second_}) {
      auto held = load_to_time(device, *plan, {});
      EXPECT_TRUE(held);
      loaded.push_back(std::move(*held));
    }
    return loaded;
  }

  Graph graph_;
  ExecutionPlan first_;
  ExecutionPlan second_;
};

// Every second round backwards.
TEST_F(EndToEndTest, InterleavesThePlansOfAMeasuredDevice) {
  FakeDevice device(Origin::kMeasured);
  const auto runs = must(run_interleaved(load(device), Timing{.rounds = 3, .round = {.repeats = 5}}, {}));
  EXPECT_THAT(device.runs, ElementsAre(0, 1, 1, 0, 0, 1));
  ASSERT_EQ(device.loads.size(), 2U);  // not once a round
  EXPECT_TRUE(device.loads[0].tune && device.loads[1].tune);
  EXPECT_EQ(runs[0].latency.samples, 15);
  EXPECT_EQ(runs[0].samples.size(), 15U) << "the runs of all rounds";
  EXPECT_EQ(runs[0].trace.stages.size(), first_.stages.size());
  EXPECT_EQ(runs[1].trace.stages.size(), second_.stages.size());
}

TEST_F(EndToEndTest, RunsASimulatedDeviceOnce) {
  FakeDevice device(Origin::kSimulated);
  const auto runs = must(run_interleaved(load(device), Timing{.rounds = 3, .round = {.repeats = 5}}, {}));
  EXPECT_THAT(device.runs, ElementsAre(0, 1));
  EXPECT_EQ(runs[0].latency.samples, 1);
  EXPECT_EQ(runs[0].latency.spread.count(), 0);
  EXPECT_TRUE(runs[0].samples.empty()) << "one run without noise is no distribution";
}

// Runs 0, 3 and 4 are the first plan's.
TEST_F(EndToEndTest, KeepsABoundedNumberOfSamplesOfAllRounds) {
  FakeDevice device(Origin::kMeasured);
  device.drift = [](std::size_t run) { return Millis{static_cast<double>(run)}; };
  const auto runs = must(run_interleaved(load(device), Timing{.rounds = 3, .round = {.repeats = 3000}}, {}));
  const std::vector<Millis>& samples = runs[0].samples;
  EXPECT_EQ(runs[0].latency.samples, 9000);
  ASSERT_EQ(samples.size(), 4000U);
  EXPECT_TRUE(std::ranges::is_sorted(samples)) << "in the order of the rounds, of which each is slower";
  const auto first = std::ranges::count(samples, samples.front());
  EXPECT_NEAR(static_cast<double>(first), 4000.0 / 3, 1) << "as much of every round";
}

// The first round is slow: what it traced is no picture of a run as they are.
TEST_F(EndToEndTest, KeepsTheTraceOfTheRunNearestToTheMedian) {
  FakeDevice device(Origin::kMeasured);
  device.drift = [](std::size_t run) { return run < 2 ? Millis{50} : Millis{0}; };
  const auto runs = must(run_interleaved(load(device), Timing{.rounds = 3, .round = {.repeats = 5}}, {}));
  for (const EndToEnd& run : runs) EXPECT_DOUBLE_EQ(Millis(run.trace.duration).count(), run.latency.value.count());
  EXPECT_EQ(device.runs.size(), 8U) << "one more of each";
  EXPECT_TRUE(device.run_options.back().trace);
  EXPECT_EQ(runs[0].latency.samples, 15) << "these are not timed";
}

TEST_F(EndToEndTest, DoesNotLookForATypicalRunForever) {
  FakeDevice device(Origin::kMeasured);
  // Whatever is watched is slow, as under a profiler: the nearest one is kept.
  device.drift = [](std::size_t run) {
    return run < 2 ? Millis{50} : run < 6 ? Millis{0} : Millis{20 + static_cast<double>(run)};
  };
  const auto runs = must(run_interleaved(load(device), Timing{.rounds = 3, .round = {.repeats = 5}}, {}));
  EXPECT_EQ(device.runs.size(), 6U + 2 * 5U);
  EXPECT_DOUBLE_EQ((Millis(runs[0].trace.duration) - runs[0].latency.value).count(), 26);
}

// A device that slows down by 1 ms a run: both plans see the same drift, and it counts as spread.
TEST_F(EndToEndTest, ShowsDriftAsSpread) {
  FakeDevice device(Origin::kMeasured);
  device.drift = [](std::size_t run) { return Millis{static_cast<double>(run)}; };
  const auto runs = must(run_interleaved(load(device), Timing{.rounds = 3, .round = {.repeats = 1}}, {}));
  EXPECT_DOUBLE_EQ(runs[0].latency.value.count(), 5.5 + 3);  // runs 0, 3 and 4
  EXPECT_DOUBLE_EQ(runs[1].latency.value.count(), 3.3 + 2);  // runs 1, 2 and 5
  EXPECT_DOUBLE_EQ(runs[0].latency.spread.count(), 2);
  EXPECT_DOUBLE_EQ(runs[1].latency.spread.count(), 2);
}

TEST_F(EndToEndTest, TracesOneRoundOnly) {
  FakeDevice device(Origin::kMeasured);
  ASSERT_TRUE(run_interleaved(load(device), Timing{.rounds = 2, .round = {.repeats = 1}}, {}));
  const auto traced = mapped<bool>(device.run_options, &RunOptions::trace);
  EXPECT_THAT(traced, ElementsAre(true, true, false, false));
}

// What is timed is tuned, and loaded once for all rounds; what a stop leaves to be run once is not tuned.
TEST_F(EndToEndTest, AComparisonLoadsEveryPlanOnce) {
  CompareOptions options{.schedule_kinds = {ScheduleKind::kSequential, ScheduleKind::kGreedy}};
  FakeDevice device(Origin::kMeasured);
  ASSERT_TRUE(compare(graph_, device, options, {}));
  EXPECT_EQ(device.runs.size(), 14U);
  ASSERT_EQ(device.loads.size(), 2U);
  EXPECT_TRUE(device.loads[0].tune && device.loads[1].tune);

  FakeDevice stopped(Origin::kMeasured);
  std::stop_source stop;
  stopped.before_run = [&] { stop.request_stop(); };  // in the first round: all are loaded
  ASSERT_TRUE(compare(graph_, stopped, options, {stop.get_token(), {}}));
  EXPECT_EQ(stopped.loads.size(), 2U);

  FakeDevice early(Origin::kMeasured);
  ASSERT_TRUE(compare(graph_, early, options, {stopped_token(), {}}));
  ASSERT_EQ(early.loads.size(), 2U);
  EXPECT_FALSE(early.loads[0].tune || early.loads[1].tune);
}

TEST_F(EndToEndTest, TakesTheMedianClockOfTheRoundsThatKnowIt) {
  FakeDevice device(Origin::kMeasured);
  device.clock_mhz = [](std::size_t run) { return run == 0 ? 0.0 : 1000.0 + static_cast<double>(run); };
  const auto runs = must(run_interleaved(load(device), Timing{.rounds = 4, .round = {.repeats = 1}}, {}));
  EXPECT_EQ(runs[0].latency.clock_mhz, 1004);  // runs 0 (not known), 3, 4 and 7
  EXPECT_EQ(runs[1].latency.clock_mhz, 1005);  // runs 1, 2, 5 and 6
  FakeDevice silent(Origin::kMeasured);
  EXPECT_EQ(run_interleaved(load(silent), Timing{.rounds = 2}, {})->front().latency.clock_mhz, 0);
}

TEST(CombineRounds, TakesMediansAndTheWiderSpread) {
  const std::vector<Latency> rounds{{Millis{3}, Millis{0.5}, 10, Origin::kMeasured},
                                    {Millis{1}, Millis{0.1}, 10, Origin::kMeasured},
                                    {Millis{2}, Millis{0.2}, 5, Origin::kMeasured}};
  const Latency all = combine_rounds(rounds);
  EXPECT_DOUBLE_EQ(all.value.count(), 2);
  EXPECT_DOUBLE_EQ(all.spread.count(), 1);  // half of 3 - 1, more than the median spread 0.2
  EXPECT_EQ(all.samples, 25);
  EXPECT_EQ(all.origin, Origin::kMeasured);
  const std::vector<Latency> even{{Millis{1}, Millis{4}, 1, Origin::kMeasured},
                                  {Millis{2}, Millis{6}, 1, Origin::kMeasured}};
  EXPECT_DOUBLE_EQ(combine_rounds(even).value.count(), 1.5);
  EXPECT_DOUBLE_EQ(combine_rounds(even).spread.count(), 5);
}

// The latency of many runs and the medians of its rounds.
struct Measured {
  Latency latency;
  std::vector<Millis> rounds;
};

Measured measured(std::initializer_list<double> rounds, double spread = 0.1) {
  Measured result;
  for (const double round : rounds) result.rounds.emplace_back(round);
  result.latency = {median(result.rounds), Millis{spread}, 10 * static_cast<std::int64_t>(rounds.size()),
                    Origin::kMeasured};
  return result;
}

Speedup speedup(const Measured& base, const Measured& other) {
  return iosx::speedup(base.latency, base.rounds, other.latency, other.rounds);
}

TEST(SpeedupTest, OfASimulatedDeviceIsExact) {
  const Speedup all = iosx::speedup({.value = Millis{3}, .samples = 1}, {}, {.value = Millis{2}, .samples = 1}, {});
  EXPECT_DOUBLE_EQ(all.value, 1.5);
  EXPECT_DOUBLE_EQ(all.low, 1.5);
  EXPECT_DOUBLE_EQ(all.high, 1.5);
  EXPECT_FALSE(all.within_noise());
  EXPECT_TRUE(all.known());
}

// The clock halves and recovers, far more than the plans differ: pairs of rounds still tell them apart.
TEST(SpeedupTest, IsFreeOfDriftBetweenRounds) {
  const Speedup faster = speedup(measured({10, 11, 14, 20, 16, 12, 10}), measured({9, 10, 13, 18.5, 15, 11, 9}));
  EXPECT_FALSE(faster.within_noise());
  EXPECT_GT(faster.low, 1.05);
  EXPECT_LT(faster.high, 1.15);
}

TEST(SpeedupTest, SaysWhatIsWithinTheNoise) {
  const Speedup same = speedup(measured({10, 11, 10, 11, 10, 11, 10}), measured({9.9, 11.1, 9.8, 11, 10.1, 10.8, 10}));
  EXPECT_TRUE(same.known());
  EXPECT_TRUE(same.within_noise());
  EXPECT_LE(same.low, same.value);
  EXPECT_GE(same.high, same.value);
}

TEST(SpeedupTest, OfFewRoundsFollowsTheSpreads) {
  EXPECT_TRUE(speedup(measured({10, 10}, 1), measured({9, 9}, 0.5)).within_noise());
  EXPECT_FALSE(speedup(measured({10, 10}, 0.3), measured({9, 9}, 0.3)).within_noise());
}

TEST(SpeedupTest, OfTwoRunsIsNotKnown) {
  Measured once = measured({10});
  once.latency.samples = 1;
  const Speedup unknown = speedup(once, measured({5}));
  EXPECT_FALSE(unknown.known());
  EXPECT_TRUE(unknown.within_noise());
  EXPECT_DOUBLE_EQ(unknown.value, 2);
}

}  // namespace
}  // namespace iosx
