#include <benchmark/benchmark.h>

#include <array>
#include <chrono>
#include <memory>
#include <span>
#include <thread>
#include <vector>

#include "core/base/check.h"
#include "core/devices/cpu/team.h"

namespace {

using iosx::Team;

std::unique_ptr<iosx::TeamPool> pool_of(int cores) {
  auto pool = iosx::TeamPool::create(cores);
  IOS_CHECK(pool.has_value());
  return *std::move(pool);
}

// The figures mean something only where the machine has as many processors as the team has threads.
void fork_join(benchmark::State& state) {
  const std::array size{static_cast<int>(state.range(0))};
  const auto pool = pool_of(size[0]);
  pool->run(size, [&](int) {
    for ([[maybe_unused]] auto turn : state) Team::current().parallel(size[0], [](int) {});
  });
}

void barrier(benchmark::State& state) {
  constexpr int kBarriers = 100;
  const std::array size{static_cast<int>(state.range(0))};
  const auto pool = pool_of(size[0]);
  pool->run(size, [&](int) {
    for ([[maybe_unused]] auto turn : state) {
      Team::current().parallel(size[0], [](int) {
        for (int i = 0; i < kBarriers; ++i) Team::current().barrier();
      });
    }
  });
  state.SetItemsProcessed(state.iterations() * kBarriers);
}

// A stage: as many lanes of one thread as the argument says.
void stage(benchmark::State& state) {
  const std::vector<int> sizes(static_cast<std::size_t>(state.range(0)), 1);
  const auto pool = pool_of(static_cast<int>(sizes.size()));
  for ([[maybe_unused]] auto turn : state) pool->run(sizes, [](int) {});
}

// From a stage of two lanes to one of a single lane with two threads and back.
void change_of_teams(benchmark::State& state) {
  const auto pool = pool_of(2);
  const std::array two_lanes{1, 1};
  const std::array one_lane{2};
  for ([[maybe_unused]] auto turn : state) {
    pool->run(two_lanes, [](int) {});
    pool->run(one_lane, [](int) { Team::current().parallel(2, [](int) {}); });
  }
}

// The thread sleeps when the stage begins.
void stage_after_a_pause(benchmark::State& state) {
  const auto pool = pool_of(2);
  const std::array two_lanes{1, 1};
  for ([[maybe_unused]] auto turn : state) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    const auto start = std::chrono::steady_clock::now();
    pool->run(two_lanes, [](int) {});
    state.SetIterationTime(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
}

BENCHMARK(fork_join)->Arg(1)->Arg(2)->Unit(benchmark::kNanosecond)->UseRealTime();
BENCHMARK(barrier)->Arg(2)->Unit(benchmark::kMicrosecond)->UseRealTime();
BENCHMARK(stage)->Arg(1)->Arg(2)->Unit(benchmark::kNanosecond)->UseRealTime();
BENCHMARK(change_of_teams)->Unit(benchmark::kNanosecond)->UseRealTime();
BENCHMARK(stage_after_a_pause)->Unit(benchmark::kMicrosecond)->UseManualTime();

}  // namespace
