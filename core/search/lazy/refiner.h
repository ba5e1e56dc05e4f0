#pragma once

#include <vector>

#include "core/search/lazy/lazy_state.h"

namespace iosx {

// Makes the choice rest on refined latencies alone, where the source answers with quick estimates first: what was
// chosen because its estimate was lucky loses its place, and what an unlucky one hid (a rival) is looked at.
class Refiner {
 public:
  // The state must outlive it.
  explicit Refiner(LazyState& state) : state_(state) {}

  // Refines the stages of every cheapest path, then the rivals', until neither changes. A budget that is spent ends
  // only the latter; a stop by the user ends both. The error is the source's.
  Result<void> run();

 private:
  Result<bool> refine(const std::vector<LazyState::Wanted>& wanted);
  std::vector<LazyState::Wanted> rivals();
  void apply(const LazyState::Wanted& wanted, double ms);

  LazyState& state_;
};

}  // namespace iosx
