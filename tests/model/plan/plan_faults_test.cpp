#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

#include "core/model/plan/memory_plan.h"
#include "core/model/plan/needs.h"
#include "core/model/plan/plan_validity.h"
#include "tests/support/lower.h"
#include "tests/support/random_plans.h"

namespace iosx {
namespace {

constexpr std::size_t kOfEachKind = 500;
constexpr std::int64_t kBytes = 4;

// A random plan, of every second seed without barriers.
ExecutionPlan random_plan(std::uint32_t seed) {
  std::mt19937 random(seed);
  const Graph graph = test::random_concat_graph(seed, 8 + seed % 24);
  ExecutionPlan staged =
      lower(graph, test::random_schedule(graph, random), 1, {.fuse = true, .concat_in_place = seed % 4 < 2});
  if (seed % 2 == 0) return staged;
  return on_lanes(staged, needs_of(staged), test::random_lanes(staged, 2 + seed % 7, random));
}

// Says of every kernel which ones have ended when it starts, by following lanes and waits back: without clocks.
std::vector<std::vector<bool>> ended_by_start(const ExecutionPlan& plan) {
  std::vector<std::vector<bool>> before(plan.kernels.size(), std::vector<bool>(plan.kernels.size(), false));
  const auto learn = [&](std::size_t kernel, std::size_t other) {
    before[kernel][other] = true;
    for (std::size_t k = 0; k < other; ++k) before[kernel][k] = before[kernel][k] || before[other][k];
  };
  for (std::size_t k = 0; k < plan.kernels.size(); ++k) {
    for (std::size_t other = k; other-- > 0;) {
      if (plan.kernels[other].lane != plan.kernels[k].lane) continue;
      learn(k, other);
      break;
    }
    for (const KernelId wait : plan.kernels[k].waits) learn(k, wait.index());
  }
  return before;
}

// Every wait is needed: without it two kernels touch the same channels at once or a stage has no barrier.
TEST(PlanFaults, ADroppedWaitIsFound) {
  std::size_t faults = 0;
  for (std::uint32_t seed = 0; faults < kOfEachKind; ++seed) {
    const ExecutionPlan plan = random_plan(seed);
    const auto valid = check_plan(plan);
    ASSERT_TRUE(valid) << "seed " << seed << ": " << valid.error().line();
    for (std::size_t k = 0; k < plan.kernels.size(); ++k) {
      for (std::size_t i = 0; i < plan.kernels[k].waits.size() && faults < kOfEachKind; ++i) {
        ExecutionPlan faulty = plan;
        faulty.kernels[k].waits.erase(faulty.kernels[k].waits.begin() + static_cast<std::ptrdiff_t>(i));
        EXPECT_FALSE(check_plan(faulty)) << "seed " << seed << ", kernel " << k << ", wait " << i;
        ++faults;
      }
    }
  }
}

// Buffers where the second is written although the first may still be read, and none is all through before the other.
std::vector<std::pair<std::size_t, std::size_t>> in_use_together(const ExecutionPlan& plan) {
  const auto before = ended_by_start(plan);
  std::vector<std::vector<std::size_t>> touch(plan.buffers.size());
  std::vector<std::vector<std::size_t>> read(plan.buffers.size());
  for (std::size_t k = 0; k < plan.kernels.size(); ++k) {
    for (const TensorView& view : plan.kernels[k].reads) {
      touch[view.buffer.index()].push_back(k);
      read[view.buffer.index()].push_back(k);
    }
    touch[plan.kernels[k].writes.buffer.index()].push_back(k);
  }
  std::vector<std::pair<std::size_t, std::size_t>> found;
  for (std::size_t a = 0; a < plan.buffers.size(); ++a) {
    for (std::size_t b = 0; b < plan.buffers.size(); ++b) {
      if (a == b || plan.buffers[a].constant || plan.buffers[b].external || touch[b].empty()) continue;
      const auto any = [](const auto& kernels, const auto& such) { return std::ranges::any_of(kernels, such); };
      const bool still_read = any(read[a], [&](std::size_t r) {
        return any(touch[b], [&](std::size_t t) { return r != t && !before[t][r]; });
      });
      const bool begins_first = any(touch[a], [&](std::size_t t) {
        return any(touch[b], [&](std::size_t u) { return u == t || !before[t][u]; });
      });
      if (still_read && begins_first) found.emplace_back(a, b);
    }
  }
  return found;
}

TEST(PlanFaults, ABufferThatIsReusedEarlyIsFound) {
  std::size_t faults = 0;
  for (std::uint32_t seed = 0; faults < kOfEachKind; ++seed) {
    std::mt19937 random(seed);
    const ExecutionPlan plan = random_plan(seed);
    const MemoryPlan memory = plan_memory(plan, kBytes);
    const auto valid = check_memory(plan, memory, kBytes);
    ASSERT_TRUE(valid) << "seed " << seed << ": " << valid.error().line();
    const auto together = in_use_together(plan);
    for (std::size_t i = 0; i < 10 && !together.empty() && faults < kOfEachKind; ++i) {
      const auto [still_read, early] = together[random() % together.size()];
      MemoryPlan faulty = memory;
      faulty.offsets[early] = memory.offsets[still_read];
      EXPECT_FALSE(check_memory(plan, faulty, kBytes))
          << "seed " << seed << ": buffer " << early << " over buffer " << still_read;
      ++faults;
    }
  }
}

TEST(PlanFaults, AreNamed) {
  ExecutionPlan plan;
  for (const char* name : {"in", "a", "b", "c"})
    plan.buffers.push_back(Buffer{.name = name, .shape = {1, 4, 4}, .source = {}});
  plan.buffers.front().external = true;
  plan.barrier_free = true;
  plan.kernels.resize(3);
  for (std::size_t k = 0; k < 3; ++k) {
    plan.kernels[k].reads = {{BufferId(k), 0, 1}};
    plan.kernels[k].writes = {BufferId(k + 1), 0, 1};
  }
  MemoryPlan memory = plan_memory(plan, kBytes);
  EXPECT_EQ(memory.offsets[3], memory.offsets[1]) << "a was read when c is written";
  memory.offsets[3] = memory.offsets[2];
  const auto error = check_memory(plan, memory, kBytes);
  ASSERT_FALSE(error);
  EXPECT_EQ(error.error().line(), "buffers[3]: shares bytes with buffer 2, which may be in use at the same time");
}

}  // namespace
}  // namespace iosx
