#include "tests/gpu/measure/measuring.h"
#include "tests/support/prelude.h"

namespace iosx::gpu {
namespace {

using namespace std::chrono_literals;
using test::Measuring;

// 1 ms of work.
Measuring::Cost slow() {
  return [](const Step&) { return std::pair(Micros{1000}, 0.0); };
}

class ClockGuardTest : public testing::Test {
 protected:
  // The clocks that the GPU will show, one a look; the last one stays.
  void script(std::vector<double> clocks) {
    m.clock_mhz = [this, clocks = std::move(clocks), next = std::size_t{0}]() mutable {
      ++looks;
      return clocks[std::min(next++, clocks.size() - 1)];
    };
  }
  // A clock that stays low and never stands still.
  void unsteady() {
    m.clock_mhz = [n = 0]() mutable { return ++n % 2 == 0 ? 1000.0 : 800.0; };
  }
  void work() {
    ++works;
    m.launch(1);
    m.runtime.synchronize(StreamId{0});
  }
  bool warm_up(const JobContext& job = {}) {
    return m.guard.warm_up([&] { work(); }, job);
  }
  bool sample_counts(const JobContext& job = {}) {
    return m.guard.sample_counts([&] { work(); }, job);
  }

  Measuring m{slow()};
  int works = 0;
  int looks = 0;
};

TEST_F(ClockGuardTest, WarmsUpUntilTheClockHasSettled) {
  script({345, 900, 1500, 1900, 1975, 1980});
  EXPECT_TRUE(warm_up());
  EXPECT_EQ(looks, 6);  // 1975 → 1980 is the first step within 1 %
  EXPECT_EQ(m.guard.settled_mhz(), 1980);
}

TEST_F(ClockGuardTest, WarmsUpForTheLeastTimeEvenIfTheClockStandsStill) {
  script({345});
  EXPECT_TRUE(warm_up());
  EXPECT_GE(works, 2);
  EXPECT_LE(works, 3);
}

TEST_F(ClockGuardTest, GivesUpWaitingForAClockThatNeverSettles) {
  m.clock_mhz = [n = 0]() mutable { return ++n % 2 == 0 ? 1000.0 : 2000.0; };
  EXPECT_TRUE(warm_up());
  EXPECT_GE(works, 20);
  EXPECT_LE(works, 22);
}

TEST_F(ClockGuardTest, WarmsUpAgainOnlyAfterTheGpuWasIdle) {
  ASSERT_TRUE(warm_up());
  const int first = works;
  m.slept += 500ms;
  EXPECT_TRUE(warm_up());
  EXPECT_EQ(works, first);
  m.slept += 1100ms;
  EXPECT_TRUE(warm_up());
  EXPECT_GT(works, first);
}

TEST_F(ClockGuardTest, StopsDuringTheWarmUp) {
  std::stop_source stop;
  EXPECT_FALSE(m.guard.warm_up([&] { stop.request_stop(); }, {stop.get_token(), {}}));
  EXPECT_FALSE(warm_up({stop.get_token(), {}}));
  EXPECT_EQ(works, 0);
}

// An idle clock is answered by work, not by waiting, which would keep it idle.
TEST_F(ClockGuardTest, WorksUntilALowClockIsUpAgain) {
  script({2000});
  ASSERT_TRUE(warm_up());
  script({2000, 1499, 1400, 1490, 1501});
  EXPECT_TRUE(sample_counts());
  const int before = works;
  EXPECT_FALSE(sample_counts());
  EXPECT_EQ(works - before, 3);  // until it shows 1501
  EXPECT_EQ(m.slept, 0ms);
  EXPECT_TRUE(sample_counts());
  EXPECT_EQ(m.guard.discarded(), 1);
  EXPECT_FALSE(m.guard.throttled());
  EXPECT_EQ(m.guard.take_clock_mhz(), 2000);  // of 1501 and 2000 the upper one; 1499 did not count
  EXPECT_EQ(m.guard.take_clock_mhz(), 0);
}

TEST_F(ClockGuardTest, PausesWhereWorkDoesNotRaiseTheClock) {
  script({2000});
  ASSERT_TRUE(warm_up());
  unsteady();
  const int before = works;
  EXPECT_FALSE(sample_counts());
  EXPECT_GE(works - before, 5);  // 5 ms of 1 ms each
  EXPECT_LE(works - before, 6);
  EXPECT_EQ(m.slept, 50ms);
}

TEST_F(ClockGuardTest, WorksNoFurtherAfterAStop) {
  script({2000});
  ASSERT_TRUE(warm_up());
  script({1000});
  const int before = works;
  EXPECT_FALSE(sample_counts({stopped_token(), {}}));
  EXPECT_EQ(works, before);
}

// However often the GPU idles between samples, it is no throttling one.
TEST_F(ClockGuardTest, LosesNoPatienceWithAGpuThatWorkWakesUp) {
  script({2000});
  ASSERT_TRUE(warm_up());
  m.clock_mhz = [n = 0]() mutable { return ++n % 2 == 0 ? 2000.0 : 1000.0; };
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(sample_counts());
  EXPECT_EQ(m.guard.discarded(), 100);
  EXPECT_EQ(m.slept, 0ms);
  EXPECT_FALSE(m.guard.throttled());
}

// Work that draws the clock down, and lighter work that lets it rise: that must come to an end too.
TEST_F(ClockGuardTest, LetsSamplesCountAfterTooManyDiscardedOnesAndSaysSo) {
  script({2000});
  ASSERT_TRUE(warm_up());
  m.clock_mhz = [n = 0]() mutable { return ++n % 2 == 0 ? 2000.0 : 1000.0; };
  int tries = 1;
  for (; !sample_counts(); ++tries) ASSERT_LT(tries, 1000);
  EXPECT_EQ(tries, 101);
  EXPECT_TRUE(m.guard.throttled());
}

// Heavy work draws more power than there is: its clock is low, stands still, and is the one that it has.
TEST_F(ClockGuardTest, TakesASteadyLowClockForThatOfThisWork) {
  script({2000});
  ASSERT_TRUE(warm_up());
  script({1400, 1410, 1390, 1405});
  EXPECT_FALSE(sample_counts());
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(sample_counts());
  EXPECT_EQ(m.slept, 0ms);
  EXPECT_EQ(m.guard.discarded(), 1);
  EXPECT_TRUE(m.guard.take_throttled());
  EXPECT_EQ(m.guard.settled_mhz(), 2000);
  script({1000});
  EXPECT_FALSE(sample_counts()) << "lower than that";
  EXPECT_EQ(m.guard.take_clock_mhz(), 1405);
  script({1400});
  EXPECT_TRUE(sample_counts());
  script({2000, 1400});
  EXPECT_TRUE(sample_counts());
  EXPECT_FALSE(sample_counts()) << "it can be as fast as ever";
}

TEST_F(ClockGuardTest, LetsSamplesCountAfterTooManyPausesAndSaysSo) {
  script({2000});
  ASSERT_TRUE(warm_up());
  unsteady();
  int tries = 1;
  for (; !sample_counts(); ++tries) ASSERT_LT(tries, 1000);
  EXPECT_EQ(tries, 11);
  EXPECT_TRUE(m.guard.throttled());
  EXPECT_EQ(m.guard.discarded(), 10);
  EXPECT_EQ(m.slept, 500ms);
  EXPECT_TRUE(sample_counts());  // without a further pause
  EXPECT_EQ(m.slept, 500ms);
}

// Otherwise a sample could take seconds again and again.
TEST_F(ClockGuardTest, GivesUpSoonerWhereGoodSamplesAreRare) {
  script({2000});
  ASSERT_TRUE(warm_up());
  m.clock_mhz = [n = 0]() mutable { return ++n % 100 == 0 ? 2000.0 : 1000.0; };
  for (int i = 0; i < 300; ++i) sample_counts();
  EXPECT_TRUE(m.guard.throttled());
  EXPECT_LT(m.guard.discarded(), 40);
}

TEST_F(ClockGuardTest, FollowsAClockThatRisesAfterItHadSettled) {
  script({1200});
  ASSERT_TRUE(warm_up());
  script({1980});
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(sample_counts());
  EXPECT_EQ(m.guard.settled_mhz(), 1980);
  script({1200});
  EXPECT_FALSE(sample_counts());
}

TEST_F(ClockGuardTest, DoesNotFollowAnOutlier) {
  script({1200});
  ASSERT_TRUE(warm_up());
  script({1200, 1200, 5000, 1200, 1200, 1200});
  for (int i = 0; i < 6; ++i) EXPECT_TRUE(sample_counts());
  EXPECT_EQ(m.guard.settled_mhz(), 1200);
}

TEST_F(ClockGuardTest, CountsSamplesWhereTheClockCannotBeRead) {
  script({0});
  EXPECT_TRUE(warm_up());
  EXPECT_TRUE(sample_counts());
  EXPECT_EQ(m.guard.take_clock_mhz(), 0);
}

using test::Measuring;

constexpr Sentinel::Options kSmall{.tolerance = 0.03, .repeats = 2, .samples = 5, .launches = 8, .elements = 64};

class SentinelTest : public testing::Test {
 protected:
  Result<std::vector<Latency>> one(Millis value) {
    ++batches;
    return std::vector{Latency{value, Millis{0.1}, 10, Origin::kMeasured}};
  }
  // Measures a batch that slows the GPU by this factor each time.
  std::vector<Latency> slowed(double factor) {
    const auto batch = [&] {
      slowness *= factor;
      return one(Millis{5});
    };
    return must(sentinel.measure_watched(batch, {}));
  }

