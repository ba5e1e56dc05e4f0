#pragma once

#include <cstdint>
#include <unordered_map>

#include "gpu/runtime/runtime.h"

namespace iosx::gpu {

// Maps launches to captured nodes. A profiler numbers nodes. The nodes of an instantiated graph are clones of the
// captured ones, and the profiler may also report them as created, before or after it reports them as cloned.
class NodeOrigins {
 public:
  // Between true and false, created nodes are clones: only cloned() counts for these.
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
  // Returns kNoNode where unknown.
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
