#pragma once

#include <cstdint>
#include <unordered_map>

#include "gpu/runtime/runtime.h"

namespace iosx::gpu {

// Says which captured node a launch is of. A profiler numbers nodes; those of a graph that was made ready to run are
// clones of those that were captured, and the profiler may call them made as well, before or after it calls them
// cloned.
class NodeOrigins {
 public:
  // From here until false, what is made are clones: of these only cloned() counts.
  void set_instantiating(bool whether) { instantiating_ = whether; }

  void made(std::uint64_t number, GraphNode node) {
    if (!instantiating_) origins_.try_emplace(number, node);
  }
  void cloned(std::uint64_t number, GraphNode node, GraphNode original) {
    const auto from = clones_.find(original);
    const GraphNode origin = from == clones_.end() ? original : from->second;
    clones_[node] = origin;
    origins_[number] = origin;
  }
  // Returns kNoNode where none is known.
  GraphNode origin(std::uint64_t number) const {
    const auto found = origins_.find(number);
    return found == origins_.end() ? kNoNode : found->second;
  }

 private:
  bool instantiating_ = false;
  std::unordered_map<std::uint64_t, GraphNode> origins_;
  std::unordered_map<GraphNode, GraphNode> clones_;
};

}  // namespace iosx::gpu
