// How long it takes to save and open a run of five schedules on the simulated V100, and how large its file is. Built,
// not run by ctest: bin/runfile_bench
#include <benchmark/benchmark.h>

#include <map>
#include <memory>
#include <string>

#include "core/analysis/compare/compare.h"
#include "core/base/check.h"
#include "core/documents/run_file/run_file.h"
#include "models/devices/simulated_devices.h"
#include "models/networks/zoo.h"

namespace {

const iosx::Run& run_of(const char* network) {
  static std::map<std::string, iosx::Run> runs;
  const auto known = runs.find(network);
  if (known != runs.end()) return known->second;
  iosx::DeviceRegistry devices;
  iosx::add_simulated_devices(devices);
  const auto device = devices.open("tesla-v100");
  const auto graph = iosx::zoo_network(network);
  IOS_CHECK(device && graph);
  const iosx::CompareOptions options;
  auto comparison = iosx::compare(*graph, **device, options, {});
  IOS_CHECK(comparison);
  return runs
      .emplace(network, iosx::make_run(std::move(*comparison), options,
                                       {network, std::make_shared<const iosx::Graph>(*graph), true}, "bench"))
      .first->second;
}

void save(benchmark::State& state, const char* network) {
  const iosx::Run& run = run_of(network);
  std::size_t bytes = 0;
  for (auto step : state) bytes = iosx::run_to_bytes(run).size();
  state.counters["file_bytes"] = static_cast<double>(bytes);
}

void open(benchmark::State& state, const char* network) {
  const std::string bytes = iosx::run_to_bytes(run_of(network));
  for (auto step : state) {
    auto run = iosx::run_from_bytes(bytes, network);
    IOS_CHECK(run);
    benchmark::DoNotOptimize(run);
  }
}

BENCHMARK_CAPTURE(save, inception_v3, "inception_v3")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(open, inception_v3, "inception_v3")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(save, nasnet, "nasnet")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(open, nasnet, "nasnet")->Unit(benchmark::kMillisecond);

}  // namespace
