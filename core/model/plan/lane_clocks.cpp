#include "core/model/plan/lane_clocks.h"

#include <algorithm>
#include <optional>

namespace iosx {

LaneClocks::LaneClocks(const ExecutionPlan& plan) : lanes_(plan.lane_count()) {
  places_.reserve(plan.kernels.size());
  ended_.assign(plan.kernels.size() * lanes_, 0);
  std::vector<std::optional<KernelId>> last(lanes_);
  for (std::size_t k = 0; k < plan.kernels.size(); ++k) {
    const Kernel& kernel = plan.kernels[k];
    const std::span<std::uint32_t> now = std::span(ended_).subspan(k * lanes_, lanes_);
    const auto learn = [&](KernelId other) {
      const std::span<const std::uint32_t> its = ended(other);
      for (std::size_t lane = 0; lane < lanes_; ++lane) now[lane] = std::max(now[lane], its[lane]);
      now[this->lane(other)] = std::max(now[this->lane(other)], position(other));
    };
    std::optional<KernelId>& before = last[kernel.lane];
    if (before) learn(*before);
    for (const KernelId wait : kernel.waits) learn(wait);
    places_.push_back({kernel.lane, now[kernel.lane] + 1});
    before = KernelId(k);
  }
}

}  // namespace iosx
