#pragma once

#include <QString>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/analysis/compare/comparison.h"
#include "core/analysis/difference/part_matrix.h"
#include "core/analysis/difference/stage_difference.h"
#include "core/analysis/difference/subject.h"
#include "core/analysis/experiment/experiment.h"
#include "core/formats/external/external_run.h"

namespace iosx {

// The data of the page: several schedules against a baseline. It is immutable and shared by views and figures.
struct RunMatrix {
  std::vector<Subject> subjects;  // labelled
  std::vector<GraphMatch> matches;
  PartMatrix matrix;
  Finding finding;

  const Subject& baseline() const { return subjects[matrix.baseline]; }
  Millis largest() const;  // largest difference of a part, significant or not: the end of the scale
};
// Skips invalid subjects; null where none is left or the baseline is invalid.
std::shared_ptr<const RunMatrix> make_run_matrix(std::vector<Subject> subjects, std::size_t baseline);

// Two of them, stage by stage.
struct StagePair {
  Subject a;
  Subject b;
  GraphMatch match;
  StageDifference difference;

  Millis largest() const;  // largest difference of a row, significant or not: the end of the scale
};
std::shared_ptr<const StagePair> make_stage_pair(const Subject& a, const Subject& b, GraphMatch match,
                                                 Per per = Per::kBatch);

// One bar of a chart of latencies: one of our schedules, or another program's run of the same network.
struct LatencyBar {
  QString label;    // plain text
  Latency latency;  // end to end, the bar's length: per sample where `whole` is set
  ColorRole color = ColorRole::kGiven;
  bool external = false;                  // hatched, with its source below its latency
  QString source;                         // "Tesla V100, batch 1", "recorded in times.csv"; plain text
  QString remark;                         // after the latency: "baseline", "1.61×"
  std::int64_t batch = 1;                 // for external runs the baseline's
  std::optional<Latency> whole = {};      // of the whole batch; set where batches differ, so that samples are compared
  bool piece = false;                     // of a piece of the network only, which is not compared
  bool over_limit = false;                // of its run's memory, so it is never the fastest
  bool fastest = false;                   // none is faster beyond the noise, per sample
  bool best = false;                      // of our fastest, the one that a picture is about: Comparison::best()
  std::optional<double> ratio = {};       // how many times as fast as the baseline, per sample
  std::optional<Interval> interval = {};  // of the ratio, as plain numbers; none where unknown
  std::vector<Millis> samples = {};       // of `latency`, where single runs are known
};

// Returns the schedules of a comparison, in its order, against one of them: sequential where `baseline` is
// unknown.
std::vector<LatencyBar> latency_bars(const Comparison& comparison, const ScheduleId& baseline = {});
// Returns schedules of several runs, then external runs with their remarks filled in. Where batches differ all are
// per sample.
std::vector<LatencyBar> latency_bars(std::span<const Subject> subjects, std::size_t baseline,
                                     std::span<const LatencyBar> external = {});

// Returns the bar of another program's run of the graph: "recorded by ONNX Runtime, 93 % matched", "7 of 119
// operators". It must have the latency of a whole run.
LatencyBar external_bar(const ExternalRun& run, const Graph& graph);
// Returns our schedules and the engines with a time, fastest first, each with its ratio to our fastest schedule.
std::vector<LatencyBar> engine_bars(const ExperimentResult& frameworks);
// Returns its time less the baseline's, in ms. They did not run side by side, and its batch counts as the
// baseline's.
Delta external_difference(const Subject& baseline, const LatencyBar& external, Per per);
// Returns "recorded by ONNX Runtime" or "recorded in times.csv" for display.
QString recorded_text(const ExternalRun& run);

}  // namespace iosx
