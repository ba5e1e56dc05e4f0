#include "gpu/measure/sentinel.h"

#include <gtest/gtest.h>

#include "tests/gpu/measure/measuring.h"

namespace iosx::gpu {
namespace {

using test::Measuring;

constexpr Sentinel::Options kSmall{.tolerance = 0.03, .repeats = 2, .samples = 5, .launches = 8, .elements = 64};

class SentinelTest : public testing::Test {
 protected:
  Result<std::vector<Latency>> one(Millis value) {
    ++batches;
    return std::vector{Latency{value, Millis{0.1}, 10, Origin::kMeasured}};
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
  const auto latencies = sentinel.measure_watched(
      [&] {
        slowness *= 1.02;
        return one(Millis{5});
      },
      {});
  ASSERT_TRUE(latencies);
  EXPECT_EQ(batches, 1);
  EXPECT_EQ(latencies->front().spread, Millis{0.1});
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
  const auto latencies = sentinel.measure_watched(
      [&] {
        if (batches == 0) slowness = 1.1;
        return one(Millis{5.0 + batches});
      },
      {});
  ASSERT_TRUE(latencies);
  EXPECT_EQ(batches, 2);
  EXPECT_EQ(latencies->front().value, Millis{6});
  EXPECT_EQ(latencies->front().spread, Millis{0.1});
  EXPECT_EQ(sentinel.repeated(), 1);
  EXPECT_EQ(sentinel.drifted(), 0);
}

TEST_F(SentinelTest, AcceptsAGpuThatKeepsDriftingAndAddsThatToTheSpread) {
  sentinel.read({});
  const double before = 1.2 * 1.2;
  const auto latencies = sentinel.measure_watched(
      [&] {
        slowness *= 1.2;
        return one(Millis{5});
      },
      {});
  ASSERT_TRUE(latencies);
  EXPECT_EQ(batches, 3);
  EXPECT_EQ(sentinel.repeated(), 2);
  EXPECT_EQ(sentinel.drifted(), 1);
  const double moved = (160 * before * 1.2 + 25) / (160 * before + 25) - 1;
  EXPECT_NEAR(latencies->front().spread.count(), 0.1 + moved * 5, 1e-9);
}

TEST_F(SentinelTest, PassesErrorsAndStopsOn) {
  const auto failed =
      sentinel.measure_watched([]() -> Result<std::vector<Latency>> { return fail(message("no")); }, {});
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().what, "no");

  std::stop_source stop;
  const JobContext job{stop.get_token(), {}};
  const auto prefix = sentinel.measure_watched(
      [&] {
        slowness = 3;
        stop.request_stop();
        return one(Millis{5});
      },
      job);
  ASSERT_TRUE(prefix);
  EXPECT_EQ(prefix->size(), 1U);
  EXPECT_EQ(batches, 1);
  const auto nothing = sentinel.measure_watched([&] { return one(Millis{5}); }, job);
  ASSERT_TRUE(nothing);
  EXPECT_TRUE(nothing->empty());
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
