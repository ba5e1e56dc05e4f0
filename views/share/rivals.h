#pragma once

#include <QString>
#include <cstddef>
#include <memory>
#include <optional>

#include "core/analysis/compare/comparison.h"

namespace iosx {

// Names two schedules of one comparison as pictures for others show them: one, and what it is measured against.
struct Rivals {
  std::shared_ptr<const Comparison> comparison;  // never null, and has its graph
  std::size_t shown = 0;                         // indices into its results
  std::size_t against = 0;

  const ScheduleResult& one() const { return comparison->results[shown]; }
  const ScheduleResult& other() const { return comparison->results[against]; }
  // Says it in one sentence: "IOS-Flow is 1.74× as fast as Sequential: 3.83 ms instead of 6.67 ms"; where noise or too
  // few runs leave it open who is faster, it claims nothing.
  QString sentence() const;
};

// Returns the shown schedule against the baseline, which is sequential where none is given; or where the baseline is
// shown itself, the best schedule against it. There are none without a comparison, without a second schedule, and where
// either has no timeline.
std::optional<Rivals> rivals_of(const std::shared_ptr<const Comparison>& comparison, std::size_t shown,
                                std::optional<std::size_t> baseline = {});

}  // namespace iosx
