#include "core/analysis/compare/network_times.h"

#include <algorithm>
#include <limits>

namespace iosx {

std::vector<NetworkTime> network_times(const Graph& graph, const ScheduleResult& result) {
  if (graph.networks().empty() || result.trace.kernels.empty()) return {};
  std::vector<NetworkTime> times;
  for (const std::string& name : graph.networks()) {
    times.push_back({name, Millis(std::numeric_limits<double>::infinity()), Millis(0)});
  }
  Micros whole{0};
  for (const KernelSpan& span : result.trace.kernels) whole = std::max(whole, span.end);
  if (whole <= Micros(0)) return {};
  const double scale = result.latency.value / Millis(whole);
  for (const KernelSpan& span : result.trace.kernels) {
    for (const UnitId unit : result.plan.kernel(span.kernel).units) {
      NetworkTime& time = times[graph.network(unit).index()];
      time.begins = std::min(time.begins, Millis(span.begin) * scale);
      time.ends = std::max(time.ends, Millis(span.end) * scale);
    }
  }
  for (NetworkTime& time : times) time.begins = std::min(time.begins, time.ends);  // of one without kernels
  return times;
}

std::vector<std::optional<Millis>> alone_times(const Comparison& comparison) {
  const Graph& graph = *comparison.graph;
  const ScheduleResult* const sequential = comparison.find(ScheduleKind::kSequential);
  if (graph.networks().empty() || sequential == nullptr) return {};
  std::vector<std::optional<Millis>> times(graph.networks().size());
  std::vector<Schedule> own(graph.networks().size());
  for (std::size_t s = 0; s < sequential->stage_latencies.size(); ++s) {
    const Stage& stage = sequential->schedule.stages[s];
    const std::vector<UnitId> units = stage.units();
    const MemberId network = graph.network(units.front());
    const auto of_it = [&](UnitId unit) { return graph.network(unit) == network; };
    if (!std::ranges::all_of(units, of_it)) return {};  // somebody connected them
    times[network.index()] = times[network.index()].value_or(Millis(0)) + sequential->stage_latencies[s].value;
    own[network.index()].stages.push_back(stage);
  }
  for (std::size_t n = 0; n < times.size(); ++n) {
    if (times[n]) *times[n] += comparison.device.overhead.sum(own[n]);
  }
  return times;
}

}  // namespace iosx
