#pragma once

#include <QString>
#include <cstddef>
#include <memory>
#include <optional>

#include "core/analysis/compare/comparison.h"

namespace iosx {

// Two schedules of one comparison for a picture: one, and its reference.
struct Rivals {
  std::shared_ptr<const Comparison> comparison;  // never null, with its graph
  std::size_t shown = 0;                         // indices into its results
  std::size_t against = 0;

  const ScheduleResult& one() const { return comparison->results[shown]; }
  const ScheduleResult& other() const { return comparison->results[against]; }
  // Returns one sentence: "IOS-Flow is 1.74× as fast as Sequential: 3.83 ms instead of 6.67 ms"; where noise or too
  // few runs leave the order open, it claims nothing.
  QString sentence() const;
};

// Returns the shown schedule against the baseline (default: sequential); where the baseline itself is shown, the best
// schedule against it. None without a comparison, without a second schedule, and where either has no timeline.
std::optional<Rivals> rivals_of(const std::shared_ptr<const Comparison>& comparison, std::size_t shown,
                                std::optional<std::size_t> baseline = {});

}  // namespace iosx
