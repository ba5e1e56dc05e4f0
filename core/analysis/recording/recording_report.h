#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/recording/edges.h"
#include "core/analysis/recording/replay.h"
#include "core/analysis/recording/usage.h"
#include "core/model/recording/recording.h"
#include "core/tables/render.h"

namespace iosx {

// What a recording says about itself, without its network. Times are in µs.
struct RecordingReport {
  DeviceUsage usage;
  RecordedEdges edges;
  std::optional<RecordedPath> critical_path;  // none: a rule is off for the file, or edges are a cycle
  bool dependencies_told = false;             // see dependencies_known(); without it, the path follows streams
  std::optional<double> as_recorded;          // the check of the model, which should be the span
  std::optional<double> without_launch_gaps;
  DeviceNeed need = {};
  // Which part of the kernels' time is of kernels whose share of the device nothing says, 0 to 1. Such kernels are not
  // known to win anything.
  double share_unknown = 0;
  std::vector<Message> notices = {};

  // Returns false where nothing says how much of the device any kernel fills.
  bool streams_known() const { return share_unknown < 1; }
  // Returns what other streams can win at most over the recorded ones, once launch gaps are gone, in µs: these kernels
  // need the device for some time, and their critical path, where dependencies are known, takes its time too.
  double streams_win() const;
  // Returns how far the model is from the recording, as a fraction of the span; none where it cannot be run.
  std::optional<double> model_error() const;
};

inline constexpr double kReliable = 0.05;  // of the span: predictions of a model that is farther off are marked

// Returns "Tesla V100 (80 multiprocessors)", "the processor", or "a device" where nothing says which one.
Message device_text(const Recording& recording);

// Says that only the order of streams is known, and what to do.
Message without_dependencies();

// Says that there are too many edges to find them all.
Message too_many_edges();

// `share` is the share of the device of kernels of which it is not known, 0 to 1; none: see shares_of(). The recording
// has kernels.
RecordingReport report_of(const Recording& recording, std::optional<double> share);

// Returns what to say of a recording first: what launches cost and what streams can win at most, the larger one first,
// and what makes these doubtful. Empty where it is not known.
Message judgement(const Recording& recording, const RecordingReport& report);

// Return a table of the kernels in their order, with their share of the device, and one of the edges between them.
Table kernel_table(const Recording& recording, std::optional<double> share);
Table edge_table(const RecordedEdges& edges);

// Returns a table of the streams, and one text: what launches cost, what streams can win at most, and why the device
// was idle, in this order.
Table lane_table(const Recording& recording);
std::string recording_text(const Recording& recording, const RecordingReport& report, const std::string& title);

// Returns {"kernels", "lanes", "span_ms" (null without times, like the next two), "busy_ms", "idle_share",
// "without_launch_gaps_ms" (null: unknown), "streams_at_most" (a fraction of the work without collectives; null:
// unknown), "streams_win_ms" (the same over the recorded streams; null: unknown), "critical_path_ms" (null: unknown, or
// without times), "critical_path_kernels", "idle_ms": {"launched_late", "host_wait", "latency", "queued", "unknown"},
// "edges": {KIND: number}, "notices"}. Edges of KIND that are assumed where others are known are "KIND_assumed"; "host"
// are waits of the host.
nlohmann::ordered_json recording_json(const Recording& recording, const RecordingReport& report);

}  // namespace iosx
