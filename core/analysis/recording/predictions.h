#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/analysis/recording/opportunities.h"
#include "core/analysis/recording/recording_report.h"

namespace iosx {

// What List schedules of the recorded kernels take on this many lanes, in the model of the device. Collectives, and
// copies from or to the host, stay on their streams beside these lanes. Times are in µs.
struct PredictedLanes {
  std::size_t lanes = 1;
  double as_launched = 0;  // the span if the host launches the kernels when it did
  PlacedRun as_graph;      // if they are launched as one CUDA graph
};

// What would be, which is modelled: never show it in one column or colour with what was recorded.
struct RecordingPredictions {
  // The model replays the recording as it was within kReliable, so that what it says about other lanes may be true.
  // False where nothing is predicted.
  bool reliable = false;
  bool of_processor = false;          // it launches nothing: "as a CUDA graph" means without gaps between operators
  std::vector<PredictedLanes> lanes;  // 1, 2, 4 and 8; empty where `why_none` says why
  std::vector<Opportunity> opportunities;  // ranked; without `lanes` they only may be some
  std::optional<Message> why_none;         // why there are no lanes, and what to do

  // Returns the fewest lanes that are within half a per cent of the fastest in a CUDA graph; null without lanes.
  const PredictedLanes* best() const;
};

inline constexpr std::size_t kMostPredicted = 20'000;  // kernels and waits of the host

// Predicts with the dependencies that are known. Where a file does not say them, or the times of the recording break
// them, or there are more than kMostPredicted, it says why not. The recording has kernels, and the report is of it with
// the same `share`.
RecordingPredictions predictions_of(const Recording& recording, const RecordingReport& report,
                                    std::optional<double> share);

}  // namespace iosx
