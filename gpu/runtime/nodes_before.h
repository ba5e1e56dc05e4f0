#pragma once

#include <driver_types.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace iosx::gpu {

// Returns the nodes that others depend on. `query` fills arrays of nodes and of edge data with room for *count and
// sets *count to the number written. Edge data always has room: without it an edge with data (a programmatic launch's,
// in cuDNN's plans for newer GPUs) is an error, even where only the number is queried.
template <typename Query>
std::vector<cudaGraphNode_t> nodes_before(const Query& query) {
  constexpr std::size_t kUsual = 16;
  for (std::size_t room = kUsual;; room *= 2) {
    std::vector<cudaGraphNode_t> nodes(room);
    std::vector<cudaGraphEdgeData> edges(room);
    std::size_t count = room;
    query(nodes.data(), edges.data(), &count);
    if (count >= room) continue;  // there may be more
    nodes.resize(count);
    std::erase(nodes, nullptr);
    return nodes;
  }
}

}  // namespace iosx::gpu
