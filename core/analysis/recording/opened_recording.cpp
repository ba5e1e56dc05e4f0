#include "core/analysis/recording/opened_recording.h"

#include <algorithm>
#include <utility>

namespace iosx {

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
  for (const auto& known : known_shares(own)) opened->shares_unknown.push_back(!known);
  opened->idle = idle_parts(own);
  opened->fold = fold_of(own);
  if (opened->report.critical_path) {
    opened->on_path.assign(own.kernels.size(), false);
    for (const std::uint32_t kernel : opened->report.critical_path->kernels) opened->on_path[kernel] = true;
  }
  return opened;
}

}  // namespace iosx
