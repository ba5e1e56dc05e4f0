#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

#include "core/model/graph/graph.h"

// Small graphs for tests. Unless said otherwise every unit is one 3×3 convolution (ReLU, stride 1, padding 1) of 8
// channels on an 8×16×16 input named "in", units are named "a", "b", … in topological order ("u26" from the 27th on),
// and a unit with several predecessors sums them first, in an operator "NAME.add1" of its own unit. One part.
namespace iosx::test {

// a → b → … ; n units.
Graph chain(std::size_t n);
// n units that all read the input and nothing else: width n.
Graph fork(std::size_t n);
// a feeds n branches; the last unit concatenates them. n + 2 units.
Graph fork_join(std::size_t n);
// n units that read the input, and n that each read all of those.
Graph bipartite(std::size_t n);
// a → {b, c} → d, d being the sum of b and c.
Graph diamond();
// Every unit reads all units before it: width 1, n(n-1)/2 edges.
Graph clique(std::size_t n);
// n units with 1×1 or 3×3 kernels and 4 or 8 or 12 input channels taken as slices; each earlier unit is read with
// probability 0.3, the input if none is. The same seed gives the same graph on every platform.
Graph random_dag(std::uint64_t seed, std::size_t n);
// The paper's sample network on a 375×15×15 input: a (375 channels), b (750) and c (375) read it, d (750) reads a;
// "concat" joins b, c and d to 1875 channels.
Graph sample();
// Two parts: a, b and c, d, a chain.
Graph two_parts();
// Linear layers of 6 tokens of 8 features: two of them write into a concatenation, two add what they read to what they
// make, three axes are as a feature map's, one reads some of the tokens.
Graph linear_layers();
// Linear layers that merge, all of one input or of one that is made of it:
// - "query", "key" and "value" of 5 tokens of 8 features, the first two followed by operators of their own;
// - "gate" and "up" with a ReLU, of which a reader takes some tokens of the second;
// - "left" and "right" of three axes, which are outputs; "first" and "second" of the whole input.
Graph linear_siblings();

// Everything in the graph as text, one operator a line: two graphs are equal when their texts are.
std::string describe(const Graph& graph);

// How many units each part has, in order.
std::vector<std::size_t> part_sizes(const Graph& graph);

// The folder with the published graphs and tables; empty where it is absent (skip the test then, saying so).
std::filesystem::path reference_folder();

}  // namespace iosx::test
