#include "core/analysis/recording/opened_recording.h"

#include <algorithm>
#include <utility>

namespace iosx {
namespace {

// A kernel has no known share where that follows the share that is given, or where its device is of unknown size.
std::vector<bool> unknown_shares(const Recording& recording) {
  const std::vector<double> least = shares_of(recording, 0.0);
  const std::vector<double> most = shares_of(recording, 1.0);
  std::vector<bool> unknown(recording.kernels.size());
  for (std::size_t i = 0; i < unknown.size(); ++i) {
    const RecordedKernel& kernel = recording.kernels[i];
    const bool copy = kernel.kind == KernelKind::kCopy || kernel.kind == KernelKind::kHostCopy;
    const auto device = std::ranges::find(recording.devices, recording.lanes[kernel.lane].device, &RecordedDevice::id);
    const bool sized = device != recording.devices.end() && device->multiprocessors;
    unknown[i] = least[i] != most[i] || (!copy && !sized);
  }
  return unknown;
}

}  // namespace

std::vector<RecordedEdge> OpenedRecording::edges_to(std::uint32_t kernel) const {
  const std::vector<RecordedEdge>& all = report.edges.edges;
  return {std::ranges::lower_bound(all, kernel, {}, &RecordedEdge::after),
          std::ranges::upper_bound(all, kernel, {}, &RecordedEdge::after)};
}

std::vector<RecordedEdge> OpenedRecording::edges_from(std::uint32_t kernel) const {
  std::vector<RecordedEdge> found;
  for (const RecordedEdge& edge : report.edges.edges) {
    if (edge.before == kernel) found.push_back(edge);
  }
  return found;
}

std::shared_ptr<const OpenedRecording> look_into(Recording recording, std::optional<double> share) {
  auto opened = std::make_shared<OpenedRecording>();
  opened->recording = std::move(recording);
  const Recording& own = opened->recording;
  opened->report = report_of(own, share);
  opened->predictions = predictions_of(own, opened->report, share);
  opened->shares = shares_of(own, share);
  opened->given_share = share;
  opened->shares_unknown = unknown_shares(own);
  opened->idle = idle_parts(own);
  opened->fold = fold_of(own);
  opened->without_share = unknown_shares(own).kernels;
  if (opened->report.critical_path) {
    opened->on_path.assign(own.kernels.size(), false);
    for (const std::uint32_t kernel : opened->report.critical_path->kernels) opened->on_path[kernel] = true;
  }
  return opened;
}

}  // namespace iosx
