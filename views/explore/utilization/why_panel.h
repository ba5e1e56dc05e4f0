#pragma once

#include <QString>
#include <QStringList>
#include <memory>
#include <optional>
#include <vector>

#include "core/analysis/compare/work_done.h"
#include "core/model/cost/latency.h"
#include "core/model/trace/in_flight.h"
#include "views/time/step_series.h"
#include "views/time/timeline_track.h"

namespace iosx {

// One of the runs that are compared. Times are the run's own.
struct WhyRun {
  TimelineTrack track;
  TimeWarp warp;
  InFlight in_flight;
  std::optional<WorkDone> work;  // none where it has no unit of the baseline's
};

// A quantity of a run over time, with its mean as text.
struct WhyCurve {
  StepSeries steps;
  double mean = 0;
  double error = 0;        // standard error of the mean; 0: exact, or unknown
  QString mean_text = {};  // "0.90", "27 %"
};

// A quantity of all runs over time.
struct WhyPlot {
  enum class Kind { kInFlight, kWorkDone, kCounter };
  Kind kind = Kind::kCounter;
  QString column;                                    // its name in a CSV: "kernels_in_flight", "active_warps_share"
  QString title;                                     // "Kernels in flight"
  QString note;                                      // "area = kernel time", "% of 8,448"
  QString source = {};                               // of a counter
  double top = 1;                                    // end of the scale: what is above it for a short time is cut
  QString top_text = {};                             // "8", "50 %"
  std::vector<std::optional<WhyCurve>> curves = {};  // one a run, in their order; none for the work done

  double most() const;                  // the largest value of all
  QString text_of(double value) const;  // "2.31", "27 %"
};

// Why a schedule is faster than the baseline, in plots on one axis of time: a run's time is its kernel time divided by
// the mean number of kernels in flight. All figures are those of one traced run.
struct WhyPanel {
  std::vector<WhyRun> runs;    // the baseline and then the schedule; the schedule alone where it is the baseline
  std::vector<WhyPlot> plots;  // kernels in flight, work done, and all counters; active warps are the first of them
  QString title;               // "Why it is faster"
  QString ratios;    // "1.96× in the traced run: 3.63 times as many kernels in flight, …"; empty without a baseline
  QString identity;  // "Sequential 3.46 ms ÷ 0.90 = 3.84 ms, … (kernel time ÷ mean kernels in flight = …)"
  Origin origin = Origin::kSimulated;
  Micros end{0};  // of the longest run, in its own time

  bool in_focus(std::size_t run) const { return run + 1 == runs.size(); }  // the schedule, not the baseline
};

// Returns null where the schedule's trace has no kernel time. A baseline without is left out.
std::shared_ptr<const WhyPanel> why_panel(const std::optional<WarpedTrack>& baseline, const WarpedTrack& schedule);

// Returns the end of a scale for shares of these runs: the least of 1, 2, 5, 10, 20, 50 and 100 % that no run
// exceeds for more than a tenth of its time, and that is above every mean.
double useful_top(const std::vector<const StepSeries*>& shares);

}  // namespace iosx
