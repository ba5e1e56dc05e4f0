#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/model/plan/execution_plan.h"

namespace iosx {

// Tells which kernels of a plan have ended when another starts, in any order that the plan allows: a kernel starts
// after those before it on its lane and after those that it waits for (vector clocks). Kernels must be in launch
// order, waits must name earlier ones, and lanes must lie in 0..lane_count().
class LaneClocks {
 public:
  explicit LaneClocks(const ExecutionPlan& plan);

  std::size_t lanes() const { return lanes_; }
  std::size_t lane(KernelId kernel) const { return places_[kernel.index()].lane; }
  // Returns the kernel's position on its lane, from 1.
  std::uint32_t position(KernelId kernel) const { return places_[kernel.index()].position; }
  // Returns for each lane how many of its first kernels have ended when the kernel starts.
  std::span<const std::uint32_t> ended(KernelId kernel) const {
    return std::span(ended_).subspan(kernel.index() * lanes_, lanes_);
  }
  bool before(KernelId first, KernelId then) const { return ended(then)[lane(first)] >= position(first); }

 private:
  struct Place {
    std::size_t lane = 0;
    std::uint32_t position = 0;
  };
  std::size_t lanes_;
  std::vector<Place> places_;         // by kernel
  std::vector<std::uint32_t> ended_;  // kernel × lane
};

}  // namespace iosx
