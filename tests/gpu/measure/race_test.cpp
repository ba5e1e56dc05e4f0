#include "gpu/measure/race.h"

#include <gmock/gmock.h>

#include "gpu/runtime/errors.h"
#include "tests/devices/measure/samples.h"
#include "tests/gpu/measure/measuring.h"

namespace iosx::gpu {
namespace {

using iosx::test::Samples;
using test::Measuring;
using testing::Each;
using testing::ElementsAre;

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
