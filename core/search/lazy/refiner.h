#pragma once

#include <vector>

#include "core/search/lazy/lazy_state.h"

namespace iosx {

// Makes the result depend on refined latencies alone where the source first answers with quick estimates: stages
// chosen for a lucky estimate lose their place, and competing stages hidden by an unlucky one are measured.
class Refiner {
 public:
  // The state must outlive it.
  explicit Refiner(LazyState& state) : state_(state) {}

  // Refines the stages of every cheapest path, then of competing paths, until neither changes. A spent budget ends
  // only the latter; a stop by the user ends both. Errors are the source's.
  Result<void> run();

 private:
  Result<bool> refine(const std::vector<LazyState::Wanted>& wanted);
  std::vector<LazyState::Wanted> rivals();
  void apply(const LazyState::Wanted& wanted, double ms);

  LazyState& state_;
};

}  // namespace iosx
