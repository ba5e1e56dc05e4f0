#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/analysis/compare/compare.h"

namespace iosx {

// Several networks, each by its own fastest schedule.
struct NetworksAlone {
  std::vector<NetworkAlone> times;  // of networks that no other one reads, in their order
  // Each network's own kernels on lanes of its own, beside those of the others; of the joint graph. None where lanes
  // were not asked for, or are too many.
  std::optional<GivenSchedule> together = {};
};

// Compares each network of a graph by itself, with the same options as far as they are about one network. The graph
// has several networks. Errors: those of compare(), and a stop.
Result<NetworksAlone> find_alone(const Graph& graph, Device& device, const CompareOptions& options,
                                 const CompareContext& context, const JobContext& job);

}  // namespace iosx
