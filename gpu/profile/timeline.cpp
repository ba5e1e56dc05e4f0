#include "gpu/profile/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <utility>

#include "gpu/exec/enqueue.h"

namespace iosx::gpu {
namespace {

constexpr std::size_t kRunsBefore = 2;
constexpr std::size_t kRuns = 9;

// The launches of every node, one per run, in order; runs do not overlap.
using LaunchesByNode = std::unordered_map<GraphNode, std::vector<const LaunchRecord*>>;

Micros micros(std::int64_t nanoseconds) { return Micros(static_cast<double>(nanoseconds) * 1e-3); }

struct Extent {
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

// Returns the first kernel's begin and the last one's end of one run.
Extent extent(const LaunchesByNode& launches, std::size_t run) {
  Extent whole{INT64_MAX, INT64_MIN};
  for (const auto& [node, runs] : launches) {
    whole.begin = std::min(whole.begin, runs[run]->begin);
    whole.end = std::max(whole.end, runs[run]->end);
  }
  return whole;
}

std::size_t median_run(const LaunchesByNode& launches) {
  std::vector<std::pair<std::int64_t, std::size_t>> durations;
  for (std::size_t run = kRunsBefore; run < kRunsBefore + kRuns; ++run) {
    const Extent whole = extent(launches, run);
    durations.emplace_back(whole.end - whole.begin, run);
  }
  std::ranges::sort(durations);
  return durations[durations.size() / 2].second;
}

LaunchSpan span_of(const LaunchRecord& launch, std::int64_t start, const Properties& gpu) {
  return {.name = launch.name,
          .begin = micros(launch.begin - start),
          .end = micros(launch.end - start),
          .grid = launch.grid,
          .block = launch.block,
          .registers = launch.registers,
          .shared_bytes = launch.shared_bytes,
          .occupancy = occupancy(launch, gpu)};
}

Timeline timeline_of_run(const std::vector<std::vector<GraphNode>>& nodes, const LaunchesByNode& launches,
                         std::size_t run, const Properties& gpu) {
  const Extent whole = extent(launches, run);
  Timeline timeline;
  timeline.duration = micros(whole.end - whole.begin);
  for (const std::vector<GraphNode>& of_kernel : nodes) {
    std::vector<LaunchSpan>& spans = timeline.launches.emplace_back();
    for (const GraphNode node : of_kernel) spans.push_back(span_of(*launches.at(node)[run], whole.begin, gpu));
    std::ranges::stable_sort(spans, {}, &LaunchSpan::begin);
    Micros end{0};
    for (const LaunchSpan& span : spans) end = std::max(end, span.end);
    timeline.kernels.emplace_back(spans.empty() ? Micros{0} : spans.front().begin, end);
  }
  return timeline;
}

constexpr std::int64_t kWarp = 32;           // threads
constexpr std::int64_t kRegisterUnit = 256;  // a warp's registers
constexpr std::int64_t kSharedUnit = 128;    // bytes
constexpr std::int64_t kWarpSchedulers = 4;  // of a multiprocessor, which share its registers out evenly

std::int64_t rounded_up(std::int64_t value, std::int64_t unit) { return (value + unit - 1) / unit * unit; }

}  // namespace

Result<Timeline> timeline_of(const PreparedPlan& plan, Runtime& runtime, Profiler& profiler, const JobContext& job) {
  Captured captured;
  IOS_TRY(const auto records, profiler.trace([&] {
    captured = capture(plan, runtime, {.nodes = true});
    for (std::size_t run = 0; run < kRunsBefore + kRuns && !job.stopped(); ++run) {
      runtime.launch(kOrigin, *captured.graph);
      runtime.synchronize(kOrigin);
    }
  }));
  if (job.stopped()) return fail(message("stopped"), "profiling");
  LaunchesByNode launches;
  for (const std::vector<GraphNode>& of_kernel : captured.marked.nodes) {
    for (const GraphNode node : of_kernel) launches[node];
  }
  for (const LaunchRecord& record : records) {
    if (const auto found = launches.find(record.node); found != launches.end()) found->second.push_back(&record);
  }
  for (const auto& [node, runs] : launches) {
    if (runs.size() == kRunsBefore + kRuns) continue;
    return fail(message("the profiler saw {} of {} runs of a kernel", runs.size(), kRunsBefore + kRuns), "profiling");
  }
  if (launches.empty()) return fail(message("no kernel of the plan could be identified in its graph"), "profiling");
  return timeline_of_run(captured.marked.nodes, launches, median_run(launches), runtime.properties());
}

double occupancy(const LaunchRecord& launch, const Properties& gpu) {
  const std::int64_t threads = std::int64_t{launch.block[0]} * launch.block[1] * launch.block[2];
  if (gpu.warps_per_sm <= 0 || threads <= 0) return 0;
  const std::int64_t warps = rounded_up(threads, kWarp) / kWarp;
  std::int64_t blocks = gpu.warps_per_sm / warps;
  if (gpu.blocks_per_sm > 0) blocks = std::min<std::int64_t>(blocks, gpu.blocks_per_sm);
  if (launch.registers > 0 && gpu.registers_per_sm > 0) {
    const std::int64_t of_warp = rounded_up(launch.registers * kWarp, kRegisterUnit);
    const std::int64_t possible = gpu.registers_per_sm / kWarpSchedulers / of_warp * kWarpSchedulers;
    blocks = std::min(blocks, possible / warps);
  }
  const std::int64_t shared = rounded_up(launch.shared_bytes + gpu.reserved_shared_bytes, kSharedUnit);
  if (shared > 0 && gpu.shared_bytes_per_sm > 0) blocks = std::min(blocks, gpu.shared_bytes_per_sm / shared);
  return static_cast<double>(blocks * warps) / gpu.warps_per_sm;
}

}  // namespace iosx::gpu
