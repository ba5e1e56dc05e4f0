#include "core/devices/measure/statistics.h"
#include "tests/devices/measure/samples.h"
#include "tests/gpu/measure/measuring.h"
#include "tests/support/prelude.h"

namespace iosx::gpu {
namespace {

using iosx::test::Samples;
using test::HostRuntime;
using test::Measuring;

constexpr std::uint32_t kWork = 1;
constexpr std::uint32_t kFrame = 2;  // once a graph, however many copies

constexpr TimingOptions kTiming{.warmup = 2, .repeats = 10, .max_repeats = 50, .min_time = Millis{2}};

// The work takes 10 µs and what is around it 7 µs, changed by the noise.
Measuring::Cost costs(std::function<double()> noise = [] { return 0.0; }) {
  return [noise = std::move(noise)](const Step& step) {
    return std::pair(Micros{(Measuring::seed_of(step) == kWork ? 10 : 7) + noise()}, 0.0);
  };
}

void enqueue(Measuring& m, int copies) {
  m.launch(kFrame);
  for (int i = 0; i < copies; ++i) m.launch(kWork);
  m.launch(kFrame);
}

std::optional<Latency> per_copy(Measuring& m, const JobContext& job = {}, const TimingOptions& timing = kTiming) {
  return m.timer.per_copy([&](int copies) { enqueue(m, copies); }, timing, job);
}

std::int64_t works(const std::vector<HostRuntime::Operation>& operations) {
  return std::count_if(operations.begin(), operations.end(), [](const auto& operation) {
    const auto* launch = std::get_if<HostRuntime::Launch>(&operation.what);
    return launch != nullptr && Measuring::seed_of(launch->step) == kWork;
  });
}

TEST(ReplayTimer, CancelsWhatAGraphCostsBesidesItsCopies) {
  Measuring m(costs());
  const auto latency = must(per_copy(m));
  EXPECT_NEAR(latency.value.count(), 0.010, 1e-9);
  EXPECT_NEAR(latency.spread.count(), 0, 1e-9);
  EXPECT_EQ(latency.samples, 10);
  EXPECT_EQ(latency.origin, Origin::kMeasured);
}

TEST(ReplayTimer, TakesAsManyCopiesAsLastLongEnough) {
  Measuring m(costs(), Micros{0});
  ASSERT_TRUE(per_copy(m));
  EXPECT_EQ(works(m.runtime.captured()), 2 * 32);  // 16 copies take 174 µs, 32 take 334 µs
}

TEST(ReplayTimer, TakesFewerCopiesForAShortLook) {
  Measuring m(costs(), Micros{0});
  const auto latency = must(per_copy(m, {}, {.warmup = 0, .repeats = 3, .max_repeats = 3, .min_time = Millis{0.2}}));
  EXPECT_NEAR(latency.value.count(), 0.010, 1e-9);
  EXPECT_EQ(works(m.runtime.captured()), 2 * 4);  // 4 copies take 54 µs
}

// Launched one by one it took as long as it does, or longer because the launches are slow: then it is too few copies.
TEST(ReplayTimer, BeginsWithTheCopiesThatARunBeforeAsksFor) {
  for (const auto& [ran, copies] : {std::pair(Millis{0.010}, 20), {Millis{0.020}, 20}, {Millis{1}, 32}}) {
    Measuring m(costs(), Micros{0});
    const auto latency = must(m.timer.per_copy([&](int n) { enqueue(m, n); }, kTiming, {}, ran));
    EXPECT_NEAR(latency.value.count(), 0.010, 1e-9);
    EXPECT_EQ(works(m.runtime.captured()), 2 * copies) << ran.count();
    EXPECT_EQ(works(m.runtime.operations()), 0) << "it ran before";
  }
}

// The interval that should hold the median in at least 95 % of all cases does.
TEST(ReplayTimer, FindsTheMedianOfANoisyWork) {
  int held = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Samples random(seed);
    Measuring m(costs([&] { return 5 * random.uniform() - 2.5; }));
    const auto work = [&](int copies) { enqueue(m, copies); };
    CopyGraphs graphs(m.runtime, work);
    ASSERT_TRUE(graphs.grow(Millis{0.2}, {}));
    std::vector<Millis> samples;
    for (int i = 0; i < 30; ++i) samples.push_back(graphs.sample().per_copy);
    const auto interval = must(median_interval(samples));
    EXPECT_LT(interval.half_width().count(), 0.0005);
    if (interval.low.count() <= 0.010 && interval.high.count() >= 0.010) ++held;
  }
  EXPECT_GE(held, 92);
  EXPECT_LT(held, 100);  // or the noise was none
}

// What is around the copies varies by more than they take.
TEST(ReplayTimer, CountsDifferencesBelowZero) {
  Samples random(7);
  const auto cost = [&](const Step& step) {
    return std::pair(Micros{Measuring::seed_of(step) == kWork ? 1e-3 : 300 * random.uniform()}, 0.0);
  };
  Measuring m(cost);
  const auto latency = must(per_copy(m, {}, {.repeats = 50, .max_repeats = 50, .precision = 0}));
  EXPECT_EQ(latency.samples, 50);
  EXPECT_GE(latency.value.count(), 0);
  EXPECT_GT(latency.spread, latency.value);  // says that nothing is known
}

TEST(ReplayTimer, GivesAnEmptyWorkNoTimeAndBoundsItsCopies) {
  Measuring m;
  int most = 0;
  const auto latency = must(m.timer.per_copy([&](int copies) { most = std::max(most, copies); }, kTiming, {}));
  EXPECT_NEAR(latency.value.count(), 0, 1e-9);
  EXPECT_EQ(most, 2 * CopyGraphs::kMaxCopies);
}

TEST(ReplayTimer, DiscardsSamplesOfALowClock) {
  bool low = false;
  int n = 0;
  Measuring m([&](const Step& step) {
    return std::pair(Micros{(Measuring::seed_of(step) == kWork ? 10.0 : 7.0) * (low ? 2 : 1)}, 0.0);
  });
  m.clock_mhz = [&] {
    const double clock = low ? 900 : 1800;  // of the sample before
    if (m.guard.settled_mhz() > 0) low = ++n % 3 == 0;
    return clock;
  };
  const auto latency = must(per_copy(m, {}, {.repeats = 20, .max_repeats = 20}));
  EXPECT_EQ(latency.samples, 20);
  EXPECT_NEAR(latency.value.count(), 0.010, 1e-9);
  EXPECT_NEAR(latency.spread.count(), 0, 1e-9);
  EXPECT_GT(m.guard.discarded(), 5);
  EXPECT_EQ(latency.clock_mhz, 1800);
}

// Stops the job at one launch after another; there is no result then, unless it was in the last sample.
template <typename Measure>
void stops_everywhere(const Measure& measure, std::int64_t launches_of_a_sample) {
  std::int64_t launches = 0;
  Measuring whole([&](const Step& step) {
    ++launches;
    return costs()(step);
  });
  ASSERT_TRUE(measure(whole, JobContext{}));
  const std::int64_t all = launches;
  for (std::int64_t at = 1; at <= all - launches_of_a_sample; at = at * 6 / 5 + 1) {
    std::stop_source stop;
    launches = 0;
    Measuring m([&](const Step& step) {
      if (++launches == at) stop.request_stop();
      return costs()(step);
    });
    EXPECT_FALSE(measure(m, JobContext{stop.get_token(), {}})) << "launch " << at << " of " << all;
    EXPECT_LE(launches - at, launches_of_a_sample);
  }
}

TEST(ReplayTimer, StopsAnywhere) {
  stops_everywhere([](Measuring& m, const JobContext& job) { return per_copy(m, job); }, 5 * 32 + 6);
  stops_everywhere(
      [](Measuring& m, const JobContext& job) {
        const auto graph = capture_work(m.runtime, [&] { enqueue(m, 8); });
        return m.timer.per_replay(*graph, kTiming, job, [] {});
      },
      17 * 10);
  stops_everywhere(
      [](Measuring& m, const JobContext& job) {
        const auto graph = capture_work(m.runtime, [&] { enqueue(m, 8); });
        return m.timer.per_wait([&] { m.runtime.launch(kOrigin, *graph); }, kTiming, job);
      },
      2 * 10);
}

TEST(ReplayTimer, TimesReplaysBackToBack) {
  Measuring m(costs());
  const auto graph = capture_work(m.runtime, [&] { enqueue(m, 8); });
  int counted = 0;
  const auto latency = must(m.timer.per_replay(*graph, kTiming, {}, [&] { ++counted; }));
  EXPECT_NEAR(latency.value.count(), 0.025 + 0.094, 1e-9);
  EXPECT_EQ(counted, latency.samples);
  EXPECT_EQ(latency.samples, 10);
}

// With the launch; the run whose clock is noted is none of the samples.
TEST(ReplayTimer, TimesWhatTheHostWaits) {
  Measuring m(costs());
  const auto graph = capture_work(m.runtime, [&] { enqueue(m, 8); });
  int launches = 0;
  std::vector<Millis> runs;
  const auto latency = must(m.timer.per_wait(
      [&] {
        ++launches;
        m.slept += std::chrono::microseconds(3);  // of the host
        m.runtime.launch(kOrigin, *graph);
      },
      kTiming, {}, &runs));
  EXPECT_NEAR(latency.value.count(), 0.003 + 0.025 + 0.094, 1e-9);
  EXPECT_EQ(latency.samples, 17);  // 2 ms
  EXPECT_EQ(runs.size(), 17U);
  EXPECT_GE(launches, 2 * 19);
  EXPECT_EQ(latency.clock_mhz, 1500);
}

TEST(ReplayTimer, GivesUpACaptureThatThrows) {
  Measuring m(costs());
  bool threw = false;
  try {
    m.timer.per_copy(
        [&, n = 0](int) mutable {
          if (++n == 2) throw std::runtime_error("no");
          m.launch(kWork);
        },
        kTiming, {});
  } catch (const std::runtime_error&) {
    threw = true;
  }
  EXPECT_TRUE(threw);
  EXPECT_TRUE(per_copy(m));  // the stream is usable
}

using iosx::test::Samples;
using test::Measuring;

// Contender i is a kernel with seed i + 1 that takes costs[i] µs.
class RaceTest : public testing::Test {
 protected:
  void add_all(Race& race) {
    for (std::size_t i = 0; i < costs.size(); ++i) {
      works.push_back([this, i](int copies) {
        for (int copy = 0; copy < copies; ++copy) m.launch(static_cast<std::uint32_t>(i + 1));
      });
    }
    for (const auto& work : works) race.add(work);
  }

