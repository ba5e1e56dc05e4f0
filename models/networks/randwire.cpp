#include "models/networks/randwire.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/base/check.h"
#include "models/networks/layers.h"
#include "models/networks/zoo.h"

namespace iosx {
namespace {

constexpr std::int64_t kFirstChannels = 77;
constexpr std::int64_t kConvHeadChannels = 1280;
constexpr int kMaxNodes = 4096;
constexpr int kMaxDraws = 1000;

// Of the first 40 seeds, the one with stages closest to the published ones: at most 8 nodes wide, 3,800 to 7,400 states
// in each large stage (published: 4,300 to 5,400).
constexpr std::uint64_t kZooSeed = 10;

// SplitMix64 (Steele, Lea & Flood 2014). The distributions of <random> differ between libraries, so none is used.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15U);
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
  }
  // Returns a number that is uniform in [0, 1).
  double unit() { return static_cast<double>(bits() >> 11U) * 0x1p-53; }
  // Returns a number that is uniform in [0, count).
  int below(int count) {
    const auto range = static_cast<std::uint64_t>(count);
    const std::uint64_t limit = UINT64_MAX - UINT64_MAX % range;
    std::uint64_t value = bits();
    while (value >= limit) value = bits();
    return static_cast<int>(value % range);
  }

 private:
  std::uint64_t state_;
};

// An undirected graph of a few nodes.
class Adjacency {
 public:
  explicit Adjacency(int nodes) : nodes_(nodes), joined_(static_cast<std::size_t>(nodes) * nodes) {}

  bool joined(int a, int b) const { return joined_[at(a, b)]; }
  void set(int a, int b, bool value) { joined_[at(a, b)] = joined_[at(b, a)] = value; }
  int degree(int a) const {
    int count = 0;
    for (int b = 0; b < nodes_; ++b) count += joined(a, b) ? 1 : 0;
    return count;
  }

  bool connected() const {
    std::vector<bool> reached(nodes_);
    std::vector<int> frontier{0};
    reached[0] = true;
    int count = 1;
    while (!frontier.empty()) {
      const int a = frontier.back();
      frontier.pop_back();
      for (int b = 0; b < nodes_; ++b) {
        if (reached[b] || !joined(a, b)) continue;
        reached[b] = true;
        frontier.push_back(b);
        ++count;
      }
    }
    return count == nodes_;
  }

 private:
  std::size_t at(int a, int b) const { return static_cast<std::size_t>(a) * nodes_ + b; }

  int nodes_;
  std::vector<bool> joined_;
};

Adjacency draw(const WattsStrogatz& parameters, Random& random) {
  const int nodes = parameters.nodes;
  Adjacency graph(nodes);
  for (int hop = 1; hop <= parameters.neighbours / 2; ++hop) {
    for (int a = 0; a < nodes; ++a) graph.set(a, (a + hop) % nodes, true);
  }
  for (int hop = 1; hop <= parameters.neighbours / 2; ++hop) {
    for (int a = 0; a < nodes; ++a) {
      if (random.unit() >= parameters.rewiring || graph.degree(a) >= nodes - 1) continue;
      int target = random.below(nodes);
      while (target == a || graph.joined(a, target)) target = random.below(nodes);
      graph.set(a, (a + hop) % nodes, false);
      graph.set(a, target, true);
    }
  }
  return graph;
}

Value add_stage(GraphBuilder& builder, const std::string& name, const Value& input, const RandWireStage& stage) {
  builder.begin_part(name);
  std::vector<std::vector<int>> sources(stage.nodes);
  std::vector<bool> read(stage.nodes);
  for (const RandWireEdge& edge : stage.edges) {
    sources[edge.to].push_back(edge.from);
    read[edge.from] = true;
  }
  std::vector<Value> values;
  std::vector<Value> unread;
  for (int node = 0; node < stage.nodes; ++node) {
    std::vector<Value> inputs;
    for (const int source : sources[node]) inputs.push_back(values[source]);
    const bool first = inputs.empty();
    if (first) inputs.push_back(input);
    values.push_back(
        add_relu_separable(builder, fmt::format("{}.node_{}", name, node), std::move(inputs),
                           {.out_channels = stage.channels, .kernel = 3, .stride = first ? 2 : 1, .mean = stage.mean}));
    if (!read[node]) unread.push_back(values.back());
  }
  if (unread.size() == 1) return builder.add(name + ".output", Identity{}, std::move(unread));
  return builder.add(name + ".output", Add{}, std::move(unread));
}

