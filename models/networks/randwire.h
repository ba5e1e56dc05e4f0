#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/model/graph/graph.h"

// Randomly wired networks (Xie et al., 2019) have stages whose nodes (relu, 3 × 3 depthwise and pointwise convolution)
// are wired like a random graph.
namespace iosx {

// The sum at the start of node `to` includes node `from`; from < to.
struct RandWireEdge {
  int from = 0;
  int to = 0;
  friend bool operator==(const RandWireEdge&, const RandWireEdge&) = default;
};

// A node without inputs from others reads the stage's input, at stride 2; nodes without readers are summed to the
// output. A node reads the others in the order of the edges.
struct RandWireStage {
  std::int64_t channels = 0;
  int nodes = 0;
  std::vector<RandWireEdge> edges;
  bool mean = false;  // nodes take the mean of their inputs: repeated sums of many would overflow
};

// A small-world graph after Watts and Strogatz (1998): a ring of `nodes` nodes, each joined to its `neighbours` nearest
// (an even number), with each edge rewired with probability `rewiring`. It is drawn again until it is connected. Edges
// run from the lower to the higher number and are sorted by `to`, then `from`. The same arguments give the same graph
// with every compiler and library.
struct WattsStrogatz {
  int nodes = 32;
  int neighbours = 4;
  double rewiring = 0.75;
};
Result<std::vector<RandWireEdge>> watts_strogatz(const WattsStrogatz& parameters, std::uint64_t seed);

// Builds the network with the published stem and head (input 3 × 224 × 224, 77 channels after the stem, head of 1280
// channels, no classifier) around these stages. An invalid edge is an error that names stage and edge.
Result<Graph> build_randwire(std::string name, std::span<const RandWireStage> stages);

// Returns the published stages, of 154, 308, 616 and 1232 channels and 16, 32, 32 and 32 nodes, drawn with k = 4, p =
// 0.75.
std::vector<RandWireStage> random_stages(std::uint64_t seed);
// Returns the same with ten times as many nodes, k = 20, and the channels divided by √10, so that work and weights stay
// within a fifth of those.
std::vector<RandWireStage> large_random_stages(std::uint64_t seed);

}  // namespace iosx
