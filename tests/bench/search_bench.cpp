#include <benchmark/benchmark.h>

#include <string_view>
#include <vector>

#include "core/base/check.h"
#include "core/plan/stage_planner.h"
#include "core/search/solver.h"
#include "core/search/stage_candidates.h"
#include "core/search/state_space.h"
#include "models/networks/zoo.h"

namespace {

using iosx::EndingRule;
using iosx::Graph;
using iosx::Pruning;

constexpr Pruning kPruning{3, 8};

Graph network(std::string_view name) {
  auto graph = iosx::zoo_network(name);
  IOS_CHECK(graph.has_value());
  return *std::move(graph);
}

std::vector<iosx::PartGraph> parts_of(const Graph& graph) {
  std::vector<iosx::PartGraph> parts;
  for (const iosx::Part& part : graph.parts()) parts.emplace_back(graph, part.units);
  return parts;
}

// Arbitrary, all different.
std::vector<iosx::LatencyByWidth> some_latencies(const iosx::StateSpace& space) {
  std::vector<iosx::LatencyByWidth> latencies;
  for (const iosx::UnitSet ending : space.stages) {
    const iosx::Millis latency(1.0 + static_cast<double>((ending * 0x9E3779B97F4A7C15ULL) >> 40) / 1e7);
    latencies.push_back({latency, latency});
  }
  return latencies;
}

// Every part of a network, enumerated and solved; latencies are made up outside the clock.
void enumerate_and_solve(benchmark::State& state, std::string_view name, EndingRule rule) {
  const Graph graph = network(name);
  const auto parts = parts_of(graph);
  std::int64_t transitions = 0;
  for ([[maybe_unused]] auto turn : state) {
    for (const iosx::PartGraph& part : parts) {
      const auto space = iosx::enumerate(part, rule, kPruning);
      IOS_CHECK(space.has_value());
      state.PauseTiming();
      const auto latencies = some_latencies(*space);
      state.ResumeTiming();
      benchmark::DoNotOptimize(iosx::solve(*space, latencies, {}, {}));
      transitions += static_cast<std::int64_t>(space->transitions.size());
    }
  }
  state.counters["transitions/s"] = benchmark::Counter(static_cast<double>(transitions), benchmark::Counter::kIsRate);
  state.counters["transitions"] =
      benchmark::Counter(static_cast<double>(transitions), benchmark::Counter::kAvgIterations);
}

// The key of every distinct stage of a network.
void key(benchmark::State& state, std::string_view name) {
  const Graph graph = network(name);
  std::vector<iosx::Stage> stages;
  for (const iosx::PartGraph& part : parts_of(graph)) {
    const auto space = iosx::enumerate(part, EndingRule::kSingleRoot, kPruning);
    IOS_CHECK(space.has_value());
    for (const iosx::UnitSet ending : space->stages) stages.push_back(iosx::concurrent_stage(part, ending));
  }
  iosx::StagePlanner planner(graph, 1, {});
  std::int64_t keys = 0;
  for ([[maybe_unused]] auto turn : state) {
    for (const iosx::Stage& stage : stages) benchmark::DoNotOptimize(planner.canonical(stage).key);
    keys += static_cast<std::int64_t>(stages.size());
  }
  state.counters["stages/s"] = benchmark::Counter(static_cast<double>(keys), benchmark::Counter::kIsRate);
}

BENCHMARK_CAPTURE(enumerate_and_solve, nasnet_single_root, "nasnet", EndingRule::kSingleRoot)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(enumerate_and_solve, nasnet_connected, "nasnet", EndingRule::kConnected)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(enumerate_and_solve, randwire_single_root, "randwire", EndingRule::kSingleRoot)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(enumerate_and_solve, randwire_connected, "randwire", EndingRule::kConnected)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(key, nasnet, "nasnet")->Unit(benchmark::kMillisecond);

}  // namespace
