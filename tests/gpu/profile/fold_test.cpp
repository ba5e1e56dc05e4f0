#include "gpu/profile/fold.h"
#include "gpu/profile/cupti_profiler.h"
#include "gpu/profile/timeline.h"
#include "tests/support/prelude.h"

namespace iosx::gpu {
namespace {

constexpr std::size_t kBusy = 0;
constexpr std::size_t kWarps = 1;

// Activity of one replay: stages with a constant number of warps, µs each.
struct Activity {
  struct Stage {
    double length;
    double warps;
  };
  std::vector<Stage> stages;

  double duration() const {
    double sum = 0;
    for (const Stage& stage : stages) sum += stage.length;
    return sum;
  }
  // Warps · µs from the start until then.
  double area(double until) const {
    double sum = 0;
    double begin = 0;
    for (const Stage& stage : stages) {
      sum += stage.warps * std::clamp(until - begin, 0.0, stage.length);
      begin += stage.length;
    }
    return sum;
  }
};

// 23 stages of 8 to 60 µs, as Inception V3's at batch 1.
Activity some_course() {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> length(8, 60);
  std::uniform_real_distribution<double> warps(100, 5000);
  Activity course;
  for (int i = 0; i < 23; ++i) course.stages.push_back({length(random), warps(random)});
  return course;
}

struct Recording {
  double interval = 10;  // µs
  int replays = 200;
  double jitter = 0.01;  // of a replay's duration
  double noise = 0.02;   // of a value
  std::uint32_t seed = 1;
};

// What a sampler with that interval sees of many replays with idle time between them.
std::vector<CounterSample> record(const Activity& course, const Recording& how) {
  std::mt19937 random(how.seed);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  struct Replay {
    double begin;
    double stretch;
  };
  std::vector<Replay> replays;
  double time = 100;
  for (int i = 0; i < how.replays; ++i) {
    replays.push_back({time, 1 + how.jitter * normal(random)});
    time += course.duration() * replays.back().stretch + 60 + 40 * uniform(random);
  }
  std::vector<CounterSample> samples;
  for (double begin = uniform(random) * how.interval; begin < time; begin += how.interval) {
    const double end = begin + how.interval;
    double busy = 0;
    double area = 0;
    for (const Replay& replay : replays) {
      const auto within = [&](double at) { return (at - replay.begin) / replay.stretch; };
      busy += replay.stretch *
              (std::clamp(within(end), 0.0, course.duration()) - std::clamp(within(begin), 0.0, course.duration()));
      area += replay.stretch * (course.area(within(end)) - course.area(within(begin)));
    }
    const double value = area / how.interval * (1 + how.noise * normal(random));
    samples.push_back({std::llround(begin * 1e3), std::llround(end * 1e3), {100 * busy / how.interval, value}});
  }
  return samples;
}

std::vector<std::pair<double, double>> ranges_of(const Activity& course) {
  std::vector<std::pair<double, double>> ranges;
  double at = 0;
  for (const Activity::Stage& stage : course.stages) {
    ranges.emplace_back(at / course.duration(), (at + stage.length) / course.duration());
    at += stage.length;
  }
  return ranges;
}

FoldOptions options_for(const Activity& course, const Recording& how) {
  return {.busy = kBusy,
          .shape = kWarps,
          .idle = Micros{50},
          .expected = Micros{course.duration()},
          .resolution = Micros{how.interval / 2},
          .ranges = ranges_of(course)};
}

// Mean over [begin, end) µs.
double mean_of(const Folded& folded, std::size_t metric, double begin, double end) {
  double area = 0;
  for (std::size_t bin = 0; bin < folded.begins.size(); ++bin) {
    const double next = (bin + 1 < folded.begins.size() ? folded.begins[bin + 1] : folded.duration).count();
    const double share = std::min(end, next) - std::max(begin, folded.begins[bin].count());
    if (share > 0) area += share * folded.values[metric][bin];
  }
  return area / (end - begin);
}

struct Off {
  double rms = 0;     // of the stages' means, as part of their root mean square
  double worst = 0;   // of one stage, as part of the same
  double within = 0;  // share of the stages whose mean is within two standard errors and half a per cent
};

Off off(const Activity& course, const Folded& folded) {
  const double scale = folded.duration.count() / course.duration();  // replays are not equally long
  Off off;
  double begin = 0;
  double squares = 0;
  for (const Activity::Stage& stage : course.stages) {
    const double end = begin + stage.length * scale;
    const double mean = mean_of(folded, kWarps, begin, end);
    const double error = folded.range_errors[kWarps][&stage - course.stages.data()];
    const double difference = std::abs(mean - stage.warps);
    off.rms += difference * difference;
    off.worst = std::max(off.worst, difference);
    if (difference < 2 * error + 0.005 * stage.warps) off.within += 1;
    squares += stage.warps * stage.warps;
    begin = end;
  }
  const auto count = static_cast<double>(course.stages.size());
  off.rms = std::sqrt(off.rms / squares);
  off.worst /= std::sqrt(squares / count);
  off.within /= count;
  return off;
}

TEST(Fold, StagesShorterThanAFewSamplesAreTold) {
  const Activity course = some_course();
  for (const double interval : {2.0, 10.0, 20.0}) {
    const Recording how{.interval = interval, .replays = 60};
    const auto folded = must(fold(record(course, how), options_for(course, how)));
    EXPECT_EQ(folded.replays, 60U);
    EXPECT_EQ(folded.left_out, 0U);
    EXPECT_NEAR(folded.duration.count(), course.duration(), 0.005 * course.duration());
    const Off found = off(course, folded);
    EXPECT_LT(found.rms, 0.005) << interval;
    EXPECT_LT(found.worst, 0.03) << interval;
    EXPECT_GT(found.within, 0.85) << interval;
  }
}

// The busy share of a real GPU may lag behind: then the shape puts replays in place.
TEST(Fold, ReplaysWhoseEdgesAreUncertainAreMovedIntoPlace) {
  const Activity course = some_course();
  const Recording how;
  std::vector<CounterSample> samples = record(course, how);
  std::mt19937 random(3);
  std::uniform_real_distribution<double> lag(0, 50);
  for (CounterSample& sample : samples) {
    double& busy = sample.values[kBusy];
    if (busy > 1 && busy < 99) busy = std::min(100.0, busy + lag(random));
  }
  const auto folded = must(fold(samples, options_for(course, how)));
  EXPECT_LT(off(course, folded).rms, 0.05);
}

// A clock goes on between replays: what is cut off at a replay's ends must not make it rise or fall there.
TEST(Fold, WhatIsNotZeroBetweenReplaysIsNotTakenForWork) {
  const Activity course = some_course();
  const Recording how{.replays = 60};
  std::vector<CounterSample> samples = record(course, how);
  for (CounterSample& sample : samples) sample.values.push_back(1755);
  const auto folded = must(fold(samples, options_for(course, how)));
  EXPECT_NEAR(folded.idle[2], 1755, 1e-6);
  EXPECT_NEAR(folded.idle[kWarps], 0, 1e-6);
  for (const double clock : folded.values[2]) EXPECT_NEAR(clock, 1755, 1e-6);
}

// What differs from replay to replay, not from sample to sample, does not average out within one.
TEST(Fold, ErrorsKnowWhatWholeReplaysHaveInCommon) {
  Activity flat;
  for (int i = 0; i < 10; ++i) flat.stages.push_back({40, 1000});
  double squares = 0;
  double claimed = 0;
  constexpr int kTries = 24;
  for (int attempt = 0; attempt < kTries; ++attempt) {
    const Recording how{.replays = 40, .jitter = 0, .noise = 0, .seed = static_cast<std::uint32_t>(attempt + 1)};
    std::vector<CounterSample> samples = record(flat, how);
    std::mt19937 random(static_cast<std::uint32_t>(attempt));
    std::normal_distribution<double> normal;
    double factor = 1;
    bool busy = false;
    for (CounterSample& sample : samples) {
      if (sample.values[kBusy] > 0 && !busy) factor = 1 + 0.05 * normal(random);
      busy = sample.values[kBusy] > 0;
      sample.values[kWarps] *= factor;
    }
    const auto folded = must(fold(samples, options_for(flat, how)));
    squares += std::pow(mean_of(folded, kWarps, 0, folded.duration.count()) - 1000, 2);
    claimed += folded.mean_errors[kWarps];
  }
  const double real = std::sqrt(squares / kTries);
  EXPECT_GT(claimed / kTries, 0.6 * real);
  EXPECT_LT(claimed / kTries, 1.6 * real);
}

// Without changes given it still finds them, to within its resolution.
TEST(Fold, AWaveOfUnknownChangesIsRecovered) {
  Activity wave;
  for (int i = 0; i < 20; ++i) wave.stages.push_back({40, i % 2 == 0 ? 4000.0 : 1000.0});
  const Recording how;
  FoldOptions options = options_for(wave, how);
  options.ranges.clear();
  const auto folded = must(fold(record(wave, how), options));
  for (int i = 0; i < 20; ++i) {
    const double middle = folded.duration.count() * (i + 0.5) / 20;
    EXPECT_NEAR(mean_of(folded, kWarps, middle - 10, middle + 10), i % 2 == 0 ? 4000 : 1000, 120) << i;
  }
}

TEST(Fold, WhatIsNoWholeReplayIsLeftOut) {
  const Activity course = some_course();
  const Recording how{.replays = 40};
  std::vector<CounterSample> samples = record(course, how);
  // Other work of twice that length, in the idle time at the end.
  std::int64_t time = samples.back().end + 200'000;
  for (int i = 0; i < 150; ++i, time += 10'000) samples.push_back({time, time + 10'000, {100, 7000}});
  for (int i = 0; i < 20; ++i, time += 10'000) samples.push_back({time, time + 10'000, {0, 0}});
  samples.push_back({time, time, {100, 7000}});  // zero-length, as after a stop
  samples.push_back({time, time + 10'000, {std::nan(""), 1}});
  const auto folded = must(fold(samples, options_for(course, how)));
  EXPECT_EQ(folded.replays, 40U);
  EXPECT_EQ(folded.left_out, 1U);
  EXPECT_LT(off(course, folded).rms, 0.05);
}

// What a real GPU gave: while it is sampled it is never quite idle.
TEST(Fold, SamplesOfAnH100AreFolded) {
  std::ifstream file(std::string(IOS_SOURCE_FOLDER) + "/tests/gpu/profile/h100_samples.txt");
  std::vector<CounterSample> samples;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    CounterSample& sample = samples.emplace_back();
    sample.values.resize(3);
    std::istringstream(line) >> sample.begin >> sample.end >> sample.values[0] >> sample.values[1] >> sample.values[2];
  }
  ASSERT_EQ(samples.size(), 1300U);
  const auto folded = fold(samples, {.busy = kBusy,
                                     .shape = kWarps,
                                     .idle = Micros{40},
                                     .expected = Micros{224.3},
                                     .resolution = Micros{2.5},
                                     .ranges = {}});
  ASSERT_TRUE(folded) << folded.error().line();
  EXPECT_GE(folded->replays, 22U);
  EXPECT_LE(folded->left_out, 2U);
  EXPECT_NEAR(folded->duration.count(), 216, 2);
  EXPECT_NEAR(folded->idle[kBusy], 6.5, 0.2);
  EXPECT_EQ(folded->idle[kWarps], 0);
  double area = 0;
  for (std::size_t bin = 0; bin < folded->begins.size(); ++bin) {
    const Micros end = bin + 1 < folded->begins.size() ? folded->begins[bin + 1] : folded->duration;
    area += folded->values[kWarps][bin] * (end - folded->begins[bin]).count();
  }
  EXPECT_NEAR(area / folded->duration.count(), 2560, 60) << "as at 20 and at 100 us, too";
}

TEST(Fold, TooFewReplaysAreRefused) {
  const Activity course = some_course();
  const Recording how{.replays = 5};
  const Error error = refused(fold(record(course, how), options_for(course, how)));
  EXPECT_NE(error.text().find("only 5 of 5 replays"), std::string::npos) << error.text();
  EXPECT_FALSE(fold({}, options_for(course, how)));
}

// Which captured node a launch is of, whatever order a profiler tells it in.

constexpr GraphNode kCaptured{100};
constexpr GraphNode kClone{200};
constexpr GraphNode kCloneOfClone{300};

TEST(NodeOrigins, OfACloneIsWhatWasCaptured) {
  NodeOrigins nodes;
  nodes.made(1, kCaptured);
  nodes.cloned(2, kClone, kCaptured);
  nodes.cloned(3, kCloneOfClone, kClone);
  EXPECT_EQ(nodes.origin(1), kCaptured);
  EXPECT_EQ(nodes.origin(2), kCaptured);
  EXPECT_EQ(nodes.origin(3), kCaptured);
  EXPECT_EQ(nodes.origin(4), kNoNode);
}

TEST(NodeOrigins, AreNotLostWhereClonesAreCalledMadeAsWell) {
  for (const bool made_first : {false, true}) {
    for (const bool instantiation_is_told : {false, true}) {
      NodeOrigins nodes;
      nodes.made(1, kCaptured);
      nodes.set_instantiating(instantiation_is_told);
      if (made_first) nodes.made(2, kClone);
      nodes.cloned(2, kClone, kCaptured);
      if (!made_first) nodes.made(2, kClone);
      nodes.set_instantiating(false);
      EXPECT_EQ(nodes.origin(2), kCaptured) << made_first << instantiation_is_told;
    }
  }
}

TEST(NodeOrigins, WhatIsMadeWhileAGraphIsMadeReadyIsNoNodeOfOurs) {
  NodeOrigins nodes;
  nodes.set_instantiating(true);
  nodes.made(2, kClone);
  EXPECT_EQ(nodes.origin(2), kNoNode);
  nodes.set_instantiating(false);
  nodes.made(5, kCaptured);
  EXPECT_EQ(nodes.origin(5), kCaptured);
}

Properties hopper() {
  Properties gpu{.warps_per_sm = 64,
                 .blocks_per_sm = 32,
                 .registers_per_sm = 65536,
                 .shared_bytes_per_sm = 233472,
                 .reserved_shared_bytes = 1024};
  return gpu;
}

LaunchRecord launch(int threads, int registers, std::int64_t shared_bytes) {
  return LaunchRecord{.block = {threads, 1, 1}, .registers = registers, .shared_bytes = shared_bytes};
}

// Expected by NVIDIA's occupancy calculator for compute capability 9.0.
TEST(Occupancy, IsLimitedByWhateverIsShort) {
  const Properties gpu = hopper();
  EXPECT_DOUBLE_EQ(occupancy(launch(256, 32, 0), gpu), 1);
  EXPECT_DOUBLE_EQ(occupancy(launch(32, 32, 0), gpu), 0.5) << "32 blocks at most";
  EXPECT_DOUBLE_EQ(occupancy(launch(256, 64, 0), gpu), 0.5) << "registers";
  EXPECT_DOUBLE_EQ(occupancy(launch(256, 255, 0), gpu), 0.125);
  EXPECT_DOUBLE_EQ(occupancy(launch(128, 168, 0), gpu), 0.1875) << "a scheduler's share holds 3 warps";
  EXPECT_DOUBLE_EQ(occupancy(launch(384, 168, 229376), gpu), 0.1875) << "one block's shared memory";
  EXPECT_DOUBLE_EQ(occupancy(launch(128, 32, 49152), gpu), 0.25) << "four blocks' shared memory";
  EXPECT_DOUBLE_EQ(occupancy(launch(1024, 65, 0), gpu), 0) << "cannot be launched";
}

TEST(Occupancy, IsUnknownWithoutLimits) {
  EXPECT_EQ(occupancy(launch(256, 32, 0), Properties{}), 0);
  EXPECT_EQ(occupancy(LaunchRecord{}, hopper()), 0);
}

}  // namespace

}  // namespace iosx::gpu
