#pragma once

#include <cstddef>
#include <vector>

#include "core/base/duration.h"
#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/search/options.h"
#include "core/search/state_space.h"

namespace iosx {

struct PartCount {
  std::size_t units = 0;
  std::size_t width = 0;  // most units of which none depends on another
  SpaceCount space;
};
struct PartCounts {
  std::vector<PartCount> parts;  // in the graph's order
  bool complete = true;          // false: stopped
  Seconds elapsed{0};
};

// Counts the search space of these options, part by part, for a graph from prepare(). Progress counts parts. A part
// of more than 50 million states is an error.
Result<PartCounts> count_parts(const Graph& graph, const SearchOptions& options, const JobContext& job);

}  // namespace iosx