// Returns an error for the first edge that does not fit its stage, and for a number of nodes that is out of range.
Result<void> check_stage(const std::string& name, const RandWireStage& stage) {
  if (stage.nodes < 1 || stage.nodes > kMaxNodes) {
    return fail(message("{} nodes", stage.nodes), name, message("a stage has 1 to {} nodes", kMaxNodes));
  }
  for (auto edge = stage.edges.begin(); edge != stage.edges.end(); ++edge) {
    const std::string where = fmt::format("{}: edge {} -> {}", name, edge->from, edge->to);
    if (edge->from < 0 || edge->to >= stage.nodes || edge->from >= edge->to) {
      return fail(message("does not fit the stage"), where,
                  message("nodes are 0 to {}, and an edge leads to a higher number", stage.nodes - 1));
    }
    if (std::find(stage.edges.begin(), edge, *edge) != edge)
      return fail(message("appears twice"), where, message("remove one"));
  }
  return {};
}

std::vector<RandWireStage> drawn(std::vector<RandWireStage> stages, WattsStrogatz parameters, std::uint64_t seed) {
  Random seeds(seed);
  for (RandWireStage& stage : stages) {
    parameters.nodes = stage.nodes;
    auto edges = watts_strogatz(parameters, seeds.bits());
    IOS_CHECK(edges.has_value());
    stage.edges = *std::move(edges);
  }
  return stages;
}

Graph built(std::string name, std::span<const RandWireStage> stages) {
  auto graph = build_randwire(std::move(name), stages);
  IOS_CHECK(graph.has_value());
  return *std::move(graph);
}

}  // namespace

Result<std::vector<RandWireEdge>> watts_strogatz(const WattsStrogatz& parameters, std::uint64_t seed) {
  const auto& [nodes, neighbours, rewiring] = parameters;
  if (nodes < 3 || nodes > kMaxNodes || neighbours < 2 || neighbours % 2 != 0 || neighbours >= nodes ||
      !(rewiring >= 0 && rewiring <= 1)) {
    return fail(message("no Watts-Strogatz graph has n = {}, k = {}, p = {}", nodes, neighbours, rewiring), {},
                message("n is 3 to {}, k an even number from 2 to n - 1, p from 0 to 1", kMaxNodes));
  }
  Random random(seed);
  for (int i = 0; i < kMaxDraws; ++i) {
    const Adjacency graph = draw(parameters, random);
    if (!graph.connected()) continue;
    std::vector<RandWireEdge> edges;
    for (int to = 0; to < nodes; ++to) {
      for (int from = 0; from < to; ++from) {
        if (graph.joined(from, to)) edges.push_back({from, to});
      }
    }
    return edges;
  }
  return fail(message("{} random graphs with k = {} were not connected", kMaxDraws, neighbours), {},
              message("choose a larger k"));
}

Result<Graph> build_randwire(std::string name, std::span<const RandWireStage> stages) {
  GraphBuilder builder(std::move(name));
  Value value = builder.input("input", {3, 224, 224});
  builder.begin_part("stem");
  value = builder.add(
      "stem.conv", conv(kFirstChannels, 3, {.stride = 2, .padding = 1, .activation = Activation::kIdentity}), {value});
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const std::string stage = fmt::format("stage_{}", i + 1);
    IOS_TRY(check_stage(stage, stages[i]));
    value = add_stage(builder, stage, value, stages[i]);
  }
  builder.begin_part("head");
  value = builder.add("head.relu", Activate{Activation::kRelu}, {value});
  value = builder.add("head.conv", linear_conv(kConvHeadChannels), {value});
  builder.add("head.pool", global_average_pool(), {value});
  return std::move(builder).build();
}

std::vector<RandWireStage> random_stages(std::uint64_t seed) {
  return drawn({{154, 16, {}}, {308, 32, {}}, {616, 32, {}}, {1232, 32, {}}}, {}, seed);
}

std::vector<RandWireStage> large_random_stages(std::uint64_t seed) {
  return drawn({{49, 160, {}, true}, {97, 320, {}, true}, {195, 320, {}, true}, {390, 320, {}, true}},
               {.neighbours = 20}, seed);
}

Graph build_randwire() { return built("randwire", random_stages(kZooSeed)); }
Graph build_randwire_320() { return built("randwire_320", large_random_stages(kZooSeed)); }

}  // namespace iosx
