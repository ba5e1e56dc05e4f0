#include "core/model/plan/lanes/limited_lanes.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <utility>
#include <vector>

#include "core/model/graph/builder.h"
#include "core/model/plan/memory_plan.h"
#include "core/model/plan/needs.h"
#include "core/model/plan/plan_validity.h"
#include "core/model/schedule/baselines.h"
#include "tests/support/lower.h"
#include "tests/support/random_plans.h"

namespace iosx {
namespace {

constexpr std::int64_t kPlane = 16 * 16 * 4;  // bytes of a channel
constexpr std::int64_t kAny = std::int64_t{1} << 40;
constexpr Micros kWaiting{0.6};

std::vector<KernelId> plans_own(const ExecutionPlan& plan) {
  std::vector<KernelId> order;
  for (std::size_t k = 0; k < plan.kernels.size(); ++k) order.emplace_back(k);
  return order;
}

std::vector<Micros> times(const ExecutionPlan& plan, std::mt19937& random) {
  std::vector<Micros> takes;
  for (std::size_t k = 0; k < plan.kernels.size(); ++k) takes.emplace_back(1 + random() % 10);
  return takes;
}

std::int64_t peak_of(const ExecutionPlan& staged, const LaneSchedule& lanes) {
  return plan_memory(on_lanes(staged, needs_of(staged), lanes), 4).peak_bytes;
}

LaneSchedule within(std::int64_t bytes, const ExecutionPlan& staged, std::size_t lanes) {
  const std::vector<Micros> takes(staged.kernels.size(), Micros(1));
  return list_schedule_within({.bytes = bytes}, staged, needs_of(staged), plans_own(staged), takes, lanes, kWaiting);
}

// in (1 channel) → four times big (8 channels) → small (1 channel); all small ones are joined.
ExecutionPlan four_bulges() {
  GraphBuilder builder("bulges");
  const Value in = builder.input("in", {1, 16, 16});
  const auto conv = [&](const std::string& name, std::int64_t channels, const Value& from) {
    Conv made;
    made.out_channels = channels;
    return builder.add(name, made, {from});
  };
  std::vector<Value> big;
  std::vector<Value> small;
  for (int i = 0; i < 4; ++i) big.push_back(conv(fmt::format("big{}", i), 8, in));
  for (int i = 0; i < 4; ++i) small.push_back(conv(fmt::format("small{}", i), 1, big[static_cast<std::size_t>(i)]));
  builder.add("join", Concat{}, small);
  const Graph graph = std::move(builder).build().value();
  return lower(graph, one_by_one_schedule(graph), 1);
}

TEST(LimitedLanes, WithoutAnyLimitAreTheListSchedule) {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    std::mt19937 random(seed);
    const Graph graph = test::random_concat_graph(seed, 8 + seed % 24);
    const ExecutionPlan staged =
        lower(graph, test::random_schedule(graph, random), 1, {.concat_in_place = seed % 2 == 0});
    const auto needs = needs_of(staged);
    const std::vector<Micros> takes = times(staged, random);
    for (const auto& order : {plans_own(staged), longest_way_first(needs, takes)}) {
      const std::size_t lanes = 1 + random() % 8;
      EXPECT_EQ(list_schedule_within({.bytes = kAny}, staged, needs, order, takes, lanes, kWaiting),
                list_schedule(needs, order, takes, lanes, kWaiting));
    }
  }
}

// Whatever the budget: every kernel once, after what it needs, and no race.
TEST(LimitedLanes, AreLegal) {
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    std::mt19937 random(seed);
    const Graph graph = test::random_concat_graph(seed, 8 + seed % 24);
    const ExecutionPlan staged =
        lower(graph, test::random_schedule(graph, random), 1, {.fuse = true, .concat_in_place = seed % 2 == 0});
    const auto needs = needs_of(staged);
    const std::int64_t bytes = plan_memory(staged, 4).peak_bytes * static_cast<std::int64_t>(random() % 5) / 4;
    const LaneSchedule lanes = list_schedule_within({.bytes = bytes}, staged, needs, plans_own(staged),
                                                    times(staged, random), 1 + seed % 8, kWaiting);
    const auto legal = check_lanes(lanes, needs);
    ASSERT_TRUE(legal) << "seed " << seed << ": " << legal.error().line();
    const auto valid = check_plan(on_lanes(staged, needs, lanes));
    ASSERT_TRUE(valid) << "seed " << seed << ": " << valid.error().line();
  }
}

// The plan's own order has all four big tensors at once: 1 + 4 · 8 channels, and the first small one beside them.
TEST(LimitedLanes, FreeMemoryFirstWhereThereIsTooLittle) {
  const ExecutionPlan staged = four_bulges();
  EXPECT_EQ(peak_of(staged, one_lane(staged)), 34 * kPlane);
  // One big tensor beside the input and up to four small ones: the joined ones come when the last is gone.
  EXPECT_EQ(peak_of(staged, within(0, staged, 1)), 13 * kPlane);
}

// Between the two the lanes use what there is.
TEST(LimitedLanes, TakeNoMoreThanTheyMay) {
  const ExecutionPlan staged = four_bulges();
  std::int64_t before = 0;
  for (const std::int64_t channels : {14, 22, 31, 40}) {
    for (const std::size_t lanes : {2, 4}) {
      const std::int64_t peak = peak_of(staged, within(channels * kPlane, staged, lanes));
      EXPECT_LE(peak, channels * kPlane) << lanes << " lanes";
      before = std::max(before, peak);
    }
  }
  EXPECT_GT(before, 20 * kPlane) << "they are not sequential where there is more";
}

// Over random graphs a budget that suffices on one lane is kept to by most, and missed by little: what is counted are
// buffers, not the gaps between them, and a lane may wait for nobody who has what it wants.
TEST(LimitedLanes, ComeCloseToTheirBudget) {
  for (const std::size_t lanes : {1, 2, 4}) {
    int kept = 0;
    double worst = 0;
    for (std::uint32_t seed = 0; seed < 100; ++seed) {
      const Graph graph = test::random_concat_graph(seed, 30);
      const ExecutionPlan staged = lower(graph, one_by_one_schedule(graph), 1);
      const std::int64_t bytes = peak_of(staged, one_lane(staged));
      const std::int64_t peak = peak_of(staged, within(bytes, staged, lanes));
      worst = std::max(worst, static_cast<double>(peak) / static_cast<double>(bytes));
      kept += peak <= bytes ? 1 : 0;
    }
    const std::string text = fmt::format("kept to in {} of 100, at most {:.2f} times as much", kept, worst);
    RecordProperty(fmt::format("{} lanes", lanes), text);
    fmt::print("{} lanes: {}\n", lanes, text);
    EXPECT_LE(worst, 1.5);
    EXPECT_GT(kept, lanes == 1 ? 99 : 20);
  }
}

}  // namespace
}  // namespace iosx
