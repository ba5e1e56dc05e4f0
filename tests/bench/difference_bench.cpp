// How long it takes to match two networks under other names, and to compare two schedules of them, by the number of
// operators. Built, not run by ctest: bin/difference_bench
#include <benchmark/benchmark.h>

#include <memory>
#include <string>
#include <vector>

#include "core/analysis/difference/part_matrix.h"
#include "core/analysis/difference/stage_difference.h"
#include "core/base/check.h"
#include "core/model/graph/builder.h"
#include "core/model/schedule/baselines.h"

namespace {

using namespace iosx;

// Blocks of three branches that are concatenated, 8 operators each; every tenth block is a part. One block has an
// operator more where `other`, and all names differ.
std::shared_ptr<const Graph> network(std::int64_t operators, bool other) {
  GraphBuilder builder("blocks");
  int number = 0;
  const auto name = [&] { return (other ? "other_" : "op_") + std::to_string(number++); };
  const auto conv = [](std::int64_t channels, std::int64_t size) {
    return Conv{.out_channels = channels, .kernel = {size, size}, .padding = {size / 2, size / 2}};
  };
  Value last = builder.input(name(), {32, 16, 16});
  for (std::int64_t block = 0; block < operators / 8; ++block) {
    if (block % 10 == 0) builder.begin_part("part_" + std::to_string(block / 10));
    const Value a = builder.add(name(), conv(16, 1), {last});
    const Value b1 = builder.add(name(), conv(8, 1), {last});
    Value b2 = builder.add(name(), conv(8, 3), {b1});
    if (other && block == operators / 16) b2 = builder.add(name(), Activate{Activation::kSigmoid}, {b2});
    const Value c1 = builder.add(name(), Pool{PoolKind::kMax, {3, 3}, {1, 1}, {1, 1}}, {last});
    const Value c2 = builder.add(name(), conv(8, 1), {c1});
    const Value joined = builder.add(name(), Concat{}, {a, b2, c2});
    last = builder.add(name(), Add{}, {joined, last});
    last = builder.add(name(), Activate{Activation::kRelu}, {last});
  }
  auto graph = std::move(builder).build();
  IOS_CHECK(graph);
  return std::make_shared<const Graph>(std::move(*graph));
}

Subject subject(std::shared_ptr<const Graph> graph, bool greedy) {
  auto comparison = std::make_shared<Comparison>();
  comparison->graph = std::move(graph);
  ScheduleResult& result =
      comparison->add(greedy ? ScheduleKind::kGreedy : ScheduleKind::kSequential,
                      greedy ? greedy_schedule(*comparison->graph) : one_by_one_schedule(*comparison->graph));
  for (std::size_t i = 0; i < result.schedule.stages.size(); ++i) {
    result.stage_latencies.push_back(
        {Millis(0.01 + 0.001 * static_cast<double>(i % 7)), Millis(0.001), 30, Origin::kMeasured});
    result.stage_sum += result.stage_latencies.back().value;
  }
  result.latency = {result.stage_sum, Millis(0.01), 100, Origin::kMeasured};
  return {comparison, 0};
}

void match(benchmark::State& state) {
  const auto a = network(state.range(0), false);
  const auto b = network(state.range(0), true);
  for (auto step : state) benchmark::DoNotOptimize(match_graphs(*a, *b));
  state.counters["unmatched"] = static_cast<double>(match_graphs(*a, *b).missing().size());
  state.SetComplexityN(state.range(0));
}

void stages(benchmark::State& state) {
  const Subject a = subject(network(state.range(0), false), false);
  const Subject b = subject(network(state.range(0), true), true);
  const GraphMatch known = match_graphs(a.graph(), b.graph());
  for (auto step : state) benchmark::DoNotOptimize(compare_stages(a, b, known));
  state.SetComplexityN(state.range(0));
}

// Eight schedules of two graphs.
void parts(benchmark::State& state) {
  std::vector<Subject> subjects;
  for (const bool other : {false, true}) {
    const auto graph = network(state.range(0), other);
    for (int i = 0; i < 4; ++i) subjects.push_back(subject(graph, i % 2 == 1));
  }
  const auto known = match_with_all(subjects, 0);
  for (auto step : state) benchmark::DoNotOptimize(part_matrix(subjects, 0, known));
  state.SetComplexityN(state.range(0));
}

BENCHMARK(match)->RangeMultiplier(2)->Range(1000, 8000)->Unit(benchmark::kMillisecond)->Complexity();
BENCHMARK(stages)->RangeMultiplier(2)->Range(1000, 8000)->Unit(benchmark::kMillisecond)->Complexity();
BENCHMARK(parts)->RangeMultiplier(2)->Range(1000, 8000)->Unit(benchmark::kMillisecond)->Complexity();

}  // namespace
