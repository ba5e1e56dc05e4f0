#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>

#include "core/model/graph/builder.h"
#include "core/model/graph/graph.h"

// Small graphs for tests. Unless stated otherwise every unit is one 3×3 convolution (ReLU, stride 1, padding 1) of 8
// channels on an 8×16×16 input named "in", units are named "a", "b", … in topological order ("u26" from the 27th on),
// and a unit with several predecessors sums them first, in an operator "NAME.add1" of its own unit. One part.
namespace iosx::test {

// The beginning of a graph with one input.
struct Sketch {
  GraphBuilder builder;
  Value in;
};
inline Sketch sketch(std::string name, Shape shape, std::string input = "in") {
  GraphBuilder builder(std::move(name));
  const Value in = builder.input(std::move(input), std::move(shape));
  return {std::move(builder), in};
}

// a → b → … ; n units.
Graph chain(std::size_t n);
// n units that read only the input: width n.
Graph fork(std::size_t n);
// a feeds n branches; the last unit concatenates them. n + 2 units.
Graph fork_join(std::size_t n);
// n units that read the input, and n that each read all of those.
Graph bipartite(std::size_t n);
// a → {b, c} → d, where d is the sum of b and c.
Graph diamond();
// The whole unit "u" has a and b, which read only the input; c reads a. Both b and c are outputs.
Graph whole_unit();
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
// Linear layers of 6 tokens of 8 features: two of them write into a concatenation, two add their input to their
// output, one has three axes like a feature map, one reads some of the tokens.
Graph linear_layers();
// Linear layers that can be merged, all of one input or of one derived value:
// - "query", "key" and "value" of 5 tokens of 8 features, the first two followed by operators of their own;
// - "gate" and "up" with a ReLU, of which a reader takes some tokens of the second;
// - "left" and "right" of three axes, which are outputs; "first" and "second" of the whole input.
Graph linear_siblings();

// Returns sums that their activations alone read, of two, three and six tensors, one of them broadcast, beside one that
// others read, and convolutions with both forms of GELU. One unit, so that one group has all.
Graph activated_sums();

// Returns convolutions of activated tensors, in one unit: those of the names "taken…" alone read a rectifier or a clip
// (also one that is not 0 at 0) and are depthwise or have one pixel; the others do not or are not. Some channels fill
// no vector, some inputs are slices.
Graph activated_inputs();

// Returns attention of three heads over five tokens twice, each operator a unit, with the heads interleaved as
// transformers and timm write them: "a" has a linear layer for each of query, key and value; "b" one for all, whose
// result is cut into three. A product of both outputs is read by a sum, as it is and turned.
Graph interleaved_heads();

// Returns attention of two heads over five tokens, each in one unit: "plain"; "scaled" and "divided" scores; "both",
// whose query and key have a factor each after they were turned; "single", one head whose key another unit turned. Then
// what is no attention by itself: "masked", "shared", whose softmax has another reader, and "across", a softmax over
// queries.
Graph attention_forms();

// Returns squeeze and excitation of 24 channels of 6 × 5 pixels: "convolved" and "linear" in one unit each, with
// activations in the layers or apart; "apart", each operator a unit of one part. Then what is none by itself: "shared",
// whose pool has another reader, "other", which multiplies another map, and "largest", of the largest pixels.
Graph excited_maps();

// Returns products of single heads, cut out of a third of what one linear layer makes for query, key and value: slices
// of slices.
Graph single_heads();

// Returns the whole graph as text, one operator per line: graphs are equal when their texts are.
std::string describe(const Graph& graph);

// Returns the number of units of each part, in order.
std::vector<std::size_t> part_sizes(const Graph& graph);

// Returns the folder with the published graphs and tables; empty where it is absent (the test is then
// skipped with that reason).
std::filesystem::path reference_folder();

}  // namespace iosx::test