  double slowness = 1;
  int batches = 0;
  Measuring m{[this](const Step&) { return std::pair(Micros{20 * slowness}, 0.0); }};
  Sentinel sentinel{m.runtime, m.guard, kSmall};
};

TEST_F(SentinelTest, SaysByWhatItMovedSinceTheFirstReading) {
  EXPECT_EQ(sentinel.drift(), 1);
  ASSERT_TRUE(sentinel.read({}));
  EXPECT_NEAR(sentinel.read({})->count(), (8 * 20 + 25) / 1000.0, 1e-9);
  EXPECT_NEAR(sentinel.drift(), 1, 1e-9);
  slowness = 2;
  sentinel.read({});
  EXPECT_NEAR(sentinel.drift(), (8 * 40 + 25) / (8 * 20 + 25.0), 1e-9);
  sentinel.reset();
  EXPECT_EQ(sentinel.drift(), 1);
  EXPECT_TRUE(sentinel.read({}));
}

TEST_F(SentinelTest, LeavesAQuietBatchAlone) {
  const auto latencies = slowed(1.02);
  EXPECT_EQ(batches, 1);
  EXPECT_EQ(latencies.front().spread, Millis{0.1});
  EXPECT_EQ(sentinel.repeated(), 0);
}

TEST_F(SentinelTest, ReadsOnceBetweenTwoBatches) {
  const auto readings = [&](Micros pause) {
    const auto batch = [&] { return one(Millis{5}); };
    EXPECT_TRUE(sentinel.measure_watched(batch, {}));
    m.slept += std::chrono::duration_cast<ClockGuard::Clock::duration>(pause);
    const auto before = m.runtime.now();
    EXPECT_TRUE(sentinel.measure_watched(batch, {}));
    constexpr int kReplays = 2 * (5 + 1);  // of a reading: each with one that keeps the GPU busy
    return (m.runtime.now() - before) / (kReplays * Micros{8 * 20 + 25});
  };
  EXPECT_NEAR(readings(Micros{10'000}), 1, 0.01);
  EXPECT_NEAR(readings(Micros{100'000}), 2, 0.01);
}

TEST_F(SentinelTest, MeasuresABatchAgainDuringWhichTheGpuDrifted) {
  const auto latencies = must(sentinel.measure_watched(
      [&] {
        if (batches == 0) slowness = 1.1;
        return one(Millis{5.0 + batches});
      },
      {}));
  EXPECT_EQ(batches, 2);
  EXPECT_EQ(latencies.front().value, Millis{6});
  EXPECT_EQ(latencies.front().spread, Millis{0.1});
  EXPECT_EQ(sentinel.repeated(), 1);
  EXPECT_EQ(sentinel.drifted(), 0);
}

TEST_F(SentinelTest, AcceptsAGpuThatKeepsDriftingAndAddsThatToTheSpread) {
  sentinel.read({});
  const double before = 1.2 * 1.2;
  const auto latencies = slowed(1.2);
  EXPECT_EQ(batches, 3);
  EXPECT_EQ(sentinel.repeated(), 2);
  EXPECT_EQ(sentinel.drifted(), 1);
  const double moved = (160 * before * 1.2 + 25) / (160 * before + 25) - 1;
  EXPECT_NEAR(latencies.front().spread.count(), 0.1 + moved * 5, 1e-9);
}

TEST_F(SentinelTest, PassesErrorsAndStopsOn) {
  const auto failed =
      sentinel.measure_watched([]() -> Result<std::vector<Latency>> { return fail(message("no")); }, {});
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().what, "no");

  std::stop_source stop;
  const JobContext job{stop.get_token(), {}};
  const auto prefix = must(sentinel.measure_watched(
      [&] {
        slowness = 3;
        stop.request_stop();
        return one(Millis{5});
      },
      job));
  EXPECT_EQ(prefix.size(), 1U);
  EXPECT_EQ(batches, 1);
  EXPECT_TRUE(must(sentinel.measure_watched([&] { return one(Millis{5}); }, job)).empty());
  EXPECT_EQ(batches, 1);
}

TEST_F(SentinelTest, GivesItsMemoryBack) {
  const auto before = m.runtime.allocated_bytes();
  sentinel.read({});
  EXPECT_GE(m.runtime.allocated_bytes(), before + 3 * 64 * 4);
  sentinel.reset();
  EXPECT_EQ(m.runtime.allocated_bytes(), before);
}

}  // namespace

}  // namespace iosx::gpu
