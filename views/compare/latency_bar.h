#pragma once

#include <QString>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/analysis/compare/comparison.h"
#include "core/analysis/difference/delta.h"
#include "core/analysis/difference/subject.h"
#include "core/analysis/experiment/experiment.h"
#include "core/formats/external/external_run.h"

namespace iosx {

// This is one bar of a chart of latencies: a schedule of ours, or what somebody else's program takes for the same
// network.
struct LatencyBar {
  QString label;    // plain text
  Latency latency;  // end to end, as long as its bar: of one sample where `whole` is set
  ColorRole color = ColorRole::kGiven;
  bool external = false;                  // drawn hatched, with its source below its latency
  QString source;                         // "Tesla V100, batch 1", "recorded in times.csv"; plain text
  QString remark;                         // after the latency: "baseline", "1.61×"
  std::int64_t batch = 1;                 // what others recorded counts as the baseline's
  std::optional<Latency> whole = {};      // of the whole batch; set where batches differ, so that samples are compared
  bool piece = false;                     // of a piece of the network only: compared with nothing
  bool fastest = false;                   // nothing is faster beyond the noise, for a sample
  std::optional<double> ratio = {};       // how many times as fast as the baseline, for a sample
  std::optional<Interval> interval = {};  // of the ratio, as plain numbers; none where it is not known
  std::vector<Millis> samples = {};       // of `latency`, where single runs are known
};

// Returns the schedules of a comparison, in its order, against one of them: sequential where `baseline` is none of
// them.
std::vector<LatencyBar> latency_bars(const Comparison& comparison, const ScheduleId& baseline = {});
// Returns schedules of several runs, and after them what others measured, whose remarks are filled in. Where batches
// differ all are of one sample.
std::vector<LatencyBar> latency_bars(std::span<const Subject> subjects, std::size_t baseline,
                                     std::span<const LatencyBar> external = {});

// Returns what another program recorded of the graph: "recorded by ONNX Runtime, 93 % matched", "7 of 119 operators".
// The run must have the latency of a whole run.
LatencyBar external_bar(const ExternalRun& run, const Graph& graph);
// Returns our schedules and the engines that have a time, fastest first, each with how many times as long as our
// fastest schedule it takes.
std::vector<LatencyBar> engine_bars(const ExperimentResult& frameworks);
// Returns what it takes more than the baseline, in ms. They were not run side by side, and its batch counts as the
// baseline's.
Delta external_difference(const Subject& baseline, const LatencyBar& external, Per per);
// Returns, for people, "recorded by ONNX Runtime" or "recorded in times.csv".
QString recorded_text(const ExternalRun& run);

}  // namespace iosx
