#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

#include "gpu/profile/cupti_library.h"
#include "gpu/profile/profiler.h"
#include "gpu/runtime/properties.h"
#include "gpu/runtime/runtime.h"

namespace iosx::gpu {

// Makes a profiler of GPU number `device` with CUPTI, which is loaded at the first request.
std::unique_ptr<Profiler> make_cupti_profiler(int device, const Properties& properties);

// Implements Profiler::trace() with CUPTI's activity records.
Result<std::vector<LaunchRecord>> trace_with_cupti(const CuptiLibrary& library, const std::function<void()>& work);

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
