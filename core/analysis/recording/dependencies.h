#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/analysis/recording/edges.h"
#include "core/model/recording/recording.h"

namespace iosx {

// The kernels of a recording and what each waits for, with the host's waits as nodes behind the kernels. Keeps a
// reference to the recording.
class Dependencies {
 public:
  // Leaves out the edges of rules that are off.
  Dependencies(const Recording& recording, const RecordedEdges& edges);

  const Recording& recording() const { return recording_; }
  std::size_t kernels() const { return recording_.kernels.size(); }
  std::size_t nodes() const { return begins_.size() - 1; }
  const std::vector<Barrier>& barriers() const { return barriers_; }
  // The last wait of the host before the kernel was launched; kNoIndex: none.
  std::uint32_t barrier_of(std::uint32_t kernel) const { return barrier_of_[kernel]; }
  std::vector<std::uint32_t> order() const;  // nodes, each behind those that it waits for; fewer if there is a cycle

  // Calls `take` with each node after this one.
  template <typename Take>
  void each_after(std::uint32_t node, Take take) const {
    for (std::uint32_t i = begins_[node]; i < begins_[node + 1]; ++i) take(after_[i]);
  }
  const std::vector<std::uint32_t>& waits() const { return waits_; }  // how many nodes each waits for

 private:
  const Recording& recording_;
  const std::vector<Barrier>& barriers_;
  std::vector<std::uint32_t> barrier_of_;
  std::vector<std::uint32_t> begins_;  // of each node's list in after_
  std::vector<std::uint32_t> after_;
  std::vector<std::uint32_t> waits_;
};

// The longest path of durations over edges; waits of the host take no time. Times are in µs.
struct RecordedPath {
  double length = 0;
  std::vector<std::uint32_t> kernels;  // in their order
};
// Returns none if the edges are a cycle.
std::optional<RecordedPath> critical_path(const Dependencies& dependencies);

}  // namespace iosx
