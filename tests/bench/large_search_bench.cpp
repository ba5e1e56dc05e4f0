// Searches of networks with parts that are too large to list, on the simulated V100:
//   large_search_bench [FILE...]
// without arguments RandWire of one stage of 320 nodes (Watts-Strogatz, k = 20, p = 0.75). r = 3, s = 8, both
// strategies.
#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <vector>

#include "core/analysis/compare/compare.h"
#include "models/devices/simulated_devices.h"
#include "models/networks/randwire.h"
#include "models/open_graph.h"

namespace {

using namespace iosx;

int run(const std::string& name, const Graph& graph) {
  DeviceRegistry devices;
  add_simulated_devices(devices);
  const auto device = devices.open("tesla-v100");
  CompareOptions options{.schedule_kinds = {ScheduleKind::kSequential, ScheduleKind::kGreedy, ScheduleKind::kIosBoth}};
  const auto comparison = compare(graph, **device, options, {});
  if (!comparison) return fmt::print(stderr, "{}\n", comparison.error().text()), 2;
  fmt::print("{}: {} units, {} parts\n", name, graph.units().size(), comparison->graph->parts().size());
  for (const ScheduleResult& result : comparison->results) {
    fmt::print("  {:<12} {:9.3f} ms, stage sum {:9.3f} ms, {:>4} stages", result.title(), result.latency.value.count(),
               result.stage_sum.count(), result.schedule.stages.size());
    if (result.search) {
      fmt::print(", {:.1f} s, {} structures", result.search->elapsed.count(), result.search->tally.needed);
    }
    fmt::print("\n");
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 1) {
    const std::vector<RandWireStage> stages{
        {.channels = 154,
         .nodes = 320,
         .edges = *watts_strogatz({.nodes = 320, .neighbours = 20, .rewiring = 0.75}, 1)}};
    return run("randwire of 320 nodes", *build_randwire("randwire_320", stages));
  }
  for (int i = 1; i < argc; ++i) {
    const auto document = open_graph(argv[i]);
    if (!document) return fmt::print(stderr, "{}\n", document.error().text()), 2;
    if (const int code = run(argv[i], *document->graph); code != 0) return code;
  }
  return 0;
}
