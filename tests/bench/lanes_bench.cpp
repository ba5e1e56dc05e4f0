// What schedules without barriers gain on simulated GPUs, network by network:
//   lanes_bench [--devices ID,...] [--batches N,...] [NETWORK...]
// For each device and batch a table in ms. `finer` is what the schedule before it takes with finer units, where the
// network has such; `bound` the longest path of IOS-Flow's kernels, each as long as it takes alone; `gain` what
// IOS-Flow saves against the fastest schedule with stages (sequential and greedy among them), both with the units as
// they are; `dear waits` the same on a device where a wait across lanes takes three times as long. Exits with 1 if
// IOS-Flow is slower than a schedule beside it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/compare/compare.h"
#include "core/devices/simulated/simulated_device.h"
#include "core/model/schedule/finer_units.h"
#include "models/devices/simulated_devices.h"
#include "models/networks/zoo.h"

namespace {

using namespace iosx;  // NOLINT(google-build-using-namespace)

constexpr double kDear = 3;

struct Latencies {
  double sequential = 0;
  double greedy = 0;
  double ios = std::numeric_limits<double>::infinity();  // the fastest with stages that a search found
  double list = 0;
  double flow = 0;
  double bound = 0;
  double staged() const { return std::min({sequential, greedy, ios}); }
  double gain() const { return staged() / flow; }
};

template <typename T>
T need(Result<T> result) {
  if (result) return std::move(*result);
  fmt::print(stderr, "{}\n", result.error().text());
  std::exit(2);
}

double longest_path(Device& device, const ExecutionPlan& plan) {
  const auto needs = needs_of(plan);
  const RunResult run = need(load_and_run(device, on_lanes(plan, needs, one_lane(plan)), {.trace = true}, {}));
  std::vector<Micros> end(plan.kernels.size(), Micros(0));
  Micros reached(0);
  Micros longest(0);
  for (const KernelSpan& span : run.trace.kernels) {
    Micros& its_end = end[span.kernel.index()];
    for (const KernelId before : needs[span.kernel.index()]) its_end = std::max(its_end, end[before.index()]);
    its_end += std::max(Micros(0), span.end - reached);
    reached = std::max(reached, span.end);
    longest = std::max(longest, its_end);
  }
  return Millis(longest).count();
}

Latencies latencies(const Graph& graph, Device& device, std::int64_t batch) {
  CompareOptions options{.batch = batch};
  Latencies row;
  for (const ScheduleResult& result : need(compare(graph, device, options, {})).results) {
    const double ms = result.latency.value.count();
    switch (result.schedule_kind) {
      case ScheduleKind::kSequential: row.sequential = ms; break;
      case ScheduleKind::kGreedy: row.greedy = ms; break;
      case ScheduleKind::kList: row.list = ms; break;
      case ScheduleKind::kIosFlow:
        row.flow = ms;
        row.bound = longest_path(device, result.plan);
        break;
      default: row.ios = std::min(row.ios, ms);
    }
  }
  return row;
}

// A geometric mean of ratios, which it says in per cent.
class Mean {
 public:
  double add(double ratio) {
    sum_ += std::log(ratio);
    ++count_;
    return 100 * (ratio - 1);
  }
  double percent() const { return 100 * (std::exp(sum_ / count_) - 1); }

 private:
  double sum_ = 0;
  int count_ = 0;
};

std::vector<std::string> parts_of(std::string_view list) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    parts.emplace_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::string or_dash(bool known, double ms) { return known ? fmt::format("{:.3f}", ms) : "-"; }

// Prints a device's table; false where IOS-Flow is slower than a schedule beside it.
bool table(const std::string& id, std::int64_t batch, const std::vector<std::string>& networks) {
  const simulated::DeviceDescription description = simulated_description(id);
  simulated::DeviceDescription dear = description;
  if (dear.launches) {
    dear.launches->figures.wait_us *= kDear;
    dear.launches->figures.more_waits_us *= kDear;
  }
  simulated::SimulatedDevice device(description);
  simulated::SimulatedDevice dear_device(dear);
  fmt::print("\n{}, batch {}\n{:<20}{:>11}{:>9}{:>9}{:>9}{:>9}{:>10}{:>9}{:>9}{:>8}{:>8}\n", id, batch, "network",
             "sequential", "greedy", "List", "IOS", "finer", "IOS-Flow", "finer", "bound", "gain", "dear");
  Mean gain;
  Mean with_finer;
  Mean dear_gain;
  Mean over_bound;
  bool never_slower = true;
  for (const std::string& name : networks) {
    const Graph graph = need(zoo_network(name));
    const Latencies row = latencies(graph, device, batch);
    const auto finer_graph = finer_units(graph);
    const Latencies finer = finer_graph ? latencies(*finer_graph, device, batch) : row;
    const Latencies dear_row = dear.captured ? latencies(graph, dear_device, batch) : row;
    fmt::print("{:<20}{:>11.3f}{:>9.3f}{:>9.3f}{:>9.3f}{:>9}{:>10.3f}{:>9}{:>9.3f}{:>7.1f}%{:>8}\n", name,
               row.sequential, row.greedy, row.list, row.ios, or_dash(finer_graph.has_value(), finer.ios), row.flow,
               or_dash(finer_graph.has_value(), finer.flow), row.bound, gain.add(row.gain()),
               dear.captured ? fmt::format("{:.1f}%", dear_gain.add(dear_row.gain())) : "-");
    std::fflush(stdout);
    with_finer.add(row.staged() / std::min(row.flow, finer.flow));
    over_bound.add(row.flow / row.bound);
    for (const Latencies* each : {&row, &finer, &dear_row}) {
      never_slower = never_slower && each->flow <= std::min(each->staged(), each->list) * (1 + 1e-12);
    }
  }
  fmt::print("geometric means: gain {:.1f} %, the better of both units {:.1f} %, {}{:.1f} % over the bound\n",
             gain.percent(), with_finer.percent(),
             dear.captured ? fmt::format("with dear waits {:.1f} %, ", dear_gain.percent()) : "", over_bound.percent());
  return never_slower;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> devices{"h200", "h200-f16", "a100", "tesla-v100"};
  std::vector<std::string> batches{"1", "16"};
  std::vector<std::string> networks;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--devices" && i + 1 < argc) {
      devices = parts_of(argv[++i]);
    } else if (argument == "--batches" && i + 1 < argc) {
      batches = parts_of(argv[++i]);
    } else {
      networks.emplace_back(argument);
    }
  }
  if (networks.empty()) {
    networks = {"sample",          "inception_v3",       "squeezenet",          "nasnet",      "randwire",
                "googlenet",       "resnet50",           "inception_resnet_v2", "densenet121", "nasnet_mobile",
                "shufflenet_v2",   "mobilenet_v3_large", "efficientnet_b0",     "hrnet_w18",   "yolox_s",
                "efficientdet_d0", "parallel_vit_s16",   "mixture_of_experts"};
  }
  bool never_slower = true;
  for (const std::string& id : devices) {
    for (const std::string& batch : batches)
      never_slower = table(id, std::atol(batch.c_str()), networks) && never_slower;
  }
  if (!never_slower) fmt::print("IOS-Flow is slower than a schedule beside it\n");
  return never_slower ? 0 : 1;
}
