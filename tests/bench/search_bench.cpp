// The steps of a search, on one core and on all of them.
#include <benchmark/benchmark.h>

#include <memory>
#include <string_view>
#include <vector>

#include "core/base/check.h"
#include "core/devices/measure/latency_sources.h"
#include "core/search/solver.h"
#include "core/search/stage_candidates.h"
#include "models/devices/simulated_devices.h"
#include "models/networks/zoo.h"

namespace {

using iosx::EndingRule;
using iosx::Graph;
using iosx::Pruning;

constexpr Pruning kPruning{3, 8};
constexpr std::size_t kSomeStages = 20'000;

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

// Where only one core may be used, the others count as taken.
void take_cores(const benchmark::State& state) { iosx::shares_work = state.range(0) == 1; }

void count_transitions(benchmark::State& state, std::size_t transitions) {
  state.counters["transitions/s"] = benchmark::Counter(static_cast<double>(transitions), benchmark::Counter::kIsRate);
  state.counters["transitions"] =
      benchmark::Counter(static_cast<double>(transitions), benchmark::Counter::kAvgIterations);
}

// Every part of a network.
void enumerate(benchmark::State& state, std::string_view name, EndingRule rule) {
  take_cores(state);
  const Graph graph = network(name);
  const auto parts = parts_of(graph);
  std::size_t transitions = 0;
  for ([[maybe_unused]] auto turn : state) {
    for (const iosx::PartGraph& part : parts) {
      const auto space = iosx::enumerate(part, rule, kPruning);
      IOS_CHECK(space.has_value());
      transitions += space->transitions.size();
    }
  }
  count_transitions(state, transitions);
}

// The part of a network with the most transitions, with made-up latencies.
void solve(benchmark::State& state, std::string_view name, EndingRule rule) {
  take_cores(state);
  const Graph graph = network(name);
  iosx::StateSpace largest;
  for (const iosx::PartGraph& part : parts_of(graph)) {
    auto space = iosx::enumerate(part, rule, kPruning);
    IOS_CHECK(space.has_value());
    if (space->transitions.size() > largest.transitions.size()) largest = *std::move(space);
  }
  const auto latencies = some_latencies(largest);
  std::size_t transitions = 0;
  for ([[maybe_unused]] auto turn : state) {
    benchmark::DoNotOptimize(iosx::solve(largest, latencies, {}, {}));
    transitions += largest.transitions.size();
  }
  count_transitions(state, transitions);
}

// Distinct stages of a network, evenly taken.
std::vector<iosx::Stage> some_stages(const Graph& graph, std::size_t most) {
  const auto parts = parts_of(graph);
  std::vector<std::vector<iosx::UnitSet>> endings;  // by part
  std::size_t all = 0;
  for (const iosx::PartGraph& part : parts) {
    auto space = iosx::enumerate(part, EndingRule::kSingleRoot, kPruning);
    IOS_CHECK(space.has_value());
    all += endings.emplace_back(std::move(space->stages)).size();
  }
  const std::size_t step = (all + most - 1) / most;
  std::vector<iosx::Stage> some;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    for (std::size_t i = 0; i < endings[p].size(); i += step) {
      some.push_back(iosx::concurrent_stage(parts[p], endings[p][i]));
    }
  }
  return some;
}

void count_stages(benchmark::State& state, std::size_t stages) {
  state.counters["stages/s"] = benchmark::Counter(static_cast<double>(stages), benchmark::Counter::kIsRate);
}

void key(benchmark::State& state, std::string_view name) {
  take_cores(state);
  const Graph graph = network(name);
  const std::vector<iosx::Stage> stages = some_stages(graph, kSomeStages);
  iosx::StagePlanner planner(graph, 1, {});
  std::size_t keys = 0;
  for ([[maybe_unused]] auto turn : state) {
    for (const iosx::Stage& stage : stages) benchmark::DoNotOptimize(planner.canonical(stage).key);
    keys += stages.size();
  }
  count_stages(state, keys);
}

std::unique_ptr<iosx::Device> device(std::string_view id) {
  iosx::DeviceRegistry registry;
  iosx::add_simulated_devices(registry);
  auto made = registry.open(id);
  IOS_CHECK(made.has_value());
  return *std::move(made);
}

// All that a search asks for: keys, plans, simulation. The device remembers kernels from turn to turn.
void ask(benchmark::State& state, std::string_view name, std::string_view device_id) {
  take_cores(state);
  const Graph graph = network(name);
  const std::vector<iosx::Stage> stages = some_stages(graph, kSomeStages);
  const auto simulated = device(device_id);
  std::size_t asked = 0;
  for ([[maybe_unused]] auto turn : state) {
    iosx::DeviceLatencySource source(graph, *simulated, 1);
    const auto latencies = source.stage_latencies(stages, {});
    IOS_CHECK(latencies.has_value());
    asked += latencies->size();
  }
  count_stages(state, asked);
}

void simulate(benchmark::State& state, std::string_view name, std::string_view device_id) {
  take_cores(state);
  const Graph graph = network(name);
  const auto simulated = device(device_id);
  iosx::StagePlanner planner(graph, 1, simulated->info().lowering);
  std::vector<iosx::ExecutionPlan> plans;
  for (const iosx::Stage& stage : some_stages(graph, kSomeStages)) plans.push_back(planner.plan(stage).plan);
  std::size_t measured = 0;
  for ([[maybe_unused]] auto turn : state) {
    const auto latencies = simulated->measure(plans, {}, {});
    IOS_CHECK(latencies.has_value());
    measured += latencies->size();
  }
  count_stages(state, measured);
}

void on_one_core_and_all(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgName("cores")->Arg(1);
  if (iosx::free_threads() > 1) benchmark->Arg(static_cast<std::int64_t>(iosx::free_threads()));
  benchmark->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime();
}

#define IOS_BENCH(what, name, ...) BENCHMARK_CAPTURE(what, name, __VA_ARGS__)->Apply(on_one_core_and_all)

IOS_BENCH(enumerate, nasnet_single_root, "nasnet", EndingRule::kSingleRoot);
IOS_BENCH(enumerate, nasnet_connected, "nasnet", EndingRule::kConnected);
IOS_BENCH(enumerate, randwire_single_root, "randwire", EndingRule::kSingleRoot);
IOS_BENCH(enumerate, randwire_connected, "randwire", EndingRule::kConnected);
IOS_BENCH(enumerate, squeezenet_connected, "squeezenet", EndingRule::kConnected);  // small: 12 parts
IOS_BENCH(solve, nasnet_connected, "nasnet", EndingRule::kConnected);
IOS_BENCH(solve, randwire_single_root, "randwire", EndingRule::kSingleRoot);
IOS_BENCH(solve, randwire_connected, "randwire", EndingRule::kConnected);
IOS_BENCH(solve, squeezenet_connected, "squeezenet", EndingRule::kConnected);
IOS_BENCH(key, nasnet, "nasnet");
IOS_BENCH(key, randwire, "randwire");
IOS_BENCH(ask, nasnet_v100, "nasnet", "tesla-v100");
IOS_BENCH(ask, randwire_v100, "randwire", "tesla-v100");
IOS_BENCH(ask, randwire_h200, "randwire", "h200");
IOS_BENCH(simulate, nasnet_v100, "nasnet", "tesla-v100");
IOS_BENCH(simulate, randwire_v100, "randwire", "tesla-v100");
IOS_BENCH(simulate, randwire_h200, "randwire", "h200");

}  // namespace