  std::vector<double> costs;
  std::vector<std::function<void(int)>> works;
  std::int64_t launches = 0;
  std::int64_t stop_at = -1;
  std::stop_source stop;
  Measuring m{[this](const Step& step) {
    if (++launches == stop_at) stop.request_stop();
    return std::pair(Micros{costs.at(Measuring::seed_of(step) - 1)}, 0.0);
  }};
};

TEST_F(RaceTest, RanksByWhatACopyTakes) {
  costs = {12, 9, 16, 10};
  Race race(m.runtime, m.guard, {});
  add_all(race);
  ASSERT_TRUE(race.run({}));
  EXPECT_THAT(race.ranking(), ElementsAre(1, 3, 0, 2));
  EXPECT_EQ(race.samples(2).size(), 9U);
  for (const Millis sample : race.samples(2)) EXPECT_NEAR(sample.count(), 0.016, 1e-9);
}

TEST_F(RaceTest, DropsTheHopeless) {
  costs = {10, 19, 21, 1000};
  Race race(m.runtime, m.guard, {});
  add_all(race);
  ASSERT_TRUE(race.run({}));
  EXPECT_THAT(race.ranking(), ElementsAre(0, 1));
  EXPECT_EQ(race.samples(2).size(), 1U);  // launches make it look less than twice as slow in single replays
  EXPECT_EQ(race.samples(3).size(), 0U);
  EXPECT_FALSE(race.finished(2));
}

TEST_F(RaceTest, EndsWhenTheTimeIsOver) {
  costs = {2000, 2100};
  Race race(m.runtime, m.guard, {});
  add_all(race);
  ASSERT_TRUE(race.run({}));
  EXPECT_EQ(race.samples(0).size(), 5U);  // of 12 ms each, and the same number of the other
  EXPECT_EQ(race.samples(1).size(), 5U);
  EXPECT_GE(race.took(), Millis{50});
}

TEST_F(RaceTest, DropsRoundsWithALowClock) {
  costs = {10, 11};
  int looks = 0;
  m.clock_mhz = [&] { return m.guard.settled_mhz() > 0 && ++looks % 3 == 0 ? 900.0 : 1800.0; };
  Race race(m.runtime, m.guard, {});
  add_all(race);
  ASSERT_TRUE(race.run({}));
  EXPECT_EQ(race.samples(0).size(), 9U);
  EXPECT_EQ(race.samples(1).size(), 9U);
  EXPECT_EQ(looks,
            23);  // two rounds count; then each that does is followed by a low clock and the look that finds it up
}

TEST_F(RaceTest, StopsBeforeTheNextSample) {
  costs = {10, 11, 12};
  {
    Race race(m.runtime, m.guard, {});
    add_all(race);
    ASSERT_TRUE(race.run({}));
  }
  const std::int64_t all = launches;
  const std::int64_t sample = 5 * 16;
  for (std::int64_t at = 4; at < all - sample; at += 97) {
    launches = 0;
    stop_at = at;
    stop = {};
    works.clear();
    Race race(m.runtime, m.guard, {});
    add_all(race);
    const bool in_time = launches >= at || !race.run({stop.get_token(), {}});
    EXPECT_TRUE(in_time) << at << " of " << all;
    EXPECT_LE(launches - at, sample) << at;
  }
}

TEST_F(RaceTest, GoesOnWithoutAContenderThatThrows) {
  costs = {10, 11, 12};
  Race race(m.runtime, m.guard, {});
  add_all(race);
  works.push_back([](int) { throw Unsupported(verbatim("no")); });
  race.add(works.back());
  ASSERT_TRUE(race.run({}));
  EXPECT_THAT(race.ranking(), ElementsAre(0, 1, 2));
  EXPECT_THROW(std::rethrow_exception(race.failure()), Unsupported);
}

std::vector<Millis> noisy(Samples& random, std::size_t count, double mean) {
  std::vector<Millis> samples;
  for (std::size_t i = 0; i < count; ++i) samples.push_back(random.bell(mean, 0.02));
  return samples;
}

TEST(Faster, NeedsMoreThanNoise) {
  int same = 0;
  int different = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Samples random(seed);
    const auto a = noisy(random, 11, 1);
    const auto b = noisy(random, 11, 1);
    const auto c = noisy(random, 11, 1.1);
    same += faster(a, b) || faster(b, a) ? 1 : 0;
    different += faster(a, c) ? 1 : 0;
    EXPECT_FALSE(faster(c, a));
  }
  EXPECT_LE(same, 10);  // 5 % of both directions
  EXPECT_GE(different, 195);
}

TEST(Faster, IsCarefulWithFewRounds) {
  using V = std::vector<Millis>;
  const V slow{Millis{10}, Millis{10}, Millis{10}};
  EXPECT_TRUE(faster(V{Millis{9}, Millis{9}, Millis{9}}, slow));
  EXPECT_FALSE(faster(V{Millis{9.9}, Millis{9.9}, Millis{9.9}}, slow));
  EXPECT_FALSE(faster(V{Millis{9}, Millis{9}, Millis{10.1}}, slow));
  EXPECT_TRUE(faster(V{Millis{9}}, slow));
  EXPECT_FALSE(faster(V{}, slow));
  EXPECT_FALSE(faster(slow, V{}));
}

}  // namespace

}  // namespace iosx::gpu
