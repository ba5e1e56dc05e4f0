#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/analysis/recording/fold.h"
#include "core/analysis/recording/predictions.h"
#include "core/analysis/recording/recording_report.h"
#include "core/analysis/recording/usage.h"

namespace iosx {

// A recording with all that a window shows of it.
struct OpenedRecording {
  Recording recording;
  RecordingReport report;
  RecordingPredictions predictions;
  std::vector<double> shares;         // of the device, per kernel
  std::vector<bool> shares_unknown;   // per kernel: nothing recorded says it
  std::optional<double> given_share;  // of the kernels of unknown share
  std::vector<IdlePart> idle;         // by begin
  RecordingFold fold;
  std::vector<bool> on_path;  // the critical path, per kernel; empty where it is not known

  // Returns the edges that lead to a kernel, by the kernel before.
  std::vector<RecordedEdge> edges_to(std::uint32_t kernel) const;
  // Returns those that leave it, by the kernel after. Linear in all edges.
  std::vector<RecordedEdge> edges_from(std::uint32_t kernel) const;
};

// `share` is that of kernels of unknown share, see report_of(). The recording has kernels.
std::shared_ptr<const OpenedRecording> look_into(Recording recording, std::optional<double> share);

}  // namespace iosx
