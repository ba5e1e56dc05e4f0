#include "core/model/plan/needs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <string>
#include <vector>

#include "core/model/schedule/baselines.h"
#include "tests/support/lower.h"
#include "tests/support/random_plans.h"

namespace iosx {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

KernelId nth(std::size_t index) { return KernelId(index); }

TEST(Needs, AreWritersOfWhatIsRead) {
  EXPECT_THAT(needs_of(test::four_kernels()),
              ElementsAre(IsEmpty(), ElementsAre(nth(0)), IsEmpty(), ElementsAre(nth(1), nth(2))));
}

// A kernel that writes what others read comes after them, and stands for them.
TEST(Needs, AreReadersOfWhatIsWritten) {
  ExecutionPlan plan = test::four_kernels();
  plan.kernels[3].writes = plan.kernels[0].writes;  // which b reads
  EXPECT_THAT(needs_of(plan)[3], ElementsAre(nth(0), nth(1), nth(2)));
}

// Of several writers side by side only those of the channels that are read.
TEST(Needs, AreOfTheSameChannels) {
  ExecutionPlan plan;
  plan.buffers.resize(2);
  plan.kernels.resize(5);
  for (std::size_t k = 0; k < 3; ++k)
    plan.kernels[k].writes = {BufferId(0), static_cast<std::int64_t>(4 * k), static_cast<std::int64_t>(4 * k) + 4};
  plan.kernels[3].reads = {{BufferId(0), 2, 6}};
  plan.kernels[3].writes = {BufferId(1), 0, 1};
  plan.kernels[4].writes = {BufferId(0), 5, 9};
  const auto needs = needs_of(plan);
  EXPECT_THAT(needs[3], ElementsAre(nth(0), nth(1)));
  EXPECT_THAT(needs[4], ElementsAre(nth(1), nth(2), nth(3)));
}

// Random reads and writes of random channels: who comes before whom is the same as of all pairs that touch the same
// channels, one of them writing.
TEST(Needs, ImplyAllThatTouchTheSameChannels) {
  constexpr std::size_t kKernels = 40;
  using Before = std::vector<std::vector<bool>>;
  const auto close = [](Before& before) {
    for (std::size_t k = 0; k < kKernels; ++k) {
      for (std::size_t via = k; via-- > 0;) {
        for (std::size_t i = 0; before[k][via] && i < via; ++i) before[k][i] = before[k][i] || before[via][i];
      }
    }
  };
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    std::mt19937 random(seed);
    ExecutionPlan plan;
    plan.buffers.resize(3);
    const auto any = [&random] {
      const auto begin = static_cast<std::int64_t>(random() % 12);
      return TensorView{BufferId(random() % 3), begin, begin + 1 + static_cast<std::int64_t>(random() % 8)};
    };
    for (std::size_t k = 0; k < kKernels; ++k) {
      Kernel& kernel = plan.kernels.emplace_back();
      for (std::size_t i = 0; i < random() % 4; ++i) kernel.reads.push_back(any());
      kernel.writes = any();
    }
    const auto touch = [](const TensorView& a, const TensorView& b) {
      return a.buffer == b.buffer && a.begin < b.end && b.begin < a.end;
    };
    Before wanted(kKernels, std::vector<bool>(kKernels, false));
    Before found = wanted;
    const auto needs = needs_of(plan);
    for (std::size_t k = 0; k < kKernels; ++k) {
      for (std::size_t i = 0; i < k; ++i) {
        const Kernel& earlier = plan.kernels[i];
        const Kernel& later = plan.kernels[k];
        const auto with = [&](const TensorView& write) {
          return [&](const TensorView& read) { return touch(write, read); };
        };
        wanted[k][i] = touch(earlier.writes, later.writes) || std::ranges::any_of(later.reads, with(earlier.writes)) ||
                       std::ranges::any_of(earlier.reads, with(later.writes));
      }
      for (const KernelId need : needs[k]) found[k][need.index()] = true;
      EXPECT_TRUE(std::ranges::is_sorted(needs[k]));
    }
    for (std::size_t k = 0; k < kKernels; ++k) {
      for (const KernelId need : needs[k]) EXPECT_TRUE(wanted[k][need.index()]) << "nothing else is a need";
    }
    close(wanted);
    close(found);
    EXPECT_EQ(found, wanted) << "seed " << seed;
  }
}

// One writes, 20,000 read all of it, or each its own channel: it takes no more than so many times as one.
TEST(Needs, OfManyReadersAreFoundAtOnce) {
  constexpr std::int64_t kReaders = 20'000;
  for (const bool all : {true, false}) {
    ExecutionPlan plan;
    plan.buffers.resize(kReaders + 1);
    plan.kernels.resize(kReaders + 1);
    plan.kernels.front().writes = {BufferId(0), 0, kReaders};
    for (std::int64_t i = 0; i < kReaders; ++i) {
      const auto next = static_cast<std::size_t>(i) + 1;
      plan.kernels[next].reads = {{BufferId(0), all ? 0 : i, all ? kReaders : i + 1}};
      plan.kernels[next].writes = {BufferId(next), 0, 1};
    }
    const auto start = std::chrono::steady_clock::now();
    const auto needs = needs_of(plan);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    RecordProperty(all ? "milliseconds" : "milliseconds_of_slices", std::to_string(took.count() * 1000));
    EXPECT_THAT(needs.back(), ElementsAre(nth(0)));
#ifdef NDEBUG
    EXPECT_LT(took.count(), 0.5);
#endif
  }
}

}  // namespace
}  // namespace iosx
