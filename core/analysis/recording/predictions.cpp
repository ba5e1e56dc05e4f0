#include "core/analysis/recording/predictions.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace iosx {
namespace {

constexpr std::size_t kLaneCounts[] = {1, 2, 4, 8};
constexpr double kAlmostBest = 1.005;

std::optional<Message> why_no_lanes(const Recording& recording, const RecordingReport& report) {
  if (!dependencies_known(recording, report.edges)) return without_dependencies();
  if (!recording.timed) return message("it has no times, so nothing is predicted; open the trace of the same run");
  if (report.edges.incomplete) return too_many_edges();
  if (!report.critical_path) {
    return message("the recorded times do not fit its dependencies, so nothing is predicted from these");
  }
  const std::size_t nodes = recording.kernels.size() + report.edges.barriers.size();
  if (nodes > kMostPredicted) {
    return message("{} kernels and waits of the host are more than {}, so nothing is predicted; choose a step", nodes,
                   kMostPredicted);
  }
  return std::nullopt;
}

}  // namespace

const PredictedLanes* RecordingPredictions::best() const {
  if (lanes.empty()) return nullptr;
  const auto span = [](const PredictedLanes& one) { return one.as_graph.span; };
  const double least = std::ranges::min(lanes, {}, span).as_graph.span;
  return &*std::ranges::find_if(lanes, [&](const auto& one) { return span(one) <= kAlmostBest * least; });
}

RecordingPredictions predictions_of(const Recording& recording, const RecordingReport& report,
                                    std::optional<double> share) {
  RecordingPredictions out;
  const auto error = report.model_error();
  out.of_processor = recording.of_processor;
  out.why_none = why_no_lanes(recording, report);
  out.reliable = !out.why_none && error && std::abs(*error) <= kReliable;
  if (out.why_none) {
    if (recording.timed) out.opportunities = possible_opportunities(recording);
    return out;
  }
  const Dependencies dependencies(recording, report.edges);
  const std::vector<double> shares = shares_of(recording, share);
  for (const std::size_t lanes : kLaneCounts) {
    const auto launched = list_run(dependencies, shares, Launches::kAsRecorded, lanes);
    auto graph = list_run(dependencies, shares, Launches::kNoGaps, lanes);
    if (!launched || !graph) {
      out.lanes.clear();
      out.why_none = message("its dependencies and the order of its collectives are a cycle, so nothing is predicted");
      return out;
    }
    out.lanes.push_back({lanes, launched->span, *std::move(graph)});
  }
  const PredictedLanes& best = *out.best();
  const auto won = [](std::optional<double> before, double after) { return std::max(0.0, before.value_or(0) - after); };
  out.opportunities = known_opportunities(dependencies, report.edges, shares, best.as_graph,
                                          {.as_launched = won(report.as_recorded, best.as_launched),
                                           .as_graph = won(report.without_launch_gaps, best.as_graph.span)});
  return out;
}

}  // namespace iosx
